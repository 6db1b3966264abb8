"""What many games have come to, as arrays."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ichiba.interpreter.batch.rows import BROKEN, DECISIONS, FIRST_RANK, STATUS, Rows, Seed, rows_of, seated
from ichiba.interpreter.policies.players import play_out

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """Games from set-up to the end, in the order of their seeds. Arrays are memoryviews of 64-bit numbers: `scores[7, 0]` is
    what the first seat has in the eighth game; `numpy.asarray(batch.scores)` copies nothing. Of a game that broke off all is 0."""

    game: Game
    seeds: tuple[Seed, ...]
    policies: tuple[str, ...]
    scores: memoryview  # by game and seat
    ranks: memoryview  # by game and seat, from 1: seats that tie share one
    endings: memoryview  # by game: which of `game.program.endings`, or -1
    decisions: memoryview  # by game
    faults: dict[int, str]  # by game: why it could not go on
    in_python: int  # so many of them machine code has left to Python
    recorded: dict[int, list[dict[str, object]]]  # by game: what the rules recorded, where that was asked for

    def __len__(self) -> int:
        return len(self.seeds)

    def __repr__(self) -> str:
        return f"Batch({self.game.name!r}, {len(self.seeds):,} games)"

    def ending(self, number: int) -> str | None:
        """The name of a game's ending; None where it broke off."""
        if number in self.faults:
            return None
        return self.game.ending_of(self.endings[number])

    def table(self, number: int) -> Table:
        """The table at the end of a game, with its log: played once more. Raises `BrokenOff` where it broke off."""
        return play_out(self.game, self.seeds[number], self.policies)

    def records(self, number: int) -> list[dict[str, object]]:
        """What the rules have recorded in a game: kept on the way where that was asked for, else it is played once more."""
        return [dict(row) for row in self.recorded[number]] if number in self.recorded else self.table(number).records


def batch(game: Game, seeds: Sequence[Seed], policies: str | Sequence[str], threads: int, records: bool = False) -> Batch:
    seats, names = game.seats, seated(game, policies)
    score, ending = game.world.seat["score"].base, game.world.table["ending"].base
    rows = rows_of(game, seeds, names, [*range(score, score + seats), ending], threads, records=records)
    for number in range(len(seeds)):
        if rows.numbers[number * rows.width + STATUS] != BROKEN:
            for at in range(number * rows.width + FIRST_RANK, number * rows.width + FIRST_RANK + seats):
                rows.numbers[at] += 1
    first = FIRST_RANK + seats
    return Batch(
        game,
        tuple(seeds),
        names,
        _columns(rows, first, seats),
        _columns(rows, FIRST_RANK, seats),
        memoryview(rows.numbers[first + seats :: rows.width]),
        memoryview(rows.numbers[DECISIONS :: rows.width]),
        {number: str(broken) for number, broken in rows.broken.items()},
        rows.in_python,
        rows.recorded,
    )


def _columns(rows: Rows, first: int, many: int) -> memoryview:
    """Neighbouring columns, as an array by game and column."""
    games = len(rows.numbers) // rows.width
    found = array("q", bytes(8 * games * many))
    for column in range(many):
        found[column::many] = rows.numbers[first + column :: rows.width]
    if not found:
        return memoryview(found)
    return memoryview(found).cast("B").cast("q", [games, many])
