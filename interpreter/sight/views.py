"""What a seat may see: a mask over the state, from the declared visibility and from nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import steps
from ichiba.dsl.world.kinds import SEAT, Kind
from ichiba.dsl.world.world import Member, World, owner_position
from ichiba.interpreter.run.decisions import Decision, is_number
from ichiba.interpreter.run.race import is_race, seats_of

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

HIDDEN = "hidden"


def hiding_word(game: Game, member: Member) -> str | None:
    """`hidden`, `screened` or `face_down`, where that is switched on."""
    for word in ("hidden", "screened"):
        found = member.words.get(word)
        if found is None:
            continue
        if found.arg is not None:
            hidden = game.worked_out.hidden
            if member not in hidden:
                from ichiba.dsl.meaning.wanted import cond
                from ichiba.dsl.names.meanings import Env

                test = cond(game.context, found.arg, Env({}, None, None))
                hidden[member] = bool(test.value) if isinstance(test, ir.Const) else True
            if not hidden[member]:
                continue
        return word
    return "face_down" if "face_down" in member.words else None


def owner_who_sees(member: Member, word: str) -> int | None:
    """Which index of what this word hides says who sees it all the same; None where nobody does."""
    if word == "face_down" or member.words[word].name in ("all", "everyone"):
        return None
    return owner_position(member)


def sees(game: Game, member: Member, at: tuple[int, ...], seat: int | None) -> bool:
    """Whether a seat may see a place by declaration; revealed answers are looked at elsewhere."""
    word = hiding_word(game, member)
    if word is None:
        return True
    owner = owner_who_sees(member, word)
    return owner is not None and seat is not None and at[owner] == seat


def who_sees_zone(game: Game, place: int) -> object:
    """The audience of what goes into a zone: `all`, a seat, or nobody."""
    member = game.layout.zones.get(place)
    if member is None:
        return "all"
    at, word = index_of(member, place), hiding_word(game, member)
    if word is None:
        return "all"
    owner = owner_who_sees(member, word)
    return at[owner] + 1 if owner is not None else "nobody"


def index_of(member: Member, place: int) -> tuple[int, ...]:
    """The owner and indexes of a place of a member."""
    offset = (place - member.base) // (member.width or 1)
    values = []
    for low, size in reversed(member.dims):
        values.append(offset % size + low)
        offset //= size
    return tuple(reversed(values))


@dataclass(frozen=True, slots=True)
class Heard:
    """All that has happened at a table, and since when after the last answer."""

    items: Sequence[dict[str, object]]
    since: int


class Viewer:
    """Makes one view."""

    def __init__(self, table: Table, seat: int | None, heard: Heard | None = None):
        self.table, self.game, self.seat = table, table.game, None if seat is None else seat - 1
        self.heard = heard
        self.world: World = table.game.world
        self.state = table.state
        self.revealed = self._revealed()
        self.shown = self._shown() if reveals_hidden(self.game) else {}

    def _shown(self) -> dict[str, dict[str, object]]:
        """What the last answer has brought to light: it is to be seen, as it was shown, until the next one."""
        from ichiba.interpreter.saves.records import told_last

        found: dict[str, dict[str, object]] = {}
        for item in told_last(self.table) if self.heard is None else self.heard.items[self.heard.since :]:
            if item["event"] == "reveal" and "." in str(item["what"]):
                found.setdefault(str(item["what"]), {}).update(cast("dict[str, object]", item["values"]))
        return found

    def _revealed(self) -> dict[Member, int]:
        """Members written in secret: where their earlier content lies."""
        found: dict[Member, int] = {}
        for key, place in self.game.layout.reserved.items():
            if isinstance(key, tuple) and len(key) == 2 and key[0] == "before":
                found[key[1]] = place
        return found

    def place(self, member: Member, place: int, at: tuple[int, ...]) -> int | None:
        """Where to look for what this seat sees there; None when it sees nothing."""
        if member in self.revealed:
            before, flag = self.revealed[member], self.game.layout.open_flag(member, place)
            status = self.state[flag]
            if status == 2:
                return place
            if status == 1:
                owner = owner_position(member)
                if owner is None or at[owner] != self.seat:
                    return before + (place - member.base) if sees(self.game, member, at, self.seat) else None
        return place if sees(self.game, member, at, self.seat) else None

    def member(self, member: Member, at: tuple[int, ...]) -> object:
        place = member.place(at)
        seen = self.place(member, place, at)
        if seen is None and member.full_name in self.shown:
            known = self.shown[member.full_name]
            name = name_of_place(self.game, member, at)
            if name in known:
                return known[name]
        if member is self.world.table.get("ending"):
            return self._ending(self.state[place])
        if member.form == "zone":
            owner = owner_position(member)
            return self._zone(member, place, seen, None if owner is None else at[owner])
        if seen is None:
            return HIDDEN
        return self.game.words.plain(self.state[seen], member.kind)

    def _ending(self, number: int) -> str | None:
        """The name that some rule has said; the game may go on for a while."""
        return self.game.program.endings[number] if number >= 0 else None

    def _zone(self, member: Member, place: int, seen: int | None, home: int | None) -> object:
        """What lies there. A piece of another seat than the zone's own says whose it is: `cube/2`."""
        if seen is None and "uncounted" in member.words:
            return HIDDEN
        if seen is None:
            covered = place
            if member in self.revealed and self.state[self.game.layout.open_flag(member, place)] == 1:
                covered = self.revealed[member] + (place - member.base)
            return {"hidden": sum(self.state[covered : covered + member.width])}
        counts: dict[str, int] = {}
        single = []
        for column in range(member.width):
            number = self.state[seen + column]
            if not number:
                continue
            sort = self.game.layout.sort_at[place + column]
            name = self.world.name_of(sort, Kind("sort"))
            if self.world.sorts[sort].owner not in (None, home):
                name += f"/{self.world.name_of(cast(int, self.world.sorts[sort].owner), SEAT)}"
            if self.world.sorts[sort].individual:
                single.append(sort)
            else:
                counts[name] = counts.get(name, 0) + number
        if not single:
            return counts
        things = self._individuals(place, set(single), as_it_was=seen != place)
        if "ordered" in member.words:
            rank = self.world.places["rank"]
            things.sort(key=lambda id: self.state[rank.place((id,))])
        return {**counts, **{self.world.thing(id).name: self.things_notes(id) for id in things}}

    def _individuals(self, place: int, sorts: set[int], as_it_was: bool) -> list[int]:
        """Pieces that exist one by one."""
        where = self.world.places["place"]
        [(lowest, _)] = where.dims
        first = (self.revealed[where] if as_it_was else where.base) - lowest
        return [t.id for t in self.world.things if t.sort in sorts and self.state[first + t.id] == place]

    def things_notes(self, id: int) -> dict[str, object]:
        notes: dict[str, object] = {}
        kind = self.world.thing(id).kind
        while kind in self.world.kinds:
            for member in self.world.kinds[kind].members.values():
                if member.index or member.form == "zone" and self.world.kinds[kind].root == "board":
                    continue
                notes[member.name] = self.member(member, (id,))
            kind = self.world.kinds[kind].parent
        return notes

    def all_of(self, member: Member, first: tuple[int, ...]) -> object:
        """A member with all its index values."""
        if not member.index:
            return self.member(member, first)
        made: dict[str, object] = {}
        kind = member.index[len(first) - (len(member.dims) - len(member.index))]
        for value in self.world.values(kind):
            at = (*first, value)
            name = self.world.name_of(value, kind)
            made[name] = self.member(member, at) if len(at) == len(member.dims) else self.all_of(member, at)
        return made

    def view(self, log: bool = True) -> dict[str, object]:
        view = self.head()
        view["table"] = {
            m.name: self.all_of(m, ())
            for m in self.world.table.values()
            if not m.internal and not m.unlimited
        }
        view["seats"] = {
            str(s + 1): {m.name: self.all_of(m, (s,)) for m in self.world.seat.values() if not m.promise or self._kept(m, s)}
            for s in range(self.game.seats)
        }
        view["things"] = self._things()
        view |= self.tail()
        if log:
            told = self.table.log if self.heard is None else self.heard.items
            heard = [item for item in told if visible(item, self.seat)]
            view["log"] = [{**item, "number": number} for number, item in enumerate(heard, 1)]  # a gap would tell
        return view

    def head(self) -> dict[str, object]:
        return {"seat": None if self.seat is None else self.seat + 1, "game": self.game.name}

    def tail(self) -> dict[str, object]:
        return {"over": self.table.over, "ending": self.table.ending, "pending": self._pending()}

    def _kept(self, promise: Member, seat: int) -> bool:
        """Whether something is seen in a purse of a rule; else it is not told of."""
        return self.all_of(promise, (seat,)) not in (0, HIDDEN)

    def _things(self) -> dict[str, object]:
        made: dict[str, object] = {}
        for kind in self.world.kinds.values():
            if kind.root == "piece":
                continue
            for id in kind.things:
                entry = made.setdefault(f"{self._owner_name(kind.name, id)}", {})
                assert isinstance(entry, dict)
                for member in kind.members.values():
                    entry[member.name] = self.all_of(member, (id,))
        return {name: entry for name, entry in made.items() if entry}

    def _owner_name(self, kind: str, id: int) -> str:
        name = self.world.thing(id).name
        return f"{self.world.thing(id).kind} {name}"

    def _pending(self) -> list[dict[str, object]]:
        """Whose answer is awaited; the question itself and the options only for the one who is asked."""
        pending, site = self.table.pending, self.table.site
        if site is None or not is_race(site):
            return [self._awaited(decision) for decision in pending]
        own = {decision.seat_index: decision for decision in pending if decision.seat_index == self.seat}
        others = {"path": pending[0].path}  # nobody sees who of them has waited, nor who was drawn
        return [
            self._awaited(own[seat]) if seat in own else {"seat": seat + 1, **others}
            for seat in seats_of(self.game, site, self.state)
        ]

    def _awaited(self, decision: Decision) -> dict[str, object]:
        item: dict[str, object] = {"seat": decision.seat}
        if self.seat == decision.seat_index:
            item |= {
                "path": decision.path,
                "prompt": decision.prompt,
                "options": [{"key": o.key, "label": o.label} for o in decision.options],
            }
        elif not decision.secret:
            item["path"] = decision.path
        return item


class Everything(Viewer):
    """A view of all there is, for nobody who plays."""

    def place(self, member: Member, place: int, at: tuple[int, ...]) -> int | None:
        return place

    def view(self, log: bool = True) -> dict[str, object]:
        return {**super().view(False), **({"log": self.table.log} if log else {})}

    def _pending(self) -> list[dict[str, object]]:
        return [
            {
                "seat": decision.seat,
                "path": decision.path,
                "prompt": decision.prompt,
                "options": [{"key": option.key, "label": option.label} for option in decision.options],
            }
            for decision in self.table.pending
        ]


def value_in_view(game: Game, view: dict[str, Any], member: Member, at: tuple[int, ...]) -> object:
    """What a view holds of one place: `hidden`, or what is seen there. Where it holds nothing of the kind: `KeyError`."""
    first = len(member.dims) - len(member.index)
    names = [game.world.name_of(value, kind) for value, kind in zip(at[first:], member.index, strict=True)]
    found: Any
    if member.owner == "table":
        found = view["table"]
    elif member.owner == "seat":
        found = view["seats"][str(at[0] + 1)]
    else:
        thing = game.world.thing(at[0])
        found = view["things"].get(f"{thing.kind} {thing.name}", {})
        if thing.sort >= 0:  # a piece: what it remembers is seen where it lies
            notes = _piece_in(view, thing.name)
            if notes is None:
                return HIDDEN
            found = notes
    for name in (member.name, *names):
        found = found[name]
    return cast(object, found)


def _piece_in(part: object, name: str) -> dict[str, object] | None:
    """The notes of a piece, if it is seen anywhere in a view."""
    if not isinstance(part, dict):
        return None
    if isinstance(part.get(name), dict):
        return cast("dict[str, object]", part[name])
    return next((found for inner in part.values() if (found := _piece_in(inner, name)) is not None), None)


def pieces_in_view(game: Game) -> dict[str, str]:
    """The sort of each piece that a view calls by a name of its own."""
    things = (thing for thing in game.world.things if thing.sort >= 0)
    return {thing.name: game.world.name_of(thing.sort, Kind("sort")) for thing in things}


def visible(item: dict[str, object], seat: int | None) -> bool:
    audience = item["audience"]
    who = "spectator" if seat is None else seat + 1
    return audience == "all" or who in (audience if isinstance(audience, list) else [audience])


def view_of(table: Table, seat: int | None, log: bool = True, heard: Heard | None = None) -> dict[str, object]:
    """What a seat may see. Without the log it takes no replay, which in a long game is most of the work; nor with what
    was `heard` by somebody who has followed the table, whose course cannot be played again when it was set up by hand."""
    if seat is not None and not is_number(seat):
        raise TypeError(f"a seat is a whole number from 1, or None for whoever looks on; not {seat!r}")
    if seat is not None and not 1 <= seat <= table.game.seats:
        raise ValueError(f"there are seats 1 to {table.game.seats}; {seat} is none of them")
    return Viewer(table, seat, heard).view(log)


def reveals_hidden(game: Game) -> bool:
    """Whether some rule reveals a place that is declared hidden."""
    if game.worked_out.reveals_hidden is None:
        shows = (s for p in game.program.procedures for s in steps(p.body) if isinstance(s, ir.Reveal))
        game.worked_out.reveals_hidden = any(
            s.zone is not None or s.member is not None and hiding_word(game, s.member) for s in shows
        )
    return game.worked_out.reveals_hidden


def member_called(game: Game, name: str) -> Member:
    """By its owner and its name, as `seat.hand`."""
    owner, _, own = name.partition(".")
    world = game.world
    members = world.table if owner == "table" else world.seat if owner == "seat" else world.kinds[owner].members
    return members[own]


def describe_places(game: Game, state: list[int], name: str, places: Sequence[int]) -> dict[str, object]:
    """What is revealed, by place."""
    world, member = game.world, member_called(game, name)
    made: dict[str, object] = {}
    for place in places:
        at = index_of(member, place)
        key = name_of_place(game, member, at)
        if member.form == "zone":
            content = {
                world.name_of(game.layout.sort_at[place + c], Kind("sort")): state[place + c]
                for c in range(member.width)
                if state[place + c]
            }
            made[key] = content
        else:
            made[key] = game.words.plain(state[place], member.kind)
    return made


def name_of_place(game: Game, member: Member, at: tuple[int, ...]) -> str:
    """Its owner and indexes, as a reveal names them."""
    return "/".join(_at_name(game, member, n, value) for n, value in enumerate(at)) or member.name


def _at_name(game: Game, member: Member, at: int, value: int) -> str:
    first = len(member.dims) - len(member.index)
    if at >= first:
        return game.world.name_of(value, member.index[at - first])
    if member.owner == "seat":
        return game.world.name_of(value, SEAT)
    thing = game.world.thing(value)
    same = [id for id in game.world.kinds[member.owner].things if game.world.thing(id).name == thing.name]
    return thing.name if len(same) == 1 else f"{thing.kind} {thing.name}"  # lot 1 and inn 1 are both spots


__all__ = [
    "HIDDEN",
    "Any",
    "Everything",
    "Viewer",
    "describe_places",
    "hiding_word",
    "member_called",
    "pieces_in_view",
    "sees",
    "value_in_view",
    "view_of",
    "visible",
    "who_sees_zone",
]
