"""What the courses of many games say together: how the lead changes, where the money goes, which boards are gone to and by whom."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ichiba.lab.results.course import LOOKS
from ichiba.lab.results.reading import Columns, NoResults
from ichiba.lab.results.statistics import Difference, Moments, each, held_back, paired

Row = dict[str, Any]
USES = "uses"
PAID, GOT = "paid", "got"
MOST_NAMES = 20_000


def _nothing_in(games: int) -> Moments:
    return Moments(games)


def _looks() -> list[Moments]:
    return [Moments() for _ in range(LOOKS + 1)]


@dataclass(slots=True)
class BoardFigures:
    """One board over all games."""

    uses: Moments = field(default_factory=Moments)  # by game, of all seats together
    options: dict[str, Moments] = field(default_factory=dict)  # how often by which, by game
    games: int = 0  # in which anybody used it
    by_winner: list[float] = field(default_factory=list)  # uses by whoever won, by game
    by_others: list[float] = field(default_factory=list)  # of each of the others, on average
    units: list[str] = field(default_factory=list)  # the purses that anything was paid from or got into
    by_game: dict[str, array[float]] = field(default_factory=dict)  # its uses, and of each purse: paid, got, and what that comes to

    def note(self, what: str, game: int, amount: float) -> None:
        """Of the game of that number, from 0. In those that say nothing it is nothing."""
        column = self.by_game.setdefault(what, array("d"))
        column.extend([0.0] * (game - len(column)))
        column.append(amount)

    def column(self, what: str, games: int) -> array[float]:
        """By game."""
        column = self.by_game.get(what, array("d"))
        return column + array("d", [0.0] * (games - len(column)))

    def of_a_use(self, what: str) -> Difference:
        """How much of it there is for each use: `paid cash`, `got cash`, or `cash`, which is got less paid."""
        return each(self.column(what, self.uses.many), self.column(USES, self.uses.many))

    @property
    def difference(self) -> Difference:
        """How much more often winners use it."""
        return paired(self.by_others, self.by_winner)


@dataclass(slots=True)
class Prices:
    """What the rules have recorded under one name."""

    amounts: Moments = field(default_factory=Moments)
    of: dict[str, Moments] = field(default_factory=lambda: defaultdict(Moments))
    bought: list[Bought] = field(default_factory=list)  # where it is said of whom


@dataclass(frozen=True, slots=True)
class Bought:
    """Something that was recorded of a seat: for how much, and how that seat ended."""

    game: int
    of: str  # of what
    amount: float
    share: float  # of the win
    score: float  # above the mean of the table


@dataclass(slots=True)
class Courses:
    """All of it."""

    games: int = 0
    numbers: array[int] = field(default_factory=lambda: array("q"))  # of the games
    winners: list[Moments] = field(default_factory=_looks)  # how they stood on the way
    others: list[Moments] = field(default_factory=_looks)
    ahead: list[Moments] = field(default_factory=_looks)  # how often whoever leads there wins in the end
    less_is_better: bool = False  # whether the last has the most points
    points: dict[str, tuple[Moments, Moments]] = field(default_factory=dict)  # of each line of scoring: the winners', the others'
    seats: tuple[int, int] = (0, 0)  # so many have won, and so many have not
    changes: Moments = field(default_factory=Moments)  # of the lead, by game
    others_purses: dict[str, list[Moments]] = field(default_factory=lambda: defaultdict(_looks))
    winners_purses: dict[str, list[Moments]] = field(default_factory=lambda: defaultdict(_looks))
    boards: dict[str, BoardFigures] = field(default_factory=dict)
    taken: set[tuple[int, int]] = field(default_factory=set)
    in_play: Counter[str] | None = None  # by board: in how many games; None where a course does not say it
    reached: set[int] | None = None  # marks of the rules; None where a course does not say it
    played: list[tuple[dict[str, list[int]], list[float]]] = field(default_factory=list)  # by game: uses of each by seat, and the scores
    records: dict[str, Prices] = field(default_factory=lambda: defaultdict(Prices))

    @property
    def foreseen(self) -> bool:
        """Whether it could be said on the way how one stands."""
        return self.ahead[0].many > 0

    @property
    def names(self) -> int:
        """Of how many things it is told: each is looked at in each game."""
        options = sum(len(board.options) for board in self.boards.values())
        return len(self.boards) + options + len(self.points) + len(self.winners_purses) + len(self.records)

    def unlikely(self) -> dict[str, float]:
        """By board: how likely it is an accident that winners use it so much more often, or more seldom."""
        names = [name for name, board in self.boards.items() if len(board.by_winner) > 1]
        chances = held_back([self.boards[name].difference.chance for name in names])
        return dict(zip(names, chances, strict=True))

    def add(self, row: Row, shares: list[float], scores: list[float]) -> None:
        """One more game. `shares`: of the win, by seat."""
        self.games += 1
        self.numbers.append(row["game"])
        self.taken.update((site, number) for site, number in row["taken"])
        if "reached" in row:
            self.reached = (self.reached or set()) | set(row["reached"])
        if "in play" in row:
            self.in_play = (self.in_play or Counter()) + Counter(row["in play"])
        self._stand(row, shares)
        self._purses(row, shares)
        self._points(row.get("points", {}), shares)
        self._boards(row, shares, scores)
        self._records(row, shares, scores)

    def _records(self, row: Row, shares: list[float], scores: list[float]) -> None:
        middle = sum(scores) / len(scores)
        for record in row["records"]:
            prices, whose = self.records[record["name"]], record.get("whose")
            of = list(record["of"])
            if whose is not None:
                of.remove(str(whose))
            words = ", ".join(map(str, of))
            prices.amounts.add(record["amount"])
            prices.of[words].add(record["amount"])
            if whose is not None:
                prices.bought.append(Bought(row["game"], words, record["amount"], shares[whose - 1], scores[whose - 1] - middle))

    def _stand(self, row: Row, shares: list[float]) -> None:
        seats = [row["stand"][str(seat + 1)] for seat in range(len(shares))]
        if any(amount is None for stands in seats for amount in stands):
            return
        leaders = []
        for look, stand in enumerate(zip(*seats, strict=True)):
            best = min(stand) if self.less_is_better else max(stand)
            leading = [seat for seat, amount in enumerate(stand) if amount == best]
            leaders.append(leading)
            self.ahead[look].add(sum(shares[seat] for seat in leading) / len(leading))
            for amount, share in zip(stand, shares, strict=True):
                (self.winners if share else self.others)[look].add(amount)
        clear = [leading[0] for leading in leaders if len(leading) == 1]
        self.changes.add(sum(before != after for before, after in pairwise(clear)))

    def _purses(self, row: Row, shares: list[float]) -> None:
        for name, seats in row["purses"].items():
            for seat, share in enumerate(shares):
                kept = (self.winners_purses if share else self.others_purses)[name]
                for look, amount in enumerate(seats[str(seat + 1)]):
                    kept[look].add(amount)

    def _points(self, lines: Row, shares: list[float]) -> None:
        """Of a line that is not there in a game everybody has nothing."""
        for label in lines:
            if label not in self.points:
                self.points[label] = Moments(), Moments()
                for whose, many in zip(self.points[label], self.seats, strict=True):
                    for _ in range(many):
                        whose.add(0)
        for label, (winners, others) in self.points.items():
            for seat, share in enumerate(shares, 1):
                (winners if share else others).add(lines.get(label, {}).get(str(seat), 0))
        self.seats = self.seats[0] + sum(map(bool, shares)), self.seats[1] + sum(not share for share in shares)

    def _boards(self, row: Row, shares: list[float], scores: list[float]) -> None:
        used: dict[str, list[int]] = {}
        for name in row["boards"]:
            self.boards.setdefault(name, self._new())
        for name, board in self.boards.items():
            rows = row["boards"].get(name, {})
            uses = [sum(rows.get(str(seat + 1), {}).get("uses", {}).values()) for seat in range(len(shares))]
            if any(uses):
                used[name] = uses
            board.uses.add(sum(uses))
            board.games += any(uses)
            board.note(USES, self.games - 1, sum(uses))
            won = [count for count, share in zip(uses, shares, strict=True) if share]
            lost = [count for count, share in zip(uses, shares, strict=True) if not share]
            if won and lost:
                board.by_winner.append(sum(won) / len(won))
                board.by_others.append(sum(lost) / len(lost))
            self._by(board, rows)
            told: Counter[str] = Counter()
            for seat in rows.values():
                for side, sign in ((PAID, -1), (GOT, 1)):
                    for unit, amount in seat[side].items():
                        told[f"{side} {unit}"] += amount
                        told[unit] += sign * amount
                        if unit not in board.units:
                            board.units = sorted([*board.units, unit])
            for what, amount in told.items():
                board.note(what, self.games - 1, amount)
        self.played.append((used, scores))

    def _by(self, board: BoardFigures, rows: Row) -> None:
        """By which options it was used."""
        by: Counter[str] = Counter()
        for seat in rows.values():
            by.update(seat["uses"])
        for option in dict.fromkeys([*board.options, *by]):
            if option not in board.options:
                board.options[option] = _nothing_in(self.games - 1)
            board.options[option].add(by[option])

    def _new(self) -> BoardFigures:
        """Nobody used it in the games before."""
        made = BoardFigures(_nothing_in(self.games - 1))
        decided = max((len(board.by_winner) for board in self.boards.values()), default=None)
        none = [0.0] * (self.games - 1 if decided is None else decided)
        made.by_winner, made.by_others = none[:], none[:]
        return made


def _sound(row: Row, seats: int) -> None:
    """A course is what `course_of` gives. Raises `TypeError` or `LookupError` where it is something else."""
    names = [str(seat + 1) for seat in range(seats)]
    looks = _all(row["answers"], int)
    for by_seat in (row["stand"], *_by_name(row["purses"])):
        for name in names:
            if len(_list(by_seat[name])) != len(looks):
                raise TypeError
    for by_seat in _by_name(row["purses"]):
        for name in names:
            _all(by_seat[name], int, float)
    for name in names:
        _all(row["stand"][name], int, float, type(None))
    for by_seat in _by_name(row.get("points", {})):
        _all(by_seat.values(), int, float)
    for taken in _list(row["taken"]):
        if len(_all(taken, int)) != 2:
            raise TypeError
    _all(row.get("reached", []), int)
    _all(row.get("in play", []), str)
    for by_seat in _by_name(row["boards"]):
        for found in _by_name(by_seat):
            for what in (USES, PAID, GOT):
                _all(found[what].values(), int, float)
    for record in _list(row["records"]):
        _all([record["name"]], str)
        _all([record["amount"]], int, float)
        _all(record["of"], str, int)
        whose = record.get("whose")
        if whose is not None and (type(whose) is not int or not 1 <= whose <= seats):
            raise TypeError


def _list(found: object) -> list[Any]:
    if not isinstance(found, list):
        raise TypeError
    return found


def _all(found: Any, *kinds: type) -> list[Any]:
    """All of them are of these very kinds: truth is no number."""
    made = list(found)
    if isinstance(found, str | dict) or any(type(one) not in kinds for one in made):
        raise TypeError
    return made


def _by_name(found: Row) -> list[Row]:
    made = list(found.values())
    if not all(isinstance(one, dict) for one in made):
        raise TypeError
    return made


def courses_of(results: Columns, rows: Iterator[Row]) -> Courses:
    """Of the games that came to an end. Raises `NoResults` where a line is no course."""
    made = Courses(less_is_better=results.less_is_better)
    there = {game: at for at, game in enumerate(results.games)}
    for row in rows:
        game = row.get("game")
        at = there.pop(game, None) if type(game) is int else None
        if at is None:
            continue
        try:
            _sound(row, results.seats)
            made.add(row, [shares[at] for shares in results.shares], [scores[at] for scores in results.scores])
        except (LookupError, TypeError, ValueError, AttributeError):
            raise NoResults(f"the course of game {row['game']} cannot be read") from None
        if made.names > MOST_NAMES:
            raise NoResults(f"the courses tell of more than {MOST_NAMES:,} names")
    return made


__all__ = ["USES", "BoardFigures", "Bought", "Courses", "Prices", "courses_of"]
