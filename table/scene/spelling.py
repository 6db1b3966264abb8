"""Puts what a view says into the words, glyphs and colours of a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ichiba.dsl.world.kinds import SEAT, Kind
from ichiba.dsl.world.world import FIRST_THING, Member, Sort, Thing
from ichiba.interpreter.sight.figures import Asked, Figure, Figures, field_of
from ichiba.interpreter.sight.views import HIDDEN
from ichiba.table.scene.look import Look, members_of_thing

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

Ink = tuple[str, str]  # words, and a colour or nothing
Cell = tuple[Ink, ...]
FiguresOf = Callable[[Thing], list[tuple[str, Cell]]]  # what is shown of a thing besides what it has: names and values
FAINT = "bright_black"
HOLE = "hole"  # words that stand for whatever it is at the table


def ink(words: str, colour: str = "") -> Cell:
    return ((words, colour),) if words else ()


def words_of(cell: Sequence[Ink]) -> str:
    return "".join(words for words, _ in cell)


def key_of(thing: Thing) -> str:
    """`stall 3`: what a view calls it."""
    return f"{thing.kind} {thing.name}"


def joined(cells: Sequence[Cell], between: str) -> Cell:
    found: list[Ink] = []
    for number, cell in enumerate(cells):
        found += [*ink(between if number else ""), *cell]
    return tuple(found)


class Speller:
    """Spells one game. Without glyphs everything goes by its name."""

    def __init__(self, game: Game, look: Look, glyphs: bool = True):
        self.game, self.look, self.world = game, look, game.world
        self.drawn = look.glyphs if glyphs else {}
        self.things: dict[str, Thing] = {key_of(thing): thing for thing in self.world.things}
        self.pieces: dict[str, Thing] = {thing.name: thing for thing in self.world.things}
        self._members: dict[int, dict[str, Member]] = {}  # what each thing has never changes
        self._indices: dict[Kind, list[Cell]] = {}  # nor do names

    # ------------------------------------------------------------------------------------------- names

    def name(self, name: str) -> str:
        """A name as people read it."""
        return self.game.text(f"name.{name}") or name.replace("_", " ")

    def choice(self, option: str, value: int, kind: Kind) -> str:
        """What is chosen before the game. A word of the choice can be called otherwise than a piece or a thing of that name."""
        own = self.game.text(f"name.{option}.{self.world.enums[kind.name].values[value]}") if kind.form == "enum" else None
        return own or self.game.words.show(value, kind)

    def drawn_name(self, name: str, shown: str | None = None, *others: str) -> Cell:
        """A name as its glyph, where the look has one for it or for what it belongs to."""
        for known in (name, *others):
            glyph = self.drawn.get(known)
            if glyph is not None:
                return ink(glyph.sign or shown or self.name(name), glyph.colour)
        return ink(shown or self.name(name))

    def legend(self) -> Cell:
        """What the glyphs stand for."""
        signs = [(name, glyph) for name, glyph in self.drawn.items() if glyph.sign]
        return joined([(*ink(glyph.sign, glyph.colour), *ink(" " + self.name(name))) for name, glyph in signs], " · ")

    def thing(self, thing: Thing) -> Cell:
        """A board keeps its name beside its glyph: the questions go by the name."""
        words = self.thing_words(thing)
        drawn = self.drawn_name(thing.name, words, thing.kind)
        if self.world.kinds[thing.kind].root == "board" and words_of(drawn) not in ("", words):
            return (*drawn, *ink(f" {words}", drawn[0][1]))
        return drawn

    def thing_words(self, thing: Thing) -> str:
        shown = self.game.words.show(thing.id, Kind("thing", thing.kind))
        return f"{self.name(thing.kind)} {shown}" if shown.isdigit() else shown

    def seat(self, seat: int) -> Cell:
        colours = self.look.seats
        return ink(self.game.words.show(seat - 1, SEAT), colours[(seat - 1) % len(colours)] if colours else "")

    def indices(self, kind: Kind) -> list[Cell]:
        """All that values are kept for: seats, things, sorts. They are spelled once, since each row of a large table has them all."""
        found = self._indices.get(kind)
        if found is None:
            found = self._indices[kind] = [self.index(value, kind) for value in self.world.values(kind)]
        return found

    def index(self, value: int, kind: Kind) -> Cell:
        """What a value is kept for: a seat, a thing, a sort."""
        if kind.form == "seat":
            return self.seat(value + 1)
        if kind.form == "thing" and value >= FIRST_THING:
            return self.thing(self.world.thing(value))
        return self.drawn_name(self.world.name_of(value, kind), self.game.words.show(value, kind))

    def members(self, thing: Thing) -> dict[str, Member]:
        """What one thing has."""
        found = self._members.get(thing.id)
        if found is None:
            found = self._members[thing.id] = members_of_thing(self.world, thing)
        return found

    # ------------------------------------------------------------------------------------------ values

    def value(self, member: Member, raw: object) -> Cell:
        if isinstance(raw, dict):
            return self.zone(member, raw)
        if raw == HIDDEN:
            return ink(self.game.words.own("hidden"), FAINT)
        return self.plain(member.kind, raw)

    def plain(self, kind: Kind, raw: object) -> Cell:
        """A single value, from how programs see it to how people do."""
        if raw is None:
            return ink(self.game.words.own("none"), FAINT)
        if isinstance(raw, bool):
            return ink(self.game.words.own("yes" if raw else "no"))
        if kind.form == "seat" and isinstance(raw, int):
            return self.seat(raw)
        if isinstance(raw, int):
            return ink(self.game.words.show(raw, kind))
        name = str(raw)
        thing = self.pieces.get(name)
        return self.thing(thing) if kind.form in ("thing", "piece") and thing is not None else self.drawn_name(name)

    def worked_out(self, name: str, asked: Sequence[Asked], figures: Figures | None) -> Sequence[tuple[Asked | None, Figure]]:
        """A field of a thing, or what a value of the rules comes to; for each of what else it is asked of."""
        of_thing = [value for value, kind in asked if kind.form == "thing"]
        figure = field_of(self.world, self.world.thing(of_thing[0]), name) if of_thing else None
        if figure is not None:
            return [(None, Figure(figure.kind, self.game.words.plain(cast(int, figure.raw), figure.kind)))]
        return figures.rows(name, *asked) if figures is not None else ()

    def figures(self, rows: Sequence[tuple[Asked | None, Figure]]) -> Cell:
        """`8 crowns`; `rose 4 fl, iris 5 fl`."""
        told = []
        for one, figure in rows:
            cell = self._figure(figure)
            told.append((*self.index(*one), *ink(" "), *cell) if one is not None else cell)
        return joined(told, ", ")

    def _figure(self, figure: Figure) -> Cell:
        if figure.raw == HIDDEN:
            return ink(self.game.words.own("hidden"), FAINT)
        if isinstance(figure.raw, list):
            return joined([self.plain(figure.kind, one) for one in figure.raw], ", ") or ink(self.game.words.own("none"), FAINT)
        return self.plain(figure.kind, figure.raw)

    def zone(self, member: Member, raw: Mapping[str, Any]) -> Cell:
        """What lies there: `2 apples, plum`; pieces of other seats say whose they are."""
        if set(raw) == {"hidden"} and isinstance(raw["hidden"], int):
            return ink(f"{raw['hidden']} {self.game.words.own('hidden')}" if raw["hidden"] else "", FAINT)
        items = [(number, self.sort(member, name)) for name, number in raw.items() if isinstance(number, int)]
        items += self.individuals(raw)
        return joined([(*ink(f"{number} " if number != 1 else ""), *cell) for number, cell in items], ", ")

    def sort(self, member: Member, name: str) -> Cell:
        """A counted piece; of sorts in one zone that read alike, each says its family."""
        plain, _, owner = name.partition("/")
        sorts = [self.world.sorts[id] for id in member.sorts]
        named = [sort for sort in sorts if (sort.key or sort.full_name) == plain]
        if named:
            shown = self.game.words.show(named[0].id, Kind("sort"))
            if len({sort.family for sort in named}) > 1:
                shown += " " + self.name(named[0].family)
            cell = self.drawn_name(named[0].full_name, shown, named[0].name, named[0].family)
            cell = (*cell, *self.fields_of_piece(named[0]))
        else:
            cell = self.drawn_name(plain)
        return (*cell, *ink(" of "), *self.seat(int(owner))) if owner.isdigit() else cell

    def fields_of_piece(self, sort: Sort) -> Cell:
        """What never changes of a sort of piece, where the look names it: ` (burns 3, peat)`. A name stands for itself."""
        look = self.look.sections.get(sort.family)
        told = []
        for name in look.show if look is not None else ():
            field = self.world.sort_fields.get(name, {}).get(sort.family)
            value = field.values.get(sort.id) if field is not None else None
            if field is not None and value is not None:
                cell = self.plain(field.kind, self.game.words.plain(cast(int, value), field.kind))
                number = field.kind.form in ("number", "flag")
                told.append((*ink(f"{self.name(name)} " if number else ""), *cell))
        return (*ink(" (", FAINT), *joined(told, ", "), *ink(")", FAINT)) if told else ()

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
            lone = len(things) == 1 or self.world.kinds[first.kind].root == "board"
            shown = self.thing_words(first) if lone else self.name(re.sub(r"_\d+\Z", "", first.name))
            fields = self.fields_of_piece(self.world.sorts[sort]) if sort >= 0 else ()
            found.append((len(things), (*self.drawn_name(first.name, shown, *names), *fields, *notes_cell)))
        return found

    def notes(self, thing: Thing, notes: Mapping[str, object]) -> Cell:
        """What a piece remembers and carries, where that is not as it began."""
        if self.world.kinds[thing.kind].root == "board":
            return ()
        members = self.members(thing)
        told: list[Cell] = []
        for name, raw in notes.items():
            member = members.get(name)
            if member is None or dull(self.game, member, (thing.id,), raw):
                continue
            if member.form == "zone":
                told.append(self.value(member, raw))
            else:
                told.append(
                    ink(self.name(name)) if raw is True else (*ink(self.name(name) + " "), *self.value(member, raw))
                )
        return (*ink(" ("), *joined(told, ", "), *ink(")")) if told else ()


def dull(game: Game, member: Member, at: tuple[int, ...], raw: object) -> bool:
    """Whether there is nothing to tell: an empty zone, a counter where it began, nobody."""
    if isinstance(raw, dict):
        return not raw or raw == {"hidden": 0}
    if raw is None:
        return True
    if member.form == "purse" or member.kind.form not in ("number", "flag"):
        return False
    return raw == game.words.plain(game.first[member.place(at)], member.kind)
