"""Lets pytest run scenarios: every `*.scenario.yaml` under a ruleset is a file of test items.

It is found by itself where Ichiba is installed; otherwise `pytest -p ichiba.lab.pytest_plugin`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ichiba.lab.scenario_files import Scenario
    from ichiba.lab.scenarios import Games, Result

SUFFIX = ".scenario.yaml"


class ScenarioFails(Exception):
    """A scenario that does not hold."""

    def __init__(self, result: Result):
        super().__init__(result.scenario.name)
        self.result = result


class ScenarioFile(pytest.File):
    """A file of scenarios."""

    def collect(self) -> Iterator[ScenarioItem]:
        from ichiba.dsl.faults.fault import RulesetFaults
        from ichiba.interpreter.strangers import door
        from ichiba.lab.scenario_files import read_all
        from ichiba.lab.scenarios import places_of

        try:
            scenarios = door.read(places_of(self.path)[0], read_all, self.path)
        except RulesetFaults as found:
            raise self.CollectError(str(found)) from None
        for scenario in scenarios:
            yield ScenarioItem.from_parent(self, name=scenario.name, scenario=scenario)


class ScenarioItem(pytest.Item):
    """One scenario."""

    def __init__(self, *, scenario: Scenario, **known: Any):
        super().__init__(**known)
        self.scenario = scenario

    def runtest(self) -> None:
        from ichiba.lab.scenarios import run

        result = run(self.scenario, _games(self))
        if not result.holds:
            raise ScenarioFails(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from ichiba.dsl.faults.fault import RulesetFaults

        if isinstance(excinfo.value, ScenarioFails):
            return str(excinfo.value.result)
        if isinstance(excinfo.value, RulesetFaults):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.scenario.span.line - 1, f"scenario: {self.name}"


_KNOWN = pytest.StashKey["dict[tuple[Path, ...], Games]"]()


def _games(item: ScenarioItem) -> Games:
    """The games of the ruleset that a scenario belongs to, loaded once for the whole run."""
    from ichiba.lab.scenarios import Games, places_of

    known = item.session.stash.setdefault(_KNOWN, {})
    places, _ = places_of(item.path)
    if places not in known:
        known[places] = Games(places[0], elsewhere=places[1:])
    return known[places]


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    """A hook of pytest's: scenarios outside any ruleset or module are somebody else's."""
    if not file_path.name.endswith(SUFFIX):
        return None
    if not any((folder / name).is_file() for folder in file_path.parents for name in ("game.yaml", "module.yaml")):
        return None
    return ScenarioFile.from_parent(parent, path=file_path)
