"""Several expressions in one: in their order, the first that counts, one of two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_c.expressions.values import unsupported
from ichiba.interpreter.to_c.known.program import (
    Kind,
)
from ichiba.interpreter.to_c.known.scope import C_TYPES, Scope, Value, hull


def as_kind(w: Scope, e: p.Exp, kind: Kind) -> Value:
    """An expression as something of this kind."""
    match kind:
        case "number":
            return w.number(e)
        case "packed":
            return w.packed(e)
        case "list" | "lists":
            return w.listed(e)
        case "deep" | "keyed" | "among" | "nothing":
            raise unsupported(e, f"something {kind}")
        case _:
            assert_never(kind)


def in_order(w: Scope, these: Sequence[tuple[p.Exp, Kind]], say: Callable[[list[Value]], Value]) -> Value:
    """C works the parts of an expression out in any order. Where that counts, they are worked out before, in theirs."""
    values = [as_kind(w, e, kind) for e, kind in these]
    if len(values) < 2 or not any(w.has_side_effects(e) for e, _ in these):
        return say(values)
    names = [w.new() for _ in values]
    before = " ".join(f"{C_TYPES[kind]} {name} = {v.text};" for (_, kind), name, v in zip(these, names, values, strict=True))
    made = say([v._replace(text=name) for name, v in zip(names, values, strict=True)])
    return made._replace(text=f"({{ {before} {made.text}; }})")


def first_that_counts(op: str, values: Sequence[Value], c_type: str, there: str, w: Scope) -> Value:
    """The value at which `and` or `or` stops; `there`: what of it says whether it counts as true."""
    text = values[-1].text
    for value in reversed(values[:-1]):
        name = w.new()
        then = f"{text} : {name}" if op == "and" else f"{name} : {text}"
        text = f"({{ {c_type} {name} = {value.text}; {name}{there} ? {then}; }})"
    return Value(text, *hull(value.range for value in values))


def chosen(w: Scope, test: p.Exp, yes: p.Exp, no: p.Exp, kind: Kind) -> Value:
    asked = w.truth(test)
    with w.supposing(test):
        one = as_kind(w, yes, kind)
    with w.supposing(test, hold=False):
        other = as_kind(w, no, kind)
    return Value(f"({asked} ? {one.text} : {other.text})", *hull([one.range, other.range]))


def place_of(w: Scope, at: p.Exp) -> str:
    """A place of the state; checked, where it is not sure to be there."""
    there = w.number(at)
    return there.text if is_place(w, there) else f"place(k, {there.text})"


def may_be_packed(w: Scope, there: Value) -> bool:
    """Whether a packed list may lie at a place."""
    packed = w.program.packed_places
    return packed is None or not is_place(w, there) or any(there.low <= place <= there.high for place in packed)


def is_place(w: Scope, there: Value) -> bool:
    """Whether it is sure that the state has this place."""
    return there.within(0, w.program.places - 1)
