"""The lines that are read and written: where each begins, its comment, a blank line before; in which column comments stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from ichiba.dsl.faults.fault import cells

WIDTH = 120  # columns; a text in quotes is never cut, so a line that holds a longer one is longer
BEFORE_COMMENT = 2  # blanks, at least
BLANKS = " \t\r"  # a wide blank is part of a text


@dataclass(frozen=True, slots=True)
class Margins:
    """Where the lines of a text begin, and which of them have a blank line above."""

    first: frozenset[int]
    below_blank: frozenset[int]

    @staticmethod
    def of(text: str) -> Margins:
        first, below_blank = [], []
        offset, blank = 0, False
        for line in text.split("\n"):
            begin = offset + len(line) - len(line.lstrip(BLANKS))
            if line.strip(BLANKS):
                first.append(begin)
                below_blank += [begin] if blank else []
            blank = not line.strip(BLANKS)
            offset += len(line) + 1
        return Margins(frozenset(first), frozenset(below_blank))


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment as it stood: behind something, or alone in its line."""

    start: int
    text: str
    column: int
    alone: bool
    blank: bool  # a blank line before it
    hanging: bool  # alone, and right below one that stands behind something, or hangs itself


def comments_at(places: Iterable[tuple[int, int]], text: str, margins: Margins) -> list[Comment]:
    """The comments that stand at these places of a text, in their order."""
    found: list[Comment] = []
    line = -2
    for start, end in places:
        begin = text.rfind("\n", 0, start) + 1
        column, alone = cells(text[begin:start]), start in margins.first
        above = found[-1] if found and line == begin else None
        hanging = alone and above is not None and above.column == column and (above.hanging or not above.alone)
        found.append(Comment(start, text[start:end].rstrip(BLANKS), column, alone, start in margins.below_blank, hanging))
        line = text.find("\n", end) + 1 or -2  # where the line below begins
    return found


@dataclass(slots=True)
class Line:
    """One line. Without code it is a comment alone."""

    indent: int
    code: str = ""
    comment: str = ""
    column: int = 0  # in which the comment stood
    blank: bool = False  # a blank line before
    hanging: bool = False  # a comment that goes on below one behind code
    verbatim: bool = False  # part of a text that is a value, with the blanks at its end and all

    @property
    def end(self) -> int:
        """The column behind the code."""
        return self.indent + cells(self.code) if self.code else 0


def of_comment(comment: Comment, indent: int) -> Line:
    """The line of a comment that stands alone."""
    return Line(indent, "", comment.text, comment.column, comment.blank and not comment.hanging, comment.hanging)


def written(lines: list[Line]) -> list[str]:
    """The lines as text, without line breaks."""
    columns = {id(line): column for line, column in _columns(lines)}
    text: list[str] = []
    for line in lines:
        if line.blank and text:
            text.append("")
        if line.verbatim:
            text.append(line.code)
        elif id(line) in columns:
            code = " " * line.indent + line.code if line.code else ""
            text.append(code + " " * (columns[id(line)] - line.end) + line.comment)
        else:
            text.append(" " * line.indent + line.code + line.comment)
    return text


def _columns(lines: list[Line]) -> Iterator[tuple[Line, int]]:
    """Where each comment behind code stands. Those that stood in one column stay in it, as long as no code runs into
    them; one by itself follows its code."""
    behind = (line for line in lines if line.comment and (line.code or line.hanging) and not line.verbatim)
    for column, group in groupby(behind, key=lambda line: line.column):
        together = list(group)
        least = max(line.end for line in together) + BEFORE_COMMENT
        yield from ((line, max(least, column) if len(together) > 1 else least) for line in together)
