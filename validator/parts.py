"""What a rule is made of, node by node; kinds, places in files and members are not taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from ichiba.dsl import ir
from ichiba.dsl.kinds import Kind
from ichiba.dsl.source import Span
from ichiba.dsl.world import Member

_LEAVES = (str, int, Kind, Span, Member, ir.Var, ir.ValueRef, ir.ProcRef)
_NO_PARTS = ("kind", "span", "member", "var", "rule", "name")
_NAMES: dict[type, tuple[str, ...]] = {}


def children(node: object) -> Iterator[object]:
    """The parts of a move or an expression; functions and procedures are not entered."""
    names = _NAMES.get(type(node))
    if names is None:
        names = tuple(f.name for f in fields(node) if f.name not in _NO_PARTS) if is_dataclass(node) else ()
        _NAMES[type(node)] = names
    for name in names:
        value = getattr(node, name)
        if isinstance(value, tuple | list):
            yield from _flat(value)
        elif value is not None and not isinstance(value, _LEAVES):
            yield value


def _flat(values: tuple[object, ...] | list[object]) -> Iterator[object]:
    for value in values:
        if isinstance(value, tuple | list):
            yield from _flat(value)
        elif value is not None and not isinstance(value, _LEAVES):
            yield value


def walk(node: object) -> Iterator[object]:
    """A node and everything in it."""
    todo = [node]
    while todo:
        current = todo.pop()
        yield current
        todo.extend(children(current))


__all__ = ["children", "walk"]
