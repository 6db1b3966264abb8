"""How much somebody has done with the rules of one game, over many of its decisions: who plays on without being asked has an end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import TYPE_CHECKING

from ichiba.interpreter.runtime.runtime import FUEL, left
from ichiba.interpreter.runtime.sharing import turn

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

ANSWER = 1_000  # steps that an answer counts as, whatever the rules do
CELLS_AT_ONCE = 16  # of the state
EFFECT = 10  # steps that it counts as to tell of one


class TooMuchWork(Exception):
    """Somebody has done as much as was allowed. No rule is at fault."""


_within: defaultdict[int, list[Work]] = defaultdict(list)  # by thread: what is being counted, the innermost last


class Work:
    """So many times what one answer may take. Only of rules that nobody vouches for every step is counted; others have no end here.

        with work:  # one answer, or one thing that is worked out: where another begins, counting begins anew
            position.answer(code)

    What somebody does meanwhile who counts by himself, such as a player who thinks, is done here as well. It has the turn meanwhile:
    whoever took it anew would begin to count anew as well."""

    __slots__ = ("answer", "before", "closely", "fuel", "left")

    def __init__(self, game: Game, times: int):
        self.closely, self.fuel = game.world.closely, game.fuel
        self.left = times * game.fuel
        self.answer = ANSWER + len(game.first) // CELLS_AT_ONCE
        self.before: list[int] = []  # what others had left when this took their place

    def __enter__(self) -> None:
        if self.closely:
            turn.__enter__()
            me = get_ident()
            self.before.append(left.get(me, FUEL))
            left[me] = self.fuel
            _within[me].append(self)

    def __exit__(self, *_: object) -> None:
        if self.closely:
            me = get_ident()
            _within[me].pop()
            done, before = self.fuel - left.get(me, self.fuel), self.before.pop()
            if _within[me]:
                left[me] = before
            else:
                del _within[me]
            self._count(done)
            turn.__exit__()

    def _count(self, steps: int) -> None:
        for work in dict.fromkeys((self, *_within.get(get_ident(), ()))):
            work.left -= steps

    def answered(self) -> None:
        """An answer has been given, too."""
        if self.closely:
            self._count(self.answer)

    def told(self, effects: int) -> None:
        """So much of what happened was told, too."""
        if self.closely:
            self._count(effects * EFFECT)

    def go_on(self) -> None:
        """For whoever cannot stop by himself."""
        if self.over:
            raise TooMuchWork

    @property
    def over(self) -> bool:
        """Whether there is nothing left of this, or of what it is done for."""
        return self.left < 0 or all_is_done()


@contextmanager
def counted_apart(game: Game) -> Iterator[None]:
    """Steps are counted from the beginning, as of an answer; whatever this is done for comes to so many more, and goes on counting
    where it was."""
    me = get_ident()
    before, left[me] = left.get(me, FUEL), game.fuel
    try:
        yield
    finally:
        done, left[me] = game.fuel - left.get(me, game.fuel), before
        for work in _within.get(me, ()):
            work.left -= done


def all_is_done() -> bool:
    """Whether there is nothing left of something that is being counted here: whoever thinks meanwhile comes to an end."""
    return any(work.left < 0 for work in _within.get(get_ident(), ()))


__all__ = ["TooMuchWork", "Work", "all_is_done", "counted_apart"]
