"""Figures: what the rules work out, and what never changes, for whoever shows it beside what things have.

A figure is worked out from what everybody may see; of one that reads anything hidden it is told that it is hidden, and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ichiba.dsl.faults.fault import Faults, RulesetFaults
from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.names.arguments import param_kind, params_of
from ichiba.dsl.names.context import Context
from ichiba.dsl.program.hiding import Content, hidden_members
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax.parse import parse_expression
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Thing, World
from ichiba.interpreter.runtime.runtime import MISTAKES, Unmet
from ichiba.interpreter.runtime.work import Work
from ichiba.interpreter.sight.masking import Mask
from ichiba.interpreter.sight.views import HIDDEN

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

Signatures = Mapping[str, tuple[Kind, ...]]  # of values and guards: what each is asked of
Asked = tuple[int, Kind]  # a seat, a thing, a sort: of what something is asked
_NOBODY = -1
WORK = 2  # as much as so many answers may take, of rules that nobody vouches for: for all that one screen shows


def signatures(c: Context) -> Signatures:
    """All values and guards of a ruleset, by their names."""
    found: dict[str, tuple[Kind, ...]] = {}
    told = c.faults
    c.tell(Faults())
    for name, definition in c.definitions.items():
        if definition.what in ("value", "guard") and not definition.kind:
            found[name] = tuple(param_kind(c, param) for param in params_of(c, definition))
    c.tell(told)
    return found


@dataclass(frozen=True, slots=True)
class Figure:
    """One value of the rules, or a field, of one seat or thing. `kind`: of each, where there are several."""

    kind: Kind
    raw: object  # as views write it: a number, a name, a list of names, `hidden`


@dataclass(eq=False, slots=True)
class _Compiled:
    """What figures have been compiled of one game, and what each seat may see."""

    kinds: Signatures
    content: Content
    asked: dict[str, tuple[Kind, Callable[[list[int]], object]] | None] = field(default_factory=dict)
    masks: dict[int, Mask] = field(default_factory=dict)


class Figures:
    """The figures of one game in one position, as one seat may know it; None: whoever looks on."""

    def __init__(self, table: Table, seat: int | None):
        self.game = table.game
        self.compiled = self.game.keep(_Compiled, lambda: _compiled(self.game))
        whose = _NOBODY if seat is None else seat - 1
        if whose not in self.compiled.masks:
            self.compiled.masks[whose] = Mask(self.game, whose)
        self.work = Work(self.game, WORK)
        asked = any(decision.seat == seat for decision in table.pending)
        self.state = self.compiled.masks[whose].of(table.state_for(whose) if asked else table.state)

    def of(self, name: str, *asked: Asked) -> Figure | None:
        """What a value comes to; None where it has none now, or where as much has been worked out as may be."""
        if self.work.over:
            return None
        self.work.answered()
        written = f"{name}({', '.join(_written(self.game.world, *one) for one in asked)})" if asked else name
        if written not in self.compiled.asked:
            self.compiled.asked[written] = self._compile(written)
        made = self.compiled.asked[written]
        if made is None:
            return None
        kind, value = made
        try:
            with self.work:
                return Figure(kind, value(self.state))
        except (*MISTAKES, Unmet):  # there is nothing to tell: of nobody, of what is not there
            return None

    def rows(self, name: str, *asked: Asked) -> Sequence[tuple[Asked | None, Figure]]:
        """The same for each of what else it is asked of, where that is left open."""
        further = self.compiled.kinds[name][len(asked) :] if name in self.compiled.kinds else ()
        open_: list[Asked | None] = [(value, kind) for kind in further for value in self.game.world.values(kind)] or [None]
        found = ((one, self.of(name, *asked, *([one] if one is not None else []))) for one in open_)
        return [(one, figure) for one, figure in found if figure is not None]

    def _compile(self, written: str) -> tuple[Kind, Callable[[list[int]], object]] | None:
        faults = Faults()
        try:
            node = parse_expression(Embedded.whole(Source("figure", written)), faults)
            if node is None:
                return None
            meaning, _ = self.game.meaning(node, faults)
            if isinstance(meaning, ir.SET_CLASSES):
                kind = meaning.kind.of or meaning.kind
            elif isinstance(meaning, ir.EXP_CLASSES):
                kind = meaning.kind
            else:
                return None
            if self.compiled.content.tells(self.compiled.content.of(meaning)):
                return kind, lambda state: HIDDEN
            return kind, self.game.question(node, faults)
        except RulesetFaults:
            return None


def _compiled(game: Game) -> _Compiled:
    return _Compiled(signatures(game.context), game.keep(Content, lambda: Content(game.program, hidden_members(game.world))))


def _written(world: World, value: int, kind: Kind) -> str:
    return f"seat({value + 1})" if kind.form == "seat" else str(value) if kind.form == "number" else world.name_of(value, kind)


def field_of(world: World, thing: Thing, name: str) -> Figure | None:
    """What never changes of a thing."""
    kind = thing.kind
    while kind:
        found = world.kinds[kind].fields.get(name)
        if found is not None:
            return None if thing.id not in found.values else Figure(found.kind, found.values[thing.id])
        kind = world.kinds[kind].parent
    return None


__all__ = ["Asked", "Figure", "Figures", "Signatures", "field_of", "signatures"]
