"""What every twin offers, and where its chance comes from.

A twin is one running game, written by hand, with nothing of the rules engine in it. Two uses, two ways in:

- in lock-step with the rules engine: `seat`, `options()`, `play(key)`, `facts()`, and a `ScriptedChance` that
  is fed what the engine drew;
- as the mark for speed: `legal()` and `step(index)`, small integers only, and a `RandomChance`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Protocol, TypeVar

Card = TypeVar("Card")
Draw = Callable[[], float]


class Chance(Protocol):
    """Decides the chance events of a game, one by one."""

    def pick(self, what: str, weights: dict[str, int]) -> str:
        """One key of `weights`; `what` says what is being picked ("draw")."""
        ...


class RandomChance:
    """Chance from a seed. A twin given one may shuffle for itself: other draws, same distribution."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def pick(self, what: str, weights: dict[str, int]) -> str:
        left = int(self.random.random() * sum(weights.values()))
        for key, weight in weights.items():
            left -= weight
            if left < 0:
                return key
        raise ImpossibleOutcome(f"nothing to pick for {what}")


class ScriptedChance:
    """Chance as written down: the keys in order; more may be added while the game runs.

    `certain` says whether a pick with one possible outcome stands in the script too. When the script has run
    out, `then` goes on; without it that is an error.
    """

    def __init__(self, keys: Iterable[str], *, certain: bool = True, then: Chance | None = None) -> None:
        self.left = list(keys)[::-1]
        self.certain = certain
        self.then = then

    def add(self, keys: Iterable[str]) -> None:
        self.left[:0] = list(keys)[::-1]

    def pick(self, what: str, weights: dict[str, int]) -> str:
        if len(weights) == 1 and not self.certain:
            return next(iter(weights))
        if not self.left:
            if self.then is None:
                raise ImpossibleOutcome(f"the script has run out at {what}")
            return self.then.pick(what, weights)
        key = self.left.pop()
        if not weights.get(key):
            raise ImpossibleOutcome(f"{what} cannot be {key}, only {', '.join(weights)}")
        return key


class RecordedChance:
    """Another chance, writing down what it decides. No `RandomChance`, so a twin asks it for every pick."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.told: list[str] = []

    def pick(self, what: str, weights: dict[str, int]) -> str:
        key = self.chance.pick(what, weights)
        self.told.append(key)
        return key


class ImpossibleOutcome(ValueError):
    """A script wants what cannot happen."""


class IllegalAnswer(ValueError):
    """A key that is not among the options."""


class Twin(ABC):
    """One running game. It runs to the next decision by itself; forced answers and chance are none."""

    __slots__ = ()

    seat: int
    """The seat to decide, from 1; in a secret block the lowest pending. 0 when the game is over."""
    over: bool
    scores: dict[int, int]
    """Of every seat; empty until the game is over."""
    forced: list[tuple[int, str]]
    """The answers taken without asking, since there was only one: seat and key, in order."""

    @abstractmethod
    def __init__(self, seats: int, chance: Chance, **options: Any) -> None: ...

    @abstractmethod
    def legal(self) -> list[int]:
        """The options as opaque integers, in order; empty when over. Shared: read it, do not change it."""

    @abstractmethod
    def step(self, index: int) -> None:
        """Answer with the option at this place of `legal()`, from 0. Makes no strings."""

    @abstractmethod
    def options(self) -> list[str]:
        """The keys of the options, in the order of `legal()`."""

    def play(self, key: str) -> None:
        """Answer with a key."""
        keys = self.options()
        if key not in keys:
            raise IllegalAnswer(f"seat {self.seat} cannot answer {key}, only {', '.join(keys) or 'nothing'}")
        self.step(keys.index(key))

    @property
    @abstractmethod
    def ranking(self) -> list[list[int]]:
        """The seats, best first; ties share a place. Empty until the game is over."""

    @abstractmethod
    def facts(self) -> dict[str, object]:
        """The whole state in plain JSON, by the names of the rulebook; a seat's key is its number as text."""


def places(marks: dict[int, tuple[int, ...]]) -> list[list[int]]:
    """Seats by mark, the highest first: `{1: (5,), 2: (7,), 3: (5,)}` gives `[[2], [1, 3]]`."""
    return [
        [seat for seat in marks if marks[seat] == mark] for mark in sorted(set(marks.values()), reverse=True)
    ]


def shuffled(cards: Sequence[Card], random: Draw) -> list[Card]:
    """The cards in random order (faster than `random.shuffle`)."""
    return sorted(cards, key=lambda _: random())


def playout(game: Twin, random: Draw) -> int:
    """Play to the end, uniformly at random; the number of decisions."""
    decisions = 0
    while not game.over:
        game.step(int(random() * len(game.legal())))
        decisions += 1
    return decisions
