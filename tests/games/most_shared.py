"""Most of the scenarios of a large game, in few settings of it: a game has to be made for each setting, and many share one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ichiba.dsl.faults.fault import Faults
from ichiba.lab.scenario_files import scenario_files, sound_scenarios
from ichiba.lab.scenarios import Games, Result, run


def results_of_most(folder: Path, settings: int) -> list[Result]:
    """How the scenarios go that are played in those settings, so many of them, that have the most scenarios."""
    found = [scenario for path in scenario_files(folder) for scenario in sound_scenarios(path, Faults())]
    shared = Counter(scenario.setting.key for scenario in found)
    most = {key for key, _ in shared.most_common(settings)}
    games = Games(folder)
    return [run(scenario, games) for scenario in found if scenario.setting.key in most]


def failing(results: list[Result]) -> str:
    return "\n".join(str(result) for result in results if not result.holds)


