"""Expressions as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_c.expressions.calls import own_function
from ichiba.interpreter.to_c.expressions.lists import key
from ichiba.interpreter.to_c.expressions.ordering import (
    chosen,
    first_that_counts,
    in_order,
    is_place,
    may_be_packed,
    place_of,
)
from ichiba.interpreter.to_c.expressions.values import (
    added,
    calculated,
    entry_of_table,
    has_gaps,
    literal,
    numbers_of,
    unsupported,
)
from ichiba.interpreter.to_c.expressions.words import word_called
from ichiba.interpreter.to_c.known.kinds import indexes
from ichiba.interpreter.to_c.known.program import (
    Kind,
    Unsupported,
)
from ichiba.interpreter.to_c.known.scope import MOST, NEAR, Scope, Value, hull


def number(w: Scope, e: p.Exp, may_be_none: bool = False) -> Value:
    match e:
        case p.Cell(at=at):
            return cell(w, at)
        case p.Name(name=name):
            return _number_named(w, name)
        case p.Num(value=value):
            return literal(value)
        case p.Truth(value=holds):
            return literal(int(holds))
        case p.Nothing():
            return Value("NONE", -MOST - 1, MOST)
        case p.Op(op="&", left=p.Cell(at=at), right=p.Name(name="MASK")) if may_be_packed(w, w.number(at)):
            return Value(f"first_entry(k, {place_of(w, at)})", 0, w.program.constants["MASK"])
        case p.Op(op=op, left=left, right=right):
            return in_order(w, [(left, "number"), (right, "number")], lambda both: calculated(op, *both))
        case p.Sum(terms=terms, fixed=fixed):
            return in_order(w, [(term, "number") for term in terms], lambda values: added([*values, literal(fixed)]))
        case p.Unary(op="not") | p.Compare():
            return Value(w.truth(e), 0, 1)
        case p.Unary(op=op, of=of):
            turned = w.number(of)
            low, high = (-turned.high, -turned.low) if op == "-" else (-turned.high - 1, -turned.low - 1)
            return Value(f"({op}{turned.text})", max(low, -MOST), min(high, MOST))
        case p.Logic(op=op, parts=parts):
            return first_that_counts(op, [w.number(part) for part in parts], "I", "", w)
        case p.Choice(test=p.Attribute(name="tracing"), no=no):
            return w.number(no)
        case p.Choice(test=test, yes=yes, no=no):
            return chosen(w, test, yes, no, "number")
        case p.NamedExp(name=name, value=value):
            made = w.number(value)
            return made._replace(text=f"(v_{name.name} = {made.text})")
        case p.Entry():
            return _entry(w, e, may_be_none)
        case p.Attribute(of=p.Name(name="C"), name="dry"):
            return Value("dry_of(k)")
        case p.Call():
            return _number_called(w, e)
        case p.Method():
            return _number_of_method(w, e)
        case p.Word() | p.Slice() | p.Attribute() | p.Row() | p.Spread() | p.Keyword() | p.Pairs() | p.Comp() | p.Lambda():
            raise unsupported(e, "a number")
        case _:
            assert_never(e)


def _number_named(w: Scope, name: str) -> Value:
    kind = w.function.kinds.get(name)
    if kind == "number":
        return Value(f"v_{name}", *w.range(name))
    if kind is None and name in w.program.constants:
        return literal(w.program.constants[name])
    raise Unsupported(f"{name} as a number")


def cell(w: Scope, at: p.Exp) -> Value:
    """A number of the state."""
    there = w.number(at)
    word = "rd" if not is_place(w, there) else "at" if may_be_packed(w, there) else "near_at"
    return Value(f"{word}(k, {there.text})", -NEAR, NEAR)


def _entry(w: Scope, e: p.Entry, may_be_none: bool) -> Value:
    """A number out of a table or a list."""
    match e.of:
        case p.Name(name=name) if w.function.kinds.get(name) == "keyed":
            return Value(f"entry_there(k, &v_{name}, {key(w, e.at)})->one")
        case p.Name(name=name) if name not in w.function.kinds and isinstance(table := w.program.tables.get(name), dict):
            text = f"{name}_or(k, {w.number(e.at).text})"
            return Value(text if may_be_none else f"known(k, {text})", *numbers_of(table))
        case p.Name(name=name) if name not in w.function.kinds and isinstance(table := w.program.tables.get(name), tuple | list):
            at = w.number(e.at)
            made = _entry_of_table(name, table, at)
            return made if may_be_none or None not in table else made._replace(text=f"known(k, {made.text})")
        case _:
            name = indexes(e)[0]
            gaps = name in w.program.tables and name not in w.function.kinds and has_gaps(w.program.tables[name])
            made = in_order(w, [(e.of, "list"), (e.at, "number")], lambda v: Value(f"item(k, {v[0].text}, {v[1].text})", *v[0].range))
            return made if may_be_none or not gaps else made._replace(text=f"known(k, {made.text})")


def _entry_of_table(name: str, table: Sequence[object], at: Value) -> Value:
    return Value(f"{name}_p[{entry_of_table(at, len(table))}]", *numbers_of(table))


def _number_called(w: Scope, e: p.Call) -> Value:
    match e.function:
        case p.Name(name=name) if name not in w.program.functions:
            return word_called(w, name, e)
        case _:
            return own_function(w, e)


def _number_of_method(w: Scope, e: p.Method) -> Value:
    match e:
        case p.Method(of=p.Name(name="S"), name="index", args=(value, low, high)):

            def index(v: list[Value]) -> Value:
                first, last = max(v[1].low, 0), min(v[2].high - 1, w.program.places - 1)
                return Value(f"index_of(k, {', '.join(one.text for one in v)})", first, max(first, last))

            return in_order(w, [(value, "number"), (low, "number"), (high, "number")], index)
        case p.Method(of=p.Slice(of=p.Name(name="S"), low=low, high=high), name="count", args=(value,)) if low and high:
            these: list[tuple[p.Exp, Kind]] = [(low, "number"), (high, "number"), (value, "number")]
            return in_order(w, these, lambda v: Value(f"count_of(k, {', '.join(one.text for one in v)})", 0, w.program.places))
        case p.Method(of=p.Name(name=name), name="get", args=(at, otherwise)) if isinstance(w.program.tables.get(name), dict):
            own, last = w.new(), w.number(otherwise)
            text = f"({{ I {own} = {name}_or(k, {w.number(at).text}); {own} == NONE ? {last.text} : {own}; }})"
            return Value(text, *hull([numbers_of(w.program.tables[name]), last.range]))
        case p.Method(of=p.Name(name=name), name="setdefault", args=(at, value)):
            own = w.new()
            return Value(
                f"({{ Entry *{own} = entry_for(k, &v_{name}, {key(w, at)}); "
                f"if ({own}->one == NONE) {{ I made = {w.number(value).text}; {own}->one = made; }} {own}->one; }})"
            )
        case _:
            raise unsupported(e, f"a number: {e.name}")
