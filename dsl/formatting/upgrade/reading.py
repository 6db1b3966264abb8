"""Rules of version 1, read by the grammar of then: trees in which every word and sign has its place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Tree

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Embedded
from ichiba.dsl.formatting.rules import Start
from ichiba.dsl.syntax.lexer import logical_lines, split_items
from ichiba.dsl.syntax.parse import keywords, parser_of, taken_words, tree_of

_OWN = frozenset({  # words that meant something of their own, without being keywords
    "me", "my", "seats", "others", "true", "false", "yes", "board", "table", "seat", "sort", "number", "original", "play", "scoring",
})  # fmt: skip


@cache
def _parser() -> Lark:
    grammar = files("ichiba.dsl.formatting.upgrade").joinpath("version_1.lark").read_text(encoding="utf-8")
    return parser_of(grammar, keep_all_tokens=True)


@cache
def new_words() -> frozenset[str]:
    """Words of the language that were none in version 1, so that authors may have called something so."""
    old = {term.pattern.value for term in _parser().terminals}
    return (keywords() | taken_words()) - old - _OWN


def trees_in(text: Embedded, start: Start, faults: Faults) -> Iterator[Tree[Any]]:
    """Each item of a text, or all of what else it is; what cannot be read is told."""
    whole = start != "start"
    parts = [logical_lines(text.text)] if whole else [lines for _, lines in split_items(text.text)]
    for lines in parts:
        if not lines and not whole:
            continue
        tree, problem = tree_of(text, lines, start, _parser()) if lines else (None, None)
        if tree is not None:
            yield tree
            continue
        begin, end = (problem.start, problem.end) if problem is not None else (0, len(text.text))
        faults.add("E203", text.span(begin, end), "version 1 could not read this either", label="mend it first, then upgrade")


def nodes_of(tree: Tree[Any]) -> Iterator[Tree[Any]]:
    """A tree and all in it, from left to right."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        todo += [kid for kid in reversed(node.children) if isinstance(kid, Tree)]


def words_of(node: Tree[Any]) -> list[Token]:
    """The words and signs of a phrase that stand in no smaller one."""
    return [kid for kid in node.children if isinstance(kid, Token) and not kid.type.startswith("_")]


__all__ = ["new_words", "nodes_of", "trees_in", "words_of"]
