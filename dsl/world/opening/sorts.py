"""Fixed properties of sorts of pieces: what `pieces:` says of each sort, in the type that the family's kind declares.

    kind plant is piece:                      pieces: {plant: {sorts: {p3: {price: $3}, p4: {price: $4}}}}
        field price: dollar

Where the kind declares no fields, those said of one sort are said of all, in a type guessed from what is written.
`note_fields` keeps what is written until all things have numbers; `read_all_fields` reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.parse import parse_cost
from ichiba.dsl.world.constant import amount_of
from ichiba.dsl.world.given import LOOK, Proto, key_span, named_values
from ichiba.dsl.world.kinds import FLAG, NUMBER, SEAT, Kind, number
from ichiba.dsl.world.opening.context import Opening, Said
from ichiba.dsl.world.opening.fields import (
    default_cost,
    default_value,
    field_kind,
    field_of,
    fields_of,
    is_of_things,
    set_default,
    value_of,
)
from ichiba.dsl.world.world import Field, Sort, field_of_family
from ichiba.dsl.yaml.declarations import PieceDecl, unknown_key
from ichiba.dsl.yaml.reading import Node, Scalar


@dataclass(frozen=True, slots=True)
class MadeFor:
    """What a sort is made for by `sorts_for`: a thing, a word, or a sort of another family."""

    field: str
    kind: str
    word: str
    owner: Proto | None  # the thing


def note_fields(
    c: Opening, sort: Sort, decl: PieceDecl, fields: dict[str, Node], fors: Sequence[MadeFor], category2: str
) -> None:
    """What is written of one sort, to be read later; who it belongs to (`owner`, `sorts_for`) is set at once. `category2`:
    what the sort itself says that it `is`, apart from its family."""
    world = c.world
    about: dict[str, Proto] = {}
    if decl.per_seat and sort.owner is not None:
        field_of_family(world, "owner", sort.family, SEAT).values[sort.id] = sort.owner
    for it in fors:
        kind = Kind("thing", it.kind)
        if it.owner is not None:
            about |= {it.field: it.owner, it.kind: it.owner}
            value: int = it.owner.id
        elif it.kind in world.enums and it.word in world.enums[it.kind].values:
            kind, value = Kind("enum", it.kind), world.enums[it.kind].values.index(it.word)
        elif found := named_values(world, Kind("sort", it.kind), it.word):
            kind, value = Kind("sort", it.kind), found[0]
        else:
            continue
        field_of_family(world, it.field, sort.family, kind).values[sort.id] = value
        if len(fors) > 1:
            sort.parts += ((value, kind),)
    if sort.parts:
        names = [it.field for it in fors]
        sort.named = tuple(names.index(word) if word in names else word for word in re.split(r"[{}]", decl.pattern) if word)
    kinds = _kinds_of_sort(c, sort, decl, category2)
    c.said.append(Said(sort, sort.name, sort.span or decl.span, kinds, fields, about))


def _kinds_of_sort(c: Opening, sort: Sort, decl: PieceDecl, category2: str) -> tuple[str, ...]:
    """The kinds whose fields a sort has, the nearest first."""
    found: list[str] = []
    for start in (sort.kind or sort.name, decl.name, category2, decl.category):
        name = start
        while name in c.world.kinds:
            found.append(name)
            name = c.world.kinds[name].parent
    return tuple(dict.fromkeys(found))


def _read_fields_of_sorts(c: Opening) -> None:
    families: dict[str, list[Said]] = {family: [] for family in c.world.families}
    for said in c.said:
        families[said.sort.family].append(said)
    for family, sorts in families.items():
        kinds = tuple(dict.fromkeys(kind for said in sorts for kind in said.kinds)) or (family,)
        declared = {name: decl for kind in reversed(kinds) for name, decl in _declared_in(c, kind).items()}
        for said in sorts:
            _check_keys(c, said)
        for name, decl in declared.items():
            _declared_field(c, family, name, decl, sorts)
        _implied_fields(c, family, [said for said in sorts if not _declares(c, said)])


def _declared_in(c: Opening, kind: str) -> dict[str, t.Field]:
    return {name: decl for (owner, name), decl in c.field_decls.items() if owner == kind}


def _declares(c: Opening, said: Said) -> bool:
    return any(_declared_in(c, kind) for kind in said.kinds)


def _check_keys(c: Opening, said: Said) -> None:
    """Where fields are declared, nothing else can be said."""
    known = [name for kind in said.kinds for name in _declared_in(c, kind)]
    if not known:
        return
    for name, node in said.fields.items():
        if name not in known and not LOOK.match(name) and _untold(c, said, name):
            what = f"the sort `{said.item}` of {said.sort.family}"
            unknown_key(name, key_span(name, node), [*known, "count", "is", "key", "sides"], what, c.faults)


def _untold(c: Opening, said: Said, name: str) -> bool:
    """Whether no fault has told of this field of this sort yet: one of several sides or seats is told of once."""
    mark = (said.sort.family, said.item, name)
    untold = mark not in c.told
    c.told.add(mark)
    return untold


def _declared_field(c: Opening, family: str, name: str, decl: t.Field, sorts: list[Said]) -> None:
    kind = field_kind(c, decl.type)
    field_ = field_of_family(c.world, name, family, kind)
    for said in sorts:
        if not any(c.field_decls.get((its, name)) is decl for its in said.kinds):
            continue
        node = said.fields.get(name)
        if kind.form == "cost":
            _cost_of_sort(c, said, name, decl, node)
        elif node is not None:
            c.current.update(said.about)
            field_.values[said.sort.id] = value_of(c, kind, node)
        else:
            _default_of_sort(c, field_, decl, said)


def _default_of_sort(c: Opening, field_: Field, decl: t.Field, said: Said) -> None:
    value = default_value(c, field_.kind, decl)
    if value is not None:
        field_.values[said.sort.id] = value
    elif _untold(c, said, field_.name):
        message = f"`{said.item}` has no `{field_.name}`"
        label = f"{field_.kind} is needed"
        c.faults.add("E102", said.span, message, label=label, second=(decl.span, "declared here"))


def _cost_of_sort(c: Opening, said: Said, name: str, decl: t.Field, node: Node | None) -> None:
    """A cost is what one piece says: only pieces that exist one by one can say it."""
    cost = parse_cost(node.text, c.faults) if isinstance(node, Scalar) else None
    if node is not None and not isinstance(node, Scalar):
        c.faults.add("E103", node.span, f"`{name}` is a cost", label="it is written like `1 ap` or `¥200`")
    if not said.sort.kind:
        if _untold(c, said, name):
            label = "say `individual: true`, or declare an amount: `field price: yen`"
            c.faults.add(
                "E103", said.span, f"pieces of {said.sort.family} are counted and cannot state a cost", label=label
            )
        return
    owner = next(kind for kind in said.kinds if (kind, name) in c.field_decls)
    c.world.kinds[owner].fields.setdefault(name, Field(name, Kind("cost")))
    for thing in c.world.things:
        if thing.sort == said.sort.id:
            if cost is not None:
                c.world.costs[(thing.id, name)] = cost
            default_cost(c, decl, name, thing.id)


def _implied_fields(c: Opening, family: str, sorts: list[Said]) -> None:
    """A family of a kind without fields: what is said of one sort is said of all, in the same type."""
    first: dict[str, tuple[Kind, Said]] = {}
    for said in sorts:
        for name, node in said.fields.items():
            if not LOOK.match(name) and name not in first:
                first[name] = _guessed_kind(c, name, node), said
    for name, (kind, where) in first.items():
        field_ = field_of_family(c.world, name, family, kind)
        for said in sorts:
            if name in said.fields:
                c.current.update(said.about)
                field_.values[said.sort.id] = value_of(c, kind, said.fields[name])
            elif kind == FLAG:
                field_.values[said.sort.id] = 0
            elif _untold(c, said, name):
                notes = (
                    f"say it for each sort, or declare it with a default: `field {name}: … = …` in `kind {family} is piece:`",
                )
                message = f"`{said.item}` has no `{name}`, as `{where.item}` has"
                c.faults.add("E102", said.span, message, label=f"{kind} is needed", notes=notes)


def _guessed_kind(c: Opening, name: str, node: Node) -> Kind:
    """The type of a field that no kind declares: `$3` is an amount in dollars, `true` a flag, a known word what it names."""
    if not isinstance(node, Scalar):
        return NUMBER
    if isinstance(node.value, bool):
        return FLAG
    if isinstance(node.value, int):
        return NUMBER
    if unit := amount_of(node, c.scope, Faults())[1]:
        return number(unit)
    enums = [enum.name for enum in c.world.enums.values() if node.value in enum.values]
    its = [enum for enum in enums if name == enum or enum not in c.world.options]
    if its:  # `mood: fine` is a mood, also where other words are spelled so
        return Kind("enum", name if name in its else its[0])
    for proto in c.protos:
        if proto.name == node.value:
            return Kind("thing", proto.kind)
    for sort in c.world.sorts:
        if sort.name == node.value:
            return Kind("sort", sort.family)
    return NUMBER


def read_all_fields(c: Opening) -> None:
    for proto in c.protos:
        fields_of(c, proto)
    _read_fields_of_sorts(c)
    for (kind, name), decl in c.field_decls.items():
        if not is_of_things(c, kind):
            continue
        field_ = field_of(c, kind, name, decl)
        for id in c.world.kinds[kind].things:
            if id not in field_.values:
                set_default(c, field_, decl, id)
