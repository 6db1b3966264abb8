"""Conditions and numbers put together: units that agree, amounts in their unit's steps, constants worked out at once."""

from __future__ import annotations

from typing import cast

from ichiba.dsl.names.context import Context
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.constant import LARGEST, operate
from ichiba.dsl.world.kinds import FLAG, NUMBER, Kind

MOST_TIMES = 40  # that a number but 1 and 0 is taken times itself: then it is too large
FALSE = ir.Const(0, FLAG)


def negate(c: Context, test: ir.Exp) -> ir.Exp:
    if isinstance(test, ir.Const):
        return ir.Const(int(not test.value), FLAG)
    if isinstance(test, ir.Op) and test.op == "not":
        [inner] = test.args
        return inner
    return ir.Op("not", (test,), FLAG)


def negate_if(c: Context, yes: bool, test: ir.Exp) -> ir.Exp:
    return negate(c, test) if yes else test


def fold(c: Context, op: ir.Op) -> ir.Exp:
    """Work out at once what is fixed."""
    if all(isinstance(arg, ir.Const) for arg in op.args) and not (
        op.op.startswith("/") and cast(ir.Const, op.args[1]).value == 0
    ):
        return ir.Const(operate(op.op, [cast(ir.Const, arg).value for arg in op.args], None), op.kind)
    if op.op in ("and", "or"):
        settles = int(op.op == "or")
        if any(isinstance(arg, ir.Const) and bool(arg.value) == settles for arg in op.args):
            return ir.Const(settles, op.kind)
        left = tuple(arg for arg in op.args if not isinstance(arg, ir.Const))
        return left[0] if len(left) == 1 else ir.Op(op.op, left, op.kind)
    return op


def fold_power(op: ir.Op) -> ir.Exp:
    """The same for what may come to more than there are numbers: that is a fault when it happens."""
    match op.args:
        case ir.Const(), ir.Const(value=n) if n < 0:
            return ir.Const(0, op.kind)
        case ir.Const(value=a), ir.Const(value=n) if (n <= MOST_TIMES or abs(a) <= 1) and abs(a**n) <= LARGEST:
            return ir.Const(a**n, op.kind)
        case _:  # any other: it hangs on more, or is too large
            return op


def with_kind(c: Context, value: ir.Exp, kind: Kind) -> ir.Exp:
    """The same number in a unit."""
    if isinstance(value, ir.Const):
        return ir.Const(value.value, kind)
    return ir.Op("+", (value, ir.Const(0, kind)), kind)


def same_unit(c: Context, a: t.Expr, left: ir.Exp, b: t.Expr, right: ir.Exp) -> None:
    if left.kind.form == "number" and right.kind.form == "number" and left.kind.name != right.kind.name:
        c.faults.add(
            "E301",
            b.span,
            f"{left.kind} and {right.kind} are different units",
            label=f"this is {right.kind}",
            second=(a.span, f"this is {left.kind}"),
        )


def unit_step(c: Context, kind: Kind) -> int:
    """The steps in which a unit is counted: 1000 for `¥1,000`, `¥2,000`, …; 1 for plain numbers."""
    return c.world.units[kind.name][1] if kind.name in c.world.units else 1


def check_step(c: Context, node: t.Expr, value: ir.Exp) -> None:
    """An amount that is written down, to be paid or offered, is a multiple of its unit's step."""
    step = unit_step(c, value.kind)
    sure = isinstance(node, t.Money | t.Some) or not c.faults.errors  # else it may only follow from another fault
    if isinstance(value, ir.Const) and value.value % step and sure:
        below = value.value - value.value % step
        c.fault(
            "E316",
            node,
            f"{amount_text(c, value.value, value.kind)} is no multiple of {amount_text(c, step, value.kind)}",
            label=f"the nearest are {amount_text(c, below, value.kind)} and {amount_text(c, below + step, value.kind)}",
        )


def amount_text(c: Context, value: int, kind: Kind) -> str:
    """How an amount is written: `¥1,000`."""
    return c.world.units[kind.name][0].replace("{}", f"{value:,}")


def arithmetic_kind(c: Context, node: t.Operation, op: str, values: list[ir.Exp], args: tuple[t.Expr, ...]) -> Kind:
    kinds = [value.kind.plain for value in values]
    if op == "neg":
        return kinds[0]
    left, right = kinds
    if op == "*":
        if left.name and right.name:
            c.fault("E301", node, f"{left} cannot be multiplied by {right}")
        return left if left.name else right
    if op.startswith("/"):
        if right.name and right.name != left.name:
            c.fault("E301", node, f"{left} cannot be divided by {right}")
        return NUMBER if right.name else left
    same_unit(c, args[0], values[0], args[1], values[1])
    return left
