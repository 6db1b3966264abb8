"""The engine against the reference interpreter: the same questions, state, views, logs and scores, all the way."""

from __future__ import annotations

import pytest

from ichiba.dsl.parts import parts_of
from ichiba.interpreter.api import folder_of, rulesets
from tests.conftest import Tally
from tests.properties.tables import HEAVY, Setting, box_of, every, loaded, paired, plain, sampled, with_any_parts
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


def whole_games() -> list[tuple[Setting, range]]:
    """What `make soak` plays to the end: by their seeds."""
    ways = [(setting, range(100, 101 if setting.ruleset in HEAVY else 124)) for setting in with_any_parts()]
    return ways + [(setting, range(200, 201 if setting.ruleset in HEAVY else 212)) for setting in paired()]


@pytest.mark.soak
@pytest.mark.parametrize(("setting", "seeds"), whole_games(), ids=str)
def test_whole_games_are_played_as_the_rules_are_read(setting: Setting, seeds: range, tally: Tally) -> None:
    for seed in seeds:
        lock_step(setting, seed, EVERYTHING, 20 if setting.ruleset in HEAVY else 1, tally)


def test_these_are_two_thousand_games_with_everything_that_can_be_switched_on() -> None:
    played = whole_games()
    assert sum(len(seeds) for _, seeds in played) >= 2_000
    settings = [setting for setting, seeds in played if seeds]
    for ruleset, box in ((name, box_of(name)) for name in rulesets()):
        assert box is not None
        mine = [setting for setting in settings if setting.ruleset == ruleset]
        assert {setting.seats for setting in mine} == set(range(box.seats[0], box.seats[1] + 1))
        for part in parts_of(folder_of(ruleset)):
            assert {setting.seats for setting in mine if part in setting.parts} == {setting.seats for setting in mine}


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
