"""Triggers ask nobody: they happen in the middle of what others do."""

from __future__ import annotations

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


def _asks(first: ir.Procedure) -> bool:
    """Whether a procedure asks a question, itself or by what it performs."""
    todo, seen = [first], {first}
    while todo:
        body = todo.pop().body
        for node in steps(body) if body is not None else ():
            effect = effect_of(node)
            if effect.asks:
                return True
            if effect.performs is not None:
                fresh = [p for p in procedures_of(effect.performs) if p not in seen]
                seen.update(fresh)
                todo.extend(fresh)
    return False
