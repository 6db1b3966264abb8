"""What lies on the table as one seat sees it, put into sections that any screen can show.

A scene is made from a seat's view (`table.view(seat)`) and from nothing else: it cannot show more than that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.kinds import SEAT, Kind
from ichiba.dsl.world.world import FIRST_THING, Member, Thing
from ichiba.interpreter.sight.figures import Asked, Figures
from ichiba.table.scene.boards import BoardCard, Boards, Fact
from ichiba.table.scene.cards import in_language
from ichiba.table.scene.grid import picture_of
from ichiba.table.scene.look import Layout, Look, SectionLook
from ichiba.table.scene.mapping import Cartographer
from ichiba.table.scene.sections import Entity, Flat, Kept, Key, Scene, Section, Value, Values, change
from ichiba.table.scene.spelling import FAINT, Cell, FiguresOf, Speller, dull, ink, joined, key_of
from ichiba.table.scene.track import track_of

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

MOST_NAMES = 8  # a zone of the table with more sorts in it is only counted
MOST_ROWS = 8  # with more things of a kind, those that hold nothing are left out


class Director:
    """Makes the scenes of one game."""

    def __init__(self, game: Game, look: Look, glyphs: bool = True, as_cards: bool = False):
        """`as_cards`: each board comes with all that is printed on it, and with the things on it."""
        self.game, self.look, self.world = game, look, game.world
        self.speller = Speller(game, look, glyphs)
        self.boards = Boards(game, self.speller, {kind: look.hide for kind, look in self.look.sections.items()}) if as_cards else None
        self.roots = {thing.sort: self.world.kinds[thing.kind].root for thing in self.world.things}  # of sorts that exist one by one

    def scene(
        self,
        view: Mapping[str, Any],
        before: Flat | None = None,
        full: bool = False,
        names: Mapping[int, str] | None = None,
        figures: Figures | None = None,
        kept: Kept | None = None,
    ) -> Scene:
        """A view as sections, in the order of the look. `names` say who sits where; `figures` are of the same seat: without
        them what the rules work out is left out. `kept`: what the last scene of this table and seat was made of."""
        scene = Scene(before, full, figures=figures, kept=kept if kept is not None else Kept())
        found = {
            "table": self._table(view["table"], scene),
            **self._kinds(view, scene),
            "seats": self._seats(view["seats"], scene, names or {}),
        }
        order = [name for name in self.look.sections if name in found]
        for name in [*order, *(name for name in found if name not in order)]:
            section = found[name]
            if (section.entities or section.chart or section.grid) and (full or section.layout != "hidden"):
                scene.sections.append(section)
        return scene

    def thing(self, view: Mapping[str, Any], thing: Thing) -> Entity:
        """One thing with everything it has."""
        raw = view["things"].get(key_of(thing), {})
        members = self.speller.members(thing)
        return Entity(self.speller.thing(thing), self._values(Scene(), "", thing.name, members, raw, (thing.id,)), key_of(thing))

    def has_come(self, thing: Thing, view: Mapping[str, Any]) -> bool:
        """Whether it is there at all: a board may be in play, or not yet."""
        in_play = self._in_play(view["table"])
        return in_play is None or not self._is_board(thing) or thing.name in in_play

    # ---------------------------------------------------------------------------------------- sections

    def _table(self, raw: Mapping[str, Any], scene: Scene) -> Section:
        members = {name: member for name, member in self.world.table.items() if name in raw}
        if not scene.full:  # options do not change, and boards have sections of their own
            left_out = {*self.world.options, "ending"}
            members = {n: m for n, m in members.items() if n not in left_out and not self._holds_boards(m)}
        values = self._values(scene, "table", "table", members, raw, ())
        if not scene.full:
            contents = {self.speller.name(name): raw[name] for name in members}
            values = tuple(_counted(value, contents[value.label]) for value in values)
        values += self._worked_out(scene, "table", "table", self.world.table, ())
        layout = self._look("table").layout or "line"
        return self._section(scene, "table", "table" if scene.full else "", [Entity((), values)], layout)

    def _holds_boards(self, member: Member) -> bool:
        return member.form == "zone" and bool(member.sorts) and all(self.roots.get(sort) == "board" for sort in member.sorts)

    def _seats(self, raw: Mapping[str, Any], scene: Scene, names: Mapping[int, str]) -> Section:
        entities = []
        for seat in range(1, self.game.seats + 1):
            values = self._values(scene, "seats", str(seat), self.world.seat, raw[str(seat)], (seat - 1,))
            values += self._worked_out(scene, "seats", str(seat), self.world.seat, ((seat - 1, SEAT),))
            head = (*self.speller.seat(seat), *ink(f" ({names[seat]})" if names.get(seat) else ""))
            entities.append(Entity(head, values, f"seat {seat}"))
        return self._section(scene, "seats", "seats", entities, self._look("seats").layout)

    def _kinds(self, view: Mapping[str, Any], scene: Scene) -> dict[str, Section]:
        found: dict[str, list[Entity]] = {}
        in_play = self._in_play(view["table"])
        for key, raw in view["things"].items():
            thing = self.speller.things.get(key)
            if (
                thing is None
                or not scene.full
                and in_play is not None
                and self._is_board(thing)
                and thing.name not in in_play
            ):
                continue
            members = self.speller.members(thing)
            values = self._values(scene, thing.kind, thing.name, members, raw, (thing.id,))
            values += self._of_thing(scene, thing)
            found.setdefault(thing.kind, []).append(Entity(self.speller.thing(thing), values, key_of(thing)))
        for kind in self.look.sections:  # things that have nothing that could change, but which are drawn, or of which something is worked out
            bare = kind in self.world.kinds and kind not in found and self.world.kinds[kind].root != "piece"
            there = self.world.kinds[kind].things if bare else ()
            entities = [Entity(self.speller.thing(thing), self._of_thing(scene, thing), key_of(thing)) for thing in map(self.world.thing, there)]
            drawn = self._look(kind).layout in ("map", "grid")  # for how its places lie, too
            if entities and (drawn or any(entity.values for entity in entities)):
                found[kind] = entities
        sections = {
            kind: self._section(scene, kind, self.speller.name(plural(kind)), entities, self._look(kind).layout)
            for kind, entities in found.items()
            if self.boards is None or not self._on_boards(kind)
        }
        for kind, section in sections.items():
            if self.boards is not None and self.world.kinds[kind].root == "board":
                sections[kind] = replace(section, boards=tuple(self._cards(self.boards, scene.kept, kind, section, view["things"])))
            elif section.layout == "map":
                chart = Cartographer(self.game, self.speller, self._look(kind), kind, self._figures_of(scene)).chart(view["things"])
                sections[kind] = replace(section, chart=chart)
            elif section.layout == "grid":
                whole = next(grid for grid in self.world.grids if grid.kind == kind)
                grid = picture_of(self.game, whole, view["things"], self._look(kind), self.speller, self._figures_of(scene))
                sections[kind] = replace(section, grid=grid)
            elif section.layout == "track":
                things = [self.world.thing(id) for id in self.world.kinds[kind].things]
                track = track_of(things, view["things"], self._look(kind), self.speller)
                sections[kind] = replace(section, track=track)
        return sections

    def _cards(self, boards: Boards, kept: Kept, kind: str, section: Section, things: Mapping[str, Any]) -> Iterator[BoardCard]:
        """The boards of a section as cards, with what it tells of each."""
        by_name = {key_of(thing): thing for thing in map(self.world.thing, self.world.kinds[kind].things)}
        for entity in section.entities:
            told = tuple(Fact(value.label, value.cell) for value in entity.values if not value.dull or value.change)
            there = [things.get(entity.thing), *(things.get(one) for one in boards.spaces_of(by_name[entity.thing]))]
            known = kept.cards.get(entity.thing)
            if known is None or told != known[1] or any(now is not then for now, then in zip(there, known[0], strict=True)):
                known = kept.cards[entity.thing] = there, told, boards.in_play(by_name[entity.thing], things, told)
            yield known[2]

    def _on_boards(self, kind: str) -> bool:
        """Whether all things of a kind belong to boards, which show them."""
        return all(id in self.world.groups for id in self.world.kinds[kind].things)

    def _is_board(self, thing: Thing) -> bool:
        return self.world.kinds[thing.kind].root == "board"

    def _in_play(self, raw: Mapping[str, Any]) -> set[str] | None:
        """The boards in play; None when no zone is for that, and all are."""
        zones = [member for member in self.world.table.values() if "in_play" in member.words]
        return {name for member in zones for name in raw.get(member.name, {})} if zones else None

    def _look(self, name: str) -> SectionLook:
        """What the look says of a section, or of the kind it is a kind of."""
        while name:
            if name in self.look.sections:
                return self.look.sections[name]
            name = self.world.kinds[name].parent if name in self.world.kinds else ""
        return SectionLook()

    def _section(self, scene: Scene, name: str, title: str, entities: list[Entity], layout: Layout | None) -> Section:
        """Without what is dull everywhere, what the look hides, and things that hold nothing where there are many."""
        known = scene.kept.sections.get(name)
        if known is None or known[0] != entities:
            known = scene.kept.sections[name] = entities, self._of_entities(scene.full, name, title, entities, layout)
        return known[1]

    def _of_entities(self, full: bool, name: str, title: str, entities: list[Entity], layout: Layout | None) -> Section:
        look = self._look(name)
        title = in_language(look.title, self.game.lang) or title
        if full:
            return Section(name, title, tuple(entities), layout)
        shown = [self.speller.name(member) for member in look.show]
        hidden = {self.speller.name(member) for member in look.hide}
        lively = {value.label for entity in entities for value in entity.values if not value.dull}

        def base(value: Value) -> str:
            return value.label.split(" · ")[0]

        def wanted(value: Value) -> bool:
            named = base(value) in shown if shown else base(value) not in hidden
            return named and (value.label in lively or base(value) in shown)

        kept = []
        for entity in entities:
            values = [
                replace(value, named=False) if value.named and base(value) not in shown else value for value in entity.values if wanted(value)
            ]
            if shown:
                values.sort(key=lambda value: shown.index(base(value)))
            kept.append(replace(entity, values=tuple(values)))
        kind = self.world.kinds.get(name)
        boards = kind is not None and kind.root == "board"
        few = boards or len(kept) <= MOST_ROWS and name != "table" and any(entity.values for entity in kept)
        return Section(name, title, tuple(entity for entity in kept if few or not entity.dull), layout)

    # ------------------------------------------------------------------------------------------- values

    def _values(
        self,
        scene: Scene,
        section: str,
        whose: str,
        members: Mapping[str, Member],
        raw: Mapping[str, Any],
        owner: tuple[int, ...],
    ) -> tuple[Value, ...]:
        """Members with their values; one with few index values becomes several, one with many is told in one line."""
        known = scene.kept.told.get((section, whose))
        if known is None or known.raw is not raw:
            made = {}
            for name, member in members.items():
                if name in raw:
                    was = known.members.get(name) if known is not None else None
                    made[name] = was if was is not None and was.raw is raw[name] else self._of_member(section, whose, name, member, raw[name], owner)
            known = scene.kept.told[section, whose] = Values.of(raw, made)
        scene.flat.update(known.flat)
        return known.since(scene.before)

    def _of_member(self, section: str, whose: str, name: str, member: Member, one: Any, owner: tuple[int, ...]) -> Values:
        values: list[Value] = []
        keys: list[tuple[Key, object, Kind]] = []

        def add(label: str, part: object, cell: Cell, is_dull: bool) -> None:
            keys.append(((section, whose, label), part, member.kind))
            a_number = isinstance(part, int) and not isinstance(part, bool)
            values.append(Value(label, cell, "", is_dull, a_number))

        label = self.speller.name(name)
        if not member.index:
            add(label, one, self.speller.value(member, one), dull(self.game, member, owner, one))
        elif len(member.index) == 1 and section == "seats" and len(one) <= MOST_NAMES:
            for value, part in zip(self.world.values(member.index[0]), one.values(), strict=True):
                head = f"{label} · {self.game.words.show(value, member.index[0])}"
                add(head, part, self.speller.value(member, part), dull(self.game, member, (*owner, value), part))
        else:
            told = self._by_index(member, one, owner, ())
            add(label, one, joined(told, "; "), not told)
        return Values(one, tuple(values), tuple(keys), {})

    def _of_thing(self, scene: Scene, thing: Thing) -> tuple[Value, ...]:
        return self._worked_out(scene, thing.kind, thing.name, self.speller.members(thing), ((thing.id, Kind("thing", thing.kind)),))

    def _worked_out(self, scene: Scene, section: str, whose: str, members: Mapping[str, Member], asked: tuple[Asked, ...]) -> tuple[Value, ...]:
        """What never changes, and what the rules work out, where the look names it."""
        found = []
        for name in self._look(section).show:
            rows = self.speller.worked_out(name, asked, scene.figures) if name not in members else ()
            if rows:
                label = self.speller.name(name)
                key, raw = (section, whose, label), [figure.raw for _, figure in rows]
                scene.flat[key] = raw[0] if len(raw) == 1 else raw
                found.append(Value(label, self.speller.figures(rows), change(scene.before, key, scene.flat[key], rows[0][1].kind), named=True))
        return tuple(found)

    def beside(self, kind: Kind, value: int, figures: Figures) -> Cell:
        """What the look names of a thing or a piece, to stand behind its name: ` (price 3 crowns, size 4)`."""
        if kind.form == "thing" and value >= FIRST_THING and self.world.thing(value).sort < 0:
            told = [(*ink(label + " "), *cell) for label, cell in self._figures_of(Scene(figures=figures))(self.world.thing(value))]
            return (*ink(" (", FAINT), *joined(told, ", "), *ink(")", FAINT)) if told else ()
        if kind.form in ("sort", "thing", "piece"):
            sort = value if kind.form == "sort" else self.world.thing(value).sort if value >= FIRST_THING else self.game.layout.sort_at[value]
            return self.speller.fields_of_piece(self.world.sorts[sort]) if sort >= 0 else ()
        return ()

    def _figures_of(self, scene: Scene) -> FiguresOf:
        """What is shown of a thing of a map or a grid besides its members."""

        def of(thing: Thing) -> list[tuple[str, Cell]]:
            return [(value.label, value.cell) for value in self._of_thing(Scene(figures=scene.figures), thing)]

        return of

    def _by_index(
        self, member: Member, raw: Mapping[str, Any], at: tuple[int, ...], heads: tuple[Cell, ...]
    ) -> list[Cell]:
        """All index values that have something to tell: `seat 1: plum`, `seat 3: 2 plums`."""
        told: list[Cell] = []
        kind = member.index[len(heads)]
        for value, name, one in zip(self.world.values(kind), self.speller.indices(kind), raw.values(), strict=True):
            head = (*heads, name)
            if len(head) < len(member.index):
                told += self._by_index(member, one, (*at, value), head)
            elif not dull(self.game, member, (*at, value), one):
                told.append((*joined(head, " "), *ink(": "), *self.speller.value(member, one)))
        return told


def _counted(value: Value, raw: object) -> Value:
    """A pile of very many sorts is only counted."""
    if not isinstance(raw, dict) or len(raw) <= MOST_NAMES:
        return value
    total = sum(number if isinstance(number, int) else 1 for number in raw.values())
    return Value(value.label, ink(f"{total} pieces"), value.change, value.dull)
