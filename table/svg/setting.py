"""Pictures for programs that set no two scripts in one line: every stretch of words in another script begins at a place of its own.

A browser takes each letter from a face that has it. Smaller programs take the whole line from one; so before they draw, lines are parted
where letters give way to signs or the other way round.
"""

from __future__ import annotations

from itertools import groupby

from rich.cells import cell_len

from ichiba.table.markup.elements import Element, Node, element, words_in
from ichiba.table.svg.drawing import TEXT
from ichiba.table.svg.measure import width


def set_apart(node: Element) -> Element:
    """The same picture with every line of mixed scripts parted."""
    if node.tag == "text":
        return _parted(node)
    return Element(node.tag, node.attributes, tuple(set_apart(child) if isinstance(child, Element) else child for child in node.children))


def _parted(text: Element) -> Element:
    """`<text x="4">eel 鰻</text>` becomes a `tspan` at 4 and another where `eel ` ends."""
    runs = [run for child in text.children for run in _runs(child)]
    if len({wide for _, _, wide in runs}) < 2:
        return Element("text", text.attributes, tuple(_blanks_behind(text.children)))
    given = dict(text.attributes)
    size, x, bold = float(given.get("font-size", TEXT)), float(given.get("x", 0)), "b" in given.get("class", "").split()
    widths = [width(words, size, bold or "b" in (class_ or "").split()) for words, class_, _ in runs]
    anchor = given.pop("text-anchor", "start")
    x -= {"middle": sum(widths) / 2, "end": sum(widths)}.get(anchor, 0)
    spans = []
    for (words, class_, _), wide in zip(runs, widths, strict=True):
        blank = words[: len(words) - len(words.lstrip())]
        spans.append(element("tspan", words[len(blank) :], x=x + width(blank, size, bold), class_=class_))
        x += wide
    return Element("text", tuple((key, value) for key, value in given.items() if key != "x"), tuple(spans))


def _blanks_behind(children: tuple[Node, ...]) -> list[Node]:
    """`clipper` and ` (holds 5)` become `clipper ` and `(holds 5)`: a blank that begins a `tspan` is lost in some programs."""
    found: list[Node] = []
    for child in children:
        words = words_in(child)
        blank = words[: len(words) - len(words.lstrip())]
        if blank and found:
            found[-1] = _longer(found[-1], blank)
            child = Element(child.tag, child.attributes, (words.lstrip(),)) if isinstance(child, Element) else words.lstrip()
        found.append(child)
    return found


def _longer(node: Node, blank: str) -> Node:
    return Element(node.tag, node.attributes, (words_in(node) + blank,)) if isinstance(node, Element) else words_in(node) + blank


def _runs(node: Node) -> list[tuple[str, str | None, bool]]:
    """Words of one script, with their class, and whether they are signs."""
    words = words_in(node)
    class_ = dict(node.attributes).get("class") if isinstance(node, Element) else None
    return [("".join(letters), class_, wide) for wide, letters in groupby(words, key=_is_sign)]


def _is_sign(letter: str) -> bool:
    return cell_len(letter) == 2 or ord(letter) > 0x2600
