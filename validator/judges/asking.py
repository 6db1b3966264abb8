"""Triggers ask nobody: they happen in the middle of what others do. Nor does a secret block ask others in its middle."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import effect_of
from ichiba.dsl.rules.walks import procedures_of, steps


def check_triggers(program: ir.Program, faults: Faults) -> None:
    """A `whenever` rule that asks, itself or by what it performs."""
    for watcher in program.watchers.values():
        if _asks(watcher.procedure):
            faults.add(
                "E506",
                watcher.procedure.span,
                f"the trigger `{watcher.name}` asks somebody something",
                label="a `whenever` rule only does things",
            )


def check_secret_blocks(program: ir.Program, faults: Faults) -> None:
    """A secret block in which all seats are asked once more, by way of procedures too."""
    blocks = [s for procedure in program.procedures for s in steps(procedure.body) if isinstance(s, ir.Secret)]
    asked = {id(s): s for block in blocks for s in _done_by(block.body) if isinstance(s, ir.Secret | ir.Decide)}
    for node in asked.values():
        if isinstance(node, ir.Secret):
            faults.add("E503", node.span, "secret blocks do not nest")
        elif node.left is not None:
            label = "say it before or after"
            faults.add("E503", node.span, "a race is open, and everybody answers unseen here", label=label)


def _asks(first: ir.Procedure) -> bool:
    """Whether a procedure asks a question, itself or by what it performs."""
    return any(effect_of(node).asks for node in _done_by(first.body))


def _done_by(first: ir.Block | None) -> Iterator[ir.Move]:
    """All that stands in a block, and in what it performs."""
    todo: list[ir.Block | None] = [first]
    seen: set[ir.Procedure] = set()
    while todo:
        body = todo.pop()
        for node in steps(body) if body is not None else ():
            yield node
            performs = effect_of(node).performs
            if performs is not None:
                fresh = [p for p in procedures_of(performs) if p not in seen]
                seen.update(fresh)
                todo.extend(p.body for p in fresh)
