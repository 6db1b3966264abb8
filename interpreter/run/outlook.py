"""How well everybody stands now: as the rules say it, else by the points that scoring would give if the game ended here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import effect_of
from ichiba.dsl.rules.walks import procedures_of, steps
from ichiba.dsl.world.kinds import SEAT
from ichiba.interpreter.layout import BUSY, LOADED, PC, WAITING
from ichiba.interpreter.run.table import FAULTS
from ichiba.interpreter.runtime.chance import Words
from ichiba.interpreter.runtime.runtime import Context

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

NAME = "outlook"


class Outlooks:
    """Asks the rules how a seat stands. Nothing of a game in progress is touched."""

    def __init__(self, game: Game):
        self.game = game
        self.scoring = _scoring_of(game) if not game.program.outlook and can_be_foreseen(game.program) else None

    def of(self, state: list[int]) -> dict[int, int | None]:
        """By seat; None where the rules cannot say it."""
        seats = range(self.game.seats)
        if self.game.program.outlook:
            return {seat + 1: self._declared(seat, state) for seat in seats}
        member = self.game.world.seat["score"]
        scored = state if state[PC] < 0 else self._scored(state)
        return {seat + 1: None if scored is None else scored[member.place((seat,))] for seat in seats}

    def _declared(self, seat: int, state: list[int]) -> int | None:
        try:
            return cast(int, self.game.ask(f"{NAME}(seat({seat + 1}))", state))
        except FAULTS:
            return None

    def _scored(self, state: list[int]) -> list[int] | None:
        """The state behind the scoring, if the game ended here: on a copy, in which no secret block is running."""
        if self.scoring is None:
            return None
        copy = state[:]
        copy[WAITING], copy[BUSY], copy[LOADED] = 0, copy[BUSY] - int(copy[LOADED] > 0), 0
        try:
            self.scoring(copy, Context(Words(NAME.encode())))
        except FAULTS:
            return None
        return copy


def _scoring_of(game: Game) -> Callable[[list[int], Context], object]:
    scoring = game.program.scoring
    perform = ir.Perform(ir.ProcRef(scoring.name, scoring), (ir.Const(0, SEAT),)[: len(scoring.params)], (), None)
    return cast("Callable[[list[int], Context], object]", game.late.statements(NAME, ir.Block((perform,))))


def can_be_foreseen(program: ir.Program) -> bool:
    """Whether scoring asks nobody and leaves nothing to chance, whatever it wakes included."""
    deferred = [watcher.procedure.body for watcher in program.watchers.values() if watcher.deferred is not None]
    todo, seen = [program.scoring.body], set[ir.Procedure]()
    while todo:
        for node in steps(todo.pop()):
            effect = effect_of(node)
            if effect.asks or effect.draws:
                return False
            if effect.performs is not None:
                new = [one for one in procedures_of(effect.performs) if one not in seen]
                seen.update(new)
                todo += [one.body for one in new]
            woken = [program.watchers[name].procedure for name in effect.wakes]
            todo += [one.body for one in woken if one not in seen]
            seen.update(woken)
            if effect.wakes_at_end:
                todo, deferred = todo + deferred, []
    return True


__all__ = ["Outlooks", "can_be_foreseen"]
