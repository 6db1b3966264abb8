"""What has been told at a table, seat by seat, in lines. Only the last ones are held: earlier ones are told again from the beginning of the
game when somebody asks for them. Of each answer it is kept who knows of it, and whether it brought anything to light."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ichiba.interpreter.sight.views import visible
from ichiba.table.scene.telling.story import Item, Line, Story, lines, only_possible
from ichiba.table.terminal.result import scored

if TYPE_CHECKING:
    from ichiba.interpreter.run.table import Table
    from ichiba.table.sitting.course import Given

HELD = 24  # lines of each seat
PAGE = 100  # earlier lines that are told at once
MOST_UNHEARD = 400  # events that wait for a seat from which nobody looks

Rows = dict[str, dict[int, int]]  # what was scored for what, by seat


@dataclass(slots=True)
class Heard:
    """What one seat has been told so far: the last lines, and the events of the very last one, to which more may be added."""

    known: int = 0  # events
    gone: int = 0  # lines that are no longer held
    lines: list[Line] = field(default_factory=list)
    last: list[Item] = field(default_factory=list)
    only: tuple[str, ...] = ()  # what was done for this seat, since nothing else was possible


@dataclass(slots=True)
class Steps:
    """The moments that one seat can look back to, as far as the answers have been gone through."""

    answers: int = 0
    moves: int = 0  # that the engine counts for them
    numbers: array[int] = field(default_factory=lambda: array("I"))


class Ears:
    """Hears what happens at one table. `knows`: for each answer that the engine counts, who knows of it, a bit for each seat and the lowest
    for whoever looks on; `brought`: whether something was drawn or shown by it."""

    def __init__(self, table: Table):
        self.table, self.game = table, table.game
        self.story = Story(table)
        self._begin()

    def _begin(self) -> None:
        self.replay = self.story.replay
        self.heard: dict[int | None, Heard] = {}
        self.rows: dict[int | None, Rows] = {}
        self.knows: list[int] = []
        self.brought = bytearray()
        self.known: dict[int | None, Steps] = {}
        self.before: dict[int, int] = {}  # by seat: how much had happened before its last answer

    def catch_up(self) -> None:
        story = self.story
        story.catch_up()
        if self.replay is not story.replay:  # something was taken back
            self._begin()
        for at in range(len(self.knows), len(self.table.history)):
            told = story.told_by(at)
            self.before[self.table.history[at][0] + 1] = story.happened_since(at)
            self.knows.append(self._who_knows(told))
            self.brought.append(any(item["event"] in ("chance", "reveal") for item in told))

    def _who_knows(self, told: list[Item]) -> int:
        answers = [item for item in told if item["event"] == "decision"]
        seats = (None, *range(self.game.seats))
        return sum(1 << bit for bit, seat in enumerate(seats) if any(visible(item, seat) for item in answers))

    # ------------------------------------------------------------------------------------------------ lines

    def lines(self, seat: int | None) -> Heard:
        """The last lines of this seat. Only what has come since the last time is put into words."""
        self.catch_up()
        heard = self.heard.get(seat)
        story = self.story
        if heard is None:  # of what is no longer held somebody else has to tell
            heard = self.heard[seat] = Heard()
            story = Story(self.table) if story.gone else story
        heard.last += story.items(seat, since=heard.known)
        heard.known = self.story.happened
        found = lines(self.game, heard.last, scores=False)
        heard.last = [item for item in heard.last if item["event"] != "end" and (not found or item["number"] >= found[-1].first)]
        held = [*heard.lines, *found]
        heard.lines = held[len(held) - min(len(held), HELD) : len(held) - len(found[-1:])]
        heard.gone += max(0, len(held) - HELD)
        self._let_go()
        return Heard(heard.known, heard.gone, [*heard.lines, *found[-1:]], only=tuple(only_possible(heard.last, seat)))

    def _let_go(self) -> None:
        """Of what everybody has heard, and of who has not listened for long: they are told again when they come."""
        if self.story.happened - self.story.gone > MOST_UNHEARD:
            self.heard = {seat: one for seat, one in self.heard.items() if one.known == self.story.happened}
        if all(one.known == self.story.happened for one in self.heard.values()):
            self.story.let_go()

    def earlier(self, seat: int | None, before: int) -> tuple[int, list[Line]]:
        """A page of the lines in front of the first so many, and how many there are in front of it."""
        found = lines(self.game, Story(self.table).items(seat), scores=False)[: max(0, before)]
        return max(0, len(found) - PAGE), found[-PAGE:]

    def steps(self, seat: int | None, given: Sequence[Given]) -> Sequence[int]:
        """After each answer that this seat knows of, how many there had been."""
        self.catch_up()
        found, bit = self.known.setdefault(seat, Steps()), 1 << (seat or 0)
        for one in given[found.answers :]:
            found.answers += 1
            if any(who & bit for who in self.knows[found.moves : found.moves + one.moves]):
                found.numbers.append(found.answers)
            found.moves += one.moves
        return found.numbers

    def since(self, seat: int | None) -> int:
        """The number of the last event before this seat's last answer."""
        self.catch_up()
        return self.before.get(seat or 0, 0)

    def scored(self, seat: int | None) -> Rows:
        """When the game is over: what was scored for what."""
        if seat not in self.rows:
            self.rows[seat] = scored(Story(self.table).items(seat))
        return self.rows[seat]


__all__ = ["PAGE", "Ears", "Heard"]
