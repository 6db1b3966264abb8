"""What a scene is made of: sections with the table, seats and things in them, and their values, with how each has changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ichiba.dsl.world.kinds import Kind
from ichiba.interpreter.sight.figures import Figures
from ichiba.table.scene.boards import BoardCard, Fact
from ichiba.table.scene.chart import Chart
from ichiba.table.scene.grid import GridPicture
from ichiba.table.scene.look import Layout
from ichiba.table.scene.spelling import Cell
from ichiba.table.scene.track import Track

Key = tuple[str, str, str]  # section, whose, what
Flat = dict[Key, object]  # as the view has it


@dataclass(frozen=True, slots=True)
class Value:
    """One thing that can change: what it is called, how it stands, and how it has changed since it was last seen."""

    label: str
    cell: Cell
    change: str = ""
    dull: bool = False  # as it was at the beginning, or nothing at all
    named: bool = False  # a number that the look names: it is told all the same

    @property
    def telling(self) -> bool:
        return self.named or not self.dull or bool(self.change)


@dataclass(frozen=True, slots=True)
class Entity:
    """The table, a seat or a thing, with its values."""

    head: Cell
    values: tuple[Value, ...]
    thing: str = ""  # `stall 3`, as the view names it

    def value(self, label: str) -> Value | None:
        return next((value for value in self.values if value.label == label), None)

    @property
    def telling(self) -> bool:
        return any(value.telling for value in self.values)

    @property
    def dull(self) -> bool:
        return all(value.dull for value in self.values)


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the screen."""

    name: str
    title: str
    entities: tuple[Entity, ...]
    layout: Layout | None = None  # None: whatever fits
    chart: Chart | None = None  # of a map
    track: Track | None = None
    grid: GridPicture | None = None
    boards: tuple[BoardCard, ...] = ()  # where boards are wanted as cards

    @property
    def labels(self) -> list[str]:
        return list(dict.fromkeys(value.label for entity in self.entities for value in entity.values))


@dataclass(frozen=True, slots=True)
class Values:
    """The values of the table, of a seat or of a thing, or of one member of theirs, as if nothing had changed; `keys` say what each
    stands for."""

    raw: object  # what the view has of it
    values: tuple[Value, ...]
    keys: tuple[tuple[Key, object, Kind], ...]
    members: Mapping[str, Values]  # of which they are made
    flat: Flat = field(default_factory=dict)

    @staticmethod
    def of(raw: object, members: Mapping[str, Values]) -> Values:
        """Those of all members."""
        keys = tuple(key for one in members.values() for key in one.keys)
        values = tuple(value for one in members.values() for value in one.values)
        return Values(raw, values, keys, members, {key: one for key, one, _ in keys})

    def since(self, before: Flat | None) -> tuple[Value, ...]:
        """With what has changed since then. Where nothing has, the very same values."""
        if before is None:
            return self.values
        changes = [change(before, *key) for key in self.keys]
        if not any(changes):
            return self.values
        return tuple(replace(value, change=how) if how else value for value, how in zip(self.values, changes, strict=True))


@dataclass(slots=True)
class Kept:
    """What a scene was made of: the next one of the same table and seat takes from it what is the same. A view that goes along with its
    table (`interpreter/sight/following.py`) has the very same objects where nothing has changed."""

    told: dict[tuple[str, str], Values] = field(default_factory=dict)  # by section, and whose they are
    sections: dict[str, tuple[list[Entity], Section]] = field(default_factory=dict)
    cards: dict[str, tuple[list[object], tuple[Fact, ...], BoardCard]] = field(default_factory=dict)


@dataclass(slots=True)
class Scene:
    """All sections. `before` is what changes are told from, `full` leaves nothing out."""

    before: Flat | None = None
    full: bool = False
    sections: list[Section] = field(default_factory=list)
    flat: Flat = field(default_factory=dict)
    figures: Figures | None = None
    kept: Kept = field(default_factory=Kept)

    def changed(self) -> list[tuple[Entity, Value]]:
        return [(e, value) for section in self.sections for e in section.entities for value in e.values if value.change]


def change(before: Flat | None, key: tuple[str, str, str], raw: object, kind: Kind) -> str:
    """How something differs from when it was last seen: by how much, or a star."""
    old = before.get(key, raw) if before is not None else raw
    if old is raw or old == raw:
        return ""
    if type(raw) is int and type(old) is int and kind.form == "number":
        return f"{raw - old:+,}"
    return "*"
