"""Counts of what tests have looked at: games, pairs of tables, mutants killed. They are told at the end of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

Tally = Callable[..., None]


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    """`tally(games=1, pairs=7)`: added up over all tests, also those that other processes have run."""

    def add(**counts: int) -> None:
        request.node.user_properties.extend(("counted", (request.node.originalname, n, c)) for n, c in counts.items())

    return add


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    whole: Counter[str] = Counter()
    by_test: dict[str, Counter[str]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            for kind, content in report.user_properties if getattr(report, "when", None) == "call" else ():
                if kind == "counted":
                    test, name, number = content
                    whole[name] += number
                    by_test.setdefault(test, Counter())[name] += number
    if whole:
        terminalreporter.section("counts")
        for test in sorted(by_test):
            terminalreporter.write_line(f"{test}: {_words(by_test[test])}")
        terminalreporter.write_line(f"together: {_words(whole)}")


def _words(counts: Counter[str]) -> str:
    return ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in sorted(counts.items()))
import os
if os.environ.get("ICHIBA_TESTS") == "native":
    from ichiba.interpreter.game import Game as _G
    from ichiba.interpreter import native as _n
    _old = _G.start
    def _start(self, *a, **k):
        try:
            _n.hasten(self)
        except _n.NoMachineCode as e:
            print("NONATIVE", e)
            raise
        return _old(self, *a, **k)
    _G.start = _start
