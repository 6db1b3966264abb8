"""Games on their way into a store: what comes quickly is written together, what takes its time at once.

A game takes a few millionths of a second in machine code; a line for each by itself would cost a good part of that again.
"""

from __future__ import annotations

from time import monotonic

from ichiba.table.refusal import Refusal
from ichiba.table.simulation.games import Games
from ichiba.table.simulation.store import Store
from ichiba.table.simulation.workers import undisturbed

MOST_WAITING = 500  # games
SECONDS = 0.25  # that a game waits at most, as long as others come


class Keeper:
    """Whoever has added the last games calls `write`."""

    def __init__(self, store: Store):
        self.store = store
        self.waiting: list[Games] = []
        self.written = 0.0  # when it was written last; the first game does not wait

    def add(self, games: Games) -> None:
        self.waiting.append(games)
        if sum(map(len, self.waiting)) >= MOST_WAITING or monotonic() - self.written >= SECONDS:
            self.write()

    def write(self) -> None:
        """All that waits, once: Ctrl-C comes before or after it. Raises `Refusal` when the disk is full, behind as many games as
        there was room for; the others wait no longer."""
        with undisturbed():
            waiting, self.waiting = self.waiting, []
            try:
                self._write(waiting)
            except Refusal:
                if sum(map(len, waiting)) < 2:
                    raise
                self.store.keep_only(waiting[0].first - 1)
                for games in waiting:
                    for one in games.singly():
                        self._write([one])
            self.written = monotonic()

    def _write(self, waiting: list[Games]) -> None:
        self.store.add_beside(self.store.records, [one for games in waiting for rows in games.recorded.values() for one in rows])
        self.store.add_beside(self.store.courses, [course for games in waiting for course in games.courses.values()])
        self.store.add([line for games in waiting for line in games.lines])


__all__ = ["Keeper"]
