"""Conditions: what is the same for many values of a loop is worked out once."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import NUMBER
from ichiba.interpreter.analysis.simplify import depends_on, depends_only_on, heavy, inlined
from ichiba.interpreter.analysis.variables import renamed
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import call, compare
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.sets.indexes import is_looked_up
from ichiba.interpreter.to_plan.sets.sets import list_of
from ichiba.interpreter.to_plan.values.simplest import simplest, simplest_sides

COMPARES = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}  # and how the plan says it
_ANY = ir.Var("any", NUMBER)  # stands for whatever a loop runs over


def condition(c: Context, e: ir.Exp) -> p.Exp:
    """What is the same for many values of a binder is worked out once."""
    e = simplest(c, e)
    if isinstance(e, ir.Op) and e.op in ("and", "or"):
        return lower(c, e)
    over, c.over = c.over, ()
    try:
        return _kept_condition(c, e, over)
    finally:
        c.over = over


def _kept_condition(c: Context, e: ir.Exp, over: tuple[ir.Var, ...]) -> p.Exp:
    """The same for a condition that is neither `and` nor `or`, and worth it."""
    if not over or not c.rewrites or c.metered or not heavy(simplest_sides(c, e)) or is_looked_up(c, e):
        return lower(c, e)
    if isinstance(e, ir.Contains) and not isinstance(e.set, ir.Filtered) and not depends_on(e.set, over):
        kept = new_name(c, "known")
        among = call("frozenset", list_of(c, e.set))
        c.out.before(c.beginning, 1, "{} = None", kept)
        return say("{} in ({} if {} is not None else ({} := {}))", lower(c, e.item), kept, kept, kept, among)
    keys = depends_only_on(e, list(over))
    if keys is not None and len(keys) < 2:
        return _kept_value(c, e, over, keys[0] if keys else None)
    if isinstance(e, ir.CallValue):
        inner = inlined(e, small=False)  # perhaps parts of it are the same for many
        if inner is not e:
            c.over = over
            return condition(c, inner)
    if keys is None and isinstance(e, ir.Op) and e.op in COMPARES:
        left, right = (_condition_side(c, arg, over) for arg in e.args)
        return compare(left, COMPARES[e.op], right)
    return lower(c, e)


def _kept_value(c: Context, e: ir.Exp, over: tuple[ir.Var, ...], key: ir.Exp | None) -> p.Exp:
    """Worked out when it is first asked for: once, or once for each value of `key`."""
    said = renamed(e, {var: ir.Use(_ANY, var.kind) for var in over}), c.beginning
    kept = c.kept.setdefault(said, "") or new_name(c, "known")
    first, c.kept[said] = not c.kept[said], kept
    made, by = lower(c, e), lower(c, key) if key is not None else None
    if by is None:
        if first:
            c.out.before(c.beginning, 1, "{} = None", kept)
        return say("{} if {} is not None else ({} := {})", kept, kept, kept, made)
    at, seen = new_name(c, "k"), p.Name(kept, "keyed")
    if first:
        c.out.before(c.beginning, 1, "{} = {{}}", seen)
    return say("{}[{}] if ({} := {}) in {} else {}.setdefault({}, {})", seen, at, at, by, seen, seen, at, made)


def _condition_side(c: Context, e: ir.Exp, over: tuple[ir.Var, ...]) -> p.Exp:
    """A side of a comparison: worked out once, where it is the same for all values."""
    return lower(c, e) if depends_on(e, over) else _kept_condition(c, simplest(c, e), over)
