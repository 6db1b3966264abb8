"""Rules always end: no procedure performs itself, not even by way of others. `whenever` rules wait."""

from __future__ import annotations

from collections import deque

from ichiba.dsl import ir
from ichiba.dsl.effects import procedures_of, steps
from ichiba.dsl.faults import Faults

Performs = dict[ir.Procedure, list[tuple[ir.Procedure, ir.Perform]]]


def check_cycles(program: ir.Program, faults: Faults) -> None:
    """One fault for each group of procedures that perform each other, with the shortest circle in it."""
    performs = {procedure: _performed(procedure) for procedure in program.procedures}
    told: set[ir.Procedure] = set()
    for procedure in program.procedures:
        if procedure in told or procedure.span is None:
            continue
        circle = _circle(procedure, performs)
        if circle:
            told |= _group(procedure, performs)
            _tell(circle, faults)


def _performed(procedure: ir.Procedure) -> list[tuple[ir.Procedure, ir.Perform]]:
    """What a procedure performs, and where it says so."""
    if procedure.body is None:
        return []
    performs = [node for node in steps(procedure.body) if isinstance(node, ir.Perform)]
    return [(target, step) for step in performs for target in procedures_of(step.procedure)]


def _circle(first: ir.Procedure, performs: Performs) -> list[tuple[ir.Procedure, ir.Perform]]:
    """The shortest way from a procedure back to itself, each step with the place that takes it."""
    came: dict[ir.Procedure, tuple[ir.Procedure, ir.Perform]] = {}
    todo = deque([first])
    while todo and first not in came:
        here = todo.popleft()
        for target, step in performs.get(here, ()):
            if target not in came:
                came[target] = (here, step)
                todo.append(target)
    circle: list[tuple[ir.Procedure, ir.Perform]] = []
    at = first
    while first in came and (not circle or at is not first):
        circle.append(came[at])
        at = came[at][0]
    return circle[::-1]


def _group(first: ir.Procedure, performs: Performs) -> set[ir.Procedure]:
    """All procedures that can be reached from this one and lead back to it."""
    back: dict[ir.Procedure, list[ir.Procedure]] = {}
    for procedure, performed in performs.items():
        for target, _ in performed:
            back.setdefault(target, []).append(procedure)
    there = _reached(first, {p: [target for target, _ in performed] for p, performed in performs.items()})
    return {first} | there & _reached(first, back)


def _reached(first: ir.Procedure, edges: dict[ir.Procedure, list[ir.Procedure]]) -> set[ir.Procedure]:
    seen: set[ir.Procedure] = set()
    todo = [first]
    while todo:
        for target in edges.get(todo.pop(), ()):
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return seen


def _tell(circle: list[tuple[ir.Procedure, ir.Perform]], faults: Faults) -> None:
    names = [procedure.name for procedure, _ in circle]
    # A procedure stands there twice when it is performed with the rules before and after it.
    names = [name for at, name in enumerate(names) if at == 0 or names[at - 1] != name]
    path = " → ".join([*names, names[0]] if len(names) == 1 or names[-1] != names[0] else names)
    last = circle[-1][1].span
    second = (last, "performed again here") if last is not None else None
    faults.add("E505", circle[0][0].span, f"this procedure performs itself: {path}", second=second)
