"""Broken sentences: what to say of them, and how to read on behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from lark import Token
from lark.exceptions import UnexpectedToken

from ichiba.dsl.faults.fault import nearest
from ichiba.dsl.syntax.habits import habit_in, odd_character
from ichiba.dsl.syntax.lexer import LexFault, LogicalLine, RawToken, logical_lines, word_fault

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
_ALSO_STARTS = {"NAME", "MINUS", "NOT", "IF", "NO", "NONE", "CHEAPEST", "CONNECTED", "SHORTEST"}
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
    certain: bool = False  # it is known what was meant


# --- what to say


def problem_of(error: UnexpectedToken, tokens: list[RawToken], words: dict[str, str], text: str) -> Problem:
    """A word that the grammar did not expect. `words` are keywords and signs by their terminals."""
    token = cast(Token, error.token)
    expected = set(error.accepts or error.expected)
    start, end = token.start_pos or 0, token.end_pos or 0
    if token.type == "$END":
        start = end = tokens[-1].end
    sentence, margin = _sentence(tokens, start)
    named = _word_as_a_name(_on_its_line(sentence, start, text), set(words.values()))
    if named is not None:
        return Problem("E104", named.start, named.end, *word_fault(named.text), certain=True)
    habit = habit_in(sentence, start, text, margin)
    if habit is not None:
        return Problem("E203", habit.start, habit.end, habit.says, habit.instead, certain=True)
    if token == "else" and sentence and sentence[0].start == start:
        message = "no `if`, `may`, `choose` or `menu` stands above this `else`"
        return Problem("E203", start, end, message, "it stands in the same column as what it belongs to", certain=True)
    if expected == {"_INDENT"}:
        colon = [raw for raw in tokens if raw.text and raw.end <= start][-1]
        label = "a sentence, or deeper lines below"
        return Problem("E203", colon.start, colon.end, "nothing follows this colon", label)
    if sentence and sentence[0].text == "option" and (order := _in_an_option(token, sentence)):
        return Problem("E203", start, end, *order)
    notes = _notes(expected, words)
    if token.type == "_INDENT":
        return Problem("E203", start, start + 1, "this line is indented without a reason", notes=notes)
    missing = _missing(expected, words)
    if token.type == "STRING" and len(expected & _STARTS) > 4:
        label = "texts stand behind `option`, `choose`, `score` and the like; a name needs no quotes"
        return Problem("E203", start, end, "a text is no value", label)
    if start == end:
        if [raw.text for raw in sentence[-1:]] == [":"] and "as" in [raw.text for raw in sentence]:
            message = "behind a colon `as` does one thing, in the same line"
            return Problem("E203", sentence[-1].start, sentence[-1].end, message, "for more let `as …:` begin a line of its own")
        label = f"{missing} is missing" if missing else ""
        opened = _never_closed(sentence)
        if opened is not None:
            message = f"`{opened.text}` is never closed"
            return Problem("E203", opened.start, opened.end, message, f"`{_CLOSED[opened.text]}` is missing", notes)
        return Problem("E203", max(0, start - 1), max(start, 1), "the line ends too early", label, notes)
    if token == "if" and "then" in [raw.text for raw in sentence if raw.start > start]:
        label = "a value that is one of two stands in brackets here: `(if … then … else …)`"
        return Problem("E203", start, end, f"`{token}` cannot stand here", label)
    label = _label(token, [words[name] for name in sorted(expected) if name in words])
    if not label and missing:
        label = f"{missing} is missing before it"
    elif not label and expected == {"_NL"}:
        label = "the sentence is complete before it; the next one begins on a line of its own"
    return Problem("E203", start, end, f"`{token}` cannot stand here", label, notes)


_NAMING = ("let", "for", "each", "choose", "chooses", "pick", "roll", "(", ",")  # a name follows
_NAMED = ("in", "from", "=", ":")  # and this behind the name


def _on_its_line(sentence: list[RawToken], at: int, text: str) -> list[RawToken]:
    """What of a sentence stands on the line where it breaks: other lines may well be sound."""
    begin = text.rfind("\n", 0, at) + 1
    return [raw for raw in sentence if begin <= raw.start and "\n" not in text[at : raw.start]]


def _word_as_a_name(sentence: list[RawToken], words: set[str]) -> RawToken | None:
    """A word of the language that a broken sentence gives as a name to something: `choose all in stalls`."""
    texts = [raw.text for raw in sentence]
    depth = 0
    for before, raw, behind in zip(["", *texts], sentence, [*texts[1:], ""], strict=False):
        depth += (before in ("(", "{")) - (before in (")", "}"))
        if before == "," and depth == 0 and "each" not in texts and "for" not in texts and texts[0] not in ("rule", "let"):
            continue  # `purse cash: yen, hidden from others`
        if raw.text not in words or not raw.text.isidentifier() or raw.text == "seat" or (before, raw.text) == ("for", "each"):
            continue
        if before in _NAMING and behind in _NAMED or before == "menu" == texts[0] and behind in (":", ",", ""):
            return raw
        if texts[0] == "rule" and before in ("(", ",") and behind in (")", ","):
            return raw
        if texts[0] == "value" and before == "of" == texts[2]:
            return raw
    return None


_OF_AN_OPTION = ("for", "when", "costs", "once", "keyed")


def _in_an_option(token: Token, sentence: list[RawToken]) -> tuple[str, str] | None:
    """What is wrong where an option stands in no menu, or its parts stand in another order; and how it is written."""
    if sentence[0].start == token.start_pos:
        return "an option stands in a menu", "write `add to menu NAME:` above it, and put it deeper"
    if token in _OF_AN_OPTION or token.type == "STRING":
        order = 'option NAME "…" for … when … costs … once per … keyed by …:'
        return f"`{token}` cannot stand here", f"the parts of an option stand in this order: `{order}`"
    return None


_CLOSED = {"(": ")", "{": "}"}


def _sentence(tokens: list[RawToken], at: int) -> tuple[list[RawToken], bool]:
    """The sentence that a place belongs to, and whether it stands at the margin."""
    sentence: list[RawToken] = []
    first = True
    for raw in tokens:
        if raw.type in ("_NL", "_INDENT", "_DEDENT"):
            if sentence and sentence[-1].end >= at:
                break
            first = first and not sentence
            sentence = []
        else:
            sentence.append(raw)
    return sentence, first


def _never_closed(sentence: list[RawToken]) -> RawToken | None:
    """The bracket that is still open at the end of a sentence."""
    open_: list[RawToken] = []
    for raw in sentence:
        if raw.text in _CLOSED:
            open_.append(raw)
        elif raw.text in _CLOSED.values() and open_:
            open_.pop()
    return open_[-1] if open_ else None


_GOING_ON = {
    "PLUS", "MINUS", "STAR", "SLASH", "DOT", "LPAR", "IN", "OF", "IS", "AND", "OR", "EQUAL", "COMPARE", "NAME",
}  # fmt: skip
# how a value can be longer than it is


def _missing(expected: set[str], words: dict[str, str]) -> str:
    """The one word that must still come, if there is only one."""
    left = expected - _GOING_ON
    left -= {"FROM"} if len(left) == 2 else set()  # `pay ¥5 [from stake] to bank`: that may be left out
    if len(left) != 1:
        return ""
    word = words.get(min(left), "")
    return "" if not word or word == ":" else f"`{word} …`" if word.isidentifier() else f"`{word}`"


def lexical_problem(fault: LexFault, text: str) -> Problem:
    """A character that the language does not have, or an indentation that fits nothing."""
    if fault.code == "E203":
        what = re.search(r"([\w.]+(?:\([^()]*\))?)\s*\Z", text[: fault.start])
        label = f"write `not {what[1] if what else '…'} in …`"
        return Problem(fault.code, fault.start, fault.end, fault.message, label, certain=True)
    if fault.message:
        return Problem(fault.code, fault.start, fault.end, fault.message, fault.label)
    line_start = text.rfind("\n", 0, fault.start) + 1
    after = text[fault.end :].partition("\n")[0]
    before = re.search(r"\w*\Z", text[line_start : fault.start])
    amount = re.search(r"(?<!\w)[0-9]+ *\Z", text[line_start : fault.start]) is not None
    message, label = odd_character(text[fault.start : fault.end], before[0] if before else "", after, amount)
    return Problem(fault.code, fault.start, fault.end, message, label)


def _label(token: Token, expected: list[str]) -> str:
    hint = nearest(str(token), expected) if token.type == "NAME" else None
    return f"did you mean `{hint}`?" if hint else ""


def _notes(expected: set[str], words: dict[str, str]) -> tuple[str, ...]:
    said = []
    if len(expected & _STARTS) > 4:
        said.append("an expression")
        expected = expected - _STARTS - _ALSO_STARTS
    said += [_PLAIN[name] for name in sorted(expected) if name in _PLAIN]
    known = [words[name] for name in sorted(expected) if name in words]
    said += [f"`{word}`" for word in sorted(known, key=lambda word: (not word.isidentifier(), word))]
    if len(said) > _MOST_WORDS:
        said = [*said[:_MOST_WORDS], "…"]
    return ("expected here: " + ", ".join(said),) if said else ()


# --- colons and line breaks


@dataclass(frozen=True, slots=True)
class Repair:
    """The sentences with a colon or a line break put in, what is to be told of it, and how far the text then is sound."""

    lines: list[LogicalLine]
    problem: Problem
    end: int


_DOING = frozenset({
    "raise", "lower", "set", "mark", "clear", "gain", "pay", "move", "draw", "pick", "roll", "shuffle", "choose", "reveal",
    "require", "leave", "nothing", "give", "score", "end", "tell", "record", "for", "if", "repeat", "take", "menu", "may", "let",
})  # fmt: skip
_MOST_TRIED = 4  # places in a sentence


def repairs(lines: list[LogicalLine], problem: Problem, text: str) -> Iterator[Repair]:
    """What may be wrong with a sentence that goes over several lines, or in which a sentence begins in the middle."""
    at = _line_at(lines, problem)
    line = lines[at]
    before = [number for number, raw in enumerate(line.tokens) if number > 0 and raw.start <= problem.end]
    breaks = [number for number in before if "\n" in text[line.tokens[number - 1].end : line.tokens[number].start]]
    for number in reversed(breaks[-_MOST_TRIED:]):
        yield _colon_at_the_end(lines, at, number, text)
        yield _line_of_its_own(lines, at, number, text)
    inside = [number for number in before if line.tokens[number].text in _DOING and number not in breaks]
    for number in reversed(inside[-_MOST_TRIED:]):
        yield _colon_before(lines, at, number)


def _colon_at_the_end(lines: list[LogicalLine], at: int, number: int, text: str) -> Repair:
    """`if x > 3` and deeper lines below."""
    head, first = lines[at].tokens[:number], lines[at].tokens[number]
    end = head[-1].end
    colon = RawToken("PUNCTUATION", ":", end, end)
    below = _below(lines[at], first, text, 0)
    problem = Problem("E203", end, end + 1, "a colon is missing at the end of this line")
    made = [*lines[:at], LogicalLine(lines[at].indent, [*head, colon]), *below, *lines[at + 1 :]]
    return Repair(made, problem, _end_of_line(first, text))


def _line_of_its_own(lines: list[LogicalLine], at: int, number: int, text: str) -> Repair:
    """A sentence that is deeper than the one before it, which so goes on."""
    line = lines[at]
    head, first = line.tokens[:number], line.tokens[number]
    column = first.start - (text.rfind("\n", 0, first.start) + 1)
    below = _below(line, first, text, line.indent - column)
    message = "this line is deeper than the one above, which does not end in a colon"
    problem = Problem("E203", first.start, first.end, message, f"begin it in the column of `{line.tokens[0].text}`")
    made = [*lines[:at], LogicalLine(line.indent, head), *below, *lines[at + 1 :]]
    return Repair(made, problem, _end_of_line(first, text))


def _below(line: LogicalLine, first: RawToken, text: str, shift: int) -> list[LogicalLine]:
    """The lines of a sentence from one of them on, as sentences of their own."""
    begin, end = text.rfind("\n", 0, first.start) + 1, line.tokens[-1].end
    return [LogicalLine(below.indent + shift, below.tokens) for below in logical_lines(text[:end], begin)]


def _colon_before(lines: list[LogicalLine], at: int, number: int) -> Repair:
    """`if x > 3 raise y by 1`"""
    line = lines[at]
    head, rest = line.tokens[:number], line.tokens[number:]
    colon = RawToken("PUNCTUATION", ":", head[-1].end, head[-1].end)
    problem = Problem("E203", rest[0].start, rest[0].end, f"a colon is missing before `{rest[0].text}`")
    made = [*lines[:at], LogicalLine(line.indent, [*head, colon, *rest]), *lines[at + 1 :]]
    return Repair(made, problem, line.tokens[-1].end)


def _end_of_line(token: RawToken, text: str) -> int:
    end = text.find("\n", token.end)
    return end if end >= 0 else len(text)


def _line_at(lines: list[LogicalLine], problem: Problem) -> int:
    starts = [number for number, line in enumerate(lines) if line.tokens[0].start <= problem.start]
    return starts[-1] if starts else 0


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
        return _line_at(self.lines, problem)

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
