"""A board as a card: head with sign, title and costs; text, properties, tracks, spaces, pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ichiba.table.markup.colours import class_of
from ichiba.table.markup.elements import element
from ichiba.table.scene.boards import BoardCard, Fact, Rail, Space
from ichiba.table.scene.spelling import FAINT, Cell, ink, words_of
from ichiba.table.svg.drawing import (
    SMALL,
    TEXT,
    Panel,
    below,
    chip,
    chips,
    flowing,
    framed,
    line,
    moved,
    paragraph,
    parts_of_list,
)
from ichiba.table.svg.measure import width, width_of

WIDE = 358.0  # with its frame: a phone's width
EDGE = 12.0
NARROWEST = 20.0  # of a space of a track


def board(card: BoardCard, wide: float = WIDE) -> Panel:
    """The whole card."""
    room = wide - 2 * EDGE
    panels = [_head(card, room), *_body(card, room)]
    return replace(framed(Panel(room, (whole := below(panels, 9)).height, whole.parts), EDGE), thing=card.thing)


def _head(card: BoardCard, room: float) -> Panel:
    costs = [chip(_cost(cost), room / 2, TEXT, "on", bold=True) for cost in card.costs]
    right = below(costs, 3)
    shifted = tuple(moved(one, right.width - one.width, at * (costs[0].height + 3)) for at, one in enumerate(costs))
    sign_wide = width_of(card.sign, 26) + 8 if card.sign else 0
    title = paragraph(ink(card.title, card.colour), room - right.width - sign_wide - 6, 17, bold=True)
    words = below([title, paragraph(ink(card.kind, FAINT), room - right.width - sign_wide - 6, SMALL)], 0)
    parts = [moved(words, sign_wide, 0), moved(Panel(right.width, right.height, shifted), room - right.width, 1)]
    if card.sign:
        parts.append(line(card.sign, 0, 27, 26))
    high = max(words.height, right.height, 32 if card.sign else 0)
    rule = element("line", x1=0, y1=high + 3, x2=room, y2=high + 3, stroke_width=2, class_=class_of(card.colour, "s") or "firm")
    return Panel(room, high + 4, (*parts, rule))


def _cost(cost: Fact) -> Cell:
    return (*ink(f"{cost.label} " if cost.label else ""), *cost.cell)


def _body(card: BoardCard, room: float) -> Iterator[Panel]:
    if card.about:
        yield paragraph(ink(card.about), room)
    if card.facts:
        yield flowing([fact(one, room) for one in card.facts], room, 5)
    for one in card.rails:
        yield rail(one, room)
    if card.spaces:
        yield spaces(card.spaces, room)
    if card.values:
        yield labelled(card.values, room)
    if card.pieces:
        yield flowing([fact(one, room) for one in card.pieces], room, 5)


def fact(one: Fact, room: float) -> Panel:
    """`licence price ¥500`."""
    return chip((*ink(f"{one.label} " if one.label else "", FAINT), *one.cell), room)


def labelled(values: Iterable[Fact], room: float) -> Panel:
    """What lies in each place, as chips behind its name."""
    rows = []
    for value in values:
        head = paragraph(ink(value.label, FAINT), room, SMALL)
        cells = parts_of_list(value.cell) or [ink("–", FAINT)]
        inset = max(74.0, head.width + 8)
        if inset > room / 2:
            rows.append(below([head, chips(cells, room)], 2))
        else:
            content = chips(cells, room - inset)
            rows.append(Panel(room, max(head.height, content.height), (moved(head, 0, 1.5), moved(content, inset, 0))))
    return below(rows, 5)


def rail(one: Rail, room: float) -> Panel:
    """A row of numbered spaces; where it stands, the space is firm and has a mark as well as a colour."""
    count = one.last - one.first + 1
    widest = max(NARROWEST, *(width(str(n), SMALL, True) + 6 for n in (one.first, one.last)))
    across = max(1, min(count, int(room // widest)))
    size = min(30.0, room / across)
    parts = [line(ink(one.label, FAINT), 0, SMALL, SMALL)]
    top = SMALL * 1.5
    for at, number in enumerate(range(one.first, one.last + 1)):
        x, y = at % across * size, top + at // across * (20 + 3)
        here = number == one.at
        ground = "on firm" if here else "tint line"
        parts.append(element("rect", x=x + 1, y=y, width=size - 2, height=19, rx=3, stroke_width=2 if here else 1, class_=ground))
        parts.append(line(ink(f"▸{number}" if here else str(number)), x + size / 2, y + 13.5, SMALL, here, "middle"))
    rows = (count - 1) // across + 1
    return Panel(room, top + rows * 23 - 3, tuple(parts))


def spaces(found: Iterable[Space], room: float, gap: float = 6) -> Panel:
    """Places in rows, as many side by side as the longest allows."""
    listed = list(found)
    longest = max(space_width(one) for one in listed)
    across = max(1, min(4, len(listed), int((room + gap) // (longest + gap))))
    wide = (room - gap * (across - 1)) / across
    rows = []
    for at in range(0, len(listed), across):
        made = [_space(one, wide) for one in listed[at : at + across]]
        high = max(one.height for one in made)
        rows.append(Panel(room, high, tuple(moved(_tall(one, high), n * (wide + gap), 0) for n, one in enumerate(made))))
    return below(rows, gap)


def space_width(one: Space) -> float:
    """How wide it would like to be; anything is wrapped beyond."""
    told = [width_of(one.title, TEXT, True), *(width_of((*ink(f"{fact.label} "), *fact.cell), SMALL) for fact in (*one.facts, *one.holds))]
    return min(150.0, max(told) + 16)


def _space(one: Space, wide: float) -> Panel:
    room = wide - 10
    panels = [paragraph(one.title, room, TEXT, bold=True)] if words_of(one.title) else []
    panels += [paragraph((*ink(f"{fact.label} " if fact.label else "", FAINT), *fact.cell), room, SMALL) for fact in one.facts]
    if one.holds:
        panels.append(chips([cell for fact in one.holds for cell in parts_of_list(fact.cell)], room))
    inside = below(panels, 2)
    return Panel(wide, inside.height + 9, (moved(inside, 5, 4),), one.thing)


def _tall(one: Panel, high: float) -> Panel:
    ground = element("rect", x=0.5, y=0.5, width=one.width - 1, height=high - 1, rx=4, class_="tint line")
    return replace(one, height=high, parts=(ground, *one.parts))
