"""What stands in a node of the tree that a rule is read into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from ichiba.dsl.syntax import tree as t


def nodes(node: Any) -> Iterator[t.Node]:
    """A node of the tree and all that stands in it, in the order of the text."""
    todo = [node]
    while todo:
        here = todo.pop()
        if isinstance(here, tuple):
            todo.extend(reversed(here))
        elif isinstance(here, t.Node):
            yield here
            todo.extend(reversed(parts_of_node(here)))


def parts_of_node(node: t.Node) -> tuple[Any, ...]:
    names = PARTS.get(type(node))
    if names is None:
        names = PARTS[type(node)] = tuple(f.name for f in fields(node) if f.name not in ("span", "sort_span"))
    return tuple([getattr(node, name) for name in names])


PARTS: dict[type[t.Node], tuple[str, ...]] = {}
