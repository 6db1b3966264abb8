"""A rulebook is in one language: every sentence of it is there in each language that its ruleset speaks, or it says how many are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.interpreter.api import load, rulesets
from ichiba.table.rulebook.book import Book
from ichiba.table.scene.spelling import words_of
from ichiba.table.svg.gallery import Gallery
from tests.pictures.test_book_reads_well import badly_said
from tests.pictures.test_rulebook import told
from tests.table.door import ichiba
from tests.table.orchard import write

MODULES = {"tokyo_tsukiji_market": ("expansion",), "shinjuku": ("art_collector", "hachiko", "kaicho", "kaiju", "princess", "thief")}
VARIANTS = {"tokyo_tsukiji_market": ("additional_markets", "crashing_markets", "open_knowledge")}
SPOKEN = [(name, path.stem) for name, folder in sorted(rulesets().items()) for path in sorted(folder.glob("texts/*.yaml")) if path.stem != "en"]


def variants(name: str) -> tuple[str, ...]:
    return VARIANTS.get(name, tuple(sorted(path.stem for path in rulesets()[name].glob("variants/*.yaml"))))


@pytest.mark.parametrize(("name", "lang"), SPOKEN)
def test_a_book_is_in_one_language_with_everything_that_can_be_switched_on(name: str, lang: str) -> None:
    book = Book(load(name, None, modules=MODULES.get(name, ()), variants=variants(name), lang=lang))
    blocks = book.blocks()
    assert book.notes() == [] and book.options.foreign == set() and len(book.options.said) > 10
    assert list(badly_said(blocks, lang)) == []


def test_a_book_says_how_much_of_it_is_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    folder = write(tmp_path / "game")
    (folder / "texts").mkdir(exist_ok=True)
    (folder / "texts" / "es.yaml").write_text("title: Huerto\n", encoding="utf-8")
    book = Book(load(folder, lang="es"))
    book.blocks()
    missing, whole = len(book.options.foreign), len(book.options.said)
    assert missing == whole > 0
    note = f"ichiba rulebook: {missing} of the {whole} sentences of this book are not there in `es`; they are in English\n"
    assert note in ichiba("rulebook", folder, "--lang", "es", "--out", tmp_path / "x.html").err


def test_a_reason_is_told_in_the_language_of_the_table() -> None:
    lines = told(Book(load("tokyo_tsukiji_market", 4, lang="es")).blocks())
    assert any("No tienes pulpo" in line for line in lines) and not any("you have no octopus" in line for line in lines)


def test_lines_of_japanese_are_joined_without_a_space_and_end_with_its_full_stop() -> None:
    words = "\n".join(told(Book(load("shinjuku", lang="ja")).blocks()))
    assert "。 スタート" not in words and "手番ごと）." not in words and "ほかのプレイヤーは1手番ずつ行う。" in words


def test_what_a_board_costs_is_said_in_the_language_of_the_game() -> None:
    """On its card, too, and with words that agree with what they stand before."""
    spanish = load("tokyo_tsukiji_market", None, modules=("expansion",), lang="es")
    costs = {card.name: [words_of(cost.cell) for cost in card.costs] for card in Gallery(spanish).cards()}
    assert costs["octopus"] == ["1 PA o 1 takoyaki de tus fichas o 1 takoyaki de tu tablero de puerto", "¥300"]
    assert costs["sardines"][1] == "¥500 si el número de sus licencias es 2, si no ¥300"
    assert costs["bank"] == ["2 PA o ¥100"]


def test_an_option_for_all_boards_of_a_kind_has_its_label_in_the_language_of_the_game() -> None:
    """One of them has it in its file, and the texts name it by the kind."""
    said = "\n".join(told(Book(load("tokyo_tsukiji_market", None, lang="es")).blocks()))
    assert "Vender ficha por recompensa." in said and "Sell" not in said


@pytest.mark.parametrize(("name", "lang"), SPOKEN)
def test_numbers_and_tables_of_a_book_have_names_in_its_language(name: str, lang: str) -> None:
    of = load(name, None, modules=MODULES.get(name, ()), lang=lang)
    facts = [fact.name for fact in (*of.box.numbers, *of.box.tables)]
    assert [fact for fact in facts if not of.text(f"name.{fact}")] == []
