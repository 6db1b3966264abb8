"""A program written out whole, without its places in files: two that mean the same are written alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.wording import spelled
from ichiba.dsl.world.world import Config, Enum, Field, KindDef, Thing, World

LEFT_OUT = {"span", "sort_span", "provenance", "look", "base"}
BY_NAME = {  # maps that are only looked up in: the order of their entries means nothing
    (World, "units"), (World, "singles"), (World, "signs"), (World, "numbers"), (World, "tables"), (World, "sort_fields"),
    (World, "known"), (World, "costs"), (World, "starts"), (World, "groups"), (KindDef, "fields"), (Enum, "fields"),
    (Field, "values"), (Thing, "title"),
}  # fmt: skip
Rename = Callable[[str], str]


def dump(program: ir.Program, rename: Rename = str, words: bool = True) -> list[str]:
    """One line for each part. Without `words` the texts for people are left out."""
    return list(_Dump(rename, words).lines(program, ""))


def first_difference(one: list[str], other: list[str]) -> str:
    """Empty if there is none; else the first, and what stands before it."""
    for at, (a, b) in enumerate(zip(one, other)):  # the longer one goes on
        if a != b:
            return "\n".join([*one[max(0, at - 25) : at], f"< {a}", f"> {b}"])
    return "" if len(one) == len(other) else f"{len(one)} lines, and {len(other)}"


class _Dump:
    def __init__(self, rename: Rename, words: bool):
        self.rename, self.words = rename, words
        self.known: dict[int, int] = {}
        self.kept: list[object] = []

    def lines(self, node: object, name: str) -> Iterator[str]:
        """What a node is made of; what has been written already goes by its number."""
        todo: list[tuple[object, str, int]] = [(node, name, 0)]
        while todo:
            here, label, depth = todo.pop()
            head = " " * depth + label
            if is_dataclass(here) and not isinstance(here, type):
                if id(here) in self.known:
                    yield f"{head} #{self.known[id(here)]}"
                    continue
                self.known[id(here)] = len(self.known)
                self.kept.append(here)
                yield f"{head} {type(here).__name__}"
                todo.extend((part, key, depth + 1) for key, part in reversed(list(self._parts(here))))
            elif isinstance(here, dict):
                yield f"{head} {len(here)} entries"
                todo.extend((part, f"[{self._plain(key)}]", depth + 1) for key, part in reversed(list(here.items())))
            elif isinstance(here, list | tuple):
                yield f"{head} {len(here)} of them"
                todo.extend((part, "-", depth + 1) for part in reversed(here))
            elif isinstance(here, set | frozenset):
                yield f"{head} {sorted(map(self._plain, here))}"
            else:
                yield f"{head} {self._plain(here)}"

    def _parts(self, node: Any) -> Iterator[tuple[str, object]]:
        for key in _names(type(node)):
            value = getattr(node, key)
            if isinstance(node, ir.Label) and not self.words:
                value = tuple(part for part in value if not isinstance(part, str)) if key == "parts" else value
            elif key == "doc" and not self.words or key == "parts" and isinstance(node, t.Text) and not self.words:
                continue
            if key in ("doc", "pattern"):
                value = re.sub(r"\{([^{}]*)\}", lambda found: "{" + spelled(found[1]) + "}", value)
            if (type(node), key) in BY_NAME:
                value = dict(sorted(value.items(), key=lambda item: str(item[0])))
            yield key, value

    def _plain(self, value: object) -> str:
        if isinstance(value, str):
            return self.rename(value)
        assert not isinstance(value, Span)
        return repr(value) if not isinstance(value, tuple) else f"({', '.join(map(self._plain, value))})"


def _names(kind: type[Any]) -> tuple[str, ...]:
    """The parts of a class that are no places in files."""
    if kind is Config:
        return ("seats",)
    return tuple(part.name for part in fields(kind) if part.name not in LEFT_OUT)
