"""Numbers worked out, compared and joined."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.extent import LARGEST
from ichiba.dsl.rules.walks import walk
from ichiba.dsl.world.kinds import FLAG, NUMBER
from ichiba.interpreter.analysis.folding import by_sort
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ONE, arithmetic, call, logic
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import name_of
from ichiba.interpreter.to_plan.context.tables import table_by_place
from ichiba.interpreter.to_plan.expressions.conditions import COMPARES, condition
from ichiba.interpreter.to_plan.sets.indexes import quick_first
from ichiba.interpreter.to_plan.values.pieces import is_individual
from ichiba.interpreter.to_plan.values.simplest import simplest, simplest_sides


def operation(c: Context, op: str, args: tuple[ir.Exp, ...]) -> p.Exp:
    """`+`, `<`, `and` … of other expressions."""
    if c.rewrites and op in ("and", "or"):
        return _within_ends(c, op, args) or _joined(c, op, args)
    if c.rewrites and op in ("+", "-", "*"):
        known = _by_place_of_piece(c, ir.Op(op, args, NUMBER))
        if known is not None:
            return known
    return _worked_out(c, op, args, [lower(c, arg) for arg in args])


def _joined(c: Context, op: str, args: tuple[ir.Exp, ...]) -> p.Exp:
    """`and`, `or`: what is known beforehand is left out, what is quick comes first."""
    decides = int(op == "or")
    open_ = [part for part in quick_first(c, op, args) if part != ir.Const(1 - decides, FLAG)]
    if ir.Const(decides, FLAG) in open_ or not open_:
        return p.Num(decides if open_ else 1 - decides)
    return logic(op, [condition(c, part) for part in open_])


def _worked_out(c: Context, op: str, args: tuple[ir.Exp, ...], made: list[p.Exp]) -> p.Exp:
    """`made`: the arguments as they are said."""
    match op:
        case "not":
            return p.Unary("not", made[0])
        case "neg":
            return p.Unary("-", made[0])
        case "/down":
            return p.Op("//", made[0], made[1])
        case "/up":
            return say("-(-{} // {})", made[0], made[1])
        case "min" | "max":
            return call(op, *made)
        case "power" if args[0] == ir.Const(2, args[0].kind) and _is_small_exponent(c, args[1]):
            return p.Op("<<", ONE, made[1])
        case "power" | "owed":
            return call(op, *made)
        case "*" if too_large(c, ir.Op(op, args, args[0].kind)):
            return say("big({} * {})", made[0], made[1])
        case "even":
            return say("{} % 2 == 0", made[0])
        case "abs":
            return call("abs", made[0])
        case "next_seat":
            return say("({} + 1) % {}", made[0], c.world.config.seats)
        case "and" | "or":
            return logic(op, made)
        case _ if op in COMPARES:
            return p.Compare(made[0], ((COMPARES[op], made[1]),))
        case _:
            return arithmetic(op, made[0], made[1])


def _within_ends(c: Context, op: str, args: tuple[ir.Exp, ...]) -> p.Exp | None:
    """`x >= 3 and x <= 5` looks at x once."""
    match op, args:
        case "and", (
            ir.Op(op=">=", args=(one, ir.Const(value=low))),
            ir.Op(op="<=", args=(other, ir.Const(value=high))),
        ) if one == other:
            looked_at = lower(c, one)
            return say("{} == {}", looked_at, low) if low == high else say("{} <= {} <= {}", low, looked_at, high)
        case _:  # any other: it looks at several things
            return None


def _by_place_of_piece(c: Context, e: ir.Op) -> p.Exp | None:
    """What hangs on nothing but the sort of a counted piece stands in a table by its place."""
    e = ir.Op(e.op, tuple(simplest_sides(c, simplest(c, arg)) for arg in e.args), e.kind)
    nodes = list(walk(e))
    if not any(isinstance(n, ir.SortOf) for n in nodes):
        return None
    pieces = {n.var for n in nodes if isinstance(n, ir.Use)}
    if len(pieces) != 1:
        return None
    (piece,) = pieces
    if piece.kind.form != "piece" or piece.kind.optional or is_individual(c, piece.kind.name) is not False:
        return None
    values = {sort: by_sort(c.world, e, piece, sort) for sort in c.world.categories[piece.kind.name]}
    rows = [0 if (value := values.get(sort, 0)) is None else value for sort in range(len(c.world.sorts))]
    if None in values.values():
        return None
    return p.Entry(p.Name(table_by_place(c, tuple(rows), "worked_out", 0, 0)), name_of(c, piece))


def _is_small_exponent(c: Context, e: ir.Exp) -> bool:
    """Whether a power with this exponent surely is a number that may be."""
    low, high = c.extents.value(e)
    return low >= 0 and 2 ** min(high, 60) <= LARGEST


def too_large(c: Context, e: ir.Exp) -> bool:
    """Whether a number could leave the range that numbers keep to."""
    low, high = c.extents.value(e)
    return low < -LARGEST or high > LARGEST
