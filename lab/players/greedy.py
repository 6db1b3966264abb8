"""One answer ahead: the one after which its seat stands best, as the rules see it (`outlook`)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from ichiba.interpreter.runtime.work import TooMuchWork, Work
from ichiba.lab.players.value import before_the_others, more_is_better
from ichiba.lab.players.worlds import FAULTS, Position, Worlds

if TYPE_CHECKING:
    from ichiba.interpreter.run.decisions import Decision
    from ichiba.interpreter.run.game import Game

WORLDS = 4  # that are imagined, where something is hidden
NEVER = -(10.0**12)
MOST_WORK = 4  # as much as so many answers may take, of rules that nobody vouches for: later answers are not looked at


class Greedy:
    """Looks at what each answer leads to, and takes the best; among equals, and where not one world can be imagined, its dice decide."""

    def __init__(self, game: Game, rng: Random):
        self.game, self.rng = game, rng
        self.sign = 1 if more_is_better(game) else -1

    def index(self, decision: Decision) -> int:
        codes = list(decision.codes)
        sums = [0.0] * len(codes)
        work = Work(self.game, MOST_WORK)
        worlds = Worlds(decision, self.rng, work)
        for _ in range(1 if worlds.open else WORLDS):
            try:
                world = worlds.draw()
            except TooMuchWork:
                break
            chance = f"{self.rng.getrandbits(64):x}"  # the same luck for every answer
            for index, code in enumerate(codes):
                if work.over:
                    sums[index] += NEVER
                    continue
                with work:
                    position = world.fork(chance)
                    there = self._answered(position, code)
                with work:
                    sums[index] += self._ahead(position, decision.seat_index) if there else NEVER
                work.answered()
            if work.over:
                break
        best = max(sums)
        chosen = [index for index, value in enumerate(sums) if value == best]
        return chosen[0] if len(chosen) == 1 else self.rng.choice(chosen)

    def _answered(self, position: Position, code: int) -> bool:
        """Whether it can be: an answer that the rules fail at is the last choice."""
        try:
            position.answer(code)
        except FAULTS:
            return False
        return True

    def _ahead(self, position: Position, seat: int) -> float:
        """How far a seat is before the best of the others."""
        return before_the_others([self.sign * (amount or 0) for amount in position.table().outlook.values()], seat)


__all__ = ["Greedy"]
