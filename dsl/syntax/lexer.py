"""Text to tokens: lines and blocks first, then words, of which the parser's state says which are keywords."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lark import Token
from lark.lexer import Lexer

_WORDS = re.compile(
    r"""(?P<STRING>"[^"\n]*")|(?P<MONEY>[¥$€£₩][0-9]+(?:,[0-9]{3})*)|(?P<INT>[0-9]+)|(?P<WORD>[a-z_][a-z0-9_]*(?![A-Z]))"""
    r"""|(?P<PUNCTUATION>->|\.\.|!=|<=|>=|[-<>=+*/.,:(){}])|(?P<SPACE>[ ]+)"""
    r"""|(?P<CAPITALS>[A-Za-z_][A-Za-z0-9_]*)|(?P<WIDE>[！-～￠-￦　][！-～￠-￦　0-9,]*)"""
    r"""|(?P<QUOTED>[“„«「『〝][^“”„«»「」『』〝〞"\n]*[”“»」』〞])|(?P<OTHER>.)"""
)
_NAMING = ("for", "each", "choose", "chooses", "pick", "purse", "(", ",")  # behind these `not` would be a name
_COMPARE = {"!=", "<=", ">=", "<", ">"}


class LexFault(Exception):
    """A character or an indentation that the language does not have. Without a message the character says it all."""

    def __init__(self, code: str, message: str, start: int, end: int, label: str = ""):
        super().__init__(message)
        self.code, self.message, self.start, self.end, self.label = code, message, start, end, label


@dataclass(frozen=True, slots=True)
class RawToken:
    """A word, number, text or sign, not yet known to be a keyword or a name."""

    type: str
    text: str
    start: int
    end: int


@dataclass(slots=True)
class LogicalLine:
    """One sentence: a line with all the deeper lines that continue it."""

    indent: int
    tokens: list[RawToken]


def logical_lines(text: str, begin: int = 0) -> list[LogicalLine]:
    """Cut text into sentences. A deeper line continues the one before, unless that ends in a colon outside of
    brackets. A bracket that is never closed so spoils its own sentence only.

    `begin` is the beginning of a line: what stands before it is left out."""
    lines: list[LogicalLine] = []
    depth = 0
    offset = begin
    for raw in text[begin:].split("\n"):
        start, offset = offset, offset + len(raw) + 1
        tokens = list(_tokens_of_line(raw.rstrip("\r"), start))
        if not tokens:
            continue
        indent = tokens[0].start - start
        if tokens[0].text == "\t" and lines:
            indent = max(indent, lines[-1].indent + 1)  # how deep it was meant to be nobody knows
        if lines and _goes_on(lines[-1], indent, depth):
            lines[-1].tokens.extend(tokens)
        else:
            depth = 0
            lines.append(LogicalLine(indent, tokens))
        depth = max(0, depth + sum((t.text in "({") - (t.text in ")}") for t in tokens if t.type == "PUNCTUATION"))
    return lines


def _goes_on(line: LogicalLine, indent: int, depth: int) -> bool:
    return indent > line.indent and (depth > 0 or line.tokens[-1].text != ":")


def tokens_of(text: str) -> Iterator[RawToken]:
    """Every word of a text, whatever its lines."""
    offset = 0
    for line in text.split("\n"):
        yield from _tokens_of_line(line.rstrip("\r"), offset)
        offset += len(line) + 1


def comments_of(text: str) -> Iterator[tuple[int, int]]:
    """Where each comment stands: from its `#` to the end of its line."""
    offset = 0
    for line in text.split("\n"):
        tokens = list(_tokens_of_line(line.rstrip("\r"), offset))
        rest = line[tokens[-1].end - offset if tokens else 0 :].lstrip(" ")
        if rest.startswith("#"):
            yield offset + len(line) - len(rest), offset + len(line.rstrip(" \t\r"))
        offset += len(line) + 1


def _tokens_of_line(line: str, start: int) -> Iterator[RawToken]:
    at = 0
    while at < len(line):
        if line[at] == "#":
            return
        found = _WORDS.match(line, at)
        assert found is not None and found.lastgroup is not None
        kind, text = found.lastgroup, found.group()
        if kind in ("CAPITALS", "WIDE", "QUOTED"):
            kind = "OTHER"
        if kind != "SPACE":
            yield RawToken(kind, text, start + at, start + found.end())
        if kind == "OTHER":
            return  # what follows, perhaps in a text without an end, would only be misread
        at = found.end()


def split_items(text: str) -> list[tuple[int, list[LogicalLine]]]:
    """The sentences of each top-level item, so that a fault in one does not hide those of the next."""
    items: list[list[LogicalLine]] = []
    lines = logical_lines(text)
    base = min((line.indent for line in lines), default=0)
    for line in lines:
        if line.indent == base or not items:
            items.append([])
        items[-1].append(line)
    return [(item[0].tokens[0].start, item) for item in items]


def with_blocks(lines: list[LogicalLine]) -> list[RawToken]:
    """Add the marks that open, separate and close blocks."""
    tokens: list[RawToken] = []
    indents = [lines[0].indent] if lines else []
    for number, line in enumerate(lines):
        at = line.tokens[0].start
        if number:
            tokens.append(RawToken("_NL", "", tokens[-1].end, tokens[-1].end))
            if line.indent > indents[-1]:
                indents.append(line.indent)
                tokens.append(RawToken("_INDENT", "", at, at))
            while len(indents) > 1 and line.indent < indents[-1]:
                indents.pop()
                tokens.append(RawToken("_DEDENT", "", at, at))
            if line.indent != indents[-1]:
                ends = [above for above in lines[:number] if above.indent in (indents[-1], lines[number - 1].indent)]
                heads = dict.fromkeys(above.tokens[0].text for above in reversed(ends))
                label = "begin it in the column of " + " or of ".join(f"`{head}`" for head in [*heads][:2])
                message = "this line is indented like no line above it"
                raise LexFault("E202", message, at, line.tokens[-1].end, label)
        if number and len(indents) == 2 and line.tokens[0].type == "WORD" and lines[0].tokens[0].text == "pattern":
            tokens.append(RawToken("_ITEM", "", at, at))  # in a pattern stand whole items
        earlier = before = line.tokens[0]
        for token in line.tokens:
            if token.type == "OTHER":
                raise LexFault("E201", "", token.start, token.end)
            if token.text == "in" and before.text == "not" and earlier.text not in (*_NAMING, "is"):
                raise LexFault("E203", "there is no `not in`", before.start, token.end)
            earlier, before = before, token
        tokens.extend(line.tokens)
    end = tokens[-1].end if tokens else 0
    tokens.append(RawToken("_NL", "", end, end))
    tokens.extend(RawToken("_DEDENT", "", end, end) for _ in indents[1:])
    return tokens


class Words(Lexer):
    """Gives each word its terminal: a keyword where the parser can take it, else a name where a name can stand.

    A word that can go on or begin an expression (`where`, `count`) is a name only where nothing but a name can
    stand (after a dot, after `option`), so that a slip is found at the word and not later."""

    __future_interface__ = 2

    def __init__(self, conf: Any) -> None:
        self.terminals = {t.pattern.value: t.name for t in conf.terminals if t.pattern.type == "str"}
        self.keywords = {word: name for word, name in self.terminals.items() if word.isidentifier()}
        self.reserved: frozenset[str] | None = None

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        states = parser_state.parse_conf.states
        if self.reserved is None:
            self.reserved = reserved_terminals(states.values())
        raws = list(lexer_state.text)
        for raw, following in zip(raws, [*raws[1:], None], strict=True):
            kind = raw.type
            if kind == "WORD":
                called = following is not None and following.text == "("
                kind = self._word(raw.text, states[parser_state.position], called)
            elif kind == "PUNCTUATION":
                kind = "COMPARE" if raw.text in _COMPARE else self.terminals[raw.text]
            yield Token(kind, raw.text, start_pos=raw.start, end_pos=raw.end, line=1, column=1)

    def _word(self, word: str, accepted: dict[str, Any], called: bool) -> str:
        keyword = self.keywords.get(word)
        if keyword is None or keyword in accepted:
            return keyword or "NAME"
        only_names = "INT" not in accepted or called  # `even(n)`
        return "NAME" if "NAME" in accepted and (only_names or keyword not in (self.reserved or ())) else keyword


def reserved_terminals(states: Iterable[dict[str, Any]]) -> frozenset[str]:
    """The keywords that can follow a value or begin an expression, read off the parser's table."""
    reserved: set[str] = set()
    for accepted in states:
        if "DOT" in accepted and "LPAR" in accepted or "INT" in accepted and "NAME" in accepted and "COUNT" in accepted:
            reserved.update(accepted)
    return frozenset(reserved)


def word_fault(word: str) -> tuple[str, str]:
    """What is wrong with a word of the language as a name, and what would do."""
    return f"`{word}` is a word of the language", f"choose another name, such as `the_{word}`"
