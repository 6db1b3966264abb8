"""Lots to choose from: how many of each sort, and what may be chosen."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import NUMBER
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.layout import bag_sorts
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import NONE, ONE, ZERO, place, plus
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import name_of, new_name, with_name
from ichiba.interpreter.to_plan.context.tables import fixed_table
from ichiba.interpreter.to_plan.sets.indexes import narrowed_set
from ichiba.interpreter.to_plan.sets.pieces import as_range
from ichiba.interpreter.to_plan.sets.sets import list_of, times_each
from ichiba.interpreter.to_plan.values.zones import zone_columns


def lot_options(c: Context, site: Site, s: ir.ChooseSome) -> None:
    """How many of the next sort can be taken, so that what is asked of the whole lot can still be met."""
    sorts = bag_sorts(c.world, s.bag)
    first = c.layout.slot(s.bag)
    _lot_contents(c, s.set, sorts)
    worth: p.Exp = NONE
    if s.worth is not None:
        which, count = new_name(c, "s"), new_name(c, "n")
        table = fixed_table(c, sorts, "sorts")
        var_n, var_s = ir.Var("n", NUMBER), ir.Var("s", NUMBER)
        c.names[var_n], c.names[var_s] = p.Name(count), say("{}[{}]", table, which)
        worth = p.Lambda((count, which), lower(c, s.worth_of(ir.Use(var_n, NUMBER), ir.Use(var_s, NUMBER))))
    at = name_of(c, site.bag_at)  # type: ignore[arg-type]
    least = lower(c, s.least) if s.least is not None else ZERO
    most = lower(c, s.most) if s.most is not None else p.Num(1_000_000)
    step = lower(c, s.step) if s.step is not None else ONE
    shapes = NONE if s.different is None else p.Name(fixed_table(c, tuple(s.different[i] for i in sorts), "shapes"))
    low = lower(c, s.worth_least) if s.worth_least is not None else p.Num(-(10**12))
    high = lower(c, s.worth_most) if s.worth_most is not None else p.Num(10**12)
    asked = [at, least, most, step, shapes, worth, low, high]
    c.out.line("return bag_choices(have, S[{}:{}], {*})", first, first + len(sorts), asked)


def _lot_contents(c: Context, inner: ir.Set, sorts: tuple[int, ...]) -> None:
    """How many of each sort there are to choose from."""
    cells = _cells_by_sort(c, narrowed_set(c, inner), sorts)
    if cells is not None:
        whole = as_range([one[0] for one in cells]) if all(len(one) == 1 for one in cells) else None
        if whole is not None:
            c.out.line("have = S[{}:{}]", *whole)
        else:
            c.out.line("have = [{*}]", [plus([p.Cell(cell) for cell in one]) for one in cells])
        return
    name = new_name(c, "x")
    many = times_each(c, inner, name)
    column = fixed_table(c, c.layout.column_of(sorts), "column")
    c.out.line("have = [0] * {}", len(sorts))
    piece = ir.Var("piece", inner.kind.of or NUMBER)
    sort = with_name(c, piece, p.Name(name), ir.SortOf(ir.Use(piece, piece.kind), piece.kind))
    c.out.line("for {} in {}: have[{}[{}]] += {}", name, list_of(c, inner), column, sort, many)


def _cells_by_sort(c: Context, inner: ir.Set, sorts: tuple[int, ...]) -> list[list[p.Exp]] | None:
    """By sort: the places where pieces of it are counted; None where they must be gone through."""
    if not isinstance(inner, ir.Pieces) or inner.sorts.one is not None:
        return None
    found: list[list[p.Exp]] = [[] for _ in sorts]
    for zone in inner.zones:
        columns = zone_columns(c, zone)
        there = [sort for sort in sorts if sort in inner.sorts.sorts]
        if columns is None or len({columns[sort] for sort in there} - {-1}) < len(there):
            return None
        for sort in there:
            found[sorts.index(sort)].append(place([lower(c, zone), columns[sort]]))
    return found
