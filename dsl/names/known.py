"""What plain names stand for in a world: things, sorts, all of a kind."""

from __future__ import annotations

from ichiba.dsl.names.context import Names
from ichiba.dsl.names.meanings import Meaning, SortNames
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.kinds import Kind, set_of
from ichiba.dsl.world.world import KindDef, Thing, World
from ichiba.dsl.yaml.declarations import Box


def names_of(box: Box, world: World) -> Names:
    """What plain names stand for."""
    things, namesakes = _things(world)
    return Names(_plurals(world), things, namesakes, _sorts(box, world))


def _plurals(world: World) -> dict[str, Meaning]:
    found: dict[str, Meaning] = {}
    for name, enum in world.enums.items():
        kind = Kind("enum", name)
        found[plural(name)] = ir.Listed(tuple(ir.Const(i, kind) for i in range(len(enum.values))), set_of(kind))
    for name, ids in world.categories.items():
        kind = Kind("sort", name)
        found[plural(name)] = ir.Listed(tuple(ir.Const(i, kind) for i in ids), set_of(kind))
    for name, kind_def in world.kinds.items():
        if kind_def.root != "piece" and " " not in name:
            kind = Kind("thing", name)
            found[plural(name)] = ir.Listed(tuple(ir.Const(i, kind) for i in kind_def.things), set_of(kind))
    return found


def _things(world: World) -> tuple[dict[str, ir.Const], dict[str, list[ir.Const]]]:
    """Things by their name, and those of several kinds that share one."""
    found: dict[str, ir.Const] = {}
    namesakes: dict[str, list[ir.Const]] = {}
    for thing in world.things:
        kind_def = world.kinds[thing.kind]
        if thing.name.isdigit() or kind_def.root == "edge":
            continue
        const = ir.Const(thing.id, Kind("thing", thing.kind))
        name = _name_in_rules(world, thing)
        if name in found and kind_def.root != "board":
            namesakes.setdefault(name, [found[name]]).append(const)
            continue
        found[name] = const
    for name in list(namesakes):
        if world.kinds[world.thing(found[name].value).kind].root == "board":
            del namesakes[name]
        else:
            del found[name]
    return found, namesakes


def _name_in_rules(world: World, thing: Thing) -> str:
    """A piece that is the only one of its sort is still `buyer_1`: `buyer` is the sort, however many there are."""
    sort = world.sorts[thing.sort] if thing.sort >= 0 else None
    root = world.kinds[thing.kind].root
    return f"{thing.name}_1" if root == "piece" and sort and sort.full_name == thing.name else thing.name


def _sorts(box: Box, world: World) -> dict[str, list[SortNames]]:
    """Sorts by their plain name; those that are `one for each` go by `crate of m` instead."""
    found: dict[str, dict[str, list[int]]] = {}
    linked = {p.name for p in box.pieces if len(p.sorts_for) == 1 and not p.board}
    shown_by_board = {p.name for p in box.pieces if p.board}
    boards = {s.family for s in world.sorts if world.kinds.get(s.family, KindDef("", "", "")).root == "board"}
    for sort in world.sorts:
        if sort.family in boards or (sort.family in linked and sort.family not in shown_by_board):
            continue
        for name in dict.fromkeys((sort.name, sort.full_name)):
            found.setdefault(name, {}).setdefault(sort.family, []).append(sort.id)
    for name, ids in world.categories.items():
        found[name] = {name: list(ids)}  # of boards too: `draw 1 market from box`
    return {
        name: [SortNames(ir.SortSet(tuple(ids)), Kind("sort", family)) for family, ids in families.items()]
        for name, families in found.items()
    }
