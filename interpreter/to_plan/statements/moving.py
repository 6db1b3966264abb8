"""Pieces that move: some of them, one, or a set."""

from __future__ import annotations

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import call, natural, place
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.context.writing import fault
from ichiba.interpreter.to_plan.sets.pieces import those_present
from ichiba.interpreter.to_plan.sets.sets import clauses_of, list_of
from ichiba.interpreter.to_plan.statements.arriving import (
    arrival,
    cell_there,
    entry_by_sort,
    target_column,
    target_zone,
    totals_follow,
)
from ichiba.interpreter.to_plan.statements.assigning import tell_effect
from ichiba.interpreter.to_plan.statements.lots import move_lot
from ichiba.interpreter.to_plan.statements.taking import take_piece
from ichiba.interpreter.to_plan.values.counting import kept_total
from ichiba.interpreter.to_plan.values.pieces import is_individual, pieces_single
from ichiba.interpreter.to_plan.values.zones import holds_own, zone_columns


def move_some(c: Context, s: ir.MoveSome) -> None:
    """So many pieces of some sorts, or all of them."""
    counted = tuple(i for i in s.sorts.sorts if not c.world.sorts[i].individual)
    alone = tuple(i for i in s.sorts.sorts if c.world.sorts[i].individual)
    if counted and not alone:
        move_counted(c, s, counted)
    elif alone:
        _move_individuals(c, s)
    tell_effect(c, "move", s.span)


def move_counted(c: Context, s: ir.MoveSome, sorts: tuple[int, ...]) -> None:
    """Pieces that are counted: out of one place, or out of several one after the other."""
    target = target_zone(c, s.target)
    if len(s.sources) == 1 and (len(sorts) == 1 or s.sorts.one is not None):
        _move_one_sort(c, s, sorts, target)
        return
    name = new_name(c, "c")
    pieces = ir.Pieces(s.sources, s.sorts, set_kind(c.world.element(s.target.kind.name)))
    to = arrival(c, p.Name(name), s.target, target, s.side, sorts, s.sources)
    if s.amount is None:
        _move_all(c, s, pieces, name, target, to)
    else:
        _move_so_many(c, s, s.amount, pieces, name, target, to)


def _move_one_sort(c: Context, s: ir.MoveSome, sorts: tuple[int, ...], target: p.Exp) -> None:
    """One place is known to hold them all."""
    source = s.sources[0]
    columns = zone_columns(c, source, s.sorts)
    sort = lower(c, s.sorts.one) if s.sorts.one is not None else p.Num(sorts[0])
    optional = s.sorts.one is not None and s.sorts.one.kind.optional
    if columns is None or optional or holds_own(c, source) and any(columns[each] < 0 for each in sorts):
        cell = cell_there(c, source, sort, optional)
    else:
        cell = place([lower(c, source), entry_by_sort(c, columns, sort, "column")])
    if not natural(cell):
        c.out.line("c = {}", cell)
        cell = p.Name("c")
    _shift(c, s, cell, place([target, target_column(c, s.target, sort, s.side, sorts)]))


def _move_all(c: Context, s: ir.MoveSome, pieces: ir.Pieces, name: str, target: p.Exp, to: p.Exp) -> None:
    """All that lies in several places."""
    cell, depth = p.Name(name), c.out.depth
    total = kept_total(c, s.sources[0], s.sorts) if len(s.sources) == 1 else None
    if total is not None:
        c.out.line("if {}:", total)
        c.out.depth += 1
    with c.out.under("for {} in {}:", name, those_present(c, pieces, c.out.line) or list_of(c, pieces)):
        c.out.line("k = S[{}]", cell)
        c.out.line("S[{}] = 0", cell)
        c.out.line("S[{}] += k", to)
        totals_follow(c, s.sources, cell, s.target, target, p.Name("k"))
    c.out.depth = depth


def _move_so_many(
    c: Context, s: ir.MoveSome, amount: ir.Exp, pieces: ir.Pieces, name: str, target: p.Exp, to: p.Exp
) -> None:
    """Out of several places, one after the other, until it is enough."""
    cell = p.Name(name)
    c.out.line("n = {}", _no_less_than_none(c, amount))
    with c.out.under("for {} in {}:", name, p.Comp("list", cell, clauses_of(c, pieces, name))):
        c.out.line("k = S[{}] if S[{}] < n else n", cell, cell)
        c.out.line("S[{}] -= k", cell)
        c.out.line("S[{}] += k", to)
        totals_follow(c, s.sources, cell, s.target, target, p.Name("k"))
        c.out.line("n -= k")
        c.out.line("if not n: break")
    c.out.line("if n: {}", fault(c, "there are not enough pieces to move", s.span))


def _shift(c: Context, s: ir.MoveSome, cell: p.Exp, to: p.Exp) -> None:
    """All of a place or so many of it into another place."""
    if s.amount is None:
        c.out.line("k = S[{}]", cell)
        with c.out.under("if k:"):  # where there are none it does not matter whether they could lie there
            c.out.line("S[{}] = 0", cell)
            c.out.line("S[{}] += k", to)
            totals_follow(c, s.sources, cell, s.target, to, p.Name("k"))
        return
    amount = _no_less_than_none(c, s.amount)
    if not natural(amount):
        c.out.line("n = {}", amount)
        amount = p.Name("n")
    c.out.line("if S[{}] < {}: {}", cell, amount, fault(c, "there are not enough pieces to move", s.span))
    c.out.line("S[{}] -= {}", cell, amount)
    c.out.line("S[{}] += {}", to, amount)
    totals_follow(c, s.sources, cell, s.target, to, amount)


def _no_less_than_none(c: Context, amount: ir.Exp) -> p.Exp:
    """To move less than nothing moves nothing."""
    made = lower(c, amount)
    return made if natural(made) or c.extents.value(amount)[0] >= 0 else call("max", 0, made)


def _move_individuals(c: Context, s: ir.MoveSome) -> None:
    """Things, the first ones of those that lie there."""
    name = new_name(c, "p")
    pieces = ir.Pieces(s.sources, s.sorts, set_kind(c.world.element(s.target.kind.name)))
    target = target_zone(c, s.target)
    listed = list_of(c, pieces, each=True)
    if s.amount is not None:
        c.out.line("n = {}", _no_less_than_none(c, s.amount))
        c.out.line("m = {}[:n]", listed)
        c.out.line("if len(m) < n: {}", fault(c, "there are not enough pieces to move", s.span))
        listed = p.Name("m", "list")
    with c.out.under("for {} in {}:", name, listed):
        take_piece(c, p.Name(name), target, s.target, s.notes, pieces_single(c, pieces), s.side, s.sorts.sorts)


def move_piece(
    c: Context,
    piece: ir.Exp,
    target: ir.Exp,
    side: int | None,
    notes: ir.Notes,
    span: Span | None,
) -> None:
    """One piece that has been chosen or named."""
    name = lower(c, piece)
    if not isinstance(name, p.Name) and not natural(name):
        own = new_name(c, "p")
        c.out.line("{} = {}", own, name)
        name = p.Name(own)
    if piece.kind.optional or not isinstance(piece, ir.Use | ir.Const):
        c.out.line("if {} < 0: {}", name, fault(c, "there is no such piece to move", span))
    single = True if piece.kind.form == "thing" else is_individual(c, piece.kind.name)
    take_piece(c, name, target_zone(c, target), target, notes, single, side, sorts_of(c, piece.kind), span)
    tell_effect(c, "move", span)


def move_set(c: Context, s: ir.MoveSet) -> None:
    """All pieces of a set, or what was chosen as a lot."""
    name = new_name(c, "p")
    target = target_zone(c, s.target)
    if isinstance(s.set, ir.Chosen):
        move_lot(c, s, s.set, target)
        return
    with c.out.under("for {} in {}:", name, list_of(c, s.set, each=True)):
        element = s.set.kind.of
        single = True if element is None or element.form == "thing" else is_individual(c, element.name)
        take_piece(c, p.Name(name), target, s.target, s.notes, single, s.side, sorts_of(c, element), s.span)
    tell_effect(c, "move", s.span)


def sorts_of(c: Context, kind: Kind | None) -> tuple[int, ...]:
    """Of what sort a piece may be, by what is known of it."""
    return tuple(c.world.categories.get(kind.name, ())) if kind is not None else ()


def set_kind(element: Kind) -> Kind:
    return Kind("set", of=element)
