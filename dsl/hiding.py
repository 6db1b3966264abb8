"""Which questions would tell something by being skipped: those whose options hang on what others may not see."""

from __future__ import annotations

from ichiba.dsl import ir
from ichiba.dsl.constant import Scope, evaluate
from ichiba.dsl.effects import Reads, walk
from ichiba.dsl.world import Member, World


def hidden_members(world: World) -> frozenset[Member]:
    """Every member that some seat or all may not see, as things stand in this configuration."""
    scope = Scope(
        world,
        {name: value for name, (value, _) in world.options.items() if isinstance(value, int)}
        | {n: v for n, (v, _) in world.numbers.items()},
    )
    found = set()
    for member in world.members():
        for word in ("hidden", "screened", "face_down"):
            given = member.words.get(word)
            if given is None:
                continue
            if given.arg is not None:
                try:
                    if not evaluate(given.arg, scope):
                        continue
                except Exception:  # a condition that is not fixed counts as hidden
                    pass
            found.add(member)
    return frozenset(found)


def judge_hidden(program: ir.Program) -> None:
    """Marks the questions that are always asked, also when only one answer is left."""
    hidden = hidden_members(program.world)
    if not hidden:
        return
    reads = Reads()
    for procedure in program.procedures:
        if procedure.body is None:
            continue
        for node in walk(procedure.body):
            if isinstance(node, ir.Decide):
                node.never_skip = any(
                    reads.of(part) & hidden for option in node.options for part in (*option.tests, *option.binds)
                )
            elif isinstance(node, ir.ChooseBag):
                node.never_skip = bool(reads.of(node.set) & hidden)
