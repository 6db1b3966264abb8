"""The tree of a game's histories: every chance event with its distribution, every decision, every ending.

    >>> counts(game)
    Counts(chance=157, decision=3780, terminal=5520)

Positions are made as one walks; seats that decide in secret do so one after the other, the lowest first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.interpreter.layout import PC
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.runtime.chance import NeedChance
from ichiba.interpreter.saves.records import Teller


@dataclass(frozen=True, slots=True)
class Counts:
    """How many histories end in a chance event, in a decision, and for good."""

    chance: int = 0
    decision: int = 0
    terminal: int = 0


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a run began: a state, the answer given in it (None: the very beginning), and the chance since."""

    state: list[int]
    code: int | None
    script: tuple[str, ...] = ()


class Position(ABC):
    """What comes after some answers and chance events: the next chance event or decision, or the end."""

    __slots__ = ()
    edges: tuple[str, ...]

    @abstractmethod
    def after(self, key: str) -> Position:
        """The position after this outcome or answer; KeyError when there is none such."""


class Chance(Position):
    """A chance event: its outcomes by key, each with its weight."""

    __slots__ = ("_game", "_start", "_told", "edges", "weights", "what")

    def __init__(self, game: Game, start: _Start, need: NeedChance, told: int):
        self._game, self._start, self._told = game, start, told
        assert isinstance(need.kind, Kind)
        self.what = need.what
        self.weights: dict[str, int] = {}
        for value, weight in zip(need.values, need.weights, strict=True):
            key = game.words.key(value, need.kind)
            if weight:
                self.weights[key] = self.weights.get(key, 0) + weight
        self.edges = tuple(self.weights)

    def after(self, key: str) -> Position:
        start = self._start
        return _run(self._game, _Start(start.state, start.code, (*start.script, key)), self._told)


class Choice(Position):
    """A decision of one seat."""

    __slots__ = ("_codes", "_game", "_state", "edges", "forced", "path", "seat")

    def __init__(self, game: Game, state: list[int], codes: Any):
        self._game, self._state, self.forced = game, state, False
        site = game.flow.sites[state[PC]]
        if isinstance(site.decide, ir.Secret):
            secret = next(s for s in game.flow.secrets if s.site is site)
            seat = next(s for s in range(game.seats) if state[secret.waiting + s])
            site = game.flow.sites[state[secret.waiting + seat] - 1]
        else:
            seat = game.seat_of(site, state)
        self.seat = seat + 1
        self.path = "/".join(game.path_keys(site, state))
        self._codes = {game.explainer.key(site, code, state): int(code) for code in codes}
        self.edges = tuple(self._codes)

    def after(self, key: str) -> Position:
        return _run(self._game, _Start(self._state, self._codes[key]), 0)


class Forced(Position):
    """A decision with one possible answer, which the engine takes without asking."""

    __slots__ = ("_next", "edges", "forced", "path", "seat")

    def __init__(self, item: dict[str, object], follows: Position):
        seat = item["seat"]
        assert isinstance(seat, int)
        self.seat, self.path, self.edges = seat, str(item["path"]), (str(item["key"]),)
        self.forced, self._next = True, follows

    def after(self, key: str) -> Position:
        assert key in self.edges
        return self._next


class End(Position):
    """The game is over."""

    __slots__ = ("edges", "ending", "scores")

    def __init__(self, game: Game, state: list[int]):
        score = game.world.seat["score"]
        self.scores = {seat + 1: state[score.base + seat] for seat in range(game.seats)}
        number = state[game.world.table["ending"].base]
        self.ending = game.program.endings[number] if 0 <= number < len(game.program.endings) else "end"
        self.edges = ()

    def after(self, key: str) -> Position:
        raise KeyError(key)


def root(game: Game) -> Position:
    """Before anything has happened."""
    return _run(game, _Start(game.first, None), 0)


def _run(game: Game, start: _Start, told: int) -> Position:
    """On to the next chance event that the script does not decide, to the next decision, or to the end.

    `told` of the answers taken without asking have been positions already."""
    state = start.state[:]
    teller = Teller(game, game.chance_words(0), start.script, strict=True)
    code = teller.code
    reached: Position
    try:
        codes = code.run(state, teller, code.START) if start.code is None else code.step(state, teller, start.code)
    except NeedChance as need:
        forced = _forced(teller)
        reached = Chance(game, start, need, len(forced))
    else:
        forced = _forced(teller)
        reached = Choice(game, state, codes) if state[PC] >= 0 else End(game, state)
    for item in reversed(forced[told:]):
        reached = Forced(item, reached)
    return reached


def _forced(teller: Teller) -> list[dict[str, object]]:
    return [item for item in teller.items if item.get("forced")]


def positions(game: Game) -> Iterator[Position]:
    """Every position of the tree, in the order of options and outcomes."""
    todo = [root(game)]
    while todo:
        position = todo.pop()
        yield position
        todo.extend(position.after(key) for key in reversed(position.edges))


def counts(game: Game, *, forced: bool = True) -> Counts:
    """How many histories of each kind; without `forced`, what has one outcome or answer does not count."""
    chance = decision = terminal = 0
    for position in positions(game):
        if isinstance(position, End):
            terminal += 1
        elif not forced and len(position.edges) == 1:
            continue
        elif isinstance(position, Chance):
            chance += 1
        else:
            decision += 1
    return Counts(chance, decision, terminal)
