"""The rules of Shinjuku against the hand-written engine: the same chance, the same answers, the same game.

A game is played by the rules engine and written down: every decision with two options or more, and what lay
where. Then its chance events are given to the twin, which plays the same answers. Decisions with one option
are skipped on both sides. Keys are the same but for a store that moves, `open/from/OLD/NEW` here.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ichiba
from tests.depth import mostly_seldom
from tests.twins.base import ScriptedChance
from tests.twins.shinjuku import Shinjuku

CITIES = ["tokyo", "paris", "london", "osaka"]
MAPS = Path(__file__).resolve().parents[2] / "rulesets" / "shinjuku" / "maps"
MOVED = re.compile(r"open/\w+/(\w+)/from/(\w+)")

NOTHING_TO_ACCEPT = (["expand/stop"], ["move/stop"], ["income/decline"])  # asked only when there is something else
Choice = Callable[[Random, list[str]], str]
# Who decided, among what, what it was, and the table before.
Moment = tuple[int, list[str], str, dict[str, object]]


def anything(random: Random, keys: list[str]) -> str:
    return random.choice(keys)


def hoarder(random: Random, keys: list[str]) -> str:
    """Draws cards until there are none, and takes every one that is offered."""
    for key in ("income", "income/take"):
        if key in keys and random.random() < 0.97:
            return key
    return random.choice(keys)


def upgrader(random: Random, keys: list[str]) -> str:
    """Opens and upgrades as soon as possible, moves towards it, and lays track in between."""
    for start in ("upgrade", "move", "open", "expand"):
        if start in keys:
            return start
    if "move/stop" in keys and len(keys) > 1 and random.random() < 0.9:
        keys = [key for key in keys if key != "move/stop"]
    cards = [key for key in keys if key.startswith("pay/card/")]
    return random.choice(cards or keys)


@cache
def game_of(city: str, seats: int) -> ichiba.Game:
    return ichiba.load("shinjuku", seats=seats, options={"city": city})


def in_our_words(key: str) -> str:
    """A key of the twin as ours: `open/food/NEW/from/OLD` is `open/from/OLD/NEW`."""
    moved = MOVED.fullmatch(key)
    return f"open/from/{moved[2]}/{moved[1]}" if moved else key


class Facts:
    """Reads a table into the words of the twin's `facts()`."""

    def __init__(self, table: ichiba.Table) -> None:
        self.table = table
        self.seats = range(1, table.game.seats + 1)
        self.things = {kind: self._names(kind) for kind in ("ward", "station", "line")}

    def _names(self, kind: str) -> list[str]:
        world = self.table.game.world
        return [world.thing(number).name for number in world.kinds[kind].things]

    def pile(self, place: str) -> dict[str, int]:
        found = self.table.ask(place)
        assert isinstance(found, list)
        return dict(Counter(found))

    def number(self, expression: str) -> int:
        found = self.table.ask(expression)
        assert isinstance(found, int)
        return found

    def each(self, kind: str, what: str) -> dict[str, Any]:
        return {name: self.table.ask(f"{kind}({n}).{what}") for n, name in enumerate(self.things[kind], 1)}

    def all(self) -> dict[str, object]:
        sells = self.each("station", "building")
        owner = self.each("station", "building.owner")
        track = self.each("line", "rail.owner")
        stations = self.things["station"]
        wards = {name: self.pile(f"ward({n}).crowd") for n, name in enumerate(self.things["ward"], 1)}
        first_claim = {str(s): self.number(f"seat({s}).first_claim") for s in self.seats}
        spaces = [n for n in range(1, 5) if self.table.ask(f"space({n}).card") is not None]
        return {
            "queue": [
                {"card": self.table.ask(f"space({n}).card"), "customers": self.pile(f"space({n}).waiting")}
                for n in spaces
            ],
            "wards": {name: crowd for name, crowd in wards.items() if crowd},
            "group": self.pile("travellers"),
            "stores": {s: {"owner": owner[s], "sells": sells[s]} for s in stations if sells[s]},
            "track": {line: seat for line, seat in track.items() if seat},
            "hands": {str(s): self.pile(f"seat({s}).hand") for s in self.seats},
            "customers": {str(s): self.pile(f"seat({s}).earned") for s in self.seats},
            "bonus": {str(s): self.number(f"count of seat({s}).bonuses") for s in self.seats},
            "first_claim": {s: claim for s, claim in first_claim.items() if claim < 7},
            "supply": {
                str(s): self.pile(f"seat({s}).supply") | {"track": self.number(f"count of seat({s}).tracks")}
                for s in self.seats
            },
            "bonus_stacks": self.number("count of bonus_area"),
            "deck": self.pile("deck"),
            "discards": self.pile("discards"),
            "bag": self.pile("bag"),
            "gone": self.pile("gone"),
            "last_turns": self.table.ask("closer") is not None,
        }


def facts_of_twin(twin: Shinjuku) -> dict[str, object]:
    """The same of the twin: where it keeps numbers that follow from others, only what can be compared."""
    facts: dict[str, Any] = twin.facts()
    facts["bonus_stacks"] = sum(facts["bonus_stacks"])
    facts["last_turns"] = bool(facts["last_turns"])
    facts["supply"] = {
        seat: {name: n for name, n in pieces.items() if n or name == "track"}
        for seat, pieces in facts["supply"].items()
    }
    return facts


def played(city: str, seats: int, seed: int, choice: Choice) -> tuple[ichiba.Table, list[Moment]]:
    """A whole game of the rules engine."""
    random = Random(seed)
    table = game_of(city, seats).start(seed=seed)
    facts = Facts(table)
    moments: list[Moment] = []
    while (decision := table.decision) is not None:
        keys = decision.keys()
        assert len(set(keys)) == len(keys)
        assert keys not in NOTHING_TO_ACCEPT, "R-SHI-46"
        key = choice(random, keys)
        if len(keys) > 1:
            moments.append((decision.seat, keys, key, facts.all()))
        table.play(key)
    return table, moments


def chance_of(table: ichiba.Table) -> list[str]:
    return [str(item["key"]).split("/", 1)[1] for item in table.log if item["event"] == "chance"]


def skip(twin: Shinjuku) -> None:
    while len(options := twin.options()) == 1:
        twin.play(options[0])


def compare(city: str, seats: int, seed: int, choice: Choice) -> ichiba.Table:
    table, moments = played(city, seats, seed, choice)
    chance = ScriptedChance(chance_of(table))
    twin = Shinjuku(seats, chance, map_path=MAPS / f"{city}.yaml")
    for seat, keys, key, facts in moments:
        skip(twin)
        options = {in_our_words(option): option for option in twin.options()}
        assert (twin.seat, sorted(options)) == (seat, sorted(keys))
        theirs = facts_of_twin(twin)
        assert {name: theirs[name] for name in facts} == facts
        twin.play(options[key])
    skip(twin)
    assert twin.over
    assert chance.left == []
    assert table.scores == twin.scores
    assert table.ranking == twin.ranking
    return table


CHOICES = [anything, upgrader, hoarder]  # a hoarder has thousands of ways to pay, which takes its time


@pytest.mark.parametrize(("city", "seats"), mostly_seldom(list(product(CITIES, (2, 3, 4))), 6))
def test_the_rules_and_the_twin_play_the_same_game(city: str, seats: int) -> None:
    compare(city, seats, seats, CHOICES[(CITIES.index(city) + seats) % 2])


@pytest.mark.soak
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("city", CITIES)
def test_the_rules_and_the_twin_play_the_same_games(city: str, seats: int, choice: Choice) -> None:
    for seed in range(100):
        compare(city, seats, seed, choice)
