"""Names of authors that have become words of the language: where they are given, and all places where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lark import Token, Tree

from ichiba.dsl.formatting.upgrade.reading import nodes_of, words_of

GIVING = frozenset({  # sentences of version 1 that give something its name: the first word in them that is one
    "kind", "field", "counter", "flag", "purse", "zone", "note", "slot", "menu_member", "value", "guard", "procedure", "result",
    "cost_decl", "phase", "param_named", "param_typed", "let", "tie_let", "pick", "roll", "drawn_as", "choose_one",
    "choose_number", "choose_bag", "binder", "number_binder", "secretly", "for_seat", "menu_item",
})  # fmt: skip
LISTING = frozenset({"type_enum", "pattern", "let"})  # and those that give several
FREE = frozenset({  # names that nothing else can be taken for, so that they may be any word
    "option", "rule", "window", "may", "policy", "invariant", "order_before", "order_after", "replace_option", "restrict", "remove",
})  # fmt: skip
ASKING = frozenset({"choose_one", "choose_number"})  # whose name is the beginning of a key


def given_in(tree: Tree[Any]) -> set[str]:
    """The names that a text of rules gives to something."""
    found: set[str] = set()
    for node in nodes_of(tree):
        names = [str(word) for word in words_of(node) if word.type == "NAME"]
        if node.data in GIVING:
            found.update(names[:1])
        if node.data in LISTING:
            found.update(names)
        if node.data in ("menu_item", "tie_let", "value_case"):
            found.update(str(word) for kid in node.children if isinstance(kid, Tree) and kid.data == "path" for word in words_of(kid)[-1:])
            found.update(names)
    return found


def bound_in(tree: Tree[Any]) -> set[str]:
    """The names that an item gives to what only it knows."""
    kept = {"param_named", "param_typed", "result", "let", "tie_let", "pick", "roll", "drawn_as", "binder", "number_binder", "secretly",
            "for_seat", "choose_one", "choose_number", "choose_bag", "value_case", "pattern", "slot"}  # fmt: skip
    return {str(word) for node in nodes_of(tree) if node.data in kept for word in words_of(node) if word.type == "NAME"}


def renamed_in(tree: Tree[Any], names: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """All places of a text where these names stand, with what is to stand there. What is answered keeps its key."""
    todo: list[tuple[Tree[Any], str]] = [(tree, "")] if names else []
    while todo:
        node, above = todo.pop()
        todo += [(kid, str(node.data)) for kid in node.children if isinstance(kid, Tree)]
        words = [word for word in words_of(node) if word.type == "NAME"]
        if node.data in FREE or node.data == "path" and above in FREE:
            words = [] if node.data != "path" else words[:-1]
        yield from (_renamed(word, names) for word in words if word in names)
        if node.data in ASKING and words and words[0] in names and not any(kid.data == "key_words" for kid in nodes_of(node)):
            yield node.meta.end_pos, node.meta.end_pos, f' key "{words[0]}"'


def _renamed(word: Token, names: Mapping[str, str]) -> tuple[int, int, str]:
    return word.start_pos or 0, word.end_pos or 0, names[word]


def new_names(names: Iterable[str], known: set[str]) -> dict[str, str]:
    """For each name another that nothing has yet."""
    found: dict[str, str] = {}
    for name in sorted(names):
        new = next(new for new in (f"the_{name}{number}" for number in ("", *range(2, 1000))) if new not in known)
        known.add(new)
        found[name] = new
    return found
