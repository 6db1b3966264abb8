"""Sorts of pieces: which ones a name means, where they can lie, and whether something is one."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from ichiba.dsl.faults.fault import nearest
from ichiba.dsl.names.compatible import kind_of, sorts_named, sorts_of_kind
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.hints import brought, meant
from ichiba.dsl.names.meanings import Meaning, Several, SortNames, Zones
from ichiba.dsl.names.members import field_value, lineage, member_named
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, NUMBER, Kind
from ichiba.dsl.world.world import Field


def family_links(c: Context, family: str) -> tuple[tuple[str, str], ...]:
    """What its sorts are for: the fields that say so, and their kinds."""
    return next((p.sorts_for for p in c.box.pieces if p.name == family and p.sorts_for), ())


def family_link(c: Context, family: str) -> tuple[str, str] | None:
    """What each of its sorts is for, where that is one thing or word."""
    links = family_links(c, family)
    return links[0] if len(links) == 1 else None


def sort_names(c: Context, found: Meaning | None) -> SortNames | None:
    """Sorts, whichever way they were named."""
    if isinstance(found, SortNames):
        return found
    if isinstance(found, Several):
        return next((names for m in found.meanings if (names := sort_names(c, m)) is not None), None)
    if isinstance(found, ir.Listed) and found.kind.of is not None and found.kind.of.form == "sort":
        if all(isinstance(item, ir.Const) for item in found.items):
            return SortNames(ir.SortSet(tuple(cast(ir.Const, item).value for item in found.items)), found.kind.of)
    if isinstance(found, ir.EXP_CLASSES):
        value = found
        if value.kind.form == "sort":
            ids = tuple(c.world.categories.get(value.kind.name, ()))
            if isinstance(value, ir.Const):
                return SortNames(ir.SortSet((value.value,)), value.kind)
            return SortNames(ir.SortSet(ids, value), value.kind)
    return None


def all_sorts(c: Context, zone_kind: Kind) -> tuple[int, ...]:
    return tuple(c.world.categories.get(zone_kind.name, ()))


def element_of_sorts(c: Context, sorts: ir.SortSet, zone_kind: Kind) -> Kind:
    """What lies in a zone, once it is known of which sorts."""
    kinds = {c.world.sorts[id].kind for id in sorts.sorts}
    if len(kinds) == 1 and (kind := kinds.pop()):
        return Kind("thing", kind)
    for category in (f for f in c.world.categories if f in c.world.families):
        if sorts.sorts and set(sorts.sorts) <= set(c.world.categories[category]):
            return c.world.element(category)
    return c.world.element(zone_kind.name)


def can_lie(c: Context, meaning: Meaning, place: Zones) -> bool:
    names = sort_names(c, meaning)
    if names is not None:
        return may_hold(c, names.sorts, place)
    if isinstance(meaning, ir.EXP_CLASSES):
        kind = kind_of(c, meaning)
        return kind.form in ("thing", "piece") and (
            kind.name in ("", "thing", "piece")
            or kind.name in c.world.categories
            and not c.world.categories[kind.name]
            or not sorts_named(c, kind.name).isdisjoint(all_sorts(c, place.kind))
        )
    return False


def may_hold(c: Context, sorts: ir.SortSet, place: Zones) -> bool:
    return not sorts.sorts or any(not held_in(c, zone).isdisjoint(sorts.sorts) for zone in place.zones)


def held_in(c: Context, zone: ir.Exp) -> set[int]:
    """What can lie in a zone: where it holds the sorts of whom it belongs to, these, if that is known."""
    if not isinstance(zone, ir.ZoneAt) or zone.member.owner_at is None:
        return set(all_sorts(c, zone.kind))
    owner = zone.at[zone.member.owner_at]
    return set(zone.member.own.get(owner.value, ()) if isinstance(owner, ir.Const) else zone.member.sorts)


def holds_one(c: Context, zone: ir.Exp) -> bool:
    return isinstance(zone, ir.ZoneAt) and isinstance(zone.member.most, t.Int) and zone.member.most.value == 1


def may_hold_more(c: Context, zone: ir.Exp) -> bool:
    """Of a zone that is worked out in play nobody knows."""
    if not isinstance(zone, ir.ZoneAt) or zone.member.most is not None and not isinstance(zone.member.most, t.Int):
        return False
    return not holds_one(c, zone)


def named_test(c: Context, item: ir.Exp, name: str, node: t.Expr) -> ir.Exp | None:
    """`x is NAME`, where that is a kind, a family, a sort, a side, a property or a mark that x may be; else nothing."""
    world = c.world
    if item.kind.form == "thing":
        member = member_named(c, item, name)
        if member is not None and member.kind == FLAG and not member.index:
            return ir.Read(member, (item,), FLAG)
        for kind in lineage(c, item):
            if name in kind.fields and kind.fields[name].kind == FLAG:
                return cast(ir.Exp, field_value(c, f"{kind.name}.{name}", kind.fields[name], item))
        if name in world.kinds and (world.kinds[name].things or name not in world.categories):
            return kind_test(c, item, name)
    flag_field = _flag_of_sorts(c, item, name)
    if flag_field is not None:
        return flag_field
    if item.kind.form in ("thing", "piece", "sort"):
        ids = [s for names in c.names.sorts.get(name, ()) for s in names.sorts.sorts]
        ids += [s.id for s in world.sorts if s.side == name]
        if ids and (name not in c.names.things or not sorts_of_kind(c, item.kind).isdisjoint(ids)):
            return sort_test(c, item, ir.SortSet(tuple(dict.fromkeys(ids))), node)
        if name in world.known and not c.finished:
            return ir.Const(0, FLAG)
    if item.kind.form == "seat":
        flag = world.seat.get(name)
        if flag is not None and flag.kind == FLAG:
            return ir.Read(flag, (item,), FLAG)
    if item.kind.form == "enum" and name in world.enums[item.kind.name].values:
        return ir.Op("=", (item, ir.Const(world.enums[item.kind.name].values.index(name), item.kind)), FLAG)
    return None


def nothing_is(c: Context, node: t.Expr, name: str) -> None:
    """`x is NAME`, where that means nothing."""
    known = [
        *c.world.kinds,
        *c.world.categories,
        *c.names.sorts,
        *(n for n, its in c.world.sort_fields.items() if any(field.kind == FLAG for field in its.values())),
    ]
    c.fault("E205", node, f"nothing can be `{name}`", label=brought(c, name) or meant(nearest(name, known)))


def _flag_of_sorts(c: Context, item: ir.Exp, name: str) -> ir.Exp | None:
    """`b is barge`, where a family says `barge: true` of a sort; what has no such flag is none."""
    flags = [field for field in c.world.sort_fields.get(name, {}).values() if field.kind == FLAG]
    if not flags or item.kind.form not in ("piece", "thing", "sort"):
        return None
    if sorts_of_kind(c, item.kind).isdisjoint(id for field in flags for id in field.values):
        return None
    together = Field(name, FLAG, {id: value for field in flags for id, value in field.values.items()})
    sort = item if item.kind.form == "sort" else ir.SortOf(item, replace(item.kind, form="sort"))
    return cast(ir.Exp, field_value(c, f"sort.{name}", together, sort))


def kind_test(c: Context, item: ir.Exp, name: str) -> ir.Exp:
    ids = c.world.kinds[name].things
    if c.world.is_kind(item.kind.name, name) and not item.kind.optional:
        return ir.Const(1, FLAG)
    if not ids:
        return ir.Const(0, FLAG)
    if isinstance(item, ir.Const):
        return ir.Const(int(item.value in ids), FLAG)
    low = ir.Op(">=", (item, ir.Const(min(ids), NUMBER)), FLAG)
    high = ir.Op("<=", (item, ir.Const(max(ids), NUMBER)), FLAG)
    return ir.Op("and", (low, high), FLAG)


def sort_test(c: Context, item: ir.Exp, sorts: ir.SortSet, node: t.Expr) -> ir.Exp:
    """Whether a piece or a sort is one of these sorts."""
    kind = replace(item.kind, form="sort")
    sort = item if item.kind.form == "sort" else ir.SortOf(item, kind)
    if sorts.one is not None:
        return ir.Op("=", (sort, sorts.one), FLAG)
    if len(sorts.sorts) == 1:
        return ir.Op("=", (sort, ir.Const(sorts.sorts[0], kind)), FLAG)
    inside = set(sorts.sorts)
    if set(c.world.categories.get(item.kind.name, (-1,))) <= inside:
        return ir.Const(1, FLAG)
    rows = tuple(int(i in inside) for i in range(len(c.world.sorts)))
    name = "is_" + "_".join(str(s) for s in sorts.sorts[:6]) + f"_{len(sorts.sorts)}"
    return ir.Lookup(name, rows, (sort,), (0,), 0, FLAG)
