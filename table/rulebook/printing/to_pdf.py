"""The rulebook as a PDF, set by Typst out of our own template. Needs the extra `print`.

What authors have written goes there as JSON, and is set as strings: there is no way from a text into the template's language.
"""

from __future__ import annotations

import json
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any, assert_never

from ichiba.dsl.faults.fault import printable
from ichiba.table.markup.colours import DAY, NAMED, readable
from ichiba.table.markup.writing import svg
from ichiba.table.rulebook.blocks import Block, Heading, Item, Listing, Paragraph, Picture, Rows, Written
from ichiba.table.scene.spelling import HOLE, Cell, words_of
from ichiba.table.svg.drawing import picture
from ichiba.table.svg.measure import kept
from ichiba.table.svg.setting import set_apart

FONTS = ["Noto Sans", "DejaVu Sans", "Libertinus Serif", "Noto Sans CJK JP", "Noto Color Emoji"]
LATIN = 0x24F  # beyond it a font may have no letters
POINTS = 0.75  # of a unit of a picture
SIZES = (9.5, 9.3, 9.7, 9.1, 9.9, 8.9, 10.1)  # of letters, in points: the usual one, then those that are tried where the last page is nearly empty
LEAST_FILLED = 0.3  # how far down the last page goes at least, of its whole height
WIDEST, HIGHEST = 480.0, 560.0  # points: as large as a picture can be on a page, with its heading


class NoTypesetter(Exception):
    """What sets pages is not installed."""


def pdf(title: str, blocks: Sequence[Block], lang: str) -> bytes:
    """The whole book."""
    with _set_up(title, blocks, lang) as (typst, main):
        return bytes(typst.compile(str(main), root=str(main.parent), format="pdf"))


def pages(title: str, blocks: Sequence[Block], lang: str) -> dict[int, tuple[int, int]]:
    """On which page each block begins, and on which it ends (of a list: where its first line stands), by its place in the book."""
    with _set_up(title, blocks, lang) as (typst, main):
        spots = _spots(typst, main)
    found: dict[int, tuple[int, int]] = {}
    for spot in spots[:-1]:
        first, _ = found.get(spot["at"], (spot["page"], 0))
        found[spot["at"]] = first, spot["page"]
    return found


def ends(title: str, blocks: Sequence[Block], lang: str) -> tuple[int, float]:
    """On which page the book ends, and how far down."""
    with _set_up(title, blocks, lang) as (typst, main):
        last = _spots(typst, main)[-1]
    return last["page"], last["down"]


def _spots(typst: ModuleType, main: Path) -> list[dict[str, Any]]:
    """Where everything stands, in order; last, where the book ends."""
    return sorted(json.loads(typst.query(str(main), "<spot>", field="value", root=str(main.parent))), key=lambda spot: spot["at"] < 0)


def unprintable(title: str, blocks: Sequence[Block], lang: str) -> str:
    """The signs of a book that no font here has: on paper they would be empty boxes."""
    with _set_up(title, blocks, lang) as (typst, main):
        home = main.parent
        words = json.dumps(json.loads((home / "book.json").read_text(encoding="utf-8")), ensure_ascii=False)
        words += "".join(path.read_text(encoding="utf-8") for path in home.glob("*.svg"))
        signs = sorted({sign for sign in words if ord(sign) > LATIN and sign.isprintable() and unicodedata.category(sign)[0] not in "MC"})
        (home / "signs.json").write_text(json.dumps({"fonts": FONTS, "signs": signs}), encoding="utf-8")
        _bring(home, "signs.typ")
        [missing] = json.loads(typst.query(str(home / "signs.typ"), "<missing>", field="value", root=str(home)))
    return "".join(missing)


@contextmanager
def _set_up(title: str, blocks: Sequence[Block], lang: str) -> Iterator[tuple[ModuleType, Path]]:
    """The typesetter, and the folder with all that it reads."""
    try:
        import typst
    except ImportError:
        raise NoTypesetter("a PDF needs typst: pip install 'ichiba[print]'") from None
    with tempfile.TemporaryDirectory(prefix="rulebook-") as place:
        home = Path(place)
        told = [_block(home, at, block) for at, block in enumerate(blocks)]
        content = {"title": printable(title), "lang": lang.partition("-")[0], "fonts": FONTS, "blocks": told}
        main = _bring(home, "rulebook.typ")
        _sized(typst, main, content)
        yield typst, main


def _sized(typst: ModuleType, main: Path, content: dict[str, Any]) -> None:
    """With letters as large as usual; a little smaller or larger where otherwise a heading and a line or two would have the last page to
    themselves. Where no size helps it is the one with which the book ends furthest down."""
    found: dict[float, float] = {}
    for size in SIZES:
        (main.parent / "book.json").write_text(json.dumps({**content, "size": size}), encoding="utf-8")
        last = _spots(typst, main)[-1]
        found[size] = last["down"]
        if last["page"] == 1 or last["down"] >= LEAST_FILLED:
            return
    best = max(found, key=found.__getitem__)
    (main.parent / "book.json").write_text(json.dumps({**content, "size": best}), encoding="utf-8")


def _bring(home: Path, name: str) -> Path:
    (home / name).write_bytes(files("ichiba.table.rulebook.printing").joinpath(name).read_bytes())
    return home / name


def _block(home: Path, at: int, block: Block) -> dict[str, Any]:
    match block:
        case Heading(level=level, words=words, mark=mark):
            return {"kind": "heading", "level": level, "words": printable(words), "mark": printable(mark)}
        case Paragraph(words=words, quiet=quiet):
            return {"kind": "paragraph", "words": _runs(words), "quiet": quiet, "leads": words_of(words).rstrip().endswith((":", "：")) or quiet}
        case Listing(items=items):
            return {"kind": "list", "items": list(map(_item, items))}
        case Rows(heads=heads, rows=rows, caption=caption):
            cells = [[{"runs": _runs(cell)} for cell in row] for row in rows]
            return {"kind": "rows", "heads": list(map(printable, heads)), "columns": len(heads), "rows": cells, "caption": printable(caption)}
        case Picture(panel=panel, title=title, large=large):
            name = f"{at}.svg"
            (home / name).write_text(svg(set_apart(picture(panel, title))), encoding="utf-8")
            wide = min(WIDEST, HIGHEST * panel.width / panel.height) if large else min(WIDEST, panel.width * POINTS)
            return {"kind": "picture", "file": name, "wide": wide, "title": printable(title)}
        case Written(text=text):
            return {"kind": "written", "text": printable(text)}
        case _:
            assert_never(block)


def _item(item: Item) -> dict[str, Any]:
    return {"words": _runs(item.words), "more": list(map(_item, item.more))}


def _runs(cell: Cell) -> list[dict[str, Any]]:
    styles = ((printable(words), colour.split(), _ink(colour)) for words, colour in kept(cell))
    return [{"words": words, "bold": "bold" in style, "slanted": HOLE in style, "colour": colour} for words, style, colour in styles]


def _ink(colour: str) -> str:
    """As it can be read on paper; nothing for what is no colour."""
    known = NAMED.get(colour, colour)
    return readable(known, DAY) if len(known) == 7 and known.startswith("#") else ""


