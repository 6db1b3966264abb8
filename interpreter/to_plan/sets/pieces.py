"""Pieces in zones, as clauses: the places where something is counted, and things that exist one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter.layout import MANY_THINGS, WIDE_ZONE
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import call, compare, logic, natural, place, plus, row, split, value_of
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.context.tables import columns_table, fixed_table
from ichiba.interpreter.to_plan.sets.loops import Clauses, each
from ichiba.interpreter.to_plan.values.pieces import pieces_single
from ichiba.interpreter.to_plan.values.places import total_place
from ichiba.interpreter.to_plan.values.zones import zone_columns

MANY_PLACES = 8  # so many neighbours are looked through in one go


def piece_clauses(c: Context, inner: ir.Pieces, name: str) -> Clauses:
    """Pieces that are counted, by the place where they are; then those that exist one by one, by their number."""
    single = pieces_single(c, inner)
    counted = [s for s in inner.sorts.sorts if not c.world.sorts[s].individual]
    alone = [s for s in inner.sorts.sorts if c.world.sorts[s].individual]
    if single is True:
        return _thing_clauses(c, inner, alone, name)
    if single is False:
        return _cell_clauses(c, inner, counted, name)
    a, b, whole = new_name(c, "x"), new_name(c, "x"), p.Name(new_name(c, "part"), "list")
    first: p.Exp = p.Comp("list", p.Name(a), _cell_clauses(c, inner, counted, a))
    if inner.sorts.one is not None:
        single_sorts = fixed_table(c, tuple(s.individual for s in c.world.sorts), "individual")
        first = say("[] if {}[{}] else {}", single_sorts, lower(c, inner.sorts.one), first)
    second = p.Comp("list", p.Name(b), _thing_clauses(c, inner, alone, b))
    return (p.Each((whole,), row([first, second])), *each(name, whole))


def _cell_clauses(c: Context, inner: ir.Pieces, sorts: list[int], name: str) -> Clauses:
    """Those of the places of counted pieces with something in them, as clauses."""
    something = p.Cell(p.Name(name))
    cells, dynamic = _counted_places(c, inner, sorts)
    if dynamic:
        return each(name, plus([*([p.Row("list", tuple(cells))] if cells else []), *dynamic]), something)
    whole = as_range(cells)
    if whole is None and len(cells) > 1 and all(natural(cell) for cell in cells):
        table = fixed_table(c, tuple(value_of(cell) for cell in cells), "cells")
        return each(name, p.Name(table), something)
    if whole is None or len(cells) == 1:
        return each(name, row(cells), something)
    if len(cells) < MANY_PLACES:
        return each(name, call("range", *whole), something)
    return each(name, say("compress(range({}, {}), S[{}:{}])", *whole, *whole))


def _counted_places(c: Context, inner: ir.Pieces, sorts: list[int]) -> tuple[list[p.Exp], list[p.Exp]]:
    """The places where pieces of a set are counted, and lists of places that only the running game knows."""
    cells: list[p.Exp] = []
    dynamic: list[p.Exp] = []
    for zone in inner.zones:
        columns = zone_columns(c, zone, inner.sorts)
        base = lower(c, zone)
        if columns is None:
            one_sort = inner.sorts.one
            those = p.Name(fixed_table(c, tuple(sorts), "sorts")) if one_sort is None else row([lower(c, one_sort)])
            dynamic.append(say("cells_any({}, {}[{}], {})", base, columns_table(c), base, those))
        elif inner.sorts.one is not None and (
            inner.sorts.one.kind.optional or any(columns[sort] < 0 for sort in inner.sorts.sorts)
        ):
            dynamic.append(
                say("cells_any({}, {}, ({},))", base, fixed_table(c, columns, "column"), lower(c, inner.sorts.one))
            )
        elif inner.sorts.one is not None:
            table = fixed_table(c, columns, "column")
            one = lower(c, inner.sorts.one)
            cells.append(place([base, columns[value_of(one) or 0] if natural(one) else p.Entry(p.Name(table), one)]))
        else:
            wanted = dict.fromkeys(columns[s] for s in sorts if columns[s] >= 0)
            cells.extend(place([base, column]) for column in wanted)
    return cells, dynamic


def as_range(cells: Sequence[p.Exp]) -> tuple[p.Exp, p.Exp] | None:
    """Neighbouring places: where they begin and end."""
    apart = [split(cell) for cell in cells]
    if not apart or any(terms != apart[0][0] for terms, _ in apart):
        return None
    numbers = [fixed for _, fixed in apart]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return None
    terms = apart[0][0]
    return place([*terms, numbers[0]]), place([*terms, numbers[-1] + 1])


def ends_of(c: Context, inner: ir.Set) -> tuple[p.Exp, p.Exp] | None:
    """Where counted pieces that lie next to each other in the state begin and end."""
    if not isinstance(inner, ir.Pieces) or pieces_single(c, inner) is not False or inner.sorts.one is not None:
        return None
    cells, dynamic = _counted_places(c, inner, list(inner.sorts.sorts))
    return None if dynamic or len(cells) < 2 else as_range(cells)


def those_present(c: Context, inner: ir.Set, line: Callable[..., None] | None = None) -> p.Exp | None:
    """Counted pieces that lie next to each other in the state: which of them are there, to go through."""
    ends = ends_of(c, inner)
    if ends is None:
        return None
    low, high = ends
    if line is not None and value_of(low) is None:
        base = new_name(c, "base")
        line("{} = {}", base, low)
        low, high = p.Name(base), place([base, split(high)[1] - split(low)[1]])
    return say("compress(range({}, {}), S[{}:{}])", low, high, low, high)


def _something_lies(c: Context, zones: tuple[ir.Exp, ...]) -> p.Exp | None:
    """Whether something lies in one of these zones, where that is quickly said."""
    found: list[p.Exp] = []
    for zone in zones:
        if not isinstance(zone, ir.ZoneAt) or len(zones) > 4:
            return None
        if zone.member in c.layout.totals:
            found.append(p.Cell(total_place(c, zone)))
        elif zone.member.width * len(zones) <= 4:
            found += [p.Cell(place([lower(c, zone), column])) for column in range(zone.member.width)]
        else:
            return None
    return logic("or", found) if found else None


def _how_many_lie(c: Context, zone: ir.Exp) -> p.Exp | None:
    """How many pieces a zone holds in all, where that is quickly said."""
    if not isinstance(zone, ir.ZoneAt):
        return None
    if zone.member in c.layout.totals:
        return p.Cell(total_place(c, zone))
    if not 0 < zone.member.width < WIDE_ZONE:
        return None
    return plus([p.Cell(place([lower(c, zone), column])) for column in range(zone.member.width)])


def _things_lying(c: Context, inner: ir.Pieces, ids: list[int], offset: int) -> p.Exp | None:
    """The things of zones that know how many they hold, found by the places of neighbouring things."""
    if len(ids) < MANY_THINGS or len(inner.zones) > 6:
        return None
    if ids[-1] - ids[0] + 1 > 3 * len(ids):
        return None
    found, totals = [], []
    for zone in inner.zones:
        many = _how_many_lie(c, zone)
        if many is None or "ordered" in zone.member.words:  # type: ignore[union-attr]
            return None
        if natural(lower(c, zone)):
            return None  # a zone of the table's or of a board's, where much may lie
        totals.append(many)
        among = [ids[0] + offset, ids[-1] + 1 + offset, -offset]
        found.append(say("lying(S, {}, {}, {*}) if {} else ()", lower(c, zone), many, among, many))
    if len(found) == 1:
        return found[0]
    return say("sorted([{*}]) if {} else ()", [p.Spread(one) for one in found], logic("or", totals))


def _thing_clauses(c: Context, inner: ir.Pieces, sorts: list[int], name: str) -> Clauses:
    """Those of the things of these sorts that lie in the zones, as clauses."""
    ids = [t.id for t in c.world.things if t.sort in set(sorts)]
    if not ids:
        return each(name, row([]))
    own = p.Name(name)
    member = c.world.places["place"]
    offset = member.base - member.dims[0][0]
    follow = ids == list(range(ids[0], ids[0] + len(ids)))
    source: p.Exp = call("range", ids[0], ids[-1] + 1) if follow else p.Name(fixed_table(c, tuple(ids), "things"))
    zones = [lower(c, z) for z in inner.zones]
    lying = _things_lying(c, inner, ids, offset)
    of_sort = (
        [compare(own, "in", p.Name(fixed_table(c, frozenset(ids), "these")))]
        if lying is not None and not follow
        else []
    )
    if inner.sorts.one is not None:
        things = fixed_table(c, tuple(t.sort for t in c.world.things), "sort_of_thing")
        of_sort.append(say("{}[{} - {}] == {}", things, own, FIRST_THING, lower(c, inner.sorts.one)))
    if lying is not None:
        return each(name, lying, *of_sort)
    there = _something_lies(c, inner.zones) if len(ids) >= MANY_THINGS else None
    if there is not None:
        source = say("{} if {} else ()", source, there)
    before, wanted = _zones_worked_out(c, zones, len(ids))
    test = compare(p.Cell(place([own, offset])), "==" if len(zones) == 1 else "in", wanted)
    return _in_their_order(c, inner, own, (*before, *each(name, source, logic("and", [test, *of_sort]))))


def _zones_worked_out(c: Context, zones: list[p.Exp], many: int) -> tuple[Clauses, p.Exp]:
    """The zones that so many things are looked for in: worked out once, where there are many."""
    wanted: p.Exp = zones[0] if len(zones) == 1 else row(zones)
    if many < MANY_THINGS or all(natural(zone) for zone in zones):
        return (), wanted
    known = p.Name(new_name(c, "zone"), "number" if len(zones) == 1 else "list")
    return (p.Each((known,), row([wanted])),), known


def _in_their_order(c: Context, inner: ir.Pieces, own: p.Name, those: Clauses) -> Clauses:
    """Things of zones that keep an order, in that order."""
    if not any(isinstance(z, ir.ZoneAt) and "ordered" in z.member.words for z in inner.zones):
        return those
    rank = c.world.places["rank"]
    by = p.Lambda((own.name,), p.Cell(place([own, rank.base - rank.dims[0][0]])))
    return each(own.name, call("sorted", p.Comp("list", own, those), p.Keyword("key", by)))
