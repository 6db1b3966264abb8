"""What is read of a text is read once: whoever asks again gets it as it is, and is told what was wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Source

Made = TypeVar("Made")


def read_once(source: Source, what: Hashable, read: Callable[[Faults], Made], faults: Faults) -> Made:
    """What `read` makes of this text, by the name of `what` it is. It hangs on the text alone, and nobody changes it.

    It stays with the text, as long as that is there. Two threads that ask at once read it twice, and find the same.
    """
    known = cast("tuple[Made, Faults] | None", source.readings.get(what))
    if known is None:
        mine = Faults()
        source.readings[what] = known = read(mine), mine
    made, told = known
    faults.join(told)
    return made
