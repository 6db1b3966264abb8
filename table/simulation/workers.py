"""Processes that share the work: they end with the one who began them, and their death is told."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing.connection import wait
from typing import Any, TypeVar

from ichiba.table.refusal import FAULT, Refusal

Given = TypeVar("Given")
Found = TypeVar("Found")


def workers(number: int, begin: Callable[..., None], given: tuple[Any, ...] = ()) -> ProcessPoolExecutor:
    """So many processes. Each calls `begin` first."""
    return ProcessPoolExecutor(number, initializer=_begun, initargs=(begin, given))


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


def _begun(begin: Callable[..., None], given: tuple[Any, ...]) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    begin(*given)


def _end_with(sentinel: int) -> None:
    """Whoever began us is gone, however it came: nobody will fetch what we make."""
    wait([sentinel])
    os._exit(1)


def in_order(pool: ProcessPoolExecutor, work: Callable[[Given], Found], given: Iterable[Given], ahead: int) -> Iterator[Found]:
    """What comes of each, in their order; so many are handed out beforehand. Unlike `pool.map` this never calls off what waits:
    where a process has died that comes between those who tell the others to end, and these would stay."""
    rest = iter(given)
    with undisturbed():
        asked = deque(pool.submit(work, one) for one in islice(rest, ahead))
    while asked:
        found = asked.popleft().result()
        asked.extend(pool.submit(work, one) for one in islice(rest, 1))
        yield found


@contextmanager
def told_of_death(prog: str, what: str) -> Iterator[None]:
    """A process that somebody has ended, or that the system has for lack of memory, is told of."""
    try:
        yield
    except BrokenProcessPool:
        raise Refusal(f"{prog}: a process that shared the work was ended from outside, perhaps for lack of memory; {what}", FAULT) from None
