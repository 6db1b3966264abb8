"""Which `take turns` are turns of the game: those that stand in no other."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import procedures_of, steps


def outermost_turns(program: ir.Program) -> frozenset[int]:
    """By identity: the turns that are come to without another turn around them."""
    todo: list[object] = [one.body for one in (program.setup, program.play, program.scoring)]
    found: set[int] = set()
    seen: set[ir.Procedure] = set()
    while todo:
        body = todo.pop()
        nodes = list(steps(body))
        inside = {id(part) for node in nodes if isinstance(node, ir.Turns) for part in steps(node.body)}
        for node in nodes:
            if id(node) in inside:
                continue
            if isinstance(node, ir.Turns):
                found.add(id(node))
            elif isinstance(node, ir.Perform):
                new = [one for one in procedures_of(node.procedure) if one not in seen]
                seen.update(new)
                todo += [one.body for one in new]
    return frozenset(found)
