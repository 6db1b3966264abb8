"""Long searches and long sums, each a function of its own."""

from __future__ import annotations

from collections.abc import Sequence

from ichiba.dsl.rules import ir
from ichiba.interpreter.analysis.simplify import by_sort_only, index_of, parts_of
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import place
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name, own_names, restore_all
from ichiba.interpreter.to_plan.context.tables import fixed_table
from ichiba.interpreter.to_plan.context.writing import define, end
from ichiba.interpreter.to_plan.expressions.aggregates import aggregate_here
from ichiba.interpreter.to_plan.questions.tests import set_as_lines, write_test
from ichiba.interpreter.to_plan.sets.indexes import narrowed_set, quick_first
from ichiba.interpreter.to_plan.values.pieces import pieces_single
from ichiba.interpreter.to_plan.values.zones import zone_columns


def write_search(c: Context, name: str, e: ir.Aggregate, params: tuple[ir.Var, ...]) -> None:
    """`any (x where …)` as a loop; a sum as it stands."""
    saved = own_names(c, list(params))
    define(c, name, [p.S, *(c.names[param] for param in params)])
    if e.how == "sum":
        c.out.line("return {}", aggregate_here(c, e))
    else:
        saved |= _write_loop(c, e)
    end(c, said_once=True)
    restore_all(c, saved)


def _write_loop(c: Context, e: ir.Aggregate) -> dict[ir.Var, p.Exp | None]:
    """What ends as soon as one is found. Gives what the variables were called before."""
    inner, tests = parts_of(e.set)
    own = new_name(c, e.var.name)
    indexed = next((n for n, (v, t) in enumerate(tests) if index_of(t, v)), None)
    if indexed is not None:
        first = tests.pop(indexed)
        inner = ir.Filtered(inner, first[0], first[1], inner.kind)
    for one in list(tests):
        narrowed = narrowed_set(c, ir.Filtered(inner, one[0], one[1], inner.kind))
        if not isinstance(narrowed, ir.Filtered):
            inner = narrowed
            tests.remove(one)
    variables = tuple(dict.fromkeys((e.var, *(var for var, _ in tests))))
    if not _is_sort_by_sort(c, inner, set(variables), [*(test for _, test in tests), e.value], own):
        set_as_lines(c, inner, own)
    saved = {var: c.names.get(var) for var in variables}
    for var in variables:
        c.names[var] = p.Name(own)
    c.loops = variables
    parts = [test for _, test in tests] + ([e.value] if e.value is not None else [])
    for part in quick_first(c, "and", tuple(parts)):
        write_test(c, part)
    c.loops = ()
    c.out.line("return True")
    c.out.depth = 1
    c.out.line("return False")
    return saved


def _is_sort_by_sort(
    c: Context, inner: ir.Set, variables: set[ir.Var], parts: Sequence[ir.Exp | None], name: str
) -> bool:
    """Things of which nothing but the sort matters: one of each sort that lies there stands for all."""
    if not isinstance(inner, ir.Pieces) or not pieces_single(c, inner) or len(inner.zones) != 1:
        return False
    columns = zone_columns(c, inner.zones[0])
    if columns is None or inner.sorts.one is not None or not all(by_sort_only(part, variables) for part in parts):
        return False
    first = {thing.sort: thing.id for thing in reversed(c.world.things) if thing.sort in inner.sorts.sorts}
    rows = tuple((columns[sort], first[sort]) for sort in inner.sorts.sorts if columns[sort] >= 0 and sort in first)
    cell = new_name(c, "c")
    c.out.line("for {}, {} in {}:", cell, name, fixed_table(c, rows, "one_of_each"))
    c.out.depth += 1
    c.out.line("if S[{}]:", place([lower(c, inner.zones[0]), cell]))
    c.out.depth += 1
    return True
