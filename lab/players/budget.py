"""How long a searcher may think: so many playouts, which make the same game anywhere, or so much time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from time import thread_time

USUAL = 200
MOST_PLAYOUTS, MOST_SECONDS = 1_000_000, 600.0


@dataclass(frozen=True, slots=True)
class Budget:
    """`searcher:500` may look at 500 playouts, `searcher:0.8s` for 0.8 seconds of the processor's time."""

    playouts: int = USUAL
    seconds: float | None = None

    @staticmethod
    def read(words: str) -> Budget | None:
        """None where this is no budget."""
        found = re.fullmatch(r"(\d{1,7})(\.\d{1,3})?(s?)", words)
        if found is None or found[2] and not found[3]:
            return None
        amount = float(words.removesuffix("s"))
        if found[3]:
            return Budget(MOST_PLAYOUTS, amount) if 0 < amount <= MOST_SECONDS else None
        return Budget(int(amount)) if 0 < amount <= MOST_PLAYOUTS else None

    def clock(self) -> Clock:
        return Clock(self)


class Clock:
    """Runs while a searcher thinks about one decision."""

    def __init__(self, budget: Budget):
        self.budget, self.began = budget, thread_time()

    def left(self, playouts: int) -> bool:
        """Whether there may be another one behind so many."""
        return playouts < self.budget.playouts and self.share() < 1

    def share(self) -> float:
        """How much of the time has gone; nothing where playouts are counted."""
        return 0.0 if self.budget.seconds is None else (thread_time() - self.began) / self.budget.seconds


__all__ = ["USUAL", "Budget"]
