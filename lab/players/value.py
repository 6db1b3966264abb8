"""How good an end is for each seat: 1 is a sure win, 0 a sure loss.

Who wins counts for most. By how much counts for the rest: of two lost games the closer one is better, since what a player
imagines is only likely.

Who plays for points does not ask who wins. A hand of poker is one of many: what it brings counts, and whoever never folds wins most of
them and loses money. There an end is worth as many points as one is ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.lab.players.playouts import Ended
    from ichiba.lab.players.worlds import Position

WON = 0.75  # the weight of winning; what is left is for the margin


class Judge:
    """Values positions of one game. Margins are measured by those it has seen."""

    reach = 1.0  # how far apart the worths of two ends can be

    def __init__(self, game: Game):
        self.game = game
        self.seats = range(game.seats)
        self.more_is_better = more_is_better(game)
        self.margins, self.seen = 0.0, 0

    def final(self, ended: Ended) -> list[float]:
        """Of a game that is over."""
        first = ended.places.count(0)
        closeness = self._margins([float(score) for score in ended.scores])
        shares = [0.0 if place else 1 / first for place in ended.places]
        return [WON * share + (1 - WON) * close for share, close in zip(shares, closeness, strict=True)]

    def outlook(self, position: Position) -> list[float]:
        """Of one that goes on: by how everybody stands, where the rules can say it."""
        stand = list(position.table().outlook.values())
        if any(amount is None for amount in stand):
            return self.all_alike()
        return self._margins([float(amount or 0) for amount in stand])

    def all_alike(self) -> list[float]:
        """Where nobody knows how anybody stands."""
        return [1 / len(self.seats)] * len(self.seats)

    def broken_off(self) -> list[float]:
        """Of a way on which the rules fail: nobody should go there."""
        return [0.0] * len(self.seats)

    def _margins(self, stand: Sequence[float]) -> list[float]:
        """Between 0 and 1 by how far each is before the best of the others, or behind."""
        ahead = self._ahead(stand)
        self.margins += sum(map(abs, ahead)) / len(ahead)
        self.seen += 1
        scale = self.margins / self.seen or 1.0
        return [1 / (1 + exp(-max(-30.0, min(30.0, 2 * margin / scale)))) for margin in ahead]

    def _ahead(self, stand: Sequence[float]) -> list[float]:
        """How far each seat is before the best of the others."""
        stand = stand if self.more_is_better else [-one for one in stand]
        return [before_the_others(stand, seat) for seat in self.seats]


class PointsJudge(Judge):
    """Values positions by the points that each seat is ahead, whoever wins."""

    def __init__(self, game: Game):
        super().__init__(game)
        self.reach = 0.0

    def final(self, ended: Ended) -> list[float]:
        return self._margins([float(score) for score in ended.scores])

    def all_alike(self) -> list[float]:
        """Nobody is ahead."""
        return [0.0] * len(self.seats)

    def broken_off(self) -> list[float]:
        """Worse than anything that was seen."""
        return [-self.reach - 1] * len(self.seats)

    def _margins(self, stand: Sequence[float]) -> list[float]:
        ahead = self._ahead(stand)
        self.reach = max(self.reach, 2 * max(map(abs, ahead)))
        return ahead


def more_is_better(game: Game) -> bool:
    """Whether whoever has more comes first, by the first thing that the ranking goes by."""
    return not game.program.ranking or game.program.ranking[0][1]


def before_the_others(stand: Sequence[float], seat: int) -> float:
    """How far a seat is before the best of the others."""
    return stand[seat] - max((other for at, other in enumerate(stand) if at != seat), default=0.0)


__all__ = ["Judge", "PointsJudge", "before_the_others", "more_is_better"]
