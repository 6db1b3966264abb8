"""The engine against the reference interpreter: the same questions, state, views, logs and scores, all the way."""

from __future__ import annotations

import pytest

from ichiba.interpreter.api import rulesets
from tests.conftest import Tally
from tests.properties.tables import HEAVY, Setting, every, loaded, paired, plain, sampled
from tests.reference.lockstep import LockStep

QUICK = {"shinjuku": 12, "tokyo_tsukiji_market": 40}  # how many decisions a quick test plays of those that think long
EVERYTHING = 10**9


def lock_step(setting: Setting, seed: int, most: int, views_every: int, tally: Tally, player: str | None = None) -> None:
    steps = LockStep(loaded(setting), seed, player)
    decisions = steps.play(most, views_every)
    tally(games=1, decisions=decisions, views=steps.views)


@every(sampled("reference"))
def test_the_engine_plays_as_the_rules_are_read(setting: Setting, tally: Tally) -> None:
    for seed in range(1 if setting.ruleset in HEAVY else 2):
        lock_step(setting, seed, QUICK.get(setting.ruleset, EVERYTHING), 3, tally)


@pytest.mark.soak
@every(plain())
def test_whole_games_are_played_as_the_rules_are_read(setting: Setting, tally: Tally) -> None:
    for seed in range(100, 102 if setting.ruleset in HEAVY else 145):
        lock_step(setting, seed, EVERYTHING, 10 if setting.ruleset in HEAVY else 1, tally)


@pytest.mark.soak
@every(paired())
def test_with_anything_switched_on_the_rules_are_read_as_they_are_played(setting: Setting, tally: Tally) -> None:
    for seed in range(200, 201 if setting.ruleset in HEAVY else 225):
        lock_step(setting, seed, 150 if setting.ruleset in HEAVY else EVERYTHING, 5, tally)


def fewest() -> list[Setting]:
    """Every ruleset for as few as can play."""
    return [next(setting for setting in plain() if setting.ruleset == ruleset) for ruleset in rulesets()]


@every(fewest())
def test_a_ruleset_s_own_policies_answer_as_they_are_read(setting: Setting, tally: Tally) -> None:
    """The same speaks for each answer; and games of people who mean to win come to other places than those by chance."""
    for player in loaded(setting).program.policies:
        lock_step(setting, 300, QUICK.get(setting.ruleset, EVERYTHING), 5, tally, player)


@pytest.mark.soak
@every([*plain(), *paired()])
def test_so_they_do_in_whole_games(setting: Setting, tally: Tally) -> None:
    for player in loaded(setting).program.policies:
        for seed in range(400, 401 if setting.ruleset in HEAVY else 410):
            lock_step(setting, seed, 100 if setting.ruleset in HEAVY else EVERYTHING, 10, tally, player)
