"""Kinds, and everything that exists one by one: boards, things, stations and lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from ichiba.dsl.faults.fault import nearest
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.assumed import Given
from ichiba.dsl.world.constant import work_out
from ichiba.dsl.world.given import LOOK, MOST_THINGS, ROOTS, Proto
from ichiba.dsl.world.opening.context import Opening
from ichiba.dsl.world.opening.grids import kind_of_grid, places_of_grid
from ichiba.dsl.world.opening.maps import judge_map, read_connections, read_map
from ichiba.dsl.world.opening.numbers import said_instead
from ichiba.dsl.world.world import FIRST_THING, KindDef, Thing
from ichiba.dsl.yaml.declarations import BoardDecl, Items, ThingDecl, free_name, plain_name
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq


def read_kinds(c: Opening) -> None:
    world = c.world
    for root in ROOTS:
        world.kinds[root] = KindDef(root, "", root)
    declared: list[t.Kind] = []
    for rules in c.box.rules:
        declared.extend(item for item in rules.items if isinstance(item, t.Kind) and not item.added)
    names = {item.name for item in declared} | {p.name for p in c.box.pieces} | {p.category for p in c.box.pieces}
    for item in declared:
        if item.name in world.kinds and world.kinds[item.name].declared:
            first = world.kinds[item.name].span
            c.faults.add(
                "E206",
                item.span,
                f"the kind `{item.name}` is defined twice",
                second=(first, "first defined here") if first else None,
            )
            continue
        parent = item.parent or "thing"
        if parent not in names and parent not in ROOTS:
            hint = nearest(parent, [*sorted(names), *ROOTS])
            c.faults.add(
                "E205",
                item.parent_span or item.span,
                f"no kind is called `{parent}`",
                label=f"did you mean `{hint}`?" if hint else "",
            )
            parent = "thing"
        world.kinds[item.name] = KindDef(item.name, parent, "", item.span, declared=True)
    _fields_of_kinds(c, declared)
    for kind in list(world.kinds.values()):
        kind.root = kind.root or _root(c, kind.name, ())


def _root(c: Opening, name: str, seen: tuple[str, ...]) -> str:
    kind = c.world.kinds.get(name)
    if name in seen and kind is not None:
        c.faults.add("E207", kind.span, "these kinds are each other's kind: " + " is ".join([*seen, name]))
        kind.parent = "thing"  # whoever goes upward from here comes to an end
        return "thing"
    if kind is None:
        return "piece"
    return kind.root or _root(c, kind.parent, (*seen, name))


def _fields_of_kinds(c: Opening, declared: Iterable[t.Kind]) -> None:
    c.field_decls = {}
    for rules in c.box.rules:
        for item in rules.items:
            if isinstance(item, t.Kind):
                for member in item.members:
                    if isinstance(member, t.Field):
                        first = c.field_decls.setdefault((item.name, member.name), member)
                        if first is not member:
                            message = f"the field `{member.name}` is defined twice"
                            second = (first.span, "first defined here")
                            c.faults.add("E206", member.span, message, second=second)


def declared_field_of(c: Opening, kind: str, name: str) -> t.Field | None:
    while kind:
        found = c.field_decls.get((kind, name))
        if found is not None:
            return found
        kind = c.world.kinds[kind].parent if kind in c.world.kinds else ""
    return None


def take_map(c: Opening) -> None:
    c.map = read_map(c.box, c.world, c.faults)
    if c.map is not None:
        wanted = [things.start for things in (*c.box.things, *c.box.absent_things) if things.start]
        c.islands = judge_map(c.map, wanted, c.faults)


def read_board(c: Opening, decl: BoardDecl) -> None:
    if decl.kind not in c.world.kinds or c.world.kinds[decl.kind].root != "board":
        if not decl.kind:
            _leave_out(c, decl)  # told already
            return
        kinds = [k.name for k in c.world.kinds.values() if k.root == "board" and k.declared]
        hint = nearest(decl.kind, kinds)
        c.faults.add(
            "E205",
            decl.kind_span or decl.span,
            f"no kind of board is called `{decl.kind}`",
            label=f"did you mean `{hint}`?" if hint else "",
            notes=("kinds of boards: " + (", ".join(kinds) or "none"),),
        )
        if hint is None:
            _leave_out(c, decl)
            return
        meant = replace(decl, kind=hint)  # what is wrong with the rest of it can so be told as well
        c.box.boards[c.box.boards.index(decl)] = decl = meant
    fields = []
    for name, node in decl.fields:
        ids = [id for field, id in decl.assumptions if field == name]
        fields.append((name, said_instead(c, ids, f"{decl.name}.{name}", node)))
    for name, id in decl.assumptions:
        given = c.assumed.instead((id,), f"{decl.name}.{name}")
        if given is not None and name != "pieces" and all(name != stated for stated, _ in fields):
            fields.append((name, given.node()))  # the file leaves it to the kind
    add_proto(c, Proto(decl.name, decl.kind, tuple(fields), decl.span, decl.home, board=decl))


def _leave_out(c: Opening, decl: BoardDecl) -> None:
    """Of a board of no kind nothing can be understood."""
    c.faults.lost.add(decl.name)
    c.box.rules = [text for text in c.box.rules if text.board != decl.name]


def add_proto(c: Opening, proto: Proto) -> Proto:
    c.protos.append(proto)
    key = (proto.kind, proto.group + proto.name)
    if key in c.by_name and proto.board is None:
        first = c.by_name[key]
        c.faults.add(
            "E206" if first.home == proto.home else "E403",
            proto.span,
            f"there are two {plural(proto.kind)} `{proto.name}`",
            label="number all of them in one place, or name each"
            if proto.name.isdigit()
            else "one of them needs another name",
            second=(first.span, "also declared here"),
        )
    c.by_name[key] = proto
    return proto


def read_things(c: Opening, decl: ThingDecl) -> None:
    kind = decl.kind
    if decl.grid is not None:
        if kind_of_grid(c, decl):
            for place in places_of_grid(c, decl, decl.grid):
                add_proto(c, place)
        return
    if kind not in c.world.kinds:
        hint = nearest(kind, c.world.kinds)
        c.faults.add(
            "E205",
            decl.span,
            f"no kind is called `{kind}`",
            label=f"did you mean `{hint}`?" if hint else f"the rules declare it: `kind {kind} is thing:`, with what each of them has below it",
        )
        return
    if decl.number is not None:
        count = work_out(said_instead(c, (decl.assumption,), kind, decl.number), c.scope, c.faults)
        if not 0 <= count <= MOST_THINGS:
            c.faults.add("E106", decl.span, f"there cannot be {count} of a thing", label=f"from 0 to {MOST_THINGS:,}")
            return
        for n in range(1, count + 1):
            if n > 1 and (kind, f"{decl.board}{n}") in c.by_name:
                break  # told of the first one
            add_proto(c, Proto(str(n), kind, (), decl.span, decl.home, group=decl.board))
    if decl.one_for is not None:
        name, node = decl.one_for
        for word in words_of(c, node):
            proto = add_proto(c, Proto(word, kind, (), decl.span, decl.home, group=decl.board))
            proto.links[name] = (word, name)
    items = _instead(c, decl)
    if decl.start:
        items = _from_map(c, decl)
    for item in items:
        proto = add_proto(c, Proto(item.name, kind, item.fields, item.span, decl.home, group=decl.board))
        if decl.edges:
            proto.ends = c.ends.get(item.name)


def _instead(c: Opening, decl: ThingDecl) -> tuple[Items, ...]:
    """The things of a list, or those that the config lists instead."""
    given = c.assumed.instead((decl.assumption,), decl.kind) if decl.items else None
    if given is None:
        return decl.items
    value = given.value
    if not isinstance(value, list | tuple) or not value or not all(isinstance(item, dict) for item in value):
        message = f"{given.id}: the things `{decl.kind}` are given as a list"
        c.faults.add("E411", None, message, label="`[{price: 5}, …]`")
        return decl.items
    return tuple(
        Items(str(place), tuple((str(key.value), node) for key, node in item.entries), item.span)
        for place, item in enumerate((Given(given.id, one).node() for one in value), 1)
        if isinstance(item, Map)
    )


def words_of(c: Opening, node: Node) -> list[str]:
    if isinstance(node, Scalar) and isinstance(node.value, str) and node.value in c.world.enums:
        return list(c.world.enums[node.value].values)
    items = node.items if isinstance(node, Seq) else (node,)
    return [str(item.value) for item in items if isinstance(item, Scalar)]


def _from_map(c: Opening, decl: ThingDecl) -> tuple[Items, ...]:
    node = c.map.get(decl.start) if c.map is not None else None
    if node is None:
        if c.map is not None:
            c.faults.add("E102", c.map.span, f"the map file has no `{decl.start}`")
        return ()
    if decl.edges:
        return read_connections(c, decl.start, node)
    found = []
    for item in node.items if isinstance(node, Seq) else ():
        if isinstance(item, Map) and isinstance(item.get("id"), Scalar):
            fields = tuple((str(key.value), value) for key, value in item.entries if key.value != "id")
            name_node = cast(Scalar, item.get("id"))
            free_name(name_node, c.faults)
            found.append(Items(plain_name(name_node, c.faults), fields, item.span))
        else:
            c.faults.add("E103", item.span, f"`{decl.start}` lists items with an `id`")
    return tuple(found)


def check_names(c: Opening) -> None:
    """Boards share one space of names."""
    seen: dict[str, Proto] = {}
    for proto in c.protos:
        if proto.board is None:
            continue
        if proto.name in seen:
            c.faults.add(
                "E206",
                proto.span,
                f"the board `{proto.name}` is defined twice",
                second=(seen[proto.name].span, "first defined here"),
            )
        seen[proto.name] = proto


def number_things(c: Opening) -> None:
    """Number things so that each kind's are neighbours, sub-kinds within their kind."""
    world = c.world
    children: dict[str, list[str]] = {}
    for kind in world.kinds.values():
        children.setdefault(kind.parent, []).append(kind.name)
    world.things.clear()
    for kind in world.kinds.values():
        kind.things.clear()

    def visit(name: str) -> None:
        for proto in c.protos:
            if proto.kind == name:
                proto.id = FIRST_THING + len(world.things)
                world.things.append(_thing(c, proto))
                upward = name
                while upward:
                    world.kinds[upward].things.append(proto.id)
                    upward = world.kinds[upward].parent
        for child in children.get(name, []):
            visit(child)

    for root in ROOTS:
        visit(root)


def _thing(c: Opening, proto: Proto) -> Thing:
    title = proto.board.title if proto.board else {}
    look: dict[str, object] = {}
    for name, node in proto.fields:
        if LOOK.match(name) and isinstance(node, Scalar) and not declared_field_of(c, proto.kind, name):
            look[name] = node.value
    if not title and "name" in look:
        title = {"en": str(look["name"])} | {
            k.removeprefix("name_"): str(v) for k, v in look.items() if k.startswith("name_")
        }
    name = proto.name
    if name.isdigit():
        name = f"{proto.kind}_{name}" if c.world.kinds[proto.kind].root == "piece" else name
    return Thing(proto.id, name, proto.kind, proto.sort, title, look, proto.home)
