"""The guide shows plots of real runs, as they are drawn. `make pictures` draws them anew."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

import ichiba
from ichiba.lab.policies import play_out
from ichiba.lab.results.course import LOOKS, course_of
from ichiba.lab.results.courses import Courses, courses_of
from ichiba.lab.results.reading import Columns
from ichiba.table.markup.writing import svg
from ichiba.table.plots.bars import Bar, bars
from ichiba.table.plots.lines import Course, lines
from ichiba.table.plots.scale import round_numbers, said
from ichiba.table.svg.drawing import Panel, picture
from tests.house.test_rooms import ROOT
from tests.table.door import RENEW

PLACE = ROOT / "docs" / "pictures"


def played(name: str, games: int, config: str | None = None, seats: int | None = None) -> Courses:
    game = ichiba.load(name, seats, config=config)
    policies = ["sensible"] * game.seats
    results, rows = Columns.empty({"policies": policies, "seed": 1}, game.seats), []
    for number in range(1, games + 1):
        table = play_out(game, f"1/{number}", policies)
        scores = {str(seat): score for seat, score in table.scores.items()}
        results.add({"game": number, "decisions": len(table.history), "scores": scores, "ranking": table.ranking, "ending": table.ending})
        rows.append({"game": number, **course_of(table)})
    return courses_of(results, iter(rows))


def leader() -> Panel:
    ahead = played("lantern_coast", 80, seats=3).ahead
    course = Course("the leader wins in the end", [(at / LOOKS, found.mean) for at, found in enumerate(ahead)])
    return lines([course], "of the game's answers", "share", "share")


def gains() -> Panel:
    boards = played("tokyo_tsukiji_market", 12, config="first_game").boards
    found = [(name, board.of_a_use("cash").estimate()) for name, board in boards.items() if board.uses.mean >= 1]
    return bars([Bar(name, gain) for name, gain in sorted(found, key=lambda pair: -pair[1].value)])


@pytest.mark.parametrize(("name", "draw"), [("leader", leader), ("gains", gains)])
def test_the_guide_shows_a_plot_as_it_is_drawn(name: str, draw: Callable[[], Panel]) -> None:
    path, content = PLACE / f"{name}.svg", svg(picture(draw(), name))
    if os.environ.get(RENEW):
        path.write_text(content, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == content, f"{path.name} is drawn otherwise: make pictures"


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [(0, 1, [0, 0.5, 1]), (-0.17, 0.31, [0, 0.2]), (0, 0.98, [0, 0.5]), (-3, 1, [-2, 0]), (0, 5_900, [0, 2_000, 4_000]), (3, 3, [3])],
)
def test_an_axis_has_two_round_numbers_or_more_so_that_sizes_can_be_told(low: float, high: float, marks: list[float]) -> None:
    assert round_numbers(low, high, 3) == marks


@pytest.mark.parametrize(
    ("value", "unit", "margin", "words"),
    [(-0.3, "", 2.0, "0"), (-0.3, "", 0.5, "-0.3"), (-0.0004, "share", 0.0, "0.0%"), (-12.0, "", 0.0, "-12"), (-1_000.2, "", 0.0, "-1,000")],
)
def test_what_is_nothing_when_it_is_rounded_has_no_sign(value: float, unit: str, margin: float, words: str) -> None:
    assert said(value, unit, margin) == words
