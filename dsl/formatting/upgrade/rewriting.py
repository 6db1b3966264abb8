"""What stands otherwise in version 2: for each sentence of version 1 the words that change, at their places."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lark import Token, Tree

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Embedded
from ichiba.dsl.formatting.rules import Start
from ichiba.dsl.formatting.upgrade.names import bound_in, renamed_in
from ichiba.dsl.formatting.upgrade.reading import nodes_of, trees_in, words_of

_BRACES = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Change:
    """Another text between two places of a file."""

    start: int
    end: int
    text: str


def changed(text: str, changes: list[Change]) -> str:
    """A text with all of them made."""
    for change in sorted(changes, key=lambda change: (change.start, change.end), reverse=True):
        text = text[: change.start] + change.text + text[change.end :]
    return text


def changes_in(
    text: Embedded, start: Start, names: Mapping[str, str], faults: Faults, noted: Container[str] = ()
) -> Iterator[Change]:
    """What changes in a text of rules, at places of its file. `names`: what is to be called otherwise; `noted`: of what
    something is noted."""
    for tree in trees_in(text, start, faults):
        for change in [*_sentences(tree, text.text, noted), *_names(tree, names)]:
            place = text.span(change.start, change.end)
            yield Change(place.start, place.end, change.text)
        for node in nodes_of(tree):
            for word in words_of(node):
                if word.type == "STRING" and node.data != "path_key":
                    yield from changes_in_braces(text.cut((word.start_pos or 0) + 1, (word.end_pos or 0) - 1), names, faults)


def changes_in_braces(text: Embedded, names: Mapping[str, str], faults: Faults) -> Iterator[Change]:
    """The same for the expressions in the braces of a text for people."""
    for found in _BRACES.finditer(text.text):
        yield from changes_in(text.cut(found.start(1), found.end(1)), "expression", names, faults)


def _names(tree: Tree[Any], names: Mapping[str, str]) -> Iterator[Change]:
    for start, end, new in renamed_in(tree, names):
        yield Change(start, end, new)


def _sentences(tree: Tree[Any], text: str, noted: Container[str]) -> Iterator[Change]:
    number_is_bound = "number" in bound_in(tree)
    for node in nodes_of(tree):
        match node.data:
            case "choose_block" | "menu":
                yield from (_instead(word, "else") for word in words_of(node) if word == "otherwise")
            case "phase":
                yield _instead(words_of(node)[0], "procedure")
            case "menu_item" if not node.children[0].children:
                yield _instead(words_of(node)[0], "add to menu")
            case "in_unit" if node.children:
                yield _instead(words_of(node)[0], "->")
            case "zone":
                yield from _forgotten(node, noted)
            case "purse":
                yield from _colon(node, text)
            case "by_seat":
                yield from (_instead(word, f"{word}s") for word in words_of(node) if word in ("pay", "gain", "choose"))
            case "not_" if _is(node.children[1], "any_"):
                yield from _no(words_of(node)[0], words_of(node.children[1])[0], text)
            case "of" if words_of(node)[0] == "number" and not number_is_bound:
                yield _instead(words_of(node)[0], "position")
            case "call_with" if not number_is_bound and _asks_number_of_sort(node):
                name, opening, closing = words_of(node.children[0])[0], *words_of(node)
                yield Change(name.start_pos or 0, opening.end_pos or 0, "position of ")
                yield _instead(closing, "")
            case _:
                pass


def _asks_number_of_sort(call: Tree[Any]) -> bool:
    """`number(sort of x)`: a sort is no amount, whatever it is of. Of anything else `check` knows what it is."""
    what, _, args, _ = call.children
    words = words_of(what) if _is(what, "name") else []
    inner = args.children[0]
    return bool(words) and words[0] == "number" and _is(inner, "of") and words_of(inner)[0] == "sort"


def _is(kid: Any, rule: str) -> bool:
    return isinstance(kid, Tree) and kid.data == rule


def _instead(word: Token, text: str) -> Change:
    return Change(word.start_pos or 0, word.end_pos or 0, text)


def _forgotten(zone: Tree[Any], noted: Container[str]) -> Iterator[Change]:
    """`zone sea of boat keeps used`: what a zone did not keep was forgotten in it."""
    sort, keeping = (kid for kid in zone.children if isinstance(kid, Tree) and kid.data in ("sort_name", "sort_of", "keeping"))
    if keeping.children:
        yield _instead(words_of(keeping)[0], "forgets everything but")
    elif words_of(sort)[0] in noted:
        yield Change(sort.meta.end_pos, sort.meta.end_pos, " forgets everything")


def _colon(purse: Tree[Any], text: str) -> Iterator[Change]:
    """`purse cash in yen`: the colon stands right behind the name, unless a comment is between them; and where the unit stands on
    another line before that, since a line that ends with a colon begins a block."""
    _, name, word, unit = words_of(purse)
    if "\n" in text[word.end_pos : unit.start_pos]:
        yield _instead(word, "")
        yield Change(unit.start_pos or 0, unit.start_pos or 0, ": ")
        return
    between = text[name.end_pos : word.start_pos]
    begin = word.start_pos if between.strip() else name.end_pos
    yield Change(begin or 0, word.end_pos or 0, ":")


def _no(negation: Token, word: Token, text: str) -> Iterator[Change]:
    """`not any` is `no`."""
    if text[negation.end_pos : word.start_pos].strip():
        yield _instead(negation, "")
        yield _instead(word, "no")
    else:
        yield Change(negation.start_pos or 0, word.end_pos or 0, "no")
