"""Values given in files and options, as declarations have them: things before they are numbered, words, nodes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ichiba.dsl.faults.source import Span
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import (
    Grid,
    World,
)
from ichiba.dsl.yaml.declarations import (
    BoardDecl,
)
from ichiba.dsl.yaml.reading import Node

MOST_THINGS = 1_000  # of one kind, numbered
MOST_PIECES = 10_000  # in one game
MOST_SORTS = 1_000  # of them
ROOTS = ("thing", "node", "edge", "board", "piece")  # pieces last: their coming changes no number
LOOK = re.compile(r"(name|name_[a-z]+|title|x|y|aliases|colour|glyph|look|about)\Z")


@dataclass(slots=True)
class Proto:
    """A thing before it has its number."""

    name: str
    kind: str
    fields: tuple[tuple[str, Node], ...]
    span: Span
    home: str
    board: BoardDecl | None = None
    sort: int = -1
    links: dict[str, tuple[str, str]] = field(default_factory=dict)  # field to (name, kind) of what it is for
    ends: tuple[Node, Node] | None = None
    cell: tuple[Grid, tuple[int, int]] | None = None  # of which grid, in which row and column
    id: int = -1
    group: str = ""


def key_span(name: str, node: Node) -> Span:
    """The place of the key before a value: `rent: 3`. Where it cannot be made out, that of the value."""
    found = re.search(rf"(?<![\w]){re.escape(name)}(?=[\"']?\s*:\s*\Z)", node.span.source.text[: node.span.start])
    return Span(node.span.source, found.start(), found.end()) if found else node.span


def in_shape(shape: str, a: int, b: int) -> bool:
    return {"increasing": a < b, "decreasing": a > b, "rising": a <= b, "falling": a >= b}[shape]


def named_values(world: World, kind: Kind, word: str) -> list[int]:
    """All values of a kind that go by a word: one thing, or every sort of that name."""
    match kind.form:
        case "enum":
            values = world.enums[kind.name].values
            return [values.index(word)] if word in values else []
        case "thing":
            return [i for i in world.values(kind) if world.thing(i).name == word]
        case "sort":
            ids = world.categories.get(kind.name, [])
            exact = [i for i in ids if world.sorts[i].name == word or world.sorts[i].full_name == word]
            inside = world.categories.get(word, [])
            return exact or [i for i in ids if i in inside]
        case _:
            return []


# ------------------------------------------------------------------------------------------------ members
