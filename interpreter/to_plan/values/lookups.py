"""Entries of fixed tables, without a table where that can be."""

from __future__ import annotations

from typing import cast

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.extent import bounds, has_holes, no_entry
from ichiba.interpreter.analysis.folding import entry_by
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import place, row, value_of
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.tables import fixed_table, table_by_place
from ichiba.interpreter.to_plan.values.pieces import is_individual
from ichiba.interpreter.to_plan.values.places import offset


def lookup(c: Context, e: ir.Lookup) -> p.Exp:
    """An entry: known now, following from its index, or found in a table."""
    fixed = fixed_entry(c, e)
    if fixed is not None:
        return fixed
    if len(e.at) == 1 and isinstance(e.at[0], ir.SortOf) and _is_count(c, e.at[0].piece):
        # a place knows its sort: one table is enough; nothing (-1) finds the last entry
        return say("{}[{}]", table_by_place(c, e.rows, e.name, e.low[0], e.other), lower(c, e.at[0].piece))
    if len(e.at) == 1:
        steady = steady_entry(c, e.rows, e.at[0], e.low[0])
        if steady is not None:
            return steady
    if _is_row(e) and len(e.at) == 1 and c.extents.inside(e):
        return place([lower(c, e.at[0]), cast(int, e.rows[0]) - e.low[0]])
    if e.span is not None and has_holes(e):
        return _entry_if_any(c, e)
    entry: p.Exp = p.Name(fixed_table(c, e.rows, e.name))
    for position, (value, low) in enumerate(zip(e.at, e.low, strict=True)):
        entry = p.Entry(entry, _place_within(c, e, position, value, low))
    optional = any(v.kind.optional for v in e.at)
    if optional and len(e.at) == 1:
        first = lower(c, e.at[0])
        return say("{} if {} >= {} else {}", entry, first, e.low[0], e.other)
    return entry


def _entry_if_any(c: Context, e: ir.Lookup) -> p.Exp:
    """An entry of a table in which some are missing."""
    what = "this connection does not lead from there" if e.kind.form == "thing" else f"the table `{e.name}` has no entry for {{}}"
    table, at = p.Name(fixed_table(c, e.rows, e.name)), row([lower(c, value) for value in e.at])
    return say("entry_at({}, {}, {}, FAULTS[{}])", table, at, row([p.Num(low) for low in e.low]), told(c, what))


def told(c: Context, fault: str) -> int:
    """What is said when this goes wrong in play, by its number."""
    if (fault, None) not in c.numbered.faults:
        c.numbered.faults.append((fault, None))
    return c.numbered.faults.index((fault, None))


def _place_within(c: Context, e: ir.Lookup, position: int, value: ir.Exp, low: int) -> p.Exp:
    """Where an entry stands; a number that may lie outside of the table is looked at first."""
    at = offset(c, value, low)
    least, most = bounds(e, position)
    if value.kind.form != "number" or c.extents.inside(e, position) or isinstance(at, p.Num) and least <= at.value + low <= most:
        return at
    return say("place_in({}, {}, {}, {}, FAULTS[{}])", lower(c, value), low, least, most, told(c, no_entry(e, position)))


def _is_row(e: ir.Lookup) -> bool:
    """Whether it stands for the seats, or the things of a kind, by their number."""
    return e.kind.form in ("seat", "thing") and e.at[0].kind.form == "number" and isinstance(e.rows[0], int)


def steady_entry(c: Context, rows: tuple[object, ...], at: ir.Exp, low: int) -> p.Exp | None:
    """A table whose entries follow each other needs no looking up."""
    if at.kind.form not in ("thing", "sort", "seat", "enum") or at.kind.optional or len(rows) < 2:
        return None
    first = rows[0]
    if not isinstance(first, int) or first < 0 or rows != tuple(range(first, first + len(rows))):
        return None
    return place([lower(c, at), first - low])


def _is_count(c: Context, piece: ir.Exp) -> bool:
    """Whether a piece is the place of a count."""
    return piece.kind.form == "piece" and is_individual(c, piece.kind.name) is False and not isinstance(piece, ir.Const)


def fixed_entry(c: Context, e: ir.Lookup) -> p.Exp | None:
    """An entry whose indexes are known is looked up now."""
    found = entry_by(e, lambda index: value_of(lower(c, index)))
    return None if found is None else p.Num(found)


def column_by(c: Context, columns: tuple[int, ...], sort: ir.Exp, made: p.Exp) -> p.Exp:
    """The column of a sort that is known at run time."""
    if (
        isinstance(sort, ir.Lookup)
        and len(sort.at) == 1
        and not sort.at[0].kind.optional
        and fixed_entry(c, sort) is None
    ):
        rows = [row for row in sort.rows if isinstance(row, int) and row < len(columns)]
        if len(rows) == len(sort.rows):  # two tables are one
            found = tuple(columns[row] for row in rows)
            steady = steady_entry(c, found, sort.at[0], sort.low[0])
            if steady is not None:
                return steady
            table = fixed_table(c, found, f"column_of_{sort.name}")
            return p.Entry(p.Name(table), offset(c, sort.at[0], sort.low[0]))
    return p.Entry(p.Name(fixed_table(c, columns, "column")), made)
