"""How much somebody has done with the rules of one game, over many of its decisions: who plays on without being asked has an end."""

from __future__ import annotations

from threading import get_ident
from typing import TYPE_CHECKING

from ichiba.interpreter.runtime.runtime import left
from ichiba.interpreter.runtime.sharing import turn

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

ANSWER = 1_000  # steps that an answer counts as, whatever the rules do
CELLS_AT_ONCE = 16  # of the state
EFFECT = 10  # steps that it counts as to tell of one


class TooMuchWork(Exception):
    """Somebody has done as much as was allowed. No rule is at fault."""


class Work:
    """So many times what one answer may take. Only of rules that nobody vouches for every step is counted; others have no end here.

        with work:  # one answer, or one thing that is worked out: where another begins, counting begins anew
            position.answer(code)

    It has the turn meanwhile: whoever took it anew would begin to count anew as well."""

    __slots__ = ("answer", "closely", "fuel", "left")

    def __init__(self, game: Game, times: int):
        self.closely, self.fuel = game.world.closely, game.fuel
        self.left = times * game.fuel
        self.answer = ANSWER + len(game.first) // CELLS_AT_ONCE

    def __enter__(self) -> None:
        if self.closely:
            turn.__enter__()
            left[get_ident()] = self.fuel

    def __exit__(self, *_: object) -> None:
        if self.closely:
            self.left -= self.fuel - left.get(get_ident(), self.fuel)
            turn.__exit__()

    def answered(self) -> None:
        """An answer has been given, too."""
        self.left -= self.answer if self.closely else 0

    def told(self, effects: int) -> None:
        """So much of what happened was told, too."""
        self.left -= effects * EFFECT if self.closely else 0

    def go_on(self) -> None:
        """For whoever cannot stop by himself."""
        if self.over:
            raise TooMuchWork

    @property
    def over(self) -> bool:
        return self.left < 0


__all__ = ["TooMuchWork", "Work"]
