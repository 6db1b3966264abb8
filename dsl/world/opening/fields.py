"""Fixed properties: what a file says of a thing, as values of the declared kind."""

from __future__ import annotations

from ichiba.dsl.faults.fault import nearest
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.parse import parse_cost
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.constant import Amount, CannotWorkOut, work_out
from ichiba.dsl.world.given import LOOK, Proto, key_span, named_values
from ichiba.dsl.world.kinds import NUMBER, Kind, maybe, set_of, unit_of
from ichiba.dsl.world.opening.context import Opening
from ichiba.dsl.world.opening.things import declared_field_of
from ichiba.dsl.world.starting import of_kind
from ichiba.dsl.world.world import Field, field_of_family, kind_named
from ichiba.dsl.yaml.declarations import unknown_key
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq


def number_fields(c: Opening) -> None:
    """The fields that are plain numbers come first: the numbers of pieces may be worked out from them."""
    for proto in c.protos:
        for name, node in proto.fields:
            decl = declared_field_of(c, proto.kind, name)
            if decl is not None and _is_amount(c, decl):
                field_of(c, proto.kind, name, decl).values[proto.id] = work_out(
                    node, c.scope, c.faults, unit=unit_of(field_kind(c, decl.type))
                )
    for (kind, name), decl in c.field_decls.items():
        if _is_amount(c, decl) and is_of_things(c, kind) and decl.default is not None:
            field_ = field_of(c, kind, name, decl)
            for id in c.world.kinds[kind].things:
                if id not in field_.values:
                    set_default(c, field_, decl, id)


def _is_amount(c: Opening, decl: t.Field) -> bool:
    return decl.type.name in ("number", *c.world.units) and not decl.type.optional and decl.type.of is None


def is_of_things(c: Opening, kind: str) -> bool:
    """Pieces have the fields of their sorts."""
    return kind in c.world.kinds and c.world.kinds[kind].root != "piece"


def field_of(c: Opening, kind: str, name: str, decl: t.Field) -> Field:
    owner = kind
    while (owner, name) not in c.field_decls:
        owner = c.world.kinds[owner].parent
    fields = c.world.kinds[owner].fields
    if name not in fields:
        fields[name] = Field(name, field_kind(c, decl.type))
    return fields[name]


def field_kind(c: Opening, written: t.Type) -> Kind:
    if written.name == "set" and written.of:
        inner = kind_named(c.world, written.of)
        return set_of(inner or NUMBER)
    if written.name in ("cost", "text"):
        return Kind("cost") if written.name == "cost" else Kind("word", "text")
    if written.values:
        return Kind("enum", "_or_".join(written.values))  # made by `_enums`
    found = kind_named(c.world, written.name)
    if found is None:
        _no_type(c, written)
        return NUMBER
    return maybe(found) if written.optional else found


def _no_type(c: Opening, written: t.Type) -> None:
    known = [
        "number",
        "flag",
        "seat",
        "cost",
        "text",
        *c.world.units,
        *c.world.enums,
        *c.world.kinds,
        *c.world.categories,
    ]
    hint = nearest(written.name, known)
    c.faults.add(
        "E205", written.span, f"no type is called `{written.name}`", label=f"did you mean `{hint}`?" if hint else ""
    )


def set_default(c: Opening, field_: Field, decl: t.Field, id: int) -> None:
    if field_.kind.form == "cost":
        default_cost(c, decl, field_.name, id)
        return
    value = default_value(c, field_.kind, decl)
    if value is not None:
        field_.values[id] = value
        return
    tell_missing(c, next(p for p in c.protos if p.id == id), field_.name)


def default_cost(c: Opening, decl: t.Field, name: str, id: int) -> None:
    if isinstance(decl.default, t.Int):
        c.faults.add("E301", decl.default.span, "a plain number is no cost", label="write the unit, such as `¥100` or `1 ap`")
    elif decl.default is not None and (id, name) not in c.world.costs:
        item = t.CostItem(decl.span, decl.default, None, None, None)
        c.world.costs[(id, name)] = t.Cost(decl.span, (t.CostWay(decl.span, (item,), None),))


def default_value(c: Opening, kind: Kind, decl: t.Field) -> int | tuple[int, ...] | None:
    """What a field is where nothing is said: its default, no flag, an empty set; else there is no value."""
    match decl.default:
        case None:
            may_be_left_out = decl.type.optional or kind.form == "word"
            return () if kind.form == "set" else 0 if kind.form == "flag" else -1 if may_be_left_out else None
        case t.NoneWord():
            return -1
        case t.SetOf(items=items) if kind.form == "set":
            return tuple(value for item in items for value in _default_words(c, kind.of or NUMBER, item))
        case t.Name(name=name) if kind.form == "flag" and name in ("true", "false", "yes", "no"):
            return int(name in ("true", "yes"))
        case t.Name() as word if kind.form in ("enum", "sort", "thing"):
            return next(iter(_default_words(c, kind, word)), -1)
        case _:  # any other: it is worked out below
            pass
    try:
        return of_kind(decl.default, kind, c.scope)
    except CannotWorkOut as fault:
        fault.tell(c.faults)
        return 0


def _default_words(c: Opening, kind: Kind, item: t.Expr) -> list[int]:
    word = item.name if isinstance(item, t.Name) else ""
    found = named_values(c.world, kind, word)
    if not found and word not in c.world.known:
        hint = nearest(word, [c.world.name_of(value, kind) for value in c.world.values(kind)])
        label = f"did you mean `{hint}`?" if hint else ""
        c.faults.add("E205", item.span, f"`{item.span.text}` is not {kind}", label=label)
    return found


def tell_missing(c: Opening, proto: Proto, name: str) -> None:
    """A field that the kind declares and a board or thing does not state: told there, once."""
    decl = declared_field_of(c, proto.kind, name)
    if decl is None or decl.default is not None or any(key == name for key, _ in proto.fields):
        return
    misspelt = next((key for key, _ in proto.fields if _is_meant(c, proto, key, name)), None)
    alike = [other for other in c.protos if other.kind == proto.kind]
    if len(alike) > 1 and not any(key == name for other in alike for key, _ in other.fields):
        message = f"none of the {plural(proto.kind)} states `{name}`"
        label = f"each needs it, unless there is a default: `field {name}: {decl.type.name} = …`"
        c.faults.add("E102", decl.span, message, label=label, second=(alike[0].span, "the first of them"))
    elif misspelt is None:
        kind = field_of(c, proto.kind, name, decl).kind
        c.faults.add(
            "E102",
            proto.span,
            f"`{proto.name}` has no `{name}`",
            label=f"{kind} is needed: write `{name}: …`",
            second=(decl.span, "declared here"),
        )
    c.faults.lost.add(name)


def _is_meant(c: Opening, proto: Proto, key: str, name: str) -> bool:
    """Whether a key that the kind does not have was to be this field: that is then told at the key."""
    known = [field for (kind, field) in c.field_decls if c.world.is_kind(proto.kind, kind)]
    return key not in known and nearest(key, known) == name


def fields_of(c: Opening, proto: Proto) -> None:
    kind = c.world.kinds[proto.kind]
    for name, node in proto.fields:
        decl = declared_field_of(c, proto.kind, name)
        if decl is None:
            if not LOOK.match(name) and kind.root != "piece" and not _of_a_module_that_is_off(c, proto, name):
                known = sorted({n for (k, n) in c.field_decls if c.world.is_kind(proto.kind, k)})
                known += proto.board.keys if proto.board is not None else ()
                if proto.board is not None or (proto.kind, name) not in c.unknown_keys:
                    unknown_key(name, key_span(name, node), known, f"the {proto.kind} `{proto.name}`", c.faults)
                c.unknown_keys.add((proto.kind, name))  # of many things alike, told of the first
            continue
        field_ = field_of(c, proto.kind, name, decl)
        if field_.kind.form == "cost":
            cost = parse_cost(node.text, c.faults) if isinstance(node, Scalar) else None
            if not isinstance(node, Scalar):
                c.faults.add("E103", node.span, f"`{name}` is a cost", label="it is written like `1 ap` or `¥200`")
            if cost is not None:
                c.world.costs[(proto.id, name)] = cost
        elif proto.id not in field_.values:
            field_.values[proto.id] = value_of(c, field_.kind, node)
    for name, (word, what) in proto.links.items():
        _link(c, proto, name, word, what)


def _of_a_module_that_is_off(c: Opening, proto: Proto, name: str) -> bool:
    """A map says it for that module; now it means nothing."""
    return any(field == name and c.world.is_kind(proto.kind, kind) for kind, field in c.box.absent_fields)


def value_of(c: Opening, kind: Kind, node: Node) -> int | tuple[int, ...]:
    """The value of a field as the engine holds it."""
    if kind.form == "word":
        return _text(c, node)
    if kind.form == "set" and kind.of is not None:
        values: list[int] = []
        for item in node.items if isinstance(node, Seq) else (node,):
            values.extend(_values_named(c, kind.of, item))
        return tuple(dict.fromkeys(values))
    if kind.form in ("number", "flag"):
        if kind.form == "flag":
            if isinstance(node, Scalar) and isinstance(node.value, bool):
                return int(node.value)
            c.faults.add("E103", node.span, "true or false is expected here")
            return 0
        return work_out(node, c.scope, c.faults, unit=unit_of(kind))
    if kind.form == "seat":
        return work_out(node, c.scope, c.faults) - 1
    if kind.optional and isinstance(node, Scalar) and node.value in (None, "none"):
        return -1
    found = _values_named(c, kind, node)
    return found[0] if found else -1


def _text(c: Opening, node: Node) -> int:
    """A text, or one for each language."""
    texts: dict[str, str] = {}
    for lang, said in node.entries if isinstance(node, Map) else ((None, node),):
        if isinstance(said, Scalar) and (lang is None or isinstance(lang.value, str)):
            texts["en" if lang is None else str(lang.value)] = str(said.value)
        else:
            c.faults.add(
                "E103", said.span, "a text is expected here", label="or one for each language: `{en: …, ja: …}`"
            )
    c.world.texts.append(texts)
    return len(c.world.texts) - 1


def _values_named(c: Opening, kind: Kind, node: Node) -> list[int]:
    word = str(node.value) if isinstance(node, Scalar) else ""
    found = named_values(c.world, kind, word)
    if not found:
        if word in c.world.known:
            return []
        names = [c.world.name_of(v, kind) for v in c.world.values(kind)]
        hint = nearest(word, names)
        c.faults.add("E205", node.span, f"`{word}` is not {kind}", label=f"did you mean `{hint}`?" if hint else "")
    return found


def _link(c: Opening, proto: Proto, name: str, word: str, what: str) -> None:
    """`one_for` ties a thing to what it is for, both ways."""
    kind = kind_named(c.world, what)
    values = named_values(c.world, kind, word) if kind else []
    if kind is None or not values:
        c.faults.add("E205", proto.span, f"`{word}` is not among the {plural(what)}")
        return
    owner = c.world.kinds[proto.kind]
    owner.fields.setdefault(name, Field(name, kind)).values[proto.id] = values[0]
    back = Field(proto.kind, Kind("thing", proto.kind, optional=True))
    if kind.form == "sort":
        family = c.world.sorts[values[0]].family
        field_of_family(c.world, proto.kind, family, back.kind).values[values[0]] = proto.id
    elif kind.form == "enum":
        c.world.enums[kind.name].fields.setdefault(proto.kind, back).values[values[0]] = proto.id
    elif kind.form == "thing":
        c.world.kinds[kind.name].fields.setdefault(proto.kind, back).values[values[0]] = proto.id


def amount_of_thing(c: Opening, owner: str, name: str) -> Amount | None:
    proto = c.current.get(owner)
    if proto is None:
        return None
    found = _stated(c, proto, name)
    if found is None:
        tell_missing(c, proto, name)
        return None
    value, kind = found
    return (value, unit_of(kind)) if isinstance(value, int) else None


def is_set_empty(c: Opening, owner: str, name: str) -> bool | None:
    """Whether a field that is a set has nothing in it; None where it is no set."""
    proto = c.current.get(owner)
    found = _stated(c, proto, name) if proto is not None else None
    return not found[0] if found is not None and isinstance(found[0], tuple) else None


def _stated(c: Opening, proto: Proto, name: str) -> tuple[int | tuple[int, ...], Kind] | None:
    kind: str = proto.kind
    while kind:
        found = c.world.kinds[kind].fields.get(name)
        if found is not None and proto.id in found.values:
            return found.values[proto.id], found.kind
        kind = c.world.kinds[kind].parent
    return None
