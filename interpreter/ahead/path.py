"""A way through an option's body: what has been done on it as far as that can be said, and what it requires."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import FLAG
from ichiba.dsl.world.world import Member
from ichiba.interpreter.ahead.joining import YES, all_of


@dataclass(frozen=True)
class Change:
    """What was written: into which places of a member (None: all), and what, or how much more."""

    member: Member
    at: tuple[ir.Exp, ...] | None
    value: ir.Exp
    adds: bool
    each: ir.Var | None = None  # for each seat, called so


@dataclass(frozen=True)
class Foreseen:
    """What can be said of an option's body beforehand."""

    tests: tuple[ir.Require, ...] = ()  # it cannot go on without these
    whole: bool = True  # nothing else can go wrong in it
    sure: ir.Exp | None = None  # where something else can: when this holds it does not
    by_way: bool = False  # whether the one way to pay leads on where another does not


@dataclass
class Path:
    """What has happened on the way through a body, as far as it is known."""

    known: dict[ir.Var, ir.Exp] = field(default_factory=dict)  # variables whose value can be said as it was before
    lost: set[ir.Var] = field(default_factory=set)  # variables that got another value
    written: set[Member] = field(default_factory=set)  # what was written there last cannot be said, unless it is among `kept`
    moved: set[int] = field(default_factory=set)  # sorts of which pieces have changed places
    certain: bool = True  # whether control is sure to come here
    over: bool = False  # whether it never comes any further
    past: bool = False  # whether others have answered: that is as far as one looks
    kept: list[Change] = field(default_factory=list)  # what was written there since, in order
    whole: bool = True  # whether everything that could fail is foreseen
    tests: list[ir.Require] = field(default_factory=list)  # what must hold
    sure: list[ir.Exp] | None = field(default_factory=list)  # what is enough; None: nothing is known to be
    there: set[ir.Exp] = field(default_factory=set)  # pieces that had names before anything was moved
    sound: list[ir.Exp] | None = field(default_factory=list)  # when nothing has gone wrong so far; None: that cannot be said

    def fork(self) -> Path:
        """From here on another way; what is required on it is its own."""
        return Path(
            dict(self.known),
            set(self.lost),
            set(self.written),
            set(self.moved),
            self.certain,
            self.over,
            self.past,
            list(self.kept),
            there=set(self.there),
        )

    def need(self, said: ir.Exp | None, span: Span | None, whole: bool = True, enough: ir.Exp | None = None) -> None:
        """Here something is required: what it comes to, as far as that can be said. Where that is not all there is
        to it (not `whole`), perhaps something is known that would be enough. Where the rules have gone wrong before, nothing is
        required any more."""
        if said is not None and self.certain and self.sound is not None:
            test = ir.Cond(all_of(self.sound), said, YES, FLAG) if self.sound else said
            self.tests.append(ir.Require(test, None, "foreseen", span))
        self.whole = self.whole and whole and said is not None and self.certain and self.sound is not None
        enough = said if whole else enough
        self.sure = None if self.sure is None or enough is None else [*self.sure, enough]

    def give_up(self) -> None:
        """Something may fail that can only be found out by trying."""
        self.whole, self.sure = False, None

    def write(self, members: Iterable[Member]) -> None:
        """Something is written into these of which nothing can be said; what was written there before may be no more."""
        lost = set(members)
        self.written |= lost
        self.kept = [change for change in self.kept if change.member not in lost]

    def doubt(self, sound: ir.Exp | None) -> None:
        """From here on something has gone wrong unless this holds; None: perhaps."""
        if sound is None:
            self.sound = None
        elif self.sound is not None and sound != YES and sound not in self.sound:
            self.sound.append(sound)

    def join(self, others: Iterable[Path]) -> None:
        """After ways that meet again: what any of them has done has perhaps been done."""
        others = list(others)
        for other in others:
            self.lost |= other.lost | {v for v, e in other.known.items() if self.known.get(v, e) is not e}
            self.lost |= set(other.known) - set(self.known)
            self.write(other.written - self.written)
            self.moved |= other.moved
            self.write({c.member for c in self.kept if c not in other.kept} | {c.member for c in other.kept if c not in self.kept})
            self.whole = self.whole and other.whole
            self.sound = None if other.sound != [] else self.sound
            self.certain = self.certain and other.certain and not other.over and not other.past
        self.over = bool(others) and all(other.over for other in others)
        self.past = self.past or bool(others) and all(other.past for other in others)
