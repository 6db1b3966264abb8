"""Whether everything that is written also comes about: a phase that nothing ever performs is a slip."""

from __future__ import annotations

from collections.abc import Iterable

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.names.meanings import Definition
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import performed, procedures_of


def check_reach(program: ir.Program, definitions: Iterable[Definition], faults: Faults) -> None:
    """Warns of phases that no way leads to. Procedures may wait in a library for a game that uses them."""
    reached = reached_procedures(program)
    for definition in definitions:
        if definition.what != "phase" or definition.procedure is None:
            continue
        if reached.keys().isdisjoint(procedures_of(definition.procedure)):
            message = f"the phase `{definition.name}` is never performed"
            faults.add("W601", definition.span, message, label="name it in `play:` or in another phase")


def reached_procedures(program: ir.Program) -> dict[ir.Procedure, None]:
    """All that is performed in some game, by way of the setup, the play, the scoring and the triggers; always in the same
    order, since faults are told in it."""
    todo = [program.setup, program.play, program.scoring]
    todo += [watcher.procedure for watcher in program.watchers.values()]
    reached = dict.fromkeys(todo)
    while todo:
        body = todo.pop().body
        for ref in performed(body) if body is not None else ():
            new = [procedure for procedure in procedures_of(ref) if procedure not in reached]
            reached.update(dict.fromkeys(new))
            todo.extend(new)
    return reached
