"""Games that were written down under version 1 of the language are played today as they were then."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import ichiba
from ichiba.table.upgrading import upgrade, write
from tests.conftest import Tally
from tests.properties.tables import HEAVY
from tests.recorded.recording import Recorded, games, played_again, texts, unpacked

OF_GENERATED = 25  # every so many of them in a quick run
# What no program can know: `barge is barge`, of a name of that rule, could ask for its kind or compare it with itself.
BY_HAND = {
    "{barge}": "{target}", "barge in my.sea where barge is barge": "target in my.sea where target is barge", "barge.hold": "target.hold",
    "barge.slots": "target.slots", "may_load(barge)": "may_load(target)", "ship, barge:": "ship, target:",
}  # fmt: skip


@cache
def by_ruleset() -> dict[str, list[Recorded]]:
    found: dict[str, list[Recorded]] = {}
    for one in games():
        found.setdefault(one.folder, []).append(one)
    return found


files = cache(texts)
OWN = sorted(folder for folder in by_ruleset() if folder.startswith("rulesets/"))
MADE = sorted((folder for folder in by_ruleset() if folder.startswith("generated/")), key=lambda folder: int(folder.split("/")[1]))


def prepare(folder: Path) -> None:
    """What its author is told to write otherwise."""
    for path in (folder / "turn.rules", *(folder / "texts").glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        for old, new in BY_HAND.items():
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")


def again(of: list[Recorded], into: Path, tally: Tally) -> None:
    """From the texts of then, brought to version 2."""
    folder = unpacked(of[0].folder, files(), into)
    if folder.name == "tokyo_tsukiji_market":
        assert [fault.code for fault in upgrade(folder).faults] == ["E319"]
        prepare(folder)
    outcome = upgrade(folder)
    assert not outcome.faults and outcome.changed
    write(outcome)
    assert not upgrade(folder).changed
    for one in of:
        game = ichiba.load(
            folder, seats=one.seats, modules=one.modules, variants=one.variants, options=dict(one.options), trust=True
        )
        played_again(game, one)
        tally(games=1, answers=len(one.answers))


@pytest.mark.parametrize("folder", OWN)
def test_a_game_of_ours_is_played_as_it_was(folder: str, tally: Tally) -> None:
    """From the texts of today."""
    name = folder.split("/")[-1]
    of = by_ruleset()[folder]
    for one in of[: 2 if name in HEAVY else 4]:
        game = ichiba.load(name, seats=one.seats, modules=one.modules, variants=one.variants, options=dict(one.options))
        played_again(game, one)
        tally(games=1, answers=len(one.answers))


@pytest.mark.parametrize("folder", MADE[::OF_GENERATED])
def test_a_game_made_by_chance_is_played_as_it_was(folder: str, tmp_path: Path, tally: Tally) -> None:
    again(by_ruleset()[folder], tmp_path, tally)


@pytest.mark.soak
@pytest.mark.parametrize("folder", OWN)
def test_all_games_of_ours_are_played_as_they_were_from_the_texts_of_then(folder: str, tmp_path: Path, tally: Tally) -> None:
    again(by_ruleset()[folder], tmp_path, tally)


@pytest.mark.soak
@pytest.mark.parametrize("folder", MADE)
def test_each_game_made_by_chance_is_played_as_it_was(folder: str, tmp_path: Path, tally: Tally) -> None:
    again(by_ruleset()[folder], tmp_path, tally)
