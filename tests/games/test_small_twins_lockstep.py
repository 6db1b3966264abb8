"""Our own games against the same games by hand: the same chance, the same answers, the same game.

A game is played by the rules engine at random and written down; then its chance events are given to the twin, which plays the
same answers. At every decision the same seat is asked, with the same keys in the same order, and the table looks the same; in the
end scores, places and what was taken unasked are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random

import pytest

import ichiba
from tests.depth import AFew
from tests.twins.base import ScriptedChance
from tests.twins.caravan_yard import CaravanYard
from tests.twins.lantern_coast import HEADLANDS, LanternCoast
from tests.twins.salt_flats import COMPANIES, PANS, SaltFlats
from tests.twins.told import Told

GAMES = 120
Facts = Callable[[ichiba.Table], dict[str, object]]


def pile(table: ichiba.Table, place: str) -> dict[str, int]:
    found = table.ask(place)
    assert isinstance(found, list)
    return dict(Counter(str(one) for one in sorted(found)))


def by_seat(table: ichiba.Table, what: str) -> dict[str, object]:
    return {str(seat): table.ask(what.format(f"seat({seat})")) for seat in range(1, table.game.seats + 1)}


def piles(table: ichiba.Table, zone: str) -> dict[str, dict[str, int]]:
    return {str(seat): pile(table, f"seat({seat}).{zone}") for seat in range(1, table.game.seats + 1)}


def shares_of(table: ichiba.Table, place: str) -> dict[str, int]:
    held = {company: table.ask(f"count of share of {company} in {place}") for company in COMPANIES}
    return {company: number for company, number in held.items() if isinstance(number, int) and number}


def salt_flats(table: ichiba.Table) -> dict[str, object]:
    return {
        "owner": {pan: table.ask(f"{pan}.owner") for pan in PANS if table.ask(f"{pan}.dug")},
        "money": by_seat(table, "{}.cash"),
        "shares": {str(seat): shares_of(table, f"seat({seat}).shares") for seat in range(1, table.game.seats + 1)},
        "office": shares_of(table, "office"),
        "hands": piles(table, "hand"),
        "bag": table.ask("count of bag"),
    }


def caravan_yard(table: ichiba.Table) -> dict[str, object]:
    return {
        "evening": table.ask("evening"),
        "money": by_seat(table, "{}.cash"),
        "store": piles(table, "store"),
        "letters": piles(table, "satchel"),
        "bazaar": pile(table, "bazaar"),
        "caravan": table.ask("count of caravan"),
    }


def lantern_coast(table: ichiba.Table) -> dict[str, object]:
    def towers(seat: int) -> list[str]:
        return sorted(place for place in HEADLANDS if table.ask(f"{place}.tower(seat({seat}))"))

    return {
        "season": table.ask("season"),
        "money": by_seat(table, "{}.cash"),
        "lamps": {seat: list(lamps) for seat, lamps in piles(table, "lamps").items()},
        "shed": piles(table, "shed"),
        "towers": {str(seat): towers(seat) for seat in range(1, table.game.seats + 1)},
        "lit": by_seat(table, "{}.lit"),
        "rank": by_seat(table, "{}.rank"),
        "offer": list(pile(table, "offer")),
        "stall": pile(table, "stall"),
        "ships": pile(table, "ships"),
    }


TWINS: dict[str, tuple[type[Told], Facts, tuple[int, ...]]] = {
    "caravan_yard": (CaravanYard, caravan_yard, (3, 4)),
    "lantern_coast": (LanternCoast, lantern_coast, (2, 3, 4)),
    "salt_flats": (SaltFlats, salt_flats, (2, 3, 4)),
}
CASES = [(name, seats) for name, (_, _, all_seats) in TWINS.items() for seats in all_seats]


@cache
def game_of(name: str, seats: int) -> ichiba.Game:
    return ichiba.load(name, seats=seats)


def compare(name: str, seats: int, seed: int) -> None:
    twin_class, facts, _ = TWINS[name]
    random, table = Random(seed), game_of(name, seats).start(seed=seed)
    moments: list[tuple[int, list[str], str, dict[str, object] | None]] = []
    while (decision := table.decision) is not None:
        keys = decision.keys()
        key = random.choice(keys)
        moments.append((decision.seat, keys, key, facts(table) if len(moments) % 5 == seed % 5 else None))
        table.play(key, decision.seat)
    log = table.log
    chance = ScriptedChance([str(item["key"]).split("/")[1] for item in log if item["event"] == "chance"])
    twin = twin_class(seats, chance)
    for number, (seat, keys, key, before) in enumerate(moments):
        assert (number, twin.seat, twin.options()) == (number, seat, keys)
        assert before is None or twin.facts() == before
        twin.play(key)
    assert twin.over and chance.left == []
    assert twin.facts() == facts(table)
    assert (table.scores, table.ranking) == (twin.scores, twin.ranking)
    assert [(item["seat"], item["key"]) for item in log if item.get("forced")] == twin.forced


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_the_rules_and_the_twin_play_the_same_games(name: str, seats: int, a_few: AFew) -> None:
    for seed in a_few(range(GAMES), 15):
        compare(name, seats, seed)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "seats"), CASES)
def test_the_rules_and_the_twin_play_the_same_two_thousand_games(name: str, seats: int) -> None:
    for seed in range(GAMES, 2_000):
        compare(name, seats, seed)
