"""What is known while a plan is written, and what of it is written."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Protocol

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.extent import Extents
from ichiba.dsl.world.world import Member, World
from ichiba.interpreter.analysis.busy import Called
from ichiba.interpreter.flow.flow import Flow
from ichiba.interpreter.flow.marks import Marks
from ichiba.interpreter.flow.pieces import Piece, Site
from ichiba.interpreter.layout import Layout
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.writing import Writing
from ichiba.interpreter.to_plan.context.facts import Facts


class LoweringOf(Protocol):
    """An expression of the rules as one of the plan."""

    def __call__(self, c: Context, e: ir.Exp) -> p.Exp: ...


@dataclass(slots=True)
class Digit:
    """How a binder's value stands in an option's number."""

    bind: int
    low: int
    width: int


@dataclass(slots=True)
class Tables:
    """The fixed tables of the module."""

    rows: dict[str, object] = field(default_factory=dict)  # by name; None: filled in when all places are known
    names: dict[object, str] = field(default_factory=dict)  # by what is in them
    by_place: dict[str, tuple[tuple[object, ...], int, int]] = field(
        default_factory=dict
    )  # entry by sort, lowest sort, other
    cases: dict[str, ir.ValueRef | ir.ProcRef] = field(
        default_factory=dict
    )  # functions by owner, to be written after them


@dataclass(slots=True)
class Mentioned:
    """What is called by its name, or its number, and has a function of its own."""

    functions: dict[ir.Function, str] = field(default_factory=dict)
    procedures: dict[ir.Procedure, str] = field(default_factory=dict)
    pieces: dict[Piece, int] = field(default_factory=dict)
    searches: dict[object, str] = field(default_factory=dict)  # by shape
    ways: dict[object, str] = field(default_factory=dict)  # by what is done with a search, and its shape
    picks: dict[object, str] = field(default_factory=dict)  # by what lots are chosen from, and the sorts that are counted
    watches: dict[ir.Watch, str] = field(default_factory=dict)  # looks of triggers, by which of them look
    looks: dict[tuple[int, ...], str] = field(default_factory=dict)  # by sorts: what tells such things apart
    blocks: dict[str, str] = field(default_factory=dict)  # blocks that are left early, by their name in the rules


@dataclass(slots=True)
class Queue:
    """What has been mentioned and is not yet written."""

    functions: list[ir.Function] = field(default_factory=list)
    procedures: list[ir.Procedure] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    searches: list[tuple[str, ir.Aggregate, tuple[ir.Var, ...]]] = field(default_factory=list)
    ways: list[tuple[str, str, ir.Search, tuple[ir.Var, ...]]] = field(default_factory=list)
    picks: list[tuple[str, ir.Set, tuple[int, ...], tuple[ir.Var, ...]]] = field(default_factory=list)


@dataclass(slots=True)
class Numbered:
    """What numbers of the module stand for."""

    faults: list[tuple[str, Span | None]] = field(default_factory=list)
    demands: list[ir.Require] = field(default_factory=list)
    effects: list[tuple[str, Span | None]] = field(default_factory=list)
    kinds: list[object] = field(default_factory=list)
    tells: list[ir.Tell] = field(default_factory=list)
    records: list[ir.Record] = field(default_factory=list)
    digits: dict[tuple[int, int], list[Digit]] = field(default_factory=dict)  # by question and option
    landings: list[tuple[int, ir.Procedure, tuple[tuple[Site, int], ...]]] = field(default_factory=list)
    homes: dict[str, tuple[str, Span | None]] = field(default_factory=dict)  # by function: which rule it is, and where


@dataclass(slots=True)
class SecretPlaces:
    """Where it stands what secret blocks ask and write."""

    answers: dict[ir.Var, tuple[int, int]] = field(
        default_factory=dict
    )  # first place and stride of the answers of all seats
    asked: dict[ir.Var, int] = field(default_factory=dict)  # who has answered
    all_asked: set[ir.Var] = field(default_factory=set)  # what every seat has answered, in every game
    flags: dict[object, int] = field(default_factory=dict)  # whether it is revealed
    snapshots: dict[Member, int] = field(default_factory=dict)  # what was there before


@dataclass(eq=False, slots=True)
class Context:
    """What is known of one game while its plan is written, and the plan as far as it is written.

    An expression may hold any other: `lowering` leads back to the function that knows them all, which stands on a
    later floor (docs/design/0005).
    """

    program: ir.Program
    world: World
    layout: Layout
    flow: Flow
    trace: bool  # chance and effects are told to who listens
    lowering: LoweringOf
    facts: Facts
    extents: Extents
    counted: Container[Called]  # the functions and procedures in which steps are counted
    marks: Marks | None = None
    prefix: str = ""  # of the names of tables and functions, where two modules share their names
    records: bool = False  # what rules record is noted, without anything else being told

    # ------------------------------------------------------------------------------ what things are called
    names: dict[ir.Var, p.Exp] = field(default_factory=dict)  # the others live in the state
    own_names: dict[ir.Var, str] = field(default_factory=dict)  # what a binder is called outside of its options
    lists: set[ir.Var] = field(default_factory=set)  # names that stand for a list, where others stand for a packed one
    fresh: int = 0
    tables: Tables = field(default_factory=Tables)
    mentioned: Mentioned = field(default_factory=Mentioned)
    numbered: Numbered = field(default_factory=Numbered)
    secrets: SecretPlaces = field(default_factory=SecretPlaces)
    simplest: dict[int, tuple[ir.Exp, ir.Exp]] = field(
        default_factory=dict
    )  # by identity: how it is said, and the expression

    # -------------------------------------------------------------------------------- what is being written
    out: Writing = field(default_factory=Writing)
    queue: Queue = field(default_factory=Queue)
    beginning: int = 0  # of the function that is being written, among the lines
    params: tuple[p.Name, ...] = ()  # of that function
    metered: int = 0  # what is being written could take very many steps: as how many each counts
    has_steps: bool = False  # somewhere steps are counted
    in_value: bool = False  # a function of the state alone is being written: it does not know who listens

    # ------------------------------------------------------------------------- of the question being written
    any_will_do: bool = False  # it is only asked if there is an option
    loops: tuple[ir.Var, ...] = ()  # the binders that the loops around what is written run over
    over: tuple[ir.Var, ...] = ()  # the same, while a condition is written that stands directly in them
    kept: dict[object, str] = field(
        default_factory=dict
    )  # what is worked out once, by what it is and in which function

    @property
    def rewrites(self) -> bool:
        """Whether expressions may be said in another way: not where marks look at each of them."""
        return self.marks is None


def lower(c: Context, e: ir.Exp) -> p.Exp:
    """An expression of the rules as one of the plan."""
    return c.lowering(c, e)
