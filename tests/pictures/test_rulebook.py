"""The rulebook says everything that a player needs, in the author's sentences, and nothing twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ichiba.dsl.syntax import tree as t
from ichiba.interpreter.api import load
from ichiba.table.markup.writing import html
from ichiba.table.rulebook.blocks import Block, Heading, Item, Listing, Paragraph, Picture, Rows, Written
from ichiba.table.rulebook.book import Book
from ichiba.table.rulebook.printing.to_html import rulebook_page
from ichiba.table.rulebook.printing.to_pdf import pdf
from ichiba.table.scene.spelling import ink, words_of
from tests.pictures.pinned import LARGEST, TABLES, game
from tests.pictures.test_escaped import HOSTILE, read
from tests.table.door import ichiba
from tests.table.orchard import write


def told(blocks: list[Block]) -> list[str]:
    """All words, line by line."""
    found: list[str] = []

    def items(listed: tuple[Item, ...], depth: int) -> None:
        for item in listed:
            found.append("  " * depth + "- " + words_of(item.words))
            items(item.more, depth + 1)

    for block in blocks:
        match block:
            case Heading(words=words, mark=mark):
                found.append(f"# {words}" + (f" [{mark}]" if mark else ""))
            case Paragraph(words=cell):
                found.append(words_of(cell))
            case Listing(items=listed):
                items(listed, 0)
            case Rows(heads=heads, rows=rows):
                found += [" | ".join(heads), *(" | ".join(map(words_of, row)) for row in rows)]
            case Picture(title=title):
                found.append(f"picture of {title}")
            case Written(text=text):
                found.append(text)
    return found


def book_of(name: str, seats: int | None = None, modules: tuple[str, ...] = ()) -> list[str]:
    return told(Book(game(name, seats, modules)).blocks())


@pytest.mark.parametrize("name", TABLES)
def test_every_game_has_a_rulebook_with_all_chapters_and_sound_links(name: str) -> None:
    book = Book(game(name))
    blocks = book.blocks()
    chapters = [block.words for block in blocks if isinstance(block, Heading) and block.level == 2]
    assert {"Play", "End and scoring"} <= set(chapters)
    page = read(html(rulebook_page(book.title, blocks, "en")))
    places = [value for name, value in page.attributes if name == "id"]
    links = [value for name, value in page.attributes if name == "href"]
    assert len(set(places)) == len(places)
    assert {str(link).removeprefix("#") for link in links} <= set(places) and all(str(link).startswith("#") for link in links)


def idle(book: Book, item: object) -> bool:
    return isinstance(item, t.Procedure) and all(map(book.course.idle, item.body.body))


@pytest.mark.parametrize("name", ["tokyo_tsukiji_market", "shinjuku", "tsukiji", "morning_clock"])
def test_every_sentence_of_a_rule_is_in_the_rulebook(name: str) -> None:
    """That of the rules, or what the texts have in its place; but for what does nothing and is there for others."""
    book = Book(game(name, None, ("expansion",) if name == LARGEST[0] else ()))
    words = " ".join(" ".join(told(book.blocks())).split()).lower()
    groups = [*book.rules.moments.values(), *book.rules.menus.values(), book.rules.triggers, [*book.rules.procedures.values()]]
    rules = [own for group in groups for own in group]
    found = [words_of(book.options.sentence(own)) for own in rules if not idle(book, own.item)]
    missing = [said for said in found if "{" not in said and said.lower().rstrip(".") not in words]
    assert len(found) > 10 and missing == []


def test_every_option_of_the_largest_game_is_in_its_rulebook_with_what_keeps_it_back() -> None:
    lines = book_of(*LARGEST)
    licence = next(line for line in lines if line.strip().startswith("- Buy a licence of this board"))
    assert "Costs this board's licence price." in licence
    assert "all 4 licence spaces are taken" in licence
    eel = next(line for line in lines if "Sell n eel for" in line)
    assert "it falls by 2 for each token" in eel and "rented" not in eel  # what is required of boats is not told of fish


def test_what_a_module_brings_or_replaces_says_so() -> None:
    lines = book_of(*LARGEST)
    assert any(line.startswith("The Mackerel market.") and line.endswith(" [Expansion, in place of the game's own]") for line in lines)
    assert "# Himono [Expansion]" in lines
    assert not any("Expansion" in line for line in book_of("tokyo_tsukiji_market", 4) if not line.startswith("There are more"))


def test_a_cost_with_a_name_of_its_own_is_told() -> None:
    assert any("Open a store" in line and "a card of that ward" in line and "any three cards" in line for line in book_of("shinjuku", 3))


def test_labels_and_reasons_are_told_in_the_language_that_is_asked_for() -> None:
    spanish = load("tokyo_tsukiji_market", 4, lang="es")
    lines = told(Book(spanish).blocks())
    assert any("Comprar una licencia" in line or "Compra" in line for line in lines)


# ------------------------------------------------------------------------------------------------- what others write


HOSTILE_BLOCKS = [
    block for words in HOSTILE for block in (
        Heading(3, words, "x", words), Paragraph(ink(words, "bold")), Listing((Item(ink(words, words), (Item(ink(words)),)),)),
        Rows((words, ""), ((ink(words), ink(words)),), words), Written(words),
    )
]  # fmt: skip


def test_words_stay_words_in_a_rulebook() -> None:
    plain: list[Block] = [Heading(3, "x", "x", "x"), Paragraph(ink("x", "bold"))]
    plain += [Listing((Item(ink("x"), (Item(ink("x")),)),)), Rows(("x", ""), ((ink("x"),),), "x"), Written("x")]
    found = read(html(rulebook_page(HOSTILE[0], HOSTILE_BLOCKS, "en")))
    known = read(html(rulebook_page("x", plain, "en")))
    assert set(found.tags) == set(known.tags)
    assert {name for name, _ in found.attributes} == {name for name, _ in known.attributes}


def test_words_stay_words_on_paper() -> None:
    """Each is set as it stands: were it read as the typesetter's language, it would fail or vanish."""
    assert pdf(HOSTILE[0], HOSTILE_BLOCKS, "en").startswith(b"%PDF-")


def test_a_book_on_paper_is_made_of_the_same_blocks(tmp_path: Path) -> None:
    said = ichiba("rulebook", "tsukiji", "--out", tmp_path / "rules.pdf")
    assert said.code == 0 and (tmp_path / "rules.pdf").read_bytes().startswith(b"%PDF-")


# ------------------------------------------------------------------------------------------------- the command


def test_nothing_is_written_over_without_force(tmp_path: Path) -> None:
    out = tmp_path / "rules.html"
    assert ichiba("rulebook", "no_thanks", "--out", out).code == 0
    before = out.read_bytes()
    said = ichiba("rulebook", "no_thanks", "--out", out)
    assert (said.code, said.err) == (2, f"ichiba rulebook: {out} would be written over; `--force` does that\n")
    assert ichiba("rulebook", "no_thanks", "--out", out, "--force").code == 0 and out.read_bytes() == before


def test_what_cannot_be_written_is_refused_in_one_sentence(tmp_path: Path) -> None:
    assert ichiba("rulebook", "no_thanks", "--out", tmp_path / "x.doc").err.endswith("a rulebook is written as .html or .pdf\n")
    missing = ichiba("rulebook", "tsukiji", "--lang", "fi", "--out", tmp_path / "x.html")
    assert missing.err == "ichiba rulebook: tsukiji has no texts in `fi`; there are: en, es, nl\n"
    (tmp_path / "folder.html").mkdir()
    assert "folder.html" in ichiba("rulebook", "no_thanks", "--out", tmp_path / "folder.html", "--force").err
    assert list(tmp_path.iterdir()) == [tmp_path / "folder.html"]


def test_a_stranger_s_rulebook_is_one_page_that_asks_for_nothing(tmp_path: Path) -> None:
    folder = write(tmp_path)
    said = ichiba("rulebook", folder, "--out", tmp_path / "rules.html")
    assert said.code == 0, said.err
    text = (tmp_path / "rules.html").read_text(encoding="utf-8")
    assert "Every stall gets one fruit." in text and "Buy at a stall, or go home?" in text
    assert not re.search(r"(src|href)=\"(?!#)|url\(|@import|<script", text)


def test_a_board_lists_only_the_pieces_that_are_made_for_it() -> None:
    """Jack Mackerel looks like Mackerel; its tokens lie on its own board all the same."""
    [mackerel] = [card for card in Book(game(*LARGEST)).gallery.cards() if card.name == "mackerel"]
    assert [words_of(fact.cell) for fact in mackerel.pieces if fact.label == "token"] == ["鯖 Mackerel × 30"]


def test_a_rule_for_a_moment_that_only_another_module_brings_is_not_told() -> None:
    lines = told(Book(game("shinjuku", None, ("kaiju",))).blocks())
    assert not any("eunite" in line or "REUNITE" in line for line in lines) and any("REUNITE" in line for line in told(
        Book(game("shinjuku", None, ("hachiko", "kaiju"))).blocks()
    ))


def test_what_two_modules_add_to_one_value_is_told_of_both() -> None:
    lines = told(Book(game("shinjuku", None, ("kaicho", "princess"))).blocks())
    assert [line.partition(": ")[2].partition(" serve")[0] for line in lines if line.startswith("- Cards that are wild")] == [
        "Cards of the Princess's ward", "Cards of your Kaicho's ward",
    ]


def test_what_a_module_replaces_is_told_also_where_the_module_that_has_it_comes_later() -> None:
    lines = told(Book(game("shinjuku", None, ("kaiju", "hachiko"))).blocks())
    assert any(line.startswith("- The way home: Nobody brings Hachiko home through the ward in which the Kaiju is.") for line in lines)


def test_what_no_rule_names_is_in_the_box_too() -> None:
    """For each player, of several sorts, of a board that is there; by its name, also where there are several."""
    lines = book_of(*LARGEST)
    assert "4 | harbor boards | 1 for each player" in lines
    assert "8 | Port coverings | for the central Port, for the right Port: 1 of each for each player" in lines
    assert "60 | yen tokens | ¥100 × 35, ¥500 × 10, ¥1,000 × 15" in lines
    assert "1 | bag | " in lines and "1 | eel marker | " in lines and "1 | swordfish marker | " in lines
    assert not any("swordfish marker" in line or "crash token" in line for line in book_of("tokyo_tsukiji_market", 4))
    assert "5 | price tiles | " in book_of("tsukiji", 4) and "3 | price tiles | " in book_of("tsukiji", 2)


def test_several_of_a_kind_are_called_as_the_language_calls_several() -> None:
    lines = told(Book(load("tokyo_tsukiji_market", 4, lang="es")).blocks())
    assert [line.split(" | ")[1] for line in lines if line.startswith(("15 |", "33 |", "63 |", "9 |"))] == [
        "barcos", "licencias", "barriles", "mercados de pescado",
    ]


def test_a_plain_game_says_nothing_of_what_is_off() -> None:
    """Not even what its own rules have for it: a procedure that only modules perform, a menu that only they fill, what a board
    answers to a question that only they ask."""
    market, ward = "\n".join(book_of("tokyo_tsukiji_market", 4)).lower(), "\n".join(book_of("shinjuku", 3)).lower()
    for words in ("exhausted", "closed for good", "jack mackerel", "a new external market", "go together", "nobody holds more"):
        assert words not in market
    assert "kaiju" not in "\n".join(book_of("shinjuku", 3, ("princess",))).lower().partition("modules and variants")[0]
    assert "free action" not in ward and "modules bring" not in ward
    with_crashes = "\n".join(told(Book(load("tokyo_tsukiji_market", 4, variants=("crashing_markets",))).blocks()))
    assert "It is exhausted when every tank is full" in with_crashes and "A new External Market." in with_crashes
    assert "Influence" not in with_crashes and "Sushi" not in with_crashes


def test_a_table_that_is_asked_with_names_shows_them() -> None:
    lines = book_of("lantern_coast", 2)
    assert any(line.startswith("peat | 6 sh | 5 sh") for line in lines)


def test_a_word_of_a_choice_is_called_otherwise_than_the_piece_of_that_name() -> None:
    lines = told(Book(load("tokyo_tsukiji_market", 4, modules=("expansion",), lang="es")).blocks())
    assert any(line.endswith("| Una de seis huecos") for line in lines)
    assert any("barco de cuatro huecos × 1" in line for line in lines)


def test_a_number_that_is_another_each_time_is_left_open() -> None:
    assert any("only … takoyaki are left" in line for line in book_of(*LARGEST))


def test_a_folder_is_no_file_to_write_a_book_to(tmp_path: Path) -> None:
    """With `--force` it is none either."""
    out = tmp_path / "rules.html"
    out.mkdir()
    for force in ((), ("--force",)):
        refused = ichiba("rulebook", "tsukiji", "--out", out, *force)
        assert refused.err.splitlines() == [f"ichiba rulebook: {out} is a folder"] and list(out.iterdir()) == []
