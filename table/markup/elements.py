"""What SVG and HTML are made of: elements of known names, with attributes of which each has its form.

    element("text", "Eel & co", x=4, y=12, class_="head")

An author's words can stand as text, and in attributes of free text; `writing.py` escapes both. Everywhere else only a number, a class,
a place on the same page fits: an address in a colour or a script in a name is refused here, before anything is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Union


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


SVG_TAGS = _names("svg g rect circle ellipse line polyline polygon path text tspan title desc defs marker use")
HTML_TAGS = _names("""
    html head meta title body header main nav section article aside footer h1 h2 h3 h4 p ul ol li dl dt dd table caption colgroup col thead
    tbody tr th td div span b i em strong small code pre kbd a br hr figure figcaption details summary sup sub bdi button form input label
    select option output dialog fieldset legend progress link datalist
""")
TAGS = SVG_TAGS | HTML_TAGS

_NUMBER = re.compile(r"-?\d+(\.\d+)?(%|mm|px|em)?")
_NUMBERS = re.compile(r"[-\d., %]*")
_PATH = re.compile(r"[MLHVCSQTAZmlhvcsqtaz\d\s.,-]*")
_TURN = re.compile(r"((translate|scale|rotate)\([-\d., ]+\) ?)+")
_NAMES = re.compile(r"[A-Za-z][\w-]*( [A-Za-z][\w-]*)*")
_PLACE = re.compile(r"#[\w.:-]+|/|(?!//)(\.{0,2}/)?[\w.-]+(/[\w.-]+)*/?")  # on this page, or beside it: never another host
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_WORD = re.compile(r"[a-z][a-z-]*")


def _form(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda value: pattern.fullmatch(value) is not None


def _free(value: str) -> bool:
    return True


_FORMS: dict[Callable[[str], bool], str] = {
    _form(_NUMBER): "x y x1 y1 x2 y2 cx cy r rx ry dx dy width height font-size stroke-width opacity refX refY markerWidth markerHeight textLength "
    "colspan rowspan min max step value start maxlength",
    _form(_NUMBERS): "points viewBox stroke-dasharray",
    _form(_PATH): "d",
    _form(_TURN): "transform",
    _form(_NAMES): "class id for role aria-labelledby aria-describedby aria-controls name rel",
    _form(_PLACE): "href src action",
    _form(_LANGUAGE): "lang",
    _form(_WORD): "text-anchor dominant-baseline stroke-linecap stroke-linejoin scope type method dir preserveAspectRatio lengthAdjust "
    "aria-hidden aria-live aria-current aria-expanded aria-pressed tabindex focusable charset http-equiv autocomplete inputmode",
    _free: "title alt aria-label placeholder content",
}  # fmt: skip
ATTRIBUTES = {name: fits for fits, names in _FORMS.items() for name in names.split()}
FLAGS = frozenset(["hidden", "open", "disabled", "checked", "selected", "required", "readonly", "autofocus"])
EXACTLY = {"charset": {"utf-8"}, "http-equiv": {"Content-Security-Policy"}, "preserveAspectRatio": {"xMidYMid", "xMinYMin"},
           "tabindex": {"0", "-1"}, "lengthAdjust": {"spacingAndGlyphs"}}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Element:
    """One element. Made by `element`, which looks at everything that goes into it."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Style:
    """A style sheet of ours: no word of an author's is ever in it."""

    text: str

    def __post_init__(self) -> None:
        if "<" in self.text:
            raise ValueError("a style sheet has no `<`")


@dataclass(frozen=True, slots=True)
class Script:
    """A script of ours, from where the page comes from: no author has a say in which."""

    path: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"/static/[a-z_]+\.js", self.path):
            raise ValueError(f"{self.path!r} is no script of ours")


Node = Union[Element, Style, Script, str]
Given = Union[Node, None]
Value = Union[str, int, float, bool, None]


def element(tag: str, *children: Given, **attributes: Value) -> Element:
    """An element; `class_` and `stroke_width` are written `class` and `stroke-width`, what is None or False is left out."""
    if tag not in TAGS:
        raise ValueError(f"no element is called {tag!r}")
    found = tuple((name, text) for name, text in (_attribute(tag, key, value) for key, value in attributes.items()) if text is not None)
    return Element(tag, found, tuple(child for child in children if child is not None and child != ""))


def _attribute(tag: str, key: str, value: Value) -> tuple[str, str | None]:
    name = _name(key)
    if name in FLAGS:
        if not isinstance(value, bool):
            raise ValueError(f"{name!r} is there or not: it has no value")
        return name, "" if value else None
    if value is None or value is False:
        return name, None
    text = "true" if value is True else _short(value) if isinstance(value, float) else str(value)
    if name in EXACTLY:
        fits = text in EXACTLY[name]
    else:
        fits = ATTRIBUTES.get(name, _free)(text) or name == "value" and tag in ("input", "option", "button")
    if not fits:
        raise ValueError(f"{text!r} cannot stand in {name!r} of {tag!r}")
    return name, text


@lru_cache(maxsize=256)
def _name(key: str) -> str:
    """`stroke_width` is `stroke-width`; refused where no attribute is called so."""
    plain = key.rstrip("_")
    name = plain if plain in ATTRIBUTES else plain.replace("_", "-")
    if name not in ATTRIBUTES and name not in FLAGS and not re.fullmatch(r"data-[a-z][a-z-]*", name):
        raise ValueError(f"no attribute is called {name!r}")
    return name


def _short(value: float) -> str:
    """`12`, `12.5`: no more than a tenth, which nobody sees."""
    return f"{value:.1f}".removesuffix(".0")


def walk(node: Node) -> Iterator[Element]:
    """An element and all that is in it."""
    if isinstance(node, Element):
        yield node
        for child in node.children:
            yield from walk(child)


def words_in(node: Node) -> str:
    """All text of an element, one after the other."""
    if isinstance(node, Element):
        return "".join(map(words_in, node.children))
    return node if isinstance(node, str) else ""


def classes_in(*nodes: Node) -> set[str]:
    """Every class that is named."""
    return {name for node in nodes for one in walk(node) for key, value in one.attributes if key == "class" for name in value.split()}
