"""Claims about ways from place to place: what they come to, what is wrong with one, and who knows what they look at."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.world.world import Config
from ichiba.interpreter.native import compiler as native
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.interpreter.saves.records import load_save
from tests.language.test_corners import answers
from tests.language.tiny import check, files_of, ruleset
from tests.reference.lockstep import LockStep
from tests.validator.small import judged

BOX = """
# game.yaml
map: north.yaml
things: {gate: {from: gates}, road: {edges: roads}, cell: {grid: "3 x 4", without: [b2]}, stall: {count: 3}}
# north.yaml
map: {islands: 2}
gates: [{id: sun}, {id: moon}, {id: star}, {id: dawn}, {id: dusk}, {id: far_off}, {id: further}]
roads:
  - {between: [sun, moon], toll: 4}
  - {between: [moon, star], toll: 4}
  - {between: [sun, dawn], toll: 3}
  - {between: [dawn, dusk], toll: 3}
  - {between: [dusk, star], toll: 2}
  - [far_off, further]
# town.rules
kind gate is node:
    flag closed
    counter crowd: 0 .. 9
    remember holder: seat or none

kind road is edge:
    field toll: coin = $1
    flag built

kind cell is node:
    counter height: 0 .. 9
# play.rules
"""
TURN = """
procedure turn:
    mark dusk.closed
    set b3.height to 2
    set c2.height to 2
    menu wait:
        option on "On": nothing
        option off "Off": nothing
"""


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("cheapest way from sun to star over e by e.toll else $999", 8),
        ("cheapest way from moon to far_off over e by e.toll else $999", 999),
        ("cheapest way from sun to sun over e by e.toll else $999", 0),
        ("cheapest way from sun to star over e through n by e.toll where n is not closed else $999", 8),
        ("cheapest way from sun to dusk over e through n by e.toll where n is not closed else $999", 999),
        ("cheapest way from dusk to sun over e through n by e.toll where n is not closed else $999", 6),
        ("cheapest way from {moon, dusk} to star over e by e.toll else $999", 2),
        ("cheapest way from (g in gates where g.closed) to moon over e by e.toll else $999", 6),
        ("cheapest way from (g in gates where g.crowd > 3) to moon over e by e.toll else $999", 999),
        ("cheapest way from sun to moon over e by $0 else $9", 0),
        ("shortest way from sun to star else 77", 2),
        ("shortest way from far_off to sun else 3 + 4", 7),
        ("shortest way from a1 to c4 else 99", 5),
        ("shortest way from a1 to b1 through n in cells where n.row = 2 else 99", 1),
        ("shortest way from a1 to b3 through n where n.height = 0 else 99", 99),
        ("cheapest way from a1 to c4 through n by n.height + 1 else 99", 5),
        ("cheapest steps from sun to star over e by e.toll else none", ["sun-moon", "moon-star"]),
        ("cheapest steps from sun to star over e by $2 * number(e.toll) where e.toll < $4 else none", ["sun-dawn", "dawn-dusk", "dusk-star"]),
        ("shortest steps from star to dawn else none", ["dusk", "dawn"]),
        ("shortest steps from star to dawn over e else none", ["dusk-star", "dawn-dusk"]),
        ("shortest steps from sun to far_off else none", []),
        ("shortest steps from sun to sun else none", []),
        ("shortest steps from a1 to c4 else none", ["a2", "a3", "a4", "b4", "c4"]),
        ("connected to far_off", ["far_off", "further"]),
        ("count of connected to {sun, far_off}", 7),
        ("connected to sun over e where e.toll != $3 and not e.built", ["sun", "moon", "star", "dusk"]),
        ("connected to sun through n where n is not closed", ["sun", "moon", "star", "dawn"]),
        ("connected to dusk through n in {star} where true", ["star", "dusk"]),
        ("connected to a1 through n where n.height = 0", ["a1", "a2", "a3", "a4", "b1", "b4", "c1", "c3", "c4"]),
        ("(g in gates where $5 >= cheapest way from sun to g over e by e.toll else $999)", ["sun", "moon", "dawn"]),
        ("(g in gates where shortest way from {far_off, star} to g else 9 = 1)", ["moon", "dusk", "further"]),
    ],
)
def test_what_a_way_comes_to(asked: str, found: object, tmp_path: Path) -> None:
    assert answers(tmp_path, BOX + TURN, asked) == [found]


def test_slips_in_ways_are_told(tmp_path: Path) -> None:
    check(tmp_path, BOX + """
value a -> coin: cheapest way from sun to star over e by e.toll                 ### E203
value b -> number: cheapest way from sun to star over e else 9                  ### E203: what a step costs stands behind `by`
value d -> number: shortest way from sun to star over e by e.toll else 9        ### E203: `shortest` counts steps
value g -> number: shortest way from sun to star over e in gates else 9         ### E301
value h -> number: shortest way from sun to star through n in roads else 9      ### E301
value i -> number: shortest way from seat(1) to star else 9                     ### E301: a node is needed
value j -> number: shortest way from sun to red else 9                          ### E301
value k -> number: shortest way from stall(1) to star else 9                    ### E301
value l -> coin: cheapest way from sun to star over e by e.toll else 9          ### E301
value m -> number: cheapest way from sun to star over e by e.built else 9       ### E301: a number is needed
value n -> flag: any (connected to sun over over where over.built)              ### E203
value p -> flag: any (connected to sun through n)                               ### E203
value q -> number: count of shortest steps from sun to star                     ### E203
value r -> number: count of (connected to my.hand)                              ### E301
value s -> number: shortest way from sun to (first of (x in gates where x.closed)) else 9   ### E315
""")  # fmt: skip


def test_a_grid_alone_has_nothing_to_go_over(tmp_path: Path) -> None:
    check(tmp_path, """
# game.yaml
things: {stall: {count: 3}, cell: {grid: "3 x 3"}}
# play.rules
value a -> number: shortest way from a1 to c3 else 9
value b -> number: shortest way from a1 to c3 over e else 9                     ### E320: in a grid leave `over` out
""")  # fmt: skip


def test_what_a_condition_says_is_known_where_a_step_costs_something(tmp_path: Path) -> None:
    check(tmp_path, BOX + """
kind inn is gate:
    counter beds: 0 .. 9
value a -> number: cheapest way from sun to star over e through n by n.beds where n is inn else 99
value b -> number: cheapest way from sun to star over e through n by n.beds else 99                     ### E210
""")  # fmt: skip


@pytest.mark.parametrize("native_too", [False, True])
def test_a_cost_below_nothing_is_a_fault_in_play(native_too: bool, tmp_path: Path) -> None:
    chunk = BOX + """
procedure turn:
    set moon.crowd to 5
    menu wait:
        option on "On": set sun.crowd to cheapest way from sun to star over e through n by 4 - n.crowd else 9
        option off "Off": nothing
"""
    game = ichiba.load(ruleset(tmp_path, files_of(chunk)), 2, trust=True)
    if native_too:
        native.compile_game(game)
    table = game.start(1)
    with pytest.raises(RuleFault, match="what a step of a way costs is less than nothing here") as fault:
        table.play("on")
    assert "play.rules:5" in str(fault.value)


WATCHED = BOX + """
table:
    counter rung: 0 .. 9

rule bell, whenever shortest way from sun to star through n where n is not closed else 9 > 2: raise rung by 1

procedure turn:
    menu wait:
        option shut "Shut {g}" for g in gates where g is not closed: mark g.closed
        option up "Open {g}" for g in gates where g.closed: clear g.closed
        option reach "Reach {c}" for c in connected to a1 through n where n.height = 0: raise c.height by 1
"""


def test_rules_that_watch_look_when_something_is_written_that_a_way_reads(tmp_path: Path) -> None:
    table = ichiba.load(ruleset(tmp_path, files_of(WATCHED + TWICE)), 2, trust=True).start(1)
    table.play("shut/dawn")
    assert table.ask("rung") == 0
    table.play("shut/moon")
    assert table.ask("rung") == 1


TWICE = """
play:
    take turns from seat(1) until false, at most 18 times: turn
"""


@pytest.mark.parametrize("native_too", [False, True])
def test_it_is_the_same_to_the_second_reading(native_too: bool, tmp_path: Path) -> None:
    game = ichiba.load(ruleset(tmp_path, files_of(WATCHED + TWICE)), 2, trust=True)
    if native_too:
        native.compile_game(game)
    for seed in range(4):
        LockStep(game, seed).play(18)


def test_what_is_found_is_forgotten_with_a_copy_and_found_again(tmp_path: Path) -> None:
    """What has been tried out on a copy, or taken back, is not remembered as if it had happened."""
    game = ichiba.load(ruleset(tmp_path, files_of(WATCHED + TWICE)), 2, trust=True)
    table = game.start(1)
    way = "shortest way from sun to star through n where n is not closed else 9"
    table.play("shut/dawn")
    other = table.copy()
    other.play("shut/moon")
    assert [other.ask(way), table.ask(way), other.ask(way)] == [9, 2, 9]
    other.save(tmp_path / "kept.json")
    again = load_save(tmp_path / "kept.json", lambda *given, **more: game)
    assert [again.ask(way), table.ask(way)] == [9, 2]


HIDDEN = BOX.replace(", stall: {count: 3}", "") + """
add to seat:
    counter secret: 0 .. 9, hidden from others

procedure turn:
    menu actions:
        option on "On" when shortest way from sun to star through n where n.crowd < next_seat(me).secret else 9 > 2: gain 1 coin from bank
        option off "Off {count of (connected to sun through n where n.crowd < next_seat(me).secret)}": gain 1 coin from bank

policy nosy:
    prefer "on" by cheapest way from sun to star over e by next_seat(me).secret else 9
"""


def test_what_ways_look_at_must_be_seen_by_whoever_is_asked(tmp_path: Path) -> None:
    made = judged(tmp_path, HIDDEN, Config(2))
    assert sorted(fault.code for fault in made.faults if fault.severity == "error") == ["E521", "E522", "E532"], made.text
