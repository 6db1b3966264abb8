"""Everything that changes in a game, as one dictionary; what was tried out is undone write by write."""

from __future__ import annotations

from typing import Any

_ABSENT = object()


class State:
    """What stands where. While something is tried, each write is noted with what stood there before.

    The keys: `(member, owner, index)` for counters, flags, purses, memories and notes; `(zone, sort)` for how many
    counted pieces lie there, `(zone, "things")` for those that exist one by one; `(thing, "place")`, `(thing, "rank")`.
    """

    def __init__(self) -> None:
        self.cells: dict[Any, Any] = {}
        self.journal: list[tuple[dict[Any, Any], Any, Any]] = []
        self.trying = 0
        self.written: dict[Any, None] = {}  # since the triggers were last looked at
        self.reading: dict[Any, Any] | None = None  # while something is worked out: what has been read for it
        self.own: dict[Any, Any] | None = None  # in a secret block: what stood where this seat has written

    def get(self, key: Any) -> Any:
        value = self.cells[key]
        if self.reading is not None:
            self.reading[key] = value
        return value

    def look(self, key: Any) -> Any:
        """What stands there; None where nothing has ever stood."""
        value = self.cells.get(key)
        if self.reading is not None:
            self.reading[key] = value
        return value

    def count(self, key: Any) -> int:
        """How many pieces of a sort lie in a zone: `(zone, sort)`."""
        return int(self.look(key) or 0)

    def set(self, key: Any, value: Any) -> None:
        if self.own is not None and not self.trying and key not in self.own:
            self.own[key] = self.cells.get(key, _ABSENT)
        self.put(self.cells, key, value)
        self.written[key] = None

    def put(self, place: dict[Any, Any], key: Any, value: Any) -> None:
        """Write into any dictionary, so that it can be undone."""
        if self.trying:
            self.journal.append((place, key, place.get(key, _ABSENT)))
        place[key] = value

    # ------------------------------------------------------------------------------------------- trying out

    def begin(self) -> tuple[int, dict[Any, None]]:
        """From here on everything can be undone."""
        self.trying += 1
        return len(self.journal), dict(self.written)

    def undo(self, mark: tuple[int, dict[Any, None]]) -> None:
        """As if nothing had been written since."""
        length, self.written = mark
        while len(self.journal) > length:
            place, key, old = self.journal.pop()
            if old is _ABSENT:
                place.pop(key, None)
            else:
                place[key] = old
        self.trying -= 1

    # ------------------------------------------------------------------------------------------- in secret

    def take_up(self, overlay: dict[Any, Any]) -> None:
        """What one seat has done in a secret block is there, for it alone."""
        self.own = {}
        for key, value in overlay.items():
            self.set(key, value)

    def lay_down(self) -> dict[Any, Any]:
        """It is as before the block again; what the seat has done is given back."""
        assert self.own is not None
        overlay = {key: self.cells[key] for key in self.own}
        for key, old in self.own.items():
            if old is _ABSENT:
                self.cells.pop(key, None)
            else:
                self.cells[key] = old
        self.own = None
        return overlay
