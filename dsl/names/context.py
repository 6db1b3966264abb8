"""What is known while the rules of one table are written, and where what is written goes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from ichiba.dsl.faults.fault import Edit, Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.names.emptiness import Claim
from ichiba.dsl.names.meanings import Definition, Env, Meaning, SortNames
from ichiba.dsl.names.merging import Merged
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Member, World
from ichiba.dsl.yaml.declarations import Box


class MeaningOf(Protocol):
    """What an expression means."""

    def __call__(self, c: Context, node: t.Expr, env: Env, want: Kind | None = None) -> Meaning | None: ...


class MovesOf(Protocol):
    """What a statement does."""

    def __call__(self, c: Context, node: t.Statement, env: Env) -> list[ir.Stm]: ...


@dataclass(frozen=True, slots=True)
class Names:
    """What plain names stand for in one world, before any rule is read."""

    plurals: dict[str, Meaning]  # `markets`: all of them
    things: dict[str, ir.Const]
    namesakes: dict[str, list[ir.Const]]  # things of several kinds that share a name
    sorts: dict[str, list[SortNames]]


@dataclass(slots=True)
class Setting:
    """The procedure that is being written: what it gives back, and which blocks can be left."""

    name: str
    results: tuple[ir.Var, ...] = ()
    gives: Kind | None = None  # of a value
    open_blocks: list[str] = field(default_factory=list)
    secret: bool = False


@dataclass(slots=True)
class Task:
    """A procedure whose body is still to be written."""

    procedure: ir.Procedure
    version: Definition
    base: Definition


@dataclass(slots=True)
class Menus:
    """Where a menu was opened, so that windows can join it later."""

    offer: ir.Offer
    env: Env


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what is known where it stands: for policies."""

    asked: ir.Decide | ir.ChooseSome
    env: Env


@dataclass(slots=True)
class PhaseMark:
    """Where the table keeps whose turn of a procedure it is, for the windows that are open during it."""

    member: Member
    windows: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Draft:
    """The program as far as it is written."""

    procedures: list[ir.Procedure] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    wrapped: dict[int, ir.ProcRef] = field(default_factory=dict)  # by definition: its procedure with triggers around it
    menus: list[tuple[ir.Procedure | None, Menus]] = field(default_factory=list)
    watchers: dict[str, ir.Watcher] = field(default_factory=dict)
    once_flags: dict[str, Member] = field(default_factory=dict)  # by option: whether it was taken; known before any rule is written
    moments: dict[tuple[str, Span], None] = field(default_factory=dict)  # what options say to be `once per`
    phases: dict[str, PhaseMark] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    deferring: set[str] = field(default_factory=set)  # procedures at whose end triggers wait
    current: ir.Procedure | None = None


@dataclass(eq=False, slots=True)
class Context:
    """What is known of one ruleset while its rules are written, and the program as far as it is written.

    An expression may hold any other, and a value a whole block: `meaning` and `statement` lead back to the two
    functions that know them all, which stand on a later floor (docs/design/0005).
    """

    box: Box
    world: World
    faults: Faults
    merged: Merged
    names: Names
    meaning: MeaningOf
    statement: MovesOf
    definitions: dict[str, Definition]
    members: dict[tuple[str, str], Definition]  # by kind and name
    paid_units: tuple[str, ...] = ()  # what some rule asks for with `paid(...)`
    finished: bool = False  # the rules are written: scenarios and questions may ask for what is not there
    looks_up: bool = False  # whether something is asked for by a number that is worked out
    claims: list[Claim] = field(default_factory=list)
    in_work: list[Definition] = field(default_factory=list)  # definitions whose meaning is being worked out
    me_of: dict[ir.Function, ir.Var] = field(default_factory=dict)
    costs_of: dict[str, tuple[ir.ValueRef, ir.ProcRef]] = field(default_factory=dict)
    setting: Setting = field(default_factory=lambda: Setting(""))
    answering: frozenset[ir.Var] = frozenset()  # what has been chosen in the secret block that is being read
    draft: Draft = field(default_factory=Draft)

    def fault(
        self,
        code: str,
        node: t.Node,
        message: str,
        *,
        label: str = "",
        notes: tuple[str, ...] = (),
        second: tuple[Span, str] | None = None,
        repair: tuple[Edit, ...] = (),
    ) -> None:
        self.faults.add(code, node.span, message, label=label, notes=notes, second=second, repair=repair)

    def tell(self, faults: Faults) -> None:
        """From now on faults go here."""
        self.faults = self.merged.faults = faults

    @contextmanager
    def writing(self, procedure: ir.Procedure, setting: Setting) -> Iterator[None]:
        """While a procedure is being written, what is opened belongs to it."""
        outer = self.draft.current, self.setting
        self.draft.current, self.setting = procedure, setting
        try:
            yield
        finally:
            self.draft.current, self.setting = outer
