"""Counts of what tests have looked at: games, pairs of tables, mutants killed. They are told at the end of a run.

With `--native` every table that a test starts is played in machine code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ichiba.interpreter.native.compiler import hasten
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.run.table import Table

Tally = Callable[..., None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--native", action="store_true", help="play every table in machine code")


@pytest.fixture(scope="session", autouse=True)
def in_machine_code(request: pytest.FixtureRequest) -> Iterator[None]:
    if not request.config.getoption("--native"):
        yield
        return
    in_python = Game.start

    def start(game: Game, *given: Any, **named: Any) -> Table:
        hasten(game)
        return in_python(game, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Game, "start", start)
        yield


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
