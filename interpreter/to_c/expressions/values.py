"""Numbers in C put together, with what is known of how large they are."""

from __future__ import annotations

from collections.abc import Sequence

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_c.known.program import (
    HUGE,
    Unsupported,
    shape,
)
from ichiba.interpreter.to_c.known.scope import MOST, NEAR, NO_NUMBERS, WIDE, Range, Value, hull

NO_LIST = Value("(L){-1, 0, NULL}", *NO_NUMBERS)  # None, where a list could be


CHECKED = {"+": "add", "*": "mul", "//": "div_", "%": "mod_", "**": "power", "<<": "shl", ">>": "shr"}


def unsupported(e: p.Exp, wanted: str) -> Unsupported:
    return Unsupported(f"{shape(e)} as {wanted}")


def literal(value: int) -> Value:
    if abs(value) >= HUGE:
        raise Unsupported("a number that is too large")
    text = f"{value}LL" if abs(value) >= 1 << 31 else str(value)
    return Value(f"({text})" if value < 0 else text, value, value)


def added(values: Sequence[Value]) -> Value:
    made = values[0]
    for value in values[1:]:
        made = calculated("+", made, value)
    return made


def calculated(op: str, one: Value, other: Value) -> Value:
    """Two numbers put together; checked, where the outcome may be too large, or where there is none."""
    match op:
        case "+" | "-" | "*":
            return _checked(op, one, other)
        case "//" if other.low > 0:
            if other.range == (1, 1):
                return one
            low, high = one.low // (other.low if one.low < 0 else other.high), one.high // (other.low if one.high > 0 else other.high)
            return Value(f"({one.text} / {other.text})" if one.low >= 0 else f"div_(k, {one.text}, {other.text})", low, high)
        case "%" if other.low > 0:
            if other.range == (1, 1):
                return literal(0)
            most = min(other.high - 1, one.high) if one.low >= 0 else other.high - 1
            return Value(f"({one.text} % {other.text})" if one.low >= 0 else f"mod_(k, {one.text}, {other.text})", 0, most)
        case "&":
            ends = [value.high for value in (one, other) if value.low >= 0]
            return Value(f"({one.text} & {other.text})", *((0, min(ends)) if ends else (-MOST, MOST)))
        case "|":
            bits = max(one.high, other.high).bit_length()
            return Value(f"({one.text} | {other.text})", *((0, (1 << bits) - 1) if min(one.low, other.low) >= 0 else (-MOST, MOST)))
        case "//" | "%" | "**" | "<<" | ">>":
            return Value(f"{CHECKED[op]}(k, {one.text}, {other.text})", *((-NEAR, NEAR) if op == "**" else (-WIDE, WIDE)))
        case _:
            raise Unsupported(f"the sign {op}")


def _checked(op: str, one: Value, other: Value) -> Value:
    low, high = _ends(op, one, other)
    if not is_checked(op, one, other):
        return Value(f"({one.text} {op} {other.text})" if other.range != (0, 0) or op == "*" else one.text, low, high)
    name, turned = ("mul", other.text) if op == "*" else ("add", other.text if op == "+" else f"-({other.text})")
    return Value(f"{name}(k, {one.text}, {turned})", max(low, -WIDE), min(high, WIDE))


def is_checked(op: str, one: Value, other: Value) -> bool:
    """Whether a sum, a difference or a product of these might be too large."""
    low, high = _ends(op, one, other)
    return low < -MOST or high > MOST


def _ends(op: str, one: Value, other: Value) -> Range:
    if op == "+":
        return one.low + other.low, one.high + other.high
    if op == "-":
        return one.low - other.high, one.high - other.low
    ends = [a * b for a in one.range for b in other.range]
    return min(ends), max(ends)


def nearby(value: Value) -> Value:
    """A number as functions take and give it."""
    return value if value.within(-NEAR, NEAR) else Value(f"near(k, {value.text})", max(value.low, -NEAR), min(value.high, NEAR))


def entry_of_table(at: Value, many: int) -> str:
    """A place in a table of so many entries, also from its end; checked, where it is not sure to be there."""
    if at.within(0, many - 1):
        return at.text
    return f"{'upto' if at.low >= 0 else 'entry_at'}(k, {at.text}, {many})"


def numbers_of(table: object) -> Range:
    """Between what the numbers of a table lie."""
    if isinstance(table, int):
        return int(table), int(table)
    if isinstance(table, dict):
        return hull(numbers_of(value) for value in table.values())
    return hull(numbers_of(value) for value in table) if isinstance(table, tuple | list) else NO_NUMBERS


def has_gaps(table: object) -> bool:
    """Whether an entry of a table may be missing."""
    return table is None or (isinstance(table, tuple | list) and any(has_gaps(value) for value in table))
