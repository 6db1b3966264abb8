"""Whatever a ruleset hides, and whatever it reveals, some scenario of its own looks at: with `sees:`, from both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

import ichiba
from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import reached_procedures, steps
from ichiba.dsl.world.world import Member
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.sight.views import hiding_word, owner_who_sees
from ichiba.lab.scenario_files import Scenario, scenario_files, sound_scenarios
from ichiba.lab.scenarios import Course, Games
from tests.depth import AFew

RULESETS = sorted(rulesets())


Settings = Callable[[str], tuple[Game, ...]]


@pytest.fixture(scope="module")
def settings(a_few: AFew) -> Settings:
    """The game alone, with each module and variant, and with each flag of its options turned."""

    @cache
    def settings_of(name: str) -> tuple[Game, ...]:
        folder = rulesets()[name]
        alone = ichiba.load(folder)
        modules = sorted(p.parent.name for p in folder.glob("modules/*/module.yaml"))
        variants = sorted(p.stem for p in folder.glob("variants/*.yaml"))
        flags = {flag: not value for flag, (value, kind) in alone.world.options.items() if kind.form == "flag"}
        ways: list[dict[str, Any]] = [{"modules": [m]} for m in modules] + [{"variants": [v]} for v in variants]
        ways += [{"options": {flag: value}} for flag, value in flags.items()]
        return alone, *(ichiba.load(folder, **way) for way in a_few(ways, 3))

    return settings_of


class Followed(Course):
    """A scenario being played, with the procedures that were gone through and those that have asked."""

    def __init__(self, scenario: Scenario, game: Game):
        self.asked: set[str] = set()
        super().__init__(scenario, game)

    def _heard(self, act: Callable[[], object]) -> None:
        if self.table.site is not None:
            self.asked.add(self.table.site.procedure.name)
        super()._heard(act)

    @property
    def gone(self) -> set[str]:
        program = self.game.program
        return self.asked | {program.procedures[number].name for number in self.teller.covered if number >= 0}


@cache
def played(name: str) -> tuple[tuple[Scenario, Followed], ...]:
    """Every scenario that says who sees what, played and judged."""
    folder = rulesets()[name]
    game_of = Games(folder)
    made: list[tuple[Scenario, Followed]] = []
    for file in scenario_files(folder):
        for scenario in sound_scenarios(file, Faults()):
            if scenario.sees:
                course = Followed(scenario, game_of(scenario.setting))
                course.go()
                assert not course.judge(), scenario.name
                made.append((scenario, course))
    return tuple(made)


def hidden(game: Game) -> Iterator[Member]:
    """What others, or all, may not see in this setting, and what can be there at all."""
    for member in game.world.members():
        if hiding_word(game, member) is not None and member.size:
            yield member


def looks(name: str, wanted: str, seen: bool) -> Iterator[int | None]:
    """Who looks at this in some scenario, and sees it or not."""
    for _, course in played(name):
        for seat, named in course.looked.items():
            if (wanted, seen) in named:
                yield seat


def revealed(game: Game) -> Iterator[tuple[ir.Procedure, ir.Reveal]]:
    for procedure in reached_procedures(game.program):
        if procedure.body is not None:
            yield from ((procedure, s) for s in steps(procedure.body) if isinstance(s, ir.Reveal))


@pytest.mark.parametrize("name", RULESETS)
def test_everything_hidden_is_looked_at_by_who_may_see_it_and_by_who_may_not(name: str, settings: Settings) -> None:
    lacking = []
    for member in dict.fromkeys((game, member) for game in settings(name) for member in hidden(game)):
        game, place = member
        if not any(True for _ in looks(name, place.full_name, False)):
            lacking.append(f"{place.full_name}: nobody looks at it in vain")
        word = hiding_word(game, place)
        owned = word is not None and owner_who_sees(place, word) is not None
        if owned and not any(seat is not None for seat in looks(name, place.full_name, True)):
            lacking.append(f"{place.full_name}: no seat sees its own")
    assert not lacking, "\n".join(dict.fromkeys(lacking))


@pytest.mark.parametrize("name", RULESETS)
def test_every_reveal_is_looked_at_when_it_has_happened(name: str, settings: Settings) -> None:
    """By somebody who would not see it else: a spectator."""
    lacking = []
    for game in settings(name):
        for procedure, show in revealed(game):
            what = show.var.name if show.var is not None else show.member.full_name if show.member is not None else "a zone"
            if not any(_reveals(course, procedure, what) for _, course in played(name)):
                lacking.append(f"`reveal` of {what} in {procedure.name}")
    assert not lacking, "\n".join(dict.fromkeys(lacking))


def _reveals(course: Followed, procedure: ir.Procedure, what: str) -> bool:
    """Whether a scenario has gone through this procedure, has revealed this, and a spectator sees it."""
    told = any(item["event"] == "reveal" and item["what"] == what for item in course.teller.items)
    return told and procedure.name in course.gone and (what, True) in course.looked.get(None, [])


def test_what_is_new_and_hidden_is_asked_for(settings: Settings) -> None:
    """The proof finds by itself what there is to look at: so a zone that is added and not looked at fails it."""
    found = {name: len({m.full_name for game in settings(name) for m in hidden(game)}) for name in RULESETS}
    shown = {name: len([s for game in settings(name) for s in revealed(game)]) for name in RULESETS}
    assert sum(found.values()) >= 15 and sum(1 for number in shown.values() if number) >= 6
