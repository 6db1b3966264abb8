"""What has been worked out once is not worked out again, as long as everything that was looked at for it is as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from tests.reference.names import Names
from tests.reference.values import Items, Value

MOST_KNOWN = 20_000  # questions of which answers are kept
MOST_ANSWERS = 4  # of each: trials go to and fro between a few states

Reads = dict[Any, Any]  # what stood where
Found = TypeVar("Found")


class Recalling(Names):
    """Keeps what expressions have come to, each with what was read for it."""

    known: dict[Any, list[tuple[Reads, Any]]]

    def recalled(self, asked: Any, find: Callable[[], Found]) -> Found:
        """What is asked, by all that it hangs on but the state; what is read of the state is noted while it is found out."""
        try:
            answers = self.known.get(asked)
        except TypeError:  # it hangs on something that changes: a memory with an index, a chosen lot
            return find()
        state = self.state
        for reads, value in answers or ():
            if is_as_it_was(reads, state.cells):
                if state.reading is not None:
                    state.reading.update(reads)
                return cast(Found, value)
        outer, state.reading = state.reading, {}
        try:
            found = find()
            self.keep(asked, state.reading, found)
        finally:
            if outer is not None:
                outer.update(state.reading)
            state.reading = outer
        return found

    def keep(self, asked: Any, reads: Reads, found: Any) -> None:
        if len(self.known) > MOST_KNOWN:
            self.known.clear()
        answers = self.known.setdefault(asked, [])
        answers.insert(0, (reads, found))
        del answers[MOST_ANSWERS:]


def is_as_it_was(reads: Reads, cells: dict[Any, Any]) -> bool:
    get = cells.get
    for key, value in reads.items():  # noqa: SIM110  a loop is quicker
        if get(key) != value:
            return False
    return True


def as_key(value: Value) -> Any:
    """By which a value is known again; a set by what is in it."""
    return (*value.items,) if isinstance(value, Items) else (type(value), value)


__all__ = ["Recalling", "as_key"]
