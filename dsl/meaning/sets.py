"""Expressions over sets and zones: what lies where, counts and sums, the first of something."""

from __future__ import annotations

from typing import cast

from ichiba.dsl.faults.fault import quote
from ichiba.dsl.meaning.arithmetic import FALSE, negate_if
from ichiba.dsl.meaning.binding import bind_name, kind_of_those, selection_of
from ichiba.dsl.meaning.wanted import as_exp, as_set, cond, exp, first_of
from ichiba.dsl.names.compatible import (
    common_category,
    common_kind,
    describe,
    fits,
    kind_of,
    mismatch,
    settle_alike,
    sorts_named,
)
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.hints import called, never_there
from ichiba.dsl.names.meanings import AmountOf, Env, Lying, Meaning, Several, SortNames, Zones
from ichiba.dsl.names.narrowing import narrow
from ichiba.dsl.names.sorts import all_sorts, can_lie, family_link, may_hold, may_hold_more, sort_names
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, NUMBER, Kind, set_of


def many_of(c: Context, amount: ir.Exp, what: t.Expr, env: Env) -> Meaning | None:
    """`n of my.hand`: so many out of it, as `3 of my.hand` says; of a seat or a thing `n` would be a member."""
    found = c.meaning(c, what, env)
    if not isinstance(found, (Zones, Lying, *ir.SET_CLASSES)):
        return None
    inner = as_set(c, found, what, None)
    return AmountOf(amount, inner) if inner is not None else None


def within(c: Context, node: t.Within, what: t.Expr, where: t.Expr, env: Env) -> Meaning | None:
    place = c.meaning(c, where, env)
    if isinstance(place, Several):
        place = next((m for m in place.meanings if isinstance(m, (Zones, *ir.SET_CLASSES))), place.meanings[0])
    if isinstance(place, ir.EXP_CLASSES) and kind_of(c, place).form == "zone":
        place = Zones((place,), kind_of(c, place))
    if isinstance(place, ir.Chosen):
        names = sort_names(c, c.meaning(c, what, env))
        if names is not None:
            return ir.BagCount(place.bag, names.sorts, NUMBER)
    if isinstance(place, Zones):
        return _lies_in(c, node, what, place, env)
    if place is None:
        return None
    inside = as_set(c, place, where, None)
    if inside is None:
        return None
    item = _comparable(c, what, env, inside.kind.of or NUMBER)
    return ir.Contains(inside, item, FLAG)


def _comparable(c: Context, node: t.Expr, env: Env, other: Kind) -> ir.Exp:
    """A value that may be equal to one of this kind."""
    value = as_exp(c, c.meaning(c, node, env, other), node, env, other)
    if value is None:
        return ir.Const(0, other)
    if not (fits(c, value.kind, other) or fits(c, other, value.kind)):
        mismatch(c, node, value.kind, other)
        return ir.Const(0, other)
    return value


def _lies_in(c: Context, node: t.Within, what: t.Expr, place: Zones, env: Env) -> Meaning | None:
    found = c.meaning(c, what, env)
    if isinstance(found, Several):
        found = next((m for m in found.meanings if can_lie(c, m, place)), found.meanings[0])
    if isinstance(found, AmountOf):
        names = found.what if isinstance(found.what, SortNames) else None
        return AmountOf(found.amount, Lying(names.sorts, place)) if names else found
    if found is None:
        return None
    if isinstance(found, ir.Const) and found.kind.form == "none":
        return FALSE
    if isinstance(found, ir.EXP_CLASSES) and kind_of(c, found).form in ("thing", "piece"):
        item = found
        here = ir.Listed(place.zones, set_of(place.kind))
        if isinstance(item, ir.Const) and item.value == ir.NONE:
            return FALSE
        if not can_lie(c, item, place):
            _never_lies(c, node, what, item.kind, place)
            return FALSE
        return ir.Contains(here, ir.PlaceOf(item, place.kind), FLAG)
    names = sort_names(c, found)
    if names is None:
        c.fault("E303", what, f"{describe(c, found)} cannot lie in a zone")
        return None
    if not may_hold(c, names.sorts, place):
        never_there(c, node, place, set(names.sorts.sorts), called(c, names))
    return Lying(names.sorts, place)


def _never_lies(c: Context, node: t.Expr, what: t.Expr, kind: Kind, place: Zones) -> None:
    """What lies in a zone is a piece: a cell does not, but the tile of a cell may."""
    inside = set(all_sorts(c, place.kind))
    for family in c.world.families:
        link = family_link(c, family)
        if link is not None and c.world.is_kind(kind.name, link[1]) and inside & sorts_named(c, family):
            label = f"did you mean {quote(f'{family} of {what.span.text}')}?"
            break
    else:
        label = f"only {place.kind.name} lies there" if place.kind.name != "thing" else ""
    c.fault("E304", node, f"{kind.plain} never lies in {place.kind}", label=label)


def aggregate(c: Context, node: t.Aggregate, how: str, what: t.Expr, env: Env, want: Kind | None) -> Meaning | None:
    if how in ("sum", "highest", "lowest") and isinstance(what, t.EachOf):
        return _summary(c, node, how, what, env)
    found = c.meaning(c, what, env)
    if isinstance(found, Several):
        usable = [m for m in found.meanings if isinstance(m, (*ir.SET_CLASSES, Zones, Lying, SortNames))]
        found = usable[0] if usable else found
    if isinstance(found, ir.Chosen) and how in ("count", "any", "no"):
        found = _how_many_chosen(c, found)
    if isinstance(found, ir.BagCount):
        return found if how == "count" else negate_if(c, how == "no", ir.Op(">", (found, ir.Const(0, NUMBER)), FLAG))
    if how in ("count", "any", "no") and isinstance(found, Lying | Zones):
        return _count_lying(c, how, found)
    if how in ("any", "no") and isinstance(found, ir.EXP_CLASSES) and kind_of(c, found) == FLAG:
        return negate_if(c, how == "no", cast(ir.Exp, found))
    inner = as_set(c, found, what, None) if found is not None else None
    if inner is None:
        return None
    if how == "first":
        return first_of(c, inner, what, env, want)
    var = ir.Var("it", inner.kind.of or NUMBER)
    if how == "count":
        if isinstance(inner, ir.Listed):
            return ir.Const(len(inner.items), NUMBER)
        return ir.Aggregate("count", inner, var, None, NUMBER)
    if how in ("any", "no"):
        return ir.Aggregate(how, inner, var, None, FLAG)
    element = inner.kind.of or NUMBER
    if element.form != "number":
        c.fault("E302", what, f"this is {inner.kind}", label="numbers are needed")
    return ir.Aggregate(how, inner, var, ir.Use(var, element), element)


def _how_many_chosen(c: Context, chosen: ir.Chosen) -> ir.BagCount:
    """All of a lot."""
    element = chosen.kind.of
    ids = c.world.categories.get(element.name, ()) if element is not None else ()
    return ir.BagCount(chosen.bag, ir.SortSet(tuple(ids)), NUMBER)


def _count_lying(c: Context, how: str, found: Lying | Zones) -> ir.Exp:
    if isinstance(found, Lying):
        count = ir.CountIn(found.zones.zones, found.sorts, NUMBER)
    else:
        count = ir.CountIn(found.zones, ir.SortSet(all_sorts(c, found.kind)), NUMBER)
    if how == "count":
        return count
    return ir.Op("=" if how == "no" else ">", (count, ir.Const(0, NUMBER)), FLAG)


def _summary(c: Context, node: t.Aggregate, how: str, what: t.EachOf, env: Env) -> ir.Exp:
    """`sum of (a for x in X, y in Y)`: nested, so that nothing is listed."""
    inside = env
    layers: list[tuple[ir.Var, ir.Set]] = []
    for binder in what.binders:
        var, domain, inside = bind_name(c, binder, inside)
        layers.append((var, domain))
    value = exp(c, what.value, inside)
    if value.kind.form not in ("number", "flag"):
        c.fault("E302", what.value, f"this is {value.kind}", label="a number is needed")
    for var, domain in reversed(layers):
        value = ir.Aggregate(how, domain, var, value, value.kind if value.kind.form == "number" else NUMBER)
    return value


def each_of(c: Context, value: t.Expr, binders: tuple[t.Binder, ...], env: Env) -> Meaning | None:
    inside = env
    layers: list[tuple[ir.Var, ir.Set]] = []
    for binder in binders:
        var, domain, inside = bind_name(c, binder, inside)
        layers.append((var, domain))
    found = c.meaning(c, value, inside)
    if isinstance(found, Zones | Lying):
        found = as_set(c, found, value, None)
    if isinstance(found, ir.SET_CLASSES):
        made = found
        for var, domain in reversed(layers):
            made = ir.FlatMapped(domain, var, made, made.kind)
        return made
    item = as_exp(c, found, value, inside, None)
    if item is None:
        return None
    return ir.Mapped(tuple(layers), item, set_of(item.kind.plain))


def those(c: Context, node: t.Those, selection: t.Expr, condition: t.Expr, env: Env) -> Meaning | None:
    inner, var, inside = selection_of(c, selection, env)
    test = cond(c, condition, inside)
    narrow(c.world, condition, inside)
    return ir.Filtered(inner, var, test, kind_of_those(c, inner, inside.names.get(var.name)))


def listed_set(c: Context, node: t.SetOf, items: tuple[t.Expr, ...], env: Env, want: Kind | None) -> Meaning | None:
    element = want.of if want is not None and want.form == "set" else None
    found = [c.meaning(c, item, env, element) for item in items]
    if any(m is None for m in found):
        return None
    settled = settle_alike(c, [cast(Meaning, m) for m in found], element)
    if all(isinstance(m, Zones) for m in settled):
        zones = cast("list[Zones]", settled)
        kind = Kind("zone", common_category(c, [z.kind.name for z in zones]))
        for at, group in enumerate(zones):
            if any(zone in earlier.zones for zone in group.zones for earlier in zones[:at]):
                c.fault("E317", items[at], "what lies here is in this set already", label="leave it out: it would count twice")
        return Zones(tuple(z for group in zones for z in group.zones), kind)
    if all(isinstance(m, ir.EXP_CLASSES) or isinstance(m, SortNames) and len(m.sorts.sorts) == 1 for m in settled):
        values = [cast(ir.Exp, as_exp(c, m, i, env, element)) for m, i in zip(settled, items, strict=True)]
        return ir.Listed(tuple(values), set_of(common_kind(c, [v.kind for v in values], items)))
    sets = [as_set(c, m, i, element, True) for m, i in zip(settled, items, strict=True)]
    made = tuple(s for s in sets if s is not None)
    if len(made) != len(items):
        return None
    return ir.Joined(made, set_of(common_kind(c, [s.kind.of or NUMBER for s in made], items)))


def is_empty(c: Context, node: t.IsEmpty, what: t.Expr, env: Env) -> ir.Exp:
    found = c.meaning(c, what, env)
    if isinstance(found, Several):
        found = next((m for m in found.meanings if isinstance(m, (Zones, *ir.SET_CLASSES))), found.meanings[0])
    if isinstance(found, ir.Chosen):
        return ir.Op("=", (_how_many_chosen(c, found), ir.Const(0, NUMBER)), FLAG)
    if isinstance(found, Zones | Lying):
        return _count_lying(c, "no", found)
    if isinstance(found, ir.EXP_CLASSES) and kind_of(c, found).form == "zone":
        kind = kind_of(c, found)
        return _count_lying(c, "no", Zones((found,), kind))
    inner = as_set(c, found, what, None) if found is not None else None
    if inner is None:
        return FALSE
    if isinstance(inner, ir.Listed):
        return ir.Const(int(not inner.items), FLAG)
    return ir.Aggregate("no", inner, ir.Var("it", inner.kind.of or NUMBER), None, FLAG)


def is_none(c: Context, what: t.Expr, negated: bool, env: Env) -> ir.Exp:
    found = c.meaning(c, what, env)
    if isinstance(found, Zones):
        if any(may_hold_more(c, zone) for zone in found.zones):
            c.fault("E302", what, "more than one may lie here, and it is a place that is there", label="write `is empty`, or `is not empty`")
        return negate_if(c, negated, _count_lying(c, "no", found))
    item = as_exp(c, found, what, env, None)
    if item is None:
        return FALSE
    if not item.kind.optional and item.kind.form not in ("zone",):
        c.fault("E301", what, f"{item.kind} is never none")
    return ir.Op("!=" if negated else "=", (item, ir.Const(-1, item.kind)), FLAG)
