"""The tests of options, each made as soon as all its names are known."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.analysis.variables import variables_in
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.writing import OPEN
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.expressions.conditions import condition
from ichiba.interpreter.to_plan.sets.sets import clauses_of


def set_as_lines(c: Context, inner: ir.Set, name: str) -> None:
    """`for name in …:` and what follows, as statements."""
    clauses_as_lines(c, clauses_of(c, inner, name))


def clauses_as_lines(c: Context, clauses: tuple[p.Each, ...]) -> None:
    """Each clause a loop, each of its tests an `if`."""
    for clause in clauses:
        c.out.put(p.For(clause.targets, clause.source, OPEN))
        c.out.depth += 1
        for test in clause.tests:
            c.out.line("if {}:", test)
            c.out.depth += 1


def write_tests(c: Context, left: list[ir.Require], later: set[ir.Var]) -> None:
    """Every test is made as soon as all its names are known."""
    for demand in list(left):
        if any(var in later for var in variables_in([demand.test])):
            continue
        left.remove(demand)
        if isinstance(demand.test, ir.Const) and demand.test.value:
            continue
        write_test(c, demand.test)


def write_test(c: Context, test: ir.Exp) -> None:
    """What follows stands under it."""
    c.over = c.loops
    c.out.line("if {}:", condition(c, test))
    c.over = ()
    c.out.depth += 1
