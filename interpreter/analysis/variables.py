"""Which variables an expression mentions, which of them it brings itself, and values put in for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, cast

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import effect_of
from ichiba.dsl.rules.walks import anew, walk, with_parts
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Member, Net

Node = TypeVar("Node")


def variables_in(nodes: object) -> list[ir.Var]:
    """All variables that are mentioned."""
    found: dict[ir.Var, None] = {}
    todo: list[object] = [nodes]
    while todo:
        node = todo.pop()
        if isinstance(node, list | tuple):
            todo.extend(node)
        elif isinstance(node, ir.Var):
            found[node] = None
        elif node is not None:
            for part in walk(node):
                effect = effect_of(part)
                for var in effect.uses or effect.names or effect.brings:  # none has several of these
                    found[var] = None
    return list(found)


def free_variables(nodes: object) -> list[ir.Var]:
    """The variables that are mentioned and come from outside."""
    bound: set[ir.Var] = set()
    todo: list[object] = [nodes]
    while todo:
        node = todo.pop()
        if isinstance(node, list | tuple):
            todo.extend(node)
        elif node is not None and not isinstance(node, ir.Var):
            for part in walk(node):
                bound.update(effect_of(part).brings)
    return [var for var in variables_in(nodes) if var not in bound]


def renamed(node: Node, known: Mapping[ir.Var, ir.Exp]) -> Node:
    """The same expression with values put in for variables."""

    def change(part: Any) -> Any:
        if part.__class__ is ir.Use and part.at is None and part.var in known:
            return known[part.var]
        return with_parts(part, change)

    return cast(Node, anew(node, change)) if known else node


def replaced(node: Node, put: Callable[[Any], object | None]) -> Node:
    """The same expression with something else put in for some parts (where `put` gives something)."""

    def change(part: Any) -> Any:
        other = put(part)
        return with_parts(part, change) if other is None else other

    return cast(Node, anew(node, change))


def shape(node: object, outside: Sequence[ir.Var]) -> object:
    """What an expression says, whatever the variables are called that it brings itself or gets from outside: two
    of the same shape come to the same."""
    order: dict[ir.Var, int] = {var: n for n, var in enumerate(outside)}
    free = {var for var in free_variables([node]) if var not in order}

    def of(part: object) -> object:
        if isinstance(part, ir.Var):
            return part if part in free else order.setdefault(part, len(order))
        if isinstance(part, tuple):
            return tuple(map(of, part))
        if isinstance(part, Span):
            return None
        if isinstance(part, ir.ValueRef | ir.ProcRef | Member | Net | Kind) or not is_dataclass(part):
            return part
        return (type(part), *(of(getattr(part, item.name)) for item in fields(part)))

    return of(node)
