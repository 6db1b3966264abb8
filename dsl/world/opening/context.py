"""The box that is being opened: what its files say, and the world as far as it is there."""

from __future__ import annotations

from dataclasses import dataclass, field

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.assumed import Assumed
from ichiba.dsl.world.constant import Scope
from ichiba.dsl.world.given import Proto
from ichiba.dsl.world.world import Config, Sort, World
from ichiba.dsl.yaml.declarations import Box
from ichiba.dsl.yaml.reading import Map, Node


@dataclass(slots=True)
class Said:
    """What a file says of one sort."""

    sort: Sort
    item: str
    span: Span
    kinds: tuple[str, ...]  # whose fields it has, the nearest first
    fields: dict[str, Node]
    about: dict[str, Proto]  # whose it is: `inn.beds` are those of that inn


@dataclass(eq=False, slots=True)
class Opening:
    """The box that is being opened, and the world as far as it is there."""

    box: Box
    config: Config
    faults: Faults
    world: World
    scope: Scope
    assumed: Assumed
    protos: list[Proto] = field(default_factory=list)
    by_name: dict[tuple[str, str], Proto] = field(default_factory=dict)
    map: Map | None = None
    islands: int = 1
    ends: dict[str, tuple[Node, Node]] = field(default_factory=dict)  # by the name of an edge of the map
    current: dict[str, Proto] = field(default_factory=dict)  # whose fields a number is worked out from
    things_chosen: dict[str, tuple[object, bool]] = field(default_factory=dict)  # by option: its name, whether it was given
    pieces: int = 0  # all there are so far
    field_decls: dict[tuple[str, str], t.Field] = field(default_factory=dict)  # by kind and name
    unknown_keys: set[tuple[str, str]] = field(
        default_factory=set
    )  # by kind: what things of a list state and their kind does not have
    said: list[Said] = field(default_factory=list)  # of sorts
    told: set[tuple[str, str, str]] = field(default_factory=set)  # family, sort and field
