"""The rules of Tsukiji against the hand-written engine: the same chance, the same answers, the same game.

A game is played by the rules engine at random and written down. Then its chance events are given to the twin, which
plays the same answers: at every decision the same seat is asked, with the same keys, and the table looks the same; in
the end the scores, the places and all answers that were taken unasked are the same.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest

import ichiba
from tests.depth import AFew
from tests.twins.base import ScriptedChance
from tests.twins.in_c import TsukijiInC, library, play
from tests.twins.tsukiji import KINDS, MARKED, PRODUCTS, TICKETS, Tsukiji

GAMES = 200
CLOSELY = 8  # of so many games two are compared at every decision, the others every few

Moment = tuple[int, list[str], str, dict[str, object] | None]  # who decided, among what, what it was, the table before


@cache
def game_of(seats: int, special_points: bool) -> ichiba.Game:
    return ichiba.load("tsukiji", seats=seats, variants=["special_points"] if special_points else [])


class Facts:
    """Reads a table into the words of the twin's `facts()`, by expressions of the language only."""

    def __init__(self, table: ichiba.Table) -> None:
        self.ask: Callable[[str], Any] = table.ask
        self.table = table
        self.seats = range(1, table.game.seats + 1)
        self.lots = range(1, table.game.seats + 2)

    def pile(self, place: str) -> dict[str, int]:
        return dict(Counter(self.ask(place)))

    def whole_pile(self, place: str) -> dict[str, int]:
        found = self.pile(place)
        return {kind: found.get(kind, 0) for kind in KINDS}

    def all(self) -> dict[str, object]:
        priced = self.ask("lot(1).rank") > 0
        laying_out = self.lot_laid_out()
        extras = self.pile(f"lot({laying_out}).cards") if laying_out else {}
        return {
            "over": self.table.over,
            "round": self.ask("round"),
            "start": self.ask("start_seat"),
            "clock": self.ask("next_start_seat") if priced else self.ask("start_seat"),
            "money": {str(s): self.ask(f"seat({s}).cash") for s in self.seats},
            "columns": {str(s): self.columns(s) for s in self.seats},
            "yakuza_taken": {str(s): self.ask(f"seat({s}).yakuza_taken") for s in self.seats},
            "tickets": {str(s): self.tickets(s) for s in self.seats},
            "laid": {str(s): self.laid(s) for s in self.seats},
            "lots": [] if self.table.over else [self.lot(n, priced, n == laying_out) for n in self.lots],
            "extras": {kind: extras.get(kind, 0) for kind in ("takusan", "yakuza")},
            "markers": {product: self.ask(f"{product}.marker.space") for product in MARKED},
            "market": self.ask("(m in markers by lowest track_rank(m, markers))"),
            "values": {product: self.ask(f"final_price(place_of({product}))") for product in MARKED},
            "deck": self.whole_pile("deck"),
            "discard": self.whole_pile("discard"),
        }

    def lot_laid_out(self) -> int:
        """The lot whose Takusan and Yakuza are being laid out."""
        decision = self.table.decision
        path = decision.path if decision is not None else ""
        return int(path.split("/")[1]) if path.startswith("buy/") else 0

    def columns(self, seat: int) -> dict[str, dict[str, int]]:
        made = {}
        for product in PRODUCTS:
            cards = self.pile(f"seat({seat}).column({product})")
            if cards:
                made[product] = {"product": cards.get(product, 0), "takusan": cards.get("takusan", 0)}
        return made

    def tickets(self, seat: int) -> list[str]:
        held = self.ask(f"seat({seat}).tickets")
        return [ticket for ticket in TICKETS if ticket in held]

    def laid(self, seat: int) -> list[str]:
        return [ticket for n in self.lots for ticket in self.ask(f"lot({n}).laid(seat({seat}))")]

    def lot(self, number: int, priced: bool, laying_out: bool) -> dict[str, object]:
        return {
            "cards": {} if laying_out else self.pile(f"lot({number}).cards"),
            "value": self.ask(f"lot({number}).worth") if priced else None,
            "price": self.ask(f"lot({number}).price") if priced else None,
            "modifier": self.ask(f"lot({number}).modifier") if priced else None,
        }


def played(seats: int, special_points: bool, seed: int, every: int) -> tuple[ichiba.Table, list[Moment]]:
    """A whole game of the rules engine, with the table as it was before every so many decisions."""
    random = Random(seed)
    table = game_of(seats, special_points).start(seed=seed)
    facts = Facts(table)
    moments: list[Moment] = []
    while (decision := table.decision) is not None:
        keys = decision.keys()
        index = random.randrange(len(keys))
        known = facts.all() if len(moments) % every == seed % every else None
        moments.append((decision.seat, keys, keys[index], known))
        table.play(index, decision.seat)
    return table, moments


def chance_of(log: list[dict[str, object]]) -> list[str]:
    """The chance events by their outcomes; the last marker, which is certain, is told to the twin as well."""
    told = [str(item["key"]) for item in log if item["event"] == "chance"]
    drawn = [key.split("/")[1] for key in told if key.startswith("marker/")]
    (last,) = set(MARKED) - set(drawn)
    at = max(number for number, key in enumerate(told) if key.startswith("marker/"))
    return [key.split("/")[1] for key in [*told[: at + 1], f"marker/{last}", *told[at + 1 :]]]


def same(facts: dict[str, object], twin: Tsukiji) -> None:
    theirs = twin.facts()
    assert {name: theirs[name] for name in facts} == facts


def compare(seats: int, special_points: bool, seed: int, made: type[Tsukiji] = Tsukiji) -> None:
    table, moments = played(seats, special_points, seed, 1 if seed % CLOSELY < 2 else 12)
    log = table.log
    chance = ScriptedChance(chance_of(log))
    twin = made(seats, chance, special_points=special_points)
    for seat, keys, key, facts in moments:
        assert (twin.seat, twin.options()) == (seat, keys)
        if facts is not None:
            same(facts, twin)
        twin.play(key)
    assert twin.over and chance.left == []
    same(Facts(table).all(), twin)
    assert table.scores == twin.scores
    assert table.ranking == twin.ranking
    if made is Tsukiji:
        assert [(item["seat"], item["key"]) for item in log if item.get("forced")] == twin.forced


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_rules_and_the_twin_play_the_same_games(seats: int, a_few: AFew) -> None:
    for seed in a_few(range(GAMES), 40):
        compare(seats, special_points=seed % 2 == 1, seed=seed)


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_rules_and_the_twin_play_the_same_ten_thousand_games(seats: int) -> None:
    for seed in range(GAMES, 10_000):
        compare(seats, special_points=seed % 2 == 1, seed=seed)


@pytest.mark.skipif(library() is None, reason="there is no C compiler")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_so_do_the_rules_and_the_twin_in_c(seats: int, a_few: AFew) -> None:
    for seed in a_few(range(GAMES), 30):
        compare(seats, special_points=seed % 2 == 1, seed=seed, made=TsukijiInC)


@pytest.mark.soak
@pytest.mark.skipif(library() is None, reason="there is no C compiler")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_so_they_do_in_two_thousand_games(seats: int) -> None:
    for seed in range(GAMES, 2000):
        compare(seats, special_points=seed % 2 == 1, seed=seed, made=TsukijiInC)


@pytest.mark.skipif(library() is None, reason="there is no C compiler")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_games_in_c_are_as_long_and_as_good_as_those_of_the_rules(seats: int) -> None:
    """Of other dice: the means of 3,000 games each are as near as that makes them."""
    decisions, scores = play(seats, 3000, 1)
    found = game_of(seats, False).batch(range(200))
    theirs = sum(map(sum, found.scores.tolist())) / 200  # type: ignore[arg-type]
    assert abs(scores / 3000 - theirs) < 3 * seats, "a game's scores deviate by some 13 points a seat"
    assert 0.85 < decisions / 3000 / (sum(found.decisions) / 200) < 1.05
