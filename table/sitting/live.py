"""One table that is being played. Whatever is done here is in the store before anybody hears of it.

Every method that changes something takes the request it is asked by, and gives the same answer when it is asked again.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Any

from ichiba.dsl.faults.fault import Faults, echoed
from ichiba.interpreter.run.decisions import Decision, IllegalMove
from ichiba.interpreter.run.race import is_race
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.lab.policies import UnknownPolicy, policies, policy
from ichiba.table.scene.look import look_of
from ichiba.table.scene.scene import Director
from ichiba.table.sitting.course import LONGEST_NAME, Course, Wish, voters
from ichiba.table.sitting.questions import name_of
from ichiba.table.sitting.refused import Refused, Seats, said
from ichiba.table.sitting.sight import Eyes, Sight, waiting
from ichiba.table.store.store import Place, Repeated, Request, Reused, StoredTable, Taken

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.table.sitting.setup import Setup
    from ichiba.table.store.store import Entry, Store

Entries = list[tuple[str, dict[str, Any]]]
WATCHING_ONLY = "you look on: only who has a seat can do that"
SEALED = "what is sealed stays so until all have answered"  # whether others have, nobody may learn
SHOWN = "something was drawn or shown since"
TRIES = 5  # where another server on the same store writes first

log = logging.getLogger("ichiba.table")


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Box:
    """A game, and who shows it."""

    game: Game
    director: Director

    @staticmethod
    def of(game: Game) -> Box:
        """Raises `RulesetFaults` where its look is wrong."""
        faults = Faults()
        look = look_of(game, faults)
        faults.raise_if_errors()
        return Box(game, Director(game, look, as_cards=True))


class LiveTable:
    """May be used by several threads."""

    def __init__(self, store: Store, stored: StoredTable, setup: Setup, box: Box):
        self.store, self.name, self.setup, self.box, self.game, self.director = store, stored.name, setup, box, box.game, box.director
        self.places: dict[str, Place] = {place.name: place for place in stored.places}
        self.lock = RLock()
        self.changes = 0  # how often anything has happened
        self.changed: list[Callable[[], None]] = []  # who wants to know when something has happened
        self._begin()

    def _begin(self) -> None:
        self.changes += 1
        self.course = Course(self.game, self.setup)
        self.eyes = Eyes(self.name, self.course, self.director)
        self._catch_up()

    def catch_up(self) -> None:
        """What another server on the same store has written."""
        with self.lock:
            new = self._catch_up()
        if new:
            self._tell()

    def _catch_up(self) -> bool:
        """Play what the store has and we have not; whether there was anything."""
        new = self.store.entries(self.name, self.course.number)
        for entry in new:
            self.changes += 1
            self._play_again(entry)
        return bool(new)

    def _play_again(self, entry: Entry) -> None:
        try:
            self.course.apply(entry.kind, entry.body)
        except (IllegalMove, RuleFault) as fault:
            raise Refused(
                500, f"the table cannot be set up again: entry {entry.number} no longer fits the rules ({fault})"
            ) from None

    def read_anew(self) -> None:
        """As the store has it now."""
        with self.lock:
            self._begin()
        self._tell()

    # ----------------------------------------------------------------------------------------------- looking

    def look(self, seat: int | None) -> Sight:
        with self.lock:
            return self.eyes.look(seat)

    def next_seat(self, place: Place, shown: int | None) -> int | None:
        """Of the seats of a place the one that is asked next; `shown` stays where it is asked, or where nobody of them is."""
        with self.lock:
            asked = [
                seat for seat in waiting(self.course.table) if seat in place.seats and seat not in self.course.bots
            ]
        if shown in asked or not asked:
            return shown if shown is not None else next(iter(place.seats), None)
        return asked[0]

    def waited_for(self) -> list[int]:
        """The people that the table waits for."""
        with self.lock:
            if self.course.table.over or self.course.table.fault is not None:
                return []
            return [seat for seat in waiting(self.course.table) if seat not in self.course.bots]

    def undo_of(self, place: Place) -> str:
        """What taking back would be for this place: `free`, `ask` the others, or nothing."""
        with self.lock:
            try:
                step = self._step_back(place)
            except Refused:
                return ""
            return "ask" if step[2] else "free"

    def may_vote(self, place: Place) -> Wish | None:
        """The wish that people of this place are asked about."""
        with self.lock:
            wish = self.course.wish
            if wish is None or not self._voters(wish) & set(place.seats):
                return None
            return wish

    # ----------------------------------------------------------------------------------------------- answering

    def answer(self, place: Place, request: Request, decision: str, key: str) -> dict[str, Any]:
        def work() -> tuple[Entries, dict[str, Any]]:
            asked = self._asked(place, decision)
            if asked.seat in self.course.bots:
                raise Refused(409, said("a bot plays for seat {seat}; take the seat back first", seat=asked.seat))
            reason = asked.table.why_not(key, asked.seat)
            if reason is not None:
                raise Refused(422, f"{echoed(key)}: {reason}", question=asked.question)
            self.eyes.before_answer(asked.seat)
            return [("answer", {"seat": asked.seat, "key": key})], {"answered": key}

        return self._do(place, request, work)

    def _asked(self, place: Place, name: str) -> Decision:
        """The decision of that name, if it is still there and this place's."""
        table, course = self.course.table, self.course
        if table.over:
            raise Refused(409, "the game is over", over=True)
        if table.fault is not None:
            raise Refused(409, said("the game has stopped: {why}", why=table.fault))
        pending = [one for one in table.pending if one.seat in place.seats]
        for one in pending:
            if name_of(self.name, course, one) == name:
                return one
        if pending:
            now = [name_of(self.name, course, one) for one in pending]
            raise Refused(409, "something has happened since: this is no longer what is asked", decisions=now)
        raise Refused(
            409, said("it is not your turn: the table waits for {seats}", seats=Seats.of(waiting(table)))
        )

    def answer_of_bot(self, seat: int, decision: str, key: str) -> bool:
        """A bot has thought about it; meanwhile the table may have gone on without it."""
        with self.lock:
            course = self.course
            there = next((one for one in course.table.pending if one.seat == seat), None)
            if seat not in course.bots or there is None or name_of(self.name, course, there) != decision:
                return False
            try:
                self._write([("answer", {"seat": seat, "key": key, "by": course.bots[seat]})], None, None)
            except Taken:
                return False
        self._tell()
        return True

    # ------------------------------------------------------------------------------------------------ going back

    def undo(self, place: Place, request: Request, ask: bool) -> dict[str, Any]:
        """Take back the last answer of this place; with `ask`, where that is not in its hands, the others are asked."""

        def work() -> tuple[Entries, dict[str, Any]]:
            seat, entry, others = self._step_back(place)
            if not others:
                return [entry], {"undone": True}
            if not ask:
                raise Refused(409, said("{why}; the others can be asked", why=others), ask=True)
            return [("ask", {"seat": seat, "to": entry[1]["to"]})], {"asked": True}

        return self._do(place, request, work)

    def _step_back(self, place: Place) -> tuple[int, tuple[str, dict[str, Any]], str]:
        """Whose answer, the entry that takes it back, and why the others must agree (nothing: they need not)."""
        course, table = self.course, self.course.table
        self._seated(place)
        numbered = reversed(list(enumerate(course.given)))
        mine = next((at for at, one in numbered if one.seat in place.seats and not one.by), None)
        if mine is None:
            raise Refused(409, "there is nothing to take back")
        seat = course.given[mine].seat
        site = table.site
        if site is not None and site.secret is not None and table.fault is None:
            if (begun := self._said_in_secret(place)) is not None:
                return begun, ("take back", {"seat": begun}), ""
            raise Refused(409, SEALED)
        entry = ("undo", {"to": mine})
        others = self._voters(Wish(seat, mine))
        if not others:
            return seat, entry, ""
        own, behind = course.given[mine], course.given[mine + 1 :]
        if own.sealed and is_race(site) and all(one.sealed for one in behind):
            raise Refused(409, SEALED)
        if any(not one.by and not one.sealed for one in behind):
            return seat, entry, "somebody else has answered since"
        if own.sealed:  # whether others have sealed theirs later, nobody may learn
            return seat, entry, SHOWN
        if self.eyes.brought_to_light(mine) or table.over:
            return seat, entry, SHOWN
        return seat, entry, ""

    def _said_in_secret(self, place: Place) -> int | None:
        """In a secret block: the seat of this place that has begun to answer and is not done."""
        pending = (one.seat for one in self.course.table.pending)
        return next((seat for seat in pending if seat in place.seats and self.course.has_said(seat)), None)

    def vote(self, place: Place, request: Request, agrees: bool) -> dict[str, Any]:
        """What the people of a place say to a wish; when all have agreed it comes true."""

        def work() -> tuple[Entries, dict[str, Any]]:
            self._seated(place)
            wish = self.course.wish
            if wish is None:
                raise Refused(409, "nobody asks for that any more")
            mine = sorted(self._voters(wish) & set(place.seats))
            if not mine:
                raise Refused(409, "you have said what you think of it")
            entries: Entries = [("vote", {"seat": seat, "agrees": agrees}) for seat in mine]
            if agrees and not self._voters(wish) - set(mine):
                entries.append(("undo", {"to": wish.to}))
            return entries, {"agreed": agrees}

        return self._do(place, request, work)

    def _voters(self, wish: Wish) -> set[int]:
        return voters(self.course, wish, [place.seats for place in self.places.values()])

    # ------------------------------------------------------------------------------------------------- who plays

    def seat_bot(self, place: Place, request: Request, seat: int, name: str | None, away: bool) -> dict[str, Any]:
        """A bot plays for a seat, or (None) hands it back to whom it belongs. `away`: nobody is there for that seat."""

        def work() -> tuple[Entries, dict[str, Any]]:
            self._seated(place)
            if not 1 <= seat <= self.game.seats:
                raise Refused(422, said("there are seats 1 to {seats}", seats=self.game.seats))
            mine = seat in place.seats
            if name is None and not mine:
                raise Refused(403, said("seat {seat} is not yours", seat=seat))
            if name is None and seat not in self.course.bots:
                raise Refused(409, said("no bot plays for seat {seat}", seat=seat))
            if name is not None and not mine and not away:
                raise Refused(403, said("whoever sits at seat {seat} is there", seat=seat))
            if name is not None and seat in self.course.bots:
                raise Refused(409, said("a bot plays for seat {seat} already", seat=seat))
            if name is not None:
                self._known_policy(name)
            return [("bot", {"seat": seat, "policy": name})], {"seat": seat, "bot": name}

        return self._do(place, request, work)

    def take_over(self, seat: int, name: str) -> None:
        """A bot takes over a seat at which nobody has been for long."""
        with self.lock:
            if seat in self.course.bots or self.course.table.over:
                return
            try:
                self._write([("bot", {"seat": seat, "policy": name})], None, None)
            except Taken:
                return
        self._tell()

    def _known_policy(self, name: str) -> None:
        try:
            policy(self.game, name, "")
        except UnknownPolicy as unknown:
            raise Refused(422, str(unknown)) from None

    def policies(self) -> list[str]:
        """Those a bot can have, the usual one first."""
        return policies(self.game)

    def call(self, place: Place, request: Request, seat: int, name: str) -> dict[str, Any]:
        """What somebody is called at a seat of theirs."""

        def work() -> tuple[Entries, dict[str, Any]]:
            if seat not in place.seats:
                raise Refused(403, said("seat {seat} is not yours", seat=seat))
            shown = " ".join(name.split())
            if len(shown) > LONGEST_NAME or not shown.isprintable():
                raise Refused(422, said("a name has at most {most} characters that can be printed", most=LONGEST_NAME))
            return [("name", {"seat": seat, "name": shown})], {"name": shown}

        return self._do(place, request, work)

    def new_secret(self, place: Place, other: str, secret: bytes) -> None:
        """A new link for a place: whoever has the old one is out. Whoever has set up the table gives them, and everybody their own."""

        def work() -> tuple[Entries, dict[str, Any]]:
            if other not in self.places or place.name not in (other, self.setup.host):
                raise Refused(403, "only whoever has set up the table gives others a new link")
            return [("link", {"place": other, "old": self.places[other].secret.hex()})], {}

        with self.lock:
            self._do(place, None, work)
            self.store.change_place_secret(self.name, other, secret)
            self.places[other] = Place(other, self.places[other].seats, secret)
        self._tell()  # whoever listens with the old one

    def _seated(self, place: Place) -> None:
        if not place.seats:
            raise Refused(403, WATCHING_ONLY)

    # -------------------------------------------------------------------------------------------------- writing

    def _do(
        self, place: Place, request: Request | None, work: Callable[[], tuple[Entries, dict[str, Any]]]
    ) -> dict[str, Any]:
        """Ask the rules, write it down, then do it. Asked again, the first answer is given."""
        with self.lock:
            try:
                self._catch_up()
                for _ in range(TRIES):
                    # Looked for behind what has been read: what another server answers from here on, writing it down will tell.
                    if request is not None and (first := self.store.asked_before(self.name, request)) is not None:
                        return first
                    if not place.seats:
                        raise Refused(403, WATCHING_ONLY)
                    entries, answer = work()
                    try:
                        self._write(entries, request, answer if request is not None else None)
                        break
                    except Taken:  # and what was written has been read
                        continue
                else:
                    raise Refused(503, "too many are writing to this table; try again")
            except Repeated as told:  # another server on the same store has answered it in this moment
                answer = told.answer
            except Reused:
                raise Refused(422, "this request was used for something else; give each a name of its own") from None
        self._tell()
        return answer

    def _write(
        self, entries: Sequence[tuple[str, dict[str, Any]]], request: Request | None, answer: dict[str, Any] | None
    ) -> None:
        """Played first, since only that shows what a rule does; what could not be written is forgotten again."""
        number = self.course.number + 1
        self.changes += 1
        try:
            for kind, body in entries:
                self.course.apply(kind, body)
            self.store.append(self.name, number, entries, request, answer)
        except IllegalMove as refused:
            self._begin()
            raise Refused(422, str(refused)) from None
        except RuleFault as fault:
            log.warning("table %s has stopped: %s", self.name[:6], fault)
            self.course.table.fault = fault
            self._tell()
            raise Refused(409, said("the game has stopped: {why}", why=fault)) from None
        except BaseException:
            self._begin_again()
            raise

    def _begin_again(self) -> None:
        """As the store has it. If even that cannot be read, the table is as useless as before: nothing more can be done with it."""
        try:
            self._begin()
        except Exception:
            log.exception("table %s cannot be read again", self.name[:6])
            raise

    def _tell(self) -> None:
        for heard in list(self.changed):
            heard()


def digest(asked: Mapping[str, Any]) -> str:
    """Of what a request asks for."""
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
