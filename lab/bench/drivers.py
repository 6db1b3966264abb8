"""What plays whole games to be measured: the engine in its ways, and games by hand."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any, Protocol

from ichiba.interpreter.run.game import Game
from ichiba.interpreter.run.table import Table
from ichiba.lab.bench.other_engines import Run, cost
from ichiba.lab.policies import policy

SETTLED = 10  # so many different games of a policy's are played, again and again
AT_ONCE = 256  # tables that are stepped together


class Driver(Protocol):
    """Something that plays whole random games."""

    def play(self, games: int, seed: int) -> Run: ...

    def start(self, seed: int) -> object:
        """Only the set-up."""

    def copying(self, times: int) -> float | None:
        """Seconds for a copy in the middle of a game; None where a game cannot be copied."""


class Ours:
    """A game of the engine's."""

    def __init__(self, game: Game):
        self.game = game

    def play(self, games: int, seed: int) -> Run:
        start, random = self.game.start, Random(seed).random
        decisions = 0
        began = process_time()
        for number in range(games):
            table = start(seed * 1_000_003 + number)
            codes = table.legal()
            while codes:
                options = len(codes)
                if options > 1:
                    decisions += 1
                table.step(int(random() * options))
                codes = table.legal()
        return Run(process_time() - began, games, decisions)

    def start(self, seed: int) -> Table:
        return self.game.start(seed)

    def at(self, seed: int, part: float) -> tuple[Table, int]:
        """A table when this part of its answers has been given, all but the last at most; and the next one."""
        table, random = self.start(seed), Random(seed)
        answers = []
        while codes := table.legal():
            answers.append(int(random.random() * len(codes)))
            table.step(answers[-1])
        again, given = self.start(seed), min(len(answers) - 1, int(len(answers) * part))
        for answer in answers[:given]:
            again.step(answer)
        return again, answers[given]

    def copying(self, times: int) -> float | None:
        table, _ = self.at(1, 0.5)
        return cost(table.copy, times)

    def ending(self, times: int) -> float:
        """Seconds for the last answer of a game, with the scoring that follows."""
        seconds = []
        for seed in range(5):
            before, last = self.at(seed, 1.0)
            tables = [before.copy() for _ in range(times)]
            began = process_time()
            for table in tables:
                table.step(last)
            seconds.append((process_time() - began) / times)
            assert tables[-1].over
        return median(seconds)


class Settled(Ours):
    """A game of the engine's, as a policy of its ruleset plays it. What that answers is worked out before; measured is
    the engine alone."""

    def __init__(self, game: Game, policy: str):
        super().__init__(game)
        self.policy = policy
        self.known: dict[int, list[int]] = {}

    def answers(self, seed: int) -> list[int]:
        if seed not in self.known:
            table, answers = self.game.start(seed), list[int]()
            seats = [policy(self.game, self.policy, f"{seed}/{seat}") for seat in range(1, self.game.seats + 1)]
            while (decision := table.decision) is not None:
                answers.append(seats[decision.seat_index].index(decision))
                table.step(answers[-1])
            self.known[seed] = answers
        return self.known[seed]

    def play(self, games: int, seed: int) -> Run:
        del seed
        start = self.game.start
        played = [(number % SETTLED, self.answers(number % SETTLED)) for number in range(games)]
        decisions = 0
        began = process_time()
        for number, answers in played:
            table = start(number)
            for answer in answers:
                if len(table.legal()) > 1:
                    decisions += 1
                table.step(answer)
        return Run(process_time() - began, games, decisions)


class WholeGames:
    """Games of the engine's from set-up to ranking, without Python in between. Every answer counts, also where there is but one."""

    def __init__(self, game: Game, policy: str):
        self.game, self.policy = game, policy
        game.batch([0], policy)  # what has to be made for it is made now

    def play(self, games: int, seed: int) -> Run:
        began = process_time()
        found = self.game.batch([f"{seed}/{number}" for number in range(games)], self.policy)
        return Run(process_time() - began, games, sum(found.decisions))

    def start(self, seed: int) -> Table:
        return self.game.start(seed)

    def copying(self, times: int) -> float | None:
        del times
        return None


class ByHand:
    """A hand-written game of the checkout's, made to be fast."""

    def __init__(self, new: Callable[[int, int], Any], seats: int):
        self.new, self.seats = new, seats

    def play(self, games: int, seed: int) -> Run:
        new, seats, random = self.new, self.seats, Random(seed).random
        decisions = 0
        began = process_time()
        for number in range(games):
            game = new(seats, seed * 1_000_003 + number)
            while not game.over:
                options = len(game.legal())
                if options > 1:
                    decisions += 1
                game.step(int(random() * options))
        return Run(process_time() - began, games, decisions)

    def start(self, seed: int) -> object:
        return self.new(self.seats, seed)

    def copying(self, times: int) -> float | None:
        game, random = self.start(1), Random(1).random
        copy = getattr(game, "copy", None)
        if copy is None:
            return None
        for _ in range(50):
            if not game.over:  # type: ignore[attr-defined]
                game.step(int(random() * len(game.legal())))  # type: ignore[attr-defined]
        return cost(copy, times)


class ByHandInC:
    """A hand-written game of the checkout's in C: whole random games, nothing else is asked of it."""

    def __init__(self, play: Callable[[int, int, int], tuple[int, int]], seats: int):
        self.plays, self.seats = play, seats
        play(seats, 1, 0)  # it is compiled now

    def play(self, games: int, seed: int) -> Run:
        began = process_time()
        decisions, _ = self.plays(self.seats, games, 1 + seed * 1_000_003)
        return Run(process_time() - began, games, decisions)

    def start(self, seed: int) -> object:
        return self.plays(self.seats, 0, seed)

    def copying(self, times: int) -> float | None:
        del times
        return None


class ManyTables:
    """Games of the engine's stepped together from Python. What chooses the answers is Python's, and included."""

    def __init__(self, game: Game):
        self.game = game

    def play(self, games: int, seed: int) -> Run:
        random, decisions, left = Random(seed).random, 0, games
        began = process_time()
        while left > 0:
            tables = self.game.tables([f"{seed}/{left - number}" for number in range(min(left, AT_ONCE))])
            many = tables.many.tolist()
            while any(many):
                decisions += sum(options > 1 for options in many)
                tables.step(array("q", [int(random() * options) for options in many]))
                many = tables.many.tolist()
            left -= AT_ONCE
        return Run(process_time() - began, games, decisions)

    def start(self, seed: int) -> object:
        return self.game.tables([seed])

    def copying(self, times: int) -> float | None:
        tables = self.game.tables(range(AT_ONCE))
        for _ in range(20):
            tables.step([0] * AT_ONCE)
        return cost(tables.copy, max(1, times // AT_ONCE)) / AT_ONCE
