"""A piece of the shelf with wrong words, or with its words swapped: what is wrong is told in the author's file, never in the library's.

Every `use` of the pages in `docs/shelf/` is spoilt in every way: each of its parameters stands for what is not there, for what is
of another sort, or for what another one stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

import ichiba
from tests.depth import AFew
from tests.games.test_shelf import BLOCK, PAGES

USE = re.compile(r"^  use (?P<piece>\w+\.\w+)\((?P<given>[^()]*)\)", re.MULTILINE)
GIVEN = re.compile(r"(\w+): ([^,]+)")
WRONG = ("nowhere", "3 sheep", "true")  # not there, of no unit, no name
MAP = next(block for block in BLOCK.findall((PAGES / "networks.md").read_text(encoding="utf-8")) if block.startswith("map: "))


def pages() -> dict[str, str]:
    """Each game of the pages by its name."""
    blocks = (block for page in sorted(PAGES.glob("*.md")) for block in BLOCK.findall(page.read_text(encoding="utf-8")))
    return {block.split()[1]: block for block in blocks if block.startswith("game: ")}


def spoilt() -> Iterator[tuple[str, str, str, str]]:
    """A game, a piece, what is done to it, and the text."""
    for game, text in pages().items():
        for use in USE.finditer(text):
            words = dict(GIVEN.findall(use["given"]))
            for name in words:
                for wrong in WRONG:
                    yield game, use["piece"], f"{name}: {wrong}", with_words(text, use, {**words, name: wrong})
            for one, other in combinations(words, 2):
                if words[one] != words[other]:
                    swapped = {**words, one: words[other], other: words[one]}
                    yield game, use["piece"], f"{one} and {other} swapped", with_words(text, use, swapped)


def with_words(text: str, use: re.Match[str], words: dict[str, str]) -> str:
    given = ", ".join(f"{name}: {word}" for name, word in words.items())
    return text[: use.start("given")] + given + text[use.end("given") :]


def said_of(text: str, folder: Path) -> ichiba.RulesetFaults | None:
    (folder / "game.yaml").write_text(text.replace("maps/land.yaml", "land.yaml"), encoding="utf-8")
    (folder / "land.yaml").write_text(MAP, encoding="utf-8")
    try:
        ichiba.load(folder, trust=True)
    except ichiba.RulesetFaults as faults:
        return faults
    return None


def test_what_is_wrong_with_a_piece_is_told_where_it_is_used(tmp_path: Path, a_few: AFew) -> None:
    """A swap of two of one sort may be as good as what was there; whatever is wrong has its place in the author's file."""
    for number, (game, piece, how, text) in enumerate(a_few(list(spoilt()), 90)):
        folder = tmp_path / str(number) / game
        folder.mkdir(parents=True)
        faults = said_of(text, folder)
        assert faults is not None or how.endswith("swapped"), f"{piece} with {how}"
        for fault in faults.faults if faults is not None else ():
            assert fault.span is not None and fault.span.source.path == f"{game}/game.yaml", f"{piece} with {how}: {fault}"


@pytest.mark.soak
def test_so_it_is_in_every_way(tmp_path: Path) -> None:
    test_what_is_wrong_with_a_piece_is_told_where_it_is_used(tmp_path, lambda all_, some: all_)
