"""Warnings for counters that every round raises beyond their range, and for titles that are missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.dsl.world.world import Config
from tests.validator.small import judged

PLAY = """
add to table:
    counter days: 0 .. 10{words}
add to seat:
    counter steps: 0 .. 10{words}

play:
    {play}

procedure turns:
    take one turn each from seat(1): turn
"""
LOOP = "repeat 100 times:\n        {loop}"


def told(folder: Path, play: str, words: str = "") -> list[str]:
    small = judged(folder, PLAY.format(play=play, words=words))
    assert not any(fault.severity == "error" for fault in small.faults), small.text
    return [fault.message for fault in small.faults if fault.code == "W614"]


def test_a_counter_that_every_round_raises_needs_the_room(tmp_path: Path) -> None:
    said = judged(tmp_path, PLAY.format(play=LOOP.format(loop="raise days by 1\n        turns"), words="")).text
    assert said == """\
warning[W614]: `days` can be raised by 100 in all, but has room for 10
  ┌─ small/play.rules:9:9
 9│         raise days by 1
  │         ^^^^^^^^^^^^^^^ give it a higher end, or say that it `stops at the ends`
  ┌─ small/play.rules:3:13
 3│     counter days: 0 .. 10
  │             ---- declared here

1 warning"""


@pytest.mark.parametrize(
    ("play", "said"),
    [
        ("repeat 10 times:\n        raise days by 1\n        turns", None),
        ("repeat 10 times:\n        raise days by 2\n        turns", "`days` can be raised by 20 in all, but has room for 10"),
        ("take turns from seat(1) until heap is not empty, at most 100 times: day", "`days` can be raised by 100 in all, but has room for 10"),
        ("take turns from seat(1) until days = 10, at most 100 times: day", None),
        ("take turns from seat(1) until late, at most 100 times: day", None),
        ("take turns from seat(1) until heap is not empty, at most 100 times: walk", "`steps` can be raised by 50 in all, but has room for 10"),
        ("take turns from seat(1) until heap is not empty, at most 20 times: walk", None),
        ("repeat 11 times:\n        take one turn each from seat(1): walk", "`steps` can be raised by 11 in all, but has room for 10"),
        ("repeat 10 times:\n        take one turn each from seat(1): walk", None),
        ("repeat 100 times:\n        if heap is empty: raise days by 1\n        turns", None),
        ("repeat 100 times:\n        raise days by 1\n        if days = 10: set days to 0\n        turns", None),
    ],
)
def test_only_what_happens_without_a_condition_counts(play: str, said: str | None, tmp_path: Path) -> None:
    more = "\n\nprocedure day:\n    raise days by 1\n    turn\n\nprocedure walk:\n    raise my.steps by 1\n    turn\n\nvalue late: days > 9\n"
    assert told(tmp_path, play + more) == ([said] if said else [])


def test_a_counter_that_stops_at_its_ends_is_left_alone(tmp_path: Path) -> None:
    assert told(tmp_path, LOOP.format(loop="raise days by 1\n        turns"), ", stops at the ends") == []


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ("# game.yaml\ntitle: {nl: Klein, ja: 小}", "the title of the game says nothing in `en`"),
        ("# game.yaml\nendings: {rich: {nl: Rijk}}", "the title of the ending `rich` says nothing in `en`"),
        ("# variants/quick.yaml\nvariant: quick", "the variant `quick` has no `title`"),
        ("# variants/quick.yaml\nvariant: quick\ntitle: {nl: Snel}", "the title of the variant `quick` says nothing in `en`"),
        ("# variants/quick.yaml\nvariant: quick\ntitle: Quick", None),
    ],
)
def test_a_title_that_is_missing_is_told(files: str, said: str | None, tmp_path: Path) -> None:
    config = Config(2, variants=("quick",) if "variants" in files else ())
    small = judged(tmp_path, files + "\n", config)
    assert [fault.message for fault in small.faults if fault.code == "W613"] == ([said] if said else [])


def test_a_game_without_a_title_is_told(tmp_path: Path) -> None:
    small = judged(tmp_path, "# game.yaml\ntitle: {}\n")
    assert [fault.code for fault in small.faults] == ["W613"] and "the game has no `title`" in small.text
