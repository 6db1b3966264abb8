"""Options with their binders: a loop for each, and tests on the way."""

from __future__ import annotations

from dataclasses import replace

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import NUMBER
from ichiba.interpreter.ahead.path import Foreseen
from ichiba.interpreter.analysis.busy import SMALL, is_small, takes_long, worth
from ichiba.interpreter.analysis.folding import folded
from ichiba.interpreter.analysis.variables import shape, variables_in
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.names import forget, new_name
from ichiba.interpreter.to_plan.expressions.conditions import condition
from ichiba.interpreter.to_plan.questions.adding import add_option
from ichiba.interpreter.to_plan.questions.alike import first_of_alike
from ichiba.interpreter.to_plan.questions.by_value import option_by_value
from ichiba.interpreter.to_plan.questions.codes import code_parts
from ichiba.interpreter.to_plan.questions.tests import clauses_as_lines, set_as_lines, write_test, write_tests
from ichiba.interpreter.to_plan.sets.indexes import indexed_clauses, narrowed_set, quick_first
from ichiba.interpreter.to_plan.sets.looks import look_of
from ichiba.interpreter.to_plan.sets.loops import tested
from ichiba.interpreter.to_plan.sets.sets import clauses_of
from ichiba.interpreter.to_plan.sets.something import those_with_something


def write_option(c: Context, site: Site, number: int, option: ir.Option, skip: int) -> None:
    """One option of a question; its steps are counted where it could take very many."""
    before, c.metered = c.metered, counted_as(c, site, number, option)
    _option_lines(c, site, number, option, skip)
    c.metered = before


def counted_as(c: Context, site: Site, number: int, option: ir.Option) -> int:
    """As how many each step of making an option is counted; 0: not at all."""
    if not c.world.closely:
        return int(takes_long_to_make(c, site, number, option))
    binds = [part for bind in option.binds for part in (bind.set, bind.test)]
    found = [site.foreseen.get(number, Foreseen()), *site.by_value.get(number, {}).values()]
    parts = [*binds, *(demand.test for demand in option.tests), *(test for one in found for test in (*(d.test for d in one.tests), one.sure))]
    return 0 if c.extents.options(option) <= SMALL and is_small(c.extents, *parts) else worth(c.extents, *parts)


def takes_long_to_make(c: Context, site: Site, number: int, option: ir.Option) -> bool:
    """Whether making an option, what is foreseen of it included, could take so many steps that they are counted."""
    for found in (site.foreseen.get(number, Foreseen()), *site.by_value.get(number, {}).values()):
        sure = (ir.Require(found.sure, None, "foreseen", None),) if found.sure is not None else ()
        if takes_long(c.extents, replace(option, tests=(*option.tests, *found.tests, *sure))):
            return True
    return False


def _option_lines(c: Context, site: Site, number: int, option: ir.Option, skip: int) -> None:
    """Loops and tests around what adds the option; `skip`: so many of its tests have been made."""
    depth, foreseen = c.out.depth, site.foreseen.get(number, Foreseen())
    tried = number in site.stop_after  # by its number, so every value must be named
    if number in site.by_value and c.rewrites and not c.any_will_do:
        option_by_value(c, site, number, option, list(option.tests[skip:]))
        return
    left = [*option.tests[skip:], *foreseen.tests]
    if c.rewrites and any(isinstance(t := folded(d.test), ir.Const) and not t.value for d in left):
        return  # it is never possible here
    later = {bind.var for bind in option.binds}
    write_tests(c, left, later)
    names: list[p.Exp] = []
    for bind in option.binds:
        own = p.Name(new_name(c, bind.var.name))
        names.append(own)
        _write_binder(c, option, bind, own, left, later, tried)
    c.loops = ()
    add_option(c, site, number, code_parts(c, site, number, option, names), tried, foreseen)
    for bind in option.binds:
        forget(c, bind.var)
    c.out.depth = depth


def _write_binder(
    c: Context, option: ir.Option, bind: ir.Bind, own: p.Name, left: list[ir.Require], later: set[ir.Var], tried: bool
) -> None:
    """What a binder goes through, and the tests that can be made with it; `left`, of these variables `later`, is what
    is still to be tested."""
    look = "" if c.any_will_do else look_of(c, bind.set)
    if c.any_will_do and not tried and _is_some_way(c, bind, left):
        later.discard(bind.var)
        return
    if look or not _is_looked_up_before(c, option, bind, own.name, left):
        if look:
            c.out.line("{} = {{}}", f"seen_{own.name}")
        _write_loop(c, bind, own)
        if look:
            first_of_alike(c, bind.set, own, look)
    else:
        c.loops = (*c.loops, bind.var)
    later.discard(bind.var)
    write_tests(c, left, later)


def _write_loop(c: Context, bind: ir.Bind, own: p.Name) -> None:
    """`for` and `if`: the set of a binder, with its condition."""
    test, narrowed = bind.test, _narrowed_binder(c, bind, own.name)
    those = None
    if test is not None and narrowed is None and c.rewrites:
        those = those_with_something(c, bind.set, bind.var, own.name, test)
    if those is None:
        set_as_lines(c, bind.set if narrowed is None else narrowed, own.name)
    c.names[bind.var] = own
    c.loops = (*c.loops, bind.var)
    if those is not None:
        clauses, rest = those
        clauses_as_lines(c, clauses)
        for part in rest:
            write_test(c, part)
    elif test is not None and narrowed is None:
        write_test(c, test)


def _narrowed_binder(c: Context, bind: ir.Bind, name: str) -> ir.Set | None:
    """A binder's set with its condition, where that says in which table to look."""
    if bind.test is None or not c.rewrites:
        return None
    inner = ir.Filtered(bind.set, bind.var, bind.test, bind.set.kind)
    narrowed = narrowed_set(c, inner)
    if not isinstance(narrowed, ir.Filtered):
        return narrowed
    return inner if indexed_clauses(c, inner, name) is not None else None


def _is_some_way(c: Context, bind: ir.Bind, left: list[ir.Require]) -> bool:
    """Where it is only asked if so many can be taken, the ways need not be listed."""
    if not isinstance(bind.set, ir.Combos) or bind.test is not None:
        return False
    if any(bind.var in variables_in([demand.test]) for demand in left):
        return False
    inner = bind.set.set
    piece = ir.Var("piece", inner.kind.of or NUMBER)
    count = ir.Aggregate("count", inner, piece, None, NUMBER)
    write_test(c, ir.Op(">=", (count, bind.set.amount), NUMBER))
    return True


def _is_looked_up_before(c: Context, option: ir.Option, bind: ir.Bind, name: str, left: list[ir.Require]) -> bool:
    """A binder that has nothing to do with those before it: what it can be is found once, not for each of them."""
    before = {b.var for b in option.binds[: option.binds.index(bind)]}
    if not before or not c.rewrites or c.metered:
        return False
    if before.intersection(variables_in([bind.set, *([bind.test] if bind.test is not None else [])])):
        return False
    known = {*before, *(b.var for b in option.binds[option.binds.index(bind) + 1 :])}
    own = [d for d in left if bind.var in (v := variables_in([d.test])) and not known.intersection(v)]
    if not own and bind.test is None:
        return False
    tests = [*([bind.test] if bind.test is not None else []), *(d.test for d in own)]
    for demand in own:
        left.remove(demand)
    own_name = c.names[bind.var] = p.Name(name)
    said = shape((bind.set, *tests), (bind.var,)), c.beginning
    values = c.kept.get(said)
    if values is None:  # no other option goes through the same
        values = c.kept[said] = new_name(c, f"values_of_{bind.var.name}")
        c.out.before(c.beginning, 1, "{} = None", values)
    c.over = (bind.var,)
    made = [condition(c, t) for t in quick_first(c, "and", tuple(tests))]
    c.over = ()
    found = p.Comp("list", own_name, tested(clauses_of(c, bind.set, name), *made))
    c.out.line("if {} is None: {} = {}", values, values, found)
    c.out.line("for {} in {}:", name, values)
    c.out.depth += 1
    return True
