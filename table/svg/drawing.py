"""What pictures are put together from: panels of known size, words in them, and the one style sheet of all pictures.

A `Panel` knows how wide and high it is; `beside` and `below` put several together. `picture` makes an SVG of one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ichiba.table.markup.colours import class_of, palette
from ichiba.table.markup.elements import Element, Node, Style, classes_in, element
from ichiba.table.scene.spelling import FAINT, Cell, words_of
from ichiba.table.svg.measure import width_of, wrapped

TEXT, SMALL, HEAD = 12.0, 10.5, 16.0
LEADING = 1.35
FACES = '"Noto Sans","DejaVu Sans",Verdana,Arial,"Noto Sans CJK JP","Hiragino Sans","Yu Gothic","Noto Color Emoji","Segoe UI Emoji",sans-serif'
_DAY = (
    ".ink{fill:#1b1f24}.soft{fill:#59616b}.paper{fill:#ffffff}.tint{fill:#f3f5f8}.deep{fill:#eef0f3}.on{fill:#fff3c4}.none{fill:none}"
    ".line{stroke:#c4cad3}.firm{stroke:#59616b}.stripe{stroke:#ffffff}"
)
_NIGHT = (
    ".ink{fill:#e9ecf0}.soft{fill:#a9b2bd}.paper{fill:#17191c}.tint{fill:#20242a}.deep{fill:#2a2f36}.on{fill:#4a4010}.line{stroke:#48505b}.firm{stroke:#a9b2bd}.stripe{stroke:#17191c}"
)
_ALWAYS = f".pic{{font-family:{FACES};font-size:{TEXT:g}px}}.b{{font-weight:bold}}.dots{{stroke-dasharray:2 3}}"


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a picture, drawn from its upper left corner on."""

    width: float
    height: float
    parts: tuple[Element, ...] = ()
    thing: str = ""  # that it shows: who touches the picture there means it


def sheet(*nodes: Node) -> Style:
    """The style sheet for these pictures: by day, and on a screen by night."""
    classes = classes_in(*nodes)
    night = "@media screen and (prefers-color-scheme:dark){" + _NIGHT + palette(classes, night=True) + "}"
    return Style(_ALWAYS + _DAY + palette(classes) + night)


def picture(panel: Panel, title: str, about: str = "", styled: bool = True) -> Element:
    """An SVG of its own. Within a page it goes without a style sheet: the page has one for all, made by `sheet`."""
    body = element("g", *panel.parts)
    wide, high = (math.ceil(size) for size in (panel.width, panel.height))
    return element(
        "svg", element("title", title), element("desc", about) if about else None, sheet(body) if styled else None, body,
        class_="pic", viewBox=f"0 0 {wide} {high}", width=wide, height=high, role="img",
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------- putting together


def moved(panel: Panel, x: float, y: float) -> Element:
    return element("g", *panel.parts, transform=f"translate({x:g} {y:g})", data_thing=panel.thing or None)


def below(panels: Sequence[Panel], gap: float = 8) -> Panel:
    """One under the other."""
    parts, y = [], 0.0
    for panel in panels:
        parts.append(moved(panel, 0, y))
        y += panel.height + gap
    return Panel(max((panel.width for panel in panels), default=0), max(0, y - gap), tuple(parts))


def flowing(panels: Sequence[Panel], room: float, gap: float = 8) -> Panel:
    """One beside the other, and in rows where that is too wide."""
    parts, x, y, high, wide = [], 0.0, 0.0, 0.0, 0.0
    for panel in panels:
        if x and x + panel.width > room + 0.1:
            x, y, high = 0.0, y + high + gap, 0.0
        parts.append(moved(panel, x, y))
        wide, high = max(wide, x + panel.width), max(high, panel.height)
        x += panel.width + gap
    return Panel(wide, y + high, tuple(parts))


def in_columns(panels: Sequence[Panel], room: float, gap: float = 12) -> Panel:
    """Like the columns of a newspaper: each goes where the column is shortest so far."""
    wide = max((panel.width for panel in panels), default=1)
    count = max(1, int((room + gap) // (wide + gap)))
    ends, parts = [0.0] * count, []
    for panel in panels:
        at = ends.index(min(ends))
        parts.append(moved(panel, at * (wide + gap), ends[at]))
        ends[at] += panel.height + gap
    used = min(count, len(panels))
    return Panel(used * (wide + gap) - gap, max(ends) - gap, tuple(parts))


def padded(panel: Panel, by: float, class_: str = "") -> Panel:
    """With room around it, on paper of its own if a class says so."""
    wide, high = panel.width + 2 * by, panel.height + 2 * by
    ground = (element("rect", x=0, y=0, width=wide, height=high, class_=class_),) if class_ else ()
    return Panel(wide, high, (*ground, moved(panel, by, by)))


def framed(panel: Panel, by: float = 10, ground: str = "paper line") -> Panel:
    """With a frame of round corners."""
    wide, high = panel.width + 2 * by, panel.height + 2 * by
    frame = element("rect", x=0.5, y=0.5, width=wide - 1, height=high - 1, rx=7, class_=ground)
    return Panel(wide, high, (frame, moved(panel, by, by)))


# ------------------------------------------------------------------------------------------------- words


def line(cell: Cell, x: float, y: float, size: float = TEXT, bold: bool = False, anchor: str | None = None, usual: str = "ink") -> Element:
    """One line of words; `y` is where the letters stand."""
    classes = " ".join(filter(None, (usual, "b" if bold else "")))
    given = None if size == TEXT else size
    if len(cell) == 1 and not _class(cell[0][1]):
        return element("text", cell[0][0], x=x, y=y, font_size=given, class_=classes, text_anchor=anchor)
    spans = (element("tspan", words, class_=_class(colour) or None) if _class(colour) else words for words, colour in cell)
    return element("text", *spans, x=x, y=y, font_size=given, class_=classes, text_anchor=anchor)


def _class(colour: str) -> str:
    return "b" if colour == "bold" else "soft" if colour == FAINT else class_of(colour)


def paragraph(cell: Cell, room: float, size: float = TEXT, bold: bool = False, usual: str = "ink", anchor: str | None = None) -> Panel:
    """Words wrapped to a width."""
    lines = wrapped(cell, size, room, bold)
    high = size * LEADING
    x = room / 2 if anchor == "middle" else 0
    parts = tuple(line(one, x, number * high + size, size, bold, anchor, usual) for number, one in enumerate(lines) if words_of(one).strip())
    wide = room if anchor else max((width_of(one, size, bold) for one in lines), default=0)
    return Panel(wide, len(lines) * high, parts)


def chip(cell: Cell, room: float, size: float = SMALL, ground: str = "deep", bold: bool = False) -> Panel:
    """Words on a rounded ground."""
    words = paragraph(cell, room - 10, size, bold)
    wide, high = words.width + 10, words.height + 4
    return Panel(wide, high, (element("rect", x=0, y=0, width=wide, height=high, rx=4, class_=ground), moved(words, 5, 1.2)))


def parts_of_list(cell: Cell) -> list[Cell]:
    """`2 apples, plum` is two: the scene puts blanks and commas of their own between what lies in one place."""
    found: list[list[tuple[str, str]]] = [[]]
    inside = 0  # what a piece remembers stands in brackets behind it
    for words, colour in cell:
        if words in (", ", "; ") and not colour and not inside:
            found.append([])
        else:
            inside += words.count("(") - words.count(")")
            found[-1].append((words, colour))
    return [tuple(one) for one in found if one]


def chips(cells: Iterable[Cell], room: float, size: float = SMALL) -> Panel:
    return flowing([chip(cell, room, size) for cell in cells], room, 4)
