"""What is fixed before the game is worked out now: of the rules. (Of the plan it is done by those who make it: `plan/build.py`.)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import anew, with_parts
from ichiba.dsl.world.constant import operate
from ichiba.dsl.world.kinds import FLAG
from ichiba.dsl.world.world import World
from ichiba.interpreter.analysis.simplify import inlined
from ichiba.interpreter.analysis.variables import Node, renamed

Known = Callable[[ir.Exp], int | None]  # what a part comes to, where that is known

_PLAIN = frozenset(("+", "-", "*", "neg", "=", "!=", "<", "<=", ">", ">=", "and", "or", "not"))
_CAN_BE_FIXED = (ir.Op, ir.Cond, ir.Lookup, ir.Filtered, ir.Contains)


def value_by(e: ir.Exp, known: Known) -> int | None:
    """What an expression comes to, by what its parts come to: the one place where that is said."""
    match e:
        case ir.Const(value=value):
            return value
        case ir.Op(op=op, args=args) if op in _PLAIN:
            values: list[int] = []
            for arg in args:
                if (value_ := known(arg)) is None:
                    return None
                values.append(value_)
            return operate(op, values, None)
        case ir.Lookup():
            return entry_by(e, known)
        case ir.Contains(set=ir.Listed(items=items), item=item) if all(isinstance(i, ir.Const) for i in items):
            found = known(item)
            return None if found is None else int(any(isinstance(i, ir.Const) and i.value == found for i in items))
        case ir.Cond(test=test, yes=yes, no=no):
            first = known(test)
            return None if first is None else known(yes if first else no)
        case _:  # any other: it hangs on more than its parts
            return None


def entry_by(e: ir.Lookup, known: Known) -> int | None:
    """The entry of a fixed table. A number that has none is not known here: that is told in play."""
    found: object = e.rows
    for index, low in zip(e.at, e.low, strict=True):
        at = known(index)
        if at is None or not isinstance(found, tuple):
            return None
        if not 0 <= at - low < len(found):
            return None if index.kind.form == "number" else e.other
        found = found[at - low]
    return found if isinstance(found, int) else None


def folded(node: Node) -> Node:
    """Everything that hangs on fixed values only is worked out."""
    return cast(Node, anew(node, _folded))


def _folded(node: Any) -> Any:
    if isinstance(node, ir.CallValue) and (not node.args or any(isinstance(arg, ir.Const) for arg in node.args)):
        inner = inlined(node)
        if inner is not node:
            return _folded(inner)
    made = with_parts(node, _folded)
    return _step(made) if isinstance(made, _CAN_BE_FIXED) else made


def _step(e: Any) -> Any:
    """One step, where the parts have had theirs: what is fixed, and what a part that is fixed decides alone."""
    match e:
        case ir.Op(op="and" | "or" as op, args=args):
            decides = int(op == "or")
            if any(isinstance(a, ir.Const) and bool(a.value) == decides for a in args):
                return ir.Const(decides, FLAG)
            rest = [a for a in args if not isinstance(a, ir.Const)]
            if len(rest) < 2:
                return rest[0] if rest else ir.Const(1 - decides, FLAG)
            return e
        case ir.Cond(test=ir.Const(value=value), yes=yes, no=no):
            return yes if value else no
        case ir.Filtered(set=inner, test=ir.Const(value=1)):
            return inner
        case ir.Filtered():
            return e
        case _:  # any other: it is fixed, or stays as it is
            fixed = value_by(e, _fixed)
            return e if fixed is None else ir.Const(fixed, e.kind)


def _fixed(e: ir.Exp) -> int | None:
    return e.value if isinstance(e, ir.Const) else None


def by_sort(world: World, e: ir.Exp, var: ir.Var, sort: int) -> int | None:
    """What an expression comes to for a piece of a sort, if that is all it needs to know."""

    def known(part: ir.Exp) -> int | None:
        return by_sort(world, part, var, sort)

    match e:
        case ir.SortOf(piece=ir.Use(var=used)) if used is var:
            return sort
        case ir.Op(
            op="=" | "!=" | "<" | "<=" | ">" | ">=" as op, args=(ir.Use(var=used, at=None), ir.Const(value=limit))
        ) if used is var:
            found = {operate(op, [t.id, limit], None) for t in world.things if t.sort == sort}
            return found.pop() if len(found) == 1 and world.sorts[sort].individual else None
        case ir.CallValue(function=ref, args=args):
            chooser = None if ref.by is None else known(args[ref.by])
            function = (
                ref.default if ref.by is None else ref.cases.get(chooser, ref.default) if chooser is not None else None
            )
            call = None if function is None else ir.CallValue(ir.ValueRef(ref.name, function), args, e.kind)
            body = None if call is None else inlined(call, small=False)
            return None if body is None or body is call else known(body)
        case _:  # any other: as its parts
            return value_by(e, known)


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
