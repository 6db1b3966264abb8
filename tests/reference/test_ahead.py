"""What is foreseen of an option is what comes of it when everything is tried: small games, each with one hard case."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import steps
from tests.reference.lockstep import LockStep
from tests.validator.small import GAME, RULES, ruleset

TURN = RULES.index("procedure turn:\n"), RULES.index("scoring:")

EMPTIED = """\
procedure turn:
    menu actions:
        option unload "Unload": unload
        option deal "Draw": draw 1 gem from bag to my.hand
        option rest: nothing

procedure unload:
    repeat count of my.hand times:
        choose g in my.hand "Which?"
        {each}
"""
LOTS = """\
value worth(n: number, g: gem) -> number: {worth}

procedure turn:
    menu actions:
        option trade "Trade":
            choose some lot from my.hand, {wish} "Which?"
            move lot to heap
            {after}
        option draws "Draw": draw 1 gem from bag to my.hand
        option rest: nothing
"""
OTHERS = """\
procedure turn:
    menu actions:
        option ask "Ask":
            if round > 1: bidding
            else: {first}
        option earn: gain 2 coins from bank
        option rest: nothing

procedure bidding:
    {early}
    pay 2 coins to bank
    each bidder in others secretly:
        choose bid from 0 coins to my.cash step 1 coin "How much?"
    reveal bid
    pay 3 coins to bank as far as it goes
"""


def game(tmp_path: Path, turn: str, box: str = GAME) -> ichiba.Game:
    rules = RULES[: TURN[0]] + turn + "\n" + RULES[TURN[1] :]
    return ichiba.load(ruleset(tmp_path, {"play.rules": rules, "game.yaml": box}), trust=True)


def same_as_tried(game: ichiba.Game) -> None:
    for seed in range(12):
        LockStep(game, seed).play(60, 8)


def assured(game: ichiba.Game, name: str) -> ir.Exp | None:
    """When a question surely has an answer."""
    (asked,) = (s for p in game.program.procedures for s in steps(p.body) if isinstance(s, ir.Decide) and s.name == name)
    return game.flow.assured.get(asked)


ONE_BY_ONE = GAME.replace("gem: {sorts", "gem: {individual: true, sorts")


@pytest.mark.parametrize("box", [GAME, ONE_BY_ONE], ids=["counted", "one by one"])
@pytest.mark.parametrize(
    ("each", "sure"),
    [
        ("move g to heap", True),
        ("move g to heap\n        for each h in heap: move h to bag", True),
        ("if round > 1: move g to heap\n        else: move g to bag", True),
        ("move g to heap\n        for each h in my.hand: move h to heap", False),
        ("move g to heap\n        lose_all\n\nprocedure lose_all: move all my.hand to heap", False),
        ('choose h in my.hand "And?"\n        move h to heap', False),
        ("for each s in others: move all s.hand to heap\n        move g to heap", False),
    ],
)
def test_as_often_as_a_zone_holds_pieces_there_is_one_to_choose(each: str, sure: bool, box: str, tmp_path: Path) -> None:
    made = game(tmp_path, EMPTIED.format(each=each), box)
    assert isinstance(assured(made, "g"), ir.Const) == sure
    same_as_tried(made)


def test_so_there_is_where_another_rule_moves_it(tmp_path: Path) -> None:
    made = game(tmp_path, EMPTIED.format(each="put_away(g)\n\nprocedure put_away(g: gem): move g to heap"), ONE_BY_ONE)
    assert isinstance(assured(made, "g"), ir.Const)
    same_as_tried(made)


@pytest.mark.parametrize(
    ("worth", "wish", "after"),
    [
        ("2 * n", "worth at least 5 by worth", "gain 1 coin from bank"),
        ("2 * n", "worth at least 3 by worth, worth at most 4 by worth", "gain 1 coin from bank"),
        ("n * (4 - n)", "worth at least 4 by worth", "gain 1 coin from bank"),
        ("2 * n", "at least 2", "pay 1 coin * count of my.hand to bank"),
        ("3 * n", "worth at least 3 by worth", "pay 1 coin * count of heap to bank"),
    ],
)
def test_a_lot_is_offered_where_there_is_one(worth: str, wish: str, after: str, tmp_path: Path) -> None:
    same_as_tried(game(tmp_path, LOTS.format(worth=worth, wish=wish, after=after)))


@pytest.mark.parametrize("early", ["raise round by 0", "if round > 2: leave bidding", "if my.cash < 6 coins: leave bidding"])
@pytest.mark.parametrize("first", ["raise round by 0", "pay 4 coins to bank"])
def test_what_others_answer_is_as_far_as_one_looks(early: str, first: str, tmp_path: Path) -> None:
    same_as_tried(game(tmp_path, OTHERS.format(early=early, first=first)))


NOTED = """\
add to kind gem:
    note wet: flag

change zone table.bag: forgets wet

procedure turn:
    menu actions:
        option unload "Unload": unload
        option soak "Soak {g}" for g in my.hand where not g.wet: mark g.wet
        option deal "Draw": draw 1 gem from bag to my.hand
        option rest: nothing

procedure unload:
    repeat count of my.hand times:
        choose g in (x in my.hand where WHICH) "Which?"
        EACH
"""


@pytest.mark.parametrize(
    ("which", "each", "sure"),
    [
        ("not x.wet", "move g to heap", True),
        ("not x.wet or no (y in my.hand where y.wet and position of y < position of x)", "move g to heap", True),
        ("not x.wet", "move g to heap\n        for each h in my.hand: mark h.wet", False),
        ("no (y in my.hand where y.wet)", "move g to heap", False),
    ],
)
def test_so_there_is_where_a_note_of_each_says_so(which: str, each: str, sure: bool, tmp_path: Path) -> None:
    made = game(tmp_path, NOTED.replace("WHICH", which).replace("EACH", each), ONE_BY_ONE)
    assert (assured(made, "g") is not None) == sure
    assert not isinstance(assured(made, "g"), ir.Const)
    same_as_tried(made)


PAID = """\
procedure turn:
    menu actions:
        option enter "Enter" costs 2 coins or 1 red from my.hand to heap as gem: inside
        option draws "Draw": draw 1 gem from bag to my.hand
        option rest: nothing

procedure inside:
    menu shop:
        option buy "Buy" costs 4 coins: gain 5 coins from bank
"""


def test_each_way_to_pay_leads_on_to_what_it_is_paid_for(tmp_path: Path) -> None:
    same_as_tried(game(tmp_path, PAID))


@pytest.mark.parametrize(
    "worth",
    [
        "2 * n", "n * n", "if round > 1 then n else 3 * n", "(n + count of heap) / 2 rounded up", "n * max(count of my.hand, 1)", "of_green(n, g)",
        "3 - n", "if n > 1 then 0 else 4", "n * (2 - count of heap)", "4 / max(n, 1) rounded down",
    ],
)  # fmt: skip
def test_whether_more_is_worth_more_or_less_there_is_a_lot_or_there_is_none(worth: str, tmp_path: Path) -> None:
    rules = LOTS.format(worth=worth, wish="worth at least 4 by worth", after="gain 1 coin from bank")
    same_as_tried(game(tmp_path, rules + GREEN))


GREEN = """
value of_green(n: number, g: gem) -> number:
    let twice = 2 * n
    give (if g is green then twice else n)
"""


def test_where_a_zone_has_an_order_pieces_of_a_sort_are_told_apart(tmp_path: Path) -> None:
    turn = """\
change zone seat.hand: ordered

procedure turn:
    menu actions:
        option give "Give {g}" for g in my.hand: move g to heap
        option draws "Draw": draw 1 gem from bag to my.hand
        option pair "Two" when count of my.hand > 1:
            choose g in my.hand "Which?"
            move g to seat(1).hand
        option rest: nothing
"""
    same_as_tried(game(tmp_path, turn, ONE_BY_ONE))


MOODS = """\
add to seat:
    counter mood(c: colour): -3 .. 3
    counter visits(c: colour): 0 .. 9
    flag met(c: colour)

procedure turn:
    menu actions up to 4 times:
        option cheer "{c} is glad" for c in colours where my.mood(c) > 0: lower my.mood(c) by 1
        option soothe "{c} is moved" for c in colours where my.mood(c) != 0: set my.mood(c) to 0
        option meet "Meet {c}" for c in colours where not my.met(c): mark my.met(c)
        option greet "Greet {c}" for c in colours where my.met(c) and my.visits(c) < 9: raise my.visits(c) by 1
        option leave_off "Never see {c} again" for c in colours where my.visits(c) > 0: set my.visits(c) to 0
        option up "Up {c}" for c in colours where my.mood(c) < 3: raise my.mood(c) by 1
        option down "Down {c}" for c in colours where my.mood(c) > -3: lower my.mood(c) by 1
        option price "Say {n}" for n in 1 .. 9 where n != my.visits(teal) + 3: set my.visits(teal) to n
"""


def test_a_number_below_nothing_is_not_more_than_nothing(tmp_path: Path) -> None:
    box = GAME.replace("numbers:", "sorts: {colour: [teal, pink, grey, gold, blue]}\nnumbers:")
    same_as_tried(game(tmp_path, MOODS, box))


AGAIN = """\
add to seat:
    counter luck: 0 .. 30

procedure turn:
    menu actions:
        option wish "Wish":
            set my.luck to 7
            {again}
            require {wanted}
        option earn "Earn": gain 1 coin from bank
        option up "Up" when my.luck < 20: raise my.luck by 3
        option rest: nothing

procedure bump: raise my.luck by 2
"""
WATCHING = "\nrule lucky for each s in seats, whenever s.luck = 7: set s.luck to 9\n"


@pytest.mark.parametrize("wanted", ["my.luck > 7", "my.luck < 9", "my.luck > 8", "my.luck = 7"])
@pytest.mark.parametrize(
    ("again", "watching"),
    [
        ("nothing", WATCHING),
        ("if my.cash > 5 coins: raise my.luck by 2", ""),
        ("if count of my.hand > 2: bump", ""),
        ("if my.cash > 5 coins: set my.luck to 9\n            else: set my.luck to 8", ""),
        ("repeat count of my.hand times: raise my.luck by 1", ""),
        ("for each s in seats: raise s.luck by 2", ""),
        ("for each s in (s in seats where s.cash > 5 coins): set s.luck to 9", ""),
        ("let richest = the s in seats with highest s.cash, tie: first\n            set richest.luck to 9", ""),
    ],
)
def test_what_is_written_twice_is_not_what_was_written_first(again: str, watching: str, wanted: str, tmp_path: Path) -> None:
    rules = AGAIN.format(again=again, wanted=wanted) + watching
    made = game(tmp_path, rules)
    for seed in range(5):
        LockStep(made, seed).play(40, 20)
