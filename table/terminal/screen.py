"""Puts words, tables and questions on a terminal; in its plain form on anything that takes lines of text."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ichiba.dsl.faults.fault import echoed
from ichiba.table.scene.chart import Chart, drawn
from ichiba.table.scene.grid import GridPicture, drawn_grid
from ichiba.table.scene.sections import Entity, Section, Value
from ichiba.table.scene.spelling import FAINT, Cell, ink, joined, words_of
from ichiba.table.scene.track import Track, drawn_track, told_track

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

NARROW = 80
WIDEST = 120
CHANGED = "bold"
CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the lines scrolled away as well: a hand may have been among them
MOST_EMPTY = 3  # more things that hold nothing are told together
TRACK = 80  # columns of the longest track
LONGEST_CELL = 160  # characters in a table of words
TABLE_ROWS = 14  # more things than that are told line by line


class Screen:
    """Where a game is shown. `plain` has no colours, no frames, and one thing on each line."""

    def __init__(self, plain: bool = False, width: int | None = None):
        self.terminal = sys.stdout.isatty()
        self.plain = plain or not self.terminal
        self.width = width or (max(40, min(shutil.get_terminal_size().columns, WIDEST)) if self.terminal else NARROW)
        self._console: Console | None = None

    @property
    def _faint(self) -> str:
        return "" if self.plain else FAINT

    @property
    def console(self) -> Console:
        if self._console is None:
            from rich.console import Console

            self._console = Console(
                file=sys.stdout,
                width=self.width,
                highlight=False,
                markup=False,
                emoji=False,
                no_color=self.plain or None,
            )
        return self._console

    # --------------------------------------------------------------------------------------------- words

    def say(self, words: str = "", colour: str = "", indent: int = 0) -> None:
        """A paragraph, wrapped; `indent` is for all lines but the first."""
        self.show(ink(words, colour), indent)

    def show(self, cell: Cell, indent: int = 0) -> None:
        if self.plain:
            print(wrapped(words_of(cell), self.width, indent))
        else:
            self.console.print(_text(cell) if not indent else _hanging(cell, self.width, indent))

    def heading(self, words: str) -> None:
        if self.plain:
            print(f"\n{words}")
        else:
            from rich.rule import Rule

            self.console.print()
            self.console.print(Rule(words, style=FAINT, align="left"))

    def clear(self) -> None:
        """Nothing of what was shown stays to be read."""
        if self.terminal:
            print(CLEAR, end="", flush=True)

    def ask(self, prompt: str) -> str:
        """A line from whoever sits there; EOFError when nobody does. What comes through a pipe is repeated."""
        line = input(prompt)
        if not sys.stdin.isatty():
            print(line)
        return line.strip()

    # ------------------------------------------------------------------------------------------ sections

    def section(self, section: Section) -> None:
        layout = section.layout or self._fitting(section)
        if section.chart is not None:
            self._map(section, section.chart)
        elif section.grid is not None:
            self._grid(section, section.grid)
        elif section.track is not None:
            self._track(section, section.track)
        elif layout == "line" or layout == "hidden":
            self._line(section)
        elif self.plain:
            self._lines(section)
        elif layout == "columns" or section.name == "seats" and layout == "table":
            self.console.print()
            self.console.print(_framed(section, across=True, stacked=layout == "columns"))
        elif layout == "table":
            self.console.print()
            self.console.print(_framed(section, across=False))
        else:
            self._lines(section)

    def _fitting(self, section: Section) -> str:
        labels = section.labels
        if not labels:
            return "line"
        if section.name == "seats":
            return "table"
        if len(labels) == 1 and len(section.entities) > 4:
            return "line"
        widths = [max(len(label), *(_width(entity.value(label)) for entity in section.entities)) for label in labels]
        head = max((cell_len(words_of(entity.head)) for entity in section.entities), default=0)
        fits = sum(widths) + head + 3 * (len(widths) + 1) <= self.width
        return "table" if fits and len(section.entities) <= TABLE_ROWS else "list"

    def _line(self, section: Section) -> None:
        """Everything of a section in one paragraph."""
        cells: list[Cell] = []
        lonely = len(section.labels) == 1 and section.name != "table"
        for entity in section.entities:
            values = [told(value, not lonely) for value in entity.values if value.telling]
            if entity.head and not section.labels:
                cells.append(entity.head)
            elif values:
                between = ink("") if not entity.head else ink(": " if lonely else " ")
                cells.append((*entity.head, *between, *joined(values, " · ")))
        if cells:
            head = section.title + (f" ({section.labels[0]})" if lonely else "")
            self.show((*ink(f"{head}: " if head else "", self._faint), *joined(cells, " · ")), 2)

    def _map(self, section: Section, chart: Chart) -> None:
        """The plain form says the same in words."""
        if not self.plain:
            self.console.print()
            for line in drawn(chart, self.width):
                self.console.print(_text(line), no_wrap=True)
            self.console.print(_text(tuple((words, colour or FAINT) for words, colour in chart.legend)))
            return
        if section.entities:
            self._lines(section)
        ways = joined([way.words for way in chart.ways if way.words], " · ")
        if ways:
            self.show(ways, 2)

    def _grid(self, section: Section, picture: GridPicture) -> None:
        """Plain or not, it is drawn: its signs are letters. What one sign cannot say stands below, and what the signs stand for."""
        self.console.print()
        if section.title:
            self.show(ink(section.title, self._faint))
        for line in drawn_grid(picture):
            self.console.print(_text(line), no_wrap=True)
        for cell in picture.more():
            self.show(cell, 2)
        if signs := picture.signs():
            self.show(signs, 2)

    def _track(self, section: Section, track: Track) -> None:
        head = ink(section.title, self._faint)
        if self.plain:
            self.show((*head, *ink(": " if head else ""), *told_track(track)), 2)
        else:
            self.console.print()
            self.show(head)
            for line in drawn_track(track, min(self.width, TRACK)):
                self.console.print(_text(line), no_wrap=True)
        moved = [
            (*entity.head, *ink(f" {value.change}"))
            for entity in section.entities
            for value in entity.values
            if value.label == section.labels[0] and value.change not in ("", "*")
        ]
        if moved:
            self.show((*ink("moved: ", self._faint), *joined(moved, " · ")), 2)

    def _lines(self, section: Section) -> None:
        """Each thing on a line of its own."""
        if section.title:
            self.show(ink(section.title, self._faint))
        for entity in section.entities:
            values = joined([told(value) for value in entity.values if value.telling], "; ")
            self.show((*ink("  "), *entity.head, *(ink(": ") if values else ()), *values), 6)

    def full(self, section: Section) -> None:
        """A section with nothing left out."""
        if section.title:
            self.show(ink(section.title, self._faint))
        empty = [entity for entity in section.entities if entity.head and all(value.dull for value in entity.values)]
        empty = empty if len(empty) > MOST_EMPTY else []
        for entity in section.entities:
            if entity not in empty:
                self.show(
                    (
                        *ink("  "),
                        *entity.head,
                        *ink(": " if entity.head else ""),
                        *joined([told(value) for value in entity.values], "; "),
                    ),
                    6,
                )
        if empty:
            self.show((*ink("  as at the beginning: "), *joined([entity.head for entity in empty], ", ")), 6)

    # -------------------------------------------------------------------------------------------- tables

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
        """A small table of words; the first column to the left, the others to the right. Words without end are cut: they would make
        every line as long."""
        listed = [[echoed(words, LONGEST_CELL) for words in row] for row in rows]
        if self.plain:
            if title:
                self.say(title)
            widths = [max(cell_len(row[at]) for row in [list(heads), *listed]) for at in range(len(heads))]
            for row in [list(heads), *listed]:
                cells = [
                    padded(words, width, at > 0) for at, (words, width) in enumerate(zip(row, widths, strict=True))
                ]
                print("  ".join(cells).rstrip())
            return
        made = _bare()
        made.title = title or None
        for at, head in enumerate(heads):
            made.add_column(head, justify="left" if at == 0 else "right")
        for row in listed:
            made.add_row(*row)
        self.console.print(made)


def wrapped(words: str, width: int, indent: int = 0) -> str:
    lines = []
    for line in words.split("\n"):
        lines.append(
            textwrap.fill(
                line,
                width,
                subsequent_indent=" " * indent,
                break_long_words=False,
                break_on_hyphens=False,
                drop_whitespace=True,
            )
            if line
            else ""
        )
    return "\n".join(lines)


def padded(words: str, width: int, right: bool = False) -> str:
    """Filled up to a width as a terminal counts it."""
    gap = " " * max(0, width - cell_len(words))
    return gap + words if right else words + gap


def told(value: Value, label: bool = True, star: bool = True) -> Cell:
    """`cash ¥36 (-12)`; what changed in another way than by an amount has a star."""
    cell = value.cell or ink("nothing", FAINT)
    head = value.label.split(" ")
    if len(head) > 1 and words_of(cell).startswith(head[-1] + " "):
        head.pop()  # `start seat 3`, not `start seat seat 3`
    return (
        *ink(" ".join(head) + " " if label else ""),
        *_marked(cell, value.change if star or value.change != "*" else ""),
    )


def _marked(cell: Cell, change: str) -> Cell:
    if not change:
        return cell
    if change == "*":
        return (*ink("*", CHANGED), *cell)
    return (*cell, *ink(f" ({change})", CHANGED))


def _width(value: Value | None) -> int:
    return 0 if value is None else cell_len(words_of(_marked(value.cell, value.change)))


def _text(cell: Cell) -> Text:
    from rich.text import Text

    text = Text()
    for words, colour in cell:
        text.append(words, style=colour or None)
    return text


def _hanging(cell: Cell, width: int, indent: int) -> Text:
    """Wrapped, with all lines but the first moved in."""
    from rich.console import Console
    from rich.text import Text

    text = _text(cell)
    if cell_len(text.plain) <= width:
        return text
    lines = text.wrap(Console(width=width), width - indent)
    for line in lines:
        line.rstrip()
    return Text(f"\n{' ' * indent}").join(lines)


def _bare() -> RichTable:
    from rich import box
    from rich.table import Table

    return Table(
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1),
        header_style="bold",
        title_justify="left",
        title_style="bold",
        border_style=FAINT,
    )


def _framed(section: Section, across: bool, stacked: bool = False) -> RichTable:
    """Side by side or one below the other; stacked, what lies in one place is told line by line."""
    made = _bare()
    made.add_column("" if across else section.title, overflow="fold", style=FAINT if across else None)
    labels = section.labels
    if across:
        for entity in section.entities:
            made.add_column(_text(entity.head), overflow="fold")
        for label in labels:
            made.add_row(label, *(_cell(entity, label, stacked) for entity in section.entities))
    else:
        for label in labels:
            made.add_column(label, overflow="fold")
        for entity in section.entities:
            made.add_row(_text(entity.head), *(_cell(entity, label) for label in labels))
    return made


def _cell(entity: Entity, label: str, stacked: bool = False) -> Text:
    value = entity.value(label)
    if value is None:
        return _text(())
    cell = value.cell
    if stacked:
        cell = tuple(("\n" if words in (", ", "; ") else words, colour) for words, colour in cell)
    text = _text(_marked(cell, value.change) if cell else ink("·", FAINT))
    if value.change:
        text.stylize(CHANGED)
    return text
