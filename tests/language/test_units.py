"""Claims about amounts: wherever one can stand its unit is read and held against what is needed there."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.dsl.world.kinds import number
from ichiba.dsl.world.world import Config
from tests.language.tiny import Tiny, files_of, read

KIND = "kind crate is thing:\n    field worth: coin = {default}\n    counter load: 0 .. 9\n"
TURN = "procedure turn:\n    for each s in seats:\n        as s:\n            {statement}\n"

# Where an amount can stand: with `@` for it, which has to be in coins.
RULES = {
    "low": "add to seat:\n    counter fame: @ .. $120\n",
    "high": "add to seat:\n    counter fame: $0 .. @\n",
    "start of a counter": "add to seat:\n    counter fame: $0 .. $120 start @\n",
    "start of a purse": "add to seat:\n    purse more: coin start @\n",
    "default of a field": "# game.yaml\nthings: {crate: {count: 2}, stall: {count: 3}}\n# play.rules\n"
    "kind crate is thing:\n    field worth: coin = @\n",
    "default of a memory": "add to seat:\n    remember last: coin = @\n",
    "gain": TURN.format(statement="gain @ from bank"),
    "pay": TURN.format(statement="pay @ to bank even into debt"),
    "cost": TURN.format(statement="may buy costs @: nothing"),
    "cost of two": TURN.format(statement="may buy costs @ and 1 red from my.hand to bag: nothing"),
    "lowest offer": TURN.format(statement="choose bid from @ to $9"),
    "highest offer": TURN.format(statement="choose bid from $0 to @"),
    "step of an offer": TURN.format(statement="choose bid from $0 to $9 step @"),
    "low end of a range": TURN.format(statement="for each n in @ .. $9: nothing"),
    "high end of a range": TURN.format(statement="for each n in $0 .. @: nothing"),
    "step of a range": TURN.format(statement="for each n in $0 .. $9 step @: nothing"),
    "sum": TURN.format(statement="gain $1 + @ from bank"),
    "comparison": TURN.format(statement="if my.cash > @: nothing"),
    "guard": "guard rich(s: seat): s.cash >= @\n",
    "value in a unit": "value fee -> coin: @\n",
    "what a block gives": "value fee -> coin:\n    give @\n",
    "argument": "procedure fine(n: coin): me gains n from bank\n\n" + TURN.format(statement="fine(@)"),
    "result": "procedure fine -> n: coin: give @\n",
    "let": TURN.format(statement="let n = @\n            gain n from bank"),
    "note": "kind gem is piece:\n    note price: coin\n\nadd to table:\n    zone shop of gem forgets price\n\n"
    + TURN.format(statement="move 1 red from bag to shop noting price: @"),
    "set": "add to seat:\n    counter fame: $0 .. $120\n\n" + TURN.format(statement="set my.fame to @"),
    "raise": "add to seat:\n    counter fame: $0 .. $120\n\n" + TURN.format(statement="raise my.fame by @"),
    "either": TURN.format(statement="gain (if round = 1 then $2 else @) from bank"),
    "set of amounts": TURN.format(statement="gain highest of {$1, @} from bank"),
    "least of two": TURN.format(statement="gain min($2, @) from bank"),
    "weight": "policy bold:\n    prefer \"pass\" by $2 + @\n",
    "invariant": "invariant rich: no (s in seats where s.cash > @)\n",
    "change of a number": "# game.yaml\nnumbers: {rounds: 3, fee: $2}\n# play.rules\nchange fee to @\n",
}  # fmt: skip
YAML = {
    "number": "numbers: {rounds: 3, fee: {is: @, unit: coin}}",
    "number of an expression": "numbers: {rounds: 3, fee: {is: $2 + @, unit: coin}}",
    "table": "tables: {price: [2, 3], fee: {values: [2, @], unit: coin}}",
    "table that goes on": "tables: {price: [2, 3], fee: {values: [2], then: @, unit: coin}}",
    "field of a thing": "things: {stall: {count: 3}, crate: {each: {big: {worth: @}}}}",
    "field of a sort": "pieces: {gem: {is: stone, sorts: {red: {face: @}, green: {face: $2}}, count: 4, in: bag}}",
    "option": "options: {fee: {from: $1, to: @}}",
    "option to begin with": "options: {fee: {from: $1, to: $9, otherwise: @}}",
}
PLAIN = {*YAML, "default of a memory", "low", "high", "start of a counter", "start of a purse", "default of a field", "change of a number"} - {
    "number of an expression",
    "field of a sort",
}
CRATE = "# play.rules\nkind crate is thing:\n    field worth: coin = $2\n"
FILES = ["assumption", "field of a board", "field of a node"]
BOARDS = "boards: {market: markets}\n"
BOARD_KIND = "kind market is board:\n    field fee: coin\n\nadd to table:\n    zone markets of board\n"
MAP_GAME = "map: maps/north.yaml\nthings: {gate: {from: gates}, road: {edges: roads}}\n"
MAP_KIND = "kind gate is node:\n    field toll: coin\n\nkind road is edge:\n    flag built\n"
MAP = """\
map: {id: north, name: North, counts: {gates: 2, roads: 1}}
gates: [{id: sun, name: Sun, toll: @}, {id: moon, name: Moon, toll: $1}]
roads: [[sun, moon]]
"""
PLACES = [*RULES, *YAML, *FILES]
PLAIN |= set(FILES)


def said(folder: Path, place: str, amount: str, config: Config | None = None) -> Tiny:
    if place == "assumption":
        game = "numbers: {rounds: 3, fee: {is: $2, unit: coin, assumption: A-1}}\n"
        return read(folder, {"game.yaml": game}, Config(2, assumptions=(("A-1", int(amount) if amount.isdigit() else amount),)))
    if place == "field of a board":
        files = {"game.yaml": BOARDS, "play.rules": BOARD_KIND, "boards/mill.yaml": f"board: mill\nkind: market\nfee: {amount}\n"}
        return read(folder, files)
    if place == "field of a node":
        files = {"game.yaml": MAP_GAME, "play.rules": MAP_KIND, "maps/north.yaml": MAP.replace("@", amount)}
        return read(folder, files)
    if place in YAML:
        game = YAML[place].replace("@", amount) + "\n"
        return read(folder, files_of("# game.yaml\n" + game + (CRATE if "crate" in game else "")), config)
    return read(folder, files_of(RULES[place].replace("@", amount)), config)


@pytest.mark.parametrize("amount", ["$3", "3 coin", "3 coins"])
@pytest.mark.parametrize("place", PLACES)
def test_an_amount_in_the_unit_that_is_needed_may_stand(place: str, amount: str, tmp_path: Path) -> None:
    assert not said(tmp_path, place, amount).faults, said(tmp_path, place, amount).text


@pytest.mark.parametrize("place", PLACES)
def test_an_amount_in_another_unit_is_refused(place: str, tmp_path: Path) -> None:
    told = said(tmp_path, place, "3 hours")
    assert told.codes & {"E301", "E307", "E504"}, told.text


@pytest.mark.parametrize("place", PLACES)
def test_an_amount_in_a_unit_that_is_none_is_refused(place: str, tmp_path: Path) -> None:
    told = said(tmp_path, place, "3 zork")
    assert told.codes & {"E205"}, told.text


@pytest.mark.parametrize("place", PLACES)
def test_a_plain_number_stands_only_where_the_unit_is_declared(place: str, tmp_path: Path) -> None:
    told = said(tmp_path, place, "3")
    assert bool(told.faults) == (place not in PLAIN), told.text


# ---------------------------------------------------------------------------------- how an amount is written

WRITTEN = {
    "${}k": ("$5k", "5 coins"),
    "{}k": ("5k", "5 coins"),
    "{} chips": ("5 chips", "5 coins"),
    "{} gold coins": ("5 coins",),  # for people alone
    "€ {}": ("5 coins",),
}


@pytest.mark.parametrize("write, way", [(write, way) for write, ways in WRITTEN.items() for way in ways if write != "€ {}"])
def test_an_amount_is_read_as_it_is_written(write: str, way: str, tmp_path: Path) -> None:
    game = f'units: {{coin: {{write: "{write}"}}, hour: {{}}}}\nnumbers: {{rounds: 3, wage: {way}}}\n'
    tiny = read(tmp_path, {"game.yaml": game, "play.rules": f"value fee -> coin: {way}\n\nadd to seat:\n    counter fame: 0 coins .. {way}\n"})
    assert not tiny.faults, tiny.text
    assert tiny.world.numbers["wage"] == (5, number("coin"))
    assert (tiny.world.seat["fame"].high, tiny.world.seat["fame"].kind) == (5, number("coin"))


def test_two_units_may_share_a_sign(tmp_path: Path) -> None:
    game = 'units: {coin: {write: "${}"}, purse: {write: "${}k"}, hour: {}}\nnumbers: {rounds: 3, little: $5, much: $5k}\n'
    tiny = read(tmp_path, {"game.yaml": game})
    assert [tiny.world.numbers[name] for name in ("little", "much")] == [(5, number("coin")), (5, number("purse"))]


@pytest.mark.parametrize(
    "units, code, message, label",
    [
        ('{coin: {write: "${}M"}, hour: {}}', "E103", "rules cannot say an amount as `${}M`",
         "a word in small letters may stand behind `${}`, or nothing"),
        ('{coin: {write: "$"}, hour: {}}', "E103", "`$` does not say where the amount stands", "it stands in the place of `{}`, once"),
        ('{coin: {write: "${}"}, hour: {write: "${}"}}', "E206", "`hour` is written like another unit",
         "`$5` would be an amount in coin as well"),
    ],
)  # fmt: skip
def test_a_way_to_write_amounts_that_could_not_be_read_is_refused(
    units: str, code: str, message: str, label: str, tmp_path: Path
) -> None:
    told = read(tmp_path, {"game.yaml": f"units: {units}\n"}).faults
    assert (code, message, label) in [(f.code, f.message, f.label) for f in told]


def test_an_amount_written_like_none_is_told_how_others_are(tmp_path: Path) -> None:
    told = read(tmp_path, {"play.rules": "value fee -> coin: $5k\n"}).faults
    assert [(f.code, f.message, f.label) for f in told] == [("E301", "no unit is written like `$5k`", "amounts are written `$5`")]


@pytest.mark.parametrize(
    "statement",
    ["gain $1,050 from bank", "pay $1,050 to bank even into debt", "may buy costs $1,050: nothing", "choose bid from $1,050 to $1,200",
     "choose bid from $0 to $1,050", "gain wage from bank"],
)  # fmt: skip
def test_an_amount_that_the_step_of_its_unit_does_not_reach_is_told_of(statement: str, tmp_path: Path) -> None:
    game = 'units: {coin: {write: "${}", step: 100}, hour: {}}\nnumbers: {rounds: 3, wage: $1050}\n'
    told = read(tmp_path, {"game.yaml": game, "play.rules": TURN.format(statement=statement)}).faults
    expected = ("E316", "$1,050 is no multiple of $100", "the nearest are $1,000 and $1,100")
    assert [(f.code, f.message, f.label) for f in told] == [expected]


def test_what_is_worked_out_is_not_held_to_the_step(tmp_path: Path) -> None:
    game = 'units: {coin: {write: "${}", step: 100}, hour: {}}\n'
    turn = TURN.format(statement="gain my.cash / 3 rounded up from bank\n            choose bid from $5 to $9 step $1")
    chunk = turn + "\npolicy meek:\n    prefer \"pass\" by $5\n"
    assert not read(tmp_path, {"game.yaml": game, "play.rules": chunk}).faults
