"""What changed between two runs: each figure of the one against the same of the other, and how sure that is.

Games of the same seeds are compared pair by pair, which shows much smaller differences. So many figures are looked at that
one of twenty would stand out by accident: the chances are raised for that (Holm), and only what still stays below 5 % is
called a change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from ichiba.lab.results.courses import GOT, PAID, USES, BoardFigures, Courses
from ichiba.lab.results.reading import Columns, NoResults
from ichiba.lab.results.statistics import Difference, each_paired, each_unpaired, held_back, mean, paired, unpaired

LEAST = 0.05  # of a figure's size, or of a share: what one would want to know of
ACCIDENT = 0.05

FEWEST_USED = 10  # games in which a board was used, in both runs, or nothing is said of what a use costs and brings

Figure = tuple[str, str, str, Sequence[float], Sequence[float]]  # what it is, its unit, of which board; in the first run, in the second
Columned = Callable[[str], list[float]]  # what there was of something, by game
Found = tuple[str, str, str, float, float, Difference]  # the same, with the means and how much they differ


@dataclass(frozen=True, slots=True)
class Effect:
    """One figure in both runs."""

    name: str
    unit: str  # "share", or nothing
    of: str  # which board it is a figure of, if it is of one
    before: float
    after: float
    difference: Difference
    chance: float  # that it is an accident, so many figures having been looked at

    @property
    def sure(self) -> bool:
        return self.chance < ACCIDENT

    @property
    def least(self) -> float:
        return LEAST if self.unit == "share" else LEAST * (abs(self.before) or 1.0)

    @property
    def enough(self) -> bool:
        """Whether a change worth knowing of would have shown."""
        return self.sure or self.difference.wanted(self.least) <= self.difference.many

    @property
    def wanted(self) -> int:
        return self.difference.wanted(self.least)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All figures of two runs."""

    effects: list[Effect]
    pairs: int  # how many games have the same seeds; none: the runs have nothing in common
    games: tuple[int, int]


def compared(first: Columns, second: Columns, courses: tuple[Courses, Courses] | None = None) -> Comparison:
    """Raises `NoResults` where there is nothing to compare. `courses`: how some of the games went, in the first and in the second."""
    if first.seats != second.seats:
        raise NoResults(f"one has {first.seats} seats, the other {second.seats}: their figures mean different things")
    a, b, pairs = _aligned(first, second)
    if min(len(a), len(b)) < 2:
        raise NoResults("two games of each are the least that can be compared")
    found: list[Found] = [
        (name, unit, of, mean(before), mean(after), paired(before, after) if pairs else unpaired(before, after))
        for name, unit, of, before, after in chain(_figures(first, second, a, b), _uses(*courses, bool(pairs)) if courses else ())
    ]
    found += _of_a_use(*courses, bool(pairs)) if courses else ()
    chances = held_back([difference.chance for *_, difference in found])
    effects = [Effect(*one, chance) for one, chance in zip(found, chances, strict=True)]
    return Comparison(effects, pairs, (first.many, second.many))


def _aligned(first: Columns, second: Columns) -> tuple[list[int], list[int], int]:
    """The places of the games to compare: those with the same seeds, if there are any; else all."""
    if first.about["seed"] != second.about["seed"]:
        return list(range(first.many)), list(range(second.many)), 0
    a, b = _in_both(first.games, second.games)
    return a, b, len(a)


def _in_both(first: Sequence[int], second: Sequence[int]) -> tuple[list[int], list[int]]:
    there = {game: at for at, game in enumerate(second)}
    both = [(at, there[game]) for at, game in enumerate(first) if game in there]
    return [at for at, _ in both], [at for _, at in both]


def _figures(first: Columns, second: Columns, a: list[int], b: list[int]) -> Iterator[Figure]:
    def figure(name: str, unit: str, before: Sequence[float], after: Sequence[float]) -> Figure:
        return name, unit, "", [before[at] for at in a], [after[at] for at in b]

    yield figure("decisions", "", first.decisions, second.decisions)
    if len(first.turns) == first.many and len(second.turns) == second.many:
        yield figure("turns", "", first.turns, second.turns)
    yield figure("score of the winner", "", first.winning, second.winning)
    yield figure("lead of the winner", "", first.leads, second.leads)
    for seat in range(first.seats):
        yield figure(f"score of seat {seat + 1}", "", first.scores[seat], second.scores[seat])
    for seat in range(first.seats):
        yield figure(f"wins of seat {seat + 1}", "share", first.shares[seat], second.shares[seat])
    yield from _figures_of_players(figure, first, second)
    endings = sorted({*first.endings, *second.endings})
    for ending in endings if len(endings) > 1 else ():
        before, after = ([float(name == ending) for name in one.endings] for one in (first, second))
        yield figure(f"ending {ending}", "share", before, after)


def _uses(first: Courses, second: Courses, paired_up: bool) -> Iterator[Figure]:
    """How often each board is used, in the games whose course was kept."""
    for name, before, after in _boards(first, second, paired_up):
        yield f"uses of {name}", "", name, before(USES), after(USES)


def _of_a_use(first: Courses, second: Courses, paired_up: bool) -> Iterator[Found]:
    """What a use costs and what it brings: each by itself, and for each use, so that what was changed at a board shows there and what
    only follows from it shows less."""
    for name, before, after in _boards(first, second, paired_up):
        uses = before(USES), after(USES)
        if any(sum(map(bool, column)) < FEWEST_USED for column in uses):
            continue
        one, other = first.boards[name], second.boards[name]
        for unit in (unit for unit in one.units if unit in other.units):
            for side, told in ((PAID, "paid for"), (GOT, "got with")):
                parts = before(f"{side} {unit}"), after(f"{side} {unit}")
                if any(map(any, parts)):
                    found = each_paired(parts, uses) if paired_up else each_unpaired(parts, uses)
                    was, is_now = (sum(part) / sum(many) for part, many in zip(parts, uses, strict=True))
                    yield f"{unit} {told} a use of {name}", "", name, was, is_now, found


def _boards(first: Courses, second: Courses, paired_up: bool) -> Iterator[tuple[str, Columned, Columned]]:
    """Those of both runs, with their columns of the games that are compared."""
    a, b = _in_both(first.numbers, second.numbers) if paired_up else (list(range(first.games)), list(range(second.games)))
    if min(len(a), len(b)) < 2:
        return
    for name, before in first.boards.items():
        after = second.boards.get(name)
        if after is not None:
            yield name, _columned(before, first.games, a), _columned(after, second.games, b)


def _columned(board: BoardFigures, games: int, at: Sequence[int]) -> Columned:
    def column(what: str) -> list[float]:
        whole = board.column(what, games)
        return [whole[one] for one in at]

    return column


def _figures_of_players(figure: Callable[..., Figure], first: Columns, second: Columns) -> Iterator[Figure]:
    """Where everybody sits at every seat in turn, and more than one of them plays in both."""
    if not first.rotated or not second.rotated:
        return
    before, after = first.wins_by_player(), second.wins_by_player()
    both = [name for name in before if name in after]
    for name in both if len(both) > 1 else ():
        yield figure(f"wins of {name}", "share", before[name], after[name])


__all__ = ["ACCIDENT", "Comparison", "Effect", "compared"]
