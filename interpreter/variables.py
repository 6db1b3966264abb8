"""Which variables an expression mentions, and which of them it brings itself."""

from __future__ import annotations

from ichiba.dsl import ir
from ichiba.dsl.effects import walk
from ichiba.interpreter.raw import Raw


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
        elif isinstance(node, Raw):
            todo.extend(node.variables)
            todo.extend(node.parts)
        elif node is not None:
            for part in walk(node):
                for name in ("var", "bag", "me", "taken"):
                    value = getattr(part, name, None)
                    if isinstance(value, ir.Var):
                        found[value] = None
                for name in ("results", "binders"):
                    for value in getattr(part, name, ()) or ():
                        value = value[0] if isinstance(value, tuple) else value
                        if isinstance(value, ir.Var):
                            found[value] = None
    return list(found)


def free_variables(nodes: object) -> list[ir.Var]:
    """The variables that are mentioned and come from outside."""
    bound: set[ir.Var] = set()
    todo: list[object] = [nodes]
    while todo:
        node = todo.pop()
        if isinstance(node, list | tuple):
            todo.extend(node)
        elif node is not None and not isinstance(node, ir.Var | Raw):
            for part in walk(node):
                if isinstance(part, ir.Filtered | ir.Best | ir.Ordered | ir.Aggregate | ir.FlatMapped):
                    bound.add(part.var)
                elif isinstance(part, ir.Mapped):
                    bound.update(var for var, _ in part.binders)
    return [var for var in variables_in(nodes) if var not in bound]
