"""Means, shares, differences, and how sure they are. All intervals are of 95 % unless something else is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, erfc, exp, fsum, lgamma, log, sqrt

SURE = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, and between what it lies as far as so many observations can say."""

    value: float
    low: float
    high: float
    many: int

    @property
    def margin(self) -> float:
        return (self.high - self.low) / 2


@dataclass(slots=True)
class Moments:
    """Mean and spread of numbers that come one by one (Welford)."""

    many: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.many += 1
        step = value - self.mean
        self.mean += step / self.many
        self.squares += step * (value - self.mean)

    @property
    def deviation(self) -> float:
        return sqrt(self.squares / (self.many - 1)) if self.many > 1 else 0.0

    @property
    def error(self) -> float:
        return self.deviation / sqrt(self.many) if self.many else 0.0

    def estimate(self, sure: float = SURE) -> Estimate:
        """Of one observation nothing can be said but itself."""
        if self.many < 2:
            return Estimate(self.mean, float("-inf"), float("inf"), self.many)
        margin = student_quantile((1 + sure) / 2, self.many - 1) * self.error
        return Estimate(self.mean, self.mean - margin, self.mean + margin, self.many)


def moments(values: Iterable[float]) -> Moments:
    """Of numbers that are all there."""
    values = values if isinstance(values, Sequence) else list(values)
    middle = mean(values)
    return Moments(len(values), middle, fsum([(value - middle) ** 2 for value in values]))


def share(times: float, many: int, sure: float = SURE) -> Estimate:
    """How often something happens, from how often it did (Wilson): sensible also for never and always. What was shared counts as a
    part of once."""
    if not many:
        return Estimate(0.0, 0.0, 1.0, 0)
    z = normal_quantile((1 + sure) / 2)
    p, scale = times / many, 1 + z * z / many
    middle = (p + z * z / (2 * many)) / scale
    margin = z * sqrt(max(0.0, p * (1 - p)) / many + z * z / (4 * many * many)) / scale
    return Estimate(p, max(0.0, middle - margin), min(1.0, middle + margin), many)


# ------------------------------------------------------------------------------------------------ comparing


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more there is in the second of two runs."""

    value: float
    error: float
    freedom: float
    many: int  # observations: pairs, or those of the smaller run

    @property
    def chance(self) -> float:
        """How likely a difference like this is where there is none."""
        if self.error == 0:
            return 1.0 if self.value == 0 else 0.0
        return student_tail(abs(self.value) / self.error, self.freedom)

    def interval(self, sure: float = SURE) -> tuple[float, float]:
        margin = student_quantile((1 + sure) / 2, self.freedom) * self.error if self.freedom > 0 else float("inf")
        return self.value - margin, self.value + margin

    def estimate(self, sure: float = SURE) -> Estimate:
        return Estimate(self.value, *self.interval(sure), self.many)

    def wanted(self, least: float, sure: float = SURE, power: float = 0.8) -> int:
        """How many games would show a difference of `least`, four times of five."""
        if not self.error or not least:
            return self.many
        z = normal_quantile((1 + sure) / 2) + normal_quantile(power)
        return ceil(self.many * (z * self.error / least) ** 2)


def paired(first: Sequence[float], second: Sequence[float]) -> Difference:
    """Of games with the same seeds, game by game."""
    made = moments(b - a for a, b in zip(first, second, strict=True))
    return Difference(made.mean, made.error, made.many - 1, made.many)


def each(parts: Sequence[float], wholes: Sequence[float]) -> Difference:
    """How much of the first there is for each of the second, all together: a ratio of sums, unsure as far as observations differ
    from it. Those without any of the second say nothing."""
    told = [(part, whole) for part, whole in zip(parts, wholes, strict=True) if whole]
    whole = fsum(one for _, one in told)
    value = fsum(part for part, _ in told) / whole if whole else 0.0
    if len(told) < 2:
        return Difference(value, 0.0, 0, len(told))
    squares = fsum((part - value * one) ** 2 for part, one in told)
    return Difference(value, sqrt(squares * len(told) / (len(told) - 1)) / whole, len(told) - 1, len(told))


def each_paired(parts: tuple[Sequence[float], Sequence[float]], wholes: tuple[Sequence[float], Sequence[float]]) -> Difference:
    """How much more of `parts` there is for each of `wholes` in the second than in the first, game by game with the same seeds."""
    ratios = [fsum(part) / fsum(whole) for part, whole in zip(parts, wholes, strict=True)]
    off = [
        [(part - ratio * one) / mean(whole) for part, one in zip(some, whole, strict=True)]
        for some, whole, ratio in zip(parts, wholes, ratios, strict=True)
    ]
    return Difference(ratios[1] - ratios[0], paired(*off).error, len(parts[0]) - 1, len(parts[0]))


def each_unpaired(parts: tuple[Sequence[float], Sequence[float]], wholes: tuple[Sequence[float], Sequence[float]]) -> Difference:
    """The same of games that have nothing in common."""
    first, second = (each(part, whole) for part, whole in zip(parts, wholes, strict=True))
    freedom = min(first.freedom, second.freedom)
    return Difference(second.value - first.value, sqrt(first.error**2 + second.error**2), freedom, min(first.many, second.many))


def unpaired(first: Sequence[float], second: Sequence[float]) -> Difference:
    """Of games that have nothing in common (Welch)."""
    a, b = moments(first), moments(second)
    if a.many < 2 or b.many < 2:
        return Difference(b.mean - a.mean, 0.0, 0, min(a.many, b.many))
    va, vb = a.error**2, b.error**2
    freedom = (va + vb) ** 2 / (va**2 / (a.many - 1) + vb**2 / (b.many - 1)) if va + vb else a.many + b.many - 2
    return Difference(b.mean - a.mean, sqrt(va + vb), freedom, min(a.many, b.many))


def held_back(chances: Sequence[float]) -> list[float]:
    """Each chance, raised because so many were looked at (Holm): what stays below 5 % is no accident of looking often."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    raised, most = [0.0] * len(chances), 0.0
    for rank, index in enumerate(order):
        most = max(most, min(1.0, chances[index] * (len(chances) - rank)))
        raised[index] = most
    return raised


# --------------------------------------------------------------------------------------------- distributions


def normal_tail(z: float) -> float:
    """How likely it is to be so far from the middle, on either side."""
    return erfc(abs(z) / sqrt(2))


def normal_quantile(p: float) -> float:
    return _quantile(lambda z: normal_tail(z), p)


def student_quantile(p: float, freedom: float) -> float:
    return _quantile(lambda t: student_tail(t, freedom), p)


def _quantile(tail: Callable[[float], float], p: float) -> float:
    """Where both tails together are 2 (1 - p), for p from one half on."""
    wanted, low, high = 2 * (1 - p), 0.0, 1.0
    while tail(high) > wanted and high < 1e9:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle) > wanted else (low, middle)
    return high


def student_tail(t: float, freedom: float) -> float:
    """Student's distribution, both tails."""
    if freedom <= 0:
        return 1.0
    return _incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised one, by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return min(1.0, max(0.0, x))
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    made = d
    for m in range(1, 300):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + term * d
            c = 1 + term / c
            d = 1 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            made *= c * d
        if abs(c * d - 1) < 1e-12:
            break
    return made


def mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values) if values else 0.0


__all__ = [
    "SURE", "Difference", "Estimate", "Moments", "held_back", "mean", "moments", "normal_quantile", "normal_tail",
    "paired", "share", "student_quantile", "student_tail", "unpaired",
]  # fmt: skip
