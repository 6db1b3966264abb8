"""The mods of Shinjuku against an engine written by hand: the same chance, the same answers, the same game.

The rules engine plays and writes down every decision with two options or more, and what lay where; the twin is given its
chance events and the same answers. Decisions with one option are skipped on both sides.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ichiba
from tests.depth import mostly_seldom
from tests.twins.base import ScriptedChance
from tests.twins.shinjuku_mods import ShinjukuMods

MAPS = Path(__file__).resolve().parents[2] / "rulesets" / "shinjuku" / "maps"
MODS = ("art_collector", "hachiko", "kaicho", "kaiju", "princess", "thief")
COMBINATIONS = [mods for number in range(len(MODS) + 1) for mods in combinations(MODS, number)]
SEATS = (2, 3, 4)
HOMES = {"paris": "bastille", "london": "euston", "osaka": "namba"}  # Tokyo's stands on its map


@cache
def game_of(city: str, seats: int, mods: tuple[str, ...]) -> ichiba.Game:
    home = {"home": HOMES[city]} if "hachiko" in mods and city in HOMES else {}
    return ichiba.load("shinjuku", seats=seats, modules=list(mods), options={"city": city, **home})


def anything(random: Random, keys: list[str]) -> str:
    return random.choice(keys)


def busy(random: Random, keys: list[str]) -> str:
    """Brings the dog home, upgrades, goes far and gives what makes trouble; so stacks, ways and the end come sooner."""
    for start in ("reunite", "upgrade", "move/drop", "move/give/collector", "move/to", "move", "open", "expand"):
        among = [key for key in keys if key.startswith(start)]
        if among and random.random() < 0.8:
            return random.choice(among)
    cards = [key for key in keys if key.startswith("pay/card/")]
    return random.choice(cards or keys)


def hoarder(random: Random, keys: list[str]) -> str:
    """Draws cards until there are none, and takes every one that is offered."""
    for key in ("income", "income/take"):
        if key in keys and random.random() < 0.95:
            return key
    return random.choice(keys)


# ------------------------------------------------------------------------------------------------- what lies where


class Facts:
    """A table in the words of the twin's `facts()`."""

    def __init__(self, table: ichiba.Table, mods: tuple[str, ...]) -> None:
        self.table, self.mods = table, mods
        world = table.game.world
        self.names = {k: [world.thing(n).name for n in world.kinds[k].things] for k in ("ward", "station", "line")}
        self.seats = range(1, table.game.seats + 1)

    def pile(self, place: str) -> dict[str, int]:
        found: Any = self.table.ask(place)
        return dict(Counter(found))

    def crowd(self, ward: int) -> dict[str, int]:
        """A Kaicho is told by his owner."""
        found = Counter(self.pile(f"ward({ward}).crowd"))
        return dict(self.with_owners(found, f"ward({ward}).crowd"))

    def with_owners(self, found: Counter[str], place: str) -> Counter[str]:
        if found.pop("kaicho", 0):
            found.update(f"kaicho/{s}" for s in self.seats if self.ask(f"any (k in {place} where k is kaicho and k.owner is seat({s}))"))
        return found

    def ask(self, expression: str) -> Any:
        return self.table.ask(expression)

    def each(self, kind: str, what: str) -> dict[str, Any]:
        found = {name: self.ask(f"{kind}({n}).{what}") for n, name in enumerate(self.names[kind], 1)}
        return {name: value for name, value in found.items() if value}

    def where(self, member: str) -> str:
        return next(iter(self.each("ward", member)), "")

    def dog(self) -> str:
        waits = "queue" if self.ask("space.dogs is not empty") else "gone"
        return self.where("dog_house") or waits

    def all(self) -> dict[str, object]:
        on, spaces = self.mods, [n for n in range(1, 5) if self.ask(f"space({n}).card is not empty")]
        owners = self.each("station", "building.owner")
        crowds = {name: self.crowd(n) for n, name in enumerate(self.names["ward"], 1)}
        collected = {s: self.pile(f"seat({s}).collected") if "art_collector" in on else {} for s in self.seats}
        claims = {s: self.ask(f"seat({s}).first_claim") for s in self.seats}
        return {
            "queue": [(self.ask(f"space({n}).card"), self.pile(f"space({n}).waiting")) for n in spaces],
            "crowds": {name: crowd for name, crowd in crowds.items() if crowd},
            "group": dict(self.with_owners(Counter(self.pile("travellers")), "travellers")),
            "buildings": {t: (owners[t], sold) for t, sold in self.each("station", "building").items()},
            "rails": self.each("line", "rail.owner"),
            "hands": {s: self.pile(f"seat({s}).hand") for s in self.seats},
            "earned": {s: self.pile(f"seat({s}).earned") | collected[s] for s in self.seats},
            "first claims": {s: claim for s, claim in claims.items() if claim < 7},
            "piles": [self.pile(name) for name in ("deck", "discards", "bag", "gone")],
            "tokens": {s: self.ask(f"count of seat({s}).bonuses") for s in self.seats},
            "studio": self.ask("count of studio") if "art_collector" in on else 0,
            "hideout": sorted(self.pile("hideout")) if "thief" in on else [],
            "pawns": [
                self.where("lair") if "kaiju" in on else "",
                self.where("court") if "princess" in on else "",
                self.dog() if "hachiko" in on else "",
                [s for s in self.seats if self.ask(f"seat({s}).office is not empty")] if "kaicho" in on else [],
            ],
            "closer": self.ask("closer") or 0,
        }


# ---------------------------------------------------------------------------------------------------- both at once

Choice = Any
Moment = tuple[int, list[str], str, dict[str, object]]
LOOKED_AT = 0.2  # of the moments; who is asked, and among what, is compared at each


def played(table: ichiba.Table, mods: tuple[str, ...], random: Random, choice: Choice) -> Iterator[Moment]:
    """Who decides among what, the answer, and now and then what lay where before."""
    facts = Facts(table, mods)
    while (decision := table.decision) is not None:
        keys = decision.keys()
        key = choice(random, keys)
        if len(keys) > 1:
            yield decision.seat, keys, key, facts.all() if random.random() < LOOKED_AT else {}
        table.play(key)


def chance_of(table: ichiba.Table) -> list[str]:
    return [str(item["key"]).split("/", 1)[1] for item in table.log if item["event"] == "chance"]


def compare(city: str, seats: int, mods: tuple[str, ...], seed: int, choice: Choice = anything) -> int:
    """One game; how many decisions were compared."""
    game = game_of(city, seats, mods)
    table = game.start(seed=seed)
    moments = list(played(table, mods, Random(seed), choice))
    chance = ScriptedChance(chance_of(table))
    twin = ShinjukuMods(seats, chance, MAPS / f"{city}.yaml", mods, HOMES.get(city, "shibuya"))
    course, answer = twin.game(), None
    for seat, keys, key, facts in moments:
        asked, among = next(course) if answer is None else course.send(answer)
        assert (asked, sorted(among)) == (seat, sorted(keys)), f"{mods} {city} {seats} seats, seed {seed}"
        theirs = twin.facts() if facts else {}
        assert {name: theirs[name] for name in facts} == facts, f"{mods} {city} {seats} seats, seed {seed}"
        answer = key
    with pytest.raises(StopIteration):
        course.send(answer or "")
    assert chance.left == []
    assert (table.scores, table.ranking) == ({s: twin.score(s) for s in twin.seats}, twin.ranking)
    return len(moments)


@pytest.mark.parametrize(("mods", "seats"), mostly_seldom([*product(COMBINATIONS, SEATS)], 8), ids=str)
def test_the_mods_and_the_twin_play_the_same_game(mods: tuple[str, ...], seats: int) -> None:
    assert compare("tokyo", seats, mods, seats) > 50


@pytest.mark.parametrize("choice", [busy, hoarder])
def test_so_they_do_where_somebody_wants_something(choice: Choice) -> None:
    assert compare("tokyo", 3, MODS, 7, choice) > 50


@pytest.mark.parametrize("city", HOMES)
def test_so_they_do_on_other_maps(city: str) -> None:
    assert compare(city, 2, ("art_collector", "hachiko", "thief"), 3, busy) > 50


@pytest.mark.soak
@pytest.mark.parametrize("choice", [anything, busy, hoarder])
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("mods", COMBINATIONS, ids=" ".join)
def test_the_mods_and_the_twin_play_the_same_games(mods: tuple[str, ...], seats: int, choice: Choice) -> None:
    for seed in range(20):
        compare("tokyo", seats, mods, seed, choice)
