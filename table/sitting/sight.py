"""All that one seat (or whoever looks on) sees of a table at one moment. Everything a page shows is made of it, and of nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ichiba.interpreter.run.race import is_race, seats_of
from ichiba.interpreter.sight.figures import Figures
from ichiba.interpreter.sight.views import view_of, visible
from ichiba.table.scene.cards import in_language
from ichiba.table.scene.scene import Director, Flat, Scene
from ichiba.table.scene.story import Item, Line, Story, lines
from ichiba.table.sitting.questions import Question, question_of
from ichiba.table.terminal.result import scored

if TYPE_CHECKING:
    from ichiba.interpreter.run.table import Table
    from ichiba.table.sitting.course import Course


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the story; `fresh`: it came since this seat's last answer."""

    words: str
    fresh: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """How the game has ended. `rows`: what was scored, for what, by seat."""

    words: str
    rows: tuple[tuple[str, tuple[int | None, ...]], ...]
    totals: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Sight:
    seat: int | None
    seats: int
    title: str
    scene: Scene
    question: Question | None  # that this seat is asked
    waiting: tuple[int, ...]  # the seats that the table waits for
    story: tuple[Told, ...]
    names: Mapping[int, str]  # who sits where
    bots: Mapping[int, str]
    steps: tuple[int, ...]  # after how many answers each moment was that this seat can look back to
    ended: Ended | None
    fault: str  # why the game cannot go on


@dataclass(slots=True)
class Heard:
    """What one seat has been told so far: lines that nothing is added to any more, and the events of the last one."""

    known: int = 0  # events
    lines: list[Line] = field(default_factory=list)
    last: list[Item] = field(default_factory=list)


class Eyes:
    """Looks at one table for those who sit there. It remembers how things stood when each seat last answered."""

    def __init__(self, name: str, course: Course, director: Director):
        self.name, self.course, self.director = name, course, director
        self.story = Story(course.table)
        self.heard: dict[int | None, Heard] = {}
        self.told_by = self.story.replay
        self.stood: dict[int, tuple[int, Flat]] = {}  # by seat: how many answers it had given, and how things stood then

    def look(self, seat: int | None) -> Sight:
        course, table = self.course, self.course.table
        since = self._heard(seat)
        question = next((question_of(self.name, course, one) for one in table.pending if one.seat == seat), None)
        told = tuple(Told(line.words, line.last > since) for line in self._lines(seat))
        title = in_language(table.game.box.title, table.game.lang) or table.game.name
        return Sight(
            seat, table.game.seats, title, self._scene(table, seat, self._before(seat)),
            question, tuple(waiting(table)), told, dict(course.names), dict(course.bots), self.steps(seat),
            self._ended(self.story.items(seat)) if table.over else None, str(table.fault) if table.fault is not None else "",
        )  # fmt: skip

    def steps(self, seat: int | None) -> tuple[int, ...]:
        """After each answer that this seat knows of, how many there had been: the number of secret ones would tell."""
        self.story.catch_up()
        items, ends, moves = self.story.replay.teller.items, self.story.ends, 0
        found = []
        for number, one in enumerate(self.course.given, 1):
            told = items[ends[moves] : ends[moves + one.moves]]
            moves += one.moves
            if any(item["event"] == "decision" and visible(item, None if seat is None else seat - 1) for item in told):
                found.append(number)
        return tuple(found)

    def look_back(self, seat: int | None, answers: int) -> tuple[Scene, tuple[Told, ...]]:
        """How it was after so many answers, as this seat saw it, and what had happened last."""
        table = self.course.copy_at(answers)
        then = lines(table.game, Story(table).items(seat), scores=False)
        return self._scene(table, seat, None), tuple(Told(line.words, False) for line in then)

    def before_answer(self, seat: int) -> None:
        """This seat is about to answer: what it sees now is what changes are told from."""
        scene = self._scene(self.course.table, seat, None)
        self.stood[seat] = self._given_by(seat) + 1, scene.flat

    def _given_by(self, seat: int) -> int:
        return sum(one.seat == seat for one in self.course.given)

    def _before(self, seat: int | None) -> Flat | None:
        """How things stood when this seat last answered; looked up by playing again where nobody remembers."""
        if seat is None or not (given := self._given_by(seat)):
            return None
        known = self.stood.get(seat)
        if known is None or known[0] != given:
            last = max(at for at, one in enumerate(self.course.given) if one.seat == seat)
            known = self.stood[seat] = given, self._scene(self.course.copy_at(last), seat, None).flat
        return known[1]

    def _heard(self, seat: int | None) -> int:
        """The number of the last event before this seat's last answer."""
        history = self.course.table.history
        at = max((n for n, (whose, _) in enumerate(history) if whose + 1 == seat), default=None)
        return 0 if at is None else self.story.happened_since(at)

    def _scene(self, table: Table, seat: int | None, before: Flat | None) -> Scene:
        return self.director.scene(view_of(table, seat, log=False), before, False, None, Figures(table, seat))

    def _lines(self, seat: int | None) -> list[Line]:
        """The whole story. Only what has come since the last time is put into words."""
        self.story.catch_up()
        if self.told_by is not self.story.replay:  # something was taken back
            self.heard.clear()
            self.told_by = self.story.replay
        heard = self.heard.setdefault(seat, Heard())
        heard.last += self.story.items(seat, since=heard.known)
        heard.known = len(self.told_by.teller.items)
        found = lines(self.course.game, heard.last, scores=False)
        heard.lines += found[:-1]
        heard.last = [item for item in heard.last if item["event"] != "end" and (not found or item["number"] >= found[-1].first)]
        return [*heard.lines, *found[-1:]]

    def _ended(self, items: list[dict[str, object]]) -> Ended:
        table = self.course.table
        title = in_language(table.game.box.endings.get(str(table.ending), {}), table.game.lang)
        seats = range(1, table.game.seats + 1)
        rows = tuple((what, tuple(row.get(seat) for seat in seats)) for what, row in scored(items).items())
        return Ended(title, rows, tuple(table.scores[seat] for seat in seats), tuple(map(tuple, table.ranking)))


def waiting(table: Table) -> list[int]:
    """The seats that the table waits for. Who of them has left a race to the others, nobody sees."""
    site = table.site
    if site is not None and is_race(site):
        return [seat + 1 for seat in seats_of(table.game, site, table.state)]
    return [decision.seat for decision in table.pending]
