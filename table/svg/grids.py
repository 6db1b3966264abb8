"""Grids, tracks, and the tables and columns in which what a scene tells stands side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ichiba.table.markup.elements import Element, element
from ichiba.table.scene.grid import EMPTY, GridPicture
from ichiba.table.scene.sections import Entity, Section, Value
from ichiba.table.scene.spelling import FAINT, Cell, ink, joined, words_of
from ichiba.table.scene.track import Track
from ichiba.table.svg.drawing import (
    LEADING,
    SMALL,
    TEXT,
    Panel,
    below,
    chips,
    flowing,
    line,
    moved,
    paragraph,
    parts_of_list,
)
from ichiba.table.svg.measure import width, width_of

LARGEST, SMALLEST = 34.0, 13.0  # a place of a grid
LEAST, WIDEST_COLUMN = 46.0, 150.0  # of a table


def grid(drawn: GridPicture, room: float) -> Panel:
    """Rows and columns of places, with what stands beside and above them; what one sign cannot say stands below."""
    columns = len(drawn.column_heads) + (0.5 if drawn.shifted else 0)
    margin = 18.0
    size = max(SMALLEST, min(LARGEST, (room - margin) / max(1.0, columns)))
    parts: list[Element] = []
    for at, head in enumerate(drawn.column_heads):
        parts.append(line(ink(head, FAINT), margin + (at + 0.5) * size, 10, 9, anchor="middle"))
    for row, (head, squares) in enumerate(zip(drawn.row_heads, drawn.rows, strict=True)):
        y = 15 + row * size
        parts.append(line(ink(head, FAINT), margin - 5, y + size / 2 + 3, 9, anchor="end"))
        for column, square in enumerate(squares):
            if square is None:
                continue
            x = margin + (column + (0.5 if drawn.shifted and row % 2 else 0)) * size
            empty = words_of(square.sign) == EMPTY
            ground, thing = "tint line" if empty else "paper firm", square.thing or None
            parts.append(element("rect", x=x + 0.5, y=y + 0.5, width=size - 1, height=size - 1, rx=2, class_=ground, data_thing=thing))
            if not empty:
                letters = min(size * 0.6, 15.0)
                letters *= min(1.0, (size - 3) / max(1.0, width_of(square.sign, letters, True)))
                parts.append(line(square.sign, x + size / 2, y + size / 2 + letters * 0.36, letters, True, "middle"))
    whole = Panel(margin + columns * size, 15 + len(drawn.rows) * size + 1, tuple(parts))
    told = [paragraph(cell, room, SMALL) for cell in (*drawn.more(), drawn.signs()) if cell]
    return below([whole, *told], 5)


def track(drawn: Track, room: float) -> Panel:
    """Numbered spaces in rows, and on those where something stands what does, the highest on top."""
    standing = dict(drawn.stacks)
    numbers = range(drawn.first, drawn.last + 1)
    if len(numbers) > 120:
        return chips([(*ink(f"{space}: "), *joined(list(reversed(cells)), " over ")) for space, cells in drawn.stacks], room)
    widest = max([22.0, *(width_of(cell, TEXT) + 8 for cells in standing.values() for cell in cells)])
    across = max(1, min(len(numbers), int(room // widest), 10 if len(numbers) % 10 == 0 else 99))
    size = min(44.0, room / across)
    parts: list[Element] = []
    y = 0.0
    for start in range(0, len(numbers), across):
        row = numbers[start : start + across]
        high = 18 + max((len(standing.get(number, ())) for number in row), default=0) * TEXT * LEADING
        for at, number in enumerate(row):
            cells = standing.get(number, ())
            ground = "on firm" if cells else "tint line"
            parts.append(element("rect", x=at * size + 0.5, y=y + 0.5, width=size - 2, height=high - 2, rx=3, class_=ground))
            parts.append(line(ink(str(number), "" if cells else FAINT), at * size + size / 2 - 0.5, y + high - 6, 9, bool(cells), "middle"))
            for up, cell in enumerate(cells):
                parts.append(line(cell, at * size + size / 2 - 0.5, y + high - 18 - up * TEXT * LEADING, TEXT, False, "middle"))
        y += high + 2
    return Panel(size * across, y - 2, tuple(parts))


# ------------------------------------------------------------------------------------------------- tables


def marked(value: Value | None) -> Cell:
    """`¥36 (-12)`; what changed in another way than by an amount has a star."""
    if value is None:
        return ()
    cell = value.cell or ink("–", FAINT)
    if value.change == "*":
        return (*ink("*", "bold"), *cell)
    return (*cell, *ink(f" ({value.change})", "bold")) if value.change else cell


def columns(section: Section, room: float) -> Panel:
    """Things side by side, what lies in one place as chips; as many in a row as there is room for."""
    listed = [entity for entity in section.entities if entity.head or entity.values]
    across = max(1, min(len(listed), int((room + 8) // 120)))
    wide = (room - 8 * (across - 1)) / across
    rows = []
    for at in range(0, len(listed), across):
        made = [_column(entity, wide) for entity in listed[at : at + across]]
        high = max(one.height for one in made)
        rows.append(Panel(room, high, tuple(moved(_ground(one, wide, high), n * (wide + 8), 0) for n, one in enumerate(made))))
    return below(rows, 8)


def _column(entity: Entity, wide: float) -> Panel:
    room = wide - 14
    panels = [paragraph(entity.head, room, TEXT, bold=True)] if entity.head else []
    for value in entity.values:
        if value.dull and not value.change and not value.cell:
            continue
        cells = parts_of_list(marked(value))
        panels.append(below([paragraph(ink(value.label, FAINT), room, SMALL), chips(cells, room)], 1))
    inside = below(panels, 4)
    return Panel(wide, inside.height + 12, (moved(inside, 7, 6),), entity.thing)


def _ground(one: Panel, wide: float, high: float) -> Panel:
    return Panel(wide, high, (element("rect", x=0.5, y=0.5, width=wide - 1, height=high - 1, rx=6, class_="paper line"), *one.parts), one.thing)


def table(section: Section, room: float) -> Panel:
    """A row for each thing, a column for what it has; where that is too wide, a card for each."""
    labels = section.labels
    first = max((width_of(entity.head, TEXT, True) for entity in section.entities), default=0) + 10
    widths = [_column_width(section, label) for label in labels]
    if not labels or first + sum(widths) > room:
        return columns(section, room)
    spare = (room - first - sum(widths)) / len(widths)
    widths = [wide + spare for wide in widths]
    rows = [_row([(), *(ink(label, FAINT) for label in labels)], [first, *widths], SMALL)]
    for entity in section.entities:
        rows.append(_row([entity.head, *(marked(entity.value(label)) for label in labels)], [first, *widths], TEXT))
    parts, y = [], 0.0
    for row in rows:
        parts += [moved(row, 0, y), element("line", x1=0, y1=y + row.height + 2, x2=room, y2=y + row.height + 2, class_="line")]
        y += row.height + 6
    return Panel(room, y, tuple(parts))


def _column_width(section: Section, label: str) -> float:
    """As wide as its widest cell, within limits, beyond which cells are wrapped."""
    cells = (parts_of_list(marked(entity.value(label))) for entity in section.entities)
    widest = max((sum(width_of(one, SMALL) + 14 for one in cell) + 6 for cell in cells), default=0)
    return max(LEAST, width(label, SMALL) + 10, min(WIDEST_COLUMN, widest))


def _row(cells: Sequence[Cell], widths: Sequence[float], size: float) -> Panel:
    parts, x, high = [], 0.0, size * LEADING
    for at, (cell, wide) in enumerate(zip(cells, widths, strict=True)):
        if cell:
            head = at == 0 or size == SMALL
            one = paragraph(cell, wide - 4, size, bold=at == 0) if head else chips(parts_of_list(cell), wide - 6)
            parts.append(moved(one, x, 0))
            high = max(high, one.height)
        x += wide
    return Panel(x, high, tuple(parts))


def listed(section: Section, room: float) -> Panel:
    """Each thing with what it has, one after the other."""
    rows = []
    for entity in section.entities:
        told = [value for value in entity.values if not value.dull or value.change]
        head = [(entity.head, True)] if entity.head else []
        cells = [(*ink(f"{value.label} ", FAINT), *marked(value)) for value in told]
        if head or cells:
            rows.append(flowing([*(paragraph(cell, room, TEXT, bold=True) for cell, _ in head), chips(cells, room)], room, 6))
    return below(rows, 5)


__all__ = ["columns", "grid", "listed", "marked", "table", "track"]
