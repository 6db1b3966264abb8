"""A game can be shared by threads, and survives a fork: whoever makes something late has the turn, and the others wait.

What is made late (expressions, machine code, the traced build) is touched by the one who has the turn, and by nobody else. An
answer alone needs no turn: it touches its own table, the steps of a rule are counted for each thread, and the words of chance
that copies of a table have in common are the same whoever makes them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import wraps
from threading import get_ident
from typing import ParamSpec, TypeVar

from ichiba.interpreter.runtime.runtime import FUEL, left

Given = ParamSpec("Given")
Found = TypeVar("Found")



class Turn:
    """Held by one thread at a time, which may take it again on the way. Whoever takes it anew may do so many steps."""

    __slots__ = ("lock",)

    def __init__(self) -> None:
        self.lock = threading.RLock()

    def __enter__(self) -> None:
        fresh = not self.lock._is_owned()  # type: ignore[attr-defined]
        self.lock.acquire()
        if fresh:
            left[get_ident()] = FUEL

    def __exit__(self, *_: object) -> None:
        self.lock.release()


turn = Turn()

if hasattr(os, "register_at_fork"):
    # a child begins when nobody is in the middle of something
    os.register_at_fork(before=turn.lock.acquire, after_in_parent=turn.lock.release, after_in_child=turn.lock.release)


def in_turn(work: Callable[Given, Found]) -> Callable[Given, Found]:
    """Done by one thread at a time; it may do other such things on the way."""

    @wraps(work)
    def waited(*given: Given.args, **named: Given.kwargs) -> Found:
        with turn:
            return work(*given, **named)

    return waited
