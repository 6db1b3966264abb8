"""The rulebook as one page of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import assert_never

from ichiba.table.html.cells import inked
from ichiba.table.html.page import page
from ichiba.table.markup.elements import Element, element
from ichiba.table.rulebook.blocks import Block, Heading, Item, Listing, Paragraph, Picture, Rows, Written
from ichiba.table.scene.frame import Frame
from ichiba.table.svg.drawing import picture
from ichiba.table.svg.measure import kept


def rulebook_page(title: str, blocks: Sequence[Block], lang: str) -> Element:
    """The whole page, with its contents before the first chapter."""
    first = next((at for at, block in enumerate(blocks) if isinstance(block, Heading) and block.level == 2), len(blocks))
    frame = Frame(lang)
    block = partial(_block, frame=frame)
    body = [*map(block, blocks[:first]), _contents(blocks, frame), *map(block, blocks[first:])]
    return page(title, element("a", frame("Skip to the rules"), class_="skip", href="#rules"), element("main", *body, id="rules"), lang=lang)


def _contents(blocks: Sequence[Block], frame: Frame) -> Element:
    chapters = [block for block in blocks if isinstance(block, Heading) and block.level == 2]
    listed = (element("li", element("a", block.words, href=f"#{block.anchor}")) for block in chapters)
    return element("nav", element("h2", frame("Contents"), id="contents"), element("ul", *listed), aria_labelledby="contents")


def _block(block: Block, frame: Frame) -> Element:
    match block:
        case Heading(level=level, words=words, anchor=anchor, mark=mark):
            return element(f"h{level}", words, element("span", f" [{mark}]", class_="soft small") if mark else None, id=anchor)
        case Paragraph(words=words, quiet=quiet):
            return element("p", *inked(kept(words)), class_="soft" if quiet else None)
        case Listing(items=items):
            return _list(items)
        case Rows():
            return _table(block, frame)
        case Picture(panel=panel, title=title, large=large):
            return element("figure", picture(panel, title, styled=False), class_="large" if large else None)
        case Written(text=text):
            return element("pre", element("code", text))
        case _:
            assert_never(block)


def _list(items: Sequence[Item]) -> Element:
    return element("ul", *(element("li", *inked(kept(item.words)), _list(item.more) if item.more else None) for item in items))


def _table(block: Rows, frame: Frame) -> Element:
    """With a frame of its own that can be scrolled, also by keyboard, where it is wider than a phone."""
    head = element("thead", element("tr", *(element("th", words, scope="col") if words else element("td") for words in block.heads)))
    rows = (element("tr", *(element("td", *inked(kept(cell))) for cell in row)) for row in block.rows)
    whole = element("table", element("caption", block.caption) if block.caption else None, head, element("tbody", *rows))
    return element("div", whole, class_="scroll", tabindex=0, role="region", aria_label=block.caption or frame("table"))
