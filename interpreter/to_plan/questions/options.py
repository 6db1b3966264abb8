"""The list of all options of a question."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.ahead.path import Foreseen
from ichiba.interpreter.analysis.likeness import may_repeat
from ichiba.interpreter.analysis.simplify import weight
from ichiba.interpreter.flow.mentions import depends, same_first
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ONE, TRUE, call, logic, place, row
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name, with_name
from ichiba.interpreter.to_plan.context.writing import count_closely, define, end
from ichiba.interpreter.to_plan.questions.binders import counted_as, takes_long_to_make, write_option
from ichiba.interpreter.to_plan.questions.codes import code_of
from ichiba.interpreter.to_plan.sets.indexes import indexed_clauses
from ichiba.interpreter.to_plan.sets.looks import look_of
from ichiba.interpreter.to_plan.sets.loops import tested
from ichiba.interpreter.to_plan.sets.pieces import those_present
from ichiba.interpreter.to_plan.sets.sets import clauses_of, list_of


def write_options(c: Context, site: Site, decide: ir.Decide) -> None:
    """In the shortest way there is: a range, a few lists written down, or one option after the other."""
    if (
        len(decide.options) == 1
        and not decide.options[0].tests
        and not site.foreseen
        and len(decide.options[0].binds) == 1
        and not site.stop_after
        and not look_of(c, decide.options[0].binds[0].set)
        and not may_repeat(decide.options[0].binds[0].set)
    ):
        _one_binder(c, site, decide.options[0])
        return
    if _is_few_plain(c, site, decide):
        return
    c.out.line("r = []")
    c.out.line("add = r.append")
    number = 0
    while number < len(decide.options):
        number = _option_group(c, site, decide, number)
    repeats = any(may_repeat(bind.set) for option in decide.options for bind in option.binds)
    c.out.line("return distinct(r)" if repeats else "return r")


def _is_few_plain(c: Context, site: Site, decide: ir.Decide) -> bool:
    """Options without binders of which only one or two can be missing: every list there can be is written down."""
    options = decide.options
    open_ = [n for n, o in enumerate(options) if o.tests or site.foreseen.get(n, Foreseen()).tests]
    if not c.rewrites or len(open_) > 2 or site.stop_after or any(option.binds for option in options):
        return False
    if any(takes_long_to_make(c, site, n, options[n]) for n in open_):
        return False

    def lists(at: int, there: list[int]) -> None:
        doubtful = next((n for n in open_ if n >= at), len(options))
        there = [*there, *range(at, doubtful)]
        if doubtful == len(options):
            c.out.line("return {}", row(code_of(c, site, n, options[n], []) for n in there))
        else:
            tests = [*options[doubtful].tests, *site.foreseen.get(doubtful, Foreseen()).tests]
            with c.out.under("if {}:", logic("and", [lower(c, test.test) for test in tests])):
                lists(doubtful + 1, [*there, doubtful])
            lists(doubtful + 1, there)

    lists(0, [])
    return True


def _one_binder(c: Context, site: Site, option: ir.Option) -> None:
    """One option for each of what its only binder can be."""
    c.metered = counted_as(c, site, 0, option)
    bind = option.binds[0]
    name = new_name(c, bind.var.name)
    inner = bind.set
    if isinstance(inner, ir.Span_) and bind.test is None:
        by = lower(c, inner.step)
        ends = [lower(c, inner.low), place([lower(c, inner.high), 1])]
        c.out.line("return range({*})", [*ends, *([] if by == ONE else [by])])
        return
    code = code_of(c, site, 0, option, [p.Name(name)])
    if bind.test is not None and c.rewrites:
        found = indexed_clauses(c, ir.Filtered(inner, bind.var, bind.test, inner.kind), name)
        if found is not None:
            c.out.line("return {}", p.Comp("list", code, found))
            return
    if bind.test is not None:
        test = with_name(c, bind.var, p.Name(name), bind.test)
        c.out.line("return {}", p.Comp("list", code, tested(clauses_of(c, inner, name), test)))
    elif code == p.Name(name):
        present = those_present(c, inner, c.out.line)
        c.out.line("return {}", call("list", present) if present else list_of(c, inner))
    else:
        c.out.line("return {}", p.Comp("list", code, clauses_of(c, inner, name)))


def _option_group(c: Context, site: Site, decide: ir.Decide, number: int) -> int:
    """Options that share their first tests are written under one `if`; not where marks look at each of them."""
    option = decide.options[number]
    shared = option.tests[:1]
    last = number
    if (
        c.rewrites
        and shared
        and not depends(shared[0].test, option)
        and not takes_long_to_make(c, site, number, option)
    ):
        while last + 1 < len(decide.options) and same_first(decide.options[last + 1], shared[0]):
            last += 1
    if last == number:
        write_option(c, site, number, option, 0)
        return number + 1
    with c.out.under("if {}:", lower(c, shared[0].test)):
        for n in range(number, last + 1):
            write_option(c, site, n, decide.options[n], 1)
    return last + 1


def looked_at(decide: ir.Decide | ir.ChooseSome | ir.Secret) -> list[ir.Node | None]:
    """What there is of a question before anybody answers."""
    if not isinstance(decide, ir.Decide):
        return [decide.set] if isinstance(decide, ir.ChooseSome) else []
    options = decide.options
    return [*(bind.set for one in options for bind in one.binds), *(bind.test for one in options for bind in one.binds),
            *(test.test for one in options for test in one.tests)]  # fmt: skip


def write_exists(c: Context, site: Site) -> None:
    """Whether there is an option at all: the plain ones are looked at first."""
    define(c, f"e{site.number}", [p.S])
    count_closely(c, *looked_at(site.decide))
    if isinstance(site.decide, ir.ChooseSome):
        c.out.line("return bool({}(S))", f"o{site.number}")
    elif isinstance(site.decide, ir.Decide):
        options = site.decide.options
        c.any_will_do = True
        for number in sorted(
            range(len(options)),
            key=lambda n: (n in site.stop_after, bool(options[n].binds), weight(options[n].tests)),
        ):
            write_option(c, site, number, options[number], 0)
            if c.out.lines and c.out.lines[-1] == (1, p.Return(TRUE)):
                break
        c.any_will_do = False
        c.out.line("return False")
    end(c, said_once=isinstance(site.decide, ir.Decide))
