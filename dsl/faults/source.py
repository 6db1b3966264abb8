"""Source texts and places in them, so that messages can point at every word of a ruleset, also inside YAML."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


class Source:
    """One text as it stands in its file: line breaks are kept, so offsets are those of the file.

    `readings`: a cache of what has been read of it, with the faults that were found (`faults/readings.py`).
    `used`: where a pattern of it is used, of a text of the library, and under which name: there its author looks."""

    __slots__ = ("_starts", "path", "readings", "text", "used", "used_as")

    def __init__(self, path: str, text: str, used: Span | None = None, used_as: str = "") -> None:
        self.path = path
        self.text = text
        self.readings: dict[Hashable, object] = {}
        self.used, self.used_as = used, used_as
        self._starts = _line_starts(text)

    def __reduce__(self) -> tuple[type[Source], tuple[str, str, Span | None, str]]:
        return Source, (self.path, self.text, self.used, self.used_as)  # without the cache: it can be filled again

    def __repr__(self) -> str:
        return f"Source({self.path!r})"

    def line_col(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1; an offset outside the text counts as its nearest end."""
        inside = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, inside)
        return line, inside - self._starts[line - 1] + 1

    def start_of(self, line: int) -> int:
        """The offset at which a line begins, counted from 1."""
        return self._starts[line - 1]

    def line_text(self, line: int) -> str:
        """A line without its line break; a line that does not exist is empty."""
        if not 1 <= line <= len(self._starts):
            return ""
        start = self._starts[line - 1]
        end = self._starts[line] - 1 if line < len(self._starts) else len(self.text)
        return self.text[start:end].removesuffix("\r")


def _line_starts(text: str) -> list[int]:
    """The offset at which each line begins."""
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


@dataclass(frozen=True, slots=True, repr=False)
class Span:
    """A stretch of a source: from `start` up to, not including, `end`."""

    source: Source
    start: int
    end: int

    def __repr__(self) -> str:
        return f"Span({self.source.path}:{self.line}:{self.col})"

    @property
    def line(self) -> int:
        return self.source.line_col(self.start)[0]

    @property
    def col(self) -> int:
        return self.source.line_col(self.start)[1]

    @property
    def end_line(self) -> int:
        return self.source.line_col(self.end)[0]

    @property
    def end_col(self) -> int:
        return self.source.line_col(self.end)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def at_word(self, word: str) -> Span:
        """The place of its first whole word `word`, or all of it where there is none."""
        found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self.text)
        return Span(self.source, self.start + found.start(), self.start + found.end()) if found else self

    @staticmethod
    def cover(a: Span, b: Span) -> Span:
        """The smallest span that holds both."""
        if a.source is not b.source:
            raise ValueError(f"no span covers both {a.source.path} and {b.source.path}")
        return Span(a.source, min(a.start, b.start), max(a.end, b.end))


@dataclass(frozen=True, slots=True, repr=False)
class Embedded:
    """A text cut out of a file, and where each of its characters stands there.

    `offsets` has one entry for each character and one for the end. In the file

        rules: |
          move 1 crate

    the block's text is `move 1 crate`, and its first character has the offset of the `m`.
    """

    source: Source
    text: str
    offsets: Sequence[int]

    def __repr__(self) -> str:
        return f"Embedded({self.source.path!r}, {len(self.text):,} characters)"

    @staticmethod
    def whole(source: Source) -> Embedded:
        """A file that is one text from beginning to end."""
        return Embedded(source, source.text, range(len(source.text) + 1))

    def span(self, start: int, end: int) -> Span:
        """The place in the file of `text[start:end]`."""
        last = len(self.offsets) - 1
        return Span(self.source, self.offsets[min(start, last)], self.offsets[min(end, last)])

    def cut(self, start: int, end: int) -> Embedded:
        """The part `text[start:end]`, still knowing its place."""
        return Embedded(self.source, self.text[start:end], self.offsets[start : end + 1])
