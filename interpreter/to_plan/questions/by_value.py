"""An option that is something else for each value of its first binder."""

from __future__ import annotations

from dataclasses import replace

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import junction
from ichiba.dsl.world.kinds import FLAG
from ichiba.interpreter.analysis.folding import folded
from ichiba.interpreter.analysis.simplify import parts_of
from ichiba.interpreter.analysis.variables import renamed, replaced, variables_in
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import compare, row
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import forget, new_name
from ichiba.interpreter.to_plan.questions.adding import add_option
from ichiba.interpreter.to_plan.questions.alike import first_of_alike
from ichiba.interpreter.to_plan.questions.codes import code_parts
from ichiba.interpreter.to_plan.questions.tests import set_as_lines, write_test, write_tests
from ichiba.interpreter.to_plan.sets.indexes import quick_first
from ichiba.interpreter.to_plan.sets.looks import look_of


def option_by_value(c: Context, site: Site, number: int, option: ir.Option, tests: list[ir.Require]) -> None:
    """Written out for each value of the first binder."""
    bind = option.binds[0]
    inner, wheres = parts_of(bind.set)
    assert isinstance(inner, ir.Pieces)
    depth = c.out.depth
    write_tests(c, tests, {b.var for b in option.binds})
    wheres = _tested_before(c, bind.var, [*wheres, *([(bind.var, bind.test)] if bind.test is not None else [])])
    lies = c.world.places["place"]
    for value, foreseen in site.by_value[number].items():
        here, known = c.out.depth, {bind.var: ir.Const(value, bind.var.kind)}
        zones = [lower(c, z) for z in inner.zones]
        there = p.Cell(p.Num(lies.place((value,))))
        c.out.line("if {}:", compare(there, "==", zones[0]) if len(zones) == 1 else compare(there, "in", row(zones)))
        c.out.depth += 1
        c.names[bind.var] = p.Num(value)
        left = [folded(renamed(d, known)) for d in [*tests, *foreseen.tests]]
        left[:0] = [_required(folded(renamed(test, {var: known[bind.var], **known}))) for var, test in wheres]
        left = _without_repeating(left)
        if any(isinstance(d.test, ir.Const) and not d.test.value for d in left):
            c.out.line("pass")
        else:
            names = [p.Num(value), *_other_binders(c, option, known, left)]
            add_option(c, site, number, code_parts(c, site, number, option, names), not foreseen.whole, foreseen)
        c.out.depth = here
    for b in option.binds:
        forget(c, b.var)
    c.out.depth = depth


def _required(test: ir.Exp) -> ir.Require:
    return ir.Require(test, None, "", None)


def _other_binders(c: Context, option: ir.Option, known: dict[ir.Var, ir.Const], left: list[ir.Require]) -> list[p.Exp]:
    """The loops of all binders but the first, of which the value is known; and what they are called."""
    later = {b.var for b in option.binds[1:]}
    write_tests(c, left, later)
    names: list[p.Exp] = []
    for other in option.binds[1:]:
        own = p.Name(new_name(c, other.var.name))
        names.append(own)
        look = look_of(c, other.set)
        if look:
            c.out.line("{} = {{}}", f"seen_{own.name}")
        set_as_lines(c, folded(renamed(other.set, known)), own.name)
        c.names[other.var] = own
        later.discard(other.var)
        if other.test is not None:
            write_test(c, folded(renamed(other.test, known)))
        if look:
            first_of_alike(c, other.set, own, look)
        write_tests(c, left, later)
    return names


def _tested_before(c: Context, chosen: ir.Var, wheres: list[tuple[ir.Var, ir.Exp]]) -> list[tuple[ir.Var, ir.Exp]]:
    """What is the same for every value of a binder is asked once, before; the rest of its conditions."""
    left = []
    for var, test in wheres:
        for part in quick_first(c, "and", (test,)):
            if {var, chosen}.isdisjoint(variables_in([part])):
                write_test(c, part)
            else:
                left.append((var, part))
    return left


def _without_repeating(demands: list[ir.Require]) -> list[ir.Require]:
    """What must hold all at once: a flag that one of them asks for is not asked for again by those after it."""
    known: list[ir.Exp] = []
    found = []

    def put(part: object) -> ir.Exp | None:
        if not isinstance(part, ir.Read) or part.kind != FLAG:
            return None
        if part in known:
            return ir.Const(1, FLAG)
        return ir.Const(0, FLAG) if ir.Op("not", (part,), FLAG) in known else None

    for demand in demands:
        test = folded(replaced(demand.test, put)) if known else demand.test
        found.append(demand if test is demand.test else replace(demand, test=test))
        known += junction("and", (test,))
    return found
