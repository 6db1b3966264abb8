"""A rule that goes wrong while an option is only tried, or looked at beforehand: the option is offered, and the fault comes when
it is taken. But what is bounded between two decisions stops the game where it happens."""

from __future__ import annotations

import shutil
from pathlib import Path
from threading import get_ident

import pytest

import ichiba
from ichiba.interpreter.native import compiler as native
from ichiba.interpreter.runtime.runtime import FUEL, RuleFault, left
from tests.reference.lockstep import LockStep
from tests.validator.small import ruleset

TURN = """\
add to seat:
    counter luck: 0 .. 9
    counter mood: 0 .. 3
    remember far_off: number = 0
    remember first_gem: gem or none = none

add to table:
    zone chest of gem

procedure turn:
    menu actions:
        option dig "Dig":
            {body}
        option up "Up" when my.luck < 9: raise my.luck by 1
        option off "Off": set my.far_off to 5
        option rest: nothing

procedure fill: move 3 gem from heap to chest
"""
BOX = "tables: {toll: {index: n, values: [2, 4, 1]}}\n"
TOO_FEW = "there are not enough pieces to move"
NO_ENTRY = "the table `toll` has no entry for 0: its entries go from 1 to 3"
# What goes wrong at once, and what it says. What is required behind it does not hold: it does not come to that.
AT_ONCE = {
    "move 3 gem from heap to chest": TOO_FEW,
    "move 2 red from heap to chest": TOO_FEW,
    "fill": TOO_FEW,
    "raise my.mood by 4": "`mood` would leave its range of 0 to 3",
    "for each c in {red, green}: raise my.mood by 2": "`mood` would leave its range of 0 to 3",
    "set my.luck to toll(my.far_off)": NO_ENTRY,
    "if toll(my.far_off) > 2: raise my.luck by 1": NO_ENTRY,
    "let price = toll(my.far_off)": NO_ENTRY,
    "set my.luck to 9 / my.far_off rounded down": "something is divided by nothing",
    "pay 1 coin * (my.luck - 1) to bank": "an amount below nothing is paid",
    "if my.luck = 0: move 3 gem from heap to chest": TOO_FEW,
    "repeat 3 times: move 1 red from heap to chest": TOO_FEW,
}
REQUIRED = {
    "foreseen": "require my.cash > 100 coins",
    "of what is done": "require my.luck > 8 and my.mood > 2",
    "not foreseen": "require count of (g in chest where g is red) > 2",
    "a payment": "pay 50 coins to bank",
    "an answer": 'choose g in chest "Which?"\n            move g to heap',
}
# What is required is what goes wrong.
ITSELF = {
    "require toll(my.far_off) < 3": NO_ENTRY,
    "require 10 / my.far_off rounded down < 3": "something is divided by nothing",
    "if my.luck = 0: require toll(my.far_off) < 3": NO_ENTRY,
    "pay 1 coin * toll(my.far_off) to bank": NO_ENTRY,
    "menu inner:\n                option deep when toll(my.far_off) < 3: nothing": NO_ENTRY,
    'choose g in (g in my.hand where toll(my.far_off) < 3) "?"': NO_ENTRY,
}
IN_BOTH = pytest.mark.parametrize(
    "in_c", [False, pytest.param(True, marks=pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler"))]
)


def loaded(folder: Path, body: str, in_c: bool = False) -> ichiba.Game:
    game = ichiba.load(ruleset(folder, {"play.rules": TURN.format(body=body), "game.yaml": BOX}), trust=True)
    if in_c:
        native.compile_game(game)
    return game


def offered(table: ichiba.Table) -> list[str]:
    assert table.decision is not None
    return table.decision.keys()


def fails_when_it_is_taken(game: ichiba.Game, why: str) -> None:
    table = game.start(seed=1)
    assert offered(table)[0] == "dig"
    before = list(table.state)
    with pytest.raises(RuleFault) as caught:
        table.play("dig")
    assert str(caught.value).startswith(why)
    assert list(table.state) == before
    for seed in range(8):
        steps = LockStep(game, seed)
        try:
            steps.play(60, 20)
        except RuleFault:
            assert len(steps.fast.history) > 0 or steps.last.endswith("dig")


@pytest.mark.parametrize("behind", REQUIRED.values(), ids=REQUIRED)
@pytest.mark.parametrize("wrong", AT_ONCE)
def test_what_goes_wrong_is_no_requirement(wrong: str, behind: str, tmp_path: Path) -> None:
    fails_when_it_is_taken(loaded(tmp_path, f"{wrong}\n            {behind}"), AT_ONCE[wrong])


@pytest.mark.parametrize("wrong", ITSELF)
def test_nor_is_a_requirement_that_goes_wrong_itself(wrong: str, tmp_path: Path) -> None:
    fails_when_it_is_taken(loaded(tmp_path, wrong), ITSELF[wrong])


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("wrong", ["move 3 gem from heap to chest", "raise my.mood by 4", "let price = toll(my.far_off)"])
@pytest.mark.parametrize("behind", [REQUIRED["foreseen"], REQUIRED["not foreseen"]])
def test_so_it_is_in_machine_code(wrong: str, behind: str, tmp_path: Path) -> None:
    fails_when_it_is_taken(loaded(tmp_path, f"{wrong}\n            {behind}", in_c=True), AT_ONCE[wrong])


@pytest.mark.parametrize("wrong", AT_ONCE)
def test_what_is_required_before_it_goes_wrong_still_is(wrong: str, tmp_path: Path) -> None:
    body = f"require my.cash > 100 coins\n            {wrong}"
    table = loaded(tmp_path, body).start(seed=1)
    assert offered(table) == ["up", "off", "rest"]


def test_where_nothing_goes_wrong_what_is_required_is_foreseen(tmp_path: Path) -> None:
    """A counter that can leave its range, pieces that may not be there: that is asked beforehand, and nothing need be tried."""
    game = loaded(tmp_path, "raise my.mood by 1\n            move 1 red from bag to chest\n            require my.cash > 100 coins")
    assert not any(site.stop_after for site in game.flow.sites)
    assert offered(game.start(seed=1)) == ["up", "off", "rest"]


LONG = {
    "too many rounds": ("set my.far_off to 10000000\n            repeat my.far_off times: raise my.luck by 0", "a rule would be repeated"),
    "rounds in rounds": (
        "set my.far_off to 1000\n            repeat my.far_off times:\n                repeat my.far_off times: raise my.luck by 0",
        f"this takes more than {FUEL:,} steps",
    ),
}


@IN_BOTH
@pytest.mark.parametrize("name", LONG)
def test_what_takes_too_long_stops_the_game_also_where_it_is_tried(name: str, in_c: bool, tmp_path: Path) -> None:
    """Else a question of 300 answers would cost the bound 300 times."""
    body, why = LONG[name]
    wide = TURN.replace('option dig "Dig":', 'option dig "Dig {n}" for n in 1 .. 300:')
    rules = wide.replace("{body}", f"{body}\n            {REQUIRED['of what is done']}")
    game = ichiba.load(ruleset(tmp_path, {"play.rules": rules, "game.yaml": BOX}), trust=True)
    if in_c:
        native.compile_game(game)
    with pytest.raises(RuleFault, match=why):
        game.start(seed=1)
    assert left.get(get_ident(), FUEL) >= -1  # the first that was tried, and no other
