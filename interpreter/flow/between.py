"""What goes on between questions and no rule says: loops that go on after an answer, counts, the end of a dry run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Union, assert_never

from ichiba.dsl.rules import ir

if TYPE_CHECKING:
    from ichiba.interpreter.flow.pieces import Site


@dataclass(frozen=True, slots=True)
class Begin:
    """A count begins with nothing."""

    count: ir.Var


@dataclass(frozen=True, slots=True)
class Add:
    """A count is so much more."""

    count: ir.Var
    by: int


@dataclass(frozen=True, slots=True)
class PackUp:
    """What a loop goes through is taken once, packed into one number; `random`: in an order by chance, called so."""

    rest: ir.Var
    set: ir.Set
    random: bool
    what: str


@dataclass(frozen=True, slots=True)
class Unpack:
    """The next of what was packed up is taken out."""

    var: ir.Var
    rest: ir.Var


@dataclass(frozen=True, slots=True)
class Next:
    """The next of fixed values: `count` says which."""

    var: ir.Var
    count: ir.Var
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NextSeat:
    me: ir.Var


@dataclass(frozen=True, slots=True)
class NewTurn:
    """Somebody's turn begins that stands in no other turn; of nobody: it is nobody's any longer. Only told to who listens."""

    me: ir.Var | None


@dataclass(frozen=True, slots=True)
class Stop:
    """A dry run of one of these options has come to its end."""

    options: tuple[tuple[Site, int], ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of the rules that is told when it is reached."""

    number: int


@dataclass(frozen=True, slots=True)
class StillPacked:
    """Whether something is left of what was packed up."""

    rest: ir.Var


@dataclass(frozen=True, slots=True)
class CountBelow:
    """Whether a count has not come so far."""

    count: ir.Var
    limit: int


Between = Union[Begin, Add, PackUp, Unpack, Next, NextSeat, NewTurn, Stop, Mark]
Asked = Union[StillPacked, CountBelow]
BETWEEN_CLASSES = (Begin, Add, PackUp, Unpack, Next, NextSeat, NewTurn, Stop, Mark)
ASKED_CLASSES = (StillPacked, CountBelow)


def mentioned(one: Between | Asked) -> tuple[ir.Var | ir.Set, ...]:
    """The variables, and the set, that it is about."""
    match one:
        case Begin(count=count) | Add(count=count) | CountBelow(count=count):
            return (count,)
        case PackUp(rest=rest, set=through):
            return (rest, through)
        case Unpack(var=var, rest=rest):
            return (var, rest)
        case Next(var=var, count=count, values=values):
            return (var, count) if values else ()
        case NextSeat(me=me):
            return (me,)
        case StillPacked(rest=rest):
            return (rest,)
        case NewTurn(me=ir.Var() as me):
            return (me,)
        case NewTurn() | Stop() | Mark():
            return ()
        case _:
            assert_never(one)
