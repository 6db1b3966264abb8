"""How much somebody has done with the rules of one game, over many of its decisions: who plays on without being asked has an end."""

from __future__ import annotations

from threading import get_ident
from typing import TYPE_CHECKING

from ichiba.interpreter.runtime.runtime import left

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

ANSWER = 1_000  # steps that an answer counts as, whatever the rules do
CELLS_AT_ONCE = 16  # of the state


class Work:
    """So many times what one answer may take. Only of rules that nobody vouches for every step is counted; others have no end here."""

    __slots__ = ("answer", "closely", "fuel", "left")

    def __init__(self, game: Game, times: int):
        self.closely, self.fuel = game.world.closely, game.fuel
        self.left = times * game.fuel
        self.answer = ANSWER + len(game.first) // CELLS_AT_ONCE

    def begin(self) -> None:
        """What is counted from here on is for this."""
        if self.closely:
            left[get_ident()] = self.fuel

    def note(self) -> None:
        """What has been done since then, or since the last note."""
        if self.closely:
            me = get_ident()
            self.left -= self.fuel - left.get(me, self.fuel)
            left[me] = self.fuel

    def answered(self) -> None:
        """An answer has been given, too."""
        self.note()
        self.left -= self.answer if self.closely else 0

    @property
    def over(self) -> bool:
        return self.left < 0


__all__ = ["Work"]
