"""Whether everything that is written also comes about: a phase that nothing ever performs is a slip."""

from __future__ import annotations

from collections.abc import Iterable

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.names.meanings import Definition
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import procedures_of, reached_procedures


def check_reach(program: ir.Program, definitions: Iterable[Definition], faults: Faults) -> None:
    """Warns of phases that no way leads to. Procedures may wait in a library for a game that uses them."""
    reached = reached_procedures(program)
    for definition in definitions:
        if definition.what != "phase" or definition.procedure is None:
            continue
        if reached.keys().isdisjoint(procedures_of(definition.procedure)):
            message = f"the phase `{definition.name}` is never performed"
            faults.add("W601", definition.span, message, label="name it in `play:` or in another phase")
