"""A bar for each name: how much, and between what that lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from ichiba.lab.results.statistics import Estimate
from ichiba.table.markup.elements import Element, element
from ichiba.table.plots.scale import WIDTH, Scale, round_numbers, said
from ichiba.table.svg.drawing import SMALL, Panel, line, paragraph

ROW, BAR, LABELS, FIGURES = 22.0, 10.0, 110.0, 52.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One row; `note` stands behind the figure."""

    name: str
    estimate: Estimate
    marked: bool = False  # it stands out, and says so with a sign


def bars(rows: Sequence[Bar], unit: str = "", even: float | None = None) -> Panel:
    """`even`: where all would stand if nothing made a difference, as a dotted line."""
    ends = [end for row in rows for end in (row.estimate.value, *_ends(row.estimate))]
    low, high = min([0.0, *ends]), max([even or 0.0, *ends])
    scale = Scale(low, high if high > low else low + 1, LABELS, WIDTH - FIGURES)
    parts: list[Element] = []
    y = 4.0
    for row in rows:
        drawn, high_of_row = _row(row, unit, scale, y)
        parts += drawn
        y += high_of_row
    return Panel(WIDTH, y + 18, (*_axis(scale, unit, y, even), *parts))


def _ends(estimate: Estimate) -> list[float]:
    return [end for end in (estimate.low, estimate.high) if isfinite(end)]


def _row(row: Bar, unit: str, scale: Scale, y: float) -> tuple[list[Element], float]:
    name = paragraph((("★ " + row.name if row.marked else row.name, "bold" if row.marked else ""),), LABELS - 8, SMALL)
    high = max(ROW, name.height + 6)
    middle, zero, end = y + high / 2, scale.at(0), scale.at(row.estimate.value)
    parts = [
        element("g", *name.parts, transform=f"translate(0 {y + (high - name.height) / 2:g})"),
        element("rect", x=min(zero, end), y=middle - BAR / 2, width=abs(end - zero), height=BAR, class_="f-1e5bc6"),
    ]
    between = _ends(row.estimate)
    if len(between) == 2 and between[0] < between[1]:
        left, right = map(scale.at, between)
        whisker = f"M{left:.1f} {middle - 4:.1f}V{middle + 4:.1f}M{left:.1f} {middle:.1f}H{right:.1f}M{right:.1f} {middle - 4:.1f}V{middle + 4:.1f}"
        parts.append(element("path", d=whisker, class_="none firm"))
    parts.append(line(((said(row.estimate.value, unit), ""),), WIDTH, middle + 4, SMALL, anchor="end"))
    return parts, high


def _axis(scale: Scale, unit: str, bottom: float, even: float | None) -> list[Element]:
    parts = []
    for mark in round_numbers(scale.low, scale.high, 3):
        x = scale.at(mark)
        parts.append(element("line", x1=x, y1=2, x2=x, y2=bottom, class_="line"))
        parts.append(line(((said(mark, unit), ""),), x, bottom + 13, SMALL, anchor="middle", usual="soft"))
    if even is not None:
        parts.append(element("line", x1=scale.at(even), y1=0, x2=scale.at(even), y2=bottom, class_="firm dots"))
    return parts
