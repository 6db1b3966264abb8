"""What a database has to be able to do: a piece of work, whole or not at all, from any thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Any, Generic, Protocol, TypeVar

from ichiba.table.store.records import REFUSALS, StoreFault

T = TypeVar("T")
Rows = list[tuple[Any, ...]]


class Run(Protocol):
    """One statement; `?` stands for what is given."""

    def __call__(self, statement: str, *given: str | int | bytes) -> Rows: ...


class Database(Protocol):
    """Errors of the database itself come out of it as `StoreFault`, never otherwise."""

    locking: str  # behind a SELECT: nobody else changes these rows until this piece of work is done

    def reading(self, work: Callable[[Run], T]) -> T:
        """All that it reads is of one moment."""

    def writing(self, work: Callable[[Run], T]) -> T:
        """What it writes is there when this returns, also after a power cut; nothing is, if `work` raises. `work` may be
        begun again, also after it was done and nobody knows whether that has lasted."""

    def tidy(self) -> None:
        """After much was forgotten."""

    def close(self) -> None: ...


class Connection(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Connection)


class Pool(Generic[C]):
    """Connections, each lent to one thread for the length of one piece of work."""

    def __init__(self, connect: Callable[[], C], most: int):
        self.connect = connect
        self.room = BoundedSemaphore(most)
        self.lock = Lock()
        self.idle: list[C] = []
        self.closed = False

    @contextmanager
    def lent(self) -> Iterator[C]:
        """It is given back as it was. After an error of the database it is not: whatever state it is in, nobody meets it again."""
        with self.room:
            with self.lock:
                if self.closed:
                    raise StoreFault("the store is closed")
                connection = self.idle.pop() if self.idle else None
            if connection is None:
                connection = self.connect()
            good = False
            try:
                yield connection
                good = True
            except REFUSALS:
                good = True
                raise
            finally:
                self._back(connection, good)

    def _back(self, connection: C, good: bool) -> None:
        with self.lock:
            if good and not self.closed:
                self.idle.append(connection)
                return
        connection.close()

    def drop(self) -> None:
        """Those that wait are closed: what they lead to is not there any more."""
        with self.lock:
            idle, self.idle = self.idle, []
        for connection in idle:
            connection.close()

    def close(self) -> None:
        with self.lock:
            self.closed = True
        self.drop()
