"""Writes elements as SVG or HTML. The only place where angle brackets are made, and so the only one where texts are escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ichiba.dsl.faults.fault import printable
from ichiba.table.markup.elements import Element, Node, Style

EMPTY = frozenset(("meta", "br", "hr", "input", "col", "link"))  # HTML elements that are never closed
ROOMS = frozenset((  # elements that hold others line by line
    "svg", "g", "defs", "marker", "html", "head", "body", "main", "header", "nav", "section", "article", "aside", "footer", "ul", "ol", "dl", "table",
    "thead", "tbody", "tr", "div", "figure", "details", "form",
))  # fmt: skip
NAMESPACE = "http://www.w3.org/2000/svg"
_NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def escaped(text: str) -> str:
    """An author's words as text or between quotes: nothing in them is markup, moves a cursor, or turns around what stands beside it."""
    plain = _NO_XML.sub("\ufffd", printable(text))
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        plain = plain.replace(sign, entity)
    return plain


def html(node: Node) -> str:
    """A whole page, or a part of one."""
    start = "<!doctype html>\n" if isinstance(node, Element) and node.tag == "html" else ""
    return start + "".join(_lines(node, 0, within_svg=False)) + "\n"


def svg(node: Element) -> str:
    """A file of its own."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + "".join(_lines(node, 0, within_svg=True, root=True)) + "\n"


def _lines(node: Node, depth: int, within_svg: bool, root: bool = False) -> Iterator[str]:
    if isinstance(node, str):
        yield escaped(node)
        return
    if isinstance(node, Style):
        yield f"<style>{node.text}</style>"
        return
    inside = within_svg or node.tag == "svg"
    head = f' xmlns="{NAMESPACE}"' if node.tag == "svg" and root else ""
    head += "".join(f' {name}="{escaped(value)}"' for name, value in node.attributes)
    if not node.children and (inside or node.tag in EMPTY):
        yield f"<{node.tag}{head}/>" if inside else f"<{node.tag}{head}>"
        return
    yield f"<{node.tag}{head}>"
    apart = node.tag in ROOMS and not any(isinstance(child, str) for child in node.children)
    between = "\n" + " " * (depth + 1) if apart else ""
    for child in node.children:
        yield between
        yield from _lines(child, depth + 1, inside)
    yield ("\n" + " " * depth if apart and node.children else "") + f"</{node.tag}>"

