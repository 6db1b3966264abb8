"""Functions of the plan and of the runtime, called."""

from __future__ import annotations

from collections.abc import Sequence

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_c.expressions.ordering import in_order
from ichiba.interpreter.to_c.expressions.values import nearby, unsupported
from ichiba.interpreter.to_c.known.program import (
    SWITCHES,
    Function,
    Kind,
    Unsupported,
    functions_called,
    is_context,
    passed,
)
from ichiba.interpreter.to_c.known.scope import NEAR, WIDE, Range, Scope, Value, hull
from ichiba.interpreter.to_c.known.words import IN_C, TAKES


def own_function(w: Scope, e: p.Call) -> Value:
    """A function of the module, one of some cases, or one of the lists by number."""
    args = passed(e.args)
    functions = functions_called(w.program, e.function)
    match e.function:
        case p.Name(name=name) if functions:
            return _calling(w, name, functions[0], [], args)
        case p.Entry(of=p.Name(name=name), at=at) if functions:
            return _calling(w, name, functions[0], [at], args)
        case p.Entry(of=p.Name(name=name), at=at) if name in w.program.switches:
            these: list[tuple[p.Exp, Kind]] = [(one, "number") for one in (at, *args)]
            return in_order(w, these, lambda values: _said_call(name, values, SWITCHES[name]))
        case _:
            raise unsupported(e, "a function")


def _calling(w: Scope, name: str, function: Function, before: Sequence[p.Exp], args: Sequence[p.Exp]) -> Value:
    if len(args) != len(function.params):
        raise Unsupported(f"{name} takes {len(function.params)}")
    kinds: list[tuple[p.Exp, Kind]] = [(one, "number") for one in before]
    kinds += [(arg, function.kinds.get(param, "number")) for param, arg in zip(function.params, args, strict=True)]

    def say(values: list[Value]) -> Value:
        near = values if function.body is None else [nearby(v) if kind == "number" else v for v, (_, kind) in zip(values, kinds, strict=True)]
        return _said_call(name, near, function.gives)

    return in_order(w, kinds, say)


def _said_call(name: str, values: Sequence[Value], gives: Kind | None) -> Value:
    near = (-NEAR, NEAR) if gives in ("number", None) else (-WIDE, WIDE)
    return Value(f"{name}({', '.join(['k', *(value.text for value in values)])})", *near)


def runtime(w: Scope, name: str, args: Sequence[p.Exp]) -> Value:
    """A function of `runtime.c`."""
    given = [arg for arg in args if not is_context(arg)]
    match name, given:
        case "weighted", [p.Call(function=p.Name(name="range"), args=(low, high)), total]:
            places = (0, w.program.places - 1)
            return in_order(w, [(low, "number"), (high, "number"), (total, "number")], lambda v: Value(_call("weighted_among", v), *places))
        case "dot", [weights, p.Slice(of=p.Name(name="S"), low=low, high=high)] if low is not None and high is not None:
            these: list[tuple[p.Exp, Kind]] = [(weights, "list"), (low, "number"), (high, "number")]
            lies = w.listed(weights).range
            if max(map(abs, lies)) * w.program.places < WIDE // NEAR:
                return in_order(w, these, lambda v: Value(_call("dot_places", v), -WIDE, WIDE))
        case _:
            pass
    kinds: list[tuple[p.Exp, Kind]] = [
        (arg, "list" if kind == "L" else "number") for arg, kind in zip(given, TAKES[name], strict=True)
    ]

    def say(values: list[Value]) -> Value:
        return Value(_call(IN_C.get(name, name), values), *_outcome(w, name, values))

    return in_order(w, kinds, say)


def _call(word: str, values: Sequence[Value]) -> str:
    return f"{word}(k, {', '.join(value.text for value in values)})"


def _outcome(w: Scope, name: str, v: Sequence[Value]) -> Range:
    """Between what numbers it lies that a word of the runtime gives, or what is in the list."""
    places = 0, w.program.places - 1
    match name:
        case "first_of":
            return -1, places[1]
        case "lying":  # places from the third on, below the fourth; the fifth is added
            return (v[2].low + v[4].low, v[3].high - 1 + v[4].high) if v[3].high < WIDE else (-WIDE, WIDE)
        case "all_but":
            return v[0].low, max(v[0].low, v[1].high - 1)
        case "below":
            return 0, 1 << 30
        case "weighted":
            return places
        case "draw_many":
            return max(v[0].low, 0), min(v[1].high - 1, places[1])
        case "shuffled" | "distinct":
            return v[0].range
        case "big" | "power":
            return -NEAR, NEAR
        case "times":
            return v[0].low, max(v[0].low, min(v[0].high, w.program.constants["STEPS"]))
        case "fitting" | "owed":
            return max(0, v[0].low), max(0, v[0].high)
        case "or_else":
            return hull([(0, max(0, v[0].high)), v[1].range])
        case "steps_to":
            return v[3].range
        case _:  # `dot`, `count_any`, `cells_any`, `combos`: anything
            return -WIDE, WIDE
