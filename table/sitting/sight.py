"""All that one seat (or whoever looks on) sees of a table at one moment. Everything a page shows is made of it, and of nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ichiba.interpreter.run.race import is_race, seats_of
from ichiba.interpreter.sight.figures import Figures
from ichiba.interpreter.sight.following import Follower
from ichiba.interpreter.sight.views import view_of
from ichiba.table.scene.cards import in_language
from ichiba.table.scene.scene import Director
from ichiba.table.scene.sections import Flat, Kept, Scene
from ichiba.table.sitting.ears import Ears
from ichiba.table.sitting.questions import Question, question_of

if TYPE_CHECKING:
    from ichiba.interpreter.run.table import Table
    from ichiba.table.sitting.course import Course


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the story; `fresh`: it came since this seat's last answer, and tells of somebody else."""

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
    only: tuple[str, ...]  # what was done for it behind its last answer, since nothing else was possible
    story: tuple[Told, ...]  # its last lines
    earlier: int  # how many there were before them
    names: Mapping[int, str]  # who sits where
    bots: Mapping[int, str]
    steps: tuple[int, ...]  # after how many answers each moment was that this seat can look back to
    ended: Ended | None
    fault: str  # why the game cannot go on


class Eyes:
    """Looks at one table for those who sit there. It remembers how things stood when each seat last answered."""

    def __init__(self, name: str, course: Course, director: Director):
        self.name, self.course, self.director = name, course, director
        self.ears = Ears(course.table)
        self.stood: dict[int, tuple[int, Flat]] = {}  # by seat: how many answers it had given, and how things stood then
        self.seen: dict[int | None, tuple[Follower, Kept]] = {}  # by seat: what it has seen last, and what was made of that

    def look(self, seat: int | None) -> Sight:
        course, table = self.course, self.course.table
        heard, since = self.ears.lines(seat), self.ears.since(seat)
        question = next((question_of(self.name, course, one) for one in table.pending if one.seat == seat), None)
        names = course.names
        told = tuple(Told(line.by_name(names), line.last > since and not (seat and line.seat == seat)) for line in heard.lines)
        title = in_language(table.game.box.title, table.game.lang) or table.game.name
        return Sight(
            seat, table.game.seats, title, self._scene(seat, self._before(seat)),
            question, tuple(waiting(table)), heard.only, told, heard.gone, dict(course.names), dict(course.bots), self.steps(seat),
            self._ended(seat) if table.over else None, str(table.fault) if table.fault is not None else "",
        )  # fmt: skip

    def steps(self, seat: int | None) -> tuple[int, ...]:
        """After each answer that this seat knows of, how many there had been: the number of secret ones would tell."""
        return tuple(self.ears.steps(seat, self.course.given))

    def brought_to_light(self, since: int) -> bool:
        """Whether anything was drawn or shown by the answers behind the first so many."""
        self.ears.catch_up()
        return any(self.ears.brought[-sum(one.moves for one in self.course.given[since:]) :])

    def look_back(self, seat: int | None, answers: int) -> tuple[Scene, tuple[Told, ...], int]:
        """How it was after so many answers, as this seat saw it, and what had happened last."""
        table = self.course.copy_at(answers)
        then = Ears(table).lines(seat)
        return self._scene_of(table, seat), tuple(Told(line.by_name(self.course.names), False) for line in then.lines), then.gone

    def before_answer(self, seat: int) -> None:
        """This seat is about to answer: what it sees now is what changes are told from."""
        self.stood[seat] = self._given_by(seat) + 1, self._scene(seat, None, marked=False).flat

    def _given_by(self, seat: int) -> int:
        return sum(one.seat == seat for one in self.course.given)

    def _before(self, seat: int | None) -> Flat | None:
        """How things stood when this seat last answered; looked up by playing again where nobody remembers."""
        if seat is None or not (given := self._given_by(seat)):
            return None
        known = self.stood.get(seat)
        if known is None or known[0] != given:
            last = max(at for at, one in enumerate(self.course.given) if one.seat == seat)
            known = self.stood[seat] = given, self._scene_of(self.course.copy_at(last), seat).flat
        return known[1]

    def _scene(self, seat: int | None, before: Flat | None, marked: bool = True) -> Scene:
        """As it is now. What has not changed since this seat's last look is what it was then. Not `marked`: nobody is shown it."""
        table = self.course.table
        if seat not in self.seen:
            self.seen[seat] = Follower(table, seat), Kept()
        follower, kept = self.seen[seat]
        return self.director.scene(
            follower.view(), before, False, None, Figures(table, seat), kept if marked else replace(kept, sections={}, cards={})
        )  # fmt: skip

    def _scene_of(self, table: Table, seat: int | None) -> Scene:
        """At another table: as it was."""
        return self.director.scene(view_of(table, seat, log=False), None, False, None, Figures(table, seat))

    def _ended(self, seat: int | None) -> Ended:
        table = self.course.table
        title = in_language(table.game.box.endings.get(str(table.ending), {}), table.game.lang)
        seats = range(1, table.game.seats + 1)
        rows = tuple((what, tuple(row.get(seat) for seat in seats)) for what, row in self.ears.scored(seat).items())
        return Ended(title, rows, tuple(table.scores[seat] for seat in seats), tuple(map(tuple, table.ranking)))


def waiting(table: Table) -> list[int]:
    """The seats that the table waits for. Who of them has left a race to the others, nobody sees."""
    site = table.site
    if site is not None and is_race(site):
        return [seat + 1 for seat in seats_of(table.game, site, table.state)]
    return [decision.seat for decision in table.pending]
