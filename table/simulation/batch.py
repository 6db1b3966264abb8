"""Many games of one kind, played by policies: the same games at any number of processes, kept as they are played.

Game `n` of a run with seed `s` has the seed `s/n`, and its bots' dice come from that, so every game can be played again
by itself: `ichiba play GAME --seed s/n`.
"""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from ichiba.dsl.files import disk_cache
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.interpreter.batch.rows import Rows, rows_of
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.lab.policies import BrokenOff, play_out
from ichiba.lab.results.course import course_of
from ichiba.lab.results.reading import seated
from ichiba.table.arguments import Setting
from ichiba.table.simulation.games import COURSE, RECORDS, Games, Row, Told
from ichiba.table.simulation.store import Store
from ichiba.table.simulation.workers import Workers, told_of_death

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

LARGEST_BATCH = 1000
BATCHES_AHEAD = 4  # for each process, so that none waits for its next one
BATCH_SECONDS = 1.0  # about; what a batch has played is lost when somebody stops the run in the middle of it
SO_MUCH_QUICKER = 10  # machine code is, at least; so many more games are in a batch
WORTH = 2  # machine code is made if Python would take so many times as long as the making
TURNS = "turns played"  # where the layout keeps how many turns were taken


@dataclass(frozen=True, slots=True)
class Run:
    """Which games are to be played."""

    setting: Setting
    policies: tuple[str, ...]
    seed: int | str
    check: bool = False  # whether invariants are looked at too
    records: bool = False  # whether what the rules record is wanted too
    courses: int = 0  # of how many games, from the first on, it is wanted how they went
    rotate: bool = False  # whether everybody moves on by a seat from game to game

    def seed_of(self, number: int) -> str:
        return f"{self.seed}/{number}"

    def seated(self, number: int) -> tuple[str, ...]:
        """Who sits where in a game."""
        return seated(self.policies, number) if self.rotate else self.policies

    def about(self, game: Game) -> Row:
        """What two runs must have in common to be one."""
        from ichiba.interpreter.saves.records import ruleset_hash

        setting = asdict(replace(self.setting, configuration=None)) | {"game": game.name}
        del setting["configuration"]
        return {
            "ichiba": "run",
            "setting": json.loads(json.dumps(setting)),
            "policies": list(self.policies),
            "seed": self.seed,
            "ruleset": ruleset_hash(game),
            **({"records": True} if self.records else {}),
            **({"rotate": True} if self.rotate else {}),
        }


def play_one(game: Game, run: Run, number: int) -> Row:
    """One game, as one line of the results."""
    try:
        table = play_out(game, run.seed_of(number), run.seated(number), run.check)
        try:
            return row_of(table, number, run)
        except RuleFault as fault:  # it records more than can be kept
            raise BrokenOff(table, "", str(fault)) from None
    except BrokenOff as broken:
        return broken_row(broken, number, run)


def broken_row(broken: BrokenOff, number: int, run: Run) -> Row:
    """A game that broke off, with all that is needed to look at it."""
    from ichiba.interpreter.saves.records import content_of

    table, words = broken.table, str(broken)
    row: Row = {
        "game": number, "seed": table.seed, "seats": table.game.seats, "policies": list(run.seated(number)),
        "broken": words, "decisions": len(table.history),
    }  # fmt: skip
    bots = dict(enumerate(run.seated(number), 1))
    return row | {"save": content_of(table, bots, {"why": words, "answer": broken.answer})}


def row_of(table: Table, number: int, run: Run) -> Row:
    row: Row = {
        "game": number, "seed": table.seed, "seats": table.game.seats, "policies": list(run.seated(number)),
        "scores": {str(seat): score for seat, score in table.scores.items()}, "ranking": table.ranking,
        "ending": table.ending, "decisions": len(table.history),
    }  # fmt: skip
    for place in _where_turns_are(table.game):
        row["turns"] = table.state[place]
    if run.records:
        row[RECORDS] = [{"game": number, **one} for one in table.records]
    if number <= run.courses:
        row[COURSE] = {"game": number, **course_of(table)}
    return row


def play_several(game: Game, run: Run, numbers: range, native: bool) -> Games:
    """Several games behind each other, in machine code where that is wanted: what is asked of every decision is asked in Python."""
    games = Games.none(numbers.start, game.seats)
    quick = native and not run.check
    for number in numbers:
        if quick and number > run.courses:  # of those before it is wanted how they went
            _in_machine_code(game, run, range(number, numbers.stop), games)
            break
        games.add(play_one(game, run, number))
    return games


def _in_machine_code(game: Game, run: Run, numbers: range, games: Games) -> None:
    """Those that are seated alike together."""
    turns, many = _where_turns_are(game), min(game.seats, len(numbers)) if run.rotate else 1
    score, ending = game.world.seat["score"].base, game.world.table["ending"].base
    places = [*range(score, score + game.seats), ending, *turns]
    played, tellers, told = list[Rows](), list[Told](), list[list[int]]()
    for first in range(many):
        alike = numbers[first::many]
        names = run.seated(alike.start)
        rows = rows_of(game, [run.seed_of(number) for number in alike], names, places, native=True, records=run.records)
        played.append(rows)
        tellers.append(Told(game, names, run.seed, bool(turns)))
        told.append(rows.numbers.tolist())
    width = played[0].width
    for number in numbers:
        at, which = divmod(number - numbers.start, many)
        rows = played[which]
        if rows.broken and at in rows.broken:
            games.add(broken_row(rows.broken[at], number, run))
            continue
        tellers[which].tell(told[which][at * width : (at + 1) * width], number, games)
        if run.records:
            games.recorded[number] = [{"game": number, **one} for one in rows.recorded[at]]


class _Counted(list[int]):
    """The places of a state that count turns."""


def _where_turns_are(game: Game) -> Sequence[int]:
    """Where the state has how many turns were taken, if it says so."""

    def found() -> _Counted:
        counted = _Counted(place for place, name in game.layout.slot_names.items() if name == TURNS)
        return counted if len(counted) == 1 and _turns_once(game.program) else _Counted()

    return game.keep(_Counted, found)


def _turns_once(program: ir.Program) -> bool:
    """Whether all turns of a game are of one run: where there are several, each counts anew in the same place."""
    runs = [node for made in program.procedures for node in walk(made.body) if isinstance(node, ir.Turns)]
    play = list(walk(program.play.body))
    again = [inner for node in play if isinstance(node, ir.For | ir.Repeat) for inner in walk(node.body)]
    return len(runs) == 1 and runs[0] in play and runs[0] not in again


# ----------------------------------------------------------------------------------------- many processes


_AT_WORK: dict[str, Any] = {}  # what a worker has: the run, its game, and whether it is played in machine code


@dataclass(slots=True)
class Machine:
    """Whether machine code plays, and how long it took to make it."""

    native: bool = False
    seconds: float = 0.0


def play(
    run: Run, game: Game, numbers: range, jobs: int, native: bool = False, machine: Machine | None = None, on: str | None = None
) -> Iterator[Games]:
    """The games of these numbers, in order, however many processes play them. `native`: in machine code from the
    second game on, if so many games are worth making it; `machine` is told. `on`: where a cluster plays them."""
    machine = machine or Machine()
    began = time.process_time()
    if numbers:
        yield play_several(game, run, numbers[:1], False)
    took = time.process_time() - began + 1e-6
    numbers = numbers[1:]
    if on is not None and numbers:
        yield from _on_cluster(run, game, numbers, native, on, took)
        return
    if native and numbers and (jobs == 1 or disk_cache.place()):  # it is handed on as what is kept
        _compile(game, run, took * len(numbers) / jobs, machine)
    if not numbers:
        return
    if machine.native and not run.check:
        took /= SO_MUCH_QUICKER
    most = min(LARGEST_BATCH, int(BATCH_SECONDS / took))
    batches = _batches(numbers, most, jobs)
    if jobs == 1:
        for these in batches:
            yield play_several(game, run, these, machine.native)
        return
    death = told_of_death("ichiba simulate", "what was kept is there, and the same command goes on (--jobs says how many share)")
    with death, Workers(min(jobs, len(batches)), _begin, (run, machine.native)) as workers:
        yield from workers.in_order(_batch, batches, jobs * BATCHES_AHEAD)


def _batches(numbers: range, most: int, jobs: int) -> list[range]:
    size = max(1, min(most, len(numbers) // (jobs * 8)))
    return [numbers[at : at + size] for at in range(0, len(numbers), size)]


def _on_cluster(run: Run, game: Game, numbers: range, native: bool, on: str, took: float) -> Iterator[Games]:
    """Batches as for processes, though machine code is each worker's own affair."""
    from ichiba.table.simulation.cluster import cluster_at

    with cluster_at(on) as cluster:
        most = min(LARGEST_BATCH, int(BATCH_SECONDS * SO_MUCH_QUICKER / took))
        yield from cluster.in_order(play_several, run, game, _batches(numbers, most, cluster.threads), native)


def _compile(game: Game, run: Run, seconds: float, machine: Machine) -> None:
    """Machine code, where Python would need clearly longer than it takes to make it."""
    from ichiba.interpreter.native import compiler as native

    if seconds <= WORTH * native.seconds(game, run.policies, run.records):
        return
    began = time.monotonic()
    if run.check:  # what is asked of tables
        machine.native = native.compile_if_possible(game)
    else:
        machine.native = native.player(game, run.policies, run.records) is not None
    machine.seconds = time.monotonic() - began


def _begin(run: Run, native: bool) -> None:
    """A worker loads the game once. Ctrl-C is for the one who collects."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _AT_WORK.update(run=run, game=run.setting.load(native and run.check), native=native)


def _batch(numbers: range) -> Games:
    return play_several(_AT_WORK["game"], _AT_WORK["run"], numbers, _AT_WORK["native"])


__all__ = ["Games", "Row", "Run", "Store", "play", "play_one", "row_of"]
