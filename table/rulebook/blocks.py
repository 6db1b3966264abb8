"""What a rulebook is made of, whatever prints it: headings, paragraphs, lists, tables, pictures, rules as they are written.

Words are a `Cell`, as in a scene: texts with a colour or `bold`. No printer's markup is ever in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from ichiba.table.scene.spelling import HOLE, Cell, ink, words_of
from ichiba.table.svg.drawing import Panel

ENDS = ".!?。:…？！："


@dataclass(frozen=True, slots=True)
class Heading:
    """`level` 1 is the title of the book, 2 a chapter; `anchor` is what links within the page call it."""

    level: int
    words: str
    anchor: str
    mark: str = ""  # which module brings it


@dataclass(frozen=True, slots=True)
class Paragraph:
    words: Cell
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a list, with finer ones below it."""

    words: Cell
    more: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """A table of words."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    panel: Panel
    title: str
    large: bool = False  # as wide as the page has room: a map


@dataclass(frozen=True, slots=True)
class Written:
    """A rule as its author has written it, where no sentence says it."""

    text: str


Block = Union[Heading, Paragraph, Listing, Rows, Picture, Written]


def plain(words: str) -> Paragraph:
    return Paragraph(ink(words))


def told(cell: Cell) -> Cell:
    """A cell as a sentence: with a capital letter and a full stop, unless it begins or ends with what a table would fill in."""
    parts = [part for part in cell if part[0]]
    if not parts or not words_of(parts).strip():
        return ()
    (first, colour), last = parts[0], words_of(parts).rstrip()[-1]
    parts[0] = (first[:1].upper() + first[1:], colour)
    if last not in ENDS:
        words, style = parts.pop()
        stop = _stop(last)
        parts += [(words, style), (stop, style.replace(HOLE, "").strip())] if HOLE in style else [(words + stop, style)]
    return tuple(parts)


def _stop(last: str) -> str:
    """The full stop of the script in which a sentence ends."""
    return "。" if "\u3000" <= last <= "\u9fff" or "\uff00" <= last <= "\uffef" else "."


def emphatic(cell: Cell) -> Cell:
    """All of it bold; what a table would fill in is still set apart."""
    return tuple((words, f"bold {colour}".strip()) for words, colour in cell)


def sentence(words: str) -> str:
    """With a capital letter and a full stop."""
    words = words.strip()
    if not words:
        return ""
    end = "" if words[-1] in ENDS else _stop(words[-1])
    return words[0].upper() + words[1:] + end


__all__ = ["Block", "Heading", "Item", "Listing", "Paragraph", "Picture", "Rows", "Written", "emphatic", "plain", "sentence", "told"]
