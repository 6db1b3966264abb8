"""Values and procedures as functions."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter.analysis.busy import FEW_STEPS, MANY_STEPS
from ichiba.interpreter.analysis.variables import variables_in
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import place, row
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import own_names, restore_all
from ichiba.interpreter.to_plan.context.tables import columns_table, fixed_table, late_table
from ichiba.interpreter.to_plan.context.writing import count_passes, define, end, meter
from ichiba.interpreter.to_plan.statements.statements import write_block


def write_function(c: Context, function: ir.Function) -> None:
    """A value, a guard, a cost: it changes nothing."""
    saved = own_names(c, [*function.params, *variables_in([function.body])])
    name = c.mentioned.functions[function]
    c.numbered.homes[name] = (function.name, function.span)
    define(c, name, [p.S, *(c.names[param] for param in function.params)])
    before = meter(c, function.body, most=FEW_STEPS if function in c.counted else MANY_STEPS)
    count_passes(c)
    c.beginning = len(c.out.lines)
    c.in_value = True
    if isinstance(function.body, ir.Block):
        c.extents.learn(function.body)
        write_block(c, function.body)
    else:
        c.out.line("return {}", lower(c, function.body))  # type: ignore[arg-type]
    c.metered, c.in_value = before, False
    end(c, said_once=True)
    restore_all(c, saved)


def write_procedure(c: Context, procedure: ir.Procedure) -> None:
    """A procedure that asks nothing, with its results."""
    saved = own_names(c, [*procedure.params, *procedure.results, *variables_in([procedure.body])])
    name = c.mentioned.procedures[procedure]
    c.numbered.homes[name] = (procedure.name, procedure.span)
    define(c, name, [p.S, p.C, *(c.names[param] for param in procedure.params)], procedure.name)
    before = meter(c, procedure.body, most=FEW_STEPS if procedure in c.counted else MANY_STEPS)
    count_passes(c)
    if c.trace:
        known = procedure in c.program.procedures
        c.out.line("C.rule({})", c.program.procedures.index(procedure) if known else -1)
    for result in procedure.results:
        c.out.line("{} = 0", c.names[result])
    assert procedure.body is not None
    c.extents.learn(procedure.body, procedure.results)
    write_block(c, procedure.body)
    if procedure.results:
        made = [c.names[result] for result in procedure.results]
        c.out.line("return {}", made[0] if len(made) == 1 else row(made))
    c.metered = before
    end(c)
    restore_all(c, saved)


def write_take(c: Context) -> None:
    """Something that exists one by one goes to another zone."""
    if "place" not in c.world.places:
        return
    member = c.world.places["place"]
    columns_table(c)
    sorts = fixed_table(c, tuple(t.sort for t in c.world.things), "sort_of_thing")
    thing, zone = p.Name("thing"), p.Name("zone")
    lies = p.Cell(place([thing, member.base - member.dims[0][0]]))
    define(c, "take", [p.S, thing, zone])
    c.out.line("s = {}[thing - {}]", sorts, FIRST_THING)
    c.out.line("old = {}", lies)
    kept = any(c.world.sorts[s].individual for member in c.layout.totals for s in member.sorts)
    total_at = late_table(c, "TOTAL_AT")
    with c.out.under("if old >= 0:"):
        c.out.line("S[old + COLUMNS[old][s]] -= 1")
        if kept:
            c.out.line("S[{}[old]] -= 1", total_at)
    c.out.line("k = COLUMNS[zone][s]")
    c.out.line("if k < 0: raise RuleFault('this zone cannot hold such a piece')")
    c.out.line("S[zone + k] += 1")
    if kept:
        c.out.line("S[{}[zone]] += 1", total_at)
    c.out.line("{} = zone", lies)
    _write_rank(c, thing)
    end(c)


def _write_rank(c: Context, thing: p.Name) -> None:
    """In a zone that keeps an order it comes after all others."""
    member, rank = c.world.places["place"], c.world.places.get("rank")
    ordered = frozenset(first for first, zone in c.layout.zones.items() if "ordered" in zone.words)
    if not ordered or rank is None:
        return
    low, size = member.dims[0]
    own = p.Cell(place([thing, rank.base - low]))
    with c.out.under("if zone in {}:", fixed_table(c, ordered, "ordered")):
        c.out.line("{} = -1", own)
        c.out.line("{} = max(S[{} + i] for i in range({}) if S[{} + i] == zone) + 1", own, rank.base, size, member.base)
