"""Which module or variant that is not switched on declares a name. Asked only when something is wrong."""

from __future__ import annotations

from collections.abc import Iterator
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
        case (
            t.ValueCase() | t.MenuItem() | t.Window() | t.Rule() | t.Scoring() | t.Ranking() | t.Replace()
            | t.ReplaceOption() | t.Restrict() | t.Remove() | t.ChangeZone() | t.Change() | t.Invariant()
            | t.Conserve() | t.Policy()
        ):  # these bring no name
            pass
        case _:
            assert_never(item)
