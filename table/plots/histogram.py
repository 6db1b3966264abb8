"""How often what: numbers in classes of the same width."""

from __future__ import annotations

from collections.abc import Sequence

from ichiba.table.markup.elements import Element, element
from ichiba.table.plots.scale import WIDTH, Scale, round_numbers, said
from ichiba.table.svg.drawing import SMALL, Panel, line

HIGH, LEFT, FOOT, CLASSES = 130.0, 34.0, 20.0, 24


def classes_of(values: Sequence[float]) -> list[tuple[float, float, int]]:
    """From, up to, and how many; whole numbers get classes of whole width."""
    low, high = min(values), max(values)
    whole = all(value == int(value) for value in values)
    width = max((high - low) / CLASSES, 1.0 if whole else 1e-9)
    width = float(-(-width // 1)) if whole else width
    counts: dict[int, int] = {}
    for value in values:
        at = int((value - low) / width)
        counts[at] = counts.get(at, 0) + 1
    return [(low + at * width, low + (at + 1) * width, counts.get(at, 0)) for at in range(max(counts) + 1)]


def histogram(values: Sequence[float], what: str) -> Panel:
    """`what` stands below: what is counted."""
    classes = classes_of(values)
    most = max(count for *_, count in classes)
    across = Scale(classes[0][0], classes[-1][1], LEFT, WIDTH - 6)
    up = Scale(0, most, HIGH, 6)
    parts: list[Element] = []
    for mark in round_numbers(0, most, 3):
        y = up.at(mark)
        parts.append(element("line", x1=LEFT, y1=y, x2=WIDTH - 6, y2=y, class_="line"))
        parts.append(line(((said(mark), ""),), LEFT - 4, y + 4, SMALL, anchor="end", usual="soft"))
    for start, end, count in classes:
        if count:
            left, right, top = across.at(start), across.at(end), up.at(count)
            parts.append(element("rect", x=left + 0.5, y=top, width=max(right - left - 1, 0.8), height=HIGH - top, class_="f-1e5bc6"))
    for mark in round_numbers(across.low, across.high):
        at = across.at(mark)
        parts.append(line(((said(mark), ""),), at, HIGH + 14, SMALL, anchor="end" if at > WIDTH - 20 else "middle", usual="soft"))
    parts.append(line(((what, ""),), (LEFT + WIDTH) / 2, HIGH + FOOT + 9, SMALL, anchor="middle", usual="soft"))
    return Panel(WIDTH, HIGH + FOOT + 14, tuple(parts))
