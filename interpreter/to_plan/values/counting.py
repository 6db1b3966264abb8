"""How many pieces lie in zones."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.layout import bag_sorts, counts_all
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ZERO, place, plus, row, value_of
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.tables import columns_table, fixed_table
from ichiba.interpreter.to_plan.values.lookups import column_by
from ichiba.interpreter.to_plan.values.places import total_place
from ichiba.interpreter.to_plan.values.zones import zone_columns


def count_in(c: Context, zones: tuple[ir.Exp, ...], sorts: ir.SortSet) -> p.Exp:
    """How many pieces of these sorts lie in zones."""
    parts = []
    for zone in zones:
        total = kept_total(c, zone, sorts)
        parts.append(total or _count_one(c, lower(c, zone), zone_columns(c, zone, sorts), sorts))
    return plus([part for part in parts if part != ZERO])


def kept_total(c: Context, zone: ir.Exp, sorts: ir.SortSet) -> p.Exp | None:
    """How many pieces a zone holds in all, where that is kept."""
    if not isinstance(zone, ir.ZoneAt) or sorts.one is not None or zone.member not in c.layout.totals:
        return None
    if not counts_all(c.layout, zone.member, sorts.sorts):
        return None
    return p.Cell(total_place(c, zone))


def _count_one(c: Context, zone: p.Exp, columns: tuple[int, ...] | None, sorts: ir.SortSet) -> p.Exp:
    """How many lie in one zone, of which the columns are known or found in play."""
    if columns is None:
        those = row([lower(c, sorts.one)]) if sorts.one is not None else p.Name(fixed_table(c, sorts.sorts, "sorts"))
        return say("count_any(S, {}, {}[{}], {})", zone, columns_table(c), zone, those)
    if sorts.one is not None:
        value = lower(c, sorts.one)
        if (fixed := value_of(value)) is not None and fixed >= 0:
            return p.Cell(place([zone, columns[fixed]])) if columns[fixed] >= 0 else ZERO
        column = column_by(c, columns, sorts.one, value)
        if all(columns[s] >= 0 for s in sorts.sorts) and not sorts.one.kind.optional:
            return p.Cell(place([zone, column]))
        return say("S[{} + {}] if {} >= 0 else 0", zone, column, column)
    wanted = sorted({columns[s] for s in sorts.sorts if columns[s] >= 0})
    if len(wanted) > 2 and wanted == list(range(wanted[0], wanted[-1] + 1)):
        return say("sum(S[{}:{}])", place([zone, wanted[0]]), place([zone, wanted[-1] + 1]))
    return plus([p.Cell(place([zone, column])) for column in wanted])


def lot_count(c: Context, bag: ir.Var, sorts: ir.SortSet) -> p.Exp:
    """How many pieces of these sorts are in a lot."""
    return _count_one(c, p.Num(c.layout.slot(bag)), c.layout.column_of(bag_sorts(c.world, bag)), sorts)


def counts_too(c: Context, inner: ir.Pieces) -> bool:
    """Things that exist one by one are counted in their zones too."""
    if inner.sorts.one is not None or not inner.sorts.sorts:
        return False
    for zone in inner.zones:
        columns = zone_columns(c, zone, inner.sorts)
        if columns is None or any(columns[sort] < 0 for sort in inner.sorts.sorts):
            return False
    return True
