"""Where pieces come to lie: columns of the target, totals that follow."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import Member
from ichiba.interpreter.analysis.simplify import heavy
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import call, compare, natural, place, value_of
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.context.tables import columns_table, fixed_table, late_table, table_by_place
from ichiba.interpreter.to_plan.values.places import total_place
from ichiba.interpreter.to_plan.values.zones import (
    holds_own,
    may_not_hold,
    owner_of_sorts,
    possible_zones,
    zone_columns,
)


def target_zone(c: Context, target: ir.Exp) -> p.Exp:
    """Where pieces go: worked out once, before they move."""
    made = lower(c, target)
    if natural(made) or isinstance(made, p.Name):
        return made
    name = new_name(c, "z")
    c.out.line("{} = {}", name, made)
    return p.Name(name)


def totals_follow(
    c: Context,
    sources: tuple[ir.Exp, ...],
    cell: p.Exp,
    target: ir.Exp,
    to: p.Exp,
    amount: p.Exp,
    one_source: bool = True,
) -> None:
    """Where totals are kept, they follow the counts: out of the zone of a place, into another."""
    if not c.layout.totals:
        return
    if one_source:
        members = [m for zone in sources for m in possible_zones(c, zone)]
        if not sources:
            wanted = {s for m in possible_zones(c, target) for s in m.sorts}
            members = [m for m in c.layout.totals if wanted & set(m.sorts)]
        _total_follows(c, members, sources[0] if len(sources) == 1 else None, cell, "-=", amount)
    _total_follows(c, possible_zones(c, target), target, to, "+=", amount)


def _total_follows(
    c: Context, members: list[Member], zone: ir.Exp | None, at: p.Exp, change: str, amount: p.Exp
) -> None:
    """The total of a zone, or of the zone that a place belongs to."""
    if not any(m in c.layout.totals for m in members):
        return
    if isinstance(zone, ir.ZoneAt) and not any(heavy(owner) for owner in zone.at):
        total = p.Cell(total_place(c, zone))
    else:
        total = p.Cell(p.Entry(p.Name(late_table(c, "TOTAL_AT")), at))
    c.out.put(p.Change(total, change, amount))


def target_column(c: Context, target: ir.Exp, sort: p.Exp, side: int | None, sorts: tuple[int, ...] = ()) -> p.Exp:
    """The column of a sort in the target zone, turned to a side if that is said. `sorts`: which it may be."""
    columns = zone_columns(c, target)
    if side is not None:
        turned = _turned_sorts(c, side)
        fixed_table(c, turned, f"side_{side}")
        sort = entry_by_sort(c, turned, sort, f"side_{side}")
    if columns is None:
        return _column_there(c, target, sort, sorts)
    column = entry_by_sort(c, columns, sort, "column")
    return call("fitting", column) if not natural(column) and _is_asked(c, target, sorts) else column


def _is_asked(c: Context, zone: ir.Exp, sorts: tuple[int, ...]) -> bool:
    """Whether it must be asked that a zone can hold what comes: it may be another's, or hold fewer kinds."""
    return holds_own(c, zone) or may_not_hold(c, zone, (sort for sort in sorts if not c.world.sorts[sort].individual))


def entry_by_sort(c: Context, rows: tuple[int, ...], sort: p.Exp, hint: str) -> p.Exp:
    """The entry of a table by sort; that of a fixed sort is looked up now."""
    if natural(sort):
        return p.Num(rows[value_of(sort) or 0])
    return p.Entry(p.Name(fixed_table(c, rows, hint)), sort)


def _column_there(c: Context, zone: ir.Exp, sort: p.Exp, sorts: tuple[int, ...]) -> p.Exp:
    """The column of a sort in a zone that only now is known."""
    own = _column_in_own(c, zone, sort)
    if own is not None:
        return own
    column = say("{}[{}][{}]", columns_table(c), lower(c, zone), sort)
    return call("fitting", column) if _is_asked(c, zone, sorts) else column


def _column_in_own(c: Context, zone: ir.Exp, sort: p.Exp) -> p.Exp | None:
    """The same in a zone that holds its owner's sorts only, where no sort is of two owners: it must be this one's."""
    owners = owner_of_sorts(c, zone)
    if owners is None or not isinstance(zone, ir.ZoneAt) or zone.member.owner_at is None:
        return None
    owner = lower(c, zone.at[zone.member.owner_at])
    its, column = (_by_sort(c, rows, sort, hint) for rows, hint in ((owners, "owner"), (c.layout.columns_of(zone.member), "column")))
    return p.Choice(compare(its, "==", owner), column, call("fitting", -1))


def _by_sort(c: Context, rows: tuple[int, ...], sort: p.Exp, hint: str) -> p.Exp:
    """The entry of a table by sort; of the sort of what lies in a place, that of the place."""
    match sort:
        case p.Entry(of=p.Name(name="SORT_AT"), at=cell):
            return p.Entry(p.Name(table_by_place(c, rows, hint, other=-2)), cell)
        case _:  # any other sort
            return entry_by_sort(c, rows, sort, hint)


def cell_there(c: Context, zone: ir.Exp, sort: p.Exp, perhaps_none: bool = False) -> p.Exp:
    """The same in a zone that only now is known: one that cannot hold them finds the place that is always empty, and so
    does a sort that is none."""
    at, column = lower(c, zone), say("{}[{}][{}]", columns_table(c), lower(c, zone), sort)
    if not holds_own(c, zone) and not perhaps_none:
        return say("{} + {}", at, column)
    empty = c.layout.once("nothing lies here", 1, "nothing lies here")
    return say("{} + {} if {} >= 0 else {}", at, column, column, empty)


def arrival(
    c: Context,
    name: p.Exp,
    zone: ir.Exp,
    target: p.Exp,
    side: int | None,
    sorts: tuple[int, ...],
    sources: tuple[ir.Exp, ...] = (),
) -> p.Exp:
    """Where a counted piece, of one of these sorts, that lies in a place comes to lie in another zone."""
    columns = zone_columns(c, zone)
    if columns is None or side is not None or _is_asked(c, zone, sorts):
        return place([target, target_column(c, zone, say("{}[{}]", late_table(c, "SORT_AT"), name), side, sorts)])
    before = zone_columns(c, sources[0]) if len(sources) == 1 else None
    steps = set() if before is None else {to - at for at, to in zip(before, columns, strict=True) if at >= 0}
    if len(steps) == 1:  # the same columns: all go equally far
        source = lower(c, sources[0])
        if natural(source):
            return place([name, target, steps.pop() - (value_of(source) or 0)])
        far = new_name(c, "far")
        c.out.line("{} = {} - {}", far, place([target, steps.pop()]), source)
        return place([name, far])
    return place([target, p.Entry(p.Name(table_by_place(c, columns, "column")), name)])


def _turned_sorts(c: Context, side: int) -> tuple[int, ...]:
    """By sort: the same with that side up; itself where it has no sides."""
    sides = list(dict.fromkeys(s.side for s in c.world.sorts if s.side))
    known: dict[object, int] = {}
    for sort in c.world.sorts:
        known.setdefault((sort.name, sort.family, sort.owner, sort.side), sort.id)
    return tuple(
        known.get((sort.name, sort.family, sort.owner, sides[side]), sort.id) if sort.side else sort.id
        for sort in c.world.sorts
    )
