"""`ichiba fmt --upgrade`: a whole ruleset, or nothing of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.dsl.files import writing
from tests.table.door import Said, ichiba

GAME = "game: mine\nlanguage: 1\nseats: 2\nthings: {stall: {number: 3}}\n"
RULES = """\
kind stall is thing:
    counter visits: 0 .. 9

table:
    counter round: 0 .. 9

play:
    as seat(1): turn

phase turn:
    raise round by number of stall(2)  # two

scoring:
    score for each seat: score "Rounds" round

ranking: highest total else shared
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "game.yaml").write_text(GAME)
    (folder / "mine.rules").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    return folder


def test_a_ruleset_is_upgraded_as_a_whole_and_once(mine: Path) -> None:
    said = ichiba("fmt", "--upgrade", "mine")
    assert said == Said(0, "mine/game.yaml\nmine/mine.rules\nmine is of version 2 now: 2 of 2 files are written anew\n", "")
    assert (mine / "game.yaml").read_text() == GAME.replace("language: 1", "language: 2").replace("number: 3", "count: 3")
    assert (mine / "mine.rules").read_text() == RULES.replace("phase turn", "procedure turn").replace("number of", "position of")
    assert ichiba("fmt", "--upgrade", "mine") == Said(0, "mine is of version 2 already\n", "")
    assert ichiba("check", "mine").code == 0


def test_check_and_diff_write_nothing(mine: Path) -> None:
    assert ichiba("fmt", "--upgrade", "mine", "--check") == Said(1, "mine/game.yaml\nmine/mine.rules\n", "")
    difference = ichiba("fmt", "--upgrade", "mine", "--diff").out
    assert "\n-phase turn:\n" in difference and "\n+procedure turn:\n" in difference
    assert (mine / "game.yaml").read_text() == GAME and (mine / "mine.rules").read_text() == RULES


def test_what_hangs_on_meaning_is_repaired_where_that_is_certain(mine: Path) -> None:
    old = RULES.replace("number of stall(2)", "(if stall(2) = stall(1) then number(stall(2)) else 2)")
    (mine / "mine.rules").write_text(old)
    scenario = "scenario: one\nthen: [number(seat(2)) = 2, seat(2) != seat(1)]\n"
    (mine / "scenarios").mkdir()
    (mine / "scenarios/one.scenario.yaml").write_text(scenario)
    assert ichiba("fmt", "--upgrade", "mine").code == 0
    now = old.replace("phase turn", "procedure turn").replace("stall(2) = ", "stall(2) is ").replace("number(stall(2))", "position of stall(2)")
    assert (mine / "mine.rules").read_text() == now
    assert (mine / "scenarios/one.scenario.yaml").read_text() == scenario.replace("number(seat(2))", "position of seat(2)").replace("!=", "is not")


def test_what_is_wrong_with_it_still_is_told_and_nothing_is_written(mine: Path) -> None:
    (mine / "mine.rules").write_text(RULES.replace("number of stall(2)", "number of stal(2)"))
    said = ichiba("fmt", "--upgrade", "mine")
    assert said.code == 1 and said.out == ""
    assert said.err == """\
error[E205]: nothing is called `stal`
  ┌─ mine/mine.rules:11:32
11│     raise round by position of stal(2)  # two
  │                                ^^^^

1 error
ichiba fmt: mine is left as it was
"""
    assert (mine / "game.yaml").read_text() == GAME


def test_when_one_file_cannot_be_written_none_is(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def overwrite(path: Path, content: bytes) -> None:
        if path.name == "mine.rules":
            raise PermissionError(13, "Permission denied", str(path))
        writing.overwrite(path, content)

    monkeypatch.setattr("ichiba.table.upgrading.overwrite", overwrite)
    said = ichiba("fmt", "--upgrade", "mine")
    assert said.code == 1 and said.err.startswith("ichiba fmt: mine is left as it was: ") and said.err.endswith("permission denied\n")
    assert (mine / "game.yaml").read_text() == GAME


def test_it_wants_a_ruleset(mine: Path) -> None:
    assert ichiba("fmt", "--upgrade", "-", "--as", "x.rules").code == 2
