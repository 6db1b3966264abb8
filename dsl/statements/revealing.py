"""`reveal`: which places a written expression names. Those are opened, in the order of the text, and no others."""

from __future__ import annotations

from itertools import product

from ichiba.dsl.faults.source import Span
from ichiba.dsl.meaning.expressions import meaning_of
from ichiba.dsl.meaning.wanted import cond, exp
from ichiba.dsl.names.compatible import describe
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import Env, Meaning, Several, Zones
from ichiba.dsl.names.members import member_named
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import SEAT, Kind
from ichiba.dsl.world.world import Member

Address = tuple[ir.Exp, ...]  # the owner and the indexes of one place


def revealed(c: Context, place: t.Expr, env: Env, span: Span) -> list[ir.Stm]:
    """Of a list, each in its turn; whatever is named without its index stands for all that it has."""
    if isinstance(place, t.SetOf):
        return [shown for item in place.items for shown in revealed(c, item, env, span)]
    if isinstance(place, t.Choice):
        yes = ir.Block(tuple(revealed(c, place.yes, env, span)))
        no = ir.Block(tuple(revealed(c, place.no, env, span)))
        return [ir.If(cond(c, place.condition, env), yes, no, span)]
    if isinstance(place, t.Name) and _is_secret(c, place.name, env):
        return _secret_answers(c, place, place.name, env, span)
    named = _of_all(c, place, env) or _every_index(c, place, env)
    if named is not None:
        return _show_places(c, named[0], named[1], span)
    return _showing(c, meaning_of(c, place, env), place, span)


def _showing(c: Context, found: Meaning | None, place: t.Expr, span: Span) -> list[ir.Stm]:
    match found:
        case Several(meanings=meanings):
            places = [m for m in meanings if isinstance(m, Zones | ir.Read)]
            return _showing(c, places[0] if places else meanings[0], place, span)
        case Zones(zones=zones):
            return _show_zones(c, zones, span)
        case ir.Read(member=member, at=at):
            return _show_places(c, member, [at] if at or not member.dims else _all_of(member, at), span)
        case ir.Use() if found.kind.form == "zone":
            return [ir.Reveal(None, None, found, None, span)]
        case None:
            return []
        case _:  # any other: it has no place that could be revealed
            c.fault("E309", place, f"{describe(c, found)} cannot be revealed")
            return []


def _show_zones(c: Context, zones: tuple[ir.Exp, ...], span: Span) -> list[ir.Stm]:
    """Zones of one member are shown at once, where the first of them stands."""
    shown: list[ir.Stm] = []
    members: dict[Member, list[Address]] = {}
    for zone in zones:
        if isinstance(zone, ir.ZoneAt):
            members.setdefault(zone.member, []).append(zone.at)
    for named in dict.fromkeys(zone.member if isinstance(zone, ir.ZoneAt) else zone for zone in zones):
        if isinstance(named, Member):
            shown += _show_places(c, named, members[named], span)
        else:
            shown.append(ir.Reveal(None, None, named, None, span))
    return shown


def _show_places(c: Context, member: Member, named: list[Address], span: Span) -> list[ir.Stm]:
    places = tuple(dict.fromkeys(named))
    whole = all(isinstance(part, ir.Const) for at in places for part in at) and len(places) == _number_of_places(member)
    return [ir.Reveal(member, None if whole else places, None, None, span)] if places else []


def _of_all(c: Context, place: t.Expr, env: Env) -> tuple[Member, list[Address]] | None:
    """`seat.cash`, `lot.laid`: that member of every one of them."""
    if not isinstance(place, t.Member) or not isinstance(place.of, t.Name) or place.of.name in env.names:
        return None
    owner = place.of.name
    if owner == "seat":
        member, kind = c.world.seat.get(place.name), SEAT
    elif owner in c.world.kinds and owner not in c.names.things and owner not in c.world.table and owner != "board":
        member, kind = _member_in(c, owner, place.name), Kind("thing", owner)
    else:
        return None
    if member is None:
        return None
    return member, [at for value in c.world.values(kind) for at in _all_of(member, (ir.Const(value, kind),))]


def _member_in(c: Context, kind: str, name: str) -> Member | None:
    while kind in c.world.kinds:
        if name in c.world.kinds[kind].members:
            return c.world.kinds[kind].members[name]
        kind = c.world.kinds[kind].parent
    return None


def _every_index(c: Context, place: t.Expr, env: Env) -> tuple[Member, list[Address]] | None:
    """`my.marks` of `counter marks(side: side)`: all of mine. What is no zone has no such meaning elsewhere."""
    match place:
        case t.Member(of=of, name=name):
            pass
        case t.Of(arg=of, name=name) if not _is_secret(c, name, env):
            pass
        case _:  # any other: it is not all of a member
            return None
    members = [*c.world.seat.values(), *(m for k in c.world.kinds.values() for m in k.members.values())]
    if not any(m.name == name and m.index and m.form != "zone" for m in members):
        return None
    owner = exp(c, of, env)
    member = c.world.seat.get(name) if owner.kind.form == "seat" else None
    if owner.kind.form == "thing":
        member = member_named(c, owner, name)
    if member is None or not member.index or member.form == "zone":
        return None
    return member, _all_of(member, (owner,))


def _is_secret(c: Context, name: str, env: Env) -> bool:
    bound = env.names.get(name)
    return isinstance(bound, ir.Use) and bound.var.per_seat


def _secret_answers(c: Context, place: t.Expr, name: str, env: Env, span: Span) -> list[ir.Stm]:
    bound = env.names[name]
    assert isinstance(bound, ir.Use)
    if env.secret:
        c.fault(
            "E309",
            place,
            f"`{name}` is still being answered: it cannot be revealed before all have answered",
            label=f"put `reveal {name}` behind the block",
        )
        return []
    return [ir.Reveal(None, None, None, bound.var, span)]


def _all_of(member: Member, at: Address) -> list[Address]:
    """The places that begin so, with every value of the indexes that are not said."""
    kinds = [*member.index][len(at) - (len(member.dims) - len(member.index)) :]
    ranges = [range(low, low + size) for low, size in member.dims[len(at) :]]
    return [
        (*at, *(ir.Const(value, kind) for value, kind in zip(values, kinds, strict=True)))
        for values in product(*ranges)
    ]


def _number_of_places(member: Member) -> int:
    number = 1
    for _, size in member.dims:
        number *= size
    return number
