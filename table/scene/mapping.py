"""Makes the map of a game out of a seat's view: its nodes where the map file puts them, and its edges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ichiba.dsl.world.world import FIRST_THING, Member, Thing
from ichiba.interpreter.sight.views import HIDDEN
from ichiba.table.scene.chart import Chart, Note, Spot, Way
from ichiba.table.scene.look import SectionLook
from ichiba.table.scene.spelling import FAINT, Cell, FiguresOf, Speller, dull, ink, joined, key_of

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

PLACE = "○"


def _of_each_seat(member: Member) -> bool:
    """Whether it has one value for each seat: who has built there."""
    return len(member.index) == 1 and member.index[0].form == "seat" and member.form != "zone"


class Cartographer:
    """Maps one kind of nodes. It sees what the view says, and what never changes."""

    def __init__(self, game: Game, speller: Speller, look: SectionLook, kind: str, figures: FiguresOf):
        self.game, self.world, self.speller, self.look, self.figures = game, game.world, speller, look, figures
        self.nodes = [self.world.thing(id) for id in self.world.kinds[kind].things]
        self.owners: dict[str, list[str]] = {}  # by mark, the things that it stands for: companies, say

    def chart(self, things: Mapping[str, Any]) -> Chart:
        spots = tuple(self._spot(node, things) for node in self.nodes)
        ways = tuple(self._ways(things))
        return Chart(spots, ways, tuple(self._notes(things)), self._legend(ways))

    def _spot(self, node: Thing, things: Mapping[str, Any]) -> Spot:
        holds = joined([cell for cell in (self._holds(node, things), *(cell for _, cell in self.figures(node))) if cell], " ")
        sign = next((sign for name, sign in self.look.signs if self._field(node, name)), PLACE)
        x, y = (float(str(node.look[axis])) for axis in "xy")
        return Spot(x, y, ink(sign), self.speller.thing_words(node), holds, "" if holds else FAINT, key_of(node))

    def _holds(self, thing: Thing, things: Mapping[str, Any]) -> Cell:
        """What lies there, in few columns: a sign or a short word each, and whose it is."""
        raw = things.get(key_of(thing), {})
        told = []
        for name, member in self.speller.members(thing).items():
            one = raw.get(name)
            if isinstance(one, dict) and name in self.look.show and _of_each_seat(member):
                by_seat = enumerate(one.values())
                told += [self._of_seat(member, seat, its) for seat, its in by_seat if not dull(self.game, member, (thing.id, seat), its)]
                continue
            if one is None or member.index or dull(self.game, member, (thing.id,), one):
                continue
            if isinstance(one, dict):
                told += [self._piece(key, number) for key, number in one.items()]
            elif not self.look.show or name in self.look.show:
                told.append(self.speller.value(member, one))
        return joined(told, " ")

    def _of_seat(self, member: Member, seat: int, one: object) -> Cell:
        """Of a flag the number of the seat alone."""
        number = ink(str(seat + 1), self._colour(str(seat + 1)))
        return number if one is True else (*number, *ink(":"), *self.speller.value(member, one))

    def _piece(self, key: str, number: object) -> Cell:
        name, _, owner = key.partition("/")
        drawn = self.speller.drawn_name(name)
        colour = self._colour(owner) or (drawn[0][1] if drawn else "")
        many = f"{number}" if isinstance(number, int) and number > 1 else ""
        return (*ink(many), *ink("".join(words for words, _ in drawn) + owner, colour))

    def _colour(self, owner: str) -> str:
        seat = self.speller.seat(int(owner)) if owner.isdigit() else ()
        return seat[0][1] if seat else ""

    def _field(self, thing: Thing, name: str) -> object:
        kind = thing.kind
        while kind:
            field = self.world.kinds[kind].fields.get(name)
            if field is not None:
                return field.values.get(thing.id)
            kind = self.world.kinds[kind].parent
        return None

    def _ways(self, things: Mapping[str, Any]) -> list[Way]:
        numbers = {node.id: number for number, node in enumerate(self.nodes)}
        found = []
        for edge in self.world.things:
            ends = self._field(edge, "a"), self._field(edge, "b")
            if self.world.kinds[edge.kind].root != "edge" or not all(end in numbers for end in ends):
                continue
            mark, colour = self._mark(edge, things.get(key_of(edge), {}))
            always = not self.speller.members(edge)
            costs = self._field(edge, self.look.costs) if self.look.costs else None
            cost = str(costs) if isinstance(costs, int) else ""
            told = [cell for cell in (ink(f"{self.speller.name(self.look.costs)} {cost}" if cost else ""), self._holds(edge, things)) if cell]
            words = (*ink(self.speller.thing_words(edge)), *ink(": "), *joined(told, ", ")) if mark or cost else ()
            a, b = (numbers[end] for end in ends if isinstance(end, int))
            found.append(Way(a, b, mark, colour or FAINT, always, words, cost, key_of(edge)))
        return found

    def _mark(self, edge: Thing, raw: Mapping[str, Any]) -> tuple[str, str]:
        """The first thing that lies on a way: the number of the seat whose it is, else how it begins. Else the seat or the
        thing that it remembers."""
        for one in raw.values():
            for key in one if isinstance(one, dict) else ():
                name, _, owner = key.partition("/")
                return owner or name[:1], self._colour(owner)
        for name, member in self.speller.members(edge).items():
            owner = raw.get(name)
            if member.kind.form == "seat" and not member.index and type(owner) is int and owner > 0:
                return str(owner), self._colour(str(owner))
            if member.kind.form == "thing" and not member.index and isinstance(owner, str) and owner != HIDDEN:
                return self._mark_of_thing(self.speller.value(member, owner), owner)
        return "", ""

    def _mark_of_thing(self, drawn: Cell, owner: str) -> tuple[str, str]:
        """Its glyph, where that is a single letter, else how its name begins; and its colour."""
        words, colour = drawn[0]
        mark, known = (words if words.isascii() and len(words) == 1 else owner[:1]), self.speller.name(owner)
        if known not in self.owners.setdefault(mark, []):
            self.owners[mark].append(known)
        return mark, colour

    def _notes(self, things: Mapping[str, Any]) -> list[Note]:
        """What lies in the parts of the map to which the places belong."""
        parts: dict[int, list[Thing]] = {}
        for node in self.nodes:
            part = self._field(node, self.look.within) if self.look.within else None
            if isinstance(part, int) and part >= FIRST_THING:
                parts.setdefault(part, []).append(node)
        found = []
        for id, nodes in parts.items():
            part = self.world.thing(id)
            holds = self._holds(part, things)
            if holds:
                x, y = (sum(float(str(node.look[axis])) for node in nodes) / len(nodes) for axis in "xy")
                words = (*ink("[" + self.speller.thing_words(part) + " ", "bold"), *holds, *ink("]", "bold"))
                found.append(Note(x, y, words))
        return found

    def _legend(self, ways: tuple[Way, ...]) -> Cell:
        """What the signs of the map stand for."""
        told = [ink(f"{sign} {self.speller.name(name)}") for name, sign in self.look.signs]
        kinds = dict.fromkeys(e.kind for e in self.world.things if self.world.kinds[e.kind].root == "edge")
        for kind in kinds:
            bare = not self.speller.members(self.world.thing(self.world.kinds[kind].things[0]))
            told.append(ink(("═══ " if bare else "··· ") + self.speller.name(kind)))
        if any(way.cost for way in ways):
            told.append(ink(f"9 {self.speller.name(self.look.costs)}"))
        for mark, colour in dict.fromkeys((way.mark, way.colour) for way in sorted(ways, key=lambda w: w.mark) if way.mark):
            whose = self.speller.seat(int(mark)) if mark.isdigit() else ink(" / ".join(self.owners.get(mark, [mark])))
            told.append((*ink(f"─{mark}─ ", colour), *whose))
        return joined(told, " · ")
