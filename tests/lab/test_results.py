"""What a run says: the course of a game, and what changed between two runs."""

from __future__ import annotations

from array import array
from collections import Counter
from random import Random
from typing import Any

import pytest

import ichiba
from ichiba.lab.policies import play_out
from ichiba.lab.results.comparing import compared
from ichiba.lab.results.course import LOOKS, course_of
from ichiba.lab.results.courses import courses_of
from ichiba.lab.results.reading import Columns, NoResults, columns_of
from ichiba.lab.results.subjects import recorded_titles

ABOUT = {"seed": 1, "policies": ["random", "random"]}


def run(games: int, seed: int = 1, more: float = 0.0, seat_two: float = 0.0, first: int = 1) -> Columns:
    """Games that never were: seat 2 scores `seat_two` more, everybody `more` more."""
    made = Columns.empty({**ABOUT, "seed": seed}, 2)
    for number in range(first, first + games):
        dice = Random(f"{seed}/{number}")
        scores = {"1": round(dice.gauss(50, 10) + more), "2": round(dice.gauss(50, 10) + more + seat_two)}
        best = max(scores.values())
        ranking = [[int(seat) for seat, score in scores.items() if score == best]]
        ranking += [[seat] for seat in (1, 2) if seat not in ranking[0]]
        made.add({"game": number, "decisions": dice.randrange(30, 50), "scores": scores, "ranking": ranking, "ending": "end"})
    return made


# ------------------------------------------------------------------------------------------------ comparing


def test_a_planted_change_is_found_and_nothing_else() -> None:
    found = compared(run(200), run(200, more=3))
    changed = {effect.name: effect.difference.value for effect in found.effects if effect.sure}
    assert changed == {"score of seat 1": 3.0, "score of seat 2": 3.0, "score of the winner": 3.0}
    assert found.pairs == 200


def test_the_same_games_show_no_change_and_that_is_enough_to_say() -> None:
    found = compared(run(100), run(100))
    assert all(not effect.sure and effect.enough and effect.difference.value == 0 for effect in found.effects)


def test_runs_of_other_seeds_are_compared_as_strangers() -> None:
    found = compared(run(400, seed=1), run(400, seed=2, seat_two=6))
    assert found.pairs == 0
    sure = {effect.name for effect in found.effects if effect.sure}
    assert {"score of seat 2", "wins of seat 2", "wins of seat 1"} <= sure and "score of seat 1" not in sure


def test_too_few_games_say_so_and_how_many_would_do() -> None:
    found = compared(run(10, seed=1), run(10, seed=2))
    wins = next(effect for effect in found.effects if effect.name == "wins of seat 1")
    assert not wins.sure and not wins.enough and wins.wanted > 100


def test_games_that_are_in_one_run_alone_are_left_out() -> None:
    assert compared(run(50), run(80, more=1)).pairs == 50
    assert compared(run(50, first=1), run(50, first=31, more=1)).pairs == 20


def test_what_cannot_be_compared_is_said() -> None:
    other = Columns.empty(ABOUT, 3)
    with pytest.raises(NoResults, match="one has 2 seats, the other 3"):
        compared(run(10), other)
    with pytest.raises(NoResults, match="two games of each are the least"):
        compared(run(1), run(1))


def test_false_alarms_are_as_rare_as_they_should_be() -> None:
    alarms = sum(any(effect.sure for effect in compared(run(40, seed=2 * n), run(40, seed=2 * n + 1)).effects) for n in range(100))
    assert alarms <= 12


# -------------------------------------------------------------------------------------------------- reading


def test_broken_games_are_counted_and_are_in_no_figure() -> None:
    rows: list[dict[str, Any]] = [
        {"game": 1, "seats": 2, "decisions": 5, "scores": {"1": 3, "2": 4}, "ranking": [[2], [1]], "ending": "end"},
        {"game": 2, "seats": 2, "decisions": 5, "broken": "it broke"},
        {"game": 3, "seats": 2, "decisions": 7, "scores": {"1": 3, "2": 3}, "ranking": [[1, 2]], "ending": None},
    ]
    found = columns_of(ABOUT, iter(rows))
    assert (found.many, found.broken, list(found.games)) == (2, 1, [1, 3])
    assert found.shares == [array("d", [0, 0.5]), array("d", [1, 0.5])]
    assert list(found.leads) == [1, 0] and list(found.winning) == [4, 3]


def test_a_run_without_games_and_games_of_other_seats_are_no_results() -> None:
    with pytest.raises(NoResults, match="no game has come to its end"):
        columns_of(ABOUT, iter([]))
    row = {"game": 1, "seats": 2, "decisions": 5, "scores": {"1": 3}, "ranking": [[1]], "ending": "end"}
    with pytest.raises(NoResults, match="game 1 is no game of 2 seats"):
        columns_of(ABOUT, iter([row]))


# ------------------------------------------------------------------------------------------------ the course


@pytest.mark.parametrize(("name", "seats"), [("lantern_coast", 3), ("leduc_poker", 2), ("tsukiji", 2), ("caravan_yard", 3)])
def test_the_course_of_a_game_begins_at_its_beginning_and_ends_with_its_scores(name: str, seats: int) -> None:
    game = ichiba.load(name, seats=seats)
    table = play_out(game, 5, ["random"] * seats)
    course = course_of(table)
    stands = course["stand"]
    assert course["answers"][0] == 0 and course["answers"][-1] == len(table.history)
    assert {seat: looks[-1] for seat, looks in stands.items()} == {str(seat): score for seat, score in table.scores.items()}
    assert all(len(looks) == len(course["answers"]) for looks in stands.values())
    assert course == course_of(play_out(game, 5, ["random"] * seats))


def test_what_boards_take_and_give_is_told_by_board_and_seat() -> None:
    game = ichiba.load("tokyo_tsukiji_market", seats=2, config="first_game")
    table = play_out(game, 1, ["sensible"] * 2)
    boards = course_of(table)["boards"]
    used = Counter(row_option for rows in boards.values() for row in rows.values() for row_option in row["uses"].elements())
    answers = Counter(str(one["key"]).partition("/")[0] for one in table.log if one["event"] == "decision")
    assert used["visit"] == answers["visit"] > 0 and used["catch"] == answers["catch"]
    assert "price" not in used  # an answer that names no board
    assert any(row["paid"].get("cash") for rows in boards.values() for row in rows.values())


def test_courses_of_many_games_say_who_led_and_what_was_never_done() -> None:
    game = ichiba.load("lantern_coast", seats=2)
    results, rows = Columns.empty(ABOUT, 2), []
    for number in range(1, 7):
        table = play_out(game, number, ["random", "random"])
        scores = {str(seat): score for seat, score in table.scores.items()}
        results.add({"game": number, "decisions": len(table.history), "scores": scores, "ranking": table.ranking, "ending": table.ending})
        rows.append({"game": number, **course_of(table)})
    found = courses_of(results, iter(rows))
    assert found.games == 6 and found.foreseen
    assert found.ahead[LOOKS].mean == 1.0  # who leads at the end has won
    assert found.winners[LOOKS].mean >= found.others[LOOKS].mean
    assert found.taken and set(found.records) == {"lamp"}
    assert set(found.points) == {"Cash", "Towers lit"}
    total = sum(winners.mean * winners.many + others.mean * others.many for winners, others in found.points.values())
    assert total == pytest.approx(sum(sum(column) for column in results.scores))


def test_what_is_recorded_is_called_as_people_call_it() -> None:
    titles = recorded_titles(ichiba.load("tokyo_tsukiji_market", seats=2))
    assert titles["crab_8"] == "Crab of 8"
    assert recorded_titles(ichiba.load("lantern_coast", seats=2))["spider_lamp"] == "spider lamp"
