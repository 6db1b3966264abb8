"""Small rulesets made by chance, in lock-step: what `check` passes is played as it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from ichiba.interpreter.runtime.runtime import RuleFault
from tests.conftest import Tally
from tests.reference.generated import made
from tests.reference.lockstep import LockStep


def load(seed: int, folder: Path) -> ichiba.Game:
    ruleset = made(seed)
    for path, text in ruleset.files.items():
        (folder / "made" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "made" / path).write_text(text, encoding="utf-8")
    return ichiba.load(folder / "made", seats=2 + seed % 2, trust=True, modules=ruleset.modules, variants=ruleset.variants)


def played(seed: int, folder: Path, tally: Tally) -> None:
    """Two games of it, unless there is something wrong with it. What is a fault in play is one for both."""
    try:
        game = load(seed, folder)
    except ichiba.RulesetFaults:
        tally(refused=1)
        return
    for number in range(2):
        try:
            steps = LockStep(game, number)
            tally(games=1, decisions=steps.play(40, 4))
        except RuleFault:
            tally(games=1, broken_off=1)
    tally(rulesets=1)


@pytest.mark.parametrize("seed", range(24))
def test_a_ruleset_made_by_chance_is_played_as_it_is_read(seed: int, tmp_path: Path, tally: Tally) -> None:
    played(seed, tmp_path, tally)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(24, 330))
def test_many_rulesets_made_by_chance_are_played_as_they_are_read(seed: int, tmp_path: Path, tally: Tally) -> None:
    played(seed, tmp_path, tally)


@pytest.mark.parametrize("seed", range(0, 300, 60))
def test_it_is_the_same_ruleset_every_time(seed: int) -> None:
    assert made(seed) == made(seed) != made(seed + 1)
