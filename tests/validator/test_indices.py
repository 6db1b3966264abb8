"""Claims about indices: what can lie outside of a table, the seats or the things is told at check, and else in play."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ichiba import load
from ichiba.dsl.world.world import Config
from ichiba.interpreter.runtime.runtime import RuleFault
from tests.validator.small import judged, ruleset

GAME = """\
# game.yaml
tables: {price: {index: number, values: [2, 3, 5]}, fee: {values: {1: [1, 2], 2: [3, 4]}}, sum_to: {values: [1], then: n * 2}}
things: {stall: {count: 3}}
# play.rules
kind stall is thing:
    counter visits: 0 .. 9

add to seat:
    counter fame: 1 .. 3
    counter luck: 0 .. 9

"""

INSIDE = [
    "value v(s: seat): price(s.fame)",
    "value v(s: seat): if s.luck > 0 and s.luck < 4 then price(s.luck) else 0",
    "value v(s: seat): if s.luck = 0 or s.luck > 3 then 0 else price(s.luck)",
    "value v(s: seat): price(max(1, min(3, s.luck)))",
    "value v: sum of (price(n) for n in 1 .. 3)",
    "value v: sum of (price(n) for n in 0 .. 9 where n > 0 and n < 4)",
    "value v(s: seat): sum of (price(t.luck) for t in seats where t.luck = 2)",
    "value v: price(count of seats)",
    "value v: price(1 + count of (x in seats where x.luck > 3))",
    "value v(x: stall): price(position of x)",
    "value v(s: seat): sum_to(s.luck + 1)",
    "value v(s: seat): fee(position of s, 2)",
    "value v: sum of (stall(n).visits for n in 1 .. 3)",
    "value v: sum of (seat(n).luck for n in 1 .. count of seats)",
    "value v(n: number): price(n)",  # nothing bounds it: told in play
    "guard g(s: seat): s.luck > 0 and s.luck <= 3 and price(s.luck) > 1",
    "value v(s: seat) -> number:\n    let a = s.luck\n    give 1 * price(1 + min(2, a))",
    "value v(s: seat) -> number:\n    if s.luck = 0: give 0\n    if s.luck >= 4: give 0\n    give price(s.luck)",
    "value v(s: seat) -> number:\n    let a = count of (x in stalls where x.visits > 1)\n    let b = min(s.luck, 2 - a)\n"
    "    give price(1 + max(0, a + b))",
]
OUTSIDE = [
    ("value v(s: seat): price(s.luck)", "this index goes from 0 to 9, but the entries of the table `price` go from 1 to 3",
     "ask before whether it is in 1 .. 3, or clip it with `min` and `max`"),
    ("value v(s: seat): price(s.fame + 1)", "this index goes from 2 to 4, but the entries of the table `price` go from 1 to 3",
     "ask before whether it is in 1 .. 3, or clip it: `min(3, …)`"),
    ("value v(s: seat): price(s.fame - 1)", "this index goes from 0 to 2, but the entries of the table `price` go from 1 to 3",
     "ask before whether it is in 1 .. 3, or clip it: `max(1, …)`"),
    ("value v(s: seat): if s.luck < 4 then price(s.luck) else 0",
     "this index goes from 0 to 3, but the entries of the table `price` go from 1 to 3",
     "ask before whether it is in 1 .. 3, or clip it: `max(1, …)`"),
    ("value v: sum of (price(n) for n in 1 .. 4)", "this index goes from 1 to 4, but the entries of the table `price` go from 1 to 3",
     "ask before whether it is in 1 .. 3, or clip it: `min(3, …)`"),
    ("value v(s: seat): fee(s.fame, 1)", "index 1 goes from 1 to 3, but the entries of the table `fee` go from 1 to 2",
     "ask before whether it is in 1 .. 2, or clip it: `min(2, …)`"),
    ("value v(n: number): price(min(n, 4))",
     "this index goes up to 4, but the entries of the table `price` go from 1 to 3",
     "ask before whether it is in 1 .. 3, or clip it: `min(3, …)`"),
    ("value v(s: seat): sum_to(s.luck * 40 + 1)", "this index goes from 1 to 361, but the entries of the table `sum_to` go from 1 to 199",
     "ask before whether it is in 1 .. 199, or clip it: `min(199, …)`"),
    ("value v(s: seat): stall(s.luck).visits", "this index goes from 0 to 9, but the stalls go from 1 to 3",
     "ask before whether it is in 1 .. 3, or clip it with `min` and `max`"),
    ("value v(s: seat): seat(s.fame).luck", "this index goes from 1 to 3, but the seats go from 1 to 2",
     "ask before whether it is in 1 .. 2, or clip it: `min(2, …)`"),
]  # fmt: skip


USED = """

procedure turn:
    menu actions:
        option sell "Sell {g}" for g in my.hand: move g to heap
        option look when ASKED: nothing
        option rest: nothing
"""


def used(rules: str) -> str:
    """These rules, and an option of every turn that asks for what they define."""
    given = {"(n: number)": "(2)", "(x: stall)": "(stall(1))", "(s: seat)": "(me)"}
    use = rules.removeprefix("value ")[0:1] + next((arg for param, arg in given.items() if param in rules), "")
    asked = "g(me)" if rules.startswith("guard") else f"{use} > 0"
    return GAME + rules + USED.replace("ASKED", asked)


@pytest.mark.parametrize("rules", INSIDE)
def test_an_index_that_is_surely_inside_is_fine(rules: str, tmp_path: Path) -> None:
    found = judged(tmp_path, used(rules))
    assert "E306" not in found.codes, found.text


@pytest.mark.parametrize("rules, message, label", OUTSIDE)
def test_an_index_that_may_lie_outside_is_told_with_both_ranges(rules: str, message: str, label: str, tmp_path: Path) -> None:
    found = [(f.message, f.label) for f in judged(tmp_path, used(rules)).faults if f.code == "E306"]
    assert found == [(message, label)]


def test_what_a_rule_has_done_is_known_behind_it(tmp_path: Path) -> None:
    chunk = GAME + "procedure turn:\n    raise my.luck by 1\n    lower my.luck by my.luck - 2\n    set my.fame to price(my.fame)\n"
    assert "E306" not in judged(tmp_path, chunk).codes
    chunk = GAME + "procedure turn:\n    set my.luck to 1\n    set my.fame to price(my.luck)\n    move_on\n\nprocedure move_on: raise my.luck by 1\n"
    assert "E306" not in judged(tmp_path / "again", chunk).codes
    chunk = chunk.replace("    set my.fame to price(my.luck)\n    move_on\n", "    move_on\n    set my.fame to price(my.luck)\n")
    assert "E306" in judged(tmp_path / "behind", chunk).codes


def test_what_is_chosen_is_in_its_range(tmp_path: Path) -> None:
    chunk = GAME + "procedure turn:\n    choose n from 1 to MOST\n    set my.fame to price(n)\n"
    assert "E306" not in judged(tmp_path, chunk.replace("MOST", "3")).codes
    assert "E306" in judged(tmp_path / "more", chunk.replace("MOST", "4")).codes


def test_a_policy_is_looked_at_too(tmp_path: Path) -> None:
    assert "E306" in judged(tmp_path, GAME + "policy bold:\n    prefer \"rest\" by price(my.luck)\n").codes


@pytest.mark.parametrize("seats", [2, 3])
def test_a_seat_by_its_number_is_one_of_the_seats(seats: int, tmp_path: Path) -> None:
    found = judged(tmp_path, GAME + "value v: seat(3).luck\n", Config(seats))
    assert [(f.message, f.label) for f in found.faults if f.code == "E306"] == (
        [("there are 2 seats", "they go from 1 to 2")] if seats == 2 else []
    )


@pytest.mark.parametrize(
    "asked, answer, told",
    [
        ("price(n)", "n/0", "the table `price` has no entry for 0: its entries go from 1 to 3"),
        ("price(n)", "n/9", "the table `price` has no entry for 9: its entries go from 1 to 3"),
        ("fee(2, n)", "n/5", "the table `fee` has no entry for 5: its entries go from 1 to 2"),
        ("fee(n, 2)", "n/5", "the table `fee` has no entry for 5 in place 1: its entries go from 1 to 2"),
        ("stall(n).visits", "n/4", "there is no stall 4: they go from 1 to 3"),
        ("seat(n).luck", "n/0", "there is no seat 0: they go from 1 to 2"),
        ("seat(n).luck", "n/3", "there is no seat 3: they go from 1 to 2"),
    ],
)
def test_what_nothing_bounds_is_told_in_play_with_index_and_range(asked: str, answer: str, told: str, tmp_path: Path) -> None:
    """A parameter has no bounds, so that this is seen only when it happens."""
    chunk = GAME + f"procedure turn:\n    choose n from 0 to 9\n    note_down(n)\n\nprocedure note_down(n: number): set round to min(9, {asked})\n"
    heads = chunk.split("# play.rules\n")
    files = {"game.yaml": heads[0].removeprefix("# game.yaml\n"), "play.rules": heads[1]}
    table = load(ruleset(tmp_path, files), seats=2, trust=True).start(1)
    with pytest.raises(RuleFault, match="^" + re.escape(told)):
        table.play(answer)
