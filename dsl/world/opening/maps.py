"""The map file of a game: found by the options, and held to what it says of itself.

    map: {id: north, name: North, islands: 1, counts: {gates: 7, gates.toll: 12, roads: 9}}
    gates: [{id: sun, toll: 3}, …]
    roads: [[sun, moon], {between: [moon, star], toll: 9}, …]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ichiba.dsl.faults.fault import Faults, nearest, quote
from ichiba.dsl.faults.source import Span
from ichiba.dsl.files.folders import files_below, is_hidden
from ichiba.dsl.world.opening.context import Opening
from ichiba.dsl.world.world import World
from ichiba.dsl.yaml.declarations import Box, Items, Keys, unknown_key
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq, read_yaml

HEAD = "map"


def read_map(box: Box, world: World, faults: Faults) -> Map | None:
    """The file that the options choose; None, perhaps with faults, if there is none."""
    node = box.map_file
    if node is None or not isinstance(node, Scalar) or box.path is None:
        return None
    path = str(node.value)
    for name, (value, kind) in world.options.items():
        if kind.form == "enum" and isinstance(value, int):
            if not 0 <= value < len(world.enums[name].values):  # there is nothing to choose, which is told already
                faults.unread = True
                return None
            path = path.replace("{" + name + "}", world.enums[name].values[value])
    file = box.path / path
    if ".." in path or path.startswith("/") or is_hidden(file, box.path):
        faults.add("E001", node.span, "a map file lies inside its ruleset's folder")
        return None
    if not file.is_file():
        there = [found.relative_to(box.path).as_posix() for found in files_below(box.path, ".yaml")]
        hint = nearest(path, there)
        label = f"did you mean `{hint}`?" if hint else ""
        faults.add("E001", node.span, f"{quote(path)} cannot be read: there is no such file", label=label)
        return None
    source = box.memory.source(file, f"{box.path.name}/{path}", faults)
    read = read_yaml(source, faults) if source is not None else None
    if read is None:
        faults.unread = True
        return None
    if not isinstance(read, Map):
        faults.add("E103", read.span, "a map file must be a map of keys and values")
        return None
    return read


def judge_map(made: Map, lists: Iterable[str], faults: Faults) -> int:
    """Every key is read by somebody, and every count is right. Gives the number of islands there should be."""
    lists = dict.fromkeys(lists)
    for key, _ in made.entries:
        if key.value != HEAD and key.value not in lists:
            unknown_key(str(key.value), key.span, [HEAD, *lists], "the map file", faults)
    head = Keys(made.get(HEAD), faults, "the head of a map file")
    head.name("id")
    head.title("name")
    head.text("source")
    for name, node in head.pairs("counts"):
        _judge_count(made, name, node, lists, faults)
    islands = head.whole("islands", 1)
    head.finish()
    return islands


def _judge_count(made: Map, name: Scalar, node: Node, lists: Iterable[str], faults: Faults) -> None:
    """`gates: 7` items are in this list; `gates.toll: 12` is what this field of theirs comes to."""
    what, _, field = str(name.value).partition(".")
    listed = made.get(what)
    if what not in lists or not isinstance(listed, Seq):
        hint = nearest(what, lists)
        label = f"did you mean `{hint}`?" if hint else ""
        faults.add("E205", name.span, f"this map has no list `{what}`", label=label)
        return
    said = node.value if isinstance(node, Scalar) else None
    if not isinstance(said, int) or isinstance(said, bool):
        faults.add("E103", node.span, "a count is a whole number")
        return
    found = sum(_amounts(listed, field)) if field else len(listed.items)
    if found != said:
        of = f"`{field}` of all `{what}` comes to {found}" if field else f"there are {found} `{what}`"
        faults.add("E112", node.span, f"the count of `{name.value}` is wrong", label=of)


def _amounts(listed: Seq, field: str) -> Iterator[int]:
    for item in listed.items:
        value = item.get(field) if isinstance(item, Map) else None
        if isinstance(value, Scalar) and isinstance(value.value, int):
            yield int(value.value)


def read_connections(c: Opening, listed: str, node: Node) -> tuple[Items, ...]:
    """`[sun, moon]`, or with fields `{between: [moon, star], toll: 9}`: two places each, and no two twice."""
    found: list[Items] = []
    seen: dict[frozenset[str], Span] = {}
    for item in node.items if isinstance(node, Seq) else ():
        pair = item.get("between") if isinstance(item, Map) else item
        if not isinstance(pair, Seq) or len(pair.items) != 2:
            c.faults.add(
                "E103",
                item.span,
                f"`{listed}` lists pairs of places that are connected",
                label="`[sun, moon]`, or with fields `{between: [sun, moon], toll: 9}`",
            )
            continue
        ends = [str(end.value) for end in pair.items if isinstance(end, Scalar)]
        first = seen.setdefault(frozenset(ends), item.span)
        if len(set(ends)) < 2:
            c.faults.add("E110", item.span, "this leads from a place to itself")
        elif first is not item.span:
            second = (first, "first connected here")
            c.faults.add("E206", item.span, f"{ends[0]} and {ends[1]} are connected twice", second=second)
            continue
        name = "-".join(ends)
        entries = item.entries if isinstance(item, Map) else ()
        fields = tuple((str(key.value), value) for key, value in entries if key.value != "between")
        found.append(Items(name, fields, item.span))
        c.ends[name] = (pair.items[0], pair.items[1])
    return tuple(found)


def judge_islands(made: Map, nodes: dict[int, str], edges: Iterable[tuple[int, int]], islands: int, faults: Faults) -> None:
    """From every place one gets to every other, unless the head says of how many islands the map is."""
    edges, todo = list(edges), dict(nodes)
    parts: list[list[str]] = []
    while todo:
        reached, fresh = set[int](), [next(iter(todo))]
        while fresh:
            here = fresh.pop()
            reached.add(here)
            fresh += [b if a == here else a for a, b in edges if here in (a, b) and not {a, b} <= reached]
        parts.append([todo.pop(node) for node in list(todo) if node in reached])
    if len(parts) > 1 and len(parts) != islands:
        smallest = min(parts, key=len)
        head = next((key.span for key, _ in made.entries if key.value == HEAD), made.span)
        faults.add(
            "E113",
            head,
            f"this map falls apart into {len(parts)} islands",
            label=f"`islands: {len(parts)}` says that this is meant",
            notes=("nothing leads from the others to: " + ", ".join(smallest[:8]) + (", …" if len(smallest) > 8 else ""),),
        )
