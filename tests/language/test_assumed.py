"""Claims about what a table may choose instead: assumptions, whole or name by name, and lists of boards."""

from dataclasses import replace
from pathlib import Path

import pytest

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.world.assumed import usual
from ichiba.dsl.world.world import Config, World
from tests.language.tiny import Tiny, files_of, rules, ruleset

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
pieces: {gem: {flour: {}, bran: {count: 2}}}
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
    tiny = mill(tmp_path, Config(2, assumptions=(("A-4", {"bran": 9}),)))
    assert not tiny.faults and pieces(tiny.world) == {"flour": 4, "bran": 9}


def test_it_can_be_said_what_an_assumption_is_usually(tmp_path: Path) -> None:
    game = """
# game.yaml
numbers: {wage: {is: 5, assumption: A-1}, fare: 2}
tables: {price: {index: number, values: [2,
  3], assumption: A-1}, toll: {index: number, values: [1]}}
pieces:
  gem: {is: stone, sorts: [red, green, blue], count: 4, in: bag, assumption: A-1}
  coal: {sorts: {fine: {count: 2}}, in: pit, assumption: A-1}
  salt: {count: 3, in: pit}
things: {stall: {count: 3, assumption: A-1}, rung: {each: [{height: 1}], assumption: A-1}, step: {count: 2}}
"""
    box = read_box(ruleset(tmp_path, files_of(MILL.replace(MILL[: MILL.index("# market.rules")], game))), (), Faults())
    assert usual(box, "A-1") == ["wage: 5", "price: [2, 3]", "gem: 4", "stall: 3"]
    assert usual(box, "A-2") == ["mill.rent: 3", "mill.room: 4"]
    assert usual(box, "A-3") == []


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
        ({"A-3": 5}, "A-3: the things `rung` are given as a list\n  = `[{price: 5}, …]`"),
        ({"A-3": []}, "A-3: the things `rung` are given as a list\n  = `[{price: 5}, …]`"),
        ({"A-3": [{"height": 2}, 4]}, "A-3: the things `rung` are given as a list\n  = `[{price: 5}, …]`"),
    ],
)
def test_what_an_assumption_does_not_cover_is_told(
    tmp_path: Path, assumptions: dict[str, object], said: str
) -> None:
    text = mill(tmp_path, Config(2, assumptions=tuple(assumptions.items()))).text
    assert text.startswith(f"error[E411]: {said}\n\n")


@pytest.mark.parametrize(
    ("assumptions", "said"),
    [
        ({"A-1": {"wage": True}}, "A-1: `wage` cannot be True\n  = it is a number, or written like in the game's file\n  = the game has 5"),
        ({"A-1": None}, "nothing is given for A-1\n  = leave it out, or say a value"),
        ({"A-2": {"mill.rent": []}}, "A-2: `mill.rent` cannot be []\n  = it is a number, or written like in the game's file\n  = the game has 3"),
    ],
)
def test_an_override_of_another_form_is_told_by_its_name(
    tmp_path: Path, assumptions: dict[str, object], said: str
) -> None:
    text = mill(tmp_path, Config(2, assumptions=tuple(assumptions.items()))).text
    assert text == f"error[E411]: {said}\n\n1 error"


RANKS = """
# game.yaml
numbers: {fee: {is: 3, assumption: A-6, least: 1, most: 2 * seats}}
tables:
  prize: {index: [seats, rank], values: {2: [9, 5], 3: [9, 6, 3]}, shape: decreasing, assumption: A-5, least: 0, most: 20}
"""


@pytest.mark.parametrize(
    ("id", "given", "said"),
    [
        ("A-5", {"2": [8, 4]}, ""),
        ("A-5", {"prize": {"3": [8, 4, 2]}}, ""),
        ("A-5", {2: [8]}, "error[E411]: A-5: `prize` cannot be {2: [8]}\n  = it needs an entry for 2 2\n"),
        ("A-5", [8, 4], "error[E411]: A-5: `prize` cannot be [8, 4]\n  = it needs an entry for 2 1, 2 2, 3 1, 3 2, …\n"),
        ("A-5", 7, "error[E411]: A-5: `prize` cannot be 7\n  = it is a list of numbers, or a map of some of its entries\n"),
        ("A-5", {2: [21, 4]}, "error[E106]: A-5: `prize` cannot be 21\n  = it is at least 0 and at most 20\n"),
        ("A-6", 5, "error[E106]: A-6: `fee` cannot be 5\n  = it is at least 1 and at most 4\n"),
        ("A-6", "twoo", "error[E205]: no number or option is called `twoo`\n  ┌─ assumption A-6:1:1\n"),
    ],
)
def test_an_override_is_checked_like_the_file(id: str, given: object, said: str, tmp_path: Path) -> None:
    text = rules(tmp_path, RANKS, Config(2, assumptions=((id, given),))).text
    assert text.startswith(said or "no faults")


def test_some_entries_of_a_table_are_given_and_the_others_stay(tmp_path: Path) -> None:
    rows = rules(tmp_path, RANKS, Config(2, assumptions=(("A-5", {"2": [8, 4]}),))).world.tables["prize"].rows
    assert rows == {(2, 1): 8, (2, 2): 4, (3, 1): 9, (3, 2): 6, (3, 3): 3}


def test_the_range_of_a_counter_follows_the_number_of_pieces(tmp_path: Path) -> None:
    chunk = """
add to table:
    counter reds: 0 .. count of red
    counter gems: 0 .. count of gem + 1
# game.yaml
pieces: {gem: {sorts: [red, green], count: 4, in: bag, assumption: A-7}}
"""
    world = rules(tmp_path, chunk, Config(2, assumptions=(("A-7", {"red": 11}),))).world
    assert (world.table["reds"].high, world.table["gems"].high) == (11, 16)


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


CHANGED = """
# game.yaml
options: {pace: {from: 1, to: 9, otherwise: 2}, quick: {flag: false}}
numbers: {rounds: 3, toll: {is: 8, assumption: A-2}, wage: {is: 5, assumption: A-1}, fare: {is: 2, assumption: A-1}, fee: {is: wage + 1}}
# variants/dear.yaml
variant: dear
rules: |
    change wage to 9
    change pace to 4
    change quick to true
# variants/dearer.yaml
variant: dearer
rules: change wage to wage + 2
"""


@pytest.mark.parametrize(
    ("variant", "config", "said"),
    [
        ("dear", Config(2, assumptions=(("A-1", {"wage": 7}),)), "error[E411]: `wage` is changed to 9 by `dear`, and A-1 gives 7"),
        ("dear", Config(2, assumptions=(("A-1", 7),)), "error[E411]: `wage` is changed to 9 by `dear`, and A-1 gives 7"),
        ("dear", Config(2, options=(("pace", 5),)), "error[E402]: the option `pace` is changed to 4 by `dear`, and 5 is given"),
        ("dear", Config(2, options=(("quick", True), ("pace", 5))), "error[E402]: the option `pace` is changed to 4 by `dear`, and 5 is given"),
        ("dear", Config(2, assumptions=(("A-2", 7),)), ""),
        ("dear", Config(2, options=(("quick", False),)), "error[E402]: the option `quick` is changed to true by `dear`, and false is given"),
        ("dear", Config(2, options=(("quick", True), ("pace", 4)), assumptions=(("A-1", 9),)), ""),
        ("dear", Config(2, assumptions=(("A-1", {"fare": 7}),)), ""),
        ("dearer", Config(2, assumptions=(("A-1", {"wage": 7}),)), ""),
    ],
)
def test_what_is_given_and_changed_by_rules_is_told_unless_it_comes_to_the_same(
    variant: str, config: Config, said: str, tmp_path: Path
) -> None:
    tiny = rules(tmp_path, CHANGED, replace(config, variants=(variant,)))
    assert tiny.text.startswith(said) and tiny.text.count("error") == (2 if said else 0), tiny.text
    if not said:
        assert (tiny.world.numbers["wage"][0], tiny.world.numbers["fee"][0]) == (9, 10)


@pytest.mark.parametrize(
    ("given", "fares", "chips"),
    [
        ({"A-1": {2: 9}}, [1, 9, 3], 3),
        ({"A-1": {"fare": {2: 9}}}, [1, 9, 3], 3),
        ({"A-2": {2: 5}}, [1, 2, 3], 5),
        ({"A-2": {3: 5}}, [1, 2, 3], 3),
        ({"A-2": {"chip": {2: 6}}}, [1, 2, 3], 6),
        ({"A-2": 7}, [1, 2, 3], 7),
    ],
)
def test_what_is_written_as_a_map_is_given_as_a_map_beside_others_that_are_not(
    given: dict[str, object], fares: list[int], chips: int, tmp_path: Path
) -> None:
    chunk = "add to table:\n    zone pile of chip\n"
    tables = "{price: [2, 3, 5], fare: {values: [1, 2, 3], assumption: A-1}, toll: [4, 5]}"
    pieces = "{gem: {is: stone, sorts: [red, green, blue], count: 4, in: bag}, chip: {count: {2: 3, 3: 4}, assumption: A-2, in: pile}}"
    tiny = rules(tmp_path, chunk, Config(2, assumptions=tuple(given.items())), tables=tables, pieces=pieces)
    assert not tiny.faults, tiny.text
    assert [tiny.world.tables["fare"].rows[at,] for at in (1, 2, 3)] == fares
    assert [sort.number for sort in tiny.world.sorts if sort.family == "chip"] == [chips]
