"""What a use is worth, and what is out of line with its kind.

Who uses one thing more than the others at the table often ends with more points, or with fewer; and who uses this much uses
that little. So all uses are looked at together: how many points more go with one use more, all other uses being equal (least
squares within each game, with errors that hold for games as wholes). It is what goes with a use, not what comes of it.

Out of line is what stands further from the others of its kind than these from each other allow: where one of a kind is left
out, the others say what is usual. Where they differ much anyway, only what differs more stands out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from statistics import median

from ichiba.lab.results.statistics import Difference, held_back, mean, moments, normal_tail, student_tail
from ichiba.lab.results.subjects import ENOUGH

FEWEST_GAMES = 10  # in which seats have used it more or less than each other
FOR_EACH = 3  # games, at least, for each thing that is looked at
NOTHING = 1e-9
SURE = 0.05

Uses = Mapping[str, Sequence[int]]  # in one game: of what, by seat
Vector = list[float]


def points_with_uses(games: Sequence[tuple[Uses, Sequence[float]]]) -> dict[str, Difference]:
    """By what is used: how many points more go with a use more. `games`: the uses and the scores of each; nothing where they are
    too few."""
    names = _told_apart(games)
    if not names or len(games) < FOR_EACH * len(names):
        return {}
    rows = [(_apart([uses.get(name, ()) for name in names], len(scores)), _less_mean(scores)) for uses, scores in games]
    inverse = _inverse(_squares(rows, len(names)))
    slopes = [sum(map(_times, line, _products(rows, len(names)))) for line in inverse]
    errors = _errors(rows, slopes, inverse)
    freedom = len(games) - len(names)
    return {
        name: Difference(slope, error, freedom, len(games))
        for name, slope, error, line in zip(names, slopes, errors, inverse, strict=True) if any(line)
    }  # fmt: skip


def _told_apart(games: Sequence[tuple[Uses, Sequence[float]]]) -> list[str]:
    """What seats of one game have used more than others in enough of the games."""
    found: dict[str, int] = {}
    for uses, _ in games:
        for name, by_seat in uses.items():
            found[name] = found.get(name, 0) + (min(by_seat) < max(by_seat))
    return sorted(name for name, times in found.items() if times >= FEWEST_GAMES)


def _apart(columns: Sequence[Sequence[int]], seats: int) -> list[dict[int, float]]:
    """By seat: how much more it has used each than the mean of the table; what all have used alike is left out."""
    rows: list[dict[int, float]] = [{} for _ in range(seats)]
    for number, column in enumerate(columns):
        if len(column) and min(column) < max(column):
            middle = sum(column) / seats
            for seat, uses in enumerate(column):
                rows[seat][number] = uses - middle
    return rows


def _less_mean(scores: Sequence[float]) -> Vector:
    middle = mean(scores)
    return [score - middle for score in scores]


def _times(one: float, other: float) -> float:
    return one * other


Rows = Sequence[tuple[list[dict[int, float]], Vector]]


def _squares(rows: Rows, many: int) -> list[Vector]:
    made = [[0.0] * many for _ in range(many)]
    for seats, _ in rows:
        for uses in seats:
            for one, amount in uses.items():
                for other, more in uses.items():
                    made[one][other] += amount * more
    return made


def _products(rows: Rows, many: int) -> Vector:
    made = [0.0] * many
    for seats, scores in rows:
        for uses, score in zip(seats, scores, strict=True):
            for one, amount in uses.items():
                made[one] += amount * score
    return made


def _inverse(matrix: Sequence[Vector]) -> list[Vector]:
    """Of a matrix of squares (Gauss and Jordan). What cannot be told apart from what stands before it has lines of nothing."""
    many = len(matrix)
    whole = [[*line, *(float(at == number) for at in range(many))] for number, line in enumerate(matrix)]
    left = set[int]()
    for pivot in range(many):
        head = whole[pivot][pivot]
        if head <= NOTHING * max(1.0, matrix[pivot][pivot]):
            left.add(pivot)
            continue
        whole[pivot] = [value / head for value in whole[pivot]]
        for number, line in enumerate(whole):
            if number != pivot and line[pivot]:
                factor = line[pivot]
                whole[number] = [value - factor * more for value, more in zip(line, whole[pivot], strict=True)]
    return [
        [0.0 if at in left else value for at, value in enumerate(line[many:])] if number not in left else [0.0] * many
        for number, line in enumerate(whole)
    ]


def _errors(rows: Rows, slopes: Vector, inverse: Sequence[Vector]) -> Vector:
    """Standard errors that hold however the seats of one game depend on each other."""
    many = len(slopes)
    spread = [[0.0] * many for _ in range(many)]
    for seats, scores in rows:
        pull: dict[int, float] = {}
        for uses, score in zip(seats, scores, strict=True):
            missed = score - sum(slopes[one] * amount for one, amount in uses.items())
            for one, amount in uses.items():
                pull[one] = pull.get(one, 0.0) + amount * missed
        for one, amount in pull.items():
            for other, more in pull.items():
                spread[one][other] += amount * more
    few = len(rows) / max(1, len(rows) - many)
    middle = [[sum(map(_times, line, column)) for column in spread] for line in inverse]
    return [sqrt(max(0.0, few * sum(map(_times, line, own)))) for line, own in zip(middle, inverse, strict=True)]


# ------------------------------------------------------------------------------------------- out of line with its kind


@dataclass(frozen=True, slots=True)
class Figure:
    """Something that is known of all of a kind, of one of them."""

    what: str  # told in the same unit of all of them
    name: str
    kind: str
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class OutOfLine:
    """One that stands apart from the others of its kind."""

    figure: Figure
    low: float  # the others lie between these
    high: float
    many: int  # of the others
    chance: float  # that it is an accident, so many figures having been looked at


def out_of_line(figures: Sequence[Figure]) -> list[OutOfLine]:
    """What stands further from the others of its kind than is usual among them; what is least likely first."""
    judged: list[tuple[Figure, list[Figure], float]] = []
    for figure in figures:
        others = [one for one in figures if one.kind == figure.kind and one.what == figure.what and one.name != figure.name]
        if len(others) + 1 >= ENOUGH:
            judged.append((figure, others, _chance(figure, others)))
    raised = held_back([chance for *_, chance in judged])
    found = [
        OutOfLine(figure, min(one.value for one in others), max(one.value for one in others), len(others), chance)
        for (figure, others, _), chance in zip(judged, raised, strict=True) if chance < SURE
    ]  # fmt: skip
    return sorted(found, key=lambda one: one.chance)


@dataclass(frozen=True, slots=True)
class AtTheEnd:
    """The best of its kind, or the worst, by more than luck."""

    figure: Figure
    best: bool
    next: Figure
    middle: float  # of the kind
    many: int
    chance: float


def at_the_ends(figures: Sequence[Figure]) -> list[AtTheEnd]:
    """Of each kind that is large enough: who is surely first and who is surely last."""
    found: list[AtTheEnd] = []
    for kind, what in dict.fromkeys((figure.kind, figure.what) for figure in figures):
        order = sorted((one for one in figures if (one.kind, one.what) == (kind, what)), key=lambda one: -one.value)
        if len(order) < ENOUGH:
            continue
        middle = median(one.value for one in order)
        for best, ranked in ((True, order), (False, order[::-1])):
            chance = max(normal_tail(abs(ranked[0].value - other.value) / _error_of_both(ranked[0], other)) / 2 for other in ranked[1:])
            found.append(AtTheEnd(ranked[0], best, ranked[1], middle, len(order), chance))
    raised = held_back([one.chance for one in found])
    return [replace(one, chance=chance) for one, chance in zip(found, raised, strict=True) if chance < SURE]


def _error_of_both(one: Figure, other: Figure) -> float:
    return sqrt(one.error**2 + other.error**2) or NOTHING


def _chance(figure: Figure, others: Sequence[Figure]) -> float:
    """How likely one more of such others is as far away as this (Student's, with what is unsure about each)."""
    values = moments(one.value for one in others)
    unsure = max(0.0, figure.error**2 - mean([one.error**2 for one in others]))
    error = sqrt(values.deviation**2 * (1 + 1 / values.many) + unsure)
    away = abs(figure.value - values.mean)
    if away <= NOTHING * max(1.0, abs(values.mean)):
        return 1.0
    return student_tail(away / error if error else inf, values.many - 1)


__all__ = ["AtTheEnd", "Figure", "OutOfLine", "at_the_ends", "out_of_line", "points_with_uses"]
