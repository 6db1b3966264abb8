"""Sets narrowed: what hangs on nothing but the sort is asked now, what hangs on a fixed field is found in a table."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.interpreter.analysis.folding import by_sort, fixed_set, folded, those_fitting
from ichiba.interpreter.analysis.indexes import Index
from ichiba.interpreter.analysis.simplify import cheap, heavy, index_of, parts_of
from ichiba.interpreter.analysis.variables import renamed
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ZERO, call, compare, natural, place, row, value_of
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name, with_name
from ichiba.interpreter.to_plan.context.tables import fixed_table
from ichiba.interpreter.to_plan.sets.loops import FEW, Clauses, each, literal, tested
from ichiba.interpreter.to_plan.values.counting import counts_too
from ichiba.interpreter.to_plan.values.lookups import fixed_entry, steady_entry
from ichiba.interpreter.to_plan.values.pieces import pieces_single
from ichiba.interpreter.to_plan.values.places import offset
from ichiba.interpreter.to_plan.values.simplest import simplest, simplest_sides
from ichiba.interpreter.to_plan.values.zones import zone_columns

MOST_RELATED = 100  # so many values may stand on the other side of a condition


def narrowed_set(c: Context, inner: ir.Set) -> ir.Set:
    """A filter that hangs on nothing but the sort is worked out now: fewer sorts are left."""
    if not isinstance(inner, ir.Filtered):
        return inner
    outer = narrowed_set(c, inner.set)
    if isinstance(outer, ir.Pieces) and outer.sorts.one is None:
        open_ = []
        for part in quick_first(c, "and", (inner.test,)) if c.rewrites else [inner.test]:
            values = {sort: by_sort(c.world, part, inner.var, sort) for sort in outer.sorts.sorts}
            if None in values.values():
                open_.append(part)
            else:
                kept = tuple(sort for sort, value in values.items() if value)
                outer = ir.Pieces(outer.zones, ir.SortSet(kept), outer.kind)
        if not isinstance(inner.set, ir.Pieces) or outer.sorts != inner.set.sorts or not open_:
            left: ir.Set = outer
            for part in open_:
                left = ir.Filtered(left, inner.var, part, inner.kind)
            return left
    if c.rewrites and isinstance(outer, ir.Listed) and len(outer.items) >= FEW:
        fitting = those_fitting(outer, inner.var, inner.test)
        if fitting is not None:
            return ir.Listed(fitting, outer.kind)
    return inner if outer is inner.set else ir.Filtered(outer, inner.var, inner.test, inner.kind)


def quick_first(c: Context, op: str, args: tuple[ir.Exp, ...]) -> list[ir.Exp]:
    """What `and` or `or` joins: what is quick may spare the rest."""
    parts: list[ir.Exp] = []
    todo = list(args)
    while todo:
        part = simplest(c, todo.pop(0))
        if isinstance(part, ir.Op) and part.op == op:
            todo[:0] = part.args
        else:
            parts.append(part)
    return sorted(parts, key=lambda part: not (cheap(simplest_sides(c, part)) or is_looked_up(c, part)))


def found_by_index(c: Context, e: ir.Aggregate) -> p.Exp | None:
    """Whether, and how many: where an index knows it, nothing needs to be gone through."""
    if e.how not in ("any", "no", "count") or e.value is not None or not isinstance(e.set, ir.Filtered):
        return None
    base, tests = parts_of(narrowed_set(c, e.set))
    index = _index_for(c, base, *tests[0], counted=True) if len(tests) == 1 and c.rewrites else None
    if index is None:
        return None
    if index.zone is None:
        counts: dict[object, object] = {key: len(found) for key, found in index.by.items()}
        count = _entry_of(c, index, counts, 0, "how_many")
    elif index.most == 1:
        columns: dict[object, object] = {key: found[0] for key, found in index.by.items() if found}
        column = _entry_of(c, index, columns, -1, "column")
        count = p.Cell(place([lower(c, index.zone), column]))
        if not _all_there(c, index):
            count = say("{} if {} >= 0 else 0", count, column)
    else:
        name = new_name(c, "c")
        entries = _entry_of(c, index, {key: tuple(found) for key, found in index.by.items()}, (), "by")
        counted = say("[S[{}] for {} in {}]", place([lower(c, index.zone), name]), name, entries)
        if e.how == "count":
            return call("sum", counted)
        return call("any", counted) if e.how == "any" else p.Unary("not", call("any", counted))
    return count if e.how == "count" else compare(count, ">" if e.how == "any" else "==", ZERO)


def is_looked_up(c: Context, e: ir.Exp) -> bool:
    """Whether an index knows it, and what it is asked for is known at once."""
    return isinstance(e, ir.Aggregate) and not heavy(e.set, 1) and found_by_index(c, e) is not None


def _index_for(c: Context, base: ir.Set, var: ir.Var, test: ir.Exp, counted: bool = False) -> Index | None:
    """The members of a set by their entry in a fixed field, where a condition says what that must be; `counted`:
    only how many there are matters."""
    found = index_of(simplest_sides(c, test), var)
    if found is None:
        return _related_index(c, base, var, test) if counted else None
    own, value = found
    name = next((n.name for n in walk(own) if isinstance(n, ir.Lookup)), "sort")
    fixed, more = fixed_set(base)
    if fixed is not None and not more:
        made = {n: folded(renamed(own, {var: ir.Const(n, var.kind)})) for n in fixed}
        if len(fixed) < FEW or not all(isinstance(entry, ir.Const) for entry in made.values()):
            return None
        return Index.of(name, {n: entry.value for n, entry in made.items() if isinstance(entry, ir.Const)}, None, value)
    if not isinstance(base, ir.Pieces) or base.sorts.one is not None:
        return None
    if len(base.zones) != 1 or pieces_single(c, base) is not False and not (counted and counts_too(c, base)):
        return None
    columns = zone_columns(c, base.zones[0])
    entries = {sort: by_sort(c.world, own, var, sort) for sort in base.sorts.sorts}
    if columns is None or None in entries.values():
        return None
    index = Index.of(name, entries, base.zones[0], value, columns)
    return index if index.width >= FEW and index.is_plain else None


def _related_index(c: Context, base: ir.Set, var: ir.Var, test: ir.Exp) -> Index | None:
    """The sorts that meet a condition which hangs on nothing but the sort and one other value."""
    uses = {n.var: n for n in walk(test) if isinstance(n, ir.Use) and n.var is not var}
    if len(uses) != 1 or not isinstance(base, ir.Pieces) or base.sorts.one is not None or len(base.zones) != 1:
        return None
    ((other, use),) = uses.items()
    columns = zone_columns(c, base.zones[0])
    values = c.world.values(other.kind) if other.kind.form in ("thing", "sort", "seat", "enum") else ()
    if columns is None or not 0 < len(values) <= MOST_RELATED or use.at is not None or not counts_too(c, base):
        return None
    by: dict[object, list[int]] = {}
    for value in values:
        one = folded(renamed(test, {other: ir.Const(value, other.kind)}))
        met = {sort: by_sort(c.world, one, var, sort) for sort in base.sorts.sorts}
        if None in met.values():
            return None
        by[value] = sorted({columns[sort] for sort, yes in met.items() if yes})
    return Index(f"related_to_{other.name}", by, base.zones[0], use)


def indexed_clauses(c: Context, inner: ir.Filtered, name: str) -> Clauses | None:
    """Those of a fixed set, or of counted pieces, with a certain entry in a fixed field: found, not looked for."""
    base, tests = parts_of(inner)
    for at, (var, test) in enumerate(tests):
        index = _index_for(c, base, var, test)
        if index is not None:
            rest = tests[:at] + tests[at + 1 :]
            return tested(_clauses_found(c, index, name), *(with_name(c, v, p.Name(name), t) for v, t in rest))
    return None


def _clauses_found(c: Context, index: Index, name: str) -> Clauses:
    """What an index finds, as clauses."""
    entries = _entry_of(c, index, {key: tuple(found) for key, found in index.by.items()}, (), "by")
    if index.zone is None:
        return each(name, entries)
    column = new_name(c, "c")
    at = place([lower(c, index.zone), column])
    return (*each(column, entries), *each(name, row([at]), p.Cell(p.Name(name))))


def _entry_of(c: Context, index: Index, entries: dict[object, object], missing: object, hint: str) -> p.Exp:
    """The entry of a fixed table by the value that the field must have."""
    value, kind = index.value, index.value.kind
    domain = c.world.domain(kind)
    if domain is None or kind.optional and domain[0] > 0:
        name = fixed_table(c, tuple(entries.items()), f"{hint}_{index.field}")
        c.tables.rows[name] = entries
        return p.Method(p.Name(name), "get", (lower(c, value), literal(missing)))
    low, size = domain  # a place more: nothing (-1) finds the last
    if isinstance(value, ir.Lookup) and len(value.at) == 1 and not value.at[0].kind.optional:
        step = fixed_entry(c, value)
        if step is None and all(isinstance(entry, int) for entry in value.rows):
            rows = tuple(entries.get(entry, missing) for entry in value.rows)
            return _entry_at(c, rows, value.at[0], value.low[0], f"{hint}_{value.name}")
    rows = tuple(entries.get(low + n, missing) for n in range(size)) + (missing,)
    steady = steady_entry(c, rows[:-1], value, low)
    if steady is not None:
        return steady
    at = offset(c, value, low)
    if natural(at) and (value_of(at) or 0) < size and isinstance(fixed := rows[value_of(at) or 0], int):
        return p.Num(fixed)
    return p.Entry(p.Name(fixed_table(c, rows, f"{hint}_{index.field}")), at)


def _entry_at(c: Context, rows: tuple[object, ...], at: ir.Exp, low: int, hint: str) -> p.Exp:
    """The entry of a table that belongs to a value."""
    steady = steady_entry(c, rows, at, low)
    return p.Entry(p.Name(fixed_table(c, rows, hint)), offset(c, at, low)) if steady is None else steady


def _all_there(c: Context, index: Index) -> bool:
    """Whether every value that the field can be asked for is one of the index's."""
    domain = c.world.domain(index.value.kind)
    if domain is None or index.value.kind.optional:
        return False
    return all(index.by.get(n) for n in range(domain[0], sum(domain)))
