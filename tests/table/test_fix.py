"""`ichiba check --fix` and `ichiba test --fix`: what is certain is written, all else is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.table import repairing
from tests.table.door import ichiba

GAME = """\
game: mine
language: 2
title: {en: Mine}
seats: 2
units: {coin: {write: "${}", one: "{} coin"}}
rules: |
  play:
      take one turn each from seat(1): turn
"""
RULES = """\
# who has taken
table:
    remember taker: seat or none

procedure turn:
    menu acts:
        option take "Take" when taker = none: set taker to me   # = me
        option pass "Pass": nothing
    if taker != me: nothing

scoring:
    score for each seat: score "Taken" (if taker = me then 1 else 0)
"""
SCENARIO = """\
scenario: the first one takes
when: [take]
then: [taker = seat(1)]
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "mine"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "game.yaml").write_text(GAME)
    (folder / "mine.rules").write_bytes(RULES.replace("\n", "\r\n").encode())
    (folder / "scenarios" / "taking.scenario.yaml").write_text(SCENARIO)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ICHIBA_TRUST", str(tmp_path))
    return folder


def test_what_is_certain_is_written_and_nothing_else_is_touched(game: Path) -> None:
    said = ichiba("check", "mine")
    assert said.code == 1 and "3 of them can be repaired for certain: `ichiba check --fix`" in said.out
    said = ichiba("check", "mine", "--fix")
    assert (said.code, said.err) == (0, "mine/mine.rules: 3 places repaired\n"), said
    wanted = RULES.replace("taker = none", "taker is none").replace("taker != me", "taker is not me").replace("if taker = me", "if taker is me")
    assert (game / "mine.rules").read_bytes() == wanted.replace("\n", "\r\n").encode()
    assert ichiba("check", "mine", "--fix").err == ""


def test_scenarios_are_repaired_likewise(game: Path) -> None:
    ichiba("check", "mine", "--fix")
    assert ichiba("test", "mine").code == 1
    said = ichiba("test", "mine", "--fix")
    assert (said.code, said.err) == (0, "mine/scenarios/taking.scenario.yaml: 1 place repaired\n"), said
    assert (game / "scenarios" / "taking.scenario.yaml").read_text() == SCENARIO.replace("taker = seat", "taker is seat")


def test_what_is_not_certain_is_told_and_left(game: Path) -> None:
    rules = "table:\n    remember taker: seat or none\n\nprocedure turn: set takr to me\n"
    (game / "mine.rules").write_text(rules)
    said = ichiba("check", "mine", "--fix")
    assert said.code == 1 and "did you mean `taker`?" in said.out and said.err == ""
    assert (game / "mine.rules").read_text() == rules


def test_what_cannot_be_written_is_told_in_a_sentence(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(repairing, "overwrite", full)
    said = ichiba("check", "mine", "--fix")
    assert (said.code, said.out, said.err) == (2, "", "ichiba: mine/mine.rules is left as it was: no space left on device\n")


def test_what_a_link_leads_to_is_left_alone(game: Path, tmp_path: Path) -> None:
    (game / "mine.rules").rename(tmp_path / "elsewhere.rules")
    (game / "mine.rules").symlink_to(tmp_path / "elsewhere.rules")
    before = (tmp_path / "elsewhere.rules").read_bytes()
    ichiba("check", "mine", "--fix")
    assert (tmp_path / "elsewhere.rules").read_bytes() == before
