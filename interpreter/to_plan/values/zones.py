"""Zones: which ones can be meant, and in which column of a zone a sort is counted."""

from __future__ import annotations

from collections.abc import Iterable

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import Member
from ichiba.interpreter.plan.build import value_of
from ichiba.interpreter.to_plan.context.context import Context, lower


def possible_zones(c: Context, zone: ir.Exp) -> list[Member]:
    """The members that a zone worked out at run time can be."""
    match zone:
        case ir.ZoneAt(member=member):
            return [member]
        case ir.Cond(yes=yes, no=no):
            return [*possible_zones(c, yes), *possible_zones(c, no)]
        case _:  # any other: every zone that can hold such pieces
            wanted = set(c.world.categories.get(zone.kind.name, ()))
            return [m for m in c.world.members() if m.form == "zone" and (not wanted or wanted & set(m.sorts))]


def holds_own(c: Context, zone: ir.Exp) -> bool:
    """Whether a zone may turn out to be one that holds its owner's sorts only."""
    return any(member.owner_at is not None for member in possible_zones(c, zone))


def may_not_hold(c: Context, zone: ir.Exp, sorts: Iterable[int]) -> bool:
    """Whether one of these sorts cannot lie in a zone, or in one that it may turn out to be."""
    sorts = set(sorts)
    return any(not sorts <= set(member.sorts) for member in possible_zones(c, zone))


def zone_sorts(c: Context, zone: ir.Exp) -> tuple[int, ...]:
    """What can lie in a zone."""
    if isinstance(zone, ir.ZoneAt):
        return zone.member.sorts
    return tuple(c.world.categories.get(zone.kind.name, ()))


def zone_columns(c: Context, zone: ir.Exp, of: ir.SortSet | None = None) -> tuple[int, ...] | None:
    """By sort: its column in a zone; None when it depends on which zone it is. `of`: only these are asked for."""
    members = possible_zones(c, zone)
    found = {c.layout.columns_of(m) if m.owner_at is None else _own_columns(c, m, zone, of) for m in members}
    return found.pop() if len(found) == 1 else None


def _own_columns(c: Context, member: Member, zone: ir.Exp, of: ir.SortSet | None) -> tuple[int, ...] | None:
    """The same for a zone that holds its owner's sorts only."""
    if not isinstance(zone, ir.ZoneAt) or member.owner_at is None:
        return None
    owner = zone.at[member.owner_at]
    fixed = value_of(lower(c, owner))
    if fixed is not None and fixed >= 0:
        return c.layout.column_of(c.layout.sorts_in(member, fixed))
    if of is None:
        return None
    everything = of.one is None and set(member.sorts) <= set(of.sorts)
    return c.layout.columns_of(member) if everything or _is_its_own(member, owner, of.one) else None


def owner_of_sorts(c: Context, zone: ir.Exp) -> tuple[int, ...] | None:
    """By sort: whose it is, -2 where it cannot lie in such a zone; None where a sort may be of several owners."""
    if not isinstance(zone, ir.ZoneAt) or zone.member.owner_at is None:
        return None
    owners = [-2] * (len(c.world.sorts) + 1)
    for owner, sorts in zone.member.own.items():
        for sort in sorts:
            if owners[sort] != -2:
                return None
            owners[sort] = owner
    return tuple(owners)


def _is_its_own(member: Member, owner: ir.Exp, sort: ir.Exp | None) -> bool:
    """Whether a sort surely is one of the owner's: `card of m` in a zone of m's."""
    match sort:
        case ir.Lookup(rows=rows, at=(at,), low=(low,)) if at == owner:
            return all(isinstance(row, int) and row in member.own.get(low + n, ()) for n, row in enumerate(rows))
        case _:  # any other: it may be another owner's
            return False
