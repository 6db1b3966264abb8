"""Which scenario notices a change: each is made in a copy of the ruleset, and scenarios are played until one fails."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ichiba.dsl.faults.fault import RulesetFaults
from ichiba.dsl.yaml.memory import Memory
from ichiba.interpreter.strangers import door
from ichiba.lab.coverage import marks_of, with_marks
from ichiba.lab.mutants.changes import Change, changes_in
from ichiba.lab.scenario_files import Scenario, scenario_files
from ichiba.lab.scenarios import Games, found_in, run

NOTICED, UNSEEN, REFUSED = "noticed", "unseen", "refused"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a change: a scenario has failed, or none has, or the checker takes it for no ruleset."""

    change: Change
    fate: str
    by: str = ""  # the scenario that has noticed it
    played: int = 0  # scenarios, of those that could have


class Unready(Exception):
    """As it stands the ruleset fails, or has nothing that could notice anything."""


@dataclass(frozen=True, slots=True)
class Course:
    """A scenario, the parts of the game that are switched on in it, and the lines that it comes by."""

    scenario: Scenario
    parts: frozenset[str]
    lines: frozenset[tuple[str, int]]

    def reads(self, change: Change) -> bool:
        """Whether the file of the change takes part."""
        return not _in_a_part(change) or Path(change.path.parts[1]).stem in self.parts

    def comes_by(self, change: Change) -> bool:
        low, high = change.rule
        return any(path.endswith(change.path.as_posix()) and low <= line <= high for path, line in self.lines)


def _in_a_part(change: Change) -> bool:
    """Whether its file is that of a module or a variant."""
    return change.path.parts[0] in ("modules", "variants")


# ------------------------------------------------------------------------------------------------ as it stands


def courses_of(folder: Path, changes: Iterable[Change]) -> list[Course]:
    """Every scenario that could notice one of them, played once as the rules stand. Raises `Unready` where one fails."""
    games, found = Games(folder, with_marks), []
    in_parts = all(_in_a_part(change) for change in changes)  # then the plain game reads none of them
    for scenarios, wrong in door.read_each((folder,), found_in, [(file,) for file in scenario_files(folder)]):
        if wrong:
            raise Unready(f"a file of scenarios cannot be read: {wrong[0].message}")
        could = [one for one in scenarios if one.setting.modules or one.setting.variants or not in_parts]
        found += [_course(scenario, games) for scenario in could]
    if not found:
        raise Unready("there are no scenarios, so nothing could be noticed")
    return found


def _course(scenario: Scenario, games: Games) -> Course:
    game = games(scenario.setting)
    marks = marks_of(game)
    marks.seen.clear()
    if not run(scenario, games).holds:
        raise Unready(f"as the rules stand `{scenario.name}` fails: mend that first")
    places = [marks.points[number].place.rsplit(":", 2) for number, _ in marks.seen]
    lines = frozenset((place[0], int(place[1])) for place in places if len(place) == 3)
    return Course(scenario, frozenset((*game.config.modules, *game.config.variants)), lines)


def chosen(folder: Path, within: str, most: int, seed: int) -> tuple[list[Change], int]:
    """So many changes in files with these words in their path, in the order of the files; and how many there are in all."""
    there = [change for change in changes_in(folder) if within in change.path.as_posix()]
    some = Random(seed).sample(range(len(there)), min(most, len(there)))
    return [there[at] for at in sorted(some)], len(there)


def witnesses(change: Change, courses: Iterable[Course]) -> list[Scenario]:
    """Who could notice a change; those that come by its rule first."""
    there = [course for course in courses if course.reads(change)]
    return [course.scenario for course in sorted(there, key=lambda course: not course.comes_by(change))]


# -------------------------------------------------------------------------------------------------- in a copy


class Copy:
    """A copy of a ruleset in which one change is made at a time."""

    def __init__(self, folder: Path, home: Path) -> None:
        hidden = shutil.ignore_patterns(".*", "__pycache__")
        self.folder = Path(shutil.copytree(folder, home / folder.name, ignore=hidden))
        self.memory = Memory()

    def outcome(self, change: Change, scenarios: Iterable[Scenario]) -> Outcome:
        """The first scenario that fails has noticed it."""
        with self._made(change):
            games, played = Games(self.folder), 0
            games.memory = self.memory
            for scenario in scenarios:
                try:
                    games(scenario.setting)
                except RulesetFaults:
                    return Outcome(change, REFUSED)
                played += 1
                if not run(scenario, games).holds:
                    return Outcome(change, NOTICED, scenario.name, played)
            return Outcome(change, UNSEEN, played=played)

    @contextmanager
    def _made(self, change: Change) -> Iterator[None]:
        path = self.folder / change.path
        text = path.read_bytes().decode("utf-8")
        path.write_bytes((text[: change.start] + change.words + text[change.end :]).encode())
        try:
            yield
        finally:
            path.write_bytes(text.encode())
