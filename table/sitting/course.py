"""What has happened at a table: its entries, played one after the other. Equal entries make equal tables.

answer     {"seat": 2, "key": "buy/3", "by": "sensible"}     `by` where a bot has answered
take back  {"seat": 2}                                       in a secret block: what this seat has said in it so far
undo       {"to": 14}                                        only the first 14 answers stand
ask        {"seat": 2, "to": 14}                             whether the others agree to that
vote       {"seat": 3, "agrees": true}
bot        {"seat": 2, "policy": "sensible"}                 a bot takes a seat over, or (null) hands it back
name       {"seat": 2, "name": "Anna"}
link       {"place": "2", "old": "5d41…"}                    a place has a new secret; the hash of the old one
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ichiba.interpreter.run.race import is_race, waits
from ichiba.interpreter.saves.records import Block

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table
    from ichiba.table.sitting.setup import Setup

LONGEST_NAME = 24
MOST_ALIKE = 8_192  # answers that are one object at all tables


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that stands. `moves`: how many it is for the engine, which counts each question of a lot."""

    seat: int
    key: str
    moves: int
    by: str = ""  # the bot
    sealed: bool = False  # nobody else knows of it: it was given in a secret block, or left a race to the others


_given = lru_cache(MOST_ALIKE)(Given)


@dataclass(slots=True)
class Wish:
    """Somebody would like to go back; the others have not all said what they think of it."""

    seat: int
    to: int
    agreed: set[int] = field(default_factory=set)


class Course:
    """A table, and who sits there."""

    def __init__(self, game: Game, setup: Setup):
        self.game = game
        self.table: Table = game.start(setup.seed)
        self.given: list[Given] = []
        self.number = 0  # of the last entry
        self.undone: Counter[int] = Counter()  # how often something was taken back, by the seat that knows of it
        self.bots: dict[int, str] = dict(setup.bots)
        self.names: dict[int, str] = dict(setup.names)
        self.wish: Wish | None = None
        self.worthless: dict[str, set[str]] = {}  # hashes of secrets that were, by place
        self.block: Block | None = None  # the secret block that is running; nothing where nobody has asked since something was taken back

    def copy_at(self, answers: int) -> Table:
        """The table as it was after so many answers."""
        table = self.table.copy()
        moves = sum(one.moves for one in self.given[answers:])
        if moves:
            table.undo(moves)
        return table

    def people(self) -> list[int]:
        """The seats at which nobody's bot sits."""
        return [seat for seat in range(1, self.game.seats + 1) if seat not in self.bots]

    def has_said(self, seat: int) -> bool:
        """Whether a seat has answered in the secret block that is running."""
        if self.block is None:
            self.block = Block.of(self.table)
        return self.block.said(self.table, seat - 1)

    def apply(self, kind: str, body: Mapping[str, Any]) -> None:
        """The next entry. An answer that the rules refuse raises `IllegalMove` or `RuleFault` and changes nothing."""
        match kind:
            case "answer":
                self._answer(body["seat"], body["key"], body.get("by", ""))
            case "take back":
                self._take_back(body["seat"])
            case "undo":
                self._undo(body["to"])
            case "ask":
                self.wish = Wish(body["seat"], body["to"])
            case "vote":
                self._vote(body["seat"], body["agrees"])
            case "bot":
                self._bot(body["seat"], body["policy"])
            case "name":
                self.names[body["seat"]] = body["name"]
            case "link":
                self.worthless.setdefault(body["place"], set()).add(body["old"])
            case _:
                raise ValueError(f"an entry of a kind that this Ichiba does not know: {kind}")
        self.number += 1

    def _answer(self, seat: int, key: str, by: str) -> None:
        table, site = self.table, self.table.site
        before, left = len(table.history), is_race(site) and self._leaves_it(seat, key)
        sealed = left or (site is not None and site.secret is not None)
        table.play(key, seat)
        self.given.append(_given(seat, key, len(table.history) - before, by, sealed))
        if self.block is not None:
            self.block.answered(table)
        if by:  # a bot plays on while people make up their minds; its answers are taken back with the rest
            return
        if not (left and table.site is site):  # else somebody would learn that this seat has left the race
            self.wish = None

    def _leaves_it(self, seat: int, key: str) -> bool:
        """Whether this answer leaves a race to the others."""
        asked = next((one for one in self.table.pending if one.seat == seat), None)
        keys = asked.keys() if asked is not None else []
        return asked is not None and key in keys and waits(self.game, asked.site, asked.codes[keys.index(key)])

    def _take_back(self, seat: int) -> None:
        before, self.block = len(self.table.history), None
        self.table.take_back(seat)
        gone = before - len(self.table.history)
        for at in range(len(self.given) - 1, -1, -1):
            if gone and self.given[at].seat == seat:
                gone -= self.given.pop(at).moves
        self.undone[seat] += 1  # the others must not know

    def _undo(self, to: int) -> None:
        moves = sum(one.moves for one in self.given[to:])
        if moves:
            self.table.undo(moves)
            self.block = None
        del self.given[to:]
        self.undone.update(range(1, self.game.seats + 1))
        self.wish = None

    def _vote(self, seat: int, agrees: bool) -> None:
        if self.wish is not None and agrees:
            self.wish.agreed.add(seat)
        else:
            self.wish = None

    def _bot(self, seat: int, policy: str | None) -> None:
        if policy is None:
            self.bots.pop(seat, None)
        else:
            self.bots[seat] = policy


def voters(course: Course, wish: Wish, places: Sequence[tuple[int, ...]]) -> set[int]:
    """The people who have yet to say whether they agree. Who shares a place with whoever asks is not asked."""
    own = next((seats for seats in places if wish.seat in seats), (wish.seat,))
    return set(course.people()) - set(own) - wish.agreed
