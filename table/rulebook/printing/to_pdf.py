"""The rulebook as a PDF, set by Typst out of our own template. Needs the extra `print`.

What authors have written goes there as JSON, and is set as strings: there is no way from a text into the template's language.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, assert_never

from ichiba.dsl.faults.fault import printable
from ichiba.table.markup.colours import DAY, NAMED, readable
from ichiba.table.markup.writing import svg
from ichiba.table.rulebook.blocks import Block, Heading, Item, Listing, Paragraph, Picture, Rows, Written
from ichiba.table.scene.spelling import HOLE, Cell
from ichiba.table.svg.drawing import picture
from ichiba.table.svg.setting import set_apart

POINTS = 0.75  # of a unit of a picture
WIDEST = 480.0  # points: as wide as a page is between its margins


class NoTypesetter(Exception):
    """What sets pages is not installed."""


def pdf(title: str, blocks: Sequence[Block], lang: str) -> bytes:
    """The whole book."""
    try:
        import typst
    except ImportError:
        raise NoTypesetter("a PDF needs typst: pip install 'ichiba[print]'") from None
    with tempfile.TemporaryDirectory(prefix="rulebook-") as place:
        home = Path(place)
        content = {"title": printable(title), "lang": lang.partition("-")[0], "blocks": [_block(home, at, block) for at, block in enumerate(blocks)]}
        (home / "book.json").write_text(json.dumps(content), encoding="utf-8")
        (home / "rulebook.typ").write_bytes(files("ichiba.table.rulebook.printing").joinpath("rulebook.typ").read_bytes())
        return bytes(typst.compile(str(home / "rulebook.typ"), root=place, format="pdf"))


def _block(home: Path, at: int, block: Block) -> dict[str, Any]:
    match block:
        case Heading(level=level, words=words, mark=mark):
            return {"kind": "heading", "level": level, "words": printable(words), "mark": printable(mark)}
        case Paragraph(words=words):
            return {"kind": "paragraph", "words": _runs(words)}
        case Listing(items=items):
            return {"kind": "list", "items": list(map(_item, items))}
        case Rows(heads=heads, rows=rows, caption=caption):
            cells = [[{"runs": _runs(cell)} for cell in row] for row in rows]
            return {"kind": "rows", "heads": list(map(printable, heads)), "columns": len(heads), "rows": cells, "caption": printable(caption)}
        case Picture(panel=panel, title=title):
            name = f"{at}.svg"
            (home / name).write_text(svg(set_apart(picture(panel, title))), encoding="utf-8")
            return {"kind": "picture", "file": name, "wide": min(WIDEST, panel.width * POINTS), "title": printable(title)}
        case Written(text=text):
            return {"kind": "written", "text": printable(text)}
        case _:
            assert_never(block)


def _item(item: Item) -> dict[str, Any]:
    return {"words": _runs(item.words), "more": list(map(_item, item.more))}


def _runs(cell: Cell) -> list[dict[str, Any]]:
    styles = ((printable(words), colour.split(), _ink(colour)) for words, colour in cell)
    return [{"words": words, "bold": "bold" in style, "slanted": HOLE in style, "colour": colour} for words, style, colour in styles]


def _ink(colour: str) -> str:
    """As it can be read on paper; nothing for what is no colour."""
    known = NAMED.get(colour, colour)
    return readable(known, DAY) if len(known) == 7 and known.startswith("#") else ""


