"""A map: ways first, then places, then every place's words where they hide least; what fits nowhere has a number, and is told below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ichiba.table.markup.colours import class_of
from ichiba.table.markup.elements import Element, element
from ichiba.table.scene.chart import Chart, Note, Spot, Way
from ichiba.table.scene.spelling import FAINT, Cell, ink, words_of
from ichiba.table.svg.drawing import SMALL, Panel, below, flowing, line, paragraph
from ichiba.table.svg.measure import together, width, width_of

NAME, HELD, COST = 8.6, 10.0, 9.0  # sizes of letters
SPOT = 4.5  # half as wide as a place's sign
HIGHEST = 1.9  # times the width
EDGE = 16.0
ASTRAY = 45.0
PHONE = 360.0  # how wide a map is there
FURTHER = (60.0, 40.0, 26.0)  # how far from its places what stands in a part of the map may be written: where it hides least, if that is near
SQUARE = 5.0  # the map is looked at in squares of this size, to see where ways go


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the map that is taken."""

    left: float
    top: float
    right: float
    bottom: float

    def over(self, other: Area) -> float:
        """How much of both is the same."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0


def chart(drawn: Chart, room: float) -> Panel:
    """The whole map, and what is told below it."""
    return _Sheet(drawn, room).panel()


class _Sheet:
    def __init__(self, drawn: Chart, room: float):
        self.drawn, self.room = drawn, room
        points: list[Spot | Note] = [*drawn.spots, *drawn.notes]
        self.left, self.top = min(p.x for p in points), min(p.y for p in points)
        across, down = max(p.x for p in points) - self.left, max(p.y for p in points) - self.top
        free = room - 2 * EDGE
        self.scale = min(free / across if across else free, free * HIGHEST / down if down else free)
        self.shift = (free - across * self.scale) / 2
        self.height = down * self.scale + 2 * EDGE
        self.at = [self._point(spot) for spot in drawn.spots]
        self.taken = [Area(x - SPOT, y - SPOT, x + SPOT, y + SPOT) for x, y in self.at]
        self.crossed = Counter(square for way in drawn.ways for square in self._along(way))
        self.below: list[Cell] = []

    def _point(self, point: Spot | Note) -> tuple[float, float]:
        return EDGE + self.shift + (point.x - self.left) * self.scale, EDGE + (point.y - self.top) * self.scale

    def panel(self) -> Panel:
        ways = [one for way in sorted(self.drawn.ways, key=lambda way: bool(way.mark)) for one in self._way(way)]
        spots = [one for spot, at in zip(self.drawn.spots, self.at, strict=True) for one in self._spot(spot, *at)]
        marks = [one for way in self.drawn.ways for one in self._mark(way)]
        order = sorted(range(len(self.at)), key=lambda n: (not self.drawn.spots[n].holds, -len(self.drawn.spots[n].name)))
        words = [one for number in order for one in self._words(number)]
        words += [one for note in self.drawn.notes for one in self._note(note)]
        ground = element("rect", x=0.5, y=0.5, width=self.room - 1, height=self.height - 1, rx=7, class_="tint line")
        told = [paragraph(cell, self.room, SMALL) for cell in (*self.below, _with_its_sign(self.drawn.legend)) if cell]
        return below([Panel(self.room, self.height, (ground, *ways, *spots, *marks, *words)), flowing(told, self.room, 10)], 6)

    # ----------------------------------------------------------------------------------------- ways

    def _way(self, way: Way) -> Iterator[Element]:
        (x1, y1), (x2, y2) = self.at[way.a], self.at[way.b]
        own = class_of(way.colour, "s") if way.mark and way.colour != FAINT else "firm"
        if way.always:
            yield element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke_width=5, class_="line")
            yield element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke_width=2, class_="stripe")
        else:
            yield element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke_width=4 if way.mark else 1.5, class_=own if way.mark else "firm dots")

    def _along(self, way: Way) -> Iterator[tuple[int, int]]:
        """The small squares it goes through, so that words keep off it."""
        (x1, y1), (x2, y2) = self.at[way.a], self.at[way.b]
        steps = max(2, int(max(abs(x2 - x1), abs(y2 - y1)) / SQUARE * 1.5))
        for step in range(1, steps):
            yield int((x1 + (x2 - x1) * step / steps) / SQUARE), int((y1 + (y2 - y1) * step / steps) / SQUARE)

    def _ways_under(self, area: Area) -> int:
        """How much of ways words in this place would hide."""
        rows = range(int(area.top / SQUARE), int(area.bottom / SQUARE) + 1)
        columns = range(int(area.left / SQUARE), int(area.right / SQUARE) + 1)
        return sum(self.crossed.get((column, row), 0) for row in rows for column in columns)

    def _mark(self, way: Way) -> Iterator[Element]:
        """Whose it is, or what it costs, on a small ground in its middle: colours alone tell nothing."""
        told = way.mark or way.cost
        if not told:
            return
        (x1, y1), (x2, y2) = self.at[way.a], self.at[way.b]
        half = width(told, COST, True) / 2 + 2
        places = [((x1 + (x2 - x1) * part, y1 + (y2 - y1) * part)) for part in (0.5, 0.4, 0.6, 0.3, 0.7)]
        areas = [Area(x - half, y - 5.5, x + half, y + 5.5) for x, y in places]
        best = min(range(len(areas)), key=lambda n: (sum(areas[n].over(one) for one in self.taken), n))
        self.taken.append(areas[best])
        x, y = places[best]
        colour = way.colour if way.mark and way.colour != FAINT else ""
        yield element("rect", x=x - half, y=y - 5.5, width=2 * half, height=11, rx=3, class_=f"paper {class_of(colour, 's') or 'line'}")
        yield line(ink(told, colour), x, y + 3.2, COST, True, "middle")

    # ----------------------------------------------------------------------------------------- places

    def _spot(self, spot: Spot, x: float, y: float) -> Iterator[Element]:
        owner = next((colour for words, colour in spot.holds if colour and words.strip()), "")
        look = f"paper {class_of(owner, 's') or 'firm'}"
        yield element("circle", cx=x, cy=y, r=SPOT, stroke_width=2.2 if spot.holds else 1.2, class_=look, data_thing=spot.thing or None)
        if words_of(spot.sign) != "○":
            yield line(spot.sign, x, y + 3, 8.5, False, "middle")

    def _words(self, number: int) -> Iterator[Element]:
        spot, (x, y) = self.drawn.spots[number], self.at[number]
        name = (*ink(spot.name), *ink(" " if spot.holds else ""), *spot.holds)
        sizes = (NAME, NAME - 1.2)
        for size in sizes:
            if (found := self._room_for(x, y, width_of(name, size) + 1, size)) is not None:
                yield from self._write(name, found, size)
                return
        sign = str(len(self.below) + 1)
        short: Cell = (*ink(sign, "bold"), *ink(" " if spot.holds else ""), *spot.holds)
        self.below.append((*ink(f"{sign} ", "bold"), *ink(spot.name)))
        found = self._room_for(x, y, width_of(short, NAME) + 1, NAME, anywhere=True)
        if found is not None:
            yield from self._write(short, found, NAME)

    def _room_for(self, x: float, y: float, wide: float, size: float, anywhere: bool = False, far: float = 0) -> Area | None:
        """The place near a point where words of this width hide least: never other words or places, if possible no ways."""
        best: tuple[float, Area] | None = None
        for at, (left, top) in enumerate(_around(x, y, wide, size, far)):
            area = Area(left, top, left + wide, top + size * 1.1)
            if area.left < 2 or area.right > self.room - 2 or area.top < 2 or area.bottom > self.height - 2:
                continue
            hidden = sum(one.over(area) for one in self.taken if one.left < area.right and area.left < one.right)
            weight = hidden * 8 + self._ways_under(area) * SQUARE * 2 + at * 1.5
            if (hidden < 1 or anywhere) and (best is None or weight < best[0]):
                best = weight, area
        return best[1] if best is not None else None

    def _write(self, words: Cell, area: Area, size: float) -> Iterator[Element]:
        self.taken.append(area)
        yield _ground(area, 0, "tint", 0.85)
        yield line(words, area.left + 0.5, area.top + size * 0.88, size)

    def _note(self, note: Note) -> Iterator[Element]:
        x, y = self._point(note)
        wide = width_of(note.words, HELD, True)
        larger = max(1.0, self.room / PHONE)  # than the map on a phone: there is as much more between its places
        tried = (self._room_for(x, y, wide + 4, HELD, far=far * larger) for far in FURTHER)
        found = next((area for area in tried if area is not None and not _astray(area, x, y, larger)), None)
        if found is None:
            self.below.append(note.words)
            return
        self.taken.append(found)
        yield _ground(found, 1, "on line")
        yield line(note.words, found.left + 2, found.top + HELD * 0.9, HELD)


def _ground(area: Area, more: float, class_: str, opacity: float | None = None) -> Element:
    wide, high = area.right - area.left, area.bottom - area.top + 2 * more
    return element("rect", x=area.left, y=area.top - more, width=wide, height=high, rx=2, class_=class_, opacity=opacity)


def _around(x: float, y: float, wide: float, size: float, far: float) -> Iterator[tuple[float, float]]:
    """Upper left corners, the best first: beside the place, above, below, aslant; further off where that is allowed."""
    high, gap = size * 1.1, SPOT + 1.5
    for reach in ([0.0] if not far else [far * part / 8 for part in range(9)]):
        side, up = gap + reach, gap + reach
        yield x + side, y - high / 2
        yield x - side - wide, y - high / 2
        yield x - wide / 2, y + up
        yield x - wide / 2, y - up - high
        yield x + side * 0.6, y + up * 0.5
        yield x + side * 0.6, y - up * 0.5 - high
        yield x - side * 0.6 - wide, y + up * 0.5
        yield x - side * 0.6 - wide, y - up * 0.5 - high
        yield x - wide * 0.8, y + up
        yield x - wide * 0.2, y + up
        yield x - wide * 0.8, y - up - high
        yield x - wide * 0.2, y - up - high


def _astray(area: Area, x: float, y: float, larger: float) -> bool:
    """Whether it is so far from there that it would seem to belong to something else."""
    near = ASTRAY * larger
    across, down = abs((area.left + area.right) / 2 - x), abs((area.top + area.bottom) / 2 - y)
    return across > max(near, 0.7 * (area.right - area.left)) or down > near


def _with_its_sign(legend: Cell) -> Cell:
    """No line ends between a sign and what it stands for."""
    return together([(words if words == " · " else words.replace(" ", "\u00a0"), colour) for words, colour in legend])
