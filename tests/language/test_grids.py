"""Claims about grids: places in rows and columns, what lies beside what, and how a wrong one is told."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.world.nets import beside, net_of
from tests.language.test_corners import answers
from tests.language.tiny import Tiny, check, files_of, read, ruleset
from tests.reference.lockstep import LockStep

CELLS = "kind cell is node:\n    field height: number = 1\n    remember holder: seat or none\n"


def laid(folder: Path, grid: str, rules: str = CELLS) -> Tiny:
    return read(folder, {"game.yaml": f"things: {{stall: {{count: 3}}, cell: {{{grid}}}}}\n", "cells.rules": rules})


def around(tiny: Tiny, name: str) -> list[str]:
    near = {tiny.world.thing(here).name: there for here, there in beside(tiny.world).items()}
    return [tiny.world.thing(there).name for there in near.get(name, ())]


def test_places_go_by_row_and_column(tmp_path: Path) -> None:
    tiny = laid(tmp_path, "grid: 2 x 3, without: [a2], each: {b3: {height: 4}}")
    assert tiny.faults == ()
    cell = tiny.world.kinds["cell"]
    assert [tiny.world.thing(id).name for id in cell.things] == ["a1", "a3", "b1", "b2", "b3"]
    assert [cell.fields["row"].values[id] for id in cell.things] == [1, 1, 2, 2, 2]
    assert [cell.fields["column"].values[id] for id in cell.things] == [1, 3, 1, 2, 3]
    assert [cell.fields["height"].values[id] for id in cell.things] == [1, 1, 1, 1, 4]


def test_behind_row_z_comes_row_aa(tmp_path: Path) -> None:
    tiny = laid(tmp_path, "grid: 54 x 1")
    names = [tiny.world.thing(id).name for id in tiny.world.kinds["cell"].things]
    assert names[24:29] == ["y1", "z1", "aa1", "ab1", "ac1"] and names[51:] == ["az1", "ba1", "bb1"]


def test_the_sides_of_a_grid_may_be_worked_out(tmp_path: Path) -> None:
    assert len(laid(tmp_path, "grid: rounds x rounds + 1").world.kinds["cell"].things) == 12


@pytest.mark.parametrize(
    ("grid", "place", "near"),
    [
        ("grid: 3 x 3", "b2", "a2 b1 b3 c2"),
        ("grid: 3 x 3", "a1", "a2 b1"),
        ("grid: 3 x 3, without: [a2]", "a1", "b1"),
        ("grid: 3 x 3, corners: true", "b2", "a1 a2 a3 b1 b3 c1 c2 c3"),
        ("grid: 3 x 3, hex: true", "b2", "a2 a3 b1 b3 c2 c3"),
        ("grid: 3 x 3, hex: true", "c2", "b1 b2 c1 c3"),
        ("grid: 1 x 1", "a1", ""),
    ],
)
def test_what_lies_beside_a_place(grid: str, place: str, near: str, tmp_path: Path) -> None:
    assert around(laid(tmp_path, grid), place) == near.split()


@pytest.mark.parametrize("shape", ["", ", hex: true", ", corners: true"])
def test_what_lies_beside_another_has_it_beside_itself(shape: str, tmp_path: Path) -> None:
    """In a grid of any shape; and as far apart as the middles of squares or hexes that touch."""
    tiny = laid(tmp_path, f"grid: 5 x 6{shape}")
    places = {name: at for grid in tiny.world.grids for at, id in grid.cells.items() for name in [tiny.world.thing(id).name]}
    for one, other in product(places, repeat=2):
        (r, c), (s, d) = places[one], places[other]
        down, right = abs(r - s), abs(c - d)
        if "hex" in shape:  # in half places: every second row stands one of them to the right
            halves = abs((2 * c + (r % 2 == 0)) - (2 * d + (s % 2 == 0)))
            touch = (down, halves) in ((0, 2), (1, 1))
        else:
            touch = max(down, right) == 1 and (down + right == 1 or "corners" in shape)
        assert (other in around(tiny, one)) == touch, (one, other)


def test_a_grid_keeps_nothing_in_the_state_and_has_no_connections(tmp_path: Path) -> None:
    tiny = laid(tmp_path, "grid: 9 x 12", "kind cell is node:\n    flag seen\n")
    assert len(net_of(tiny.world).steps) == 2 * (8 * 12 + 9 * 11)
    assert tiny.world.kinds["edge"].things == []
    assert [member.size for member in tiny.world.kinds["cell"].members.values()] == [108]


def test_a_kind_of_places_need_not_be_declared(tmp_path: Path) -> None:
    chunk = """
# game.yaml
things: {stall: {count: 3}, cell: {grid: 3 x 3}}
# play.rules
procedure turn: nothing
value near(c: cell) -> number: count of (d in beside(c) where d.row = c.row)
"""
    check(tmp_path, chunk)


RULES = """
# game.yaml
things: {stall: {count: 3}, cell: {grid: 3 x 3}}
# play.rules
kind cell is node:
    counter seen: 0 .. 9
procedure turn:
    for each c in cells:
        for each d in beside(c): raise d.seen by 1
    menu wait:
        option on "On": nothing
        option off "Off": nothing
"""


def test_the_rules_ask_what_lies_beside(tmp_path: Path) -> None:
    asked = answers(tmp_path, RULES, "b2.seen", "a1.seen", "count of beside(b1)", "sum of (c.row * c.column for c in beside(b2))")
    assert asked == [4, 2, 3, 2 + 2 + 6 + 6]


@pytest.mark.parametrize(
    ("grid", "message", "label"),
    [
        ("grid: 3", "a grid is so many rows by so many columns", "rows and columns, like `grid: 9 x 12`"),
        ("grid: 3 x", "a grid is so many rows by so many columns", "rows and columns, like `grid: 9 x 12`"),
        ("grid: [3, 4]", "a grid is so many rows by so many columns", "rows and columns, like `grid: 9 x 12`"),
        ("grid: 0 x 4", "a grid of 0 x 4 has no places", "rows and columns, like `grid: 9 x 12`"),
        ("grid: 101 x 100", "a grid of 101 x 100 has 10,100 places", "10,000 are the most"),
        ("grid: 3 x 4, without: [d1]", "`d1`, which is left out, is no place of this grid", "they go from `a1` to `c4`"),
        ("grid: 3 x 4, each: {z1: {height: 3}}", "`z1`, which is described, is no place of this grid", "they go from `a1` to `c4`"),
        ("grid: 3 x 4, without: [a1], each: {a1: {height: 3}}", "`a1` is left out of this grid", "say nothing of it, or keep it"),
        ("grid: 3 x 4, hex: true, corners: true", "in a hex grid nothing touches at a corner alone", "leave this out"),
        ("count: 3, hex: true", "`hex` is said of a grid", "write `grid: 9 x 12` too, or leave this out"),
        ("grid: 3 x 4, count: 7", "a grid says itself which places there are", "leave this out"),
    ],
)
def test_a_grid_that_cannot_be_laid_out_is_told(grid: str, message: str, label: str, tmp_path: Path) -> None:
    [fault] = laid(tmp_path, grid).faults
    assert (fault.code, fault.message, fault.label) == ("E114", message, label)


def test_two_grids_together_may_be_too_large(tmp_path: Path) -> None:
    game = "things: {stall: {count: 3}, cell: {grid: 90 x 90}, plot: {grid: 50 x 50}}\n"
    [fault] = read(tmp_path, {"game.yaml": game}).faults
    assert (fault.code, fault.label) == ("E114", "10,000 are the most, and 8,100 are there already")


def test_the_kind_of_a_grid_is_one_of_places(tmp_path: Path) -> None:
    assert laid(tmp_path, "grid: 3 x 3", "kind cell is thing:\n    flag seen\n").text.rpartition("\n\n")[0] == """\
error[E114]: `cell` is no kind of places
  ┌─ tiny/game.yaml:1:29
 1│ things: {stall: {count: 3}, cell: {grid: 3 x 3}}
  │                             ^^^^ `kind cell is node:`
  ┌─ tiny/cells.rules:1:6
 1│ kind cell is thing:
  │      ---- declared here"""


def test_row_and_column_are_there_already(tmp_path: Path) -> None:
    tiny = laid(tmp_path, "grid: 3 x 3", "kind cell is node:\n    field row: number = 1\n    counter column: 0 .. 3\n")
    assert [(fault.code, fault.message) for fault in tiny.faults] == [
        ("E206", "every place of a grid has its `row` already"),
        ("E206", "every place of a grid has its `column` already"),
    ]


def test_a_field_that_some_places_lack_is_told_of_one(tmp_path: Path) -> None:
    tiny = laid(tmp_path, "grid: 1 x 2, each: {a1: {height: 3}}", "kind cell is node:\n    field height: number\n")
    assert [(fault.code, fault.message) for fault in tiny.faults] == [("E102", "`a2` has no `height`")]


def test_a_grid_beside_a_map_is_no_island(tmp_path: Path) -> None:
    made = {
        "game.yaml": "map: north.yaml\nthings: {gate: {from: gates}, road: {edges: roads}, cell: {grid: 2 x 2}, stall: {count: 3}}\n",
        "north.yaml": "gates: [{id: sun}, {id: moon}]\nroads: [[sun, moon], [moon, b2]]\n",
        "town.rules": "kind gate is node:\n    flag open\n\nkind road is edge:\n    flag built\n",
    }
    tiny = read(tmp_path, made)
    assert tiny.faults == ()
    assert around(tiny, "b2") == ["a2", "b1", "moon"] and around(tiny, "moon") == ["sun", "b2"]


@pytest.mark.parametrize(
    "laid_out", ["grid: 3 x 3", "grid: 3 x 3, hex: true, without: [b2]", "grid: rounds x 3, corners: true, each: {a2: {height: 4}}"]
)
def test_the_second_reading_lays_out_the_same_grid(laid_out: str, tmp_path: Path) -> None:
    rules = RULES.replace("grid: 3 x 3", laid_out).replace("counter seen: 0 .. 9", "counter seen: 0 .. 99\n    field height: number = 1")
    rules = rules.replace("raise d.seen by 1", "raise d.seen by c.row + d.column * c.height")
    game = ichiba.load(ruleset(tmp_path, files_of(rules)), 2, trust=True)
    LockStep(game, 1).play(5)
