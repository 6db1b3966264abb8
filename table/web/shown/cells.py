"""Cells of a scene as HTML."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.table.markup.colours import class_of
from ichiba.table.markup.elements import Node, element
from ichiba.table.scene.spelling import FAINT, Cell


def inked(cell: Cell) -> Iterator[Node]:
    """Words with their colours, as classes."""
    for words, colour in cell:
        if colour == "bold":
            yield element("strong", words)
        elif colour == FAINT:
            yield element("span", words, class_="soft")
        else:
            yield element("span", words, class_=f"tone {class_of(colour)}") if class_of(colour) else words
