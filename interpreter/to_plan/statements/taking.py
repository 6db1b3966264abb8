"""One piece goes to a zone."""

from __future__ import annotations

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.dsl.world.world import FIRST_THING, Member
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ONE, place
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.tables import fixed_table
from ichiba.interpreter.to_plan.context.writing import fault
from ichiba.interpreter.to_plan.statements.arriving import arrival, totals_follow


def take_piece(
    c: Context,
    name: p.Exp,
    target: p.Exp,
    zone: ir.Exp,
    notes: ir.Notes,
    single: bool | None,
    side: int | None,
    sorts: tuple[int, ...],
    span: Span | None = None,
) -> None:
    """One piece, of one of these sorts, goes to a zone; `single`: whether it exists one by one (None: either)."""
    if single is None:
        with c.out.under("if {} >= {}:", name, FIRST_THING):
            take_thing(c, name, target, zone, notes)
        with c.out.under("else:"):
            _take_counted(c, name, target, zone, side, sorts, span)
    elif single:
        take_thing(c, name, target, zone, notes)
    else:
        _take_counted(c, name, target, zone, side, sorts, span)


def _take_counted(
    c: Context, name: p.Exp, target: p.Exp, zone: ir.Exp, side: int | None, sorts: tuple[int, ...], span: Span | None
) -> None:
    """One of a count goes; since it was named, it may have gone already."""
    c.out.line("if S[{}] < 1: {}", name, fault(c, "this piece is gone", span))
    c.out.line("S[{}] -= 1", name)
    c.out.line("S[{}] += 1", arrival(c, name, zone, target, side, sorts))
    totals_follow(c, (), name, zone, target, ONE)


def take_thing(c: Context, name: p.Exp, target: p.Exp, zone: ir.Exp, notes: ir.Notes) -> None:
    """Something that exists one by one, with what is noted of it: set, kept or forgotten."""
    values = [(member, None if value is None else lower(c, value)) for member, value in notes if member.size]
    c.out.line("take(S, {}, {})", name, target)
    for member, value in values:
        keeps = _keeps_note(zone, member)
        first = dict(c.layout.starts).get(member.base, 0)
        here = place([name, member.base - member.dims[0][0]])
        low, size = member.dims[0]
        within = say("{} <= {} < {}", low, name, low + size)  # others of what moves may have no such note
        if value is not None:
            c.out.line("if {}: S[{}] = {}", within, here, value)
        elif keeps is False:
            c.out.line("if {}: S[{}] = {}", within, here, first)
        elif keeps is None:
            table = fixed_table(
                c,
                frozenset(first for first, m in c.layout.zones.items() if m.memory.keeps(member.name)),
                f"keeps_{member.name}",
            )
            c.out.line("if {} and {} not in {}: S[{}] = {}", within, target, table, here, first)


def _keeps_note(zone: ir.Exp, member: Member) -> bool | None:
    """Whether a zone keeps what is noted of its pieces; None where that hangs on which it is."""
    members = {n.member for n in walk(zone) if isinstance(n, ir.ZoneAt)}
    if not members:
        return None
    keeps = {m.memory.keeps(member.name) for m in members}
    return keeps.pop() if len(keeps) == 1 else None
