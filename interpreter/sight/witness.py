"""What one seat has seen of a game: its view at every moment, its part of the log, and where pieces must have lain.

Nothing here knows a game. `Glimpse` is the view as a row of numbers, quick to compare. `Witness` plays the true game
again and writes down what the seat learned: from that alone other games can be imagined in which it saw the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, product
from operator import itemgetter, ne
from typing import TYPE_CHECKING

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import FIRST_THING, indexes, owner_position
from ichiba.interpreter.flow.pieces import Site
from ichiba.interpreter.layout import LOADED, PC, bag_sorts
from ichiba.interpreter.run.race import draw_instead, is_race, may_answer, waits
from ichiba.interpreter.runtime.chance import UNTOLD
from ichiba.interpreter.runtime.runtime import unpack
from ichiba.interpreter.saves.records import Teller
from ichiba.interpreter.sight.views import index_of, member_called, sees, visible

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

UNSEEN = -2
Item = dict[str, object]


class Glimpse:
    """What a seat sees of a state, as numbers: equal for two states exactly when they look the same to it."""

    def __init__(self, game: Game, seat: int):
        self.game, self.seat = game, seat
        world = game.world
        reserved = game.layout.reserved
        before = {key[1]: place for key, place in reserved.items() if isinstance(key, tuple) and key[0] == "before"}
        self.shadowed: list[tuple[int, int, int, int, bool, bool, bool]] = []  # place, width, as it was, flag, own, seen, counted
        self.covered: list[tuple[int, int]] = []
        self.seen_zones: set[int] = set()
        self.own_zones: set[int] = set()
        self.flags: dict[int, int] = {}  # of zones that a block writes: where it stands whether they are seen as they are
        open_places: list[int] = []
        members = [m for m in world.table.values() if not m.internal and not m.unlimited]
        members += world.seat.values()
        members += [m for kind in world.kinds.values() if kind.root != "piece" for m in kind.members.values()]
        for member in members:
            for at in indexes(member) if member.size else ():
                place, width = member.place(at), member.width
                seen = sees(game, member, at, seat)
                if member in before:
                    owner = owner_position(member)
                    own = owner is not None and at[owner] == seat
                    flag = game.layout.open_flag(member, place)
                    counted = "uncounted" not in member.words
                    self.shadowed.append((place, width, before[member] + place - member.base, flag, own, seen, counted))
                elif seen:
                    open_places.extend(range(place, place + width))
                elif member.form == "zone" and "uncounted" not in member.words:
                    self.covered.append((place, width))
                if member.form == "zone" and seen:
                    self.seen_zones.add(place)
                if member.form == "zone" and member in before:
                    self.flags[place] = game.layout.open_flag(member, place)
                if member.form == "zone" and (owner := owner_position(member)) is not None and at[owner] == seat:
                    self.own_zones.add(place)
        self.open = itemgetter(*open_places, *open_places[:1]) if open_places else lambda state: ()
        where = world.places.get("place")
        self.places_before = 0  # what to add to a piece for where it lay before a block
        if where is not None and where in before:
            self.places_before = before[where] - where.dims[0][0]
        self.things = [(t.id, self._own_places(t.id)) for t in world.things if t.sort >= 0]

    def _own_places(self, thing: int) -> list[int]:
        """What a piece remembers: seen where the piece is."""
        world = self.game.world
        found: list[int] = []
        for kind in world.kinds.values():
            for member in kind.members.values() if kind.root == "piece" else ():
                if member.dims and member.dims[0][0] <= thing < sum(member.dims[0]) and member.size:
                    for at in product((thing,), *(range(low, low + size) for low, size in member.dims[1:])):
                        if sees(self.game, member, at, self.seat):
                            place = member.place(at)
                            found.extend(range(place, place + member.width))
                            if member.form == "zone":
                                self.seen_zones.add(place)
        return found

    def of(self, state: list[int]) -> list[object]:
        found: list[object] = [self.open(state)]
        found.extend(sum(state[place : place + width]) for place, width in self.covered)
        for place, width, was, flag, own, seen, counted in self.shadowed:
            status = state[flag]
            if status == 2 or seen and (status == 0 or own):
                found.append(state[place : place + width])
            elif status == 1 and not own:
                found.append(state[was : was + width] if seen else sum(state[was : was + width]) if counted else UNSEEN)
            else:
                found.append(sum(state[place : place + width]) if width > 1 and counted else UNSEEN)
        if self.things:
            where = self.game.world.places["place"]
            shift = where.base - where.dims[0][0]
            was = self.places_before
            for thing, own_places in self.things:
                zone = state[thing + shift]
                if zone in self.flags and state[self.flags[zone]] == 1 and zone not in self.own_zones:
                    zone = state[thing + was]
                if zone in self.seen_zones:
                    found.append((zone, *(state[p] for p in own_places)))
                else:
                    found.append(zone if zone < 0 else UNSEEN)
        return found


@dataclass(slots=True)
class Answer:
    """One answer of the true game."""

    seat: int
    code: int
    site: Site
    key: str
    options: tuple[int, ...] | None  # what could be answered, for the seat's own
    first: bool  # of a secret block
    race: int = 0  # the how manyth race of the game it was given in; 0: in none
    waits: bool = False  # in a race, it was left to the others


@dataclass(slots=True)
class Ledger:
    """What is known of a zone that the seat cannot look into, by the number of effects there had been."""

    known: list[tuple[int, int, int]] = field(default_factory=list)  # when, what, +1 came or -1 left
    blind: list[int] = field(default_factory=list)  # when something came of which the seat does not know what it was
    order: list[tuple[int, int | None]] = field(default_factory=list)  # what left, in order; None: not known
    shuffled: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Shown:
    """Something that was revealed to all."""

    step: int
    name: str
    base: int
    values: tuple[int, ...]


def word_for(number: int, of: int) -> int:
    """A word of chance that leads to this number of so many."""
    return -(-(number << 32) // of)


class Witness(Teller):
    """Plays the true game again and writes down what one seat learns."""

    __slots__ = (
        "answers",
        "before",
        "cells",
        "clock",
        "clocks",
        "glimpse",
        "glimpses",
        "ledgers",
        "look",
        "named",
        "open_cells",
        "places",
        "questions",
        "quiet",
        "racers",
        "races",
        "racing",
        "seat",
        "shown",
        "still_waiting",
        "told_words",
        "truth",
        "waiting",
        "was",
        "watched",
    )

    def __init__(self, table: Table, seat: int):
        game = table.game
        super().__init__(game, game.chance_words(table.seed), table.script)
        self.seat = seat
        self.glimpse = Glimpse(game, seat)
        self.glimpses: list[list[object]] = []
        self.answers: list[Answer] = []
        self.clock = 0
        self.clocks: list[int] = [0]  # at the beginning of each step
        self.questions: list[tuple[object, ...]] = []
        self.shown: list[Shown] = []
        self.still_waiting: list[int] = []  # in the block in which the last answer was given
        self.truth: list[tuple[str, int]] = []  # what the seat did not see: pieces that were drawn, answers
        self.told_words: list[int] = []
        self.ledgers: dict[int, Ledger] = {}
        self.named: set[int] = set()
        self.quiet = False  # somebody else answers in secret
        self.races = 0  # how many have begun
        self.racing = False  # the one in which the last answer was given goes on
        self.racers: tuple[int, ...] = ()  # who is still asked when the race goes on
        self.waiting: list[int] = []
        self.before: list[int] = game.first[:]
        self._places()
        self.watched = sorted({*self.cells, *self.open_cells, *self.places})  # where pieces can lie: all else may be as large as it likes
        self.look = itemgetter(*self.watched, PC, PC)  # always several
        self.was = self.look(self.before)

    def _places(self) -> None:
        """The counts of the zones that the seat cannot look into, and of the others."""
        game = self.game
        self.cells: dict[int, tuple[int, int]] = {}
        self.open_cells: dict[int, int] = {}
        for place, member in game.layout.zones.items():
            at = index_of(member, place)
            hidden = not sees(game, member, at, self.seat)
            if hidden:
                self.ledgers[place] = Ledger()
            for cell in range(place, place + member.width):
                sort = game.layout.sort_at[cell]
                if sort < 0 or game.world.sorts[sort].individual:
                    continue
                if hidden:
                    self.cells[cell] = (place, sort)
                else:
                    self.open_cells[cell] = sort
        where = game.world.places.get("place")
        self.places: dict[int, int] = {}
        if where is not None:
            low = where.dims[0][0]
            self.places = {where.base + t.id - low: t.id for t in game.world.things if t.sort >= 0}

    # -------------------------------------------------------------------------- what the rules tell

    def effect(self, S: list[int], number: int) -> None:
        if self.dry:
            return
        self.clock += 1
        now = self.look(S)
        changed = list(compress(self.watched, map(ne, now, self.was)))
        if changed and not self.quiet:
            self._moves(S, changed)
        for place in changed:
            self.before[place] = S[place]
        self.was = now

    def _moves(self, S: list[int], changed: list[int]) -> None:
        """Pieces have moved: those that came from or went where the seat looks, or were named, are known."""
        known: dict[int, int] = {}
        for cell in changed:
            if cell in self.open_cells:
                sort = self.open_cells[cell]
                known[sort] = known.get(sort, 0) + S[cell] - self.before[cell]
        for cell in changed:
            if cell in self.cells:
                zone, sort = self.cells[cell]
                self._counted(zone, sort, S[cell] - self.before[cell], known.get(sort, 0))
            elif cell in self.places:
                self._thing(self.places[cell], self.before[cell], S[cell])

    def _counted(self, zone: int, sort: int, change: int, seen: int) -> None:
        ledger = self.ledgers[zone]
        surely = abs(change) if sort in self.named else min(abs(change), max(0, seen if change < 0 else -seen))
        sign = 1 if change > 0 else -1
        ledger.known += [(self.clock, sort, sign)] * surely
        if change > 0:
            ledger.blind += [self.clock] * (change - surely)

    def _thing(self, thing: int, old: int, new: int) -> None:
        seen = thing in self.named or old not in self.ledgers or new not in self.ledgers
        if old in self.ledgers:
            if seen:
                self.ledgers[old].known.append((self.clock, thing, -1))
            self.ledgers[old].order.append((self.clock, thing if seen else None))
        if new in self.ledgers:
            if seen:
                self.ledgers[new].known.append((self.clock, thing, 1))
            else:
                self.ledgers[new].blind.append(self.clock)

    def draw(
        self,
        S: list[int],
        values: Sequence[int],
        weights: Sequence[int] | None,
        kind: Kind,
        what: str,
        target: int | None,
    ) -> int:
        index = super().draw(S, values, weights, kind, what, target)
        if target == UNTOLD:
            self._raced(values)
        elif not visible(self.items[-1], self.seat):
            piece = kind.form in ("piece", "thing")
            self.truth.append(("draw", self.token(values[index]) if piece else values[index]))
        before, together = (index, len(values)) if weights is None else (sum(weights[:index]), sum(weights))
        self.told_words.append(word_for(before, together))
        return index

    def _raced(self, left: Sequence[int]) -> None:
        """One of those who are left is asked: it is the same race exactly when all but the last one who waited are."""
        self.races += tuple(left) != self.racers
        self.racers = tuple(left)

    def _waited(self, site: Site, seat: int, code: int) -> None:
        self.racers = tuple(s for s in self.racers if s != seat) if waits(self.game, site, code) else ()

    def forced(self, S: list[int], pc: int, code: int) -> int:
        site = self.game.flow.sites[pc]
        if is_race(site):
            self._waited(site, self.game.seat_of(site, S), code)
        return super().forced(S, pc, code)

    def shuffle(self, S: list[int], items: Sequence[int], kind: Kind, what: str) -> list[int]:
        zone = self._lies_in(S, items[0], kind) if items else None
        if zone in self.ledgers:
            self.ledgers[zone].shuffled.append(self.clock)
        return super().shuffle(S, list(items), kind, what)

    def reveal(self, S: list[int], name: str, values: list[int], kind: Kind, asked: int) -> None:
        super().reveal(S, name, values, kind, asked)
        self.shown.append(Shown(len(self.answers), name, -1, tuple(values)))

    def reveal_member(self, S: list[int], name: str, places: Sequence[int]) -> None:
        super().reveal_member(S, name, places)
        width = member_called(self.game, name).width or 1
        for base in places:
            self.shown.append(Shown(len(self.answers), name, base, tuple(S[base : base + width])))
            for cell in range(base, base + width):
                if cell in self.cells:
                    zone, sort = self.cells[cell]
                    self.ledgers[zone].known += [(self.clock, sort, -1)] * S[cell]
                    self.ledgers[zone].known += [(self.clock, sort, 1)] * S[cell]

    # ------------------------------------------------------------------------------------ the answers

    def asked(self, state: list[int], codes: Iterable[int], seat: int, code: int) -> None:
        """An answer is about to be given."""
        site = self.game.flow.sites[state[PC]]
        if site.secret is None:
            drawn = self.game.seat_of(site, state)
            seat = drawn if seat < 0 else seat
            if seat != drawn:
                state = state[:]
                draw_instead(self.game, site, state, seat)
                codes = self.code.OPTIONS[site.number](state)
            options = tuple(codes)
        else:
            seat = state[LOADED] - 1 if seat < 0 else seat
            state = state[:]
            site = self.game.flow.sites[self.game.take_up(self.code, state, seat)]
            options = tuple(self.code.OPTIONS[site.number](state))
        waiting = self.game.waiting_seats(state)
        first = site.secret is not None and not (self.waiting and set(waiting) <= set(self.waiting))
        self.waiting = waiting
        own = options if seat == self.seat else None
        key = self.game.explainer.key(site, code, state)
        race, waited = self.races if is_race(site) else 0, waits(self.game, site, code)
        self.answers.append(Answer(seat, code, site, key, own, first, race, waited))
        if race:
            self._waited(site, seat, code)
        self.quiet = site.secret is not None and seat != self.seat
        if self.quiet:
            self.truth.append(("say", code))
        self.named = set() if self.quiet else set(self._tokens(site, code, state))

    def answered(self, state: list[int], codes: Iterable[int]) -> None:
        """An answer has been given; what the seat sees now."""
        self.quiet = False
        self.glimpses.append(self.glimpse.of(state))
        self.questions.append(self.question(state, codes))
        self.clocks.append(self.clock)

    def question(self, state: list[int], codes: Iterable[int]) -> tuple[object, ...]:
        """Who is asked, and what: the options only when the seat itself is."""
        game = self.game
        if state[PC] < 0:
            return ("over",)
        site = game.flow.sites[state[PC]]
        if is_race(site):
            own = dict(may_answer(game, site, state, codes)).get(self.seat)
            return (site.number, "race", None if own is None else tuple(own))
        if site.secret is None:
            asked = game.seat_of(site, state)
            return (site.number, asked, tuple(codes) if asked == self.seat else None)
        waiting = game.waiting_seats(state)
        if self.seat not in waiting:
            return ("in secret", tuple(waiting))
        loaded = state[:]
        number = game.take_up(self.code, loaded, self.seat)
        return ("in secret", tuple(waiting), number, tuple(self.code.OPTIONS[number](loaded)))

    def finish(self, state: list[int]) -> None:
        """The game has come so far: who has still to answer in a block that has begun."""
        waiting = self.game.waiting_seats(state)
        here = None if state[PC] < 0 else self.game.flow.sites[state[PC]]
        self.racing = is_race(here) and bool(self.answers) and self.answers[-1].race == self.races
        if self.answers and self.answers[-1].site.secret is not None and set(waiting) <= set(self.waiting):
            self.still_waiting = waiting

    def shown_after(self, at: int, end: int) -> list[Shown]:
        """What was revealed after a block, before it began once more."""
        secret = self.answers[at].site.secret
        again = next((n for n in range(end, len(self.answers)) if self.answers[n].site.secret is secret), 1 << 60)
        return [shown for shown in self.shown if at < shown.step <= again]

    @property
    def foreseen(self) -> list[int]:
        """The zones of which something is known that the seat cannot look into."""
        return [zone for zone, ledger in self.ledgers.items() if ledger.known]

    def _tokens(self, site: Site, code: int, state: list[int]) -> Iterator[int]:
        """The pieces that an answer names: sorts of counted ones, things."""
        decide = site.decide
        if isinstance(decide, ir.ChooseSome):
            assert site.bag_at is not None
            yield bag_sorts(self.game.world, decide.bag)[state[self.game.layout.slots[site.bag_at]]]
            return
        assert isinstance(decide, ir.Decide)
        number, values = self.game.explainer.decode(site, code)
        for bind, value in zip(decide.options[number].binds, values, strict=True):
            if isinstance(bind.set, ir.Combos):
                yield from (self.token(piece) for piece in unpack(value))
            elif bind.var.kind.form in ("piece", "thing"):
                yield self.token(value)

    def token(self, piece: int) -> int:
        """What tells a piece from others: its sort when it is counted, else itself."""
        return piece if piece >= FIRST_THING or piece < 0 else self.game.layout.sort_at[piece]

    @property
    def seen(self) -> list[Item]:
        """The seat's part of the log."""
        return [item for item in self.items if visible(item, self.seat)]
