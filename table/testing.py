"""Several processes share the scenarios of a ruleset: those of one setting go together, so that each game is made once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator
from dataclasses import replace
from functools import partial

from ichiba.dsl.faults.fault import Fault
from ichiba.dsl.faults.source import Span
from ichiba.dsl.files.garbage import unhurried
from ichiba.lab.scenario_files import Scenario
from ichiba.lab.scenarios import Failure, Games, Places, Result, Sharing, run
from ichiba.table.simulation.workers import Workers, told_of_death

_GAMES: dict[Places, Games] = {}  # of this process


def shared_by(jobs: int) -> Sharing | None:
    """How so many processes play scenarios; None when there is nothing to share."""
    return partial(_shared, jobs) if jobs > 1 else None


def _shared(jobs: int, places: Places, scenarios: list[Scenario]) -> Generator[tuple[list[Result], tuple[Fault, ...]], None, None]:
    alike: defaultdict[str, list[Scenario]] = defaultdict(list)
    for scenario in scenarios:
        alike[scenario.setting.key].append(scenario)
    if not alike:
        return
    longest_first = sorted(alike.values(), key=len, reverse=True)
    death = told_of_death("ichiba test", "the same command again plays them anew (--jobs says how many share)")
    with death, Workers(min(jobs, len(alike)), unhurried) as workers:
        for number, (failures, faults) in workers.each(partial(_played, places), longest_first):
            yield [Result(one, _ours(found, one)) for one, found in zip(longest_first[number], failures, strict=True)], faults


def _played(places: Places, scenarios: list[Scenario]) -> tuple[list[list[Failure]], tuple[Fault, ...]]:
    games = _GAMES.setdefault(places, Games(places[0], elsewhere=places[1:]))
    failures = [run(scenario, games).failures for scenario in scenarios]
    faults = tuple(games.faults())
    games.known.clear()  # no other has this setting
    return failures, faults


def _ours(failures: list[Failure], scenario: Scenario) -> list[Failure]:
    """What came from another process, said of the file that was read here: two at the same place are then the same."""
    source = scenario.span.source
    here = [failure.span.source.path == source.path for failure in failures]
    return [
        replace(failure, span=Span(source, failure.span.start, failure.span.end)) if ours else failure
        for failure, ours in zip(failures, here, strict=True)
    ]


__all__ = ["shared_by"]
