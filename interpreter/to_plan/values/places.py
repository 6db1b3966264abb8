"""Where members stand in the state."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import Member
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import less, place, steps
from ichiba.interpreter.plan.saying import Hole
from ichiba.interpreter.to_plan.context.context import Context, lower


def member_place(c: Context, member: Member, at: tuple[ir.Exp, ...]) -> p.Exp:
    """The place of a member: its base, and a step for each index."""
    if not at:
        return p.Num(member.base)
    return place_from(c, member, at, member.base, member.width)


def place_from(c: Context, member: Member, at: tuple[ir.Exp, ...], base: int, stride: int) -> p.Exp:
    """The same from another base, with another step: where something is kept beside a member."""
    parts: list[Hole] = [base]
    for value, (low, size) in reversed(list(zip(at, member.dims, strict=True))):
        parts += steps(lower(c, value), stride, low)
        stride *= size
    return place(parts)


def total_place(c: Context, zone: ir.ZoneAt) -> p.Exp:
    """Where the total of a zone is kept."""
    member = zone.member
    return place_from(c, member, zone.at, c.layout.totals[member], 1)


def offset(c: Context, value: ir.Exp, low: int) -> p.Exp:
    """An index, counted from the lowest."""
    return less(lower(c, value), low)
