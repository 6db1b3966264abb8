"""From numbers to places on a picture, and the round numbers that stand on an axis."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

MOST_DIGITS = 4  # behind the point
WIDTH = 360.0  # of a plot: that of a phone
COLOURS = ("blue", "bright_red", "green", "yellow", "magenta", "cyan", "bright_black", "red")
DASHES = (None, "6 3", "2 2", "8 3 2 3", "1 3", "10 4", "4 2 1 2", "3 5")


@dataclass(frozen=True, slots=True)
class Scale:
    """`low` stands at `start`, `high` at `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        value = min(max(value, self.low), self.high)
        return self.start + (value - self.low) / ((self.high - self.low) or 1) * (self.end - self.start)


def round_numbers(low: float, high: float, about: int = 4) -> list[float]:
    """Round numbers from `low` to `high`, about so many; two at least, or nobody could tell how large anything is."""
    if not (isfinite(low) and isfinite(high)) or high <= low:
        return [low]
    rough = (high - low) / about
    power = 10 ** floor(log10(rough))
    steps = [power * factor for factor in (10, 5, 2, 1, 0.5, 0.2)]
    for step in steps[steps.index(min(step for step in steps if step >= rough)) :]:
        first = floor(low / step) * step
        marks = [first + number * step for number in range(about * 3 + 2)]
        found = [round(mark, 10) for mark in marks if low - step * 1e-6 <= mark <= high + step * 1e-6]
        if len(found) > 1:
            break
    return found


def said(value: float, unit: str = "", margin: float = 0.0) -> str:
    """A number as short as it can be told: `0.31`, `12.5`, `1,234`; a share as `31%`. `margin`: how sure it is, which shows in it.
    What is nothing when it is rounded has no sign."""
    words = _said(value, unit, margin)
    return words if words.strip("-0.,%") else words.removeprefix("-")


def _said(value: float, unit: str, margin: float) -> str:
    if margin > 0 and isfinite(margin):
        digits = min(MOST_DIGITS, max(0, ceil(-log10(margin * 100 if unit == "share" else margin))))
        return f"{value * 100:.{digits}f}%" if unit == "share" else f"{value:,.{digits}f}"
    if unit == "share":
        return f"{value * 100:.{0 if abs(value) >= 0.1 or value == 0 else 1}f}%"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.{0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2}f}"
