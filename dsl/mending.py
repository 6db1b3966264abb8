"""Broken sentences: what to say of them, and how to read on behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from lark import Token
from lark.exceptions import UnexpectedToken

from ichiba.dsl.faults import nearest
from ichiba.dsl.lexer import LogicalLine, RawToken

_PLAIN = {
    "_NL": "the end of the line",
    "_INDENT": "a block",
    "_DEDENT": "the end of the block",
    "NAME": "a name",
    "INT": "a number",
    "MONEY": "an amount of money",
    "STRING": "a text",
    "COMPARE": "a comparison",
}
_STARTS = {"INT", "MONEY", "LPAR", "LBRACE", "COUNT", "SUM", "ANY", "FIRST", "HIGHEST", "LOWEST"}
_ALSO_STARTS = {"NAME", "MINUS", "NOT", "IF", "NO", "NONE"}
_MOST_WORDS = 14


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a sentence, and where in the text."""

    code: str
    start: int
    end: int
    message: str
    label: str = ""
    notes: tuple[str, ...] = ()


# --- what to say


def problem_of(error: UnexpectedToken, tokens: list[RawToken], words: dict[str, str], text: str) -> Problem:
    """A word that the grammar did not expect. `words` are keywords and signs by their terminals."""
    token = cast(Token, error.token)
    expected = set(error.accepts or error.expected)
    start, end = token.start_pos or 0, token.end_pos or 0
    if token.type == "$END":
        start = end = tokens[-1].end
    if expected == {"_INDENT"}:
        colon = [raw for raw in tokens if raw.text and raw.end <= start][-1]
        label = "a sentence, or deeper lines below"
        return Problem("E203", colon.start, colon.end, "nothing follows this colon", label)
    notes = _notes(expected, words)
    if token.type == "_INDENT":
        return Problem("E203", start, start + 1, "this line is indented without a reason", notes=notes)
    if start == end:
        return Problem("E203", max(0, start - 1), max(start, 1), "the line ends too early", notes=notes)
    before = [raw for raw in tokens if raw.text and raw.end <= start]
    if "COLON" in expected and before and "\n" in text[before[-1].end : start]:
        message = f"`{token}` cannot stand here: is a colon missing at the end of the line above?"
        return Problem("E203", start, end, message, notes=notes)
    label = _label(token, start, tokens, [words[name] for name in expected if name in words])
    return Problem("E203", start, end, f"`{token}` cannot stand here", label, notes)


def _label(token: Token, start: int, tokens: list[RawToken], expected: list[str]) -> str:
    if token == "=" and any(raw.end == start and raw.text == "=" for raw in tokens):
        return "one `=` says that two values are equal"
    hint = nearest(str(token), expected) if token.type == "NAME" else None
    return f"did you mean `{hint}`?" if hint else ""


def _notes(expected: set[str], words: dict[str, str]) -> tuple[str, ...]:
    said = []
    if len(expected & _STARTS) > 4:
        said.append("an expression")
        expected = expected - _STARTS - _ALSO_STARTS
    said += [_PLAIN[name] for name in sorted(expected) if name in _PLAIN]
    known = [words[name] for name in expected if name in words]
    said += [f"`{word}`" for word in sorted(known, key=lambda word: (not word.isidentifier(), word))]
    if len(said) > _MOST_WORDS:
        said = [*said[:_MOST_WORDS], "…"]
    return ("expected here: " + ", ".join(said),) if said else ()


# --- how to read on


class Mender:
    """Takes broken sentences out of an item one by one, so that the faults of others are found as well."""

    def __init__(self, lines: list[LogicalLine]):
        self.lines = lines
        self.stand_ins: set[int] = set()  # where a `nothing` stands for a broken sentence
        self.shortened: set[int] = set()  # behind which sentences have been left out
        self.dropped: list[RawToken] = []

    def is_own_doing(self, problem: Problem) -> bool:
        """Whether a problem is there only because of the mending."""
        return self.lines[self._line_of(problem)].tokens[0].start in self.stand_ins | self.shortened

    def mend(self, problem: Problem) -> bool:
        """First `nothing` stands in for the sentence and all below it; if that will not do, they are out.

        False when nothing sensible would be left, or when it is the size that is wrong.
        """
        at = self._line_of(problem)
        line, end = self.lines[at], self._end_of(at)
        first = line.tokens[0]
        if at == 0 or problem.code == "E204" or first.start in self.shortened:
            return False
        self.dropped += [token for gone in self.lines[at:end] for token in gone.tokens]
        if first.start not in self.stand_ins:
            self.stand_ins.add(first.start)
            nothing = RawToken("WORD", "nothing", first.start, first.end)
            self.lines = [*self.lines[:at], LogicalLine(line.indent, [nothing]), *self.lines[end:]]
            return True
        self.lines = [*self.lines[:at], *self.lines[end:]]
        before = self.lines[at - 1]
        self.shortened.add(before.tokens[0].start)
        has_body = at < len(self.lines) and self.lines[at].indent > before.indent
        return has_body or before.tokens[-1].text != ":"

    def _line_of(self, problem: Problem) -> int:
        starts = [number for number, line in enumerate(self.lines) if line.tokens[0].start <= problem.start]
        return starts[-1] if starts else 0

    def _end_of(self, at: int) -> int:
        """Behind the deeper lines that belong to a sentence, and the branches that go on with it."""
        line = self.lines[at]
        end = at + 1
        while end < len(self.lines) and _belongs(self.lines[end], line):
            end += 1
        return end


def _belongs(line: LogicalLine, head: LogicalLine) -> bool:
    branch = line.tokens[0].text in ("else", "otherwise")
    return line.indent > head.indent or (branch and line.indent == head.indent)
