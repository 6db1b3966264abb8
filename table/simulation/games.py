"""Games that have been played, on their way to whoever keeps them: a line for each, and what is counted, in columns.

A game takes a few millionths of a second in machine code. What is told of it must cost much less: its line is spelled where it was
played, from numbers, and whoever collects many games takes their columns whole.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ichiba.interpreter.batch.rows import DECISIONS, FIRST_RANK
from ichiba.lab.results.reading import Columns

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

Row = dict[str, Any]
RECORDS = "records"  # of a row: what the rules recorded, kept beside it
COURSE = "course"  # of a row: how the game went, kept beside it too
spelled = json.JSONEncoder(ensure_ascii=False).encode  # made once: a line is written a hundred thousand times


@dataclass(slots=True)
class Games:
    """Some games of a run, each behind the other, from number `first` on."""

    first: int
    figures: Columns
    lines: list[str] = field(default_factory=list)  # of a game that broke off it is empty until that is looked after
    broken: dict[int, Row] = field(default_factory=dict)  # by the number of the game
    recorded: dict[int, list[Row]] = field(default_factory=dict)
    courses: dict[int, Row] = field(default_factory=dict)

    @staticmethod
    def none(first: int, seats: int) -> Games:
        return Games(first, Columns.empty({}, seats))

    def __len__(self) -> int:
        return len(self.lines)

    def add(self, row: Row) -> None:
        """The next game, with what is kept beside it."""
        number = row["game"]
        if RECORDS in row:
            self.recorded[number] = row.pop(RECORDS)
        if COURSE in row:
            self.courses[number] = row.pop(COURSE)
        if "broken" in row:
            self.broken[number] = row
        self.figures.add(row)
        self.lines.append("" if "broken" in row else spelled(row) + "\n")

    def extend(self, others: Games) -> None:
        """The games behind these."""
        self.figures.extend(others.figures)
        self.lines += others.lines
        self.broken.update(others.broken)
        self.recorded.update(others.recorded)
        self.courses.update(others.courses)

    def kept(self, number: int, row: Row) -> None:
        """A game that broke off has been looked after: this is its line."""
        self.lines[number - self.first] = spelled(row) + "\n"

    def singly(self) -> list[Games]:
        """Each by itself, as they are written; figures are left where they are."""
        nothing = Columns.empty({}, 0)
        return [
            Games(number, nothing, [line], {}, _of(self.recorded, number), _of(self.courses, number))
            for number, line in enumerate(self.lines, self.first)
        ]


def _of(rows: dict[int, Any], number: int) -> dict[int, Any]:
    return {number: rows[number]} if number in rows else {}


class Told:
    """What machine code tells of games that are seated alike, number by number, as lines and figures. What is the same in many of them
    is made once. A line is word for word what `spelled` makes of the row."""

    def __init__(self, game: Game, names: Sequence[str], seed: int | str, turns: bool):
        self.game, self.turns = game, turns
        self.scores, self.ending = FIRST_RANK + game.seats, FIRST_RANK + 2 * game.seats  # where they begin
        self.rankings: dict[tuple[int, ...], tuple[list[list[int]], str]] = {}
        self.endings: dict[int, tuple[str, str]] = {}
        self.head = spelled(f"{seed}/")[:-1]
        scores = ", ".join(f'"{seat + 1}": %d' for seat in range(game.seats))
        who = spelled(list(names)).replace("%", "%%")
        self.middle = f'"seats": {game.seats}, "policies": {who}, "scores": {{{scores}}}'

    def tell(self, numbers: list[int], number: int, games: Games) -> None:
        """A game that was played to its end."""
        ranks, ending = tuple(numbers[FIRST_RANK : self.scores]), numbers[self.ending]
        found = self.rankings.get(ranks)
        if found is None:
            ranking = ranking_of(ranks)
            found = self.rankings[ranks] = ranking, spelled(ranking)
        named = self.endings.get(ending)
        if named is None:
            name = self.game.ending_of(ending)
            named = self.endings[ending] = name, spelled(name)
        scores, decisions = numbers[self.scores : self.ending], numbers[DECISIONS]
        turns = numbers[-1] if self.turns else None
        behind = f', "turns": {turns}}}\n' if self.turns else "}\n"
        games.lines.append(
            f'{{"game": {number}, "seed": {self.head}{number}", {self.middle % tuple(scores)}, "ranking": {found[1]}, '
            f'"ending": {named[1]}, "decisions": {decisions}{behind}'
        )
        games.figures.note(number, decisions, turns, scores, found[0], named[0])


def ranking_of(ranks: Sequence[int]) -> list[list[int]]:
    """The seats by place, from 1."""
    return [[seat for seat, one in enumerate(ranks, 1) if one == rank] for rank in range(max(ranks) + 1)]


__all__ = ["COURSE", "RECORDS", "Games", "Row", "Told", "ranking_of", "spelled"]
