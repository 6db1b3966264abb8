"""What can be worked out now: for one sort of pieces, or for fixed values."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.dsl.world.constant import operate
from ichiba.interpreter.analysis.simplify import folded, inlined
from ichiba.interpreter.analysis.variables import renamed
from ichiba.interpreter.to_plan.context.context import Context

PLAIN = {"+", "-", "*", "=", "!=", "<", "<=", ">", ">=", "and", "or", "not", "neg"}


def by_sort(c: Context, e: ir.Exp, var: ir.Var, sort: int) -> int | None:
    """What an expression comes to for a piece of a sort, if that is all it needs to know."""
    match e:
        case ir.Const(value=value):
            return value
        case ir.SortOf(piece=ir.Use(var=used)) if used is var:
            return sort
        case ir.Lookup(rows=rows, at=(at,), low=(low,), other=other):
            index = by_sort(c, at, var, sort)
            if index is None:
                return None
            entry = rows[index - low] if 0 <= index - low < len(rows) else other
            return entry if isinstance(entry, int) else None
        case ir.Op(
            op="=" | "!=" | "<" | "<=" | ">" | ">=" as op, args=(ir.Use(var=used, at=None), ir.Const(value=limit))
        ) if used is var:
            found = {operate(op, [t.id, limit], None) for t in c.world.things if t.sort == sort}
            return found.pop() if len(found) == 1 and c.world.sorts[sort].individual else None
        case ir.Op(op=op, args=args) if op in PLAIN:
            values = [by_sort(c, a, var, sort) for a in args]
            if any(v is None for v in values):
                return None
            return operate(op, [v for v in values if v is not None], None)
        case ir.Contains(set=ir.Listed(items=items), item=item) if all(isinstance(i, ir.Const) for i in items):
            found_ = by_sort(c, item, var, sort)
            return None if found_ is None else int(any(i.value == found_ for i in items if isinstance(i, ir.Const)))
        case ir.CallValue(function=ref, args=args):
            chooser = None if ref.by is None else by_sort(c, args[ref.by], var, sort)
            function = (
                ref.default if ref.by is None else ref.cases.get(chooser, ref.default) if chooser is not None else None
            )
            call = None if function is None else ir.CallValue(ir.ValueRef(ref.name, function), args, e.kind)
            body = None if call is None else inlined(call, small=False)
            return None if body is None or body is call else by_sort(c, body, var, sort)
        case ir.Cond(test=test, yes=yes, no=no):
            first = by_sort(c, test, var, sort)
            return None if first is None else by_sort(c, yes if first else no, var, sort)
        case _:  # any other: it hangs on more than the sort
            return None


def those_fitting(inner: ir.Listed, var: ir.Var, test: ir.Exp) -> tuple[ir.Exp, ...] | None:
    """Which of fixed values meet a condition that hangs on fixed fields only."""
    kept: list[ir.Exp] = []
    for item in inner.items:
        found = folded(renamed(test, {var: item})) if isinstance(item, ir.Const) else test
        if not isinstance(found, ir.Const):
            return None
        if found.value:
            kept.append(item)
    return tuple(kept)


def fixed_set(inner: ir.Set) -> tuple[list[int] | None, list[tuple[ir.Var, ir.Exp]]]:
    """The values of a set that is fixed, and the conditions they must meet."""
    tests: list[tuple[ir.Var, ir.Exp]] = []
    while isinstance(inner, ir.Filtered):
        tests.append((inner.var, inner.test))
        inner = inner.set
    if isinstance(inner, ir.Listed) and all(isinstance(i, ir.Const) for i in inner.items):
        return [i.value for i in inner.items if isinstance(i, ir.Const)], tests
    if isinstance(inner, ir.Span_) and all(isinstance(x, ir.Const) for x in (inner.low, inner.high, inner.step)):
        low, high, step = (x.value for x in (inner.low, inner.high, inner.step) if isinstance(x, ir.Const))
        return list(range(low, high + 1, step)), tests
    return None, tests


def weight(e: object) -> int:
    """How much there is to say."""
    return sum(1 for _ in walk(e))
