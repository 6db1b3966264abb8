"""What is known of each thing that answers use, and what of it is out of line with its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ichiba.lab.results.courses import Courses
from ichiba.lab.results.statistics import Difference
from ichiba.lab.results.worth import (
    FEWEST_GAMES,
    AtTheEnd,
    Figure,
    OutOfLine,
    at_the_ends,
    out_of_line,
    points_with_uses,
)

POINTS = ""  # what goes with a use more; else the name of a purse, and what a use brings in it


@dataclass(frozen=True, slots=True)
class Standing:
    """Of everything that is used: the points that go with it, and what stands apart."""

    points: dict[str, Difference] = field(default_factory=dict)
    apart: list[OutOfLine] = field(default_factory=list)
    ends: list[AtTheEnd] = field(default_factory=list)  # by the points that go with it
    sign: int = 1  # -1 where whoever has the fewest points wins: then figures of points are told the other way round
    kinds: dict[str, str] = field(default_factory=dict)  # by name; where nobody knows them all are of one kind

    @property
    def standing_out(self) -> list[Figure]:
        return [*(one.figure for one in self.apart), *(one.figure for one in self.ends)]


def standing_of(courses: Courses, kinds: Mapping[str, str]) -> Standing:
    """Of figures of points more is always better, also where whoever has the fewest wins."""
    sign = -1 if courses.less_is_better else 1
    points = points_with_uses(courses.played)
    figures = [Figure(POINTS, name, kinds.get(name, ""), sign * found.value, found.error) for name, found in points.items()]
    for name, board in courses.boards.items():
        for unit in board.units:
            gain = board.of_a_use(unit)
            if gain.many >= FEWEST_GAMES:
                figures.append(Figure(unit, name, kinds.get(name, ""), gain.value, gain.error))
    ends = at_the_ends([one for one in figures if one.what == POINTS])
    return Standing(points, out_of_line(figures), ends, sign, {name: kinds.get(name, "") for name in courses.boards})


__all__ = ["POINTS", "Standing", "standing_of"]
