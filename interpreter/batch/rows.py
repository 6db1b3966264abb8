"""Games from set-up to ranking as rows of numbers: how it ended, its decisions, the place of each seat, and places of the state.

In machine code where there is some; what that gives up on, and everything where there is none, is played in Python."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any, cast

from ichiba.interpreter.policies.players import RANDOM, BrokenOff, play_out, policy
from ichiba.interpreter.runtime.runtime import RuleFault

if TYPE_CHECKING:
    from ichiba.dsl.rules import ir
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

Seed = int | str
PLAYED, GIVEN_UP, NOT_PLAYED, BROKEN = 0, 1, 2, 3  # how a game has ended; the first three as `native/games.c` has them
STATUS, DECISIONS, FIRST_RANK = 0, 1, 2  # of a row
NOTES_TOO = 2  # what is wanted of machine code beside the rows
MOST_AT_ONCE = 256  # games that a thread takes
SHARES = 4  # for each thread, so that none waits for another's last game


@dataclass(slots=True)
class Rows:
    """So many numbers for each game; and of those that broke off, why."""

    width: int
    numbers: array[int]
    broken: dict[int, BrokenOff] = field(default_factory=dict)
    in_python: int = 0  # so many of them machine code has left to Python
    recorded: dict[int, list[dict[str, object]]] = field(default_factory=dict)  # by game, where it is wanted

    def of(self, game: int) -> array[int]:
        return self.numbers[game * self.width : (game + 1) * self.width]


def seated(game: Game, policies: str | Sequence[str]) -> tuple[str, ...]:
    """One policy for each seat. Raises `UnknownPolicy`, or `ValueError` where there are too many or too few."""
    names = (policies,) * game.seats if isinstance(policies, str) else tuple(policies)
    if len(names) != game.seats:
        raise ValueError(f"{game.seats} seats need {game.seats} policies; {len(names)} are given")
    for name in names:
        policy(game, name, "")
    return names


def rows_of(
    game: Game,
    seeds: Sequence[Seed],
    names: Sequence[str],
    places: Sequence[int] = (),
    threads: int = 1,
    native: bool | None = None,
    records: bool = False,
) -> Rows:
    """Every game among these policies, one for each seat. `places`: of the state, wanted as they are at the end; `native`:
    whether machine code plays, if it is not the game's to say; `records`: what the rules record is wanted, too."""
    width = FIRST_RANK + game.seats + len(places)
    rows = Rows(width, array("q", bytes(8 * width * len(seeds))))
    left = range(len(seeds))
    if (game.native if native is None else native) and seeds:
        left = _in_machine_code(game, seeds, names, places, threads, rows, records)  # type: ignore[assignment]
        rows.in_python = len(left)
    for number in left:
        rows.numbers[number * width : (number + 1) * width] = _in_python(game, seeds[number], names, places, number, rows, records)
    return rows


def _in_machine_code(
    game: Game, seeds: Sequence[Seed], names: Sequence[str], places: Sequence[int], threads: int, rows: Rows, records: bool
) -> Sequence[int]:
    """What is still to be played by Python."""
    from ichiba.interpreter.native.compiler import player

    found = player(game, names, records)
    if found is None:
        return range(len(seeds))
    stop, numbers = bytearray(1), memoryview(rows.numbers)
    size = max(1, min(MOST_AT_ONCE, -(-len(seeds) // (max(1, threads) * SHARES)))) if threads > 1 else len(seeds)

    def play(first: int) -> None:
        these = [str(seed).encode() for seed in seeds[first : first + size]]
        ends = array("q", accumulate(map(len, these)))
        own = numbers[first * rows.width : (first + len(these)) * rows.width]
        wanted = found.games(found.first, b"".join(these), ends, own, stop, found.policies, tuple(places), NOTES_TOO if records else 0)
        if records:
            played = (first + at for at in range(len(these)) if own[at * rows.width + STATUS] == PLAYED)
            rows.recorded.update(_named(game, found.records, array("q", cast(bytes, wanted)), played))

    _shared(play, range(0, len(seeds), size), threads, stop)
    status = rows.numbers[STATUS :: rows.width]
    return [number for number, one in enumerate(status) if one != PLAYED]


def _named(
    game: Game, records: Sequence[ir.Record], notes: array[int], played: Iterable[int]
) -> Iterator[tuple[int, list[dict[str, object]]]]:
    """What machine code has noted of each game, as whoever listens to a table would have it (`native/games.c` says how it lies)."""
    at = 0
    for number in played:
        end, rows = at + 1 + notes[at], list[dict[str, object]]()
        at += 1
        while at < end:
            record, (seat, turn, many) = records[notes[at]], notes[at + 1 : at + 4]
            amount, *of = notes[at + 4 : at + 4 + many]
            named = [game.words.key(one, part.kind) for one, part in zip(of, record.of, strict=True)]
            rows.append({"seat": seat + 1 if seat >= 0 else None, "turn": turn, "name": record.name, "amount": amount, "of": named})
            at += 4 + many
        yield number, rows


def _shared(work: Any, parts: Sequence[int], threads: int, stop: bytearray) -> None:
    """All parts, by so many threads. Whoever is stopped stops them all."""
    if threads <= 1 or len(parts) <= 1:
        for part in parts:
            work(part)
        return
    with ThreadPoolExecutor(threads) as pool:
        try:
            for done in [pool.submit(work, part) for part in parts]:
                done.result()
        except BaseException:
            stop[0] = 1
            pool.shutdown(cancel_futures=True)
            raise


def _in_python(
    game: Game, seed: Seed, names: Sequence[str], places: Sequence[int], number: int, rows: Rows, records: bool
) -> array[int]:
    try:
        table = play_out(game, seed, names)
        if records:
            rows.recorded[number] = _recorded(table)
        return array("q", [PLAYED, len(table.history), *_ranks(table), *(table.state[place] for place in places)])
    except BrokenOff as broken:
        rows.broken[number] = broken
        return array("q", [BROKEN, len(broken.table.history), *[0] * (rows.width - FIRST_RANK)])


def _recorded(table: Table) -> list[dict[str, object]]:
    try:
        return table.records
    except RuleFault as fault:  # it records more than can be kept
        raise BrokenOff(table, "", str(fault)) from None


def _ranks(table: Table) -> list[int]:
    """By seat: how many places are better than its own."""
    places = {seat: place for place, seats in enumerate(table.ranking) for seat in seats}
    return [places[seat] for seat in range(1, table.game.seats + 1)]


__all__ = ["RANDOM", "Rows", "Seed", "rows_of", "seated"]
