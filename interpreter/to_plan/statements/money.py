"""Money that goes from purse to purse."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.interpreter.ahead.failing import empties
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import call, natural, one
from ichiba.interpreter.plan.saying import do, say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.writing import fault
from ichiba.interpreter.to_plan.statements.assigning import check_owners, tell_effect

LARGE_AMOUNT = 10**6  # smaller ones never add up to too much


def transfer(c: Context, s: ir.Pay) -> None:
    """An amount out of one purse into another; where there is too little, as its ending says."""
    for purse in (s.source, s.target):
        if isinstance(purse, ir.PurseAt):
            check_owners(c, purse.at, s.span)
    source, target = _purse_place(c, s.source), _purse_place(c, s.target)
    amount = lower(c, s.amount)
    simple = natural(amount) or empties(s)
    owing = not c.facts.indebted.isdisjoint(n.member for n in walk(s.source) if isinstance(n, ir.PurseAt))
    if not simple or empties(s):
        c.out.line("v = {}", amount)
        if not empties(s) or owing:
            c.out.line("if v < 0: {}", fault(c, "an amount below nothing is paid", s.span))
        amount = p.Name("v")
    if source is not None:
        if s.tail == "as_far":
            goes = say("min({}, S[{}])", amount, source)
            c.out.line("v = {}", call("max", 0, goes) if owing else goes)
            amount = p.Name("v")
        elif s.tail == "in_full" and not empties(s):
            c.out.line("if S[{}] < {}: {}", source, amount, _too_poor(c, s))
        elif s.tail == "promised" and not empties(s):
            c.out.line("if S[{}] < {}: {}", source, amount, _not_set_aside(c, s, source, amount))
        c.out.line("S[{}] -= {}", source, amount)
    if target is not None:
        c.out.line("S[{}] += {}", target, amount)
        if c.extents.value(s.amount)[1] > LARGE_AMOUNT:
            c.out.line("big(S[{}])", target)
    tell_effect(c, f"money:{s.unit}", s.span)


def _too_poor(c: Context, s: ir.Pay) -> p.Stm:
    """What is required of whoever pays."""
    test = ir.Op(">=", (ir.Const(0, s.amount.kind), s.amount), s.amount.kind)
    there = (": only ", ir.Read(s.source.member, s.source.at, s.amount.kind), " is there") if isinstance(s.source, ir.PurseAt) else ()
    c.numbered.demands.append(ir.Require(test, ir.Label(("there is not enough to pay ", s.amount, *there)), "derived", s.span))
    return one(do("raise Unmet({})", len(c.numbered.demands) - 1))


def _not_set_aside(c: Context, s: ir.Pay, source: p.Exp, amount: p.Exp) -> p.Stm:
    """More is paid than was set aside: how much of each."""
    write = c.world.units[s.unit][0]
    said = f"{write} is to be paid out of `{_called(s.source)}`, and {write} is left of what was set aside"
    c.numbered.faults.append((said, s.span))
    at = len(c.numbered.faults) - 1
    return one(do("raise RuleFault(lacking(FAULTS[{}], {}, S[{}]), {})", at, amount, source, at))


def _called(purse: ir.Exp) -> str:
    return purse.member.promise if isinstance(purse, ir.PurseAt) else "it"


def _purse_place(c: Context, purse: ir.Exp) -> p.Exp | None:
    """The place of a purse; None for a supply without end."""
    if isinstance(purse, ir.PurseAt):
        return None if purse.member.unlimited else lower(c, purse)
    if isinstance(purse, ir.Cond) and any(
        isinstance(side, ir.PurseAt) and side.member.unlimited for side in (purse.yes, purse.no)
    ):
        spare = c.layout.once("no purse", 1, "no purse")
        yes = _purse_place(c, purse.yes) or p.Num(spare)
        no = _purse_place(c, purse.no) or p.Num(spare)
        return p.Choice(lower(c, purse.test), yes, no)
    return lower(c, purse)
