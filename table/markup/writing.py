"""Writes elements as SVG or HTML. The only place where angle brackets are made, and so the only one where texts are escaped."""

from __future__ import annotations

import re

from ichiba.dsl.faults.fault import printable
from ichiba.table.markup.elements import Element, Node, Script, Style

EMPTY = frozenset(("meta", "br", "hr", "input", "col", "link"))  # HTML elements that are never closed
ROOMS = frozenset((  # elements that hold others line by line
    "svg", "g", "defs", "marker", "html", "head", "body", "main", "header", "nav", "section", "article", "aside", "footer", "ul", "ol", "dl", "table",
    "thead", "tbody", "tr", "div", "figure", "details", "form",
))  # fmt: skip
NAMESPACE = "http://www.w3.org/2000/svg"
_NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

_PLAIN = re.compile(r"[ !#-%(-;=?-~]*")  # nothing to escape: most words, and every number


def escaped(text: str) -> str:
    """An author's words as text or between quotes: nothing in them is markup, moves a cursor, or turns around what stands beside it."""
    if _PLAIN.fullmatch(text):
        return text
    plain = _NO_XML.sub("\ufffd", printable(text))
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        plain = plain.replace(sign, entity)
    return plain


def html(node: Node) -> str:
    """A whole page, or a part of one."""
    out = ["<!doctype html>\n"] if isinstance(node, Element) and node.tag == "html" else []
    _write(node, out, 0, within_svg=False)
    return "".join(out) + "\n"


def svg(node: Element) -> str:
    """A file of its own."""
    out = ['<?xml version="1.0" encoding="UTF-8"?>\n']
    _write(node, out, 0, within_svg=True, root=True)
    return "".join(out) + "\n"


def _write(node: Node, out: list[str], depth: int, within_svg: bool, root: bool = False) -> None:
    if isinstance(node, str):
        out.append(escaped(node))
        return
    if isinstance(node, Style):
        out.append(f"<style>{node.text}</style>")
        return
    if isinstance(node, Script):
        out.append(f'<script src="{node.path}" defer></script>')
        return
    tag, children = node.tag, node.children
    inside = within_svg or tag == "svg"
    out.append(f'<{tag} xmlns="{NAMESPACE}"' if root and tag == "svg" else f"<{tag}")
    out += [f' {name}="{escaped(value)}"' for name, value in node.attributes]
    if not children and (inside or tag in EMPTY):
        out.append("/>" if inside else ">")
        return
    out.append(">")
    apart = bool(children) and tag in ROOMS and not any(isinstance(child, str) for child in children)
    between = "\n" + " " * (depth + 1) if apart else ""
    for child in children:
        if apart:
            out.append(between)
        _write(child, out, depth + 1, inside)
    out.append("\n" + " " * depth + f"</{tag}>" if apart else f"</{tag}>")
