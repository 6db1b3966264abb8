"""What an expression can come to: plain Python values, and a few that stand for pieces, sorts and places.

A number without a unit is an `int`, a condition a `bool`, nobody and nothing `None`. All else is below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.reference.world import Sort, Thing, Zone

Value = Any  # whatever an expression of the language comes to


class RulesWrong(Exception):
    """A rule did what cannot be done, or says what means nothing."""


class TooLong(RulesWrong):
    """More is done than may be done between two decisions: the game stops, also where it is only tried."""


@dataclass(frozen=True, slots=True)
class Amount:
    """`¥300`, `2 ap`: a number with its unit. Different units neither add nor compare."""

    value: int
    unit: str


class Nought(int):
    """What a sum, or the highest, of nothing at all comes to: 0 of whatever unit is wanted."""


NOUGHT = Nought(0)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of an enumeration, `fresh` of `fresh or degraded`; `place` counts from 1."""

    enum: str
    name: str
    place: int


@dataclass(frozen=True, slots=True)
class Piece:
    """One of the pieces of a counted sort that lie in a zone. They are all alike."""

    zone: Zone
    sort: Sort


@dataclass(frozen=True, slots=True)
class Sorts:
    """`token`, `mackerel`, `barrel of m`: the sorts that go by a name. `family` says among which they count."""

    sorts: tuple[Sort, ...]
    family: str = ""


@dataclass(frozen=True, slots=True)
class Zones:
    """`my.berth` of a berth with an index, `{box, deck}`: several zones, in this order."""

    zones: tuple[Zone, ...]


@dataclass(frozen=True, slots=True)
class Lying:
    """`octopus in my.tokens`: the pieces of some sorts in some zones; as a condition, whether there are any."""

    sorts: Sorts
    zones: Zones


@dataclass(frozen=True, slots=True)
class AmountOf:
    """`3 octopus`, `2 of my.hand`: so many of these."""

    amount: int
    what: Value


@dataclass(slots=True)
class Items:
    """A set: its members in order, each with how often it counts. Only alike pieces count more than once."""

    items: list[tuple[Value, int]]

    def each(self) -> list[Value]:
        """One by one: five alike pieces are five."""
        return [value for value, n in self.items for _ in range(n)]

    def different(self) -> list[Value]:
        """To choose from: alike pieces are one."""
        return list(dict.fromkeys(value for value, n in self.items if n))


def listed(values: Iterable[Value]) -> Items:
    return Items([(value, 1) for value in values])


@dataclass(slots=True)
class Bag:
    """What `choose some` has chosen: how many of each sort, and the pieces there were to choose from."""

    counts: dict[Sort, int] = field(default_factory=dict)
    pieces: list[tuple[Value, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TableRef:
    """A table by its name, handed to a value that asks it."""

    name: str


@dataclass(frozen=True, slots=True)
class Measure:
    """A value by its name, handed on with the first of what it takes in brackets."""

    definition: Any
    given: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class MenuRef:
    """`m.visit`: the menu of a thing."""

    owner: Thing
    name: str


@dataclass(frozen=True, slots=True)
class CostRef:
    """`m.entry`: a cost that a thing's file states."""

    owner: Thing
    name: str


@dataclass(frozen=True, slots=True)
class Several:
    """A name that means more than one thing; what is wanted decides. The first is the likeliest."""

    name: str
    meanings: tuple[Value, ...]


@dataclass(slots=True)
class PerSeat:
    """What was chosen in secret under a name, by seat: `bid of s`."""

    name: str
    answers: dict[Any, Value]
    block: Any = None  # where it was chosen


@dataclass(slots=True)
class Promised:
    """A name under which a rule sets money aside, and the seats' purse that it comes from, once there is some."""

    rule: str
    name: str
    origin: Any = None
    purse: Any = None


@dataclass(slots=True)
class Indexed:
    """A memory of a rule with an index: `flag visited(t: station)`."""

    name: str
    first: Value
    kinds: tuple[str, ...]
    values: dict[tuple[Value, ...], Value] = field(default_factory=dict)


# ------------------------------------------------------------------------------------------------ arithmetic


def is_number(value: Value) -> bool:
    return isinstance(value, int | Amount) and not isinstance(value, bool)


def unit_of(value: Value) -> str:
    """The unit of a number; none of a plain one."""
    return value.unit if isinstance(value, Amount) else ""


def bare(value: Value) -> int:
    """The number without its unit; a condition counts 0 or 1."""
    if isinstance(value, Amount):
        return value.value
    if isinstance(value, int):
        return int(value)
    raise RulesWrong(f"{value} is no number")


def with_unit(number: int, unit: str) -> Value:
    return Amount(number, unit) if unit else number


def common_unit(a: Value, b: Value) -> str:
    """The unit of two numbers that stand together."""
    if not (is_number(a) and is_number(b)):
        raise RulesWrong(f"{a} and {b} are not both numbers")
    if isinstance(a, Nought) or isinstance(b, Nought):
        return unit_of(a) or unit_of(b)
    if unit_of(a) != unit_of(b):
        raise RulesWrong(f"{a} and {b} are of different units")
    return unit_of(a)


def plus(a: Value, b: Value) -> Value:
    return with_unit(bare(a) + bare(b), common_unit(a, b))


def minus(a: Value, b: Value) -> Value:
    return with_unit(bare(a) - bare(b), common_unit(a, b))


def times(a: Value, b: Value) -> Value:
    """At most one of the two has a unit."""
    if unit_of(a) and unit_of(b):
        raise RulesWrong(f"{a} is multiplied by {b}")
    return with_unit(bare(a) * bare(b), unit_of(a) or unit_of(b))


def divided(a: Value, b: Value, rounding: str) -> Value:
    """An amount by a number is an amount; an amount by one of its unit is a number. Down is towards less."""
    if unit_of(b) and unit_of(b) != unit_of(a) and not isinstance(a, Nought):
        raise RulesWrong(f"{a} is divided by {b}")
    if not bare(b):
        raise RulesWrong(f"{a} is divided by nothing")
    made = bare(a) // bare(b) if rounding == "down" else -(-bare(a) // bare(b))
    return made if unit_of(b) else with_unit(made, unit_of(a))


def less(a: Value, b: Value) -> bool:
    common_unit(a, b)
    return bare(a) < bare(b)


ORDERED: dict[str, Callable[[Value, Value], bool]] = {
    "<": less,
    ">": lambda a, b: less(b, a),
    "<=": lambda a, b: not less(b, a),
    ">=": lambda a, b: not less(a, b),
}
