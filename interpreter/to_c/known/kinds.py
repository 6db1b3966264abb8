"""What an expression is: a number, a list, and little else. What names are is known before (see `inference.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeGuard, assert_never

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_c.known.program import (
    PACKED,
    SWITCHES,
    Function,
    Kind,
    Program,
    Unsupported,
    functions_called,
)
from ichiba.interpreter.to_c.known.words import GIVES


def kind_of(program: Program, function: Function, e: p.Exp) -> Kind | None:
    """None: not known (yet), or nothing that C has a word for."""

    def kind(e: p.Exp) -> Kind | None:
        match e:
            case p.Name(name=name):
                return kind_of_name(program, function, name)
            case p.Num(value=value):
                return "packed" if abs(value) >= PACKED else "number"
            case p.Cell() | p.Sum() | p.Compare() | p.Unary() | p.Truth():
                return "number"
            case p.Op(left=left):
                return "list" if isinstance(left, p.Row) else "number"
            case p.Nothing():
                return "nothing"
            case p.Logic(parts=parts):
                return either(map(kind, parts))
            case p.Choice(yes=yes, no=no):
                return merged(kind(yes), kind(no))
            case p.NamedExp(name=name, value=value):
                return function.kinds.get(name.name) or kind(value)
            case p.Entry(of=p.Name(name=name)) if function.kinds.get(name) == "keyed":
                return function.entries.get(name)
            case p.Entry(of=of):
                return _entry_of_deep(program, function, e) or {"list": "number", "lists": "list"}.get(kind(of) or "")  # type: ignore[return-value]
            case p.Slice():
                return "list"
            case p.Comp(item=item):
                return "lists" if kind(item) == "list" else "list"
            case p.Row(items=items):
                return "lists" if any(not isinstance(one, p.Spread) and kind(one) == "list" for one in items) else "list"
            case p.Pairs():
                return "keyed"
            case p.Call(function=p.Name(name=name)) if name in GIVES:
                return GIVES[name]
            case p.Call(function=p.Entry(of=p.Name(name=name))) if name in program.switches:
                return SWITCHES[name]
            case p.Call(function=called):
                return either(one.gives for one in functions_called(program, called))
            case p.Method(name="setdefault", args=(_, value)):
                return kind(value)
            case p.Method(name="index" | "get" | "count") | p.Attribute(of=p.Name(name="C")):
                return "number"
            case p.Method() | p.Attribute() | p.Word() | p.Spread() | p.Keyword() | p.Lambda():
                return None
            case _:
                assert_never(e)

    return kind(e)


def element_of(program: Program, function: Function, source: p.Exp) -> Kind | None:
    """What goes through a loop."""
    if isinstance(source, p.Comp):
        return kind_of(program, function, source.item)
    match kind_of(program, function, source):
        case "lists":
            return "list"
        case "list" | "packed":
            return "number"
        case _:
            return None


def kind_of_name(program: Program, function: Function, name: str) -> Kind | None:
    if name in function.kinds:
        return function.kinds[name]
    if name in program.constants:
        return "number"
    return kind_of_table(program.tables[name]) if name in program.tables else None


def merged(one: Kind | None, other: Kind | None) -> Kind | None:
    """What either of two can be."""
    if one == other or other is None or other == "nothing":
        return one
    if one is None or one == "nothing":
        return other
    if {one, other} == {"number", "packed"}:
        return "packed"
    raise Unsupported(f"something that is {one} and {other}")


def either(kinds: Iterable[Kind | None]) -> Kind | None:
    found: Kind | None = None
    for kind in kinds:
        found = merged(found, kind)
    return found


# ---------------------------------------------------------------------------------------------------------- tables


def depth(table: object) -> int:
    """How many indexes a table of rows of rows has."""
    return 1 + max(map(depth, table), default=0) if isinstance(table, tuple | list) else 0


def has_bits(table: object) -> TypeGuard[Sequence[Sequence[int]]]:
    """Whether the rows of a table are sets of numbers so small that each fits into a number, bit by bit."""
    return depth(table) == 2 and all(
        isinstance(row, tuple | list) and all(isinstance(value, int) and 0 <= value < 64 for value in row) for row in table  # type: ignore[attr-defined]
    )


def indexes(e: p.Exp) -> tuple[str, list[p.Exp]]:
    """`T[a][b]` as the name T and what stands in its brackets."""
    at: list[p.Exp] = []
    while isinstance(e, p.Entry):
        at.insert(0, e.at)
        e = e.of
    return (e.name if isinstance(e, p.Name) else ""), at


def kind_of_table(table: Any) -> Kind | None:
    """Of a table that never changes."""
    if isinstance(table, dict):
        deepest = max(map(depth, table.values()), default=0)
        return "list" if not deepest else "lists" if deepest == 1 else None
    if isinstance(table, frozenset):
        return "among"
    if isinstance(table, tuple | list):
        if any(isinstance(value, str) for value in table):
            return None
        many = depth(table)
        return "list" if many < 2 else "lists" if many == 2 else "deep"
    return None


def _entry_of_deep(program: Program, function: Function, e: p.Entry) -> Kind | None:
    """What is left of a table with many indexes, when some of them are given."""
    name, at = indexes(e)
    if name in function.kinds or kind_of_table(table := program.tables.get(name)) != "deep":
        return None
    left = depth(table) - len(at)
    return "number" if left == 0 else "list" if left == 1 else "lists" if left == 2 else "deep" if left > 2 else None
