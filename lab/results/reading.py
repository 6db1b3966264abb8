"""A run's folder as columns of numbers: read line by line, so that memory grows with the columns and not with the text."""

from __future__ import annotations

import json
import os
import stat
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

Row = dict[str, Any]
MOST_LINE = 4_000_000
LONGEST_NUMBER = 18  # digits: such numbers fit into every column that is made of them


class NoResults(Exception):
    """What lies there cannot be read as results; the words say why."""


def seated(policies: Sequence[str], game: int) -> tuple[str, ...]:
    """Who sits where in a game of a run in which everybody moves on by a seat each time."""
    moved = (game - 1) % len(policies)
    return (*policies[len(policies) - moved :], *policies[: len(policies) - moved])


@dataclass(slots=True)
class Columns:
    """The games of a run that came to an end, one number each."""

    about: Row
    seats: int
    games: array[int] = field(default_factory=lambda: array("q"))
    decisions: array[float] = field(default_factory=lambda: array("d"))
    turns: array[float] = field(default_factory=lambda: array("d"))
    scores: list[array[float]] = field(default_factory=list)  # by seat
    shares: list[array[float]] = field(default_factory=list)  # by seat: 1 for a win, 1/2 for one shared by two
    leads: array[float] = field(default_factory=lambda: array("d"))  # how far the first is before the next; nothing where several are
    winning: array[float] = field(default_factory=lambda: array("d"))  # the score of the first
    endings: list[str] = field(default_factory=list)  # by game
    falling: int = 0  # games in which the last had more than the first, less those in which it had less
    broken: int = 0
    names: list[str] = field(default_factory=list)  # of the seats, as rows call them

    @staticmethod
    def empty(about: Row, seats: int) -> Columns:
        return Columns(about, seats, scores=[array("d") for _ in range(seats)], shares=[array("d") for _ in range(seats)],
                       names=[str(seat + 1) for seat in range(seats)])  # fmt: skip

    @property
    def many(self) -> int:
        return len(self.games)

    @property
    def policies(self) -> list[str]:
        return list(self.about["policies"])

    @property
    def rotated(self) -> bool:
        """Whether everybody sat at every seat in turn."""
        return bool(self.about.get("rotate"))

    @property
    def less_is_better(self) -> bool:
        return self.falling > 0

    def wins_by_player(self) -> dict[str, array[float]]:
        """How often each of the players won, by game; of one that sits at several seats, what a seat of it won."""
        found = {name: array("d") for name in dict.fromkeys(self.policies)}
        for at, game in enumerate(self.games):
            names = seated(self.policies, game) if self.rotated else tuple(self.policies)
            for name, column in found.items():
                seats = [seat for seat, one in enumerate(names) if one == name]
                column.append(sum(self.shares[seat][at] for seat in seats) / len(seats))
        return found

    def ahead_by_player(self) -> dict[str, array[float]]:
        """By how many points a seat of each of the players was before the others at the table, by game: their means. Where one player has
        all seats there are no others."""
        found = {name: array("d") for name in dict.fromkeys(self.policies)}
        sign = -1 if self.less_is_better else 1
        for at, game in enumerate(self.games):
            names = seated(self.policies, game) if self.rotated else tuple(self.policies)
            for name, column in found.items():
                own = [self.scores[seat][at] for seat, one in enumerate(names) if one == name]
                others = [self.scores[seat][at] for seat, one in enumerate(names) if one != name]
                if others:
                    column.append(sign * (sum(own) / len(own) - sum(others) / len(others)))
        return found

    def add(self, row: Row) -> None:
        if "broken" in row:
            self.broken += 1
            return
        scores = [row["scores"][seat] for seat in self.names]
        self.note(row["game"], row["decisions"], row.get("turns"), scores, row["ranking"], row["ending"] or "")

    def note(self, game: int, decisions: int, turns: int | None, scores: Sequence[int], ranking: Sequence[Sequence[int]], ending: str) -> None:
        """A game that came to its end."""
        first = ranking[0]
        one, last, share = scores[first[0] - 1], scores[ranking[-1][0] - 1], 1 / len(first)
        second = scores[ranking[1][0] - 1] if len(ranking) > 1 and len(first) == 1 else one
        self.games.append(game)
        self.decisions.append(decisions)
        if turns is not None:
            self.turns.append(turns)
        for points, column in zip(scores, self.scores, strict=True):
            column.append(points)
        for seat, column in enumerate(self.shares, 1):
            column.append(share if seat in first else 0.0)
        self.winning.append(one)
        self.leads.append(abs(one - second))
        self.falling += (last > one) - (last < one)
        self.endings.append(ending)

    def extend(self, others: Columns) -> None:
        """Games more of the same run."""
        for own, more in zip(self._arrays(), others._arrays(), strict=True):
            own.extend(more)
        self.endings += others.endings
        self.falling += others.falling
        self.broken += others.broken

    def _arrays(self) -> list[array[Any]]:
        return [self.games, self.decisions, self.turns, *self.scores, *self.shares, self.leads, self.winning]

    def ends(self) -> Counter[str]:
        return Counter(self.endings)


def columns_of(about: Row, rows: Iterator[Row]) -> Columns:
    """All games of a run. Raises `NoResults` where a line is no game of so many seats."""
    made = Columns.empty(about, len(about["policies"]))
    for row in rows:
        try:
            made.add(row)
        except (LookupError, TypeError, ValueError, OverflowError):
            raise NoResults(f"game {row.get('game', '?')} is no game of {made.seats} seats") from None
    if not made.many:
        raise NoResults("no game has come to its end there")
    return made


def row_of(line: bytes) -> object:
    """What a line of results says. Raises `ValueError` where it is no JSON, or says what no game comes to: numbers without measure,
    and texts that are none."""
    try:
        row = json.loads(line, parse_int=_whole, parse_float=_fraction, parse_constant=_none)
        if b"\\u" in line:
            str(row).encode()  # half of a character can be written nowhere
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return row


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError("a number is too large")
    return int(digits)


def _fraction(digits: str) -> float:
    found = float(digits)
    if not abs(found) < 10**LONGEST_NUMBER:
        raise ValueError("a number is too large")
    return found


def _none(word: str) -> object:
    raise ValueError(f"{word} is no number")


def lines(path: Path) -> Iterator[Row]:
    """The rows of a file of JSON lines; a last line that was cut off does not count. Raises `NoResults`."""
    with _opened(path) as file:
        number = 0
        while line := file.readline(MOST_LINE + 1):
            number += 1
            if not line.endswith(b"\n"):
                if len(line) > MOST_LINE:
                    raise NoResults(f"line {number} of {path.name} is longer than {MOST_LINE:,} bytes")
                return
            try:
                row = row_of(line)
            except ValueError:
                raise NoResults(f"line {number} of {path.name} is no JSON, or holds numbers that no game comes to") from None
            if not isinstance(row, dict):
                raise NoResults(f"line {number} of {path.name} is no row")
            yield row


def _opened(path: Path) -> BinaryIO:
    """What is no plain file keeps nobody waiting."""
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as fault:
        raise NoResults(f"{path.name}: {(fault.strerror or 'it cannot be read').lower()}") from None
    file = os.fdopen(number, "rb")
    if not stat.S_ISREG(os.fstat(number).st_mode):
        file.close()
        raise NoResults(f"{path.name} is no plain file")
    return file


__all__ = ["Columns", "NoResults", "columns_of", "lines", "row_of", "seated"]
