"""Twins that are told as a story: rules written as generators, which stop at every question and are given the answer.

They are for lock-step with the rules engine, not for speed: one reads them beside the rulebook."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any

from tests.twins.base import Chance, Twin, places


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: who is asked, and the keys. `always`: also when there is one answer only, since a skip would tell."""

    seat: int
    keys: list[str]
    always: bool = False


Course = Generator[Asked, str, Any]


class Told(Twin):
    """Runs `course()` from question to question; what has one answer is taken unasked, and noted."""

    def __init__(self, seats: int, chance: Chance, *, start_player: int = 0) -> None:
        self.seats = range(1, seats + 1)
        self.chance = chance
        self.start = start_player or int(chance.pick("start_player", {str(seat): 1 for seat in self.seats}))
        self.forced: list[tuple[int, str]] = []
        self.scores: dict[int, int] = {}
        self.over = False
        self.seat = 0
        self._keys: list[str] = []
        self.set_up()
        self._course = self.course()
        self._go_on(lambda: next(self._course))

    @abstractmethod
    def set_up(self) -> None:
        """Everything as it is before the first question, chance of the set-up included."""

    @abstractmethod
    def course(self) -> Course: ...

    @abstractmethod
    def final_scores(self) -> dict[int, int]: ...

    def marks(self) -> dict[int, tuple[int, ...]]:
        """What the places go by, the highest first."""
        return {seat: (score,) for seat, score in self.scores.items()}

    def _go_on(self, more: Callable[[], Asked]) -> None:
        try:
            asked = more()
            while len(asked.keys) == 1 and not asked.always:
                (only,) = asked.keys
                self.forced.append((asked.seat, only))
                asked = self._course.send(only)
        except StopIteration:
            self.over, self.seat, self._keys = True, 0, []
            self.scores = self.final_scores()
            return
        self.seat, self._keys = asked.seat, asked.keys

    def legal(self) -> list[int]:
        return list(range(len(self._keys)))

    def options(self) -> list[str]:
        return list(self._keys)

    def step(self, index: int) -> None:
        key = self._keys[index]
        self._go_on(lambda: self._course.send(key))

    @property
    def ranking(self) -> list[list[int]]:
        return places(self.marks()) if self.over else []

    def from_(self, seat: int) -> list[int]:
        """All seats in their order, this one first."""
        return [*range(seat, len(self.seats) + 1), *range(1, seat)]

    def draw(self, pile: list[str], number: int) -> list[str]:
        """Pieces out of a pile, one after the other, as far as there are any."""
        drawn = []
        for _ in range(min(number, len(pile))):
            weights: dict[str, int] = {}
            for one in pile:
                weights[one] = weights.get(one, 0) + 1
            drawn.append(self.chance.pick("draw", weights))
            pile.remove(drawn[-1])
        return drawn


def last(key: str) -> str:
    """`dig/c3`: c3."""
    return key.rpartition("/")[2]


def counted(things: Iterable[str]) -> dict[str, int]:
    """How many there are of each, by name."""
    found: dict[str, int] = {}
    for thing in sorted(things):
        found[thing] = found.get(thing, 0) + 1
    return found
