"""How much of a program has been followed, and what options may have changed by some point of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import Member

MOST_FOLLOWED = 15_000  # sentences, each as often as it is come to under other conditions, and changes that are looked at


class TooMuchToFollow(Exception):
    """The rules come to more than that."""


@dataclass(frozen=True, eq=False, slots=True)
class Changed:
    """What somebody's option has changed before anything else was asked, and what that hangs on, as this seat is called there."""

    members: frozenset[Member]
    by: tuple[object, ...]
    seat: ir.Exp | None


@dataclass(slots=True)
class Followed:
    """Which of all changes have been made by some point is one whole number, in which each has a digit of its own: very many are
    put together as quickly as few."""

    steps: int = 0
    changes: list[Changed] = field(default_factory=list)
    touching: dict[Member, int] = field(default_factory=dict)  # those that change a member

    def step(self, many: int = 1) -> None:
        self.steps += many
        if self.steps > MOST_FOLLOWED:
            raise TooMuchToFollow

    def note(self, changed: Changed) -> int:
        """Its digit; where nothing is changed, none."""
        if not changed.members:
            return 0
        digit = 1 << len(self.changes)
        self.changes.append(changed)
        for member in changed.members:
            self.touching[member] = self.touching.get(member, 0) | digit
        return digit

    def made(self, which: int, members: Iterable[Member]) -> tuple[int, list[Changed]]:
        """Those of them that change one of these members, as a number and one by one."""
        touching = 0
        for member in members:
            touching |= self.touching.get(member, 0)
        return which & touching, list(self._with(which & touching))

    def _with(self, which: int) -> Iterator[Changed]:
        while which:
            digit = which & -which
            which ^= digit
            yield self.changes[digit.bit_length() - 1]


__all__ = ["MOST_FOLLOWED", "Changed", "Followed", "TooMuchToFollow"]
