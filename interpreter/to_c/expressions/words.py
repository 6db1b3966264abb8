"""Words of Python and of the runtime that give a number."""

from __future__ import annotations

from collections.abc import Sequence

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_c.expressions.calls import runtime
from ichiba.interpreter.to_c.expressions.lists import that_grows
from ichiba.interpreter.to_c.expressions.loops import each, loops
from ichiba.interpreter.to_c.expressions.ordering import in_order
from ichiba.interpreter.to_c.expressions.sorting import deep_look_of, looks_of
from ichiba.interpreter.to_c.expressions.values import calculated, unsupported
from ichiba.interpreter.to_c.known.program import (
    Unsupported,
    by_name,
)
from ichiba.interpreter.to_c.known.scope import NO_NUMBERS, Range, Scope, Value, hull
from ichiba.interpreter.to_c.known.words import TAKES


def word_called(w: Scope, name: str, e: p.Call) -> Value:
    """A word of the runtime, or of Python, that gives a number."""
    args, told = by_name(e.args)
    match name, args:
        case "sum", [p.Comp() as found]:
            own = w.new()
            took = loops(w, found.clauses, lambda: f"{own} = add(k, {own}, {w.number(found.item).text});")
            return Value(f"({{ I {own} = 0; {took} {own}; }})")
        case "sum", [p.Slice(of=p.Name(name="S"), low=low, high=high)] if low is not None and high is not None:
            return in_order(w, [(low, "number"), (high, "number")], lambda v: Value(f"sum_of(k, {v[0].text}, {v[1].text})"))
        case "sum", [one]:
            return Value(f"sum_list(k, {w.listed(one).text})")
        case "any" | "all" | "bool" | "tick" | "spend", _:
            return Value(w.truth(e), 0, 1)
        case "len", [one]:
            return Value(f"{w.listed(one).text}.n", 0, 1 << 32)
        case "min" | "max", [one]:
            return _extreme(w, name, one, told)
        case "min" | "max", _ if not told:
            return in_order(w, [(arg, "number") for arg in args], lambda values: _extreme_of(name, values))
        case "abs", [one]:
            value = w.number(one)
            return Value(f"__builtin_llabs({value.text})", 0, max(abs(value.low), abs(value.high)))
        case "next", [p.Comp() as found, otherwise]:
            return _next(w, found, otherwise)
        case "apart", [_, known, x, p.Name(name=deep)]:
            return Value(f"apart(k, {that_grows(w, known)}, {w.number(x).text}, {deep_look_of(w, deep)})", 0, 1)
        case "alike", [_, p.Name(name=seen), x, p.Spread(of=p.Name(name=look))]:
            return Value(f"alike(k, &v_{seen}, {w.number(x).text}, {looks_of(w, look)})", 0, 1)
        case "place_in", [place, first, *_]:  # what is above the last is seen where it is looked up
            below = in_order(w, [(place, "number"), (first, "number")], lambda v: calculated("-", *v))
            return Value(f"not_below(k, {below.text})", max(0, below.low), max(0, below.high))
        case "entry_at", [table, p.Row(items=at), p.Row(items=lows), *_]:  # what is missing is seen where it is looked up
            for place, low in zip(at, lows, strict=True):
                table = p.Entry(table, p.Call(p.Name("place_in"), (place, low)))
            return w.number(table)
        case "fare", [cost, *_]:  # what is below nothing is told by Python
            value = w.number(cost)
            return Value(f"not_below(k, {value.text})", max(0, value.low), max(0, value.high))
        case "too_many", _:
            return Value("(miss(k), 0)")
        case _ if name in TAKES:
            return runtime(w, name, args)
        case _:
            raise Unsupported(f"the word {name}")


def _extreme_of(word: str, values: Sequence[Value]) -> Value:
    text = values[0].text
    for value in values[1:]:
        text = f"{word}_({text}, {value.text})"
    pick = min if word == "min" else max
    return Value(text, pick(v.low for v in values), pick(v.high for v in values))


def _extreme(w: Scope, word: str, source: p.Exp, told: dict[str, p.Exp]) -> Value:
    """The least or the greatest of many; by a key, if there is one, the first with it."""
    default, by = told.get("default"), told.get("key")
    best, mark, own = w.new(), w.new(), w.new()
    found: list[Range] = []

    def compare(value: str, marked: Value, lies: Range) -> str:
        found.append(lies)
        sign = "<" if word == "min" else ">"
        return f"I {own} = {marked.text}; if ({best} == NONE || {own} {sign} {mark}) {{ {mark} = {own}; {best} = {value}; }}"

    def leaf(item: p.Exp) -> str:
        value = w.number(item)
        return compare(own, value, value.range)

    match by:
        case None if isinstance(source, p.Comp):
            took = loops(w, source.clauses, lambda: leaf(source.item))
        case None:
            took = each(w, "each", source, lambda: compare("v_each", Value("v_each"), w.range("each")))
        case p.Lambda(params=(x,), body=body):
            took = each(w, x, source, lambda: compare(f"v_{x}", w.number(body), w.range(x)))
        case _:
            raise unsupported(by, "what is compared")
    otherwise = Value("(miss(k), (I)0)", *NO_NUMBERS) if default is None else w.number(default)
    text = f"({{ I {best} = NONE, {mark} = 0; {took} {best} == NONE ? {otherwise.text} : {best}; }})"
    return Value(text, *hull([*found, otherwise.range]))


def _next(w: Scope, found: p.Comp, otherwise: p.Exp) -> Value:
    own, out = w.new(), w.new()
    ranges: list[Range] = []

    def leaf() -> str:
        item = w.number(found.item)
        ranges.append(item.range)
        return f"{own} = {item.text}; goto {out};"

    last = w.number(otherwise)
    took = loops(w, found.clauses, leaf, leaves_early=True)
    return Value(f"({{ I {own} = {last.text}; {took} {out}: {own}; }})", *hull([*ranges, last.range]))
