"""A procedure that performs itself, or a value that depends on itself, is a fault, also by way of others: `a → b → a`.

The shortest such circle is shown. Rules with `whenever` are in none: nothing performs them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import TypeVar

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import functions_of, junction, procedures_of, steps, walk
from ichiba.validator.judges.groups import groups

Step = TypeVar("Step", ir.Procedure, ir.Function)
Taken = TypeVar("Taken", ir.Perform, ir.CallValue)
Performs = dict[ir.Procedure, list[tuple[ir.Procedure, ir.Perform]]]


def check_cycles(program: ir.Program, faults: Faults) -> None:
    """One fault for each group of procedures that perform each other, with the shortest circle in it."""
    performs: Performs = {procedure: _targets_of(procedure) for procedure in program.procedures}
    for circle in _shortest_circles(performs):
        _add_fault(circle, faults)


def check_value_cycles(program: ir.Program, faults: Faults) -> None:
    """One fault for each group of values that depend on each other, those that are said sort by sort included."""
    calls: dict[ir.Function, list[tuple[ir.Function, ir.CallValue]]] = {}
    todo = [*program.functions, *program.invariants, *(function for function, _ in program.ranking)]
    for part in (*(p.body for p in program.procedures), *((w.test, w.set) for w in program.watchers.values())):
        for inner in part if isinstance(part, tuple) else (part,):
            todo += [f for n in walk(inner) if isinstance(n, ir.CallValue) for f in functions_of(n.function)]
    while todo:
        function = todo.pop()
        if function not in calls:
            found = [n for n in walk(function.body) if isinstance(n, ir.CallValue)] if function.body is not None else []
            excluded = _excluded(function.body)
            calls[function] = [(target, call) for call in found for target in _possible_targets(call, excluded)]
            todo.extend(target for target, _ in calls[function])
    for circle in _shortest_circles(calls):
        names = [f.name for f, _ in circle]
        faults.add("E501", circle[0][0].span, "this value depends on itself: " + " → ".join([*names, names[0]]))


def _possible_targets(call: ir.CallValue, excluded: dict[ir.Var, set[int]]) -> list[ir.Function]:
    """The functions that a call can mean: one, where it says for which thing or sort."""
    ref = call.function
    if ref.by is None or not ref.cases:
        return list(functions_of(ref))
    chooser = call.args[ref.by]
    if isinstance(chooser, ir.Const):
        chosen = ref.cases.get(chooser.value, ref.default)
        return [chosen] if chosen is not None else []
    but = excluded.get(chooser.var, set()) if isinstance(chooser, ir.Use) else set()
    others = [function for value, function in ref.cases.items() if value not in but]
    return [*others, *([ref.default] if ref.default is not None else [])]


def _excluded(body: object) -> dict[ir.Var, set[int]]:
    """By variable of a loop or a sum: the values that its `where` excludes. `for t in tokens where t != nori`: not nori."""
    found: dict[ir.Var, set[int]] = {}
    for node in walk(body) if body is not None else ():
        if isinstance(node, ir.Aggregate | ir.For):
            inner = node.set
            while isinstance(inner, ir.Filtered):
                for test in junction("and", (inner.test,)):
                    match test:
                        case ir.Op(op="!=", args=(ir.Use(var=var), ir.Const(value=value))) if var is inner.var:
                            found.setdefault(node.var, set()).add(value)
                        case _:  # any other: whatever else is asked, it may be any of them
                            pass
                inner = inner.set
    return found


def _targets_of(procedure: ir.Procedure) -> list[tuple[ir.Procedure, ir.Perform]]:
    """The procedures that one performs, each with the place where it says so."""
    if procedure.body is None:
        return []
    performs = [node for node in steps(procedure.body) if isinstance(node, ir.Perform)]
    return [(target, step) for step in performs for target in procedures_of(step.procedure)]


def _shortest_circles(performs: Mapping[Step, list[tuple[Step, Taken]]]) -> Iterator[list[tuple[Step, Taken]]]:
    """Of each group that performs each other the shortest way from the first with a place back to itself, each step with the place
    that takes it. What is in no circle is not searched from."""
    group_of: dict[Step, int] = {}
    for number, group in enumerate(groups(performs, lambda step: [target for target, _ in performs.get(step, ())])):
        group_of |= dict.fromkeys(group, number)
    inside = {step: [(target, way) for target, way in ways if group_of[target] == group_of[step]] for step, ways in performs.items()}
    told: set[int] = set()
    for step, ways in inside.items():
        if ways and group_of[step] not in told and step.span is not None:
            told.add(group_of[step])
            yield _shortest_circle(step, inside)


def _shortest_circle(first: Step, performs: Mapping[Step, list[tuple[Step, Taken]]]) -> list[tuple[Step, Taken]]:
    """Found breadth first among those that all lead to each other."""
    came: dict[Step, tuple[Step, Taken]] = {}
    todo = deque([first])
    while first not in came:
        here = todo.popleft()
        for target, step in performs[here]:
            if target not in came:
                came[target] = (here, step)
                todo.append(target)
    circle = [came[first]]
    while circle[-1][0] is not first:
        circle.append(came[circle[-1][0]])
    return circle[::-1]


def _add_fault(circle: list[tuple[ir.Procedure, ir.Perform]], faults: Faults) -> None:
    names = [procedure.name for procedure, _ in circle]
    # A procedure stands there twice when it is performed with the rules before and after it.
    names = [name for at, name in enumerate(names) if at == 0 or names[at - 1] != name]
    path = " → ".join([*names, names[0]] if len(names) == 1 or names[-1] != names[0] else names)
    last = circle[-1][1].span
    second = (last, "performed again here") if last is not None else None
    faults.add("E505", circle[0][0].span, f"this procedure performs itself: {path}", second=second)
