"""How something goes on, for several: a line for each, told apart by its dashes as well as by its colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ichiba.table.markup.colours import class_of
from ichiba.table.markup.elements import Element, element
from ichiba.table.plots.scale import COLOURS, DASHES, WIDTH, Scale, round_numbers, said
from ichiba.table.svg.drawing import SMALL, Panel, line
from ichiba.table.svg.measure import width_of

HIGH, LEFT, KEY = 150.0, 40.0, 16.0


@dataclass(frozen=True, slots=True)
class Course:
    """One line."""

    name: str
    points: Sequence[tuple[float, float]]


def lines(courses: Sequence[Course], across: str, unit: str = "", x_unit: str = "") -> Panel:
    """`across` stands below: what goes on from left to right."""
    points = [point for course in courses for point in course.points]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    right = Scale(min(xs), max(xs), LEFT, WIDTH - 8)
    low, high = min([0.0, *ys]) if min(ys) < max(ys) * 0.5 else min(ys), max(ys)
    up = Scale(low, high if high > low else low + 1, HIGH, 6)
    parts: list[Element] = []
    for mark in round_numbers(up.low, up.high):
        y = up.at(mark)
        parts.append(element("line", x1=LEFT, y1=y, x2=WIDTH - 8, y2=y, class_="line"))
        parts.append(line(((said(mark, unit), ""),), LEFT - 4, y + 4, SMALL, anchor="end", usual="soft"))
    for mark in round_numbers(right.low, right.high):
        at = right.at(mark)
        parts.append(line(((said(mark, x_unit), ""),), at, HIGH + 14, SMALL, anchor="end" if at > WIDTH - 20 else "middle", usual="soft"))
    parts.append(line(((across, ""),), (LEFT + WIDTH) / 2, HIGH + 28, SMALL, anchor="middle", usual="soft"))
    for number, course in enumerate(courses):
        places = " ".join(f"{right.at(x):.1f},{up.at(y):.1f}" for x, y in course.points)
        parts.append(element("polyline", points=places, **_stroke(number)))
    key, high_of_key = _key(courses, HIGH + 40)
    return Panel(WIDTH, HIGH + 40 + high_of_key, (*parts, *key))


def _stroke(number: int) -> dict[str, str | float | None]:
    colour = class_of(COLOURS[number % len(COLOURS)], "s")
    return {"class": f"none {colour}", "stroke_width": 2.0, "stroke_dasharray": DASHES[number % len(DASHES)]}


def _key(courses: Sequence[Course], y: float) -> tuple[list[Element], float]:
    """Which line is whose."""
    parts: list[Element] = []
    x, top = LEFT, y
    for number, course in enumerate(courses):
        wide = 34 + width_of(((course.name, ""),), SMALL)
        if x > LEFT and x + wide > WIDTH:
            x, y = LEFT, y + KEY
        parts.append(element("line", x1=x, y1=y, x2=x + 24, y2=y, **_stroke(number)))
        parts.append(line(((course.name, ""),), x + 28, y + 4, SMALL))
        x += wide + 10
    return parts, y - top + KEY


__all__ = ["Course", "lines"]
