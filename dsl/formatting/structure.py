"""The words and signs of a YAML file, and in which column each stands when it begins a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from yaml.tokens import (
    BlockEndToken,
    BlockEntryToken,
    BlockMappingStartToken,
    BlockSequenceStartToken,
    DocumentEndToken,
    DocumentStartToken,
    FlowEntryToken,
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
    KeyToken,
    ScalarToken,
    StreamEndToken,
    Token,
    ValueToken,
)

from ichiba.dsl.faults.source import Source
from ichiba.dsl.formatting.lines import BLANKS
from ichiba.dsl.yaml.reading import tokens_of

STEP = 2  # what belongs to a key, or to the dash of a list, stands so much further right

COMMENT = re.compile(r"#[^\n]*")  # between words nothing else has this sign
Kind = Literal["text", "open", "close", "comma", "colon", "dash", "question", "document", "end"]
_KINDS: dict[type[Token], Kind] = {
    ScalarToken: "text", FlowSequenceStartToken: "open", FlowMappingStartToken: "open", FlowSequenceEndToken: "close",
    FlowMappingEndToken: "close", FlowEntryToken: "comma", ValueToken: "colon", BlockEntryToken: "dash",
    KeyToken: "question", DocumentStartToken: "document", DocumentEndToken: "document", StreamEndToken: "end",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Level:
    """A map or list in block style: the column it stood in, and the one it gets."""

    old: int
    new: int
    is_list: bool
    loose: bool = False  # a list whose dashes stood in the column of the key that it belongs to


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a sign. `value` is what a text means."""

    kind: Kind
    start: int
    end: int
    value: str
    column: int  # where it stands if it begins a line outside of brackets
    inside: int  # where lines stand that belong to what it belongs to
    levels: tuple[Level, ...]  # what it stands in


def words_of(source: Source) -> Iterator[Word]:
    """All of them, and the end of the file, for a file that has been read without a fault."""
    levels: list[Level] = []
    brackets, key = 0, False
    for token in tokens_of(source):
        start, end = token.start_mark.index, token.end_mark.index
        if not brackets and isinstance(token, KeyToken | ValueToken | BlockEndToken) and levels and levels[-1].loose:
            levels.pop()
        if isinstance(token, BlockMappingStartToken | BlockSequenceStartToken):
            levels.append(Level(token.start_mark.column, _within(levels), isinstance(token, BlockSequenceStartToken)))
        elif isinstance(token, BlockEndToken):
            levels.pop()
        elif isinstance(token, KeyToken) and start == end:
            key = True
        elif (kind := _KINDS.get(type(token))) is not None:
            if kind == "dash" and not brackets and not levels[-1].is_list:
                levels.append(Level(levels[-1].old, levels[-1].new + STEP, True, loose=True))
            begins = key or kind in ("dash", "question", "colon")
            column = 0 if kind in ("document", "end") else levels[-1].new if begins and levels else _within(levels)
            value = token.value if isinstance(token, ScalarToken) else ""
            yield Word(kind, start, end, value, column, _within(levels), tuple(levels))
            brackets += (kind == "open") - (kind == "close")
            key = False


def comments_between(source: Source) -> Iterator[str]:
    """The comments of a file that are not part of a value."""
    begin = 0
    for word in words_of(source):
        yield from (found[0].rstrip(BLANKS) for found in COMMENT.finditer(source.text, begin, word.start))
        if word.kind == "text" and source.text.startswith("|", word.start):
            header = source.text[word.start : word.end].partition("\n")[0]
            yield from (found[0].rstrip(BLANKS) for found in COMMENT.finditer(header))
        begin = word.end


def _within(levels: list[Level]) -> int:
    return levels[-1].new + STEP if levels else 0
