"""How a game looks on a terminal: `look.yaml` gives glyphs and colours to what is in the box, and lays out the screen.

    look: 1
    glyphs:
      tuna: {glyph: 🐟, colour: blue}
    seats: [red, blue, green, yellow]
    sections:
      table: {show: [round]}
      stall: {as: list, title: Stalls, hide: [visited]}

Every name is one of the ruleset's own; what nobody knows is a fault. `docs/look.md` has it all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from ichiba.dsl.faults.fault import Fault, Faults, nearest
from ichiba.dsl.faults.source import Span
from ichiba.dsl.parts import elsewhere, name_of, parts_of
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Member, Thing, World
from ichiba.dsl.yaml.declarations import Keys, Title, plain_name, sequence, title_of
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Map, Node, Scalar, read_yaml
from ichiba.interpreter.sight.figures import Signatures, signatures
from ichiba.interpreter.strangers import door

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

FILE = "look.yaml"
VERSION = 1
Layout = Literal["table", "columns", "list", "line", "map", "grid", "track", "hidden"]
LAYOUTS = ("table", "columns", "list", "line", "map", "grid", "track", "hidden")
COLOURS = tuple(
    f"{bright}{name}"
    for bright in ("", "bright_")
    for name in ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
)
WIDEST_GLYPH = 4  # columns of the terminal
MOST_OF_ONE = 60  # places of a value that is asked of something besides
_RGB = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Glyph:
    """How one thing is drawn: a sign instead of its name, a colour, or both."""

    sign: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class SectionLook:
    """How one part of the screen is laid out."""

    layout: Layout | None = None
    show: tuple[str, ...] = ()  # members, and fields, values and guards of the rules: see figures.py
    hide: tuple[str, ...] = ()  # members; of boards also fields, on the cards
    title: Title = field(default_factory=dict)
    signs: tuple[tuple[str, str], ...] = ()  # on a map: what marks the places of which a flag field is true
    within: str = ""  # on a map: the field that says to which part of it a place belongs
    costs: str = ""  # on a map: the number field of its connections that is written on them
    at: str = ""  # on a track: what says where each stands
    order: str = ""  # on a track: what says who is higher up on one space
    span: tuple[int, int] | None = None  # on a track: its first and last space


def _added(before: SectionLook, said: SectionLook) -> SectionLook:
    """What a module says of a section that is laid out already: more of it is shown, more is left out."""
    show, hide = ((*old, *(name for name in new if name not in old)) for old, new in ((before.show, said.show), (before.hide, said.hide)))
    return replace(before, show=show, hide=hide, title=said.title or before.title)


@dataclass(slots=True)
class Look:
    """Everything `look.yaml` says; empty where there is none."""

    glyphs: dict[str, Glyph] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    sections: dict[str, SectionLook] = field(default_factory=dict)


def look_of(game: Game, faults: Faults) -> Look:
    """How a game looks; that of a stranger's is read in a process with limits."""
    folder, chosen = game.folder, (*game.config.modules, *game.config.variants)
    if folder is None or not any((home / FILE).exists() for home, _ in _homes(folder, chosen)):
        return Look()
    folders = (folder, *elsewhere(chosen))
    look, found = door.read(folders, looked_at, folder, game.world, chosen, None)
    if found:  # what its rules work out is looked up where something is shown that is no member
        look, found = door.read(folders, looked_at, folder, game.world, chosen, signatures(game.context))
    faults.all_of(found)
    return look


def looked_at(folder: Path, world: World, chosen: tuple[str, ...], figures: Signatures | None) -> tuple[Look, tuple[Fault, ...]]:
    """The look of a ruleset, and what is wrong with it."""
    faults = Faults()
    return read_look(folder, world, faults, chosen, figures=figures), faults.all


def _homes(folder: Path, chosen: Sequence[str]) -> list[tuple[Path, Path]]:
    """The folders of the ruleset and of what is switched on, each with the one it is told of by."""
    named = set(map(name_of, chosen))
    homes = [part.home for name, part in parts_of(folder, chosen).items() if name in named]
    return [(home, folder if home.is_relative_to(folder) else home) for home in (folder, *homes) if home is not None]


def read_look(
    folder: Path | None, world: World, faults: Faults, chosen: Sequence[str] = (), memory: Memory | None = None,
    figures: Signatures | None = None,
) -> Look:
    """The look of a ruleset, with what its switched-on modules and variants add. `figures`: what its rules can work out."""
    look, memory = Look(), memory or Memory()
    if folder is None:
        return look
    for home, root in _homes(folder, chosen):
        path = home / FILE
        if path.is_file():
            shown = path.relative_to(root.parent).as_posix()
            source = memory.source(path, shown, faults)
            node = read_yaml(source, faults) if source is not None else None
            if node is not None:
                _Reader(world, look, faults, figures or {}).read(node)
    return look


class _Reader:
    """Reads one file."""

    def __init__(self, world: World, look: Look, faults: Faults, figures: Signatures):
        self.world, self.look, self.faults, self.figures = world, look, faults, figures

    def read(self, node: Node) -> None:
        keys = Keys(node, self.faults, FILE)
        if keys.span is None:
            return
        version = keys.need("look", str(VERSION))
        if isinstance(version, Scalar) and version.value != VERSION:
            self.faults.add(
                "E105", version.span, f"this is version {version.value} of {FILE}; version {VERSION} is read here"
            )
        for name, value in keys.map("glyphs"):
            self._known(str(name.value), name.span, _drawable(self.world), "nothing in the box")
            self.look.glyphs[str(name.value)] = self._glyph(value)
        for value in sequence(keys.node("seats"), self.faults, "seats"):
            self.look.seats = (*self.look.seats, self._colour(value))
        for name, value in keys.map("sections"):
            self._section(str(name.value), name.span, value)
        keys.finish()

    def _glyph(self, node: Node) -> Glyph:
        if isinstance(node, Scalar):
            return Glyph(self._sign(node))
        keys = Keys(node, self.faults, "a glyph")
        sign, colour = keys.node("glyph"), keys.node("colour")
        keys.finish()
        return Glyph(self._sign(sign) if sign is not None else "", self._colour(colour) if colour is not None else "")

    def _sign(self, node: Node) -> str:
        from rich.cells import cell_len

        text = str(node.value) if isinstance(node, Scalar) and node.value is not None else ""
        if not text or cell_len(text) > WIDEST_GLYPH or any(c.isspace() for c in text):
            self.faults.add("E106", node.span, "a glyph is a sign of at most 4 columns", label="like `🐟` or `Q`")
            return ""
        return text

    def _colour(self, node: Node) -> str:
        text = str(node.value) if isinstance(node, Scalar) else ""
        if text in COLOURS or _RGB.fullmatch(text):
            return text
        hint = nearest(text, COLOURS)
        label = f"did you mean `{hint}`?" if hint else 'a name, or "#rrggbb"'
        notes = ("colours: " + ", ".join(COLOURS),)
        self.faults.add("E106", node.span, f"`{text}` is no colour", label=label, notes=notes)
        return ""

    def _section(self, name: str, span: Span, node: Node) -> None:
        places = {"table": self.world.table, "seats": self.world.seat}
        known = [*places, *(kind.name for kind in self.world.kinds.values() if kind.root != "piece" or _fields(self.world, kind.name))]
        if not self._known(name, span, known, "no section"):
            return
        members = places.get(name) or members_of(self.world, name)
        keys = Keys(node, self.faults, f"the section `{name}`")
        layout = self._layout(keys.node("as"))
        show = self._members(keys.node("show"), [*members, *self._worked_out(name)], "show")
        hide = self._members(keys.node("hide"), [*members, *([] if name in places else _fields(self.world, name))], "hide")
        title = title_of(keys.node("title"), self.faults)
        signs: tuple[tuple[str, str], ...] = ()
        within = costs = ""
        if layout == "map" and self._has_places(name, span):
            signs, within = self._signs(keys, name), self._within(keys.node("within"), name)
            costs = self._costs(keys.node("costs"))
        if layout == "grid" and all(grid.kind != name for grid in self.world.grids):
            there = ", ".join(dict.fromkeys(grid.kind for grid in self.world.grids)) or "none here"
            self.faults.add("E106", span, f"`{name}` is no grid", label=f"grids: {there}; `things: {{{name}: {{grid: 6 x 6}}}}` makes one")
        at, order, ends = self._track(keys, members) if layout == "track" else ("", "", None)
        keys.finish()
        said = SectionLook(layout, show, hide, title, signs, within, costs, at, order, ends)
        before = self.look.sections.get(name)
        self.look.sections[name] = said if before is None or layout is not None else _added(before, said)

    def _track(self, keys: Keys, members: dict[str, Member]) -> tuple[str, str, tuple[int, int] | None]:
        """`at: space, order: arrived, from: 1, to: 60`."""
        counters = {name: member for name, member in members.items() if member.form == "counter" and not member.index}
        found = []
        keys.need("at", "space")
        for key in ("at", "order"):
            node = keys.node(key)
            name = plain_name(node, self.faults) if node is not None else ""
            known = node is None or self._known(name, node.span, counters, "no counter")
            found.append(name if known else "")
        span = (keys.whole("from", 0), keys.whole("to", 0)) if {"from", "to"} & set(keys.entries) else None
        return found[0], found[1], span

    def _has_places(self, name: str, span: Span) -> bool:
        """A map is drawn of nodes, each with its `x` and `y`."""
        kind = self.world.kinds.get(name)
        if kind is None or kind.root != "node":
            self.faults.add("E106", span, f"`{name}` cannot be drawn as a map", label="only a kind of nodes can")
            return False
        nodes = [self.world.thing(id) for id in kind.things]
        lost = [node.name for node in nodes if not all(isinstance(node.look.get(axis), int | float) for axis in "xy")]
        if lost or not nodes:
            label = "without them: " + ", ".join(lost[:5]) + (", …" if len(lost) > 5 else "") if lost else ""
            self.faults.add("E106", span, "for a map every node needs `x` and `y` in the map file", label=label)
        return not lost and bool(nodes)

    def _signs(self, keys: Keys, kind: str) -> tuple[tuple[str, str], ...]:
        found = []
        for name, node in keys.map("signs"):
            if self._known(str(name.value), name.span, _fields(self.world, kind, "flag"), "no flag field"):
                found.append((str(name.value), self._sign(node)))
        return tuple(pair for pair in found if pair[1])

    def _within(self, node: Node | None, kind: str) -> str:
        if node is None:
            return ""
        name = plain_name(node, self.faults)
        return name if self._known(name, node.span, _fields(self.world, kind, "thing"), "no field of places") else ""

    def _costs(self, node: Node | None) -> str:
        """`costs: toll`: a number field that connections have."""
        if node is None:
            return ""
        edges = [kind.name for kind in self.world.kinds.values() if kind.root == "edge"]
        known = [field for kind in edges for field in _fields(self.world, kind, "number")]
        name = plain_name(node, self.faults)
        return name if self._known(name, node.span, known, "no number of connections") else ""

    def _layout(self, node: Node | None) -> Layout | None:
        if node is None:
            return None
        word = node.value if isinstance(node, Scalar) else None
        if word in LAYOUTS:
            return cast(Layout, word)
        hint = nearest(str(word), LAYOUTS)
        self.faults.add(
            "E106",
            node.span,
            f"a section cannot be laid out as `{word}`",
            label=f"did you mean `{hint}`?" if hint else "as " + ", ".join(LAYOUTS),
        )
        return None

    def _worked_out(self, section: str) -> list[str]:
        """Fields of a kind, and what the rules work out of each thing of it."""
        fields = _fields(self.world, section) if section in self.world.kinds else []
        return [*fields, *(name for name, kinds in self.figures.items() if can_be_shown(self.world, kinds, section))]

    def _members(self, node: Node | None, members: Iterable[str], key: str) -> tuple[str, ...]:
        found = []
        for item in sequence(node, self.faults, key):
            name = plain_name(item, self.faults)
            if self._known(name, item.span, members, "nothing there"):
                found.append(name)
        return tuple(found)

    def _known(self, name: str, span: Span, known: Iterable[str], nothing: str) -> bool:
        names = list(dict.fromkeys(known))
        if name in names:
            return True
        hint = nearest(name, names)
        shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
        self.faults.add(
            "E205",
            span,
            f"{nothing} is called `{name}`",
            label=f"did you mean `{hint}`?" if hint else "",
            notes=(f"there are: {shown}",),
        )
        return False


def _fields(world: World, kind: str, form: str = "") -> list[str]:
    """The fields, or those of this form, that a kind or one above it has."""
    found: list[str] = []
    while kind:
        of_pieces = {name: by_family[kind] for name, by_family in world.sort_fields.items() if kind in by_family}
        fields = {**world.kinds[kind].fields, **of_pieces}
        found += [name for name, field in fields.items() if form in ("", field.kind.form)]
        kind = world.kinds[kind].parent
    return found


def can_be_shown(world: World, kinds: tuple[Kind, ...], section: str) -> bool:
    """Whether it can be asked of the table, or of each seat or thing of a section; and at most of one thing besides."""
    if section != "table":
        if not kinds or not _is_asked_of(world, kinds[0], section):
            return False
        kinds = kinds[1:]
    return len(kinds) <= 1 and all(0 < len(world.values(kind)) <= MOST_OF_ONE for kind in kinds)


def _is_asked_of(world: World, kind: Kind, section: str) -> bool:
    return kind.form == "seat" if section == "seats" else kind.form == "thing" and world.is_kind(section, kind.name)


def members_of(world: World, kind: str) -> dict[str, Member]:
    """What things of a kind have: its own, its parents' and its sub-kinds' members."""
    found: dict[str, Member] = {}
    for other in world.kinds.values():
        if world.is_kind(kind, other.name) or world.is_kind(other.name, kind):
            found.update(other.members)
    return found


def members_of_thing(world: World, thing: Thing) -> dict[str, Member]:
    """What one thing has: a board also what its own file declares, and nothing of other boards' files."""
    own = f"board {thing.name}"
    return members_of(world, own if own in world.kinds else thing.kind)


def _drawable(world: World) -> Iterator[str]:
    """Everything that can have a glyph: sorts, families, things, kinds, words of enumerations."""
    for sort in world.sorts:
        yield sort.full_name
        yield sort.name
    yield from world.families
    for thing in world.things:
        yield thing.name
    yield from world.kinds
    for enum in world.enums.values():
        yield from enum.values


__all__ = [
    "COLOURS",
    "FILE",
    "LAYOUTS",
    "VERSION",
    "Glyph",
    "Layout",
    "Look",
    "Map",
    "SectionLook",
    "members_of",
    "members_of_thing",
    "read_look",
]
