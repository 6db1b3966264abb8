"""A game can be shared by threads, and survives a fork: whoever runs its rules has the turn, and the others wait.

What is made late (expressions, machine code, the traced build), what counts the steps of a rule and the words of chance that
copies of a table have in common are all touched by the one who has the turn, and by nobody else.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Found = TypeVar("Found")

turn = threading.RLock()

if hasattr(os, "register_at_fork"):  # a child begins when nobody is in the middle of something
    os.register_at_fork(before=turn.acquire, after_in_parent=turn.release, after_in_child=turn.release)


def in_turn(work: Callable[Given, Found]) -> Callable[Given, Found]:
    """Done by one thread at a time; it may do other such things on the way."""

    @wraps(work)
    def waited(*given: Given.args, **named: Given.kwargs) -> Found:
        with turn:
            return work(*given, **named)

    return waited
