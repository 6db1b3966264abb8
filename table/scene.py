"""What lies on the table as one seat sees it, put into sections that any screen can show.

A scene is made from `table.view(seat)` and from nothing else, so it cannot show more than the seat may see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ichiba.dsl.kinds import SEAT, Kind, plural
from ichiba.dsl.world import FIRST_THING, Member, Thing
from ichiba.interpreter.views import HIDDEN
from ichiba.table.cards import in_language
from ichiba.table.look import Glyph, Layout, Look, SectionLook, members_of

if TYPE_CHECKING:
    from ichiba.interpreter.game import Game

Ink = tuple[str, str]  # words, and a colour or nothing
Cell = tuple[Ink, ...]
Flat = dict[tuple[str, str, str], object]  # (section, whose, what): as the view has it

MOST_NAMES = 8  # a zone of the table with more sorts in it is only counted
MOST_ROWS = 8  # with more things of a kind, those that hold nothing are left out


@dataclass(frozen=True, slots=True)
class Value:
    """One thing that can change: what it is called, how it stands, and how it has changed since it was last seen."""

    label: str
    cell: Cell
    change: str = ""
    dull: bool = False  # as it was at the beginning, or nothing at all


@dataclass(frozen=True, slots=True)
class Entity:
    """The table, a seat or a thing, with its values."""

    head: Cell
    values: tuple[Value, ...]

    def value(self, label: str) -> Value | None:
        return next((value for value in self.values if value.label == label), None)


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the screen."""

    name: str
    title: str
    entities: tuple[Entity, ...]
    layout: Layout | None = None  # None: whatever fits

    @property
    def labels(self) -> list[str]:
        return list(dict.fromkeys(value.label for entity in self.entities for value in entity.values))


@dataclass(slots=True)
class Scene:
    sections: list[Section] = field(default_factory=list)
    flat: Flat = field(default_factory=dict)  # to compare the next scene with


def words_of(cell: Sequence[Ink]) -> str:
    return "".join(words for words, _ in cell)


def ink(words: str, colour: str = "") -> Cell:
    return ((words, colour),) if words else ()


class Speller:
    """Puts what a view says into the words, glyphs and colours of a game."""

    def __init__(self, game: Game, look: Look, glyphs: bool = True):
        self.game, self.look, self.world = game, look, game.world
        self.drawn = look.glyphs if glyphs else {}
        self.things: dict[str, Thing] = {f"{thing.kind} {thing.name}": thing for thing in self.world.things}
        self.pieces: dict[str, Thing] = {thing.name: thing for thing in self.world.things}

    def name(self, name: str) -> str:
        """A name as people read it."""
        return self.game.text(f"name.{name}") or name.replace("_", " ")

    def drawn_name(self, name: str, shown: str | None = None, *others: str) -> Cell:
        """A name as its glyph, where the look has one for it or for what it belongs to."""
        for known in (name, *others):
            glyph = self.drawn.get(known)
            if glyph is not None:
                return ink(glyph.sign or shown or self.name(name), glyph.colour)
        return ink(shown or self.name(name))

    def thing(self, thing: Thing) -> Cell:
        return self.drawn_name(thing.name, self.thing_words(thing), thing.kind)

    def thing_words(self, thing: Thing) -> str:
        shown = self.game.words.show(thing.id, Kind("thing", thing.kind))
        return f"{self.name(thing.kind)} {shown}" if shown.isdigit() else shown

    def seat(self, seat: int) -> Cell:
        colours = self.look.seats
        return ink(self.game.words.show(seat - 1, SEAT), colours[(seat - 1) % len(colours)] if colours else "")

    # ------------------------------------------------------------------------------------------ values

    def value(self, member: Member, raw: object) -> Cell:
        if isinstance(raw, dict):
            return self.zone(member, raw)
        if raw == HIDDEN:
            return ink("hidden", "bright_black")
        return self.plain(member.kind, raw)

    def plain(self, kind: Kind, raw: object) -> Cell:
        """A single value, from how programs see it to how people do."""
        if raw is None:
            return ink("none", "bright_black")
        if isinstance(raw, bool):
            return ink("yes" if raw else "no")
        if kind.form == "seat" and isinstance(raw, int):
            return self.seat(raw)
        if isinstance(raw, int):
            return ink(self.game.words.show(raw, kind))
        name = str(raw)
        thing = self.pieces.get(name)
        if kind.form in ("thing", "piece") and thing is not None:
            return self.thing(thing)
        return self.drawn_name(name)

    def zone(self, member: Member, raw: Mapping[str, Any]) -> Cell:
        """What lies there: `2 sake, maguro`; pieces of other seats say whose they are."""
        if set(raw) == {"hidden"} and isinstance(raw["hidden"], int):
            return ink(f"{raw['hidden']} hidden" if raw["hidden"] else "", "bright_black")
        items: list[tuple[int, Cell]] = []
        for name, number in raw.items():
            if isinstance(number, int):
                items.append((number, self.sort(member, name)))
        items += self.individuals(raw)
        return joined([(*ink(f"{number} " if number != 1 else ""), *cell) for number, cell in items], ", ")

    def sort(self, member: Member, name: str) -> Cell:
        plain, _, owner = name.partition("/")
        for id in member.sorts:
            sort = self.world.sorts[id]
            if (sort.key or sort.full_name) == plain:
                cell = self.drawn_name(sort.full_name, self.game.words.show(id, Kind("sort")), sort.name, sort.family)
                break
        else:
            cell = self.drawn_name(plain)
        return (*cell, *ink(" of "), *self.seat(int(owner))) if owner.isdigit() else cell

    def individuals(self, raw: Mapping[str, Any]) -> list[tuple[int, Cell]]:
        """Pieces that exist one by one; those that are alike are counted."""
        alike: dict[tuple[int, Cell], list[Thing]] = {}
        for name, notes in raw.items():
            thing = self.pieces.get(name)
            if isinstance(notes, dict) and thing is not None:
                alike.setdefault((thing.sort, self.notes(thing, notes)), []).append(thing)
        found: list[tuple[int, Cell]] = []
        for (sort, notes_cell), things in alike.items():
            first = things[0]
            names = (self.world.sorts[sort].full_name, self.world.sorts[sort].family) if sort >= 0 else ()
            board = self.world.kinds[first.kind].root == "board"
            shown = self.thing_words(first) if board or len(things) == 1 or not names else self.name(names[0])
            found.append((len(things), (*self.drawn_name(first.name, shown, *names), *notes_cell)))
        return found

    def notes(self, thing: Thing, notes: Mapping[str, object]) -> Cell:
        """What a piece remembers and carries, where that is not as it began."""
        if self.world.kinds[thing.kind].root == "board":
            return ()
        members = members_of(self.world, thing.kind)
        told = []
        for name, raw in notes.items():
            member = members.get(name)
            if member is not None and not dull(self.game, member, (thing.id,), raw):
                shown = self.value(member, raw)
                told.append(shown if member.form == "zone" else ink(self.name(name)) if raw is True else (*ink(self.name(name) + " "), *shown))
        return (*ink(" ("), *joined(told, ", "), *ink(")")) if told else ()


def joined(cells: Sequence[Cell], between: str) -> Cell:
    found: list[Ink] = []
    for number, cell in enumerate(cells):
        found += [*ink(between if number else ""), *cell]
    return tuple(found)


def dull(game: Game, member: Member, at: tuple[int, ...], raw: object) -> bool:
    """Whether there is nothing to tell: an empty zone, a counter where it began, nobody."""
    if isinstance(raw, dict):
        return not raw or raw == {"hidden": 0}
    if raw is None:
        return True
    if member.form == "purse" or member.kind.form not in ("number", "flag"):
        return False
    return raw == game.words.plain(game.first[member.place(at)], member.kind)


# ------------------------------------------------------------------------------------------------- scenes


class Director:
    """Makes the scenes of one game."""

    def __init__(self, game: Game, look: Look, glyphs: bool = True):
        self.game, self.look, self.world = game, look, game.world
        self.speller = Speller(game, look, glyphs)

    def scene(self, view: Mapping[str, Any], before: Flat | None = None, full: bool = False, seats: Mapping[int, str] | None = None) -> Scene:
        """A view as sections. `before` is the scene it is compared with; `full` leaves nothing out."""
        scene = Scene()
        found = {
            "table": self._table(view["table"], scene, before, full),
            **self._kinds(view, scene, before, full),
            "seats": self._seats(view["seats"], scene, before, full, seats or {}),
        }
        order = [name for name in self.look.sections if name in found]
        for name in [*order, *(name for name in found if name not in order)]:
            section = found[name]
            if section.entities and (full or section.layout != "hidden"):
                scene.sections.append(section)
        return scene

    def thing_section(self, view: Mapping[str, Any], thing: Thing) -> Section:
        """One thing with everything it has."""
        raw = view["things"].get(f"{thing.kind} {thing.name}", {})
        values = self._values("", thing.name, members_of(self.world, thing.kind), raw, (thing.id,), Scene(), None)
        return Section(thing.kind, "", (Entity(self.speller.thing(thing), tuple(values)),), "list")

    # ---------------------------------------------------------------------------------------- sections

    def _look(self, name: str) -> SectionLook:
        """What the look says of a section, or of the kind it is a kind of."""
        while name:
            if name in self.look.sections:
                return self.look.sections[name]
            name = self.world.kinds[name].parent if name in self.world.kinds else ""
        return SectionLook()

    def _title(self, name: str, otherwise: str) -> str:
        return in_language(self._look(name).title, self.game.lang) or otherwise

    def _table(self, raw: Mapping[str, Any], scene: Scene, before: Flat | None, full: bool) -> Section:
        options = set(self.world.options) | {"ending"}
        members = {name: member for name, member in self.world.table.items() if name in raw and (full or name not in options)}
        if not full:
            members = {name: member for name, member in members.items() if not self._holds_boards(member)}
        values = self._values("table", "table", members, raw, (), scene, before)
        if not full:
            zones = {self.speller.name(name): raw[name] for name in members}
            values = [self._counted(value, zones[value.label]) for value in values]
        return self._section("table", self._title("table", "table" if full else ""), [Entity((), tuple(values))], full, self._look("table").layout or "line")

    def _holds_boards(self, member: Member) -> bool:
        """Boards have sections of their own."""
        things = {thing.sort: self.world.kinds[thing.kind].root for thing in self.world.things}
        return member.form == "zone" and bool(member.sorts) and all(things.get(sort) == "board" for sort in member.sorts)

    def _counted(self, value: Value, raw: object) -> Value:
        if not isinstance(raw, dict) or len(raw) <= MOST_NAMES:
            return value
        total = sum(number if isinstance(number, int) else 1 for number in raw.values())
        return Value(value.label, ink(f"{total} pieces"), value.change, value.dull)

    def _seats(self, raw: Mapping[str, Any], scene: Scene, before: Flat | None, full: bool, names: Mapping[int, str]) -> Section:
        entities = []
        for seat in range(1, self.game.seats + 1):
            values = self._values("seats", str(seat), self.world.seat, raw[str(seat)], (seat - 1,), scene, before)
            head = (*self.speller.seat(seat), *ink(f" ({names[seat]})" if names.get(seat) else ""))
            entities.append(Entity(head, tuple(values)))
        return self._section("seats", self._title("seats", "seats"), entities, full, self._look("seats").layout)

    def _kinds(self, view: Mapping[str, Any], scene: Scene, before: Flat | None, full: bool) -> dict[str, Section]:
        found: dict[str, list[Entity]] = {}
        in_play = self._in_play(view["table"])
        for key, raw in view["things"].items():
            thing = self.speller.things.get(key)
            if thing is None or not full and in_play is not None and self.world.kinds[thing.kind].root == "board" and thing.name not in in_play:
                continue
            values = self._values(thing.kind, thing.name, members_of(self.world, thing.kind), raw, (thing.id,), scene, before)
            found.setdefault(thing.kind, []).append(Entity(self.speller.thing(thing), tuple(values)))
        return {
            kind: self._section(kind, self._title(kind, self.speller.name(plural(kind))), entities, full, self._look(kind).layout)
            for kind, entities in found.items()
        }

    def _in_play(self, raw: Mapping[str, Any]) -> set[str] | None:
        """The boards in play; None when no zone is for that, and all are."""
        zones = [member for member in self.world.table.values() if "in_play" in member.words]
        return {name for member in zones for name in raw.get(member.name, {})} if zones else None

    def _section(self, name: str, title: str, entities: list[Entity], full: bool, layout: Layout | None) -> Section:
        """Without what is dull everywhere, what the look hides, and things that hold nothing where there are many."""
        if full:
            return Section(name, title, tuple(entities), layout)
        look = self._look(name)
        shown = [self.speller.name(member) for member in look.show]
        hidden = {self.speller.name(member) for member in look.hide}
        lively = {value.label for entity in entities for value in entity.values if not value.dull}

        def wanted(label: str) -> bool:
            base = label.split(" · ")[0]
            return (base in shown if shown else base not in hidden) and (label in lively or label in shown)

        kept = []
        for entity in entities:
            values = [value for value in entity.values if wanted(value.label)]
            values.sort(key=lambda value: shown.index(value.label.split(" · ")[0]) if shown else 0)
            kept.append(Entity(entity.head, tuple(values)))
        few = len(kept) <= MOST_ROWS and name != "table" and any(entity.values for entity in kept)
        return Section(name, title, tuple(e for e in kept if few or any(not value.dull for value in e.values)), layout)

    # ------------------------------------------------------------------------------------------- values

    def _values(self, section: str, whose: str, members: Mapping[str, Member], raw: Mapping[str, Any], owner: tuple[int, ...],
                scene: Scene, before: Flat | None) -> list[Value]:  # fmt: skip
        """Members with their values; one with few index values becomes several, one with many is told in one line."""
        found: list[Value] = []
        for name, member in members.items():
            if name not in raw:
                continue
            label = self.speller.name(name)
            if not member.index:
                found.append(self._value(section, whose, label, member, raw[name], owner, scene, before))
            elif len(member.index) == 1 and section == "seats" and len(raw[name]) <= MOST_NAMES:
                for value, one in zip(self.world.values(member.index[0]), raw[name].values(), strict=True):
                    head = f"{label} · {self.game.words.show(value, member.index[0])}"
                    found.append(self._value(section, whose, head, member, one, (*owner, value), scene, before))
            else:
                found.append(self._together(section, whose, label, member, raw[name], owner, scene, before))
        return found

    def _value(self, section: str, whose: str, label: str, member: Member, raw: object, at: tuple[int, ...], scene: Scene,
               before: Flat | None) -> Value:  # fmt: skip
        scene.flat[section, whose, label] = raw
        cell = self.speller.value(member, raw)
        return Value(label, cell, _change(before, (section, whose, label), raw, member), dull(self.game, member, at, raw))

    def _together(self, section: str, whose: str, label: str, member: Member, raw: Mapping[str, Any], owner: tuple[int, ...],
                  scene: Scene, before: Flat | None) -> Value:  # fmt: skip
        """All index values that have something to tell, in one cell: `seat 1 cube; seat 3 2 cubes`."""
        scene.flat[section, whose, label] = raw
        told: list[Cell] = []

        def walk(part: Mapping[str, Any], at: tuple[int, ...], heads: tuple[Cell, ...]) -> None:
            kind = member.index[len(heads)]
            for value, one in zip(self.world.values(kind), part.values(), strict=True):
                head = (*heads, self._index_cell(value, kind))
                if len(head) < len(member.index):
                    walk(one, (*at, value), head)
                elif not dull(self.game, member, (*at, value), one):
                    told.append((*joined(head, " "), *ink(": "), *self.speller.value(member, one)))

        walk(raw, owner, ())
        return Value(label, joined(told, "; "), _change(before, (section, whose, label), raw, member), not told)

    def _index_cell(self, value: int, kind: Kind) -> Cell:
        if kind.form == "seat":
            return self.speller.seat(value + 1)
        if value >= FIRST_THING and kind.form == "thing":
            return self.speller.thing(self.world.thing(value))
        return self.speller.drawn_name(self.world.name_of(value, kind), self.game.words.show(value, kind))


def _change(before: Flat | None, key: tuple[str, str, str], raw: object, member: Member) -> str:
    """How something differs from when it was last seen: by how much, or a star."""
    if before is None or key not in before or before[key] == raw:
        return ""
    old = before[key]
    if isinstance(raw, int) and isinstance(old, int) and not isinstance(raw, bool) and member.kind.form == "number":
        return f"{raw - old:+,}"
    return "*"


__all__ = ["Cell", "Director", "Entity", "Flat", "Glyph", "Ink", "Scene", "Section", "Speller", "Value", "dull", "ink", "joined", "words_of"]
