"""What chance brings: picks and orders."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import NONE, place
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.runtime.chance import UNTOLD
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.names import name_of
from ichiba.interpreter.to_plan.context.tables import kind_ref
from ichiba.interpreter.to_plan.context.writing import fault
from ichiba.interpreter.to_plan.sets.sets import list_of
from ichiba.interpreter.to_plan.statements.moving import set_kind
from ichiba.interpreter.to_plan.values.zones import zone_sorts

LIST = p.Name("m", "list")  # what is drawn or picked from


def chance(
    c: Context, result: str, values: p.Exp, weights: p.Exp | None, kind: object, what: str, hidden: p.Exp = NONE
) -> None:
    """One value by chance, told to the context when tracing."""
    if c.trace:
        told = [values, weights or NONE, kind_ref(c, kind), p.Word(what), hidden]
        c.out.line("{} = {}[C.draw(S, {*})]", result, values, told)
    elif weights is None:
        c.out.line("{} = {}[below(S, C, len({}))]", result, values, values)
    else:
        raise AssertionError


def in_random_order(c: Context, listed: p.Exp, kind: object, what: str) -> p.Exp:
    """A list in an order by chance."""
    if c.trace:
        return say("C.shuffle(S, {}, {}, {})", listed, kind_ref(c, kind), p.Word(what))
    return say("shuffled(S, C, {})", listed)


def pick(c: Context, s: ir.Pick) -> None:
    """One of a set by chance."""
    c.out.line("m = {}", list_of(c, s.set, each=True))
    c.out.line("if not m: {}", fault(c, "there is nothing to pick from", s.span))
    chance(c, "q", LIST, None, s.set.kind.of, s.var.name, p.Num(UNTOLD) if s.race else NONE)
    c.out.line("{} = q", name_of(c, s.var))


def shuffle(c: Context, s: ir.Shuffle) -> None:
    """All pieces of a zone in an order by chance."""
    sorts = zone_sorts(c, s.zone)
    pieces = ir.Pieces((s.zone,), ir.SortSet(sorts), set_kind(c.world.element(s.zone.kind.name)))
    shuffled = in_random_order(c, list_of(c, pieces), c.world.element(s.zone.kind.name), "order")
    rank = c.world.places.get("rank")
    if rank is None:  # nobody keeps the order, but it is chance all the same
        c.out.line("{}", shuffled)
        return
    with c.out.under("for k, p in enumerate({}):", shuffled):
        c.out.line("S[{}] = k", place(["p", rank.base - rank.dims[0][0]]))
