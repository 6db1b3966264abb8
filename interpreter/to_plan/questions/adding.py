"""An option that is found joins the list: at once, or all of a loop in one go."""

from __future__ import annotations

from collections.abc import Set

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import procedures_of
from ichiba.interpreter.ahead.path import Foreseen
from ichiba.interpreter.flow.pieces import Inside, Site, horizon
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import TRUE, call, compare, place, row, value_of
from ichiba.interpreter.plan.parts import parts_of as trees_in
from ichiba.interpreter.plan.saying import do
from ichiba.interpreter.plan.writing import OPEN
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.course.pieces import landing_number
from ichiba.interpreter.to_plan.expressions.conditions import condition

CELLS_AT_ONCE = 64  # of a state that is copied: they count as one step, where everything is counted
FOUND = (p.Return(TRUE),)  # it is only asked if there is an option


def add_option(c: Context, site: Site, number: int, parts: list[p.Exp], try_it: bool, foreseen: Foreseen) -> None:
    """Here is an option, if it leads on."""
    code = place(parts)
    if not try_it:
        if c.any_will_do:
            c.out.line("return True")
        elif not _is_in_one_go(c, parts):
            c.out.line("add({})", code)
        return
    if foreseen.sure is not None:
        found = FOUND if c.any_will_do else do("add({})", code)
        c.out.line("if {}: {}", condition(c, foreseen.sure), found[0])
        c.out.line("else:")
        c.out.depth += 1
    found = FOUND if c.any_will_do else do("add(c)")
    c.out.line("c = {}", code)
    end = _end_of_trial(c, site.paid_for, site.procedure, site.inside) if site.paid_for else p.Num(horizon(site, number))
    if c.world.closely:  # the state is copied, and may be large
        c.has_steps = True
        c.out.put(p.Do(call("spend", 1 + c.layout.size // CELLS_AT_ONCE)))
    if isinstance(end, p.Num):
        c.out.line("if dry_run(S, {}, c, {}): {}", site.number, end, found[0])
    else:
        paid_for = new_name(c, "paid_for")
        c.out.line("{} = {}", paid_for, end)
        c.out.line("if not {} or dry_run(S, {}, c, {}): {}", paid_for, site.number, paid_for, found[0])


def _end_of_trial(c: Context, paid_for: Set[tuple[Site, int]], procedure: ir.Procedure, inside: Inside) -> p.Exp:
    """Of a way to pay: the end of the option that is paid for, told by where control goes back to. 0: it leads on anyhow."""
    if inside:
        return p.Num(horizon(*inside[-1]) if inside[-1] in paid_for else 0)
    if procedure in c.flow.sole_callers:
        return _end_of_trial(c, paid_for, *c.flow.sole_callers[procedure])
    places: dict[p.Exp, list[p.Exp]] = {}
    for called, caller, within in c.flow.calls:
        if procedure in procedures_of(called.perform.procedure):
            end = _end_of_trial(c, paid_for, caller, within)
            places.setdefault(end, []).append(p.Num(landing_number(c, called)))
    back = p.Cell(p.Num(c.layout.slot(c.flow.returns[procedure])))
    made, *others = places or [p.Num(0)]  # a rule that is never performed asks nothing
    for end in others:
        there = places[end]
        made = p.Choice(compare(back, "==", there[0]) if len(there) == 1 else compare(back, "in", row(there)), end, made)
    return made


def _is_in_one_go(c: Context, parts: list[p.Exp]) -> bool:
    """The innermost loop as a list, where nothing else is done in it."""
    at = len(c.out.lines) - 1
    tests: list[p.Exp] = []
    while at >= 0 and c.out.lines[at][0] == c.out.depth - 1 - len(tests):
        match c.out.lines[at][1]:
            case p.If(test=test, yes=body) if body == OPEN:
                tests.insert(0, test)
            case p.For(targets=targets, source=source, body=body) if body == OPEN:
                del c.out.lines[at:]
                deeper = 1 + len(tests)
                c.out.depth -= deeper
                if len(targets) > 1 or not _is_by_steps(c, parts, targets[0], source, tests):
                    made = _hoisted(c, parts, targets[0])
                    c.out.line("r += {}", p.Comp("list", made, (p.Each(targets, source, tuple(tests)),)))
                c.out.depth += deeper
                return True
            case _:
                return False
        at -= 1
    return False


def _is_by_steps(c: Context, parts: list[p.Exp], running: p.Name, source: p.Exp, tests: list[p.Exp]) -> bool:
    """Numbers at the same distance from each other, of which one may be left out."""
    match source:
        case p.Call(function=p.Name(name="range"), args=(p.Num(value=low), p.Num(value=high), *more)):
            step = value_of(more[0]) if more else 1
        case _:
            return False
    moving = [(part, times) for part in parts if (times := _times(part, running))]
    if step is None or min(low, high, step) < 0 or len(moving) != 1 or len(tests) > 1:
        return False
    [(part, times)] = moving
    fixed = [other for other in parts if other is not part]
    ends = [*(place([*fixed, end * times]) for end in (low, high)), p.Num(step * times)]
    match tests:
        case []:
            c.out.line("r += range({*})", ends)
            return True
        case [p.Compare(first=first, rest=(("!=", but),))] if first == running and running not in trees_in(but):
            left_out = place([*fixed, p.Op("*", but, p.Num(times))])
            c.out.line("r += all_but({*}, {})", ends, left_out)
            return True
        case _:
            return False


def _hoisted(c: Context, parts: list[p.Exp], running: p.Name) -> p.Exp:
    """A sum of which only one part changes: the rest is worked out before."""
    moving = [part for part in parts if _times(part, running)]
    fixed = [part for part in parts if part not in moving]
    if all(isinstance(part, p.Num) for part in fixed) or len(moving) != 1:
        return place(parts)
    base = new_name(c, "base")
    c.out.line("{} = {}", base, place(fixed))
    return place([base, *moving])


def _times(part: p.Exp, running: p.Name) -> int:
    """How many times a part of a sum is what a loop runs over; 0 where it is something else."""
    match part:
        case p.Name():
            return int(part == running)
        case p.Op(op="*", left=left, right=p.Num(value=times)) if left == running:
            return times
        case _:
            return 0
