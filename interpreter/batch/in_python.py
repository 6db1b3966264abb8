"""Many tables side by side where there is no machine code: what `native/tables.c` keeps, and all of the playing left to Python."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from ichiba.interpreter.sight.columns import Columns


class Row:
    """One table: its state, its options, and the places of the answers it was given."""

    __slots__ = ("answers", "options", "state")

    def __init__(self, state: list[int], options: Sequence[int] = (), answers: Sequence[int] = ()):
        self.state, self.options, self.answers = state, options, array("H", answers)


class RowsInPython:
    """The same calls as those in machine code: what they give back is what is still to be done, which here is everything."""

    def __init__(self, rows: list[Row]):
        self.rows = rows

    def reset(self, first: list[int], which: array[int], keys: bytes, told: array[int]) -> bytes:
        del keys, told
        for at in which:
            self.rows[at] = Row(first)
        return which.tobytes()

    def unfit(self, places: memoryview) -> int:
        if len(places) != len(self.rows):
            raise ValueError("answers do not fit these tables")
        for at, (place, row) in enumerate(zip(places, self.rows, strict=True)):
            if row.options and not -1 <= place < len(row.options):
                return at
        return -1

    def step(self, places: memoryview, low: int, high: int, told: array[int]) -> bytes:
        del told
        moving = (at for at in range(low, high) if places[at] >= 0 and self.rows[at].options)
        return array("q", moving).tobytes()

    def copy(self, which: array[int]) -> RowsInPython:
        rows = (self.rows[at] for at in which)
        return RowsInPython([Row(row.state, row.options, row.answers) for row in rows])

    def state(self, at: int) -> list[int]:
        return self.rows[at].state[:]

    def put(self, at: int, state: list[int], options: Any, key: bytes | None, answer: int, in_python: bool) -> None:
        del key, in_python
        row = self.rows[at]
        row.state, row.options = state, tuple(options)
        if answer >= 0:
            row.answers.append(answer)

    def options(self, at: int) -> list[int]:
        return list(self.rows[at].options)

    def answers(self, at: int) -> bytes:
        return self.rows[at].answers.tobytes()

    def read(self, cells: array[int], out: array[int]) -> None:
        out[:] = array("q", [row.state[cell] for row in self.rows for cell in cells])

    def ranks(self, seats: int, out: array[int]) -> bytes:
        del seats, out
        return array("q", range(len(self.rows))).tobytes()

    def rekey(self, which: array[int], keys: bytes) -> None:
        """The words of chance are Python's anyhow."""

    def observe(self, columns: Columns, eyes: array[int], out: array[int]) -> None:
        seen = (columns.of(row.state, eye) for row, eye in zip(self.rows, eyes, strict=True))
        out[:] = array("q", [number for row in seen for number in row])


__all__ = ["Row", "RowsInPython"]
