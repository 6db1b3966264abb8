"""Two modules for Tokyo Tsukiji Market as strangers write them, in folders of their own: beside the expansion, and in any order."""

from itertools import permutations
from pathlib import Path

import pytest

import ichiba
from ichiba.lab.scenarios import run_scenarios
from tests.properties.tables import moments
from tests.reference.lockstep import LockStep

HERE = Path(__file__).with_name("strangers")
OWN = ("whaling", "mutual_aid")
BOARDS = {"fish": ["whale", "eel"], "external": ["mutual_aid_society"]}


def loaded(*modules: str, seats: int = 3, variants: tuple[str, ...] = ("crashing_markets",)) -> ichiba.Game:
    places: list[str | Path] = [HERE / name if name in OWN else name for name in modules]
    return ichiba.load("tokyo_tsukiji_market", seats=seats, modules=places, variants=variants, options=BOARDS, trust=True)


@pytest.mark.parametrize("name", OWN)
def test_their_scenarios_hold(name: str) -> None:
    report = run_scenarios(HERE / name)
    assert report.results and report.holds, str(report)


def test_the_order_in_which_they_are_named_means_nothing() -> None:
    def story(modules: tuple[str, ...]) -> list[dict[str, object]]:
        *_, table = moments(loaded(*modules), 5, 80)
        return table.log

    one, *others = [story(order) for order in permutations(("expansion", *OWN))]
    assert all(other == one for other in others)


@pytest.mark.parametrize("modules", [OWN, ("expansion", *OWN)], ids=" ".join)
def test_they_are_played_as_their_rules_are_read(modules: tuple[str, ...]) -> None:
    LockStep(loaded(*modules), 3).play(40, 10)


def test_no_boat_is_ever_too_full() -> None:
    for table in moments(loaded("expansion", *OWN, seats=4), 2, 200):
        assert table.ask("no (s in seats, b in s.sea where slots_taken(b) > b.slots)")
