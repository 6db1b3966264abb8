"""The rules of Tokyo Tsukiji Market against the hand-written engine, decision by decision.

The rules engine plays, its chance is told to the twin, and at every decision with two answers or more both must offer
the same and know the same facts. Who answers is the twin's policy, which errs now and then.
"""

from functools import cache
from random import Random
from typing import Any

import ichiba
import pytest

from tests.games.ttm_words import Told
from tests.twins.base import ScriptedChance
from tests.twins.ttm import TokyoTsukijiMarket
from tests.twins.ttm.policy import sensible


@cache
def game_of(seats: int, modules: tuple[str, ...] = (), variants: tuple[str, ...] = (), options: tuple[tuple[str, object], ...] = ()) -> ichiba.Game:
    return ichiba.load("tokyo_tsukiji_market", seats=seats, modules=modules, variants=variants, options=dict(options))


FISH = {2: 3, 3: 4, 4: 4, 5: 5, 6: 5}
EXTERNAL = {2: 2, 3: 2, 4: 3, 5: 3, 6: 4}


class Pair:
    """One game at two tables."""

    def __init__(self, game: ichiba.Game, seed: int) -> None:
        self.told = Told(game, seed)
        self.table = self.told.table
        self.chance = ScriptedChance([])
        self.swordfish_board = "swordfish" in dict(game.config.options).get("fish", ())  # type: ignore[operator]
        self.feed()
        config = game.config
        options = {name.split(".")[-1]: value for name, value in config.options if name != "excluded"}
        chosen: dict[str, Any] = dict(config.options)
        self.twin = TokyoTsukijiMarket(
            game.seats, self.chance, start_player=0, expansion="expansion" in config.modules,
            crashing="crashing_markets" in config.variants, open_knowledge="open_knowledge" in config.variants,
            exclude=chosen.get("excluded", ()), **options,
        )  # fmt: skip
        self.decisions = 0

    def feed(self) -> None:
        """Tell the twin what happened by chance."""
        events = self.told.chance()
        queued = [outcome for what, outcome in events if what == "order"]
        told = [outcome for what, outcome in events if what in ("start_player", "draw") and not self.is_certain(outcome)]
        self.chance.add(told + (self.queues(queued) if queued else []))

    def is_certain(self, outcome: str) -> bool:
        """A Swordfish token is drawn from one sort; the twin does not ask. The board of that name comes first."""
        if outcome != "swordfish":
            return False
        known, self.swordfish_board = self.swordfish_board, True
        return known

    def queues(self, order: list[str]) -> list[str]:
        """Open Knowledge: the boards drawn at setup, then what is left of the two queues."""
        left = {"fish_box": self.told.ask("fish_box"), "external_box": self.told.ask("external_box")}
        first = {"mackerel", "jack_mackerel", "ships"}
        fish, external = [], []
        for name in [*order, *(name for name in self.told.ask("markets") if name not in order)]:
            if name not in first or name in order:
                (fish if self.told.things[name].kind == "fish_market" else external).append(name)
        drawn = external[: EXTERNAL[self.table.game.seats]]
        if {"aquarium", "new_aquarium"} <= set(drawn):
            drawn = external[: len(drawn) + 1]
        return [*fish[: FISH[self.table.game.seats]], *drawn, *left["fish_box"], *left["external_box"]]

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
        assert self.twin.over
        assert (self.table.ending, self.table.scores, self.table.ranking) == (self.twin.ending, self.twin.scores, self.twin.ranking)

    def answer(self, answers: dict[str, str], key: str) -> dict[str, str]:
        if key not in answers:  # two Mackerel: first that two are returned, then which
            self.table.play("sell")
            pairs = self.ours()
            if key in pairs:
                self.table.play(pairs[key])
        else:
            self.table.play(answers[key])
        answers = self.settle()
        self.twin.play(key)
        self.follow()
        return answers

    def compare(self, answers: dict[str, str]) -> None:
        decision = self.table.decision
        assert decision is not None
        where = f"{decision.path or 'turn'}: {decision.name}, decision {self.decisions}"
        theirs = set(self.twin.options())
        ours = set(answers)
        if "sell" in ours and decision.path == "visit/mackerel":
            pairs = {key for key in theirs if key.startswith("sell/")}
            assert pairs, where
            theirs = theirs - pairs | {"sell"}
        assert (self.twin.seat, sorted(theirs)) == (decision.seat, sorted(ours)), where
        compare_facts(self.told.facts(), self.twin.facts(), where)


def compare_facts(ours: Any, theirs: Any, where: str) -> None:
    """What we know must be so; the twin may know more."""
    if isinstance(ours, dict):
        for name, value in ours.items():
            if name in theirs or not isinstance(theirs, dict):
                compare_facts(value, theirs[name], f"{where} / {name}")
        if where.endswith(("/ tokens", "/ harbor", "/ licences")):
            assert ours == theirs, where
    elif isinstance(ours, list):
        assert sorted(ours) == sorted(theirs), where
    elif ours is not None:
        assert ours == theirs, where


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_base_game_is_the_same(seats: int) -> None:
    for seed in range(2):
        Pair(game_of(seats), seed).play(Random(seed), 0.2)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_expansion_is_the_same(seats: int) -> None:
    for seed in range(2):
        Pair(game_of(seats, ("expansion",)), seed).play(Random(seed), 0.2)

