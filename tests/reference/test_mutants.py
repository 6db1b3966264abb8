"""The lock-step with the reference interpreter notices faults of the generated code: few of those that are made go unseen."""

from __future__ import annotations

from itertools import count

import pytest

import ichiba
from ichiba.interpreter.api import rulesets
from tests.conftest import Tally
from tests.depth import AFew
from tests.properties.tables import HEAVY, Setting, every, loaded, plain
from tests.reference.lockstep import LockStep
from tests.reference.mutants import in_time, mutants

ENOUGH = 65  # of a hundred. Most of the others are no faults: a range that ends behind the last piece, a check that never fails


def noticed(game: ichiba.Game, decisions: int) -> bool:
    """Whether some game with this fault goes another way than as the rules are read, or not at all."""
    try:
        with in_time():
            for seed in count():
                decisions -= LockStep(game, seed).play(decisions) + 1
                if decisions <= 0:
                    return False
    except Exception:  # a difference, or something that cannot be done
        return True
    return False


def most_are_noticed(setting: Setting, many: int, decisions: int, tally: Tally) -> None:
    game = loaded(setting)
    assert not noticed(game, decisions)
    unseen = [what for what, spoiled in mutants(game, many, 5) if not noticed(spoiled, decisions)]
    tally(mutants=many, kills=many - len(unseen))
    assert (many - len(unseen)) * 100 >= ENOUGH * many, "\n".join(unseen)


@pytest.mark.parametrize("setting", [Setting("goofspiel", 3), Setting("no_thanks", 4)], ids=str)
def test_faults_of_the_generated_code_are_noticed(setting: Setting, tally: Tally, a_few: AFew) -> None:
    most_are_noticed(setting, len(a_few(range(50), 20)), 300, tally)


@pytest.mark.soak
@every([[s for s in plain() if s.ruleset == ruleset][-1] for ruleset in rulesets()])
def test_many_faults_of_the_generated_code_are_noticed(setting: Setting, tally: Tally) -> None:
    heavy = setting.ruleset in HEAVY
    most_are_noticed(setting, 40 if heavy else 250, 200 if heavy else 1500, tally)
