"""What a rule is made of, node by node; kinds, places in files and members are not taken apart."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import taking_apart
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Member

_LEAVES = (str, int, Kind, Span, Member, ir.Var, ir.ValueRef, ir.ProcRef)
_NO_PARTS = ("kind", "span", "member", "var", "rule", "name")

children = taking_apart(_LEAVES, _NO_PARTS)  # of a move or an expression; functions and procedures are not entered


def walk(node: object) -> Iterator[object]:
    """A node and everything in it."""
    todo = [node]
    while todo:
        current = todo.pop()
        yield current
        todo.extend(children(current))


__all__ = ["children", "walk"]
