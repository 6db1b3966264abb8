"""One sentence of rules as lines: the blanks between its words, and where it is cut when it is too long.

Nothing here knows a statement. The words come from the lexer, and the parser's tree says how closely they belong together:
the fewer phrases hold two neighbours, the better a line is cut between them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lark import Token, Tree

from ichiba.dsl.faults.fault import cells
from ichiba.dsl.formatting.lines import Comment, Line, of_comment
from ichiba.dsl.syntax.lexer import RawToken

STEP = 4  # a block stands so much further right
CONTINUED = 8  # and so does each further line of a sentence
# Words that begin a clause, so that a line may begin with them.
CLAUSES = frozenset({
    "for", "where", "when", "costs", "once", "keyed", "by", "then", "else", "or", "and", "from", "to", "with", "until",
    "while", "noting", "step", "key",
})  # fmt: skip
NO_CLAUSES = frozenset({  # where they do not: two words that belong together
    ("only", "with"), ("hidden", "from"), ("screened", "from"), ("refills", "from"), ("score", "for"), ("keyed", "by"),
})  # fmt: skip
SIGNS = frozenset({"+", "-", "*", "/", "->"})  # a line may begin with them too
ASKING = "choose_"  # in rules of the grammar that are called so, the words of the question may begin a line
GOING_ON = ("option_rest", "words")  # so end the names of rules that only go on with the one they stand in
AT_ONCE = "as_at_once"  # a statement behind a colon that is no block
TORN = 1_000  # the depth of what is cut only where nothing else helps
TORN_LAST = frozenset({"params"})
OPENING, CLOSING = frozenset("({"), frozenset(")}")
BESIDE = {"minus": "plus", "divide": "times_"}  # rules that stand beside each other as if they were one


@dataclass(slots=True)
class Word:
    """A word of a sentence, and what stands before it."""

    text: str
    spaced: bool = False  # a blank, unless it begins a line
    depth: int = 0  # how closely it belongs to the word before it: so many phrases hold both
    may_begin: bool = False  # a line may begin with it
    broken: bool = False  # the author has begun a line with it
    behind_colon: bool = False  # the first word of a statement that stands in the line of its heading
    comments: Sequence[Comment] = field(default=())


def words_of(sentences: Sequence[Sequence[RawToken]], tree: Tree[Any]) -> Iterator[list[Word]]:
    """The words of each sentence of an item, with what its tree says of them."""
    tokens = [token for sentence in sentences for token in sentence]
    words = [Word(token.text) for token in tokens]
    asking, signs, names = _phrases(tree, tokens, words)
    for number, (before, token) in enumerate(zip(tokens, tokens[1:], strict=False), 1):
        word = words[number]
        word.spaced = _spaced(before, token, names, signs)
        word.may_begin = before.text != ":" and (
            before.text == ","
            or token.text in CLAUSES and token.start not in names and (before.text, token.text) not in NO_CLAUSES
            or token.text in SIGNS and token.start not in signs
            or token.type == "STRING" and number in asking
        )
    at = 0
    for sentence in sentences:
        yield words[at : at + len(sentence)]
        at += len(sentence)


def _phrases(tree: Tree[Any], tokens: list[RawToken], words: list[Word]) -> tuple[set[int], set[int], set[int]]:
    """Counts for each word how many phrases hold it and the one before. Gives which words stand in a question, and where
    there are signs (as in `-5`) and names."""
    starts = [token.start for token in tokens]
    asking: set[int] = set()
    signs: set[int] = set()
    names: set[int] = set()
    todo: list[tuple[Tree[Any], str]] = [(tree, "")]
    while todo:
        node, parent = todo.pop()
        for kid in node.children:
            if isinstance(kid, Tree):
                todo.append((kid, BESIDE.get(node.data, node.data)))
            elif isinstance(kid, Token) and kid.type == "NAME" and kid.start_pos is not None:
                names.add(kid.start_pos)
        if node.meta.empty:
            continue
        first, behind = bisect_left(starts, node.meta.start_pos), bisect_left(starts, node.meta.end_pos)
        if node.data == "negative":
            signs.add(starts[first])
        if node.data == "block" and first + 1 < behind:
            words[first + 1].behind_colon = True
        if node.data == AT_ONCE:
            words[next(number for number in range(first, behind) if tokens[number].text == ":") + 1].behind_colon = True
        own = not node.data.endswith(GOING_ON) and BESIDE.get(node.data, node.data) != parent
        deeper = TORN if node.data in TORN_LAST else int(own)
        for number in range(first + 1, behind):
            words[number].depth += deeper
            (asking.add if node.data.startswith(ASKING) else asking.discard)(number)
    return asking, signs, names


def _spaced(before: RawToken, token: RawToken, names: set[int], signs: set[int]) -> bool:
    """Whether a blank stands between two words of a line."""
    if before.text in ("(", "{", ".") or token.text in (")", "}", ".", ",", ":") or before.start in signs:
        return False
    called = token.text == "(" and (before.start in names or before.text == ")")
    return not called


def lines_of(words: list[Word], indent: int, width: int) -> list[Line]:
    """A sentence, as its author has cut it and, where that is too long, cut further. A statement stays behind its colon only
    where all of it is one line; so it is with one behind that statement's own colon."""
    lines = _cut(words, indent, width)
    colon = next((number for number, word in enumerate(words) if number and word.behind_colon), None)
    if colon is not None and (len(lines) > 1 or lines[0].end > width):
        lines = [*_cut(words[:colon], indent, width), *lines_of(words[colon:], indent + STEP, width)]
    return lines


def _cut(words: list[Word], indent: int, width: int) -> list[Line]:
    lines: list[Line] = []
    here = indent
    brackets: list[int] = []  # for each that is open, how much further right lines in it stand
    for piece, comments in _as_written(words):
        while piece:
            behind = _fitting(piece, here, indent + CONTINUED, width)
            lines.append(Line(here, _said(piece[:behind])))
            for word in piece[:behind]:
                if word.text in OPENING:
                    brackets.append(STEP if here > indent else 0)
                elif word.text in CLOSING:
                    brackets.pop()
            piece, here = piece[behind:], indent + CONTINUED + sum(brackets)
        add_comments(lines, comments, here)
    return lines


def _as_written(words: list[Word]) -> Iterator[tuple[list[Word], Sequence[Comment]]]:
    """Cut where comments stand, which are given with what is before them, and where the author has begun a line."""
    breaks = sorted({cut for number in range(1, len(words)) if (cut := _break_at(words, number))})
    for first, behind in zip([0, *breaks], [*breaks, len(words)], strict=True):
        yield words[first:behind], words[behind].comments if behind < len(words) else ()


def _break_at(words: list[Word], number: int) -> int:
    """The word that begins a line where the author has begun one with this word: one that may begin a line, and was written
    at the end of the line before, comes along. 0 is none."""
    word, before = words[number], words[number - 1]
    if word.comments or word.broken and word.may_begin:
        return number
    return number - 1 if word.broken and before.may_begin and not before.broken and before.text != "," else 0


def add_comments(lines: list[Line], comments: Sequence[Comment], indent: int) -> None:
    """The comment behind the last line, and those that follow in lines of their own."""
    for comment in comments:
        if comment.alone:
            lines.append(replace(of_comment(comment, indent), blank=False))
        else:
            lines[-1].comment, lines[-1].column = comment.text, comment.column


def _fitting(words: list[Word], indent: int, later: int, width: int) -> int:
    """How many of the words make a line: all where they fit, else it is cut between two that belong together as little as
    possible, as late as can be."""
    long = indent + cells(_said(words))
    if long <= width:
        return len(words)
    fitting: list[int] = []
    beyond: list[int] = []
    reach = indent + cells(words[0].text)
    for number, word in enumerate(words[1:], 1):
        if word.may_begin and reach > later:  # else nothing would be won
            (fitting if reach <= width else beyond).append(number)
        reach += word.spaced + cells(word.text)
    if not fitting:
        return beyond[0] if beyond else len(words)
    best = min(fitting, key=lambda number: (words[number].depth, -number))
    if words[best].depth >= TORN and later + cells(_said(words[best:])) > width:
        return len(words)  # a heading is torn for nothing: it is a text that is too long
    return best


def _said(words: list[Word]) -> str:
    return words[0].text + "".join(" " * word.spaced + word.text for word in words[1:])
