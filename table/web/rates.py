"""How often somebody may ask: a bucket that fills again."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from ichiba.table.sitting.refused import Refused, said

MOST_BUCKETS = 10_000


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second from then on."""

    burst: int
    a_second: float


class Rates:
    """One bucket for each who asks."""

    def __init__(self, clock: Callable[[], float]):
        self.clock, self.lock = clock, Lock()
        self.left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, what: str, who: str, rate: Rate) -> None:
        """Raises `Refused` with how long to wait."""
        now = self.clock()
        with self.lock:
            left, at = self.left.pop((what, who), (float(rate.burst), now))
            left = min(rate.burst, left + max(0.0, now - at) * rate.a_second)
            enough = left >= 1
            self.left[what, who] = (left - 1 if enough else left), now
            while len(self.left) > MOST_BUCKETS:
                self.left.popitem(last=False)
        if not enough:
            wait = math.ceil((1 - left) / rate.a_second)
            raise Refused(429, said("too many requests; try again after {wait} s", wait=wait), retry_after=wait)
