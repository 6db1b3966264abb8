"""Draws a map of places and ways between them with characters, in so many columns.

A chart knows nothing of games: places have coordinates, a sign and words; ways join two places; notes stand about
somewhere. Ways are drawn first, then signs, then every place's words wherever they hide least. Names that fit nowhere
are shortened; what lies somewhere and fits nowhere is told below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from ichiba.table.scene.spelling import FAINT, Cell, ink, words_of

MOST_LINES = 60
SIDE = 12  # columns kept free at the right, for the words of what lies there
SHORTENED = (99, 9, 6, 4)  # columns of a name that are tried, one after the other


@dataclass(frozen=True, slots=True)
class Spot:
    """A place: its sign, its name, and what lies there."""

    x: float
    y: float
    sign: Cell
    name: str
    holds: Cell = ()
    colour: str = FAINT
    thing: str = ""  # as the view names it


@dataclass(frozen=True, slots=True)
class Way:
    """A way between two places, by their numbers. One that bears a mark is drawn as a line, others as dots or double."""

    a: int
    b: int
    mark: str = ""  # whose it is
    colour: str = FAINT
    always: bool = False  # nothing can lie on it
    words: Cell = ()  # the same in words
    cost: str = ""  # what is written on it where it bears no mark
    thing: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """What is said of a part of the map, somewhere near its middle."""

    x: float
    y: float
    words: Cell


@dataclass(frozen=True, slots=True)
class Chart:
    spots: tuple[Spot, ...]
    ways: tuple[Way, ...]
    notes: tuple[Note, ...] = ()
    legend: Cell = ()


def drawn(chart: Chart, width: int) -> list[Cell]:
    """The lines of a chart, none wider than `width`."""
    return _Sheet(chart, width).lines()


@dataclass(slots=True)
class _Square:
    text: str = ""
    colour: str = ""
    weight: int = 0  # how bad it is to write over it; 9 is never done


class _Sheet:
    def __init__(self, chart: Chart, width: int):
        self.chart, self.width = chart, width
        points: list[Spot | Note] = [*chart.spots, *chart.notes]
        self.left, self.top = min(p.x for p in points), min(p.y for p in points)
        across, down = max(p.x for p in points) - self.left, max(p.y for p in points) - self.top
        columns = max(1, width - SIDE - 2)
        self.scale = columns / across if across else 1.0
        if down * self.scale / 2 > MOST_LINES:
            self.scale = MOST_LINES * 2 / down
        self.squares = [[_Square() for _ in range(width)] for _ in range(round(down * self.scale / 2) + 1)]
        self.at = [self._square(spot) for spot in chart.spots]
        self.told_below: list[Cell] = []
        self.paths = [list(_straight(self.at[way.a], self.at[way.b])) for way in chart.ways]

    def _square(self, point: Spot | Note) -> tuple[int, int]:
        """A character is about twice as high as it is wide."""
        return round((point.y - self.top) * self.scale / 2), 1 + round((point.x - self.left) * self.scale)

    def lines(self) -> list[Cell]:
        for way, path in sorted(zip(self.chart.ways, self.paths, strict=True), key=lambda both: bool(both[0].mark)):
            self._way(way, path)
        for spot, (line, column) in zip(self.chart.spots, self.at, strict=True):
            self._write(line, column, spot.sign, 9)
        for number in sorted(range(len(self.at)), key=lambda n: not self.chart.spots[n].holds):
            self._name(number)
        for note in self.chart.notes:
            if not self._place(self._around(*self._square(note), cell_len(words_of(note.words)), 1), note.words):
                self.told_below.append(note.words)
        for way, path in zip(self.chart.ways, self.paths, strict=True):
            self._mark(way, path)
        return [*map(self._read, self.squares), *self._below()]

    def _below(self) -> Iterator[Cell]:
        line: Cell = ()
        for words in self.told_below:
            longer = (*line, *ink(" · " if line else ""), *words)
            if line and cell_len(words_of(longer)) > self.width:
                yield line
                longer = words
            line = longer
        if line:
            yield line

    def _way(self, way: Way, path: Sequence[tuple[int, int]]) -> None:
        stroke = _stroke(self.at[way.a], self.at[way.b]) if way.mark else "═" if way.always else "·"
        for line, column in path:
            self._write(line, column, ink(stroke, way.colour), 2 if way.mark or way.always else 1)

    def _mark(self, way: Way, path: Sequence[tuple[int, int]]) -> None:
        """Whose it is, as near to the middle as nothing else stands: colours alone tell nothing."""
        middle = len(path) // 2
        for line, column in sorted(path, key=lambda at: abs(path.index(at) - middle)):
            if way.mark and self.squares[line][column].weight == 2:
                self._write(line, column, ink(way.mark, way.colour), 9)
                return
            here = self.squares[line][column : column + len(way.cost)] if way.cost and not way.mark else []
            if len(here) == len(way.cost) > 0 and here[0].weight in (1, 2) and all(square.weight < 9 for square in here):
                self._write(line, column, ink(way.cost), 9)
                return

    def _name(self, number: int) -> None:
        spot, (line, column) = self.chart.spots[number], self.at[number]
        sign = cell_len(words_of(spot.sign))
        for most in SHORTENED:
            name = spot.name if cell_len(spot.name) <= most else spot.name[: most - 1].rstrip() + "."
            words = (*ink(name, spot.colour), *ink(" " if spot.holds else ""), *spot.holds)
            if self._place(self._around(line, column, cell_len(words_of(words)), sign), words):
                return
        if spot.holds:
            self.told_below.append((*ink(spot.name + " "), *spot.holds))

    def _around(self, line: int, column: int, length: int, sign: int) -> Iterator[tuple[int, int]]:
        """Where words of this length can stand, the best first."""
        middle = column - length // 2
        yield line, column + sign
        yield line, column - length
        for step in (1, -1):
            yield line + step, middle
            yield line + step, column + sign
            yield line + step, column - length
        for step in (2, -2):
            yield line + step, middle

    def _place(self, places: Iterable[tuple[int, int]], words: Cell) -> bool:
        length = cell_len(words_of(words))
        best: tuple[int, int, int] | None = None
        for line, column in places:
            cost = self._cost(line, column, length)
            if cost is not None and (best is None or cost < best[0]):
                best = cost, line, column
        if best is not None:
            self._write(best[1], best[2], words, 9)
        return best is not None

    def _cost(self, line: int, column: int, length: int) -> int | None:
        if not 0 <= line < len(self.squares) or column < 0 or column + length > self.width:
            return None
        row = self.squares[line]
        if any(row[at].weight == 9 for at in range(column, min(self.width, column + length + 1))):
            return None  # words that touch would be read as one
        return sum(row[at].weight for at in range(column, column + length))

    def _write(self, line: int, column: int, words: Cell, weight: int) -> None:
        for text, colour in words:
            for sign in text:
                wide = cell_len(sign)
                if wide == 0:  # belongs to the sign before it
                    self.squares[line][max(0, column - 1)].text += sign
                    continue
                for more in range(wide):
                    if column + more < self.width:
                        self.squares[line][column + more] = _Square("" if more else sign, colour, weight)
                column += wide

    def _read(self, row: Sequence[_Square]) -> Cell:
        """Neighbours of one colour are one piece of ink; what is not written on is a blank."""
        found: list[tuple[str, str]] = []
        for square in row:
            text = square.text or ("" if square.weight else " ")
            colour = square.colour if text.strip() else ""
            if found and (found[-1][1] == colour or not text.strip()):
                found[-1] = (found[-1][0] + text, found[-1][1])
            else:
                found.append((text, colour))
        if found:
            found[-1] = (found[-1][0].rstrip(), found[-1][1])
        return tuple(piece for piece in found if piece[0])


def _straight(a: tuple[int, int], b: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The squares between two, without the two themselves."""
    steps = max(abs(b[0] - a[0]), abs(b[1] - a[1]))
    for step in range(1, steps):
        yield round(a[0] + (b[0] - a[0]) * step / steps), round(a[1] + (b[1] - a[1]) * step / steps)


def _stroke(a: tuple[int, int], b: tuple[int, int]) -> str:
    down, across = b[0] - a[0], b[1] - a[1]
    if abs(across) >= 4 * abs(down):
        return "─"
    if abs(down) * 2 >= 3 * abs(across):
        return "│"
    return "╲" if (down > 0) == (across > 0) else "╱"
