"""Cells of a scene as HTML."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.table.markup.colours import class_of
from ichiba.table.markup.elements import Node, element
from ichiba.table.scene.spelling import FAINT, HOLE, Cell


def inked(cell: Cell) -> Iterator[Node]:
    """Words with their colours, as classes."""
    for words, colour in cell:
        if colour in ("bold", HOLE, f"bold {HOLE}"):
            inner: Node = element("em", words) if HOLE in colour else words
            yield element("strong", inner) if "bold" in colour else inner
        elif colour == FAINT:
            yield element("span", words, class_="soft")
        else:
            yield element("span", words, class_=f"tone {class_of(colour)}") if class_of(colour) else words
