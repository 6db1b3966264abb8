"""Pieces drawn by chance, or from the front of an ordered zone."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ONE, call, place, plus, row
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import name_of, new_name
from ichiba.interpreter.to_plan.context.tables import columns_table, fixed_table, kind_ref
from ichiba.interpreter.to_plan.sets.sets import list_of
from ichiba.interpreter.to_plan.statements.arriving import arrival, target_zone, totals_follow
from ichiba.interpreter.to_plan.statements.assigning import tell_effect
from ichiba.interpreter.to_plan.statements.chance import chance
from ichiba.interpreter.to_plan.statements.moving import move_counted, set_kind
from ichiba.interpreter.to_plan.statements.taking import take_piece, take_thing
from ichiba.interpreter.to_plan.values.counting import kept_total
from ichiba.interpreter.to_plan.values.zones import holds_own, zone_columns, zone_sorts

LIST = p.Name("m", "list")  # what is drawn or picked from


def draw(c: Context, s: ir.Draw) -> None:
    """Pieces drawn from a zone: counted ones, things, or either."""
    source, target = target_zone(c, s.source), target_zone(c, s.target)
    sorts = tuple(i for i in s.sorts.sorts if i in zone_sorts(c, s.source))
    alone = {c.world.sorts[i].individual for i in sorts}
    single, either = alone == {True}, len(alone) > 1
    amount = lower(c, s.amount)
    if (
        not single
        and not either
        and not c.trace
        and s.sorts.one is None
        and s.var is None
        and s.refill is None
        and _draw_many(c, s, sorts, source, target, amount)
    ):
        return
    if s.var is not None:
        c.out.line("{} = -1", name_of(c, s.var))
    loop = amount != ONE
    if loop:
        c.out.line("for _ in range({}):", amount)
        c.out.depth += 1
    if either:
        _draw_either(c, s, sorts, source, target, loop)
    elif single:
        _draw_thing(c, s, sorts, source, target, loop)
    else:
        _draw_counted(c, s, sorts, source, target, loop)
    if loop:
        c.out.depth -= 1


def _draw_many(c: Context, s: ir.Draw, sorts: tuple[int, ...], source: p.Exp, target: p.Exp, amount: p.Exp) -> bool:
    """Several draws from neighbouring counts at once."""
    columns = zone_columns(c, s.source, s.sorts)
    if columns is None or any(columns[i] < 0 for i in sorts):
        return False
    wanted = sorted({columns[i] for i in sorts})
    if not wanted or wanted != list(range(wanted[0], wanted[-1] + 1)):
        return False
    low, high = place([source, wanted[0]]), place([source, wanted[-1] + 1])
    to = arrival(c, p.Name("c"), s.target, target, None, sorts, (s.source,))
    with c.out.under("for c in draw_many(S, C, {}, {}, {}):", low, high, amount):
        c.out.line("S[{}] += 1", to)
        totals_follow(c, (s.source,), p.Name("c"), s.target, target, ONE)
    return True


def _draw_counted(c: Context, s: ir.Draw, sorts: tuple[int, ...], source: p.Exp, target: p.Exp, loop: bool) -> None:
    """One of the counted pieces; where there are none, nothing, or first everything is put back."""
    columns = zone_columns(c, s.source, s.sorts) if s.sorts.one is None else None
    cells, total = _drawn_from(c, s, sorts, columns, source)
    c.out.line("t = {}", total)
    if s.refill is not None:
        _refill(c, s, s.refill, sorts, columns, source)
        c.out.depth += 1
        c.out.line("t = {}", total)
        c.out.depth -= 1
    with c.out.under("if t:"):
        if c.trace:
            c.out.line("c = [c for c in {} if S[c]]", cells)
            kind = kind_ref(c, _piece_kind(s.source.kind.name))
            c.out.line("c = c[C.draw(S, c, [S[x] for x in c], {}, 'draw', {})]", kind, target)
        else:
            c.out.line("c = weighted(S, C, {}, t)", cells)
        drawn = p.Name("c")
        to = arrival(c, drawn, s.target, target, None, sorts, (s.source,))
        c.out.line("S[c] -= 1")
        c.out.line("S[{}] += 1", to)
        totals_follow(c, (s.source,), drawn, s.target, to, ONE)
        if s.var is not None:
            c.out.line("{} = {}", name_of(c, s.var), to)
        tell_effect(c, "move", s.span)
    if loop:
        c.out.line("else: break")


def _drawn_from(
    c: Context, s: ir.Draw, sorts: tuple[int, ...], columns: tuple[int, ...] | None, source: p.Exp
) -> tuple[p.Exp, p.Exp]:
    """The places that are drawn from, and how many pieces lie there in all."""
    cells: p.Exp
    if columns is None:
        cells = p.Name(new_name(c, "cells"), "list")
        c.out.line(
            "{} = cells_any({}, {}[{}], {})", cells, source, columns_table(c), source, _sorts_drawn(c, s, sorts)
        )
        total = say("sum([S[c] for c in {}])", cells)
    else:
        wanted = sorted({columns[i] for i in sorts} - {-1})
        if wanted and wanted == list(range(wanted[0], wanted[-1] + 1)):
            ends = place([source, wanted[0]]), place([source, wanted[-1] + 1])
            cells, total = call("range", *ends), say("sum(S[{}:{}])", *ends)
        else:
            those = [place([source, column]) for column in wanted]
            cells, total = row(those), plus([p.Cell(one) for one in those])
    return cells, kept_total(c, s.source, ir.SortSet(sorts, s.sorts.one)) or total


def _sorts_drawn(c: Context, s: ir.Draw, sorts: tuple[int, ...]) -> p.Exp:
    return p.Name(fixed_table(c, sorts, "sorts")) if s.sorts.one is None else row([lower(c, s.sorts.one)])


def _refill(
    c: Context, s: ir.Draw, back: ir.Exp, sorts: tuple[int, ...], columns: tuple[int, ...] | None, source: p.Exp
) -> None:
    """Where nothing is left, everything is put back first."""
    c.out.line("if not t:")
    there = zone_columns(c, back, s.sorts)
    c.out.depth += 1
    if columns is None or there is None or holds_own(c, s.source):
        _refill_one_by_one(c, s, sorts, source, lower(c, back))
    else:
        move_counted(c, ir.MoveSome(None, ir.SortSet(sorts), (back,), s.source, None, s.notes, s.span), sorts)
    c.out.depth -= 1


def _refill_one_by_one(c: Context, s: ir.Draw, sorts: tuple[int, ...], source: p.Exp, back: p.Exp) -> None:
    """Each sort into its own column of a zone that only now is known; what cannot lie there is a fault."""
    assert s.refill is not None
    there, sort = p.Name(new_name(c, "there")), new_name(c, "sort")
    c.out.line("for {} in {}:", sort, _sorts_drawn(c, s, sorts))
    c.out.depth += 1
    c.out.line("for {} in cells_any({}, {}[{}], ({},)):", there, back, columns_table(c), back, sort)
    c.out.depth += 1
    c.out.line("if not S[{}]: continue", there)
    c.out.line("c = {} + fitting({}[{}][{}])", source, columns_table(c), source, sort)
    totals_follow(c, (s.refill,), there, s.source, p.Name("c"), p.Cell(there))
    c.out.line("S[c] += S[{}]; S[{}] = 0", there, there)
    c.out.depth -= 2


def _draw_thing(c: Context, s: ir.Draw, sorts: tuple[int, ...], source: p.Exp, target: p.Exp, loop: bool) -> None:
    """One of the things of a zone: by chance, or the front one."""
    pieces = ir.Pieces((s.source,), ir.SortSet(sorts, s.sorts.one), set_kind(c.world.element(s.source.kind.name)))
    c.out.line("m = {}", list_of(c, pieces))
    if s.refill is not None:
        back = ir.Pieces((s.refill,), ir.SortSet(sorts, s.sorts.one), pieces.kind)
        name = new_name(c, "p")
        with c.out.under("if not m:"):
            with c.out.under("for {} in {}:", name, list_of(c, back)):
                take_thing(c, p.Name(name), source, s.source, s.notes)
            c.out.line("m = {}", list_of(c, pieces))
    with c.out.under("if m:"):
        own = p.Name(new_name(c, "p"))
        if s.ordered:
            c.out.line("{} = m[0]", own)
        else:
            chance(c, own.name, LIST, None, c.world.element(s.source.kind.name), "draw", target)
        take_thing(c, own, target, s.target, s.notes)
        if s.var is not None:
            c.out.line("{} = {}", name_of(c, s.var), own)
        tell_effect(c, "move", s.span)
    if loop:
        c.out.line("else: break")


def _draw_either(c: Context, s: ir.Draw, sorts: tuple[int, ...], source: p.Exp, target: p.Exp, loop: bool) -> None:
    """Some of the pieces are counted, others exist one by one: each of them is as likely as any other."""
    element = c.world.element(s.source.kind.name)
    pieces = ir.Pieces((s.source,), ir.SortSet(sorts, s.sorts.one), set_kind(element))
    c.out.line("m = {}", list_of(c, pieces, each=True))
    if s.refill is not None:
        back = ir.Pieces((s.refill,), ir.SortSet(sorts, s.sorts.one), pieces.kind)
        name = new_name(c, "p")
        with c.out.under("if not m:"):
            with c.out.under("for {} in {}:", name, list_of(c, back, each=True)):
                take_piece(c, p.Name(name), source, s.source, s.notes, None, None, sorts, s.span)
            c.out.line("m = {}", list_of(c, pieces, each=True))
    with c.out.under("if m:"):
        own = p.Name(new_name(c, "p"))
        if s.ordered:
            c.out.line("{} = m[0]", own)
        else:
            chance(c, own.name, LIST, None, element, "draw", target)
        if s.var is not None:
            there = arrival(c, own, s.target, target, None, sorts)
            c.out.line("{} = {} if {} >= {} else {}", name_of(c, s.var), own, own, FIRST_THING, there)
        take_piece(c, own, target, s.target, s.notes, None, None, sorts, s.span)
        tell_effect(c, "move", s.span)
    if loop:
        c.out.line("else: break")


def _piece_kind(name: str) -> Kind:
    return Kind("piece", name)
