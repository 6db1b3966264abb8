"""Which zones of version 1 forgot something: in those that do not say what they keep, pieces lost what was noted of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lark import Tree

from ichiba.dsl.formatting.upgrade.reading import words_of

ANYTHING = frozenset({"thing", "things"})  # zones of these take every piece


@dataclass(slots=True)
class Noted:
    """What a ruleset says of kinds of pieces: of which something is noted, and what they are of."""

    kinds: set[str] = field(default_factory=set)  # in which notes are declared
    parents: dict[str, set[str]] = field(default_factory=dict)

    def add_kind(self, tree: Tree[Any]) -> None:
        """`kind good is ware: …`"""
        name, *parent = [str(word) for word in _names_in(tree.children[:4])]
        self.add_parents(name, parent)
        if has_notes(tree):
            self.kinds.add(name)

    def add_parents(self, name: str, parents: Iterable[str]) -> None:
        self.parents.setdefault(name, set()).update(parents)

    def zones(self) -> frozenset[str]:
        """What zones can be of in which pieces lie of which something is noted."""
        above = {name: self._above(name) for name in (*self.parents, *sorted(self.kinds))}
        found = [kinds for kinds in above.values() if not kinds.isdisjoint(self.kinds)]
        return ANYTHING.union(*found) if found else frozenset()

    def _above(self, name: str) -> set[str]:
        """A kind and all that it is of."""
        found: set[str] = set()
        todo = [name]
        while todo:
            here = todo.pop()
            if here not in found:
                found.add(here)
                todo += self.parents.get(here, ())
        return found


def has_notes(tree: Tree[Any]) -> bool:
    """Whether a kind declares a note, or a board one of its own."""
    return any(isinstance(kid, Tree) and kid.data == "note" for kid in tree.children)


def _names_in(kids: Iterable[Any]) -> list[str]:
    """The name of a kind, and of the kind that it is of."""
    found: list[str] = []
    for kid in kids:
        if isinstance(kid, Tree) and kid.data == "parent":
            found += [str(word) for word in words_of(kid) if word.type == "NAME"]
        elif not isinstance(kid, Tree) and kid.type == "NAME":
            found.append(str(kid))
    return found
