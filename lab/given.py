"""The block `given` of a scenario: statements of the language that set things right without making or losing anything.

    given: |
      for each l in lots: move all l.cards to deck
      move 2 ebi from deck to lot(1).cards
      seat(2) pays ¥40 to bank

They are compiled like the rules themselves. So pieces only move, money only goes from purse to purse, counters keep
their ranges and triggers look after every effect. What asks or leaves something to chance is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Embedded, Span
from ichiba.dsl.program.program import standing_alone
from ichiba.dsl.program.watching import Watching
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import performed, procedures_of, span_of, walk
from ichiba.dsl.syntax.parse import parse_statements
from ichiba.interpreter.layout import BUSY, LOADED, WAITING
from ichiba.interpreter.run.game import Game, traced
from ichiba.interpreter.runtime.runtime import Context, RuleFault, Unmet
from ichiba.interpreter.runtime.sharing import in_turn
from ichiba.interpreter.to_plan.late import Late

Given = Callable[[list[int], Context], None]

_ASKING = (ir.Decide, ir.Offer, ir.ChooseSome, ir.Secret, ir.Leave)
_CHANCE = (ir.Draw, ir.Pick, ir.Shuffle)
_COURSE = (ir.Score, ir.EndAs, ir.Tell, ir.Record, ir.Reveal)


class CannotBeGiven(Exception):
    """A statement that could not be done: what was missing, and which statement."""

    def __init__(self, message: str, span: Span | None):
        super().__init__(message)
        self.span = span


@in_turn
def compile_given(game: Game, text: Embedded) -> Given:
    """The statements as a function of the state. Raises `RulesetFaults`."""
    faults = Faults()
    statements = parse_statements(text, faults)
    faults.raise_if_errors()
    c = game.context
    c.tell(faults)
    block, brought = standing_alone(c, statements)
    faults.raise_if_errors()
    _refuse(block, text.span(0, len(text.text)), faults)
    faults.raise_if_errors()
    if game.program.watchers:
        watching = Watching(game.program)
        block = watching.block(block)
        for procedure in brought:
            procedure.body = watching.block(procedure.body) if procedure.body is not None else None
    return _function_of(game, block)


def _refuse(block: ir.Block, whole: Span, faults: Faults) -> None:
    """Nothing in `given` asks, leaves something to chance, or goes on with the game."""
    todo: list[tuple[object, Span | None]] = [(block, None)]
    seen: set[int] = set()
    while todo:
        body, outer = todo.pop()
        for node in walk(body):
            reason = _reason(node)
            if reason is not None:
                faults.add("E203", outer or span_of(node) or whole, reason[0], label=reason[1])
        for ref in performed(body):
            for procedure in procedures_of(ref):
                if id(procedure) not in seen:
                    seen.add(id(procedure))
                    todo.append((procedure.body, outer or whole))


def _reason(node: object) -> tuple[str, str] | None:
    """Why something cannot stand in `given`, and what to do instead."""
    if isinstance(node, _ASKING):
        return "nobody is asked in `given`", "answers stand under `play` and `when`"
    if isinstance(node, _CHANCE) or isinstance(node, ir.For) and node.random:
        return "nothing is left to chance in `given`", "say what lies where, or script it under `chance`"
    if isinstance(node, _COURSE):
        return "`given` sets things right, it does not go on with the game", "only moves, payments and counters"
    return None


def _function_of(game: Game, block: ir.Block) -> Given:
    """Statements that no rule contains, to be run in the traced build."""
    late = Late(game.program, game.layout, game.flow, traced(game)[1].module, prefix="given_")
    made = cast(Given, late.statements("given", block))
    faults, demands = late.c.numbered.faults, late.c.numbered.demands

    def given(state: list[int], context: Context) -> None:
        waiting, secretly = state[WAITING], int(state[LOADED] > 0)  # what is given is no part of a secret block
        state[WAITING], state[BUSY] = 0, state[BUSY] - secretly
        try:
            made(state, context)
        except RuleFault as fault:
            known = 0 <= fault.where < len(faults)
            raise CannotBeGiven(str(fault), faults[fault.where][1] if known else None) from None
        except Unmet as unmet:
            raise CannotBeGiven("there is not enough for this", demands[unmet.number].span) from None
        state[WAITING], state[BUSY] = state[WAITING] | waiting, state[BUSY] + secretly

    return given


__all__ = ["CannotBeGiven", "Given", "compile_given"]
