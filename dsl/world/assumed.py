"""What the config says instead of what a ruleset assumes: `A-1: 60`, or by the names that the assumption covers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.yaml.declarations import Box
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq


def covered(box: Box) -> dict[str, set[str]]:
    """What each assumption covers: `wage`, `price`, `token`, `lot`, of a board `mill.rent` and `mill.pieces`."""
    found: dict[str, set[str]] = {}

    def add(id: str, *names: str) -> None:
        if id:
            found.setdefault(id, set()).update(names)

    for fact in (*box.numbers, *box.tables):
        add(fact.assumption, fact.name)
    for pieces in box.pieces:
        add(pieces.assumption, pieces.name, *(item.name for item in pieces.items or ()))
    for things in box.things:
        add(things.assumption, things.kind)
    for board in box.boards:
        for field, id in board.assumptions:
            add(id, f"{board.name}.{field}")
    return found


def may_be_a_map(box: Box, id: str) -> bool:
    """Whether an assumption covers something that is itself written as a map: a table, numbers of pieces."""
    return (
        any(table.assumption == id for table in box.tables)
        or any(pieces.assumption == id for pieces in box.pieces)
        or any(("pieces", id) in board.assumptions for board in box.boards)
    )


@dataclass(frozen=True, slots=True)
class Given:
    """What the config says instead, and by which assumption."""

    id: str
    value: object

    def node(self) -> Node:
        """As if it had been written in a file; what is wrong with it is told by the assumption's name."""
        return _node(self.value, f"assumption {self.id}")

    def unfit(self, own: Node | None, table: bool = False) -> str:
        """What it would have to be, if it is nothing that could stand in the file."""
        value, truth = self.value, isinstance(self.value, bool)
        if table:
            return "" if isinstance(value, list | tuple | dict) else "it is a list of numbers, or a map of some of its entries"
        if isinstance(own, Scalar) and isinstance(own.value, bool):
            return "" if truth else "it is true or false"
        plain = isinstance(value, int | str | dict) and not truth
        return "" if plain else "it is a number, or written like in the game's file"


def _node(value: object, path: str) -> Node:
    span = Embedded.whole(Source(path, _words(value))).span(0, len(_words(value)))
    match value:
        case dict():
            return Map(tuple((_scalar(key, path), _node(item, path)) for key, item in value.items()), span)
        case list() | tuple():
            return Seq(tuple(_node(item, path) for item in value), span)
    return _scalar(value, path)


def _scalar(value: object, path: str) -> Scalar:
    text = Embedded.whole(Source(path, str(value)))
    inner = value if isinstance(value, int | bool) or value is None else str(value)
    return Scalar(inner, text.span(0, len(text.text)), text, "plain")


def _words(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def numbered(value: object) -> object:
    """JSON knows only texts as keys: `{"2": 9}` is `{2: 9}`."""
    if isinstance(value, dict):
        return {_number(key): numbered(item) for key, item in value.items()}
    return [numbered(item) for item in value] if isinstance(value, list | tuple) else value


def _number(key: object) -> object:
    return int(key) if isinstance(key, str) and re.fullmatch(r"-?\d{1,12}", key, re.ASCII) else key


class Assumed:
    """Finds what was given for a name that an assumption covers."""

    def __init__(self, box: Box, given: Iterable[tuple[str, object]]):
        self.given = {id: numbered(value) for id, value in given}
        self.covered = covered(box) if self.given else {}

    def instead(self, ids: Iterable[str], *names: str) -> Given | None:
        """The value given for the whole assumption, or for one of these names; None if nothing was given."""
        for id in ids:
            value = self.given.get(id)
            if not self.by_name(id, value):
                if value is not None:
                    return Given(id, value)
                continue
            assert isinstance(value, Mapping)
            for name in names:
                if name in value:
                    return Given(id, value[name])
        return None

    def by_name(self, id: str, value: object) -> bool:
        """A map of names that the assumption covers; a table may be a map too."""
        return isinstance(value, Mapping) and any(key in self.covered.get(id, ()) for key in value)


def usual(box: Box, id: str) -> list[str]:
    """What an assumption covers, as the game has it: `wage: 5`."""
    found = [f"{fact.name}: {_said(fact.value)}" for fact in (*box.numbers, *box.tables) if fact.assumption == id]
    found += [f"{p.name}: {_said(p.number)}" for p in box.pieces if p.assumption == id and p.number is not None]
    found += [f"{t.kind}: {_said(t.number)}" for t in box.things if t.assumption == id and t.number is not None]
    for board in box.boards:
        for field, own in board.assumptions:
            found += [f"{board.name}.{field}: {_said(node)}" for name, node in board.fields if own == id and name == field]
    return found


def _said(node: Node) -> str:
    return " ".join(node.span.text.split())
