"""The items of a pattern with other words in it: a name for each name that is left open, and for each that it declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from ichiba.dsl.faults.source import Source, Span
from ichiba.dsl.syntax import tree as t

_BRACES = re.compile(r"\{[^{}]*\}")
_WORD = re.compile(r"\w+")
# What is no name of anything: keys are the same whatever a piece is called.
_NO_NAMES = {
    (t.Option, "name"), (t.May, "name"), (t.Ask, "key"), (t.Preference, "pattern"), (t.Operation, "op"), (t.Aggregate, "how"),
    (t.Way, "how"), (t.Steps, "how"), (t.OrderKey, "direction"), (t.Money, "sign"), (t.Pay, "tail"), (t.LetBest, "tie"),
    (t.Menu, "times"), (t.Menu, "windows"), (t.Word, "what"), (t.BagWord, "what"), (t.Moment, "what"), (t.Scope, "what"),
    (t.Remove, "what"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filling:
    """What stands for the words of a pattern: other names, and for some whole expressions. `source`: its text, as it is used here."""

    names: Mapping[str, str]
    values: Mapping[str, t.Expr]
    source: Source

    def of(self, written: Any) -> Any:
        """The same with other words in it."""
        if isinstance(written, tuple):
            return tuple(self.of(part) for part in written)
        if isinstance(written, str):
            return self.names.get(written, written)
        if isinstance(written, Span):
            return Span(self.source, written.start, written.end)
        if isinstance(written, t.Name) and written.name in self.values:
            return self.values[written.name]
        if isinstance(written, t.Text):
            parts = tuple(part if isinstance(part, str) else self.of(part) for part in written.parts)
            return t.Text(self.of(written.span), _BRACES.sub(self._in_braces, written.text), parts)
        return self._node(written) if isinstance(written, t.Node) else written

    def _node(self, node: t.Node) -> t.Node:
        made = {}
        kind: type = type(node)
        for name, is_name in _fields(kind):
            part = getattr(node, name)
            if not isinstance(part, str):
                made[name] = self.of(part)
            elif is_name:
                made[name] = ".".join(self.names.get(word, word) for word in part.split("."))
            else:
                made[name] = part
        return type(node)(**made)

    def _in_braces(self, found: re.Match[str]) -> str:
        return _WORD.sub(lambda word: self._spelled(word[0]), found[0])

    def _spelled(self, word: str) -> str:
        return self.values[word].span.text if word in self.values else self.names.get(word, word)


@cache
def _fields(kind: type) -> tuple[tuple[str, bool], ...]:
    """The fields of a class, and of each whether its words are names."""
    return tuple((field.name, (kind, field.name) not in _NO_NAMES) for field in fields(kind))


def declared_in(items: Iterable[t.Item]) -> Iterator[str]:
    """The names that all rules know once these items are there: those of a block are its own."""
    for item in items:
        if isinstance(item, t.Kind | t.Scope):
            yield from (member.name for member in item.members)
        if t.name_of(item) and not (isinstance(item, t.Kind | t.Window) and item.added) and not isinstance(item, t.ValueCase):
            yield t.name_of(item)
        for node in t.walk(item):
            if isinstance(node, t.Menu) and node.body is not None and isinstance(node.path, t.Name):
                yield node.path.name
            elif isinstance(node, t.Race):
                yield node.menu


_GIVING: dict[type, str] = {
    t.LetBest: "binder", t.Binder: "name", t.Param: "name", t.Along: "name", t.ChooseOne: "name", t.ChooseNumber: "name",
    t.ChooseSome: "name", t.Draw: "name", t.Pick: "name", t.Roll: "name", t.Secretly: "name", t.SetAside: "name",
}  # fmt: skip


def names_within(items: Iterable[t.Item]) -> set[str]:
    """The names that single rules give: what is given from outside means something else."""
    found: set[str] = set()
    for node in t.walk(tuple(items)):
        if type(node) in _GIVING:
            found.add(getattr(node, _GIVING[type(node)]) or "")
        if isinstance(node, t.Let | t.Moment):
            found.update(node.names)
        elif isinstance(node, t.LetBest):
            found.add(node.name)
        elif isinstance(node, t.Block):
            found.update(part.name for part in node.body if isinstance(part, t.Remember | t.Flag))
    return found
