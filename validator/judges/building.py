"""From a folder to a whole program, judged on the way: what would keep it from being finished is found before."""

from __future__ import annotations

from pathlib import Path

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.emptiness import check_claims
from ichiba.dsl.program.program import finish, new_context, write_program
from ichiba.dsl.rules import ir
from ichiba.dsl.ruleset import open_ruleset, too_deep
from ichiba.dsl.world.world import Config, World
from ichiba.dsl.yaml.declarations import Box
from ichiba.dsl.yaml.memory import Memory
from ichiba.validator.judges.asking import check_secret_blocks, check_triggers
from ichiba.validator.judges.cycles import check_cycles, check_value_cycles
from ichiba.validator.judges.declaration_words import check_declaration_words
from ichiba.validator.judges.nobody import check_me_has_turn
from ichiba.validator.judges.starts import check_starts


def build(
    folder: Path, config: Config, faults: Faults, memory: Memory | None = None
) -> tuple[Box, World, ir.Program]:
    """The whole front half: what is wrong is in `faults`, and the program may then be incomplete."""
    try:
        box, world = open_ruleset(folder, config, faults, memory)
        check_starts(box, world, faults)
        context = new_context(box, world, faults)
        program = write_program(context)
        _judge(context, program, faults)
    except RecursionError:
        raise too_deep(faults) from None
    return box, world, program


def _judge(c: Context, program: ir.Program, faults: Faults) -> None:
    """What can be judged of a program that may be broken, then of one that is not; last it is finished."""
    check_declaration_words(c.merged, c.world, c.draft.moments, faults)
    check_claims(c.claims, faults)
    check_cycles(program, faults)
    check_value_cycles(program, faults)
    if faults.errors:
        return
    check_me_has_turn(program, faults)
    check_triggers(program, faults)
    check_secret_blocks(program, faults)
    if not faults.errors:
        finish(program)


__all__ = ["build"]
