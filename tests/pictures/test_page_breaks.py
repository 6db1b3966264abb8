"""On paper nothing stands alone: headings and what leads to a list stay with what they lead to, pictures and tables are not torn."""

from __future__ import annotations

import pytest

from ichiba.interpreter.api import load, rulesets
from ichiba.interpreter.run.game import Game
from ichiba.table.rulebook.blocks import Heading, Paragraph, Picture, Rows
from ichiba.table.rulebook.book import Book
from ichiba.table.rulebook.printing.to_pdf import pages
from ichiba.table.scene.spelling import words_of
from tests.pictures.test_book_reads_well import whole

BOOKS = {name: whole(name) for name in sorted(rulesets())}
BOOKS |= {f"{name}, {seats} seats": load(name, seats) for name, seats in (("tokyo_tsukiji_market", 2), ("tokyo_tsukiji_market", 6), ("shinjuku", 4))}
LONGEST = 24  # rows of a table that is kept together


@pytest.mark.parametrize("name", BOOKS)
def test_nothing_stands_alone_at_the_end_of_a_page(name: str) -> None:
    game: Game = BOOKS[name]
    book = Book(game)
    blocks = book.blocks()
    at = pages(book.title, blocks, game.lang)
    assert sorted(at) == list(range(len(blocks)))
    for number, block in enumerate(blocks):
        following = at.get(number + 1, at[number])
        match block:
            case Heading(words=words):
                assert at[number][0] == following[0], f"the heading {words!r} stands alone at the end of page {at[number][0]}"
            case Paragraph(words=words) if words_of(words).endswith(":"):
                assert at[number][1] == following[0], f"{words_of(words)!r} leads to nothing on page {at[number][1]}"
            case Picture(title=title):
                assert at[number][0] == at[number][1], f"the picture of {title} is torn"
            case Rows(heads=heads, rows=rows) if len(rows) <= LONGEST:
                assert at[number][0] == at[number][1], f"the table {heads} is torn"
            case _:
                pass
