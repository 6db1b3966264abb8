"""Every line measured several times in turn, and how long it takes until a game can be played."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, process_time

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.world.world import Config
from ichiba.interpreter.api import folder_of
from ichiba.interpreter.native.compiler import NoMachineCode, compiled, written
from ichiba.interpreter.run.game import Game, ready
from ichiba.lab.bench.drivers import Ours
from ichiba.lab.bench.lines import Line
from ichiba.lab.bench.other_engines import cost
from ichiba.validator.judges.building import build


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
