"""A price that several options share is paid for one of them: a way to pay is tried to the end of that option, and no further."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import pytest

import ichiba
from ichiba.interpreter.native.compiler import compile_game
from ichiba.interpreter.runtime.runtime import RuleFault
from tests.reference.lockstep import LockStep
from tests.validator.small import RULES, ruleset

BOARD = """\
board: stand
kind: shop
entry: 2 coins or 1 red from my.hand to heap as gem or 1 green from my.hand to heap as leaf
"""
SHOP = """\
kind shop is board:
    field entry: cost = $0
    menu visit

"""
AT_HOME = RULES[RULES.index("seat:") : RULES.index("procedure turn:\n")]
AT_THE_END = RULES[RULES.index("scoring:") :]

# Either menu goes on after each option, and whoever is inside may pay the same price again, for the other option or for the same.
AGAIN_AND_AGAIN = """\
procedure turn:
    menu actions until done, done "End":
        option visit "Visit {m}" for m in square costs m.entry:
            menu m.visit
        option draws "Draw" once per turn: draw 1 gem from bag to my.hand

add to menu visit of shop:
    option stay "Stay" costs board.entry: gain 4 coins from bank
    option buy "Buy" costs 4 coins: gain 5 coins from bank
"""
# Whoever pays with money has nothing to choose from after the option: that is a fault when it comes, and no reason not to pay.
NOTHING_AFTERWARDS = """\
procedure turn:
    menu actions:
        option visit "Visit {m}" for m in square costs m.entry:
            menu m.visit
        option look "Look at {m}" for m in square costs m.entry: nothing
        option rest: gain 1 coin from bank
    if my.cash < $4:
        menu later:
            option sell "Sell {g}" for g in my.hand: move g to heap

add to menu visit of shop:
    option buy "Buy" costs 4 coins: gain 5 coins from bank
"""
# The price of what is inside is the price of what is around it: being in there is not yet the end of the visit.
THE_SAME_INSIDE = """\
procedure turn:
    menu actions:
        option visit "Visit {m}" for m in square costs m.entry:
            menu m.visit
            pay 2 coins to bank
        option rest: draw 1 gem from bag to my.hand

add to menu visit of shop:
    option stay "Stay" costs board.entry:
        choose g in my.hand "Which?"
        move g to heap
    option leave: nothing
"""
CASES = {"again and again": AGAIN_AND_AGAIN, "nothing afterwards": NOTHING_AFTERWARDS, "the same inside": THE_SAME_INSIDE}


def shops(folder: Path, rules: str) -> ichiba.Game:
    table = AT_HOME.replace("table:\n", "table:\n    zone square of shop, in play\n")
    setup = table.replace("setup:\n", "setup:\n    for each m in shops: move m to square\n")
    return ichiba.load(ruleset(folder, {"play.rules": SHOP + setup + rules + "\n" + AT_THE_END, "boards/stand.yaml": BOARD}), trust=True)


@pytest.mark.parametrize("in_c", [False, True], ids=["python", "machine code"])
@pytest.mark.parametrize("rules", CASES.values(), ids=CASES)
def test_a_shared_price_leads_on_to_what_it_is_paid_for(rules: str, in_c: bool, tmp_path: Path) -> None:
    game = shops(tmp_path, rules)
    if in_c:
        if shutil.which("cc") is None:
            pytest.skip("there is no compiler of C")
        compile_game(game)
    for seed in range(12):
        with suppress(RuleFault):  # which is one for both
            LockStep(game, seed).play(60, 8)


def test_why_not_says_what_the_option_that_is_paid_for_would_lack(tmp_path: Path) -> None:
    game = shops(tmp_path, NOTHING_AFTERWARDS)
    for option, why in (("visit/stand", "this would leave nothing to choose afterwards"), ("look/stand", None)):
        table = next(one for one in map(game.start, range(30)) if one.ask("count of red in seat(1).hand") == 1)
        table.play(option)
        assert table.why_not("pay/coin") == why
