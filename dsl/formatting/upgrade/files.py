"""One file of a ruleset of version 1: what changes in it, by what it is."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.formatting.embedded import DECLARING, SCENARIOS, rules_in
from ichiba.dsl.formatting.formatting import RULES
from ichiba.dsl.formatting.rules import Start
from ichiba.dsl.formatting.upgrade.names import given_in
from ichiba.dsl.formatting.upgrade.noted import Noted, has_notes
from ichiba.dsl.formatting.upgrade.reading import nodes_of, trees_in
from ichiba.dsl.formatting.upgrade.rewriting import Change, changes_in, changes_in_braces
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq, read_yaml

OLD, NEW = 1, 2
COUNTED = {  # where `number` said how many there are; `*` is any key, and each entry of a list
    "game": [("pieces", "*"), ("pieces", "*", "sorts", "*"), ("pieces", "*", "sorts", "*", "*"), ("things", "*")],
    "board": [("pieces", "*", "*"), ("pieces", "*", "*", "*"), ("things", "*")],
}
NAMING = (  # the keys that declare something, and how far below them its name stands
    ("numbers", 1), ("tables", 1), ("units", 1), ("sorts", 1), ("sorts", 2), ("pieces", 1), ("pieces", 3), ("things", 1), ("things", 3),
    ("endings", 1), ("options", 1),
)  # fmt: skip
PATTERNS_NOW = ("auctions", "ranks")
FOR_PEOPLE = frozenset({"title", "about", "because", "else", "why", "source", "name", "write", "one", "scenario"})


def version_of(source: Source) -> object:
    """What a `game.yaml` says of its language; None where it says nothing."""
    node = read_yaml(source, Faults())
    said = node.get("language") if isinstance(node, Map) else None
    return said.value if isinstance(said, Scalar) else None


def rules_of(source: Source, faults: Faults) -> Iterator[tuple[Embedded, Start]]:
    """The texts of a file that are rules."""
    if source.path.endswith(RULES):
        yield Embedded.whole(source), "start"
        return
    node = read_yaml(source, faults)
    for scalar, start in rules_in(node, source.path) if node is not None else ():
        yield scalar.text, start


def names_given(source: Source, faults: Faults) -> set[str]:
    """What a file gives a name to."""
    found: set[str] = set()
    for text, start in rules_of(source, faults):
        for tree in trees_in(text, start, faults):
            found |= given_in(tree)
    node = None if source.path.endswith(RULES) else read_yaml(source, Faults())
    return found | {word for word, _ in _named_in(node)} if node is not None and _declares(node) else found


def notes_in(source: Source, noted: Noted) -> None:
    """What a file says of which kinds there are, and of which pieces something is noted."""
    node = None if source.path.endswith(RULES) else read_yaml(source, Faults())
    board = node.get("kind") if isinstance(node, Map) else None
    for text, start in rules_of(source, Faults()):
        for part in (part for tree in trees_in(text, start, Faults()) for part in nodes_of(tree)):
            if part.data == "kind":
                noted.add_kind(part)
            elif part.data == "board_scope" and has_notes(part) and isinstance(board, Scalar):
                noted.kinds.add(str(board.value))
    for path, value in _values(node, ()) if node is not None and _declares(node) else ():
        if len(path) == 3 and path[0] == "pieces" and path[2] == "is":
            noted.add_parents(path[1], [value.text.text])


def changes_of(source: Source, names: Mapping[str, str], faults: Faults, noted: Container[str] = ()) -> list[Change]:
    """All that changes in a file."""
    found: list[Change] = []
    for text, start in rules_of(source, faults):
        found += changes_in(text, start, names, faults, noted)
    node = None if source.path.endswith(RULES) else read_yaml(source, faults)
    if node is not None:
        found += _declared(node, source, names, faults)
    return found


def _declared(node: Node, source: Source, names: Mapping[str, str], faults: Faults) -> Iterator[Change]:
    """What changes in YAML besides rules."""
    if _is_texts(source.path):
        for _, value in _values(node, ()):
            yield from changes_in_braces(value.text, names, faults)
    elif _declares(node):
        what = "board" if isinstance(node, Map) and node.get("board") is not None else "game"
        for path, key in _keys(node, ()):
            if key.value == "number" and any(_leads(way, path) for way in COUNTED[what]):
                yield Change(key.span.start, key.span.end, "count")
            if key.value == "language" and path == () and isinstance(node, Map):
                said = node.get("language")
                assert said is not None
                yield Change(said.span.start, said.span.end, str(NEW))
        yield from _library(node, source)
    if names and not source.path.endswith(SCENARIOS):
        rules = {text.offsets[0] for text, _ in rules_of(source, Faults()) if text.text}
        yield from _renamed(node, names, rules)


def _library(node: Node, source: Source) -> Iterator[Change]:
    """What a ruleset has from the library: where that is a pattern today, what it was then."""
    used = node.get("uses") if isinstance(node, Map) and source.path.endswith("game.yaml") else None
    for scalar in used.items if isinstance(used, Seq) else (used,):
        if isinstance(scalar, Scalar) and scalar.value in PATTERNS_NOW:
            yield Change(scalar.span.start, scalar.span.end, f"version_1_{scalar.value}")


def _renamed(node: Node, names: Mapping[str, str], rules: set[int]) -> Iterator[Change]:
    """Names in keys, and in values that are not for people."""
    words = re.compile(r"(?<![\w\"])(?:" + "|".join(map(re.escape, names)) + r")(?![\w\"])")
    keys = [key for _, key in _keys(node, ())]
    values = [value for path, value in _values(node, ()) if FOR_PEOPLE.isdisjoint(path)]
    for scalar in (*keys, *values):
        if scalar.text.text and scalar.text.offsets[0] in rules:
            continue
        for found in words.finditer(scalar.text.text):
            place = scalar.text.span(found.start(), found.end())
            yield Change(place.start, place.end, names[found.group()])


def _declares(node: Node) -> bool:
    return isinstance(node, Map) and any(node.get(key) is not None for key in DECLARING)


def _is_texts(path: str) -> bool:
    return "/texts/" in f"/{path}"


def _named_in(node: Node) -> Iterator[tuple[str, Scalar]]:
    """The names that a file of declarations gives."""
    for path, key in _keys(node, ()):
        if path and any(path[0] == first and len(path) == depth for first, depth in NAMING):
            yield str(key.value), key
    for path, value in _values(node, ()):
        listed = path[0] == "sorts" or path[0] == "pieces" and "sorts" in path[2:3] or path[0] == "things" and path[-1] == "id"
        if listed and isinstance(value.value, str):
            yield value.value, value
        if len(path) == 3 and path[1] == "*" and path[2] == "id" and isinstance(value.value, str):
            yield value.value, value  # a place of a map


def _keys(node: Node, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    """Every key, with those that lead to it."""
    match node:
        case Map(entries=entries):
            for key, value in entries:
                yield path, key
                yield from _keys(value, (*path, str(key.value)))
        case Seq(items=items):
            for item in items:
                yield from _keys(item, (*path, "*"))
        case Scalar():
            pass


def _values(node: Node, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    match node:
        case Map(entries=entries):
            for key, value in entries:
                yield from _values(value, (*path, str(key.value)))
        case Seq(items=items):
            for item in items:
                yield from _values(item, (*path, "*"))
        case Scalar(value=str()):
            yield path, node
        case Scalar():
            pass


def _leads(way: tuple[str, ...], path: tuple[str, ...]) -> bool:
    return len(way) == len(path) and all(key in ("*", word) for key, word in zip(way, path, strict=True))
