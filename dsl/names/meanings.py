"""What a written expression can mean before it is known what is wanted of it, and which names mean what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Member, Table


@dataclass(frozen=True, slots=True)
class SortNames:
    """`octopus`, `crate`: one sort or all of a family, or one that is worked out (`crate of m`)."""

    sorts: ir.SortSet
    kind: Kind


@dataclass(frozen=True, slots=True)
class Zones:
    """One zone or several taken together, in order."""

    zones: tuple[ir.Exp, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class Lying:
    """`octopus in my.tokens`: pieces of some sorts in some zones; as a condition, whether there are any."""

    sorts: ir.SortSet
    zones: Zones


@dataclass(frozen=True, slots=True)
class AmountOf:
    """`3 octopus in my.tokens`, `n eel`: so many pieces."""

    amount: ir.Exp
    what: SortNames | Lying | ir.Set | Zones


@dataclass(frozen=True, slots=True)
class TableRef:
    table: Table


@dataclass(frozen=True, slots=True)
class Measure:
    """A value used as a measure, some of its arguments already given."""

    function: Definition
    given: tuple[ir.Exp, ...]


@dataclass(frozen=True, slots=True)
class MenuRef:
    """`m.visit`: the menu of a board."""

    owner: ir.Exp
    name: str


@dataclass(frozen=True, slots=True)
class CostRef:
    """`m.entry`: a cost that a thing's file states."""

    owner: ir.Exp
    name: str


@dataclass(eq=False, slots=True)
class Promised:
    """A name under which a rule sets money aside: a purse of each seat, known once it is written what goes in."""

    name: str
    purse: Member | None = None
    origin: Member | None = None  # where it comes from, and whatever is left goes back to
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Several:
    """A name that means more than one thing; what is wanted decides."""

    name: str
    meanings: tuple[Meaning, ...]


Meaning = Union[ir.Exp, ir.Set, SortNames, Zones, Lying, AmountOf, TableRef, Measure, MenuRef, CostRef, Promised, Several]



@dataclass(eq=False, slots=True)
class Definition:
    """A named value, guard, procedure or cost, with all that replaces it, and where each came from."""

    name: str
    what: str  # value, guard, procedure, cost
    item: t.Value | t.Guard | t.Procedure | t.CostRule
    home: str
    board: str
    kind: str = ""  # the kind it belongs to
    cases: dict[str, Definition] = field(default_factory=dict)  # by board: its own version
    sort_cases: list[tuple[t.ValueCase, str, str]] = field(default_factory=list)
    original: Definition | None = None
    original_of: bool = False  # something has replaced it
    value: ir.ValueRef | None = None
    procedure: ir.ProcRef | None = None
    result: Kind | None = None
    needs_me: bool = False
    busy: bool = False
    circular: bool = False

    @property
    def span(self) -> Span:
        return self.item.span


@dataclass(frozen=True, slots=True)
class Said:
    """A condition has said that a set holds something: when, and what the names in it stood for."""

    at: int  # so much had been done
    names: tuple[tuple[str, object], ...]
    again: tuple[list[ir.Stm], ...] = ()  # loops entered since: all that they do may have been done


@dataclass(slots=True)
class Env:
    """The names that are known at a place in a rule."""

    names: dict[str, Meaning]
    me: ir.Exp | None = None
    board: ir.Exp | None = None
    excluded: dict[ir.Var, frozenset[str]] = field(default_factory=dict)  # kinds that a name is known not to be of
    home: str = ""
    board_name: str = ""
    original: object = None
    me_used: list[t.Node] = field(default_factory=list)
    secret: bool = False
    kinds: dict[t.Expr, tuple[str, bool, Said]] = field(default_factory=dict)  # what `t.building` is, or is not
    there: dict[t.Expr, Said] = field(default_factory=dict)  # sets that a condition has said are not empty
    done: list[ir.Stm] = field(default_factory=list)  # what has been done so far in this rule
    leads: dict[ir.Var, ir.Exp] = field(default_factory=dict)  # connections, and where they were found; until something is done

    def inner(self, **changes: object) -> Env:
        env = Env(
            dict(self.names),
            self.me,
            self.board,
            dict(self.excluded),
            self.home,
            self.board_name,
            self.original,
            self.me_used,
            self.secret,
            dict(self.kinds),
            dict(self.there),
            list(self.done),
            dict(self.leads),
        )
        for name, value in changes.items():
            setattr(env, name, value)
        return env

    def with_names(self, **names: Meaning) -> Env:
        env = self.inner()
        env.names.update(names)
        return env

    def over(self, var: ir.Var, domain: ir.Set) -> Env:
        """With the name of a binder. One of the connections at a place leads on from there."""
        env = self.with_names(**{var.name: ir.Use(var, var.kind)})
        env.found(var, domain)
        return env

    def found(self, var: ir.Var, domain: ir.Set) -> None:
        while isinstance(domain, ir.Filtered):
            domain = domain.set
        if isinstance(domain, ir.Rows) and domain.name == "edges_at":
            self.leads[var] = domain.at
