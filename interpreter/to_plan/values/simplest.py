"""Expressions in the form in which they are quickest."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import FLAG, NUMBER
from ichiba.interpreter.analysis.simplify import simpler
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.values.counting import counts_too
from ichiba.interpreter.to_plan.values.pieces import pieces_single


def simplest(c: Context, e: ir.Exp) -> ir.Exp:
    """The same expression in the form in which it is quickest."""
    known = c.simplest.get(id(e))
    if known is None:
        if not c.rewrites:
            return e
        made = e
        for _ in range(8):
            before, made = made, _as_counts(c, simpler(made))
            if made is before:
                break
        known = c.simplest[id(e)] = (made, e)  # kept, so that no other takes its place
    return known[0]


def _as_counts(c: Context, e: ir.Exp) -> ir.Exp:
    """How many counted pieces there are need not be found out one by one."""
    match e:
        case ir.Aggregate(how="any" | "no", value=ir.Op() | ir.Lookup() | ir.Contains() as test) if not isinstance(
            e.set, ir.Filtered
        ):
            return ir.Aggregate(e.how, ir.Filtered(e.set, e.var, test, e.set.kind), e.var, None, e.kind)
        case ir.Aggregate(how="count", value=None, set=ir.Pieces(zones=zones, sorts=sorts) as inner):
            if pieces_single(c, inner) is False or counts_too(c, inner):
                return ir.CountIn(zones, sorts, e.kind)
        case ir.Aggregate(how="any" | "no", value=None, set=ir.Pieces(zones=zones, sorts=sorts) as inner):
            if counts_too(c, inner):
                count = ir.CountIn(zones, sorts, NUMBER)
                return ir.Op(">" if e.how == "any" else "=", (count, ir.Const(0, NUMBER)), FLAG)
        case ir.Op(op=">=", args=(ir.CountIn() | ir.Aggregate(how="count"), ir.Const(value=0))):
            return ir.Const(1, FLAG)
        case _:  # any other: it counts nothing
            pass
    return e


def simplest_sides(c: Context, e: ir.Exp) -> ir.Exp:
    """A comparison with its sides in their simplest form."""
    if isinstance(e, ir.Op):
        args = tuple(simplest_sides(c, simplest(c, arg)) for arg in e.args)
        return ir.Op(e.op, args, e.kind)
    return e
