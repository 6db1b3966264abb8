"""Told of names that mean nothing, or not this: what was probably meant, and where such a thing is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ichiba.dsl.faults.fault import nearest, quote
from ichiba.dsl.faults.source import Span
from ichiba.dsl.names.compatible import fits, kind_of, sorts_of_kind
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import Definition, Env, Lying, Meaning, SortNames, Zones
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.habits import CALLS, NAMES
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.kinds import SEAT, Kind
from ichiba.dsl.world.world import Member
from ichiba.dsl.yaml.elsewhere import part_with

WORDS = ("me", "my", "seats", "others")


def unknown(c: Context, node: t.Expr, name: str, env: Env, want: Kind | None = None) -> None:
    """A name that means nothing where a value stands."""
    if name in c.definitions:
        definition = c.definitions[name]
        c.fault(
            "E302",
            node,
            f"`{name}` is a {definition.what}",
            label="a value is needed",
            second=(definition.span, "declared here"),
        )
    elif name in c.world.kinds:
        label = f"one of them is needed, or `{plural(name)}` for all"
        c.fault("E302", node, f"`{name}` is a kind", label=label)
    elif c.faults.unheard:
        c.fault("E205", node, f"nothing is called `{name}`")
    else:
        label = NAMES.get(name) or _whose(c, name, env) or brought(c, name)
        hint = None if label else nearest(name, _all_names(c, env), _likely_names(c, env, want))
        c.fault("E205", node, f"nothing is called `{name}`", label=label or meant(hint))


def unknown_amount(c: Context, node: t.Expr, name: str, env: Env) -> None:
    """`3 gold`: neither a unit nor a sort of piece."""
    counters = [member for member in (c.world.seat.get(name), c.world.table.get(name)) if member is not None]
    if any(member.form == "counter" for member in counters):
        owner = "my." if name in c.world.seat else ""
        message = f"`{name}` is a counter, and no unit or piece"
        c.fault("E303", node, message, label=f"counters go up and down: `raise {owner}{name} by …`")
        return
    units = list(c.world.units)
    sorts = [sort for sort in c.names.sorts if sort not in units]
    label = brought(c, name) or meant(nearest(name, [*sorts, *_all_names(c, env)], units))
    notes = (
        f"units: {', '.join(units) or 'none'}; pieces: {', '.join(p.name for p in c.box.pieces if not p.board) or 'none'}",
    )
    c.fault("E205", node, f"no unit or piece is called `{name}`", label=label, notes=notes)


def unknown_call(c: Context, node: t.Expr, name: str, known: Sequence[str], what: str = "nothing") -> None:
    """A name in front of brackets, or by itself as a sentence, that is no procedure, value or table."""
    if label := _sort_for_one(c, node, name):
        c.faults.add("E205", node.span, f"`{name}` is no value or table: it is a family of pieces", label=label)
        return
    label = CALLS.get(name) or brought(c, name) or meant(nearest(name, known))
    c.faults.add("E205", at_name(node, name), f"{what} is called `{name}`", label=label)


def _sort_for_one(c: Context, node: t.Expr, name: str) -> str:
    """`share(l)`, of a family that is made for one each."""
    links: tuple[tuple[str, str], ...] = next((p.sorts_for for p in c.box.pieces if p.name == name and p.sorts_for), ())
    if len(links) != 1 or not isinstance(node, t.Call) or len(node.args) != 1:
        return ""
    return f"the sort for one {links[0][1]} is {quote(f'{name} of {node.args[0].span.text}')}"


def _whose(c: Context, name: str, env: Env) -> str:
    """A member that is named without whose it is: `stock` for `board.stock`."""
    if env.board is not None and (name in _own_members(c, env.board) or _has(c, env.board.kind.name, env.board_name, name)):
        return meant(f"board.{name}")
    if name in c.world.seat:
        if env.me is not None:
            return meant(f"my.{name}")
        return f"every seat has one: say whose, as in `seat(1).{name}`"
    owner = next((kind for kind in c.world.kinds if " " not in kind and _has(c, kind, "", name)), None)
    if owner is None:
        return ""
    return f"{Kind('thing', owner)} has one: say which, as in `x.{name}` inside `for each x in {plural(owner)}`"


def _has(c: Context, kind: str, board: str, name: str) -> bool:
    own = c.world.kinds.get(f"board {board}")
    if own is not None and name in own.members:
        return True
    while kind in c.world.kinds:
        its = c.world.kinds[kind]
        if name in its.members or name in its.fields or (kind, name) in c.members:
            return True
        kind = its.parent
    return False


def brought(c: Context, name: str) -> str:
    if name in c.box.off:
        return f"the {c.box.off[name][0]} `{name}` is not switched on"
    part = part_with(name, c.box)
    return f"the {part[0]} `{part[1]}` has one, and is not switched on" if part is not None else ""


def _all_names(c: Context, env: Env) -> list[str]:
    return [*dict.fromkeys([*(name for name, _ in _names_and_kinds(c, env)), *c.definitions, *WORDS])]


def _likely_names(c: Context, env: Env, want: Kind | None) -> list[str]:
    """The names that mean something of the kind that is wanted."""
    if want is None or want.form == "broken":
        return []
    element = want.of if want.form == "set" else None
    return [
        name
        for name, kind in _names_and_kinds(c, env)
        if kind.form == want.form and fits(c, kind, want) or element is not None and fits(c, kind, element)
    ]


def _names_and_kinds(c: Context, env: Env) -> Iterator[tuple[str, Kind]]:
    world = c.world
    for name, meaning in env.names.items():
        yield name, kind_of(c, meaning)
    for name, member in world.table.items():
        if name.isidentifier():  # the engine keeps some of its own
            yield name, Kind("zone", member.kind.name) if member.form == "zone" else member.kind
    for name, (_, kind) in world.numbers.items():
        yield name, kind
    for enum in world.enums.values():
        yield from ((value, Kind("enum", enum.name)) for value in enum.values)
    for name, const in c.names.things.items():
        yield name, const.kind
    for name, sorts in c.names.sorts.items():
        yield name, sorts[0].kind
    for name, meaning in c.names.plurals.items():
        yield name, kind_of(c, meaning)
    for name, (_, kind) in world.options.items():
        yield name, kind
    for name in (*world.tables, *world.units):
        yield name, Kind("word", name)
    yield from (("others", Kind("set", of=SEAT)), ("seats", Kind("set", of=SEAT)))


def no_member(c: Context, node: t.Expr, kind: Kind, name: str, owner: ir.Exp | None = None) -> None:
    """`my.fmae`: nothing of that name belongs to a seat. `owner`: a certain board may have members of its own."""
    if kind.form == "broken":
        return
    known = [*dict.fromkeys((*_own_members(c, owner), *_members_of(c, kind)))]
    notes = (f"{kind} has: " + ", ".join(known),) if known else ()
    label = _some_have(c, kind, name) or meant(nearest(name, known))
    c.faults.add("E210", at_name(node, name), f"{kind} has no `{name}`", label=label, notes=notes)


def _some_have(c: Context, kind: Kind, name: str) -> str:
    """`p.beds`, where `p` is any spot and only inns have beds."""
    if kind.form not in ("thing", "piece", "sort"):
        return ""
    world = c.world
    owners = [
        other
        for other, its in world.kinds.items()
        if " " not in other
        and other != kind.name
        and (world.is_kind(other, kind.name) or kind.name == "thing")
        and (name in its.members or name in its.fields or (other, name) in c.members)
    ]
    sorts = sorts_of_kind(c, kind)
    owners += [
        family
        for family, its in world.sort_fields.get(name, {}).items()
        if family != kind.name and not sorts.isdisjoint(its.values)
    ]
    if not owners:
        return ""
    several = [f"`{owner}`" for owner in dict.fromkeys(owners)]
    have = f"only {several[0]} has one" if len(several) == 1 else f"only {', '.join(several)} have one"
    return f"{have}: ask first, as in `where x is {owners[0]}`"


def no_one_of(c: Context, node: t.Expr, kind: Kind, member: Member | None, name: str, env: Env) -> bool:
    """`hotel.size`: each has its own, so it must be said which is meant."""
    owner = "seat" if kind.form == "seat" else kind.name
    if member is None and not (kind.form == "thing" and _has(c, kind.name, "", name)):
        return False
    several = plural(owner)
    one = "seat(1)" if owner == "seat" else next((c.world.thing(i).name for i in c.world.values(kind)), "")
    example = f"like `{one}.{name}`, or " if one and not one.isdigit() else ""
    if env.board is not None and c.world.is_kind(env.board.kind.name, owner):  # in what belongs to the kind itself
        example = f"`board.{name}` is that of the {owner} in question; or "
    c.fault(
        "E302",
        node,
        f"each {owner} has its own `{name}`",
        label=f"say which one is meant: {example}`x.{name}` inside `for each x in {several}`",
    )
    return True


def _own_members(c: Context, owner: ir.Exp | None) -> Iterable[str]:
    """What `board:` gives this board alone."""
    if not isinstance(owner, ir.Const) or owner.kind.form != "thing" or owner.value == ir.NONE:
        return ()
    own = c.world.kinds.get(f"board {c.world.thing(owner.value).name}")
    return own.members if own is not None else ()


def _members_of(c: Context, kind: Kind) -> Iterator[str]:
    if kind.form == "seat":
        yield from c.world.seat
    elif kind.form == "thing":
        current = kind.name
        while current in c.world.kinds:
            its = c.world.kinds[current]
            yield from (*its.members, *its.fields, *its.menus)
            for (of, member), found in c.members.items():
                if of == current and found.what in ("value", "guard"):
                    yield member
            current = its.parent
    elif kind.form == "word" and kind.name == "table":
        yield from c.world.table
    if kind.form in ("piece", "sort", "thing"):
        families = {c.world.sorts[id].family for id in sorts_of_kind(c, kind)}
        yield from (field for field, its in c.world.sort_fields.items() if families and families <= set(its))


def wrong_number(c: Context, node: t.Expr, definition: Definition, takes: int, given: int) -> None:
    """`visit(m, me)` where `visit` takes a market alone."""
    c.fault(
        "E211",
        node,
        f"`{definition.name}` takes {so_many(takes)} in brackets, {so_many(given)} {'is' if given == 1 else 'are'} given",
        label=f"it is `{written(definition)}`",
        second=(definition.span, "declared here"),
    )


def takes_none(c: Context, node: t.Expr, target: ir.Exp, ids: set[int], moved: str) -> None:
    """A zone that never holds what is moved there: what it does hold, and which zones would take it."""
    label = f"only {_family(target.kind.name)} can lie here"
    if isinstance(target, ir.ZoneAt) and target.member.own:
        label += " that belong to whose zone it is"
    c.fault("E304", node, f"{moved} cannot lie in this zone", label=label, notes=_zones_for(c, ids, moved))


def never_there(c: Context, node: t.Expr, place: Zones, ids: set[int], moved: str) -> None:
    label = f"only {_family(place.kind.name)} can lie here"
    c.fault("E304", node, f"{moved} never lies in this zone", label=label, notes=_zones_for(c, ids, moved))


def called(c: Context, found: Meaning) -> str:
    """What is moved, in words: a sort or a family by its name."""
    if isinstance(found, SortNames) and len(found.sorts.sorts) == 1:
        return f"`{c.world.sorts[found.sorts.sorts[0]].name}`"
    name = found.zones.kind.name if isinstance(found, Lying) else kind_of(c, found).name
    return f"`{name}`"


def _zones_for(c: Context, ids: set[int], what: str) -> tuple[str, ...]:
    groups = [("", c.world.table), ("my.", c.world.seat)]
    groups += [(f"{name}.", kind.members) for name, kind in c.world.kinds.items() if " " not in name]
    found = [
        f"`{before}{name}`"
        for before, members in groups
        for name, member in members.items()
        if member.form == "zone" and not ids.isdisjoint(member.sorts)
    ]
    return (f"{what} can lie in: " + ", ".join(found[:8]),) if found else (f"no zone takes {what}",)


def _family(name: str) -> str:
    return "pieces" if name == "thing" else f"`{name}`"


def meant(hint: str | None) -> str:
    return f"did you mean `{hint}`?" if hint else ""


def so_many(number: int) -> str:
    return f"{number} values" if number > 1 else "1 value" if number else "nothing"


def written(definition: Definition) -> str:
    """How something is called, from its declaration: `visit(m: market)`."""
    params = definition.item.params or ()
    inside = ", ".join(p.name + (f": {p.type.name}" if p.type is not None and p.type.name else "") for p in params)
    return definition.name + (f"({inside})" if inside else "")


def at_name(node: t.Expr, name: str) -> Span:
    """Where the name itself stands in `my.fmae`, `fmae of me` or `fmae(3)`: that is where the hand must go."""
    span, inner = node.span, node
    if isinstance(inner, t.Call):
        inner = inner.what
        span = inner.span
    if isinstance(inner, t.Member) and span.text.endswith(name):
        return Span(span.source, span.end - len(name), span.end)
    if isinstance(inner, t.Of) and span.text.startswith(name):
        return Span(span.source, span.start, span.start + len(name))
    return span
