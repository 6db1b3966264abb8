"""Claims about what a table may choose instead: assumptions, whole or name by name, and lists of boards."""

from pathlib import Path

import pytest

from ichiba.dsl.world import Config, World
from tests.language.tiny import Tiny, rules

MILL = """
# game.yaml
options:
  mills: {list_of: market, where: market.fewest_seats <= seats, else: it needs more seats}
numbers: {wage: {is: 5, assumption: A-1}, fare: {is: 2, assumption: A-1}}
things: {rung: {each: [{height: 1}, {height: 4}], assumption: A-3}}
# market.rules
kind rung is thing:
    field height: number
kind market is board:
    field rent: number
    field room: number
    field fewest_seats: number = 2
table:
    zone open of market, in play
setup:
    for each m in mills: move m to open
# boards/mill.yaml
board: mill
kind: market
rent: 3
room: 4
pieces: {gem: {flour: {}, bran: {number: 2}}}
assumptions: {rent: A-2, room: A-2, pieces: [A-2, A-4]}
# boards/bakery.yaml
board: bakery
kind: market
rent: 9
room: 9
fewest_seats: 3
"""


def mill(tmp_path: Path, config: Config) -> Tiny:
    return rules(tmp_path, MILL, config)


def fields(world: World, kind: str, name: str) -> list[object]:
    return [world.kinds[kind].fields[name].values[id] for id in world.kinds[kind].things]


def pieces(world: World) -> dict[str, int]:
    return {sort.name: sort.number for sort in world.sorts if sort.name in ("flour", "bran")}


def test_an_assumption_is_overridden_as_a_whole_or_name_by_name(tmp_path: Path) -> None:
    world = mill(tmp_path, Config(2, assumptions=(("A-1", 7),))).world
    assert (world.numbers["wage"][0], world.numbers["fare"][0]) == (7, 7)
    world = mill(tmp_path, Config(2, assumptions=(("A-1", {"fare": 7}),))).world
    assert (world.numbers["wage"][0], world.numbers["fare"][0]) == (5, 7)


def test_what_a_board_assumes_is_named_with_the_board(tmp_path: Path) -> None:
    given = {"mill.room": 6, "mill.pieces": {"bran": 9}}
    world = mill(tmp_path, Config(2, assumptions=(("A-2", given),))).world
    assert fields(world, "market", "rent") == [9, 3] and fields(world, "market", "room") == [9, 6]
    assert pieces(world) == {"flour": 4, "bran": 9}
    world = mill(tmp_path, Config(2, assumptions=(("A-4", {"mill.pieces": {"flour": 0}}),))).world
    assert pieces(world) == {"flour": 0, "bran": 2}


def test_a_list_of_things_is_overridden_as_a_list(tmp_path: Path) -> None:
    world = mill(tmp_path, Config(2, assumptions=(("A-3", [{"height": 2}, {"height": 5}, {"height": 7}]),))).world
    assert fields(world, "rung", "height") == [2, 5, 7]


@pytest.mark.parametrize(
    ("assumptions", "said"),
    [
        ({"A-9": 1}, "there is no assumption `A-9`\n  = did you mean `A-1`?\n  = assumptions: A-1, A-2, A-3, A-4"),
        (
            {"A-2": {"mill.room": 6, "mill.rom": 5}},
            "A-2 does not cover `mill.rom`\n  = did you mean `mill.room`?\n"
            "  = it covers: mill.pieces, mill.rent, mill.room",
        ),
        ({"A-1": {"wages": 7}}, "A-1 does not cover `wages`\n  = did you mean `wage`?\n  = it covers: fare, wage"),
        (
            {"A-2": {"bakery.rent": 6}},
            "A-2 does not cover `bakery.rent`\n  = it covers: mill.pieces, mill.rent, mill.room",
        ),
        ({"A-3": 5}, "the things `rung` are given as a list\n  = `[{price: 5}, …]`"),
    ],
)
def test_what_an_assumption_does_not_cover_is_told(
    tmp_path: Path, assumptions: dict[str, object], said: str
) -> None:
    text = mill(tmp_path, Config(2, assumptions=tuple(assumptions.items()))).text
    assert text.startswith(f"error[E411]: {said}\n\n")


@pytest.mark.parametrize(
    ("seats", "boards", "said"),
    [
        (2, ["mill"], ""),
        (3, ["bakery", "mill"], ""),
        (2, ["bakery"], "`bakery` cannot be in the option `mills`\n  = it needs more seats\n  = there are: mill"),
        (2, ["mill", "mill"], "`mill` stands 2 times in the option `mills`\n  = there is one of it"),
        (2, ["mil"], "`mil` in the option `mills` is no market\n  = did you mean `mill`?\n  = there are: bakery, mill"),
    ],
)
def test_a_list_of_boards_has_each_once_and_only_those_that_are_allowed(
    tmp_path: Path, seats: int, boards: list[str], said: str
) -> None:
    text = mill(tmp_path, Config(seats, options=(("mills", boards),))).text
    assert text == (f"error[E402]: {said}\n\n1 error" if said else "no faults")
