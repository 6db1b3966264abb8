"""How fast the engine is, beside other engines, measured in one run on one core:

    python -m ichiba.lab.bench [--quick] [--python] [--with MODULE] [--set OPTION=VALUE] [NAME ...]

Whole games of uniformly random answers, with the options made at every decision, set-up and scoring included.
Only processor time counts. Every line is measured several times, the lines taking turns, so that a
disturbance does not fall on one of them; the table shows medians, and the slowest and fastest repetition. A
decision has at least two options; what is forced is done, but not counted. Games whose ruleset names a policy
are also played as that plays them. In a checkout the hand-written games of `tests/` are measured too.
With a module switched on, each game that has it is measured with it and without. Where there is a C compiler, each
game is measured in machine code too.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import Any, Protocol

from ichiba.dsl.faults.fault import Faults, RulesetFaults
from ichiba.dsl.world.world import Config
from ichiba.interpreter.api import folder_of, load, rulesets
from ichiba.interpreter.native.compiler import NoMachineCode, compiled, written
from ichiba.interpreter.run.game import Game, ready
from ichiba.interpreter.run.table import Table
from ichiba.lab.other_engines import Catanatron, OpenSpiel, Run, cost
from ichiba.lab.policies import RANDOM, policy
from ichiba.validator.judges.building import build

IN_MACHINE_CODE = ", machine code"
SETTLED = 10  # so many different games of a policy's are played, again and again
IN_PYTHON = ("python_tic_tac_toe", "python_liars_poker", "python_block_dominoes")  # of OpenSpiel's games


class Driver(Protocol):
    """Something that plays whole random games."""

    def play(self, games: int, seed: int) -> Run: ...

    def start(self, seed: int) -> object:
        """Only the set-up."""

    def copying(self, times: int) -> float | None:
        """Seconds for a copy in the middle of a game; None where a game cannot be copied."""


class Ours:
    """A game of the engine's."""

    def __init__(self, game: Game):
        self.game = game

    def play(self, games: int, seed: int) -> Run:
        start, random = self.game.start, Random(seed).random
        decisions = 0
        began = process_time()
        for number in range(games):
            table = start(seed * 1_000_003 + number)
            codes = table.legal()
            while codes:
                options = len(codes)
                if options > 1:
                    decisions += 1
                table.step(int(random() * options))
                codes = table.legal()
        return Run(process_time() - began, games, decisions)

    def start(self, seed: int) -> Table:
        return self.game.start(seed)

    def at(self, seed: int, part: float) -> tuple[Table, int]:
        """A table when this part of its answers has been given, all but the last at most; and the next one."""
        table, random = self.start(seed), Random(seed)
        answers = []
        while codes := table.legal():
            answers.append(int(random.random() * len(codes)))
            table.step(answers[-1])
        again, given = self.start(seed), min(len(answers) - 1, int(len(answers) * part))
        for answer in answers[:given]:
            again.step(answer)
        return again, answers[given]

    def copying(self, times: int) -> float | None:
        table, _ = self.at(1, 0.5)
        return cost(table.copy, times)

    def ending(self, times: int) -> float:
        """Seconds for the last answer of a game, with the scoring that follows."""
        seconds = []
        for seed in range(5):
            before, last = self.at(seed, 1.0)
            tables = [before.copy() for _ in range(times)]
            began = process_time()
            for table in tables:
                table.step(last)
            seconds.append((process_time() - began) / times)
            assert tables[-1].over
        return median(seconds)


class Settled(Ours):
    """A game of the engine's, as a policy of its ruleset plays it. What that answers is worked out before; measured is
    the engine alone."""

    def __init__(self, game: Game, policy: str):
        super().__init__(game)
        self.policy = policy
        self.known: dict[int, list[int]] = {}

    def answers(self, seed: int) -> list[int]:
        if seed not in self.known:
            table, answers = self.game.start(seed), list[int]()
            seats = [policy(self.game, self.policy, f"{seed}/{seat}") for seat in range(1, self.game.seats + 1)]
            while (decision := table.decision) is not None:
                answers.append(seats[decision.seat_index].index(decision))
                table.step(answers[-1])
            self.known[seed] = answers
        return self.known[seed]

    def play(self, games: int, seed: int) -> Run:
        del seed
        start = self.game.start
        played = [(number % SETTLED, self.answers(number % SETTLED)) for number in range(games)]
        decisions = 0
        began = process_time()
        for number, answers in played:
            table = start(number)
            for answer in answers:
                if len(table.legal()) > 1:
                    decisions += 1
                table.step(answer)
        return Run(process_time() - began, games, decisions)


class WholeGames:
    """Games of the engine's from set-up to ranking, without Python in between. Every answer counts, also where there is but one."""

    def __init__(self, game: Game, policy: str):
        self.game, self.policy = game, policy
        game.batch([0], policy)  # what has to be made for it is made now

    def play(self, games: int, seed: int) -> Run:
        began = process_time()
        found = self.game.batch([f"{seed}/{number}" for number in range(games)], self.policy)
        return Run(process_time() - began, games, sum(found.decisions))

    def start(self, seed: int) -> Table:
        return self.game.start(seed)

    def copying(self, times: int) -> float | None:
        del times
        return None


class ByHand:
    """A hand-written game of the checkout's, made to be fast."""

    def __init__(self, new: Callable[[int, int], Any], seats: int):
        self.new, self.seats = new, seats

    def play(self, games: int, seed: int) -> Run:
        new, seats, random = self.new, self.seats, Random(seed).random
        decisions = 0
        began = process_time()
        for number in range(games):
            game = new(seats, seed * 1_000_003 + number)
            while not game.over:
                options = len(game.legal())
                if options > 1:
                    decisions += 1
                game.step(int(random() * options))
        return Run(process_time() - began, games, decisions)

    def start(self, seed: int) -> object:
        return self.new(self.seats, seed)

    def copying(self, times: int) -> float | None:
        game, random = self.start(1), Random(1).random
        copy = getattr(game, "copy", None)
        if copy is None:
            return None
        for _ in range(50):
            if not game.over:  # type: ignore[attr-defined]
                game.step(int(random() * len(game.legal())))  # type: ignore[attr-defined]
        return cost(copy, times)


@dataclass(slots=True)
class Line:
    """One line of the table."""

    what: str
    seats: int | None
    driver: Driver
    ruleset: str = ""  # the game it is a version of
    twin: bool = False
    games: int = 0  # a repetition
    runs: list[Run] = field(default_factory=list)
    setup: float = 0.0
    copy: float | None = None
    end: float | None = None
    fault: str = ""

    @property
    def per_game(self) -> float:
        return median(run.per_game for run in self.runs)

    @property
    def per_decision(self) -> float:
        return median(run.per_decision for run in self.runs)

    @property
    def decisions(self) -> float:
        return sum(run.decisions for run in self.runs) / sum(run.games for run in self.runs)


@dataclass(frozen=True, slots=True)
class Loading:
    """How long it takes until a game can be played."""

    name: str
    seats: int
    reading: float  # and checking
    compiling: float
    places: int  # numbers in a state
    lines: int  # of generated Python
    machine_code: float | None = None  # how long the C compiler takes, once; None: there is none


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to measure."""

    repetitions: int
    seconds: float  # a repetition
    loads: int


USUAL, QUICK = Effort(7, 0.4, 5), Effort(3, 0.1, 1)


# ------------------------------------------------------------------------------------ what is measured


def checkout() -> Any:
    """What a checkout has to compare with: the games by hand, and OpenSpiel's names of ours; else None."""
    root = Path(__file__).resolve().parents[1]
    if not (root / "tests" / "oracle" / "marks.py").is_file():
        return None
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    return importlib.import_module("tests.oracle.marks")


def lines_for(
    names: Sequence[str],
    marks: Any,
    faults: list[str],
    modules: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    native: bool = True,
) -> list[Line]:
    """Every line that can be measured here; what cannot is told in `faults`. With `modules`, each game with them and
    without; `options` are set in both, those of a module (`expansion.with_boards`) where it is switched on. `native`:
    in machine code as well."""
    lines: list[Line] = []
    plain = {key: value for key, value in (options or {}).items() if key.partition(".")[0] not in modules}
    settings = [("", (), plain), *([(f" with {', '.join(modules)}", tuple(modules), options or {})] if modules else [])]
    for name in names:
        for seats in _fewest_and_most(name, faults):
            for words, wanted, chosen in settings:
                try:
                    games = [load(name, seats=seats, modules=wanted, options=chosen)]
                    games += [load(name, seats=seats, modules=wanted, options=chosen, native=True)] if native else []
                except RulesetFaults as fault:
                    faults.append(f"{name}{words} for {seats}: {str(fault).splitlines()[0]}")
                    continue
                for game in games:
                    if game.native or game is games[0]:
                        what = f"{name}{words}{IN_MACHINE_CODE if game.native else ''}"
                        lines.append(Line(what, seats, Ours(game), name))
                        lines.extend(Line(f"{what}, {named}", seats, Settled(game, named)) for named in game.program.policies)
                        lines.extend(_whole_games(game, name, what))
            if not options:
                lines.extend(_others(name, seats, marks))
    lines.extend(_other_engines(faults))
    return lines


def _whole_games(game: Game, name: str, what: str) -> Iterator[Line]:
    """The same without Python between the answers, where there is machine code."""
    if game.native:
        yield Line(f"{what}, whole games", game.seats, WholeGames(game, RANDOM), name)
        for named in game.program.policies:
            yield Line(f"{what}, whole games, {named}", game.seats, WholeGames(game, named))


def _fewest_and_most(name: str, faults: list[str]) -> list[int]:
    from ichiba.dsl.ruleset import read_box

    found = Faults()
    low, high = read_box(folder_of(name), (), found).seats
    if found.unread:
        faults.append(f"{name}: its files cannot be read")
        return []
    return [low] if low == high else [low, high]


def _others(name: str, seats: int, marks: Any) -> Iterator[Line]:
    """The same game by other hands."""
    if marks is None:
        return
    if name in marks.TWINS:
        yield Line(f"{name}, by hand", seats, ByHand(marks.TWINS[name], seats), name, twin=True)
    theirs = marks.openspiel_name(name, seats)
    if theirs is not None and installed("pyspiel"):
        yield Line(f"{name}, OpenSpiel", seats, OpenSpiel(theirs), name)


def _other_engines(faults: list[str]) -> Iterator[Line]:
    if installed("pyspiel"):
        for name in IN_PYTHON:
            yield Line(f"OpenSpiel {name}", None, OpenSpiel(name))
    else:
        faults.append("OpenSpiel is not installed (make oracle)")
    if installed("catanatron"):
        yield Line("catanatron, random players", 4, Catanatron())
    else:
        faults.append("catanatron is not installed (make oracle)")


def installed(module: str) -> bool:
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def loading(name: str, seats: int, times: int, native: bool = True) -> Loading:
    """Read, check and compile it anew, so many times; machine code, once."""
    reading, compiling = [], []
    game = None
    for _ in range(times):
        gc.collect()
        began = process_time()
        faults = Faults()
        box, world, program = build(folder_of(name), Config(seats), faults)
        faults.raise_if_errors()
        read = process_time()
        game = ready(box, world, program)
        reading.append(read - began)
        compiling.append(process_time() - read)
    assert game is not None
    python = game.emitted.text.count("\n")
    code = machine_code(game) if native else None
    return Loading(name, seats, median(reading), median(compiling), len(game.first), python, code)


def machine_code(game: Game) -> float | None:
    """How long it takes to make; the compiler is a process of its own, so this is by the clock."""
    began = monotonic()
    with TemporaryDirectory(prefix="ichiba-") as place:
        try:
            compiled(written(game), Path(place) / "made")
        except NoMachineCode:
            return None
    return monotonic() - began


# ------------------------------------------------------------------------------------------- measuring


def measure(lines: Iterable[Line], effort: Effort, tell: Callable[[str], None]) -> None:
    """Play. A line whose game fails says so and takes no further part."""
    for line in lines:
        tell(f"warming up: {line.what}")
        with Failing(line):
            warm = line.driver.play(1, 0)
            warm = line.driver.play(max(1, int(effort.seconds / 10 / max(warm.seconds, 1e-6))), 0)
            line.games = max(1, round(effort.seconds / warm.per_game))
    for repetition in range(1, effort.repetitions + 1):
        for line in lines:
            tell(f"{repetition} of {effort.repetitions}: {line.what}")
            if not line.fault:
                gc.collect()
                with Failing(line):
                    line.runs.append(line.driver.play(line.games, repetition))
    for line in lines:
        tell(f"parts: {line.what}")
        if not line.fault:
            with Failing(line):
                parts(line, effort)


def parts(line: Line, effort: Effort) -> None:
    """Set-up, copying and the end of a game, by themselves."""
    times = max(5, min(5000, int(effort.seconds / max(1e-6, line.per_game) / 2)))
    seeds = iter(range(10**9))
    line.setup = median(cost(lambda: line.driver.start(next(seeds)), times) for _ in range(3))
    line.copy = line.driver.copying(max(200, times))
    if type(line.driver) is Ours:
        line.end = line.driver.ending(50)


class Failing:
    """Whatever goes wrong is told in the line, so that the others are measured all the same."""

    def __init__(self, line: Line):
        self.line = line

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, trace: object) -> bool:
        if not isinstance(fault, Exception):
            return False
        self.line.fault = f"{type(fault).__name__}: {fault}"
        return True


# --------------------------------------------------------------------------------------------- telling


HEADINGS = (
    "", "seats", "games/s", "slowest..fastest", "decisions/game", "µs/decision", "set-up µs", "last µs",
    "copy", "by hand", "catanatron",
)  # fmt: skip
EXPLAINED = """\
decisions/game  decisions with at least two options; of whole games all answers
set-up, last    of the microseconds of a game: before the first decision; the last answer with the scoring
copy            a copy costs as much as so many decisions
by hand         a decision takes so many times as long as written by hand
catanatron      a decision is so many times as fast as catanatron's"""


def report(lines: Sequence[Line]) -> list[str]:
    """The table."""
    by_hand = {(line.ruleset, line.seats): line for line in lines if line.twin and not line.fault}
    mark = next((line for line in lines if isinstance(line.driver, Catanatron) and not line.fault), None)
    rows = [list(HEADINGS)]
    for line in lines:
        seats = str(line.seats or "")
        if line.fault:
            rows.append([line.what, seats, line.fault.splitlines()[0][:60], *[""] * (len(HEADINGS) - 3)])
            continue
        twin = by_hand.get((line.ruleset, line.seats)) if not line.twin else None
        rates = [1 / run.per_game for run in line.runs]
        rows.append([
            line.what, seats, short(1 / line.per_game), f"{short(min(rates))}..{short(max(rates))}",
            f"{line.decisions:.1f}", micro(line.per_decision), micro(line.setup), micro(line.end),
            times(line.copy, line.per_decision, ""),
            times(line.per_decision, twin.per_decision if twin else None),
            times(mark.per_decision if mark and line is not mark else None, line.per_decision),
        ])  # fmt: skip
    return aligned(rows)


def micro(seconds: float | None) -> str:
    return "" if seconds is None else short(seconds * 1e6)


def times(one: float | None, other: float | None, sign: str = "x") -> str:
    return "" if one is None or other is None else short(one / other) + sign


def report_loading(found: Sequence[Loading]) -> list[str]:
    headings = ["until it can be played", "seats", "reading ms", "compiling ms", "together ms", "places"]
    rows = [[*headings, "lines of Python", "machine code s"]]
    for one in found:
        parts = (one.reading, one.compiling, one.reading + one.compiling)
        cells = [short(part * 1e3) for part in parts]
        code = "" if one.machine_code is None else short(one.machine_code)
        rows.append([one.name, str(one.seats), *cells, str(one.places), str(one.lines), code])
    return aligned(rows)


def short(number: float) -> str:
    """Three figures, no more."""
    if number >= 100_000:
        return f"{number / 1000:.0f}k"
    if number >= 10_000:
        return f"{number / 1000:.1f}k"
    return f"{number:.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    made = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        made.append("  ".join([row[0].ljust(widths[0]), *cells[1:]]).rstrip())
    return made


def one_core() -> str:
    """Keep to one core where the system lets us."""
    if not hasattr(os, "sched_setaffinity"):
        return "not held to one core"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"core {core}"


def main(arguments: Sequence[str] | None = None) -> int:
    about = "How fast the engine is, beside other engines."
    parser = argparse.ArgumentParser(prog="python -m ichiba.lab.bench", description=about)
    parser.add_argument("names", nargs="*", metavar="NAME", help="rulesets; without any, all of them")
    parser.add_argument("--quick", action="store_true", help="measure less")
    parser.add_argument("--python", action="store_true", help="leave machine code out")
    parser.add_argument("--with", dest="modules", metavar="MODULE", action="append", default=[], help="measure with it too")
    parser.add_argument(
        "--set", dest="options", metavar="OPTION=VALUE", action="append", default=[],
        help="choose an option; of a module: `expansion.with_boards=false`; a list: `fish=eel,tuna`",
    )  # fmt: skip
    chosen = parser.parse_args(arguments)
    effort = QUICK if chosen.quick else USUAL
    unknown = [name for name in chosen.names if name not in rulesets()]
    if unknown:
        parser.error(f"there is no ruleset {unknown[0]}; there are: {', '.join(rulesets())}")
    marks = checkout()
    faults = [] if marks else ["what only a checkout has: games by hand, and our games in OpenSpiel"]
    options = dict(_option(parser, text) for text in chosen.options)
    native = not chosen.python
    lines = lines_for(chosen.names or list(rulesets()), marks, faults, chosen.modules, options, native)
    machine = f"Python {platform.python_version()}, {platform.machine()}, {one_core()}"
    print(f"{machine}, {effort.repetitions} repetitions of {effort.seconds} s\n")
    measure(lines, effort, _tell)
    _tell("loading")
    print("\n".join([*report(lines), "", EXPLAINED, ""]))
    found = []
    for line in lines:
        if type(line.driver) is Ours and line.what == line.ruleset:
            with Failing(line):
                found.append(loading(line.ruleset, line.driver.game.seats, effort.loads, native))
    faults += [f"{line.what}: {line.fault}" for line in lines if line.fault]
    _tell("")
    print("\n".join(report_loading(found)))
    if faults:
        print("\nNot measured: " + "; ".join(faults))
    return 0


def _option(parser: argparse.ArgumentParser, text: str) -> tuple[str, object]:
    name, sign, value = text.partition("=")
    if not sign:
        parser.error(f"--set {text}: it is written OPTION=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:  # a word, or several
        return name, value.split(",") if "," in value else value


def _tell(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
