"""What a secret block writes, and what is known before the game of its `if`s: engine, reference and page say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from tests.reference.lockstep import LockStep
from tests.validator.small import GAME, RULES, ruleset

BOX = GAME + "options: {air: {one_of: [calm, wild], otherwise: calm}, dry: {flag: false}}\ntables: {toll: {index: n, values: [2, 4]}}\n"
TURN = """\
procedure turn:
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
    "(if even(2) then 1 else 2) = 2", "2 coins > 3 coins", "toll(1) > 2", "toll(min(2, 5)) = 2", "air is wild", "air is wild", "dry",
    "not even(2)", "even(3) and s.luck = 1", "s.luck = 1 and even(3)", "not (even(2) or s.luck = 1)", "count of seats > 2", "-min(1, 2) > 0",
)  # fmt: skip
SOMETIMES = ("s.luck = 0", "even(3) or s.luck = 0", "even(s.luck + 1)", "number(s.cash) = 0", "even(2) and s.row is not empty")


def loaded(folder: Path, test: str, turn: str = TURN) -> ichiba.Game:
    rules = RULES[: RULES.index("procedure turn:\n")] + turn.replace("{test}", test) + RULES[RULES.index("scoring:") :]
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


PERFORMED = """\
procedure turn:
    each s in seats secretly:
        choose bid from 0 to 1 "Bid"
        raise s.luck by 1
        cheer(s)
    {test}
    choose pause from 0 to 1 "And now?"

add to seat:
    counter luck: 0 .. 99
    counter mood: 0 .. 99

procedure cheer(s: seat): """
RAISED = "raise s.mood by 1\n\n"
AROUND = {  # what is performed, and whether it can write the mood
    "after": ("nothing\n\nrule more, after cheer(s): " + RAISED, True),
    "after, sometimes": ("nothing\n\nrule more, after cheer(s) when s.luck > 50: " + RAISED, True),
    "after, never": ("nothing\n\nrule more, after cheer(s) when even(3): " + RAISED, False),
    "before, for each of nobody": ("nothing\n\nrule more for each k in 1 .. 0, before cheer(s): " + RAISED, True),
    "instead": ("nothing\n\nrule more, instead of cheer(s): " + RAISED, True),
    "instead, sometimes": (RAISED + "rule more, instead of cheer(s) when s.luck > 50: nothing\n\n", True),
    "instead, never": (RAISED + "rule more, instead of cheer(s) when even(3): nothing\n\n", True),
    "instead, always": (RAISED + "rule more, instead of cheer(s) when even(2): nothing\n\n", False),
    "instead, and it": (RAISED + "rule more, instead of cheer(s):\n    if s.luck > 50: original\n\n", True),
    "instead, and never it": (RAISED + "rule more, instead of cheer(s):\n    if even(3): original\n\n", False),
    "replaced": (RAISED + "replace procedure cheer(s: seat): nothing\n\n", False),
    "replaced, and it": (RAISED + "replace procedure cheer(s: seat): original(s)\n\n", True),
    "replaced, and never it": (RAISED + "replace procedure cheer(s: seat):\n    if even(3): original(s)\n\n", False),
}


@pytest.mark.parametrize(("performed", "writes"), AROUND.values(), ids=AROUND)
def test_what_stands_around_and_instead_is_performed_too(performed: str, writes: bool, tmp_path: Path) -> None:
    """The second seat's luck stays covered if the block can write its mood, of which the first seat's is revealed."""
    game = loaded(tmp_path, "reveal my.mood", PERFORMED + performed)
    assert seen(game) == (0 if writes else 1)
    LockStep(game, 1).play(60)


@pytest.mark.parametrize("reveal", ["if even(3): reveal my.luck", "if even(2): nothing\n    else: reveal bid"])
def test_what_is_never_done_reveals_nothing(reveal: str, tmp_path: Path) -> None:
    game = loaded(tmp_path, reveal, PERFORMED + RAISED)
    assert seen(game) == 1
    LockStep(game, 1).play(60)


SKIPPED = """\
procedure turn:
    menu actions:
        option go{test}
    choose pause from 0 to 1 "And now?"

"""
ASKED = {  # in front of what may be skipped
    " when even(3) and red in my.hand or true: nothing": False,
    " when even(2) and red in my.hand or seen >= 0: nothing": True,
    " when (if even(3) then red in my.hand else true): nothing": False,
    " when (if even(2) then seen = 0 or red in my.hand else true): nothing": True,
    ":\n            if even(3): require red in my.hand\n            else: nothing": False,
    ":\n            if even(2): require red in my.hand or seen = 0\n            else: nothing": True,
    ":\n            if even(3): nothing\n            else if red in my.hand: require seen = 0": True,
    ":\n            if even(2): nothing\n            else if red in my.hand: require seen = 0": False,
}


@pytest.mark.parametrize(("option", "asked"), ASKED.items())
def test_what_is_ruled_out_before_the_game_is_not_told_by_a_skip(option: str, asked: bool, tmp_path: Path) -> None:
    """By the reference these questions were always asked."""
    game = loaded(tmp_path, option, SKIPPED + "table:\n    counter seen: 0 .. 9\n\n")
    decision = game.start(seed=1).decision
    assert decision is not None and decision.keys() == (["go"] if asked else ["pause/0", "pause/1"])
    LockStep(game, 1).play(60)


WISHED = """\
procedure turn:
    each s in seats secretly:
        choose bid from 0 to 1 "Bid"
        raise s.luck by bid
        if bid = 1 and count of s.hand > 1:
            move 1 gem from s.hand to s.row
            choose g in s.hand "Which?"
            move g to s.row
    choose pause from 0 to 3 "And now?"
    reveal {what}
    choose rest from 0 to 3 "And then?"

add to seat:
    counter luck: 0 .. 99
    counter mood: 0 .. 99
    zone row of gem

policy keen:
    prefer "bid/1" by 2
    prefer "g/*" by my.luck
    prefer "*/0" by sum of (s.luck for s in seats)
    prefer "*/1" by count of seat.row
    prefer "*/2" when any (s in others where s.luck > 0)
    prefer "*/3" by count of (s in seats where s.row is not empty)
    prefer "pause/{{n}}" for n in 0 .. 2 when my.luck > n
    prefer "rest/{{n}}" for n in 0 .. 2 when my.luck > n
"""


@pytest.mark.parametrize("what", ["bid", "my.luck", "seat(2).luck", "seat.row", "my.hand"])
@pytest.mark.parametrize("alone", [True, False], ids=["one by one", "counted"])
def test_a_policy_knows_of_others_what_a_reveal_has_made_real(what: str, alone: bool, tmp_path: Path) -> None:
    """And of its own seat what that has done: where nothing is ever revealed of the block, everything, when it is over."""
    rules = WISHED.format(what=what)
    dealt = RULES.replace("draw 2 gem", "draw 9 gem")
    text = dealt[: dealt.index("procedure turn:\n")] + rules + "\n" + RULES[RULES.index("scoring:") :]
    box = GAME.replace("gem: {", "gem: {individual: true, ") if alone else GAME
    game = ichiba.load(ruleset(tmp_path, {"play.rules": text, "game.yaml": box.replace("count: 6", "count: 30")}), trust=True)
    for seed in range(4):
        LockStep(game, seed, "keen").play(60)


SET_ASIDE = """\
procedure turn:
    each s in seats secretly:
        choose bid from $0 to my.cash "Bid"
        set aside bid from my.cash as stake
    each s in seats secretly: choose ask from 0 to 3 "Ask"
    reveal ask
    {then}
    choose rest from 0 to 3 "And then?"

"""


@pytest.mark.parametrize("then", ["reveal bid", "if stake of seat(1) > $3: reveal bid"])
def test_what_is_set_aside_in_secret_is_covered_behind_the_block_too(then: str, tmp_path: Path) -> None:
    """Until its own answers are revealed; the purse for it is there once somebody has set something aside."""
    text = RULES[: RULES.index("procedure turn:\n")] + SET_ASIDE.format(then=then) + RULES[RULES.index("scoring:") :]
    game = ichiba.load(ruleset(tmp_path, {"play.rules": text}), trust=True)
    for seed in range(4):
        LockStep(game, seed).play(60)
