"""How often Python looks for garbage: by itself after every few hundred new objects, and each time through many of those that are
there. Whoever reads rules makes hundreds of thousands that all stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


def unhurried() -> None:
    """For a process that only reads, judges and plays: it makes much and throws little away."""
    gc.set_threshold(100_000, 20, 20)


@contextmanager
def not_sought() -> Iterator[None]:
    """While much is made that stays, none is looked for. Whoever else does the same meanwhile, it is looked for afterwards."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


__all__ = ["not_sought", "unhurried"]
