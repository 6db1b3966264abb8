"""Processes that share the work: they end with the one who began them, and their death is told.

Each has a connection of its own and one piece of work at a time. Nothing is shared between them, no lock and no queue, so one
that is killed at whatever moment keeps nobody waiting: its connection ends, however much of a message has come.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from ichiba.table.refusal import FAULT, Refusal

Given = TypeVar("Given")
Found = TypeVar("Found")


class WorkerDied(Exception):
    """Somebody has ended a process that shared the work, or the system has for lack of memory."""


class Workers:
    """So many processes, until the end of a `with`. Each calls `begin` first."""

    def __init__(self, number: int, begin: Callable[..., None], given: tuple[Any, ...] = ()) -> None:
        self.idle: list[Connection] = []
        self.processes: list[multiprocessing.Process] = []
        with undisturbed():
            for _ in range(number):
                ours, theirs = multiprocessing.Pipe()
                process = multiprocessing.Process(target=_serve, args=(theirs, begin, given), daemon=True)
                process.start()
                theirs.close()  # or its end would not be seen
                self.idle.append(ours)
                self.processes.append(process)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        """Whoever is still at work is ended: nobody will fetch what it makes."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.join()

    def each(self, work: Callable[[Given], Found], given: Iterable[Given], ahead: int | None = None) -> Iterator[tuple[int, Found]]:
        """What comes of each, and which one it is, as they are done. `ahead`: at most so many are begun beyond the first that is not done."""
        rest = enumerate(given)
        busy: dict[Connection, int] = {}
        while True:
            for number, one in islice(rest, self._wanted(busy, ahead)):
                connection = self.idle.pop()
                with _death_seen():
                    connection.send((work, one))
                busy[connection] = number
            if not busy:
                return
            ready = wait(list(busy))
            for connection in [one for one in busy if one in ready]:
                with _death_seen():
                    found, fault = connection.recv()
                if fault is not None:
                    raise fault
                self.idle.append(connection)
                yield busy.pop(connection), found

    def _wanted(self, busy: dict[Connection, int], ahead: int | None) -> int:
        """How many more may be handed out."""
        if ahead is None or not busy:
            return len(self.idle)
        return min(len(self.idle), max(0, min(busy.values()) + ahead - max(busy.values())))

    def in_order(self, work: Callable[[Given], Found], given: Iterable[Given], ahead: int) -> Iterator[Found]:
        """What comes of each, in their order."""
        done: dict[int, Found] = {}
        wanted = 0
        for number, found in self.each(work, given, ahead):
            done[number] = found
            while wanted in done:
                yield done.pop(wanted)
                wanted += 1


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C waits while processes begin: they never hear of it themselves, and none is lost in the middle of a fork."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _death_seen() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError):
        raise WorkerDied from None


def _serve(connection: Connection, begin: Callable[..., None], given: tuple[Any, ...]) -> None:
    """A worker, from its beginning to its end. A fault is told where the work was asked for."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    begun = _tried(begin, *given)
    while True:
        try:
            work, one = connection.recv()
        except EOFError:
            return
        found = begun if begun[1] is not None else _tried(work, one)
        try:
            connection.send(found)
        except OSError:  # nobody listens any more
            return


def _tried(work: Callable[..., Found], *given: Any) -> tuple[Found | None, BaseException | None]:
    """What comes of it, or the fault it ends with."""
    try:
        return work(*given), None
    except Exception as fault:
        fault.add_note("in a process that shares the work:\n" + traceback.format_exc())
        return None, fault


def _end_with(sentinel: int) -> None:
    """Whoever began us is gone, however it came: nobody will fetch what we make."""
    wait([sentinel])
    os._exit(1)


@contextmanager
def told_of_death(prog: str, what: str) -> Iterator[None]:
    """A process that somebody has ended, or that the system has for lack of memory, is told of."""
    try:
        yield
    except WorkerDied:
        raise Refusal(f"{prog}: a process that shared the work was ended from outside, perhaps for lack of memory; {what}", FAULT) from None
