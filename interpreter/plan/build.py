"""Small makers of trees: what is fixed in them worked out, chains of `and`, fixed numbers recognised."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from ichiba.dsl.world.constant import operate
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.saying import Hole, exps, lift

ZERO, ONE, TRUE, FALSE, NONE = p.Num(0), p.Num(1), p.Truth(True), p.Truth(False), p.Nothing()


def value_of(e: p.Exp) -> int | None:
    """The value of a fixed number."""
    return e.value if isinstance(e, p.Num) else None


def natural(e: p.Exp) -> bool:
    """Whether it is a fixed number, not below nothing."""
    return isinstance(e, p.Num) and e.value >= 0


def place(parts: Iterable[Hole]) -> p.Exp:
    """Where something stands: a sum with its fixed parts worked out."""
    fixed = 0
    terms: list[p.Exp] = []
    for part in parts:
        match part:
            case int():
                fixed += part
            case p.Num(value=value):
                fixed += value
            case p.Sum(terms=more, fixed=value):
                terms += more
                fixed += value
            case _:
                terms.append(lift(part))
    if not terms:
        return p.Num(fixed)
    return terms[0] if len(terms) == 1 and not fixed else p.Sum(tuple(terms), fixed)


def split(e: p.Exp) -> tuple[tuple[p.Exp, ...], int]:
    """What varies of a place, and what is fixed."""
    match e:
        case p.Num(value=value):
            return (), value
        case p.Sum(terms=terms, fixed=fixed):
            return terms, fixed
        case _:
            return (e,), 0


def arithmetic(op: str, left: p.Exp, right: p.Exp) -> p.Exp:
    """`+`, `*` … of two, worked out where both are fixed; what adds nothing is left out."""
    match op:
        case "+" | "*" if isinstance(left, p.Num) and isinstance(right, p.Num) and min(left.value, right.value) >= 0:
            return p.Num(operate(op, [left.value, right.value], None))
        case "*" if ZERO in (left, right):
            return ZERO
        case "+" if left == ZERO:
            return right
        case "+" if right == ZERO:
            return left
        case "*" if right == ONE:
            return left
        case _:
            return p.Op(op, left, right)


def less(e: p.Exp, low: int) -> p.Exp:
    """How far something is above the lowest."""
    if isinstance(e, p.Num):
        return p.Num(e.value - low)
    if not low:
        return e
    return p.Op("-", e, p.Num(low)) if low > 0 else p.Op("+", e, p.Num(-low))


def steps(e: p.Exp, step: int, low: int = 0) -> list[p.Exp]:
    """Each above the lowest is so many steps: the parts of a place that say so."""
    if isinstance(e, p.Num):
        return [p.Num((e.value - low) * step)]
    return [p.Op("*", e, p.Num(step)) if step != 1 else e, p.Num(-low * step)]


def plus(parts: Sequence[p.Exp]) -> p.Exp:
    """All of them added up; nothing is 0."""
    return reduce(lambda a, b: p.Op("+", a, b), parts) if parts else ZERO


def logic(op: str, parts: Sequence[p.Exp]) -> p.Exp:
    return parts[0] if len(parts) == 1 else p.Logic(op, tuple(parts))


def compare(left: p.Exp, op: str, right: p.Exp) -> p.Exp:
    return p.Compare(left, ((op, right),))


def call(function: Hole, *args: Hole) -> p.Call:
    return p.Call(exps((function,))[0], exps(args))


def row(items: Iterable[Hole]) -> p.Row:
    """A tuple."""
    return p.Row("tuple", exps(tuple(items)))


def one(statements: tuple[p.Stm, ...]) -> p.Stm:
    """The only statement of a sentence."""
    [found] = statements
    return found
