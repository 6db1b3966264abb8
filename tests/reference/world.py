"""What there is: seats, things, sorts of pieces, zones, and the members that each of them has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ichiba.dsl.syntax import tree as t

ROOTS = ("thing", "node", "edge", "board", "piece")


@dataclass(eq=False, slots=True)
class Seat:
    """A seat at the table, from 1 on."""

    number: int

    def __repr__(self) -> str:
        return f"seat {self.number}"


@dataclass(eq=False, slots=True)
class Table:
    """The owner of what belongs to nobody else."""

    def __repr__(self) -> str:
        return "the table"


@dataclass(eq=False, slots=True)
class Thing:
    """Something that exists one by one: a board, a station, a boat. `place` is its number among its kind."""

    name: str
    kind: str
    group: str = ""  # the board whose file declares it
    sort: Sort | None = None  # of a piece that exists one by one, and of a board
    fields: dict[str, Any] = field(default_factory=dict)
    place: int = 0
    home: str = ""
    is_board: bool = False
    ends: tuple[str, str] | None = None

    def __repr__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(eq=False, slots=True)
class Sort:
    """What alike pieces have in common."""

    name: str
    family: str
    place: int  # among all sorts
    number: int = 0
    individual: bool = False
    owner: Seat | None = None
    side: str = ""
    thing: Thing | None = None  # the board or thing that this sort is for
    key: str = ""
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        return f"{self.name}_{self.side}" if self.side else self.name

    @property
    def spelled(self) -> str:
        return self.key or self.full_name

    def __repr__(self) -> str:
        return f"sort {self.full_name}"


@dataclass(eq=False, slots=True)
class Zone:
    """A place where pieces lie, of one owner and with one value of each index."""

    member: Member
    owner: Any
    index: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"{self.member.name} of {self.owner}{self.index or ''}"


@dataclass(eq=False, slots=True)
class Member:
    """What a seat, the table or every thing of a kind has: a counter, flag, purse, zone, memory or note."""

    name: str
    owner: str  # seat, table, a kind, `board NAME`
    form: str  # counter, flag, purse, zone, remember, note
    decl: Any
    index: tuple[str, ...] = ()  # the types of what stands in brackets
    type: t.Type | None = None
    unit: str = ""
    low: int = 0
    high: int = 0
    start: Any = None
    words: dict[str, t.Word] = field(default_factory=dict)
    forgets: frozenset[str] | None = frozenset()  # None: everything but what is kept
    keeps: frozenset[str] = frozenset()
    promise: bool = False  # a purse into which a rule sets money aside
    aside: str = ""  # the name under which it does

    @property
    def full_name(self) -> str:
        return f"{self.owner}.{self.name}"

    def __repr__(self) -> str:
        return self.full_name


@dataclass(eq=False, slots=True)
class Kind:
    """A kind of things: what it is a kind of, what all of them have, and all of them in order."""

    name: str
    parent: str
    root: str = ""
    declared: bool = False
    fields: dict[str, t.Field] = field(default_factory=dict)
    members: dict[str, Member] = field(default_factory=dict)
    menus: set[str] = field(default_factory=set)
    things: list[Thing] = field(default_factory=list)


def plural(word: str) -> str:
    """`stall` to `stalls`, `city` to `cities`, `box` to `boxes`: how the set of all of a kind is called."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")
