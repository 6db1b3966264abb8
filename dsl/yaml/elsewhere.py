"""What modules and variants that are not switched on declare. Asked only where a name means nothing without them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import assert_never

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.yaml.declarations import Box, Reader


def part_with(name: str, box: Box) -> tuple[str, str] | None:
    """`module`, `storm`: who has something of this name."""
    for part, (what, path) in box.off.items():
        reader = Reader(Faults(), box.memory, box.path)
        reader.module(path, what)
        if name in set(_names(reader.box)):
            return what, part
    return None


def _names(box: Box) -> Iterator[str]:
    for declared in (box.units, box.numbers, box.tables, box.sorts, box.pieces, box.options, box.boards):
        yield from (one.name for one in declared)
    for sort in box.sorts:
        yield from (item.name for item in sort.items)
    for pieces in box.pieces:
        yield from (item.name for item in pieces.items or ())
    for things in box.things:
        yield from (things.kind, *(item.name for item in things.items))
    for rules in box.rules:
        for item in rules.items:
            yield from _named_by(item)


def _named_by(item: t.Item) -> Iterator[str]:
    match item:
        case t.Value() | t.Guard() | t.Procedure() | t.CostRule():
            yield item.name
        case t.Kind():
            yield from (item.name, *(member.name for member in item.members))
        case t.Scope():
            yield from (member.name for member in item.members)
        case t.Use():
            yield item.name or item.path.split(".")[-1]
        case (
            t.ValueCase() | t.MenuItem() | t.Window() | t.Rule() | t.Scoring() | t.Ranking() | t.Replace()
            | t.ReplaceOption() | t.Restrict() | t.Remove() | t.ChangeZone() | t.Change() | t.Invariant()
            | t.Conserve() | t.Policy() | t.Pattern()
        ):  # these bring no name
            pass
        case _:
            assert_never(item)


class Elsewhere:
    """What the modules and variants that are off would bring: a sentence that changes it does nothing meanwhile."""

    def __init__(self, box: Box):
        self.box = box

    def brings(self, what: str, name: str) -> bool:
        """Whether one of them declares it. Of the path of an option its own menu and its name count, of a menu its name."""
        parts = name.split(".")
        return (what, ".".join(parts[{"option": -2, "menu": -1}.get(what, 0) :])) in self._all

    @cached_property
    def _all(self) -> set[tuple[str, str]]:
        found: set[tuple[str, str]] = set()
        for what, path in self.box.off.values():
            reader = Reader(Faults(), self.box.memory, self.box.path)
            reader.module(path, what)
            box = reader.box
            found |= {("fact", one.name) for facts in (box.numbers, box.tables, box.sorts, box.options) for one in facts}
            for rules in box.rules:
                found.update(pair for item in rules.items for pair in _brought_by(item))
        return found


def _brought_by(item: t.Item) -> Iterator[tuple[str, str]]:
    """What an item brings that other modules may change, or stand around."""
    if isinstance(item, t.Kind | t.Scope):
        owner = item.name if isinstance(item, t.Kind) else item.what
        yield from (("zone", f"{owner}.{member.name}") for member in item.members if isinstance(member, t.Zone))
    for node in t.walk(item):
        if isinstance(node, t.Value | t.Guard | t.Procedure | t.CostRule) and not isinstance(item, t.Replace):
            yield "definition", node.name
        elif isinstance(node, t.Rule):
            yield "rule", node.name
        elif isinstance(node, t.Kind) and not node.added:
            yield "kind", node.name
        elif isinstance(node, t.MenuMember):
            yield "menu", node.name
        elif isinstance(node, t.Menu) and node.body is not None and isinstance(node.path, t.Name):
            yield "menu", node.path.name
            yield from _options(node.path.name, node.body)
        elif isinstance(node, t.MenuItem):
            yield from _options(node.path.split(".")[-1], node.body)
        elif isinstance(node, t.Window):
            if not node.added:
                yield "window", node.name
            yield from _options(node.name, node.body)


def _options(menu: str, body: t.MenuBlock) -> Iterator[tuple[str, str]]:
    yield from (("option", f"{menu}.{option.name}") for option in body.options)
