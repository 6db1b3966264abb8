"""No rulebook has a sentence that came out of the machine badly: two articles, a name of the rules, braces, a chain of owners."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ichiba.dsl.syntax.tree import Procedure, Rule
from ichiba.interpreter.api import load, rulesets
from ichiba.interpreter.run.game import Game
from ichiba.table.rulebook.asking import MOMENTS
from ichiba.table.rulebook.blocks import Block, Heading, Paragraph, Rows, Written, sentence
from ichiba.table.rulebook.book import Book
from ichiba.table.templates.starters import STARTERS
from tests.pictures.pinned import game
from tests.pictures.test_rulebook import told
from tests.table.orchard import write

LONG = 100
BAD = {
    "two articles": re.compile(r"\b(the|a|an|this|your|its) (the|a|an|this|your|its) ", re.IGNORECASE),
    "braces": re.compile(r"[{}]"),
    "a name of the rules": re.compile(r"[a-z0-9]_[a-z0-9]"),
    "a chain of owners": re.compile(r"'s \w+'s \w+'s "),
    "nothing in its place": re.compile(r"\bNone\b|[^|] {2}[^|]| \.|\.\.(?!\.)|: [.;]|\( *\)"),
    "a word twice": re.compile(r"\b(is|not|of|in|from|to|if) \1\b", re.IGNORECASE),
    "two stops": re.compile(r"[?!:;,]\.(?!\.)|\.[:;,](?!\.)"),
    "a letter for a name": re.compile(r"(?<![\w'’.{}=·] )(?<![\w'’.¥/-])[b-mo-wyz](?![\w'’./-])"),
    "a part of the rules for a thing": re.compile(r"\b(is in the markets|is a board|the paper|'s \w+ is (not )?empty|Asked is)\b"),
    "a phrase of the rules": re.compile(r"\b(count of|my\.[a-z]|board\.[a-z]|is not none|there is no the)"),
}


def badly_said(blocks: list[Block], lang: str = "en") -> Iterator[str]:
    """But for rules as they are written, and for sources, which call things as others do."""
    sources = [at for at, block in enumerate(blocks) if isinstance(block, Heading) and block.anchor == "sources"]
    for line in told([block for block in blocks[: sources[0] if sources else None] if not isinstance(block, Written)]):
        for what, pattern in BAD.items():
            if what == "a letter for a name" and lang != "en":
                continue  # other languages have more words of one letter
            if (found := pattern.search(line.lstrip(" -"))) is not None:
                yield f"{what}: {found[0]!r} in {line.strip()}"


def whole(name: str) -> Game:
    """With everything that can be switched on together."""
    modules = {"tokyo_tsukiji_market": ("expansion",), "shinjuku": ("art_collector", "hachiko", "kaicho", "kaiju", "princess", "thief")}
    return game(name, None, modules.get(name, ()))


def alone(blocks: list[Block]) -> Iterator[str]:
    """Headings with nothing below them."""
    for at, block in enumerate(blocks):
        following = blocks[at + 1] if at + 1 < len(blocks) else None
        if isinstance(block, Heading) and (following is None or isinstance(following, Heading) and following.level <= block.level):
            yield block.words


def twice(blocks: list[Block]) -> list[str]:
    """Whole sentences that stand in a book more than once, word by word; short ones may."""
    plain = told([block for block in blocks if not isinstance(block, Rows | Written)])
    lines = [line.strip(" -").partition(": ")[2] or line.strip(" -") for line in plain]
    return [line for line, count in Counter(lines).items() if count > 1 and len(line) > LONG]


def strays(book: Book) -> Iterator[str]:
    """Lines about a procedure that stand below the heading of another one that does not perform it."""
    names = {sentence(book.options.heading(name)): name for name in book.rules.procedures}
    above = ""
    for block in book.blocks():
        if isinstance(block, Heading):
            above = block.anchor.removeprefix("rule-") if block.anchor.startswith("rule-") else ""
        elif isinstance(block, Paragraph) and above and (name := names.get(block.words[0][0].strip())):
            rules = [own for moment in MOMENTS for own in book.rules.moments.get((moment, above), [])]
            bodies = [own.item.body for own in (book.rules.procedures[above], *rules) if isinstance(own.item, Procedure | Rule)]
            if not any(name in book.course.all_performed(body) for body in bodies):
                yield f"{name} below {above}"


@pytest.mark.parametrize("name", sorted(rulesets()))
def test_nothing_stands_below_a_heading_that_it_has_nothing_to_do_with(name: str) -> None:
    assert [*strays(Book(whole(name))), *strays(Book(game(name)))] == []


def test_a_number_of_cards_of_several_sorts_says_that_it_is_of_each() -> None:
    lines = told(Book(game("tsukiji")).blocks())
    assert "product | 9 of each | 12 of each | 15 of each" in lines and "takusan | 4 | 6 | 7" in lines


@pytest.mark.parametrize("name", sorted(rulesets()))
def test_every_heading_of_ours_has_something_to_say_and_nothing_is_said_twice(name: str) -> None:
    for of in (whole(name), game(name)):
        blocks = Book(of).blocks()
        assert list(alone(blocks)) == [] and twice(blocks) == []


def test_a_variant_without_words_still_has_something_below_its_heading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    folder = write(tmp_path)
    (folder / "variants").mkdir(exist_ok=True)
    (folder / "variants" / "short.yaml").write_text("variant: short\ntitle: {en: Short}\nrules: |\n  change rounds to 2\n", encoding="utf-8")
    blocks = Book(load(folder, variants=("short",))).blocks()
    assert any(isinstance(block, Heading) and block.words == "Short" for block in blocks) and list(alone(blocks)) == []


@pytest.mark.parametrize("name", sorted(rulesets()))
def test_every_rulebook_of_ours_reads_well_and_leaves_nothing_unsaid(name: str) -> None:
    book = Book(whole(name))
    assert list(badly_said(book.blocks())) == []
    assert book.notes() == []


@pytest.mark.parametrize("name", ["tokyo_tsukiji_market", "shinjuku"])
def test_so_does_the_plain_game(name: str) -> None:
    assert list(badly_said(Book(game(name)).blocks())) == []


@pytest.mark.parametrize("lang", ["es", "nl", "ja"])
def test_a_rulebook_in_another_language_has_no_name_of_the_rules(lang: str) -> None:
    books = [Book(load(name, None, lang=lang)) for name in ("tsukiji",)]
    assert [line for book in books for line in badly_said(book.blocks(), lang)] == []


@pytest.mark.parametrize("name", sorted(STARTERS))
def test_what_a_template_writes_reads_well(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.table.door import ichiba

    monkeypatch.setenv("ICHIBA_TRUST", "1")
    monkeypatch.chdir(tmp_path)
    assert ichiba("new", "game", "mine", f"--{name}").code == 0
    assert list(badly_said(Book(load(tmp_path / "mine")).blocks())) == []


def test_a_strangers_rulebook_reads_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    assert list(badly_said(Book(load(write(tmp_path))).blocks())) == []
