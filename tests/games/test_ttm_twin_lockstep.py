"""The rules of Tokyo Tsukiji Market against the hand-written engine, decision by decision.

The rules engine plays, its chance is told to the twin, and wherever there are two answers or more both must offer the
same, to the same seat; every few decisions they must know the same facts, and in the end the same scores. Who answers
is the twin's policy, which errs often, so that rare things happen. Decisions with one answer are skipped on both sides.
"""

from functools import cache
from random import Random
from typing import Any

import pytest

import ichiba
from tests.depth import mostly_seldom, seldom
from tests.games.ttm_words import Told
from tests.twins.base import ScriptedChance
from tests.twins.ttm import TokyoTsukijiMarket
from tests.twins.ttm.policy import sensible

EXPANSION = ("expansion",)
CRASHING, OPEN, MORE = "crashing_markets", "open_knowledge", "additional_markets"
JACK_FIRST = {"expansion.main_mackerel": "jack_mackerel", "expansion.barges": "four_slot"}
RACKS = {"fish": ["himono", "sardines", "jack_mackerel"], "external": ["rentals", "ship_rental", "used_ships"]}
LOTS = {"fish": ["swordfish", "tuna", "spider_crab"], "external": ["foreign_market", "auction", "barter", "trading"]}
CALLERS = {"fish": ["nori", "clams_oysters", "octopus"], "external": ["influence", "sushi_shop", "new_aquarium"]}

FISH = {2: 3, 3: 4, 4: 4, 5: 5, 6: 5}
EXTERNAL = {2: 2, 3: 2, 4: 3, 5: 3, 6: 4}


@cache
def game_of(seats: int, modules: tuple[str, ...], variants: tuple[str, ...], options: str) -> ichiba.Game:
    chosen: dict[str, Any] = CHOSEN[options]
    if seats == 2 and "auction" in chosen.get("external", []):  # which needs three
        chosen = {**chosen, "external": [name for name in chosen["external"] if name != "auction"]}
    return ichiba.load("tokyo_tsukiji_market", seats=seats, modules=modules, variants=variants, options=chosen)


CHOSEN: dict[str, Any] = {"": {}, "jack": JACK_FIRST, "racks": RACKS, "lots": LOTS, "callers": CALLERS,
                          "all": {"additional_fish": 14, "additional_external": 14},
                          "more": {"additional_fish": 2, "additional_external": 1}}  # fmt: skip


class Pair:
    """One game at two tables."""

    def __init__(self, game: ichiba.Game, seed: int) -> None:
        self.told = Told(game, seed)
        self.table = self.told.table
        self.decisions = 0
        self.chance = ScriptedChance([])
        config = game.config
        options: dict[str, Any] = {name.split(".")[-1]: value for name, value in config.options}
        self.swordfish_board = OPEN in config.variants or "swordfish" in options.get("fish", [])  # comes without a draw
        self.feed()
        self.twin = TokyoTsukijiMarket(
            game.seats, self.chance, start_player=0, expansion="expansion" in config.modules,
            crashing=CRASHING in config.variants, open_knowledge=OPEN in config.variants, **options,
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------ chance

    def feed(self) -> None:
        """Tell the twin what happened by chance."""
        events = self.told.chance()
        queued = [key for what, key in events if what == "order"]
        told = [key for what, key in events if what in ("start_player", "draw") and not self.is_certain(key)]
        self.chance.add(told + (self.queues(queued) if queued else []))

    def is_certain(self, outcome: str) -> bool:
        """A Swordfish token is drawn from one sort; the twin does not ask. The board of that name comes first."""
        if outcome != "swordfish":
            return False
        known, self.swordfish_board = self.swordfish_board, True
        return known

    def queues(self, order: list[str]) -> list[str]:
        """Open Knowledge: the boards drawn at setup, then what is left of the two queues."""
        first = {"mackerel", "jack_mackerel", "ships"}
        fish: list[str] = []
        external: list[str] = []
        for name in [*order, *(name for name in self.told.ask("markets") if name not in order)]:
            if name not in first or name in order:
                (fish if self.told.things[name].kind == "fish_market" else external).append(name)
        seats = self.table.game.seats
        drawn = external[: EXTERNAL[seats]]
        if {"aquarium", "new_aquarium"} <= set(drawn):
            drawn = external[: len(drawn) + 1]
        return [*fish[: FISH[seats]], *drawn, *self.told.ask("fish_box"), *self.told.ask("external_box")]

    # ------------------------------------------------------------------------------------------ steps

    def ours(self) -> dict[str, str]:
        """Our keys by what the twin calls them."""
        decision = self.table.decision
        assert decision is not None
        keys = decision.keys()
        found = {self.told.key(key): key for key in keys}
        assert len(found) == len(keys), f"alike answers at {decision.path} {decision.name}: {keys}"
        return found

    def settle(self) -> dict[str, str]:
        """On to our next decision with at least two answers; then the twin may know what happened by chance."""
        answers: dict[str, str] = {}
        while self.table.decision is not None:
            answers = self.ours()
            if len(answers) > 1:
                break
            self.table.play(next(iter(answers.values())))
        self.feed()
        return answers

    def follow(self) -> None:
        """The twin, too, takes single answers without asking."""
        while not self.twin.over and len(options := self.twin.options()) == 1:
            self.twin.play(options[0])

    def play(self, random: Random, error: float) -> None:
        answers = self.settle()
        self.follow()
        while not self.table.over:
            self.decisions += 1
            self.compare(answers)
            key = self.twin.options()[sensible(self.twin, random.random, error)]
            answers = self.answer(answers, key)
        assert self.twin.over and self.chance.left == []
        assert (self.table.ending, self.table.scores) == (self.twin.ending, self.twin.scores)
        assert self.table.ranking == self.twin.ranking

    def answer(self, answers: dict[str, str], key: str) -> dict[str, str]:
        if key in answers:
            self.table.play(answers[key])
        else:  # two Mackerel: first that two are returned, then which
            self.table.play("sell")
            pairs = self.ours()
            if key in pairs:
                self.table.play(pairs[key])
        answers = self.settle()
        self.twin.play(key)
        self.follow()
        return answers

    def compare(self, answers: dict[str, str]) -> None:
        decision = self.table.decision
        assert decision is not None
        where = f"decision {self.decisions}, {decision.path or 'turn'}, {decision.name}"
        theirs, ours = set(self.twin.options()), set(answers)
        if "sell" in ours and decision.path == "visit/mackerel":
            pairs = {key for key in theirs if key.startswith("sell/")}
            assert pairs, where
            theirs = theirs - pairs | {"sell"}
        assert (self.twin.seat, sorted(theirs)) == (decision.seat, sorted(ours)), where
        if self.decisions % 5 == 0:
            compare_facts(self.told.facts(), self.twin.facts(), where)


def compare_facts(ours: Any, theirs: Any, where: str) -> None:
    """What we know must be so; the twin may tell more."""
    if ours is None:
        return
    if isinstance(ours, dict):
        for name, value in ours.items():
            if where.endswith(("/ tokens", "/ harbor", "/ licences")):
                assert ours == theirs, where
            compare_facts(value, theirs[name], f"{where} / {name}")
    elif isinstance(ours, list):
        assert sorted(ours) == sorted(theirs), where
    else:
        assert ours == theirs, where


def games(
    seats: int, modules: tuple[str, ...], variants: tuple[str, ...], options: str, seeds: range, error: float
) -> None:
    for seed in seeds:
        Pair(game_of(seats, modules, variants, options), seed).play(Random(seed), error)


@pytest.mark.parametrize("seats", mostly_seldom([2, 3, 4, 5, 6], 2))
def test_the_base_game_is_the_same(seats: int) -> None:
    games(seats, (), (), "", range(1), 0.3)


@pytest.mark.parametrize(
    ("seats", "variants", "options"),
    [
        (2, (), "racks"), (3, (CRASHING,), "lots"), (4, (CRASHING,), "callers"),
        *seldom([(3, (), "jack"), (4, (OPEN,), ""), (5, (CRASHING, OPEN), ""), (6, (), "")]),
    ],
)  # fmt: skip
def test_the_expansion_is_the_same(seats: int, variants: tuple[str, ...], options: str) -> None:
    games(seats, EXPANSION, variants, options, range(1), 0.35)


@pytest.mark.parametrize("options", ["all", *seldom(["more"])])
@pytest.mark.parametrize("seats", [2, *seldom([3, 4, 5, 6])])
def test_with_more_boards_at_the_start_it_is_the_same(seats: int, options: str) -> None:
    """With all of them on the table there is nothing left to draw."""
    games(seats, EXPANSION, (MORE, CRASHING), options, range(1), 0.35)


@pytest.mark.soak
@pytest.mark.parametrize("error", [0.05, 0.3, 0.6])
@pytest.mark.parametrize("variants", [(), (CRASHING,), (OPEN,), (CRASHING, OPEN)])
@pytest.mark.parametrize("modules", [(), EXPANSION])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_many_games_are_the_same(seats: int, modules: tuple[str, ...], variants: tuple[str, ...], error: float) -> None:
    games(seats, modules, variants, "", range(1, 6), error)


@pytest.mark.soak
@pytest.mark.parametrize("options", ["jack", "racks", "lots", "callers"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_games_with_chosen_boards_are_the_same(seats: int, options: str) -> None:
    games(seats, EXPANSION, (CRASHING,), options, range(1, 9), 0.35)
