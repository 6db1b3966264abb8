"""What an effect tells whom: what has become another between two states of a game, as each reader may see it.

Who sees a zone is told which pieces have come and gone; who sees how many lie there is told how many; who does not even see
that is told nothing. What nobody has a name for (where control is, the order of a zone) is no effect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Member, owner_position
from ichiba.interpreter.sight.views import hiding_word, index_of, name_of_place, owner_who_sees

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

Reader = int | None  # a seat, from 0; None: whoever looks on
Item = dict[str, object]
STRIDE = 64  # so many places are compared at once
NOTHING, SIZE, ALL = 0, 1, 2  # of a zone


@dataclass(frozen=True, slots=True)
class Move:
    """So many pieces of a sort, or one that exists one by one, have gone from one zone to another."""

    what: str
    count: int
    source: int  # the place of a zone; -1: nowhere that anybody could look
    target: int


@dataclass(frozen=True, slots=True)
class Hiding:
    """By whom the places of a member are seen."""

    hidden: bool
    owner: int | None  # which index says who sees it all the same
    counted: bool  # how many pieces lie there all see
    whose: int | None  # which index says whose it is
    before: int | None  # where its content stands as it was before a secret block


class Places:
    """All places of a game that somebody may see, and by whom."""

    def __init__(self, game: Game):
        self.game, self.layout, self.world = game, game.layout, game.world
        self.readers: tuple[Reader, ...] = (None, *range(game.seats))
        reserved = game.layout.reserved
        before = {key[1]: place for key, place in reserved.items() if isinstance(key, tuple) and key[0] == "before"}
        self.at: dict[int, Member] = {}
        self.opened: dict[int, list[tuple[Member, int]]] = {}  # by flag: the places that it opens
        self.hiding: dict[Member, Hiding] = {}
        self.where = self.world.places.get("place")
        for member in self._told(game):
            word = hiding_word(game, member)
            owner = None if word is None else owner_who_sees(member, word)
            self.hiding[member] = Hiding(
                word is not None, owner, "uncounted" not in member.words, owner_position(member), before.get(member)
            )
            for place in range(member.base, member.base + member.size):
                self.at[place] = member
            for place in range(member.base, member.base + member.size, member.width or 1) if member in before else ():
                self.opened.setdefault(self.layout.open_flag(member, place), []).append((member, place))

    def _told(self, game: Game) -> Iterator[Member]:
        """The members that views hold. Points are told line by line, by the scoring itself."""
        for member in self.world.members():
            named = member.form != "place" and not member.internal and not member.unlimited and member.size > 0
            if named and member is not self.world.seat.get("score"):
                yield member

    # ------------------------------------------------------------------------------------ who sees what

    def covered(self, state: Sequence[int], member: Member, place: int, reader: Reader) -> bool:
        """Whether this reader sees it as it was before a secret block."""
        hiding = self.hiding[member]
        if hiding.before is None or state[self.layout.open_flag(member, place)] != 1:
            return False
        return hiding.whose is None or index_of(member, place)[hiding.whose] != reader

    def sees(self, state: Sequence[int], member: Member, place: int, reader: Reader) -> bool:
        """Whether this reader may see what stands there, or stood there before a secret block."""
        hiding = self.hiding[member]
        opened = hiding.before is not None and state[self.layout.open_flag(member, place)] == 2
        if not hiding.hidden or opened:
            return True
        return hiding.owner is not None and reader is not None and index_of(member, place)[hiding.owner] == reader

    def level(self, state: Sequence[int], zone: int, reader: Reader) -> int:
        """What a reader is told of what comes into a zone, or leaves it."""
        member = self.layout.zones.get(zone)
        if member is None or member not in self.hiding or self.covered(state, member, zone, reader):
            return NOTHING
        if self.sees(state, member, zone, reader):
            return ALL
        return SIZE if self.hiding[member].counted else NOTHING

    def name(self, place: int) -> str:
        """The name of a place, as a reveal has it: `table.bag`, `seat.hand/2`."""
        member = self.at[place]
        return f"{member.full_name}/{name_of_place(self.game, member, index_of(member, place))}" if member.dims else member.full_name

    # -------------------------------------------------------------------------------- what has changed

    def changed(self, before: Sequence[int], after: Sequence[int]) -> list[int]:
        """The places at which something else stands; most states differ in few."""
        if before == after:
            return []
        blocks = (k for k in range(0, len(after), STRIDE) if before[k : k + STRIDE] != after[k : k + STRIDE])
        return [i for k in blocks for i in range(k, min(k + STRIDE, len(after))) if before[i] != after[i]]

    def effects(self, before: Sequence[int], after: Sequence[int]) -> list[Item]:
        """What has happened between two states, each with its audience. What some know in full and others in part stands
        there once for each."""
        changed = self.changed(before, after)
        if not changed:
            return []
        whole = self._in_full(before, after, changed)
        if self._open_to_all(after, changed):
            return [item | {"audience": "all"} for item in whole]
        told = {reader: self._told_to(reader, before, after, changed) for reader in self.readers}
        found: list[Item] = []
        for item in whole:
            hear = [reader for reader in self.readers if item in told[reader]]
            found.append(item | {"audience": self._audience(hear)})
        parts = [item for reader in self.readers for item in told[reader] if item not in whole]
        for number, item in enumerate(parts):
            if item not in parts[:number]:
                hear = [reader for reader in self.readers if item in told[reader]]
                found.append(item | {"audience": self._audience(hear)})
        return found

    def _open_to_all(self, after: Sequence[int], changed: list[int]) -> bool:
        """Whether nothing of this was ever hidden from anybody."""
        for place in changed:
            if place in self.opened:
                return False
            member = self.at.get(place)
            if member is not None and (self.hiding[member].hidden or self.hiding[member].before is not None):
                return False
            piece = None if member is None else self._piece_of(member, place)
            if piece is not None and not all(self.level(after, self._lies(after, piece), reader) == ALL for reader in self.readers):
                return False
        return True

    def _audience(self, readers: list[Reader]) -> object:
        if len(readers) == len(self.readers):
            return "all"
        names: list[object] = [reader + 1 for reader in readers if reader is not None]
        names += ["spectator"] if None in readers else []
        return "nobody" if not names else names[0] if len(names) == 1 else names

    def _in_full(self, before: Sequence[int], after: Sequence[int], changed: list[int]) -> list[Item]:
        found = [self._moved(move, ALL, ALL) for move in self._moves(before, after, changed)]
        found += self._paid([(place, after[place] - before[place]) for place in self._of_form(changed, "purse")])
        for place in self._single(changed):
            found.append(self._set(place, before[place], after[place]))
        return found

    def _told_to(self, reader: Reader, before: Sequence[int], after: Sequence[int], changed: list[int]) -> list[Item]:
        opened = self._opened_for(reader, before, after, changed)
        found = self._moves_told(reader, before, after, changed, opened)
        money, single = [], []
        shown = [place for place in changed if place in self.at and self.at[place].form != "zone" and self._live(reader, after, place)]
        shown += [place for member, place in opened if member.form != "zone" and place not in shown]
        for place in shown:
            was = self._was(reader, before, place)
            if was == after[place]:
                continue
            if self.at[place].form == "purse" and was is not None:
                money.append((place, after[place] - was))
            else:
                single.append(self._set(place, was, after[place]))
        return [*found, *self._paid(money), *single]

    # ------------------------------------------------------------------------ counters, flags, memories

    def _of_form(self, places: Iterable[int], form: str) -> list[int]:
        return [place for place in places if place in self.at and self.at[place].form == form]

    def _single(self, places: Iterable[int]) -> list[int]:
        return [place for place in places if place in self.at and self.at[place].form not in ("zone", "purse")]

    def _live(self, reader: Reader, state: Sequence[int], place: int) -> bool:
        """Whether a reader sees what stands there now."""
        member = self.at[place]
        if self.covered(state, member, place, reader) or not self.sees(state, member, place, reader):
            return False
        piece = self._piece_of(member, place)
        return piece is None or self.level(state, self._lies(state, piece), reader) == ALL

    def _was(self, reader: Reader, before: Sequence[int], place: int) -> int | None:
        """What a reader has seen there; None: nothing."""
        member = self.at[place]
        if not self.sees(before, member, place, reader):
            return None
        piece = self._piece_of(member, place)
        if piece is not None and self.level(before, self._lies(before, piece), reader) != ALL:
            return None
        hiding = self.hiding[member]
        if hiding.before is not None and self.covered(before, member, place, reader):
            return before[hiding.before + place - member.base]
        return before[place]

    def _piece_of(self, member: Member, place: int) -> int | None:
        """The piece that a note or counter belongs to: it is seen where that lies."""
        kind = self.world.kinds.get(member.owner)
        return index_of(member, place)[0] if kind is not None and kind.root == "piece" else None

    def _lies(self, state: Sequence[int], piece: int) -> int:
        return -1 if self.where is None else state[self.where.place((piece,))]

    def _set(self, place: int, was: int | None, value: int) -> Item:
        member = self.at[place]
        item: Item = {"event": "set", "what": self.name(place)}
        if was is not None:
            item["before"] = self._plain(member, was)
        return item | {"value": self._plain(member, value)}

    def _plain(self, member: Member, value: int) -> object:
        if member is self.world.table.get("ending"):
            return self.game.program.endings[value] if value >= 0 else None
        return self.game.words.plain(value, member.kind)

    # ------------------------------------------------------------------------------------------- money

    def _paid(self, changes: list[tuple[int, int]]) -> list[Item]:
        """What has left one purse and come into another; else what has come or gone."""
        by_unit: dict[str, list[tuple[int, int]]] = {}
        for place, by in changes:
            if by:
                by_unit.setdefault(self.at[place].kind.name, []).append((place, by))
        found: list[Item] = []
        for unit, purses in by_unit.items():
            if len(purses) == 2 and purses[0][1] == -purses[1][1]:
                (giver, by), (taker, _) = sorted(purses, key=lambda one: one[1])
                found.append({"event": "paid", "what": unit, "amount": -by, "from": self.name(giver), "to": self.name(taker)})
                continue
            for place, by in purses:
                found.append({"event": "paid", "what": unit, "amount": abs(by), "to" if by > 0 else "from": self.name(place)})
        return found

    # ------------------------------------------------------------------------------------------ pieces

    def _moves(self, before: Sequence[int], after: Sequence[int], changed: list[int]) -> list[Move]:
        """Which pieces have gone where."""
        changes: dict[int, list[tuple[int, int]]] = {}
        for place in self._of_form(changed, "zone"):
            sort = self.layout.sort_at[place]
            if not self.world.sorts[sort].individual:
                changes.setdefault(sort, []).append((self.layout.zone_at[place], after[place] - before[place]))
        found = [move for sort, zones in changes.items() for move in self._paired(self._sort_name(sort), zones)]
        if self.where is not None:
            first = self.where.base
            for place in changed:
                if first <= place < first + self.where.size:
                    (thing,) = index_of(self.where, place)
                    found.append(Move(self.world.thing(thing).name, 1, before[place], after[place]))
        return found

    def _sort_name(self, sort: int) -> str:
        return self.world.name_of(sort, Kind("sort"))

    def _paired(self, what: str, zones: Iterable[tuple[int, int]]) -> list[Move]:
        """Those that have gone and those that have come, put together in order."""
        gone = [[zone, -by] for zone, by in zones if by < 0]
        found: list[Move] = []
        for zone, by in zones:
            while by > 0:
                source = next((one for one in gone if one[1]), None)
                many = by if source is None else min(by, source[1])
                found.append(Move(what, many, -1 if source is None else source[0], zone))
                by -= many
                if source is not None:
                    source[1] -= many
        return found + [Move(what, many, zone, -1) for zone, many in gone if many]

    def _moved(self, move: Move, source: int, target: int) -> Item:
        """A move as somebody may tell it who knows so much of either zone."""
        known = max(source if move.source >= 0 else NOTHING, target if move.target >= 0 else NOTHING) == ALL
        item: Item = {"event": "moved", "what": move.what if known else self._some_piece(move, source), "count": move.count}
        if not known:
            item["hidden"] = True
        if move.source in self.layout.zones and source:
            item["from"] = self.name(move.source)
        if move.target in self.layout.zones and target:
            item["to"] = self.name(move.target)
        return item

    def _some_piece(self, move: Move, source: int) -> str:
        """What lies in such a zone: `a card`."""
        return self.at[move.source if source and move.source in self.at else move.target].kind.name

    def _moves_told(
        self, reader: Reader, before: Sequence[int], after: Sequence[int], changed: list[int], opened: list[tuple[Member, int]]
    ) -> list[Item]:
        """The moves as a reader may know them. Of pieces that it cannot tell apart it is told how many, all at once."""
        known: list[Item] = []
        in_part: Counter[tuple[int, int]] = Counter()
        for move in self._moves(before, after, changed):
            source, target = self.level(after, move.source, reader), self.level(after, move.target, reader)
            if ALL in (source, target):
                known.append(self._moved(move, source, target))
            elif SIZE in (source, target):
                in_part[move.source if source else -1, move.target if target else -1] += move.count
        found = self._netted(in_part)
        return [*known, *found, *self._uncovered(reader, before, after, opened)]

    def _netted(self, moves: Counter[tuple[int, int]]) -> list[Item]:
        return [self._moved(Move("", count, source, target), SIZE, SIZE) for (source, target), count in moves.items()]

    def _opened_for(self, reader: Reader, before: Sequence[int], after: Sequence[int], changed: list[int]) -> list[tuple[Member, int]]:
        """The places that a reader saw as they were, and sees now as they are."""
        return [
            (member, place)
            for flag in changed
            for member, place in self.opened.get(flag, ())
            if self.covered(before, member, place, reader) and not self.covered(after, member, place, reader)
        ]

    def _uncovered(
        self, reader: Reader, before: Sequence[int], after: Sequence[int], opened: list[tuple[Member, int]]
    ) -> list[Item]:
        """What seats have moved in secret, now that it is real for all."""
        known: dict[str, list[tuple[int, int]]] = {}
        sizes: list[tuple[int, int]] = []
        for member, zone in opened:
            level = self.level(after, zone, reader) if member.form == "zone" else NOTHING
            then = self.hiding[member].before
            if level == NOTHING or then is None:
                continue
            shift = then - member.base
            by = [after[zone + column] - before[zone + shift + column] for column in range(member.width)]
            if level == SIZE:
                sizes.append((zone, sum(by)))
                continue
            for column, change in enumerate(by):
                if change:
                    known.setdefault(self._sort_name(self.layout.sort_at[zone + column]), []).append((zone, change))
        found = [self._moved(move, ALL, ALL) for what, zones in known.items() for move in self._paired(what, zones)]
        return found + [self._moved(move, SIZE, SIZE) for move in self._paired("", [one for one in sizes if one[1]])]


def effects_for(game: Game) -> Places:
    """What is known of a game's places, worked out once."""
    return game.keep(Places, lambda: Places(game))
