"""Which declaration a name, a member or a call means."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import cast

from ichiba.dsl.meaning.builtins import BUILT_IN, built_in, by_number, nest
from ichiba.dsl.meaning.tables import look_up
from ichiba.dsl.meaning.values import call_original, call_value, value_meaning
from ichiba.dsl.meaning.wanted import as_set, exp, first_of, is_there
from ichiba.dsl.names.arguments import takes_no_names
from ichiba.dsl.names.compatible import describe
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.hints import no_member, unknown, unknown_call
from ichiba.dsl.names.meanings import (
    CostRef,
    Definition,
    Env,
    Lying,
    Meaning,
    Measure,
    MenuRef,
    Promised,
    Several,
    SortNames,
    TableRef,
    Zones,
)
from ichiba.dsl.names.members import (
    all_indexes,
    belongs_to_the_only_one,
    certain,
    field_of_sort,
    field_value,
    group_of,
    has_member,
    is_a_flag,
    lineage,
    me_here,
    member_definition,
    member_named,
    member_of_all,
    member_value,
    only_piece,
)
from ichiba.dsl.names.narrowing import kind_at
from ichiba.dsl.names.sorts import family_link, family_links, holds_one
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, maybe, set_of
from ichiba.dsl.world.world import Member

_SPECIAL = ("me", "my", "board", "true", "yes", "false", "seats", "others", "original")


def name_meaning(c: Context, node: t.Expr, name: str, env: Env, want: Kind | None = None) -> Meaning | None:
    if name in env.names:
        bound = env.names[name]
        return set_aside_of(c, node, bound, me_here(c, node, env)) if isinstance(bound, Promised) else bound
    if name == "board" and env.board is None:
        c.fault("E209", node, "`board` is known only in a board's file and in a kind of board")
        return None
    special = _special(c, node, name, env)
    if special is not None:
        return special
    found = meanings_of(c, name, env)
    definition = c.definitions.get(name)
    if definition is not None and definition.circular:
        return None  # told already
    if len(found) == 1:
        return found[0]
    if found:
        return Several(name, tuple(found))
    if name in c.world.known and not c.finished:
        return ir.Const(ir.NONE, Kind("none", optional=True))
    unknown(c, node, name, env, want)
    return None


def is_nothing(c: Context, name: str, env: Env) -> bool:
    """Whether a name means nothing here, without saying so."""
    if name in env.names or name in c.definitions or name in c.world.kinds or name in c.world.known:
        return False
    return name not in BUILT_IN and name not in _SPECIAL and not meanings_of(c, name, env)


def _special(c: Context, node: t.Expr, name: str, env: Env) -> Meaning | None:
    match name:
        case "me" | "my":
            return me_here(c, node, env)
        case "board":
            return env.board
        case "true" | "yes":
            return ir.Const(1, FLAG)
        case "false":
            return ir.Const(0, FLAG)
        case "seats":
            return ir.Listed(tuple(ir.Const(s, SEAT) for s in range(c.world.config.seats)), set_of(SEAT))
        case "others":
            return ir.SeatsFrom(me_here(c, node, env), True, set_of(SEAT))
        case "original" if env.original is not None:
            return call_original(c, node, (), env)
    return None


def meanings_of(c: Context, name: str, env: Env) -> list[Meaning]:
    """All that a name of the game can mean."""
    world = c.world
    found: list[Meaning] = []
    if name in world.table:
        found.append(member_value(c, world.table[name], (), None))
    if name in world.numbers:
        found.append(ir.Const(*world.numbers[name]))
    if name in world.options:
        found.append(option_meaning(c, name))
    if name in world.tables:
        found.append(TableRef(world.tables[name]))
    definition = c.definitions.get(name)
    if definition is not None and definition.what in ("value", "guard"):
        found.append(value_meaning(c, definition, None, env))
    if name in c.names.plurals and not found:
        found.append(c.names.plurals[name])
    if name in c.names.things:
        found.append(c.names.things[name])
    found.extend(c.names.namesakes.get(name, ()))
    found.extend(c.names.sorts.get(name, ()))
    if not found or not any(isinstance(m, ir.Const) and m.kind.form == "enum" for m in found):
        for enum in world.enums.values():
            if name in enum.values:
                found.append(ir.Const(enum.values.index(name), Kind("enum", enum.name)))
    return found


def option_meaning(c: Context, name: str) -> Meaning:
    value, kind = c.world.options[name]
    if isinstance(value, tuple):
        things = {thing.name: thing for thing in map(c.world.thing, c.world.values(kind.of or NUMBER))}
        chosen = (things[word] for word in value if word in things)  # what is no such thing is told where the option is set
        consts = [ir.Const(thing.id, Kind("thing", thing.kind)) for thing in chosen]
        return ir.Listed(tuple(consts), kind)
    return ir.Const(cast(int, value), maybe(kind) if kind.form == "seat" else kind)


def member_meaning(
    c: Context, node: t.Expr, of: t.Expr, name: str, args: tuple[t.Expr, ...], env: Env
) -> Meaning | None:
    if isinstance(of, t.Name) and of.name not in env.names and of.name != "board":
        if of.name in ("table", "seat"):
            return member_of_all(c, node, of.name, name, env)
        of_all = of.name in c.world.kinds and of.name not in c.names.things and of.name not in c.world.table
        if of_all and not belongs_to_the_only_one(c, of.name, name):
            return member_of_all(c, node, of.name, name, env)
    owner = c.meaning(c, of, env)
    if isinstance(owner, Several):
        with_member = [m for m in owner.meanings if has_member(c, m, name)]
        owner = with_member[0] if with_member else owner.meanings[0]
    if owner is None:
        return None
    if isinstance(owner, Zones) and len(owner.zones) == 1 and holds_one(c, owner.zones[0]):
        owner = ir.Only(owner.zones[0], maybe(c.world.element(owner.kind.name)))
    if isinstance(owner, Zones | Lying) and not isinstance(owner, SortNames):
        inner = as_set(c, owner, of, None)
        if isinstance(owner, Lying) and inner is not None:
            owner = first_of(c, inner, of, env)
    if isinstance(owner, SortNames) and len(owner.sorts.sorts) == 1:
        piece = only_piece(c, owner)
        fields = piece is None or field_of_sort(c, piece, name) is not None
        owner = ir.Const(owner.sorts.sorts[0], owner.kind) if fields or piece is None else piece
    if not isinstance(owner, ir.EXP_CLASSES):
        c.fault("E210", node, f"{describe(c, owner)} has no `{name}`")
        return None
    is_there(c, of, owner.kind)
    narrower = kind_at(c.world, of, owner.kind, env)
    owner = owner if narrower is owner.kind else replace(owner, kind=narrower)
    return member_of(c, node, owner, name, args, env)


def member_of(c: Context, node: t.Expr, owner: ir.Exp, name: str, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
    kind = owner.kind
    if isinstance(owner, ir.Const) and owner.value == ir.NONE and kind.form == "none":
        return ir.Const(0, FLAG) if is_a_flag(c, name) else Zones((), Kind("zone", "thing"))
    if kind.form == "seat":
        found = c.world.seat.get(name)
        if found is not None:
            return indexed_member(c, node, found, (certain(c, owner),), args, env)
    elif kind.form == "thing":
        meaning = _member_of_thing(c, node, owner, name, args, env)
        if meaning is not None or _is_worked_out(c, owner, name):  # then it is told already what is wrong with it
            return meaning
    elif kind.form in ("piece", "sort"):
        meaning = field_of_sort(c, owner, name)
        if meaning is not None:
            return meaning
    elif kind.form == "enum":
        field = c.world.enums[kind.name].fields.get(name)
        if field is not None:
            return field_value(c, f"{kind.name}.{name}", field, owner)
    no_member(c, node, kind, name, owner)
    return None


def _is_worked_out(c: Context, owner: ir.Exp, name: str) -> bool:
    definition = member_definition(c, owner.kind.name, name)
    return member_named(c, owner, name) is not None or definition is not None and definition.what in ("value", "guard")


def _member_of_thing(
    c: Context, node: t.Expr, owner: ir.Exp, name: str, args: tuple[t.Expr, ...], env: Env
) -> Meaning | None:
    member = member_named(c, owner, name)
    if member is not None:
        return indexed_member(c, node, member, (certain(c, owner),), args, env)
    for kind in lineage(c, owner):
        if name in kind.fields:
            field = kind.fields[name]
            if field.kind.form == "cost":
                return CostRef(owner, name)
            return field_value(c, f"{kind.name}.{name}", field, owner)
        if name in kind.menus:
            return MenuRef(owner, name)
    definition = member_definition(c, owner.kind.name, name)
    if definition is not None and definition.what in ("value", "guard"):
        owner = certain(c, owner)
        if args or definition.item.params:
            return call_value(c, node, definition, owner, args, env)
        return value_meaning(c, definition, owner, env)
    meaning = field_of_sort(c, owner, name)
    if meaning is not None:
        return meaning
    if name in c.world.kinds and isinstance(owner, ir.Const) or name in c.names.plurals:
        group = group_of(c, owner, name)
        if group is not None:
            return group
    return None


def indexed_member(
    c: Context, node: t.Expr, member: Member, owner: tuple[ir.Exp, ...], args: tuple[t.Expr, ...], env: Env
) -> Meaning | None:
    if takes_no_names(c, node, member.name):
        return None
    if not args and member.index:
        if member.form == "zone":
            return Zones(tuple(all_indexes(c, member, owner)), member.kind)
        c.fault(
            "E211",
            node,
            f"`{member.name}` needs {len(member.index)} index",
            label="like " + member.name + "(…)",
        )
        return None
    if len(args) != len(member.index):
        c.fault(
            "E211",
            node,
            f"`{member.name}` takes {len(member.index)} in brackets, {len(args)} are given",
            second=(member.span, "declared here") if member.span else None,
        )
        return None
    at = [exp(c, arg, env, kind) for arg, kind in zip(args, member.index, strict=True)]
    return member_value(c, member, (*owner, *at), None)


def call_meaning(
    c: Context, node: t.Expr, what: t.Expr, args: tuple[t.Expr, ...], env: Env, want: Kind | None
) -> Meaning | None:
    if isinstance(what, t.Member):
        return member_meaning(c, node, what.of, what.name, args, env)
    if not isinstance(what, t.Name):
        c.fault("E203", node, "this cannot be called")
        return None
    name = what.name
    bound = env.names.get(name)
    if isinstance(bound, Measure):
        return call_value(c, node, bound.function, None, args, env, bound.given)
    if isinstance(bound, Promised):
        label = f"`{name} of {args[0].span.text}`" if len(args) == 1 else f"`{name} of me`"
        c.fault("E302", node, f"`{name}` is what each seat has set aside", label=label)
        return None
    table = bound.table if isinstance(bound, TableRef) else None
    local = bound.var if isinstance(bound, ir.Use) and bound.var.index else None
    if table is None and local is None:
        if name == "original" and env.original is not None:
            return call_original(c, node, args, env)
        if name in c.definitions:
            return _call_definition(c, node, c.definitions[name], args, env, want)
    known = table or local or name in c.world.tables or name in c.world.table or name in c.world.kinds or name in BUILT_IN
    if (known or family_links(c, name)) and takes_no_names(c, node, name):
        return None
    if local is not None:
        return indexed_local(c, node, local, args, env)
    if table is not None or name in c.world.tables:
        return look_up(c, node, table or c.world.tables[name], args, env)
    if name in c.world.table:
        return indexed_member(c, node, c.world.table[name], (), args, env)
    if len(family_links(c, name)) > 1:
        return sort_for_all(c, node, name, args, env)
    if name in c.world.kinds and len(args) == 1:
        return by_number(c, node, name, args[0], env)
    if name in BUILT_IN:
        return built_in(c, node, name, args, env)
    unknown_call(c, node, name, [*c.definitions, *c.world.tables, *BUILT_IN, *env.names])
    return None


def _call_definition(
    c: Context, node: t.Expr, definition: Definition, args: tuple[t.Expr, ...], env: Env, want: Kind | None
) -> Meaning | None:
    """A value or guard worked out; with less than it takes it is a measure."""
    if definition.what not in ("value", "guard"):
        c.fault("E210", node, f"`{definition.name}` is a {definition.what}; it has no value")
        return None
    named = isinstance(node, t.Call) and node.names
    measured = want is not None and want.form == "measure" or len(args) < len(definition.item.params or ())
    if measured and not named:
        return Measure(definition, tuple(exp(c, arg, env) for arg in args))
    return call_value(c, node, definition, None, args, env)


def indexed_local(c: Context, node: t.Expr, var: ir.Var, args: tuple[t.Expr, ...], env: Env) -> ir.Exp | None:
    if len(args) != len(var.index):
        c.fault("E211", node, f"`{var.name}` takes {len(var.index)} in brackets")
        return None
    position: ir.Exp = ir.Const(0, NUMBER)
    for arg, kind in zip(args, var.index, strict=True):
        extent = c.world.domain(kind)
        if extent is None:
            return None  # told where it is declared
        low, size = extent
        value = exp(c, arg, env, kind)
        offset = ir.Op("-", (value, ir.Const(low, NUMBER)), NUMBER) if low else value
        scaled = ir.Op("*", (position, ir.Const(size, NUMBER)), NUMBER)
        position = offset if isinstance(position, ir.Const) else ir.Op("+", (scaled, offset), NUMBER)
    return ir.Use(var, var.kind, position)


def sorts_of(c: Context, node: t.Of, family: str, arg: t.Expr, env: Env) -> Meaning | None:
    """`crate of m`: the sort of a family that belongs to a thing."""
    link = family_link(c, family)
    assert link is not None
    want = _link_kind(c, link[1])
    ids = c.world.categories[family]
    kind = Kind("sort", family)
    if isinstance(arg, t.Name) and arg.name in c.world.known and arg.name not in env.names:
        return SortNames(ir.SortSet(()), kind)
    value = exp(c, arg, env, want)
    linked = c.world.sort_fields.get(link[0], {}).get(family)
    by_thing: dict[int, list[int]] = {}
    for id in ids:
        if linked is not None and id in linked.values:
            by_thing.setdefault(cast(int, linked.values[id]), []).append(id)
    if isinstance(value, ir.Const):
        return SortNames(ir.SortSet(tuple(by_thing.get(value.value, ()))), kind)
    if any(len(found) > 1 for found in by_thing.values()):
        c.fault("E302", node, f"there are several sorts of {family} for one {link[1]}")
    if not by_thing:
        return SortNames(ir.SortSet(()), kind)
    low, high = min(by_thing), max(by_thing)
    rows = tuple(by_thing.get(i, [-1])[0] for i in range(low, high + 1))
    there = not value.kind.optional and all(one in by_thing for one in c.world.values(want))
    sort = ir.Lookup(f"{family}_of", rows, (value,), (low,), -1, kind if there else maybe(kind))
    return SortNames(ir.SortSet(tuple(ids), sort), kind)


def sort_for_all(c: Context, node: t.Expr, family: str, args: tuple[t.Expr, ...], env: Env) -> Meaning | None:
    """`card(kiki, open)`: the sort of a family that was made for these together."""
    links = family_links(c, family)
    if len(args) != len(links):
        fields = ", ".join(field for field, _ in links)
        c.fault("E211", node, f"a sort of {family} is for {len(links)}, {len(args)} are given", label=f"`{family}({fields})`")
        return None
    kind = Kind("sort", family)
    if any(isinstance(arg, t.Name) and arg.name in c.world.known and arg.name not in env.names for arg in args):
        return SortNames(ir.SortSet(()), kind)
    values = tuple(exp(c, arg, env, _link_kind(c, its)) for arg, (_, its) in zip(args, links, strict=True))
    parts = [c.world.sort_fields.get(field, {}).get(family) for field, _ in links]
    made = {
        tuple(cast(int, part.values[id]) for part in parts if part is not None): id
        for id in c.world.categories[family]
        if all(part is not None and id in part.values for part in parts)
    }
    if all(isinstance(value, ir.Const) for value in values):
        its = made.get(tuple(cast(ir.Const, value).value for value in values))
        return SortNames(ir.SortSet(() if its is None else (its,)), kind)
    if not made:
        return SortNames(ir.SortSet(()), kind)
    lows = tuple(min(at) for at in zip(*made, strict=True))
    spans = [range(low, max(at) + 1) for low, at in zip(lows, zip(*made, strict=True), strict=True)]
    rows = nest({at: made.get(at, ir.NONE) for at in product(*spans)}, lows)
    sort = ir.Lookup(f"{family}_of", rows, values, lows, ir.NONE, kind)
    return SortNames(ir.SortSet(tuple(c.world.categories[family]), sort), kind)


def _link_kind(c: Context, name: str) -> Kind:
    """What sorts are made for: words, sorts of another family, or things."""
    if name in c.world.enums:
        return Kind("enum", name)
    is_of_things = name in c.world.kinds and c.world.kinds[name].root != "piece"
    return Kind("thing" if is_of_things or name not in c.world.categories else "sort", name)


def set_aside_of(c: Context, node: t.Node, promise: Promised, seat: ir.Exp) -> ir.Read | None:
    """`stake of s`: what a seat has set aside under this name, and not spent."""
    if promise.purse is None:
        label = f"`set aside … as {promise.name}` comes first"
        c.faults.add("E205", node.span, f"nothing is set aside as `{promise.name}` yet", label=label)
        return None
    return ir.Read(promise.purse, (certain(c, seat),), promise.purse.kind)
