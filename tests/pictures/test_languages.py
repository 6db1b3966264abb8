"""A rulebook is in one language: every sentence of it is there in each language that its ruleset speaks, or it says how many are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.interpreter.api import load, rulesets
from ichiba.table.rulebook.book import Book
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
