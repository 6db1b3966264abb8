"""Claims about names in other languages: each thing has its own, also where a thing of another kind has the same name."""

from pathlib import Path

import pytest

from ichiba import load
from ichiba.dsl.faults import Faults
from ichiba.dsl.kinds import Kind
from ichiba.dsl.texts import judge_texts
from tests.language.tiny import ruleset

THINGS = """\
things:
  ward: {each: {central: {name: Central Ward}}}
  station: {each: {central: {name: Central Station}}}
"""
KINDS = "kind ward is thing:\n    counter a: 0 .. 1\n\nkind station is thing:\n    counter b: 0 .. 1\n"


def town(folder: Path, french: str) -> Path:
    return ruleset(folder, {"game.yaml": THINGS, "town.rules": KINDS, "texts/fr.yaml": french})


def called(folder: Path, lang: str) -> dict[str, str]:
    game = load(folder, 2, lang=lang, trust=True)
    things = [thing for thing in game.world.things if thing.name == "central"]
    return {thing.kind: game.words.show(thing.id, Kind("thing", thing.kind)) for thing in things}


@pytest.mark.parametrize(
    ("french", "expected"),
    [
        ("name.station.central: Gare\n", {"ward": "Central Ward", "station": "Gare"}),
        ("name.central: Centre\n", {"ward": "Centre", "station": "Centre"}),
        ("name.station.central: Gare\nname.central: Centre\n", {"ward": "Centre", "station": "Gare"}),
    ],
)
def test_things_of_one_name_are_told_apart(french: str, expected: dict[str, str], tmp_path: Path) -> None:
    folder = town(tmp_path, french)
    assert called(folder, "fr") == expected
    assert called(folder, "en") == {"ward": "Central Ward", "station": "Central Station"}


def test_a_name_of_the_wrong_kind_is_refused(tmp_path: Path) -> None:
    faults = Faults()
    judge_texts(town(tmp_path, "name.ward.central: Quartier\nname.line.central: Ligne\n"), faults)
    errors = [fault.message for fault in faults.all if fault.severity == "error"]
    assert errors == ["nothing here is called `name.line.central`"]
