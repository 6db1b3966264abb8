"""What a game has worked out so far, each thing when it was first asked for. Nothing of it is kept between runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING

from ichiba.dsl.faults.source import Span
from ichiba.dsl.names.context import Context
from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import Member
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.run.code import Code, Test
from ichiba.interpreter.to_plan.emitted import Emitted
from ichiba.interpreter.to_plan.late import Late

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

Caller = tuple[ir.Procedure, tuple[tuple[Site, int], ...]]  # a rule, and inside of which options of it


@dataclass(eq=False, slots=True, repr=False)  # it is long, and says nothing to people
class WorkedOut:
    """Everything that is made late; None and empty before."""

    traced: tuple[Emitted, Code] | None = None  # the same rules with everything told
    traced_text: tuple[Emitted, bytes] | None = None  # that, not yet run
    keep: Callable[[Game], None] | None = None  # writes the game to the cache once more, with what was made since
    context: Context | None = None  # knows the names of the rules
    limits: list[tuple[str, Span | None, Test]] | None = None  # what zones `at most n` promise
    callers: dict[int, Caller] | None = None  # by the piece control returns to
    questions: dict[int, str] | None = None  # the names of questions, by number
    keys_of_labels: dict[int, str] | None = None
    hidden: dict[Member, bool] = field(default_factory=dict)  # where `hidden if …` is asked
    reveals_hidden: bool | None = None
    may_share: dict[int, bool] = field(default_factory=dict)  # by question: two answers could have one key
    names_twice: dict[tuple[str, str], bool] = field(default_factory=dict)  # by kind: two values are spelled alike
    in_python: Code | None = None  # what the generated Python defines, where machine code is played
    in_c: ModuleType | None = None
    beginning: list[int] | None = None  # the state in which games begin, as machine code holds it
    in_c_with_policies: tuple[ModuleType, Callable[[list[int]], list[int]]] | None = None  # for whole games; and its states
    in_c_with_records: tuple[ModuleType, Callable[[list[int]], list[int]], tuple[ir.Record, ...]] | None = None  # and what its notes are of
    compiled: Compiled = field(default_factory=lambda: Compiled())


@dataclass(eq=False, slots=True, repr=False)  # it is long, and says nothing to people
class Compiled:
    """Expressions that were compiled after the game was made, and what was made with them."""

    late: Late | None = None
    seats: dict[int, Callable[[list[int]], int]] = field(default_factory=dict)  # by question: whose it is
    asked: dict[str, Callable[[list[int]], object]] = field(default_factory=dict)  # by its words: `game.ask`
    of_later_rooms: dict[type, object] = field(default_factory=dict)
