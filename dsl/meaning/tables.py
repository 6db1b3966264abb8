"""Tables of the box: asked by numbers, or by the names of what there is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import cast

from ichiba.dsl.meaning.arithmetic import fold
from ichiba.dsl.meaning.builtins import nest, ordinal
from ichiba.dsl.meaning.wanted import as_exp, exp, is_there
from ichiba.dsl.names.compatible import fits, mismatch
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import Env, Meaning
from ichiba.dsl.names.narrowing import kind_at
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import NUMBER, Kind
from ichiba.dsl.world.world import Table

Rows = dict[tuple[int, ...], int]


def look_up(c: Context, node: t.Expr, table: Table, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
    depth = len(table.kinds or next(iter(table.rows), ()))
    if len(args) != depth:
        c.fault(
            "E211",
            node,
            f"the table `{table.name}` has {depth} index{'es' if depth != 1 else ''}, {len(args)} are given",
        )
        return None
    if table.kinds and any(table.kinds):
        return by_names(c, node, table, args, env)
    given = [exp(c, arg, env, None) for arg in args]
    for arg, value in zip(args, given, strict=True):
        if value.kind.form not in ("number", "enum", "flag") or value.kind.form == "number" and value.kind.name:
            c.fault("E301", arg, f"this is {value.kind}", label="a number is needed")
            return ir.Const(0, table.kind)
    fixed = [_as_index(c, value, arg) for value, arg in zip(given, args, strict=True)]
    words = {place for place, value in enumerate(given) if value.kind.form == "enum"}
    return _entry(c, node, table, args, fixed, dict(table.rows), words)


def by_names(c: Context, node: t.Expr, table: Table, args: tuple[t.Expr, ...], env: Env) -> ir.Exp:
    """`price(pear, left)`: each index that goes by names takes what has them, and nothing else."""
    fixed: list[ir.Exp] = []
    for arg, kind in zip(args, table.kinds, strict=True):
        value = exp(c, arg, env, NUMBER) if kind is None else _one_of_kind(c, arg, env, kind)
        if value is None:
            return ir.Const(0, table.kind)
        fixed.append(value)
    rows = table.rows
    for place, kind in enumerate(table.kinds):
        if kind is not None:
            called = _called(c, kind, table.names[place])
            rows = {(*at[:place], value, *at[place + 1 :]): entry for at, entry in rows.items() for value in called.get(at[place], ())}
            rows = _without_gaps(rows, place)
    if not rows:
        return ir.Const(0, table.kind)  # there is none of that kind, so nobody can ask
    return _entry(c, node, table, args, fixed, rows)


def _one_of_kind(c: Context, arg: t.Expr, env: Env, kind: Kind) -> ir.Exp | None:
    """What a table is asked with; of a piece its sort."""
    found = c.meaning(c, arg, env, kind)
    value = as_exp(c, found, arg, env, kind)
    if value is None:
        return None
    value = replace(value, kind=kind_at(c.world, arg, value.kind, env))
    if kind.form == "sort" and value.kind.form in ("piece", "thing"):
        value = ir.SortOf(value, Kind("sort", value.kind.name, optional=value.kind.optional))
    if not fits(c, value.kind, kind):
        mismatch(c, arg, value.kind, kind)
        return None
    if value.kind.optional:
        c.fault("E301", arg, f"this is {value.kind}", label=f"{kind} is needed: look at it first, `{arg.span.text} is not none`")
        return None
    is_there(c, arg, value.kind)
    return value


def _called(c: Context, kind: Kind, names: tuple[str, ...]) -> dict[int, list[int]]:
    """By the place of a name: all values that are called so."""
    places = {name: place for place, name in enumerate(names, 1)}
    found: dict[int, list[int]] = {}
    for value in c.world.values(kind):
        name = c.world.sorts[value].name if kind.form == "sort" else c.world.name_of(value, kind)
        if name in places:
            found.setdefault(places[name], []).append(value)
    return found


def _without_gaps(rows: Rows, place: int) -> Rows:
    """Between the sorts of a category others may be numbered: nobody asks with these, so any entry will do."""
    there = {at[place] for at in rows}
    gaps = [value for value in range(min(there), max(there) + 1) if value not in there] if there else []
    first = [(at, entry) for at, entry in rows.items() if gaps and at[place] == min(there)]
    return rows | {(*at[:place], gap, *at[place + 1 :]): entry for gap in gaps for at, entry in first}


def _entry(
    c: Context,
    node: t.Expr,
    table: Table,
    args: tuple[t.Expr, ...],
    fixed: list[ir.Exp],
    rows: Rows,
    words: Collection[int] = (),
) -> ir.Exp:
    """An entry, by what is known of its indexes. `words`: which of them are words that count as numbers."""
    if all(isinstance(a, ir.Const) for a in fixed):
        key = tuple(cast(ir.Const, a).value for a in fixed)
        if key not in rows:
            word = min(words, default=None)
            hint = f"words count from 1: `{args[word].span.text}` is {key[word]}" if word is not None else ""
            kinds = table.kinds or (None,) * len(key)
            said = [str(n) if kind is None else f"`{arg.span.text}`" for n, arg, kind in zip(key, args, kinds, strict=True)]
            c.fault("E306", node, f"the table `{table.name}` has no entry for {', '.join(said)}", label=hint)
            return ir.Const(0, table.kind)
        return ir.Const(rows[key], table.kind)
    while fixed and isinstance(fixed[0], ir.Const):
        first = cast(ir.Const, fixed.pop(0)).value
        rows = {key[1:]: value for key, value in rows.items() if key[0] == first}
    if not rows:
        c.fault("E306", node, f"the table `{table.name}` has no such entry")
        return ir.Const(0, table.kind)
    lows = tuple(_first_index(min(key[i] for key in rows)) for i in range(len(fixed)))
    c.looks_up = True
    return ir.Lookup(table.name, nest(rows, lows), tuple(fixed), lows, 0, table.kind, node.span)


def _as_index(c: Context, value: ir.Exp, arg: t.Expr) -> ir.Exp:
    """Where a table is looked up: a word by its place from 1, like `number(word)`; a condition is 1 where it holds, else 0."""
    match value.kind.form:
        case "enum":
            return fold(c, cast(ir.Op, ordinal(c, value, arg)))
        case "flag" if isinstance(value, ir.Const):
            return ir.Const(int(bool(value.value)), NUMBER)
        case "flag":
            return ir.Cond(value, ir.Const(1, NUMBER), ir.Const(0, NUMBER), NUMBER)
        case _:
            return value


def _first_index(low: int) -> int:
    """Tables that begin a little above 0 are kept from 0 on: nothing then has to be taken off an index."""
    return 0 if 0 < low <= 4 else low
