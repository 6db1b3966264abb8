"""Boards as cards: title, costs, what sets each apart, tracks, spaces, and what lies there as a seat sees it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Field, Member, Thing
from ichiba.table.scene.frame import Frame
from ichiba.table.scene.phrases import Phrases
from ichiba.table.scene.spelling import Cell, Speller, dull, ink, joined, key_of, words_of

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

MOST_SPACES = 40  # of a track; a counter with more is a number


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is printed on a board or piece and never changes."""

    label: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class Rail:
    """A counter with few values, as a row of spaces; `at` is where it stands."""

    label: str
    first: int
    last: int
    at: int | None


@dataclass(frozen=True, slots=True)
class Space:
    """A place on a board: what is printed there, and what lies there."""

    title: Cell
    facts: tuple[Fact, ...] = ()
    holds: tuple[Fact, ...] = ()
    thing: str = ""  # `stall 3`, as the view names it


@dataclass(frozen=True, slots=True)
class BoardCard:
    """Everything that one board shows."""

    name: str  # in the rules
    sign: Cell
    title: str
    kind: str
    about: str = ""
    costs: tuple[Fact, ...] = ()
    facts: tuple[Fact, ...] = ()
    rails: tuple[Rail, ...] = ()
    spaces: tuple[Space, ...] = ()
    pieces: tuple[Fact, ...] = ()  # that it brings into the game
    values: tuple[Fact, ...] = ()  # how it stands now
    colour: str = ""
    thing: str = ""  # as the view names it


class Boards:
    """Makes the cards of one game."""

    def __init__(self, game: Game, speller: Speller, hidden: Mapping[str, tuple[str, ...]] | None = None):
        self.game, self.world, self.speller = game, game.world, speller
        self.hidden = hidden or {}  # by kind: what its look leaves out
        self.phrases = Phrases(game, speller, Frame(game.lang))
        self.spaces: dict[str, tuple[Thing, ...]] = {}  # of each board
        for thing in self.world.things:
            if thing.id in self.world.groups and self.world.kinds[thing.kind].root != "piece":
                board = self.world.groups[thing.id]
                self.spaces[board] = (*self.spaces.get(board, ()), thing)

    def cards(self) -> list[BoardCard]:
        """All boards as they are printed, in the order of declaration."""
        return [self.printed(thing) for thing in self.world.things if self.world.kinds[thing.kind].root == "board"]

    def printed(self, thing: Thing) -> BoardCard:
        """A board as it lies in the box."""
        sign, title = self._head(thing)
        rails = tuple(self._rail(thing, member, None) for member in self._counters(thing))
        return BoardCard(
            thing.name, sign, title, self.speller.name(thing.kind), self.about(thing.name), tuple(self.costs(thing)), tuple(self.facts(thing)),
            rails, tuple(self._spaces(thing, {})), tuple(self.pieces(thing)), (), self._colour(thing), key_of(thing),
        )  # fmt: skip

    def in_play(self, thing: Thing, things: Mapping[str, Any], values: tuple[Fact, ...]) -> BoardCard:
        """A board as it stands, `values` being what the scene tells of it."""
        raw = things.get(key_of(thing), {})
        sign, title = self._head(thing)
        rails = tuple(self._rail(thing, member, raw) for member in self._counters(thing) if isinstance(raw.get(member.name), int))
        drawn = {rail.label for rail in rails}
        return BoardCard(
            thing.name, sign, title, self.speller.name(thing.kind), "", tuple(self.costs(thing)), (), rails, tuple(self._spaces(thing, things)),
            (), tuple(value for value in values if value.label not in drawn), self._colour(thing), key_of(thing),
        )  # fmt: skip

    def about(self, name: str) -> str:
        """What a board's file says about it, in the language of the game."""
        plain = next((" ".join(board.about.split()) for board in self.game.box.boards if board.name == name), "")
        return self.game.text(f"about.{name}") or plain

    # ----------------------------------------------------------------------------------------- what is printed

    def _head(self, thing: Thing) -> tuple[Cell, str]:
        words = self.speller.thing_words(thing)
        drawn = self.speller.drawn_name(thing.name, words, thing.kind)
        return (drawn if words_of(drawn) != words else ()), words

    def _colour(self, thing: Thing) -> str:
        glyph = self.speller.drawn.get(thing.name) or self.speller.drawn.get(thing.kind)
        return glyph.colour if glyph is not None else ""

    def costs(self, thing: Thing) -> Iterator[Fact]:
        """What is paid for it, each with its name where boards of its kind have several; what is free has no price on it."""
        fields = [field for field in self._fields(thing) if field.kind.form == "cost"]
        for field in fields:
            cost = self.world.costs.get((thing.id, field.name))
            if cost is not None and not _is_nothing(cost) and (worth := self.phrases.cost(cost)):
                yield Fact(self.speller.name(field.name) if len(fields) > 1 else "", ink(worth))

    def facts(self, thing: Thing) -> Iterator[Fact]:
        """The fields in which it differs from most of its kind."""
        for field in self._fields(thing):
            value = field.values.get(thing.id)
            if value is None or (thing.id, field.name) in self.world.costs or field.name in self.hidden.get(thing.kind, ()):
                continue
            usual, many = Counter(field.values.values()).most_common(1)[0]
            if value == usual and 2 * many > len(field.values) and len(field.values) > 1:
                continue
            if found := self.fact(field, value):
                yield found

    def fact(self, field: Field, value: int | tuple[int, ...] | None) -> Fact | None:
        """A property with its name; of one that is true or false, its name, and `no` where it is true of others."""
        if field.kind.form == "flag":
            usual = Counter(field.values.values()).most_common(1)[0][0]
            name = ink(self.speller.name(field.name))
            return Fact("", name) if value else Fact("", (*name, *ink(": no"))) if usual else None
        cell = self.field(field.kind, value) if value is not None else ()
        return Fact(self.speller.name(field.name), cell) if words_of(cell) else None

    def field(self, kind: Kind, value: int | tuple[int, ...]) -> Cell:
        """What a fixed property says; nothing where there is nothing to say."""
        if isinstance(value, tuple):
            of = kind.of or kind
            return joined([self.speller.index(one, of) for one in value], ", ")
        if value == -1 and kind.form != "number":
            return ()
        if kind.form == "word":
            return ink(self.world.text(value, self.game.lang))
        if kind.form in ("seat", "thing", "sort", "enum"):
            return self.speller.index(value, kind)
        return ink(self.game.words.show(value, kind))

    def _fields(self, thing: Thing) -> Iterator[Field]:
        kind: str = thing.kind
        found: list[Field] = []
        while kind:
            found = [*self.world.kinds[kind].fields.values(), *found]
            kind = self.world.kinds[kind].parent
        yield from found

    # ------------------------------------------------------------------------------------------- what it holds

    def _counters(self, thing: Thing) -> Iterator[Member]:
        """Counters that its own file declares and that keep their value: these are printed as tracks."""
        own = self.world.kinds.get(f"board {thing.name}")
        for member in own.members.values() if own is not None else ():
            few = member.low is not None and member.high is not None and member.high - member.low < MOST_SPACES
            if member.form == "counter" and not member.index and member.kind.form == "number" and few and "resets" not in member.words:
                yield member

    def _rail(self, thing: Thing, member: Member, raw: Mapping[str, Any] | None) -> Rail:
        assert member.low is not None and member.high is not None
        at = raw[member.name] if raw is not None else self.game.first[member.place((thing.id,))]
        return Rail(self.speller.name(member.name), member.low, member.high, at)

    def _spaces(self, board: Thing, things: Mapping[str, Any]) -> Iterator[Space]:
        """The things that its file declares, as places."""
        for thing in self.spaces.get(board.name, ()):
            yield self._space(thing, things.get(key_of(thing), {}))

    def spaces_of(self, board: Thing) -> tuple[str, ...]:
        """What a view calls the things that its file declares."""
        return tuple(key_of(thing) for thing in self.spaces.get(board.name, ()))

    def _space(self, thing: Thing, raw: Mapping[str, Any]) -> Space:
        title = self.speller.thing(thing)
        facts = []
        for field in self._fields(thing):
            fact = self.fact(field, field.values.get(thing.id))
            if fact is not None and not (thing.title and re.search(rf"(?<!\w){re.escape(words_of(fact.cell))}(?![\w,])", words_of(title))):
                facts.append(fact)
        holds = []
        kind: str = thing.kind
        while kind:
            for name, member in self.world.kinds[kind].members.items():
                if name in raw and not member.index and not dull(self.game, member, (thing.id,), raw[name]):
                    holds.append(Fact(self.speller.name(name), self.speller.value(member, raw[name])))
            kind = self.world.kinds[kind].parent
        return Space(title, tuple(facts), tuple(holds), key_of(thing))

    def pieces(self, thing: Thing) -> Iterator[Fact]:
        """The pieces that are made for a board or that its file brings, how many of each, and what is printed on them."""
        files = (piece for piece in self.game.box.pieces if piece.board == thing.name)
        brought = {(piece.name, item.name) for piece in files for item in piece.items or ()}
        for sort in self.world.sorts:
            own = (sort.family, sort.name) in brought or sort.thing == thing.id
            whose = own or sort.thing < 0 and any(  # what is made for one board may look like another's
                value == thing.id for fields in self.world.sort_fields.values() if (field := fields.get(sort.family)) is not None
                for value in [field.values.get(sort.id)] if field.kind.form == "thing"
            )  # fmt: skip
            if not whose or not sort.number:
                continue
            name, family = self.game.words.show(sort.id, Kind("sort")), self.speller.name(sort.family)
            drawn = self.speller.drawn_name(sort.full_name, name, sort.name, sort.family)
            sign = (*drawn, *ink(" ")) if words_of(drawn) != name else ()
            yield Fact("" if name == family else family, (*sign, *ink(f"{name} × {sort.number}")))


def _is_nothing(cost: t.Cost) -> bool:
    match cost.ways:
        case (t.CostWay(items=(t.CostItem(what=t.Money(value=0)),)),):
            return True
        case _:
            return False


__all__ = ["BoardCard", "Boards", "Fact", "Rail", "Space"]
