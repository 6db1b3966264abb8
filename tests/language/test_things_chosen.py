"""Claims about what is chosen and refused by what there is: options that are a thing, refusals that ask about the map."""

from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.world.world import Config
from tests.language.test_maps import GAME, MAP, RULES
from tests.language.tiny import Tiny, read
from tests.reference.lockstep import LockStep

MODULE = """\
module: ferry
options: {home: {one_of: gate}}
refuses:
  - {when: home is none and no (g in gates where g.pier and not g.market), because: no gate has a pier}
  - {when: any (g in gates where g.beside is empty and g.pier), because: a pier has nothing beside it}
  - {when: count of (g in gates where g.beside is empty) > 2, because: too few gates have something beside them}
"""
FERRY = """\
add to kind gate:
    field pier: flag
    field beside: set of gate
    flag reached

rule lands, after turn:
    for each g in gates where g is home or home is none and g.pier: mark g.reached
"""
PIER = ("id: moon, quarter: old", "id: moon, quarter: old, pier: true, beside: [sun]")
NEXT = ("id: sun, ", "id: sun, beside: [moon], ")


def files(*changes: tuple[str, str], module: str = MODULE) -> dict[str, str]:
    text = MAP
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    maps = {f"maps/{name}.yaml": text for name in ("north", "south")}
    return {"game.yaml": GAME, "town.rules": RULES, **maps, "modules/ferry/module.yaml": module, "modules/ferry/ferry.rules": FERRY}


def opened(folder: Path, *changes: tuple[str, str], on: bool = True, home: object = None, module: str = MODULE) -> Tiny:
    options = () if home is None else (("home", home),)
    return read(folder, files(*changes, module=module), Config(2, ("ferry",) if on else (), options=options))


def test_a_map_speaks_to_a_module_that_is_off(tmp_path: Path) -> None:
    assert opened(tmp_path, PIER, NEXT).faults == ()
    assert opened(tmp_path, PIER, NEXT, on=False).faults == ()
    slip = opened(tmp_path, ("id: moon", "pierr: true, id: moon"), on=False)
    assert [fault.message for fault in slip.faults] == ["the gate `moon` has no key `pierr`"]


@pytest.mark.parametrize(
    ("changes", "home", "reason"),
    [
        ((PIER, NEXT), None, None),
        ((NEXT,), None, "no gate has a pier"),
        ((NEXT,), "sun", None),
        ((("id: sun, ", "id: sun, pier: true, beside: [moon], "),), None, "no gate has a pier"),  # it has a market
        ((("id: moon, ", "id: moon, pier: true, "), NEXT), None, "a pier has nothing beside it"),
        ((), "star", "too few gates have something beside them"),
    ],
)
def test_a_module_refuses_a_map_without_what_it_needs(
    changes: tuple[tuple[str, str], ...], home: str | None, reason: str | None, tmp_path: Path
) -> None:
    found = [(fault.code, fault.label) for fault in opened(tmp_path, *changes, home=home).faults]
    assert found == ([] if reason is None else [("E412", reason)])


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ("stat", "it is one of the gates, or none; did you mean `star`?"),
        ("old", "it is one of the gates, or none"),  # a quarter
        (3, "it is one of the gates, or none"),
    ],
)
def test_a_thing_that_is_not_there_cannot_be_chosen(given: object, label: str, tmp_path: Path) -> None:
    found = opened(tmp_path, PIER, NEXT, home=given).faults
    assert [(fault.code, fault.message, fault.label) for fault in found] == [("E402", f"the option `home` cannot be {given!r}", label)]


def test_what_stands_there_otherwise_must_be_there_too(tmp_path: Path) -> None:
    other = MODULE.replace("{one_of: gate}", "{one_of: gate, otherwise: mon}")
    [fault] = opened(tmp_path, PIER, NEXT, module=other).faults
    assert (fault.code, fault.label) == ("E106", "it is one of the gates, or none; did you mean `moon`?")
    assert opened(tmp_path, PIER, NEXT, module=other.replace("mon", "moon")).faults == ()
    [fault] = opened(tmp_path, PIER, NEXT, module=MODULE.replace("one_of: gate", "one_of: gat")).faults
    assert (fault.code, fault.label) == ("E205", "did you mean `gate`?")


def test_only_a_thing_may_be_none(tmp_path: Path) -> None:
    [fault] = opened(tmp_path, PIER, NEXT, module=MODULE.replace("home is none", "town is none")).faults
    assert (fault.code, fault.message) == ("E205", "`town` is never none")


@pytest.mark.parametrize(("home", "reached"), [(None, {"moon"}), ("none", {"moon"}), ("star", {"star"})])
def test_the_chosen_thing_is_what_rules_mean_by_the_option(home: str | None, reached: set[str], tmp_path: Path) -> None:
    opened(tmp_path, PIER, NEXT)
    game = ichiba.load(tmp_path / "tiny", seats=2, modules=["ferry"], options={} if home is None else {"ferry.home": home}, trust=True)
    LockStep(game, 1).play(10, 1)
    table = game.start(1)
    assert {name for name in ("sun", "moon", "star") if table.ask(f"{name}.reached")} == reached
    assert table.ask("home is none") is (home in (None, "none"))
