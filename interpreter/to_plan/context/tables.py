"""The fixed tables of the module, and what is known by number."""

from __future__ import annotations

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.names import plain


def fixed_table(c: Context, rows: object, hint: str) -> str:
    """A fixed table of the generated module."""
    key = (hint, rows)
    if key not in c.tables.names:
        name = f"{c.prefix}T{len(c.tables.names)}_{plain(hint).upper()}"
        c.tables.names[key] = name
        c.tables.rows[name] = rows
    return c.tables.names[key]


def table_by_place(c: Context, rows: tuple[object, ...], hint: str, low: int = 0, other: int = -1) -> str:
    """A fixed table by the sort of a piece, as a table by the piece's place."""
    key = ("by place", hint, rows, low, other)
    if key not in c.tables.names:
        name = f"{c.prefix}T{len(c.tables.names)}_{plain(hint).upper()}_AT"
        c.tables.names[key] = name
        c.tables.rows[name] = None
        c.tables.by_place[name] = rows, low, other
    return c.tables.names[key]


def late_table(c: Context, name: str) -> str:
    """A table that is filled in when all places are known."""
    c.tables.rows.setdefault(name, None)
    return name


def columns_table(c: Context) -> str:
    """By zone: the columns of all sorts."""
    if c.tables.rows.get("COLUMNS") is None:
        c.tables.rows["COLUMNS"] = {first: c.layout.columns_at(first) for first in c.layout.zones}
    return "COLUMNS"


def finished_tables(c: Context) -> dict[str, object]:
    """The fixed tables, when all places are known; without those that somebody else fills in."""
    for name, (rows, low, other) in c.tables.by_place.items():
        c.tables.rows[name] = tuple(
            rows[sort - low] if 0 <= sort - low < len(rows) and sort >= 0 else other for sort in (*c.layout.sort_at, -1)
        )
    return {name: rows for name, rows in c.tables.rows.items() if rows is not None}


def kind_ref(c: Context, kind: object) -> p.Exp:
    """A kind of values, by its number."""
    if kind not in c.numbered.kinds:
        c.numbered.kinds.append(kind)
    return say("KINDS[{}]", c.numbered.kinds.index(kind))
