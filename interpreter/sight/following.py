"""A view that goes along with its table: only what can have changed since the last look is made anew, and what is the same as before is the
very same object. So whoever shows it need not look again at what has not changed.

    follower = Follower(table, 2)
    follower.view()         # as view_of(table, 2, log=False)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ichiba.dsl.world.world import Member, World
from ichiba.interpreter.sight.views import HIDDEN, Viewer, reveals_hidden

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

RUN = 64  # places that are compared at once
Whose = tuple[str, str]  # ("seats", "2"): where in a view


@dataclass(frozen=True, slots=True)
class Part:
    """A member of the table, of a seat or of a thing, with all its indexes: what a view has under one name."""

    whose: Whose
    member: Member
    first: tuple[int, ...]  # its owner


@dataclass(eq=False, slots=True)
class Parts:
    """The parts of all views of one game, and what each hangs on. `parts` stand in the order in which a view has them."""

    parts: list[Part] = field(default_factory=list)
    order: tuple[Whose, ...] = ()  # of all whose parts they are
    at: dict[int, int] = field(default_factory=dict)  # by place of the state: its part
    thing_at: dict[int, int] = field(default_factory=dict)  # by place that says where a single piece is, or what it remembers: the piece
    always: frozenset[int] = frozenset()  # parts that hang on more than that
    secret: bool = False  # whether something of single pieces is written in secret

    @staticmethod
    def of(game: Game) -> Parts:
        world = game.world
        found = Parts(list(_parts(game)), tuple(dict.fromkeys(_owners(game))))
        for number, part in enumerate(found.parts):
            low, high = _room(part)
            found.at.update(dict.fromkeys(range(low, high), number))
        single = [thing for thing in world.things if thing.sort >= 0]
        noted = {kind: _notes(world, kind) for kind in dict.fromkeys(thing.kind for thing in single)}
        where = tuple(world.places.values())
        for thing in single:
            for member in (*noted[thing.kind], *where):
                first = member.place((thing.id,))
                found.thing_at.update(dict.fromkeys(range(first, first + member.width), thing.id))
        secret = {key[1] for key in game.layout.reserved if isinstance(key, tuple) and len(key) == 2 and key[0] == "before"}
        shown = reveals_hidden(game)  # which of them, only the last answer says
        open_ = {number for number, one in enumerate(found.parts) if one.member in secret or shown}
        found.secret = shown or any(secret.intersection((*noted[kind], *where)) for kind in noted)
        sorts = {thing.sort for thing in single}
        holding = {number for number, one in enumerate(found.parts) if sorts.intersection(_sorts(one.member))}
        found.always = frozenset(open_ | holding if found.secret else open_)
        return found


def _notes(world: World, kind: str) -> list[Member]:
    """What is told of a single piece where it lies."""
    found = []
    while kind in world.kinds:
        found += [member for member in world.kinds[kind].members.values() if member.size and not member.index]
        kind = world.kinds[kind].parent
    return found


def _owners(game: Game) -> Iterator[Whose]:
    """In the order of `Viewer.view`, as the parts are."""
    yield ("table", "")
    yield from (("seats", str(seat + 1)) for seat in range(game.seats))
    for kind in game.world.kinds.values():
        yield from (("things", _name(game, id)) for id in kind.things if kind.root != "piece")


def _name(game: Game, id: int) -> str:
    thing = game.world.thing(id)
    return f"{thing.kind} {thing.name}"


def _parts(game: Game) -> Iterator[Part]:
    world = game.world
    for member in world.table.values():
        if not member.internal and not member.unlimited:
            yield Part(("table", ""), member, ())
    for seat in range(game.seats):
        for member in world.seat.values():
            yield Part(("seats", str(seat + 1)), member, (seat,))
    for kind in world.kinds.values():
        for id in kind.things if kind.root != "piece" else ():
            for member in kind.members.values():
                yield Part(("things", _name(game, id)), member, (id,))


def _room(part: Part) -> tuple[int, int]:
    """The places of the state that it has for itself."""
    member = part.member
    if not member.size:
        return member.base, member.base
    low = member.place((*part.first, *(low for low, _ in member.dims[len(part.first) :])))
    width = member.width
    for _, size in member.dims[len(part.first) :]:
        width *= size
    return low, low + width


def _sorts(member: Member) -> tuple[int, ...]:
    return (*member.sorts, *(sort for sorts in member.own.values() for sort in sorts)) if member.form == "zone" else ()


def _same(one: object, other: object) -> bool:
    """In the same order, too: in some zones it is told."""
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(map(_same, one.values(), other.values()))
    return one == other and type(one) is type(other)


class FollowingViewer(Viewer):
    """One that keeps what is told of single pieces as long as nothing of them changes."""

    def __init__(self, table: Table, seat: int | None, notes: dict[int, dict[str, object]]):
        super().__init__(table, seat)
        self.notes = notes

    def things_notes(self, id: int) -> dict[str, object]:
        if id not in self.notes:
            self.notes[id] = super().things_notes(id)
        return self.notes[id]


class Follower:
    """Looks at one table for one seat, or (None) for whoever looks on."""

    def __init__(self, table: Table, seat: int | None):
        self.table, self.seat = table, seat
        self.parts = table.game.keep(Parts, lambda: Parts.of(table.game))
        where = table.game.world.places.get("place")
        self.where = where.base - where.dims[0][0] if where is not None else None  # of a piece: where it says in which zone it is
        self.state: list[int] | None = None  # as it was at the last look
        self.found: list[object] = []
        self.notes: dict[int, dict[str, object]] = {}
        self.view_then: dict[str, object] = {}
        self.whose: dict[Whose, dict[str, object]] = dict.fromkeys(self.parts.order, {})

    def view(self) -> dict[str, object]:
        viewer = FollowingViewer(self.table, self.seat, self.notes)
        state = list(viewer.state)
        fresh = self._look(viewer, state)
        if self.state is None or fresh:
            self._put_together(dict.fromkeys(self.parts.parts[number].whose for number in fresh))
        self.state = state
        return {**viewer.head(), **self.view_then, **viewer.tail()}

    def _look(self, viewer: Viewer, state: list[int]) -> list[int]:
        """Look at what can have changed; the parts that have."""
        parts = self.parts.parts
        if self.state is None:
            self.found = [viewer.all_of(part.member, part.first) for part in parts]
            return list(range(len(parts)))
        fresh = []
        for number in sorted(self._may_have_changed(self.state, state)):
            now = viewer.all_of(parts[number].member, parts[number].first)
            if not _same(now, self.found[number]):
                self.found[number] = now
                fresh.append(number)
        return fresh

    def _may_have_changed(self, before: list[int], now: list[int]) -> set[int]:
        parts, found, moved = self.parts, set(self.parts.always), set[int]()
        for low in range(0, len(now), RUN):
            if before[low : low + RUN] == now[low : low + RUN]:
                continue
            for place in range(low, min(low + RUN, len(now))):
                if before[place] != now[place]:
                    if place in parts.at:
                        found.add(parts.at[place])
                    if place in parts.thing_at:
                        moved.add(parts.thing_at[place])
        if parts.secret:
            self.notes.clear()
            return found
        for state in (before, now):
            for thing in moved:
                found.update(self._seen_in(state, thing))
        return found

    def _seen_in(self, state: list[int], thing: int) -> Iterator[int]:
        """The parts in which a piece lies, by way of others that carry it, too; what is told of all of these is over."""
        while thing >= 0 and self.where is not None:
            self.notes.pop(thing, None)
            zone = state[self.where + thing]
            if zone in self.parts.at:
                yield self.parts.at[zone]
            thing = self.parts.thing_at.get(zone, -1)

    def _put_together(self, fresh: Collection[Whose]) -> None:
        """Each thing with all that it has; one of which nothing is fresh stays the same."""
        made: dict[Whose, dict[str, object]] = {}
        for part, value in zip(self.parts.parts, self.found, strict=True):
            if part.whose in fresh and not (part.member.promise and value in (0, HIDDEN)):
                made.setdefault(part.whose, {})[part.member.name] = value
        self.whose |= {whose: made.get(whose, {}) for whose in fresh}
        things = {key: one for (part, key), one in self.whose.items() if part == "things" and one}
        seats = {key: one for (part, key), one in self.whose.items() if part == "seats"}
        self.view_then = {"table": self.whose["table", ""], "seats": seats, "things": things}


__all__ = ["Follower"]
