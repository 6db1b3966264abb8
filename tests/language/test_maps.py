"""Claims about map files: one that does not hang together is told of, with the place in the map."""

from pathlib import Path

import pytest

from ichiba.table.checking import check
from tests.language.tiny import read, ruleset

GAME = """\
map: maps/{town}.yaml
options: {town: {one_of: [north, south], otherwise: north}}
things:
  quarter: {from: quarters}
  gate: {from: gates}
  road: {edges: roads}
"""
RULES = """\
kind quarter is thing:
    field cards: number

kind gate is node:
    field quarter: quarter
    field market: flag

kind road is edge:
    flag built
"""
MAP = """\
map: {id: north, name: North, counts: {quarters: 2, quarters.cards: 5, gates: 3, gates.market: 1, roads: 2}}
quarters: [{id: old, cards: 2}, {id: new, cards: 3}]
gates:
  - {id: sun, quarter: old, market: true, x: 1, y: 2}
  - {id: moon, quarter: old}
  - {id: star, quarter: new}
roads:
  - [sun, moon]
  - [moon, star]
"""


def files(*changes: tuple[str, str], **others: str) -> dict[str, str]:
    text = MAP
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return {"game.yaml": GAME, "town.rules": RULES, "maps/north.yaml": text, "maps/south.yaml": MAP, **others}


def said(folder: Path, *changes: tuple[str, str]) -> str:
    return read(folder, files(*changes)).text.rpartition("\n\n")[0]


def test_a_map_that_hangs_together_is_read_without_a_word(tmp_path: Path) -> None:
    assert read(tmp_path, files()).faults == ()


@pytest.mark.parametrize(
    ("change", "message", "place", "label"),
    [
        (("quarter: new}", "}"), "E102]: `star` has no `quarter`", ":6:5", "a quarter is needed"),
        (("quarter: new}", "quarter: news}"), "E205]: `news` is not a quarter", ":6:25", "did you mean `new`?"),
        (("[moon, star]", "[moon, stat]"), "E110]: `stat` is no place on this map", ":9:12", "did you mean `star`?"),
        (("[moon, star]", "[moon, moon]"), "E110]: this leads from a place to itself", ":9:5", ""),
        (("[moon, star]", "[moon, sun]"), "E206]: moon and sun are connected twice", ":9:5", ""),
        (("cards: 3", "cards: 4"), "E112]: the count of `quarters.cards` is wrong", ":1:69", "`cards` of all `quarters` comes to 6"),
        (("market: true", "market: false"), "E112]: the count of `gates.market` is wrong", ":1:96", "`market` of all `gates` comes to 0"),
        (("  - [moon, star]\n", ""), "E112]: the count of `roads` is wrong", ":1:106", "there are 1 `roads`"),
        (("roads: 2", "raods: 2"), "E205]: this map has no list `raods`", ":1:99", "did you mean `roads`?"),
        (("roads: 2", "roads: two"), "E103]: a count is a whole number", ":1:106", ""),
        (("x: 1", "hight: 1"), "E101]: the gate `sun` has no key `hight`", ":4:43", ""),
        (("quarters: [", "quarter: []\nquarters: ["), "E101]: the map file has no key `quarter`", ":2:1", "did you mean `quarters`?"),
        (("name: North", "nam: North"), "E101]: the head of a map file has no key `nam`", ":1:18", "did you mean `name`?"),
    ],
)
def test_a_slip_is_found_at_its_place(change: tuple[str, str], message: str, place: str, label: str, tmp_path: Path) -> None:
    text = said(tmp_path, change)
    assert f"error[{message}\n" in text
    assert f"┌─ tiny/maps/north.yaml{place}\n" in text
    assert label in text


TOLL = """
    field toll: number = 1
    field kind: one of sand or stone = sand
"""


def roads_with(listed: str, fields: str = TOLL) -> dict[str, str]:
    """The map with these roads, of which a road has these fields."""
    made = files(("roads: 2}", f"roads: {listed.count('[')}}}"), ("  - [sun, moon]\n  - [moon, star]\n", listed))
    return made | {"town.rules": RULES.replace("    flag built", f"{fields}    flag built")}


def test_connections_carry_fields(tmp_path: Path) -> None:
    listed = "  - [sun, moon]\n  - {between: [moon, star], toll: 9, kind: stone}\n  - {between: [sun, star], toll: 2 + 1}\n"
    made = roads_with(listed)
    made["maps/north.yaml"] = made["maps/north.yaml"].replace("roads: 3}", "roads: 3, roads.toll: 9}").replace("2 + 1", "4")
    tiny = read(tmp_path, made)
    assert [fault.message for fault in tiny.faults] == ["the count of `roads.toll` is wrong"]
    made["maps/north.yaml"] = made["maps/north.yaml"].replace("roads.toll: 9}", "roads.toll: 13}")
    tiny = read(tmp_path, made)
    assert tiny.faults == ()
    road = tiny.world.kinds["road"]
    assert [tiny.world.thing(id).name for id in road.things] == ["sun-moon", "moon-star", "sun-star"]
    assert [road.fields["toll"].values[id] for id in road.things] == [1, 9, 4]
    assert [road.fields["kind"].values[id] for id in road.things] == [0, 1, 0]
    assert [tiny.world.thing(road.fields["b"].values[id]).name for id in road.things] == ["moon", "star", "star"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("road", "fields", "fault"),
    [
        ("{between: [moon, star], tol: 9}", TOLL, "E101]: the road `moon-star` has no key `tol`"),
        ("{between: [moon, star], toll: dear}", TOLL, "E205]: no number or option is called `dear`"),
        ("{between: [moon, star], kind: clay}", TOLL, "E205]: `clay` is not one of sand_or_stone"),
        ("[moon, star]", "\n    field toll: number\n", "E102]: none of the roads states `toll`"),
        ("{between: [moon]}", TOLL, "E103]: `roads` lists pairs of places that are connected"),
        ("[moon, star, 9]", TOLL, "E103]: `roads` lists pairs of places that are connected"),
        ("{id: moon, toll: 9}", TOLL, "E103]: `roads` lists pairs of places that are connected"),
        ("moon", TOLL, "E103]: `roads` lists pairs of places that are connected"),
        ("{between: [moon, moon], toll: 9}", TOLL, "E110]: this leads from a place to itself"),
        ("{between: [moon, sun], toll: 9}", TOLL, "E206]: moon and sun are connected twice"),
        ("{between: [moon, stat], toll: 9}", TOLL, "E110]: `stat` is no place on this map"),
    ],
)
def test_a_slip_in_a_connection_is_told(road: str, fields: str, fault: str, tmp_path: Path) -> None:
    made = roads_with(f"  - [sun, moon]\n  - {road}\n", fields)
    for said in (", roads: 1}", ", roads: 2}"):
        made["maps/north.yaml"] = made["maps/north.yaml"].replace(said, "}")
    assert f"error[{fault}" in read(tmp_path, made).text


def test_one_connection_among_others_lacks_a_field(tmp_path: Path) -> None:
    listed = "  - {between: [sun, moon], toll: 3}\n  - [moon, star]\n"
    assert read(tmp_path, roads_with(listed, "\n    field toll: number\n")).text.rpartition("\n\n")[0] == """\
error[E102]: `moon-star` has no `toll`
  ┌─ tiny/maps/north.yaml:9:5
 9│   - [moon, star]
  │     ^^^^^^^^^^^^ a number is needed: write `toll: …`
  ┌─ tiny/town.rules:10:11
10│     field toll: number
  │           ---- declared here"""


ISLANDS = ("  - [moon, star]\n", "  - [star, dawn]\n")
DAWN = ("quarter: new}", "quarter: new}\n  - {id: dawn, quarter: new}")
FOUR = ("gates: 3", "gates: 4")


def test_a_map_falls_apart(tmp_path: Path) -> None:
    assert said(tmp_path, DAWN, ISLANDS, FOUR) == """\
error[E113]: this map falls apart into 2 islands
  ┌─ tiny/maps/north.yaml:1:1
 1│ map: {id: north, name: North, counts: {quarters: 2, quarters.cards: 5, gates: 4, gates.market: 1, roads: 2}}
  │ ^^^ `islands: 2` says that this is meant
  = nothing leads from the others to: sun, moon"""


def test_islands_that_are_meant_are_no_fault(tmp_path: Path) -> None:
    assert said(tmp_path, DAWN, ISLANDS, FOUR, ("name: North", "name: North, islands: 2")) == ""


def test_what_a_module_takes_out_of_the_map_is_known_while_it_is_off(tmp_path: Path) -> None:
    bridges = "module: bridges\nthings: {bridge: {edges: bridges}}\nrules: |\n  kind bridge is edge:\n      flag open\n"
    made = files(("quarters: [", "bridges: [[sun, star]]\nquarters: [")) | {"modules/bridges/module.yaml": bridges}
    assert read(tmp_path, made).faults == ()


def test_every_map_that_can_be_chosen_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # no process of its own
    made = files() | {"maps/south.yaml": MAP.replace("cards: 3", "cards: 4")}
    (fault,) = [fault for fault in check(ruleset(tmp_path, made), jobs=1).faults if fault.severity == "error"]
    assert fault.message == "the count of `quarters.cards` is wrong"
    assert fault.notes == ("found with 2 seats on town south",)


ANY = GAME.replace("[north, south]", "maps/*.yaml")


def test_all_files_of_a_folder_can_be_chosen_among(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # no process of its own
    made = files() | {"game.yaml": ANY, "maps/harbour.yaml": MAP.replace("cards: 3", "cards: 4").replace("cards: 5", "cards: 6")}
    assert read(tmp_path, made).world.enums["town"].values == ("harbour", "north", "south")
    assert {fault.severity for fault in check(ruleset(tmp_path, made), jobs=1).faults} == {"warning"}
    made["maps/harbour.yaml"] = MAP.replace("cards: 3", "cards: 4")
    (fault,) = [fault for fault in check(ruleset(tmp_path, made), jobs=1).faults if fault.severity == "error"]
    assert fault.notes == ("found with 2 seats on town harbour",)


@pytest.mark.parametrize(
    ("pattern", "message", "label"),
    [
        ("plans/*.yaml", "E001]: there is no file in `plans`", ""),
        ("../*.yaml", "E103]: `one_of` lists words, or says which files", "like `[a, b]`, or `maps/*.yaml`"),
        ("maps/n*.yaml", "E103]: `one_of` lists words, or says which files", "like `[a, b]`, or `maps/*.yaml`"),
        ("towns/*.yaml", "E106]: `New Town.yaml` cannot be chosen: its name is not a plain word", ""),
    ],
)
def test_files_that_cannot_be_chosen_among(tmp_path: Path, pattern: str, message: str, label: str) -> None:
    made = files() | {"game.yaml": GAME.replace("[north, south]", pattern), "towns/New Town.yaml": MAP, "towns/north.yaml": MAP}
    text = read(tmp_path, made).text
    assert f"error[{message}" in text and label in text
