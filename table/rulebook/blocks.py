"""What a rulebook is made of, whatever prints it: headings, paragraphs, lists, tables, pictures, rules as they are written.

Words are a `Cell`, as in a scene: texts with a colour or `bold`. No printer's markup is ever in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from ichiba.table.scene.spelling import Cell, ink
from ichiba.table.svg.drawing import Panel


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


@dataclass(frozen=True, slots=True)
class Written:
    """A rule as its author has written it, where no sentence says it."""

    text: str


Block = Union[Heading, Paragraph, Listing, Rows, Picture, Written]


def plain(words: str) -> Paragraph:
    return Paragraph(ink(words))


def sentence(words: str) -> str:
    """With a capital letter and a full stop."""
    words = words.strip()
    if not words:
        return ""
    end = "" if words[-1] in ".!?。:…" else "."
    return words[0].upper() + words[1:] + end


__all__ = ["Block", "Heading", "Item", "Listing", "Paragraph", "Picture", "Rows", "Written", "plain", "sentence"]
