"""What a secret block writes, and what is known before the game of its `if`s: engine, reference and page say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from tests.reference.lockstep import LockStep
from tests.validator.small import GAME, RULES, ruleset

BOX = GAME + "options: {air: {one_of: [calm, wild], otherwise: calm}, dry: {flag: false}}\ntables: {toll: {index: n, values: [2, 4]}}\n"
TURN = """\
phase turn:
    each s in seats secretly:
        choose bid from 0 to 1 "Bid"
        raise s.luck by 1
        if {test}: raise s.mood by 1
    reveal my.mood
    choose pause from 0 to 1 "And now?"

add to seat:
    counter luck: 0 .. 99
    counter mood: 0 .. 99
    zone row of gem

"""
NEVER = (
    "even(3)", "min(2, 1) = 2", "max(rounds, 1) < 3", "abs(2 - 3) = 2", "power(2, 3) = 9", "power(2, -1) > 0", "number(2 coins) = 3",
    "(if even(2) then 1 else 2) = 2", "2 coins > 3 coins", "toll(1) > 2", "toll(min(2, 5)) = 2", "air = wild", "air is wild", "dry",
    "not even(2)", "even(3) and s.luck = 1", "s.luck = 1 and even(3)", "not (even(2) or s.luck = 1)", "count of seats > 2", "-min(1, 2) > 0",
)  # fmt: skip
SOMETIMES = ("s.luck = 0", "even(3) or s.luck = 0", "even(s.luck + 1)", "number(s.cash) = 0", "even(2) and s.row is not empty")


def loaded(folder: Path, test: str) -> ichiba.Game:
    rules = RULES[: RULES.index("phase turn:\n")] + TURN.format(test=test) + RULES[RULES.index("scoring:") :]
    return ichiba.load(ruleset(folder, {"play.rules": rules, "game.yaml": BOX}), trust=True)


def seen(game: ichiba.Game) -> object:
    """What a spectator sees of the second seat's luck when the block is done."""
    table = game.start(seed=1)
    for seat in (1, 2):
        table.play("bid/0", seat=seat)
    seats = table.view(None)["seats"]
    assert isinstance(seats, dict)
    return seats["2"]["luck"]


@pytest.mark.parametrize("test", NEVER)
def test_a_branch_that_is_known_never_to_be_taken_writes_nothing(test: str, tmp_path: Path) -> None:
    """So no `reveal` names what the block writes, and it is real when all have answered."""
    game = loaded(tmp_path, test)
    assert seen(game) == 1
    LockStep(game, 1).play(60)


@pytest.mark.parametrize("test", SOMETIMES)
def test_whichever_way_the_others_go_what_they_write_is_covered(test: str, tmp_path: Path) -> None:
    """Only the first seat's is revealed."""
    game = loaded(tmp_path, test)
    assert seen(game) == 0
    LockStep(game, 1).play(60)
