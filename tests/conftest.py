"""Counts of what tests have looked at: games, pairs of tables, mutants killed. They are told at the end of a run.

With `--native` every table that a test starts is played in machine code; with `--cpu` the run ends with what each folder
and the longest tests have cost of the processor, which other people's work on the machine changes less than the clock."""

from __future__ import annotations

import gc
import resource
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Any

import pytest

from ichiba.dsl.files import disk_cache
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.native.compiler import compile_game
from ichiba.interpreter.run import cache
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.run.table import Table
from tests import depth

Tally = Callable[..., None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--native", action="store_true", help="play every table in machine code")
    parser.addoption("--cpu", action="store_true", help="tell what folders and the longest tests cost of the processor")


@pytest.fixture(scope="session", autouse=True)
def in_machine_code(request: pytest.FixtureRequest) -> Iterator[None]:
    if not request.config.getoption("--native"):
        yield
        return
    in_python = Game.start

    def start(game: Game, *given: Any, **named: Any) -> Table:
        if not game.telling:
            compile_game(game)
        return in_python(game, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Game, "start", start)
        yield


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in the background by a shell: whom tests interrupt must hear it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.set_threshold(100_000, 20, 50)  # hundreds of games stay, and would be looked through again and again
    if not depth.in_soak(config):
        config.add_cleanup(_only_our_own_games_are_kept())


def _only_our_own_games_are_kept() -> Callable[[], None]:
    """Each of our games is made once for all tests and all processes, and then kept on disk; a ruleset that a test writes for
    itself is loaded once, and putting it away would be half the work. `make soak` keeps them all."""
    keep, usual, own = cache.keep, disk_cache.place(), {str(folder) for folder in rulesets().values()}

    def keep_our_own(key: str, game: Game, made: bytes | None = None) -> None:
        if str(game.folder) in own or disk_cache.place() != usual:
            keep(key, game, made)

    patch = pytest.MonkeyPatch()
    patch.setattr(cache, "keep", keep_our_own)
    return patch.undo


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    """`tally(games=1, pairs=7)`: added up over all tests, also those that other processes have run."""

    def add(**counts: int) -> None:
        request.node.user_properties.extend(("counted", (request.node.originalname, n, c)) for n, c in counts.items())

    return add


@pytest.fixture(scope="session")
def a_few(request: pytest.FixtureRequest) -> depth.AFew:
    return depth.everything if depth.in_soak(request.config) else depth.spread


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.stash[_BEGAN] = _processor_time()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """What a test has cost, its own fixtures and its children included: of those that are shared, the first one pays."""
    if call.when == "teardown" and _BEGAN in item.stash:  # whoever plants faults runs tests in a way of their own
        item.user_properties.append(("cpu", _processor_time() - item.stash[_BEGAN]))
    return (yield)


_BEGAN = pytest.StashKey[float]()


def _processor_time() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in used)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _tell_counts(terminalreporter)
    if terminalreporter.config.getoption("--cpu"):
        _tell_cost(terminalreporter)


def _tell_cost(terminalreporter: pytest.TerminalReporter) -> None:
    by_test: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            for kind, content in report.user_properties if getattr(report, "when", None) == "teardown" else ():
                if kind == "cpu":
                    by_test[report.nodeid] += content
    by_folder: Counter[str] = Counter()
    by_file: Counter[str] = Counter()
    for test, spent in by_test.items():
        file = test.partition("::")[0]
        by_folder[str(PurePosixPath(file).parent)] += spent
        by_file[file] += spent
    for title, costs in (("folder", by_folder), ("file", by_file), ("test", by_test)):
        terminalreporter.section(f"seconds of the processor, by {title}")
        for name, spent in costs.most_common(LONGEST):
            terminalreporter.write_line(f"{spent:8.1f}  {name}")
        terminalreporter.write_line(f"{costs.total():8.1f}  all {len(costs)}")


LONGEST = 40  # files and tests that are told


def _tell_counts(terminalreporter: pytest.TerminalReporter) -> None:
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
