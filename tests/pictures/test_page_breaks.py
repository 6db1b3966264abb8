"""On paper nothing stands alone: headings and what leads to a list stay with what they lead to, pictures and tables are not torn,
and no last page has no more than a heading and a line or two."""

from __future__ import annotations

import pytest

from ichiba.dsl.program.texts import languages
from ichiba.interpreter.api import load, rulesets
from ichiba.interpreter.run.game import Game
from ichiba.table.rulebook.blocks import Heading, Paragraph, Picture, Rows
from ichiba.table.rulebook.book import Book
from ichiba.table.rulebook.printing.to_pdf import LEAST_FILLED, ends, pages
from ichiba.table.scene.spelling import words_of
from ichiba.table.svg.drawing import Panel
from tests.pictures.test_book_reads_well import whole

BOOKS = {name: whole(name) for name in sorted(rulesets())}
BOOKS |= {f"{name}, {seats} seats": load(name, seats) for name, seats in (("tokyo_tsukiji_market", 2), ("tokyo_tsukiji_market", 6), ("shinjuku", 4))}
BOOKS |= {
    f"{name} in {lang}": load(name, None, lang=lang)
    for name in sorted(rulesets()) for lang in languages(rulesets()[name]) if lang != "en"
}  # fmt: skip
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


@pytest.mark.parametrize("name", BOOKS)
def test_the_last_page_is_worth_turning_to(name: str) -> None:
    game: Game = BOOKS[name]
    book = Book(game)
    page, down = ends(book.title, book.blocks(), game.lang)
    assert page == 1 or down >= LEAST_FILLED, f"page {page} ends {down:.0%} down"


def test_a_book_that_no_size_of_letters_suits_is_set_all_the_same() -> None:
    """A low picture behind a high one has a page of its own, however large the letters are."""
    high, low = Picture(Panel(480, 560, ()), "a tower", large=True), Picture(Panel(480, 160, ()), "a wall", large=True)
    page, down = ends("A book", [Heading(1, "A book", "top"), high, low], "en")
    assert page == 2 and down < LEAST_FILLED
