"""The lines of the table: which games are measured, and in which ways."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from ichiba.dsl.faults.fault import Faults, RulesetFaults
from ichiba.dsl.ruleset import read_box
from ichiba.interpreter.api import folder_of, load
from ichiba.interpreter.run.game import Game
from ichiba.lab.bench.drivers import ByHand, ByHandInC, Driver, ManyTables, Ours, Settled, WholeGames
from ichiba.lab.bench.other_engines import Catanatron, OpenSpiel, Rollouts, Run
from ichiba.lab.policies import RANDOM

IN_MACHINE_CODE = ", machine code"
IN_PYTHON = ("python_tic_tac_toe", "python_liars_poker", "python_block_dominoes")  # of OpenSpiel's games
ROLLED_OUT = ("tic_tac_toe", "connect_four")


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


def checkout() -> Any:
    """What a checkout has to compare with: the games by hand, and OpenSpiel's names of ours; else None."""
    root = Path(__file__).resolve().parents[2]
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
    wanted_seats: Sequence[int] = (),
) -> list[Line]:
    """Every line that can be measured here; what cannot is told in `faults`. With `modules`, each game with them and
    without; `options` are set in both, those of a module (`expansion.with_boards`) where it is switched on. `native`:
    in machine code as well; `wanted_seats`: for so many, where the game is for so many, and not for the fewest and most."""
    lines: list[Line] = []
    plain = {key: value for key, value in (options or {}).items() if key.partition(".")[0] not in modules}
    settings = [("", (), plain), *([(f" with {', '.join(modules)}", tuple(modules), options or {})] if modules else [])]
    for name in names:
        for seats in _seats(name, faults, wanted_seats):
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
    """From set-up to ranking in one call, policies included; in machine code also random games, and many tables stepped at once."""
    if game.native:
        yield Line(f"{what}, many tables", game.seats, ManyTables(game), name)
        yield Line(f"{what}, whole games", game.seats, WholeGames(game, RANDOM), name)
    for named in game.program.policies:
        yield Line(f"{what}, whole games, {named}", game.seats, WholeGames(game, named), name)


def _seats(name: str, faults: list[str], wanted: Sequence[int]) -> list[int]:
    found = Faults()
    low, high = read_box(folder_of(name), (), found).seats
    if found.unread:
        faults.append(f"{name}: its files cannot be read")
        return []
    if wanted:
        return [seats for seats in wanted if low <= seats <= high]
    return [low] if low == high else [low, high]


def _others(name: str, seats: int, marks: Any) -> Iterator[Line]:
    """The same game by other hands."""
    if marks is None:
        return
    if name in marks.TWINS:
        yield Line(f"{name}, by hand", seats, ByHand(marks.TWINS[name], seats), name, twin=True)
    if marks.in_c is not None and name in marks.in_c:
        yield Line(f"{name}, by hand in C", seats, ByHandInC(marks.in_c[name], seats), name)
    theirs = marks.openspiel_name(name, seats)
    if theirs is not None and installed("pyspiel"):
        yield Line(f"{name}, OpenSpiel", seats, OpenSpiel(theirs), name)
        yield Line(f"{name}, OpenSpiel's rollouts in C++", seats, Rollouts(theirs), name)


def _other_engines(faults: list[str]) -> Iterator[Line]:
    if installed("pyspiel"):
        for name in IN_PYTHON:
            yield Line(f"OpenSpiel {name}", None, OpenSpiel(name))
        for name in ROLLED_OUT:
            yield Line(f"OpenSpiel {name}, rollouts in C++", None, Rollouts(name))
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
