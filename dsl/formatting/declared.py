"""A YAML file laid out anew, from its words and signs. Of its values only those are touched that are rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ichiba.dsl.faults.fault import cells
from ichiba.dsl.faults.source import Source
from ichiba.dsl.formatting import rules
from ichiba.dsl.formatting.lines import BLANKS, WIDTH, Comment, Line, Margins, comments_at, of_comment, written
from ichiba.dsl.formatting.structure import COMMENT, STEP, Word, words_of
from ichiba.dsl.yaml.reading import Scalar

MOST_ALIGNED = WIDTH // 2  # the last column below which lines in brackets stand below each other
NO_LIMIT = 1_000_000
Rules = Mapping[int, tuple[Scalar, rules.Start]]  # the texts that are rules, by where each begins


@dataclass(frozen=True, slots=True)
class _Bracket:
    """A map or list in flow style: the columns of lines in it, and of one that begins with the closing bracket."""

    inner: int
    close: int


def laid_out(source: Source, found: Rules) -> list[Line]:
    """The lines of a file that has been read without a fault."""
    layout = _Layout(source, found)
    for word in words_of(source):
        layout.word(word)
    return layout.made


class _Layout:
    """Goes through a file word by word."""

    def __init__(self, source: Source, found: Rules):
        self.text, self.rules = source.text, found
        self.margins = Margins.of(source.text)
        self.made: list[Line] = []
        self.brackets: list[_Bracket] = []
        self.parts: list[str] = []  # of the line that is being written
        self.reach = 0  # how far that has come
        self.last: Word | None = None
        self.counted = 0  # the column from which a bracket is counted that ends this line
        self.padded = False  # the blank lines here belong to the value above

    def word(self, word: Word) -> None:
        begins = self.last is None or word.start in self.margins.first
        if begins and self.last is not None and self.last.kind == "open":
            self.brackets[-1] = _Bracket(self.counted + STEP, self.counted)
        top = len(self.made)
        commented = self._comments(word)
        if word.kind == "end":
            self._finish()
            return
        if self.last is not None and self.last.kind == "dash" and word.kind != "dash" and not commented:
            begins = len(word.levels) < len(self.last.levels)  # what an entry of a list holds begins behind its dash
        if begins:
            self._begin_line(word)
        if self.last is not None and len(word.levels) > len(self.last.levels) and top < len(self.made):
            self.made[top].blank = False  # what belongs to a key begins right below it
        self._write(word, begins)
        self.last = word

    def _begin_line(self, word: Word) -> None:
        if self.brackets:
            column = self.brackets[-1].close if word.kind == "close" else self.brackets[-1].inner
        else:
            column = word.column
        self.counted = column
        self._next(Line(column, blank=word.start in self.margins.below_blank and not self.padded))
        self.padded = False

    def _next(self, line: Line) -> None:
        self._finish()
        self.made.append(line)
        self.reach = line.indent

    def _finish(self) -> None:
        """What has been written is the code of the last line."""
        if self.parts:
            self.made[-1].code = "".join(self.parts)
        self.parts = []

    def _comments(self, word: Word) -> bool:
        """Those before a word, if there are any. One that stands alone stands as deep as the map or list it was written in, as
        long as that goes on."""
        begin = self.last.end if self.last is not None else 0
        found = self._comments_in(begin, word.start)
        for comment in found:
            if not comment.alone:
                self.made[-1].comment, self.made[-1].column = comment.text, comment.column
                continue
            levels = self.last.levels if self.last is not None else ()
            kept = [level.new for level in levels if level.old <= comment.column and level.new >= word.column]
            column = self.brackets[-1].inner if self.brackets else max(kept, default=word.column)
            line = of_comment(comment, column)
            line.blank, self.padded = line.blank and not self.padded, False
            self._next(line)
        return bool(found)

    def _comments_in(self, begin: int, end: int) -> list[Comment]:
        return comments_at((found.span() for found in COMMENT.finditer(self.text, begin, end)), self.text, self.margins)

    def _write(self, word: Word, begins: bool) -> None:
        raw = self.text[word.start : word.end]
        if word.kind == "text" and raw.startswith("|"):
            self._block(word, raw)
        elif word.kind == "text":
            self._text(word, raw)
        else:
            self._put(word.kind, raw)
        if word.kind == "open":
            if not begins and not self.brackets:
                self.counted = word.inside - (0 if word.levels and word.levels[-1].is_list else STEP)
            far = self.reach > MOST_ALIGNED
            self.brackets.append(_Bracket(self.counted + STEP, self.counted) if far else _Bracket(self.reach, self.reach - 1))
        elif word.kind == "close":
            self.brackets.pop()

    def _put(self, kind: str, text: str) -> None:
        tight = not self.parts or kind in ("close", "comma", "colon") or self.last is not None and self.last.kind == "open"
        self.parts += [text] if tight else [" ", text]
        self.reach += cells(text) + (not tight)

    def _text(self, word: Word, raw: str) -> None:
        """A text in one line, or in several: in which column those further down begin means nothing."""
        first, *others = (_without_blanks(line) for line in self._expression(word, raw).split("\n"))
        self._put(word.kind, first)
        column = self.brackets[-1].inner if self.brackets else word.inside
        for other in others:
            self._next(Line(column) if other else Line(0, verbatim=True))
            if other:
                self._put("text", other)

    def _expression(self, word: Word, raw: str) -> str:
        """The same text, or the same expression laid out."""
        scalar, start = self.rules.get(word.start, (None, None))
        if scalar is None or start is None:
            return raw
        quote = "" if scalar.style == "plain" else raw[0]
        lines = rules.laid_out(scalar.text, start, NO_LIMIT)
        if len(lines) > 1 or lines[0].comment or raw != f"{quote}{scalar.text.text}{quote}":
            return raw
        return f"{quote}{lines[0].code}{quote}"

    def _block(self, word: Word, raw: str) -> None:
        """A text below its `|`. Rules are laid out; any other keeps every character."""
        header = raw.partition("\n")[0]
        sign = re.sub(r"[1-9]", str(STEP), header[: len(header) - len(header.lstrip("|+-0123456789"))])
        scalar, start = self.rules.get(word.start, (None, None))
        if scalar is not None and start is not None:
            content = written(rules.laid_out(scalar.text, start, WIDTH - word.inside))
        else:
            content = word.value.removesuffix("\n").split("\n") if word.value else []
            self.padded = "+" in sign
            if content and not word.value.endswith("\n") and "-" not in sign:
                sign += "-"  # the file ends here without a line break, and will have one
        self._put(word.kind, sign)
        for comment in self._comments_in(word.start, word.start + len(header)):
            self.made[-1].comment, self.made[-1].column = comment.text, comment.column
        for line in content:
            self._next(Line(0, " " * word.inside + line if line else "", verbatim=True))


def _without_blanks(line: str) -> str:
    """A line of a text without those at its ends, which mean nothing, except one that a backslash keeps."""
    bare = line.strip(BLANKS)
    return line.lstrip(BLANKS).rstrip("\r") if bare.endswith("\\") else bare
