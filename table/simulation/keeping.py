"""Games on their way into a store: what comes quickly is written together, what takes its time at once.

A game takes a few millionths of a second in machine code; a line for each by itself would cost a good part of that again.
"""

from __future__ import annotations

from time import monotonic

from ichiba.table.refusal import Refusal
from ichiba.table.simulation.store import Row, Store
from ichiba.table.simulation.workers import undisturbed

Played = tuple[Row, list[Row], Row | None]  # a game, what its rules recorded, and how it went

MOST_WAITING = 500  # games
SECONDS = 0.25  # that a game waits at most, as long as others come


class Keeper:
    """Whoever has added the last game calls `write`."""

    def __init__(self, store: Store):
        self.store = store
        self.waiting: list[Played] = []
        self.written = 0.0  # when it was written last; the first game does not wait

    def add(self, row: Row, recorded: list[Row], course: Row | None) -> None:
        self.waiting.append((row, recorded, course))
        if len(self.waiting) >= MOST_WAITING or monotonic() - self.written >= SECONDS:
            self.write()

    def write(self) -> None:
        """All that waits, once: Ctrl-C comes before or after it. Raises `Refusal` when the disk is full, behind as many games as
        there was room for; the others wait no longer."""
        with undisturbed():
            games, self.waiting = self.waiting, []
            try:
                self._write(games)
            except Refusal:
                if len(games) < 2:
                    raise
                self.store.keep_only(games[0][0]["game"] - 1)
                for game in games:
                    self._write([game])
            self.written = monotonic()

    def _write(self, games: list[Played]) -> None:
        self.store.add_beside(self.store.records, [one for _, recorded, _ in games for one in recorded])
        self.store.add_beside(self.store.courses, [course for *_, course in games if course is not None])
        self.store.add([row for row, *_ in games])


__all__ = ["Keeper"]
