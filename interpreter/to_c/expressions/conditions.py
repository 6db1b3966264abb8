"""Expressions as conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_c.expressions.lists import key
from ichiba.interpreter.to_c.expressions.loops import each, loops
from ichiba.interpreter.to_c.expressions.ordering import in_order, place_of
from ichiba.interpreter.to_c.expressions.sure import SIGNS
from ichiba.interpreter.to_c.expressions.values import entry_of_table, unsupported
from ichiba.interpreter.to_c.known.kinds import has_bits, indexes
from ichiba.interpreter.to_c.known.program import (
    Kind,
)
from ichiba.interpreter.to_c.known.scope import Scope, Value


def truth(w: Scope, e: p.Exp) -> str:
    """Whether it counts as true."""
    match e:
        case p.Logic(op=op, parts=parts):
            said = []
            before = dict(w.known)
            for part in parts:
                said.append(w.truth(part))
                w.learn(part, op == "and")
            w.known = before
            return "(" + (" && " if op == "and" else " || ").join(said) + ")"
        case p.Unary(op="not", of=of):
            return f"(!{w.truth(of)})"
        case p.Truth(value=holds):
            return str(int(holds))
        case p.Compare():
            return _compared(w, e)
        case p.Call(function=p.Name(name="tick")):
            return "(spend(k, 1), 1)"
        case p.Call(function=p.Name(name="spend"), args=(steps,)):
            return f"(spend(k, {w.number(steps).text}), 1)"
        case p.Call(function=p.Name(name="any" | "all" as word), args=(one,)):
            return _whether(w, word, one)
        case p.Call(function=p.Name(name="bool"), args=(one,)):
            return w.truth(one)
        case p.Cell(at=at):  # of whatever lies there
            return f"(k->s[{place_of(w, at)}] != 0)"
        case p.Num() | p.Sum() | p.Op() | p.Unary() | p.Attribute():
            return f"({w.number(e).text} != 0)"
        case p.Comp() | p.Row() | p.Slice():
            return f"({w.listed(e).text}.n > 0)"
        case p.Nothing():
            return "0"
        case p.Name() | p.Choice() | p.Entry() | p.Call() | p.Method() | p.NamedExp():
            if w.kind(e) in ("list", "lists", "packed"):
                return f"({w.listed(e).text}.n > 0)"
            return f"({w.number(e).text} != 0)"
        case p.Word() | p.Spread() | p.Keyword() | p.Pairs() | p.Lambda():
            raise unsupported(e, "a condition")
        case _:
            assert_never(e)


def _compared(w: Scope, e: p.Compare) -> str:
    if len(e.rest) == 1:
        return _pair(w, e.first, *e.rest[0])
    kinds: list[tuple[p.Exp, Kind]] = [(one, "number") for one in (e.first, *(other for _, other in e.rest))]
    signs = [sign for sign, _ in e.rest]
    if any(sign not in SIGNS for sign in signs):
        raise unsupported(e, "a chain")

    def say(values: list[Value]) -> Value:
        names, before = [], []
        for at, value in enumerate(values):  # what stands in the middle is asked for twice
            name = value.text
            if 0 < at < len(values) - 1 and not isinstance(kinds[at][0], p.Num | p.Name):
                name = w.new()
                before.append(f"I {name} = {value.text};")
            names.append(name)
        asked = " && ".join(f"{one} {sign} {other}" for one, sign, other in zip(names, signs, names[1:], strict=False))
        return Value(f"({{ {' '.join(before)} {asked}; }})" if before else f"({asked})")

    return in_order(w, kinds, say).text


def _pair(w: Scope, left: p.Exp, sign: str, right: p.Exp) -> str:
    match sign:
        case "is" | "is not":
            if not isinstance(right, p.Nothing):
                raise unsupported(right, "what something is")
            turned = "!" if sign == "is not" else ""
            if w.kind(left) in ("list", "packed", "lists"):
                return f"({turned}({w.listed(left).text}.n < 0))"
            return f"({turned}({w.number(left, may_be_none=True).text} == NONE))"
        case "in" | "not in":
            text = _within(w, left, right)
            return f"(!{text})" if sign == "not in" else text
        case _:
            if "number" == w.kind(left) == w.kind(right):
                both = in_order(w, [(left, "number"), (right, "number")], lambda v: Value(f"({v[0].text} {sign} {v[1].text})"))
                return both.text
            if sign not in ("==", "!=") or not {w.kind(left), w.kind(right)} <= {"list", "packed"}:
                raise unsupported(left, "what is compared")
            same = in_order(w, [(left, "list"), (right, "list")], lambda v: Value(f"same({v[0].text}, {v[1].text})"))
            return f"(!{same.text})" if sign == "!=" else same.text


def _within(w: Scope, left: p.Exp, right: p.Exp) -> str:
    kind = w.kind(right)
    if kind == "keyed" and isinstance(right, p.Name):
        return f"(entry(&v_{right.name}, {key(w, left)}) != NULL)"
    if kind == "among" and isinstance(right, p.Name):
        return f"{right.name}_has({w.number(left).text})"
    if isinstance(right, p.Row) and all(not isinstance(one, p.Spread) and w.kind(one) == "number" for one in right.items):
        name = w.new()
        value = w.number(left)
        asked = " || ".join(f"{name} == {w.number(one).text}" for one in right.items) or "0"
        return f"({{ I {name} = {value.text}; {asked}; }})"
    if isinstance(right, p.Entry) and (of_table := _row_as_bits(w, right)) is not None:
        return in_order(w, [(left, "number"), (right.at, "number")], lambda v: Value(f"among_bits({of_table(v[1])}, {v[0].text})")).text
    return in_order(w, [(left, "number"), (right, "list")], lambda v: Value(f"holds({v[1].text}, {v[0].text})")).text


def _row_as_bits(w: Scope, row: p.Entry) -> Callable[[Value], str] | None:
    """A row of a table of small numbers, as one number in which each of them is a bit."""
    name, places = indexes(row)
    table = w.program.tables.get(name) if name not in w.function.kinds else None
    if len(places) != 1 or not has_bits(table):
        return None
    return lambda at: f"{name}_bits[{entry_of_table(at, len(table))}]"


def _whether(w: Scope, word: str, source: p.Exp) -> str:
    """`any` or `all` of what goes through a loop."""
    own, out = w.new(), w.new()
    wanted = "1" if word == "any" else "0"

    def leaf(asked: str) -> str:
        return f"if ({asked if word == 'any' else f'!{asked}'}) {{ {own} = {wanted}; goto {out}; }}"

    if isinstance(source, p.Comp):
        took = loops(w, source.clauses, lambda: leaf(w.truth(source.item)), leaves_early=True)
    else:
        took = each(w, "each", source, lambda: leaf("(v_each != 0)"), leaves_early=True)
    return f"({{ I {own} = !{wanted}; {took} {out}: {own}; }})"
