"""What belongs to a thing, a seat or the table: members, fields, and whose they are."""

from __future__ import annotations

from typing import cast

from ichiba.dsl.names.compatible import kind_of, sorts_of_kind
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.hints import no_member, no_one_of
from ichiba.dsl.names.meanings import Definition, Env, Meaning, SortNames, Zones
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, maybe, set_of
from ichiba.dsl.world.world import FIRST_THING, Field, KindDef, Member

NOWHERE = -(10**7)  # lies before every place of the state, so that whoever looks there is stopped


def me_here(c: Context, node: t.Expr, env: Env) -> ir.Exp:
    if env.me is None:
        c.fault("E209", node, "nobody is `me` here", label="say which seat is meant")
        return ir.Const(0, SEAT)
    env.me_used.append(node)
    return env.me


def certain(c: Context, value: ir.Exp) -> ir.Exp:
    """Whose place is asked for: where that is nobody (`closer.cash`), the game stops, and no other place is read."""
    there = c.world.values(value.kind.plain) if value.kind.optional and value.kind.form in ("seat", "thing") else ()
    if isinstance(value, ir.Const) or not there:
        return value
    return ir.Lookup("certain", tuple(there), (value,), (min(there),), NOWHERE, value.kind.plain)


def member_named(c: Context, owner: ir.Exp, name: str) -> Member | None:
    for kind in lineage(c, owner):
        if name in kind.members:
            return kind.members[name]
    return None


def lineage(c: Context, owner: ir.Exp) -> list[KindDef]:
    name = owner.kind.name
    if isinstance(owner, ir.Const) and owner.value >= FIRST_THING:
        thing = c.world.thing(owner.value)
        name = f"board {thing.name}" if f"board {thing.name}" in c.world.kinds else thing.kind
    return kinds_upward(c, name)


def kinds_upward(c: Context, name: str) -> list[KindDef]:
    """A kind, what it is a kind of, and so on; what a board has of its own stands below its kind."""
    kinds: list[KindDef] = []
    while name in c.world.kinds:
        kinds.append(c.world.kinds[name])
        name = c.world.kinds[name].parent
    return kinds


def member_definition(c: Context, kind: str, name: str) -> Definition | None:
    while kind:
        found = c.members.get((kind, name))
        if found is not None:
            return found
        kind = c.world.kinds[kind].parent if kind in c.world.kinds else ""
    return None


def has_member(c: Context, meaning: Meaning, name: str) -> bool:
    if isinstance(meaning, ir.EXP_CLASSES):
        kind = kind_of(c, meaning)
        if kind.form == "thing":
            owner = meaning
            return (
                member_named(c, owner, name) is not None
                or any(name in k.fields or name in k.menus for k in lineage(c, owner))
                or member_definition(c, kind.name, name) is not None
                or name in c.names.plurals
            )
        return kind.form == "seat" and name in c.world.seat
    return isinstance(meaning, SortNames) and not sorts_of_kind(c, meaning.kind).isdisjoint(
        id for field in c.world.sort_fields.get(name, {}).values() for id in field.values
    )


def member_value(c: Context, member: Member, at: tuple[ir.Exp, ...], kind: Kind | None) -> Meaning:
    if member.form == "zone":
        if len(at) < len(member.dims):
            return Zones(tuple(all_indexes(c, member, at)), member.kind)
        return Zones((ir.ZoneAt(member, at, member.kind),), member.kind)
    return ir.Read(member, at, kind or member.kind)


def all_indexes(c: Context, member: Member, at: tuple[ir.Exp, ...]) -> list[ir.Exp]:
    partial = [at]
    for kind in member.index:
        partial = [(*p, ir.Const(v, kind)) for p in partial for v in c.world.values(kind)]
    return [ir.ZoneAt(member, p, member.kind) for p in partial]


def member_of_all(c: Context, node: t.Expr, owner: str, name: str, env: Env) -> Meaning | None:
    """`lot.laid`: that member of every one of them."""
    if owner == "table":
        if name in c.world.table:
            return member_value(c, c.world.table[name], (), None)
        no_member(c, node, Kind("word", "table"), name)
        return None
    members = c.world.seat if owner == "seat" else c.world.kinds[owner].members
    member = members.get(name)
    kind = SEAT if owner == "seat" else Kind("thing", owner)
    if member is None or member.form != "zone":
        if not no_one_of(c, node, kind, member, name, env):
            no_member(c, node, kind, name)
        return None
    values = c.world.values(kind)
    zones: list[ir.Exp] = []
    for value in values:
        zones.extend(all_indexes(c, member, (ir.Const(value, kind),)))
    return Zones(tuple(zones), member.kind)


def belongs_to_the_only_one(c: Context, kind: str, name: str) -> bool:
    """`buyer.busy`, where there is one buyer; a zone of it is the zone of all of them anyway."""
    member = c.world.kinds[kind].members.get(name)
    names = c.names.sorts.get(kind, [])
    return (member is None or member.form != "zone") and len(names) == 1 and only_piece(c, names[0]) is not None


def only_piece(c: Context, names: SortNames) -> ir.Const | None:
    """The piece of a sort of which there is one in the box. Elsewhere the name is that of the sort, as with many."""
    if names.sorts.one is not None or len(names.sorts.sorts) != 1:
        return None
    sort = c.world.sorts[names.sorts.sorts[0]]
    return c.names.things.get(f"{sort.full_name}_1") if sort.number == 1 and sort.kind else None


def pieces_of(c: Context, names: SortNames) -> list[str]:
    """The names of the pieces of one sort, where they exist one by one."""
    if names.sorts.one is not None or len(names.sorts.sorts) != 1 or not c.world.sorts[names.sorts.sorts[0]].kind:
        return []
    return [name for name, const in c.names.things.items() if c.world.thing(const.value).sort == names.sorts.sorts[0]]


def is_a_flag(c: Context, name: str) -> bool:
    """Whether some kind has a flag of that name: what belongs to a board that is not there is not so."""
    kinds = c.world.kinds.values()
    return any(
        name in kind.members
        and kind.members[name].form == "flag"
        or name in kind.fields
        and kind.fields[name].kind == FLAG
        for kind in kinds
    )


def field_value(c: Context, name: str, field: Field, at: ir.Exp) -> Meaning:
    """A fixed property, looked up; at once when it is known whose."""
    if field.kind.form == "set":
        rows, low = _rows_of_field(c, field, (), at.kind)
        if isinstance(at, ir.Const):
            values = field.values.get(at.value, ())
            element = field.kind.of or NUMBER
            return ir.Listed(tuple(ir.Const(v, element) for v in cast("tuple[int, ...]", values)), field.kind)
        return ir.Rows(name, cast("tuple[tuple[int, ...], ...]", rows), at, low, field.kind)
    other = 0 if field.kind.form in ("number", "flag") else -1
    if isinstance(at, ir.Const):
        return ir.Const(cast(int, field.values.get(at.value, other)), field.kind)
    rows, low = _rows_of_field(c, field, other, at.kind)
    present = all(i in field.values for i in c.world.values(at.kind)) and bool(c.world.values(at.kind))
    kind = (
        field.kind if present and not at.kind.optional or field.kind.form in ("number", "flag") else maybe(field.kind)
    )
    return ir.Lookup(name, rows, (at,), (low,), other, kind)


def _rows_of_field(c: Context, field: Field, other: object, kind: Kind) -> tuple[tuple[object, ...], int]:
    """The values of everything that can be asked for, `other` where nothing is said."""
    asked = c.world.values(kind) or (tuple(range(len(c.world.sorts))) if kind.form == "sort" else ())
    numbers = [*field.values, *asked]
    if not numbers:
        return (), 0
    low, high = min(numbers), max(numbers)
    return tuple(field.values.get(i, other) for i in range(low, high + 1)), low


def sort_field(c: Context, owner: ir.Exp, name: str) -> Field | None:
    """The field that all sorts have which this can be, of one type in all their families."""
    families = c.world.sort_fields.get(name)
    if families is None:
        return None
    fixed = isinstance(owner, ir.Const) and owner.kind.form == "sort" and owner.value >= 0
    ids = {cast(ir.Const, owner).value} if fixed else sorts_of_kind(c, owner.kind)
    if not ids:
        return next((field for family, field in families.items() if family == owner.kind.name), None)
    found = [families.get(family) for family in dict.fromkeys(c.world.sorts[id].family for id in sorted(ids))]
    fields = [field for field in found if field is not None]
    some = c.finished and bool(fields)  # a question may be about what only some have
    if len(fields) < len(found) and not some or any(field.kind != fields[0].kind for field in fields):
        return None
    if len(fields) == 1:
        return fields[0]
    return Field(name, fields[0].kind, {id: value for field in fields for id, value in field.values.items()})


def field_of_sort(c: Context, owner: ir.Exp, name: str) -> Meaning | None:
    field = sort_field(c, owner, name)
    if field is None:
        return None
    sort = owner
    if owner.kind.form in ("piece", "thing"):
        sort = ir.SortOf(owner, Kind("sort", owner.kind.name, optional=owner.kind.optional))
    return field_value(c, f"sort.{name}", field, sort)


def group_of(c: Context, owner: ir.Exp, name: str) -> Meaning | None:
    """`board.tanks`: the things that this board's file declares."""
    kind = next((k for k in c.world.kinds if plural(k) == name), "")
    boards = c.world.kinds["board"].things
    if not kind or not boards or isinstance(owner, ir.Const) and owner.value < FIRST_THING:
        return None
    low = min(boards)
    rows = tuple(_grouped(c, kind, c.world.thing(i).name) for i in boards)
    element = Kind("thing", kind)
    if not any(rows):
        return None
    if isinstance(owner, ir.Const):
        ids = rows[owner.value - low]
        return ir.Listed(tuple(ir.Const(i, element) for i in ids), set_of(element)) if ids else None
    return ir.Rows(f"board.{name}", rows, owner, low, set_of(element))


def _grouped(c: Context, kind: str, home: str) -> tuple[int, ...]:
    return tuple(i for i in c.world.kinds[kind].things if c.world.groups.get(i) == home)
