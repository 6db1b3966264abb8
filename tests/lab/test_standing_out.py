"""What stands out among its kind: what was planted is named, alone, and where nothing was planted nothing is.

Real runs of a game of stalls that are about as good as each other, and figures that never were."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from random import Random

import pytest

from ichiba.lab.results.courses import USES, BoardFigures, Courses
from ichiba.lab.results.standing import standing_of
from ichiba.lab.results.worth import Figure, at_the_ends, out_of_line, points_with_uses
from tests.lab.stalls import written
from tests.table.door import ichiba

BASE = {"tea": 1.0, "salt": 1.0, "silk": 1.0, "rice": 1.0, "iron": 1.0, "wool": 1.0}


def figures(seed: int, error: float = 0.1, spread: float = 0.3, many: int = 8, **more: float) -> list[Figure]:
    """Of one kind, as many games might have measured them."""
    dice = Random(seed)
    truth = {f"s{number}": dice.gauss(5, spread) + more.get(f"s{number}", 0.0) for number in range(many)}
    return [Figure("points", name, "stall", dice.gauss(value, error), error) for name, value in truth.items()]


def games(seed: int, many: int, worth: dict[str, float], wealth: float = 0.0) -> list[tuple[dict[str, list[int]], list[float]]]:
    """Uses of three seats, and the scores that come of them. `wealth`: who is rich uses everything more, and has more points anyway."""
    dice, made = Random(seed), []
    for _ in range(many):
        rich = [dice.random() for _ in range(3)]
        uses = {name: [dice.randrange(0, 4) + (dice.random() < wealth * one) for one in rich] for name in worth}
        scores = [sum(uses[name][seat] * worth[name] for name in worth) + dice.gauss(0, 3) for seat in range(3)]
        made.append((uses, scores))
    return made


# -------------------------------------------------------------------------------------------- points that go with a use


def test_what_a_use_is_worth_is_found_for_each_by_itself() -> None:
    worth = {"tea": 2.0, "salt": -1.0, "silk": 0.0, "rice": 4.0}
    found = points_with_uses(games(1, 400, worth, wealth=1.0))
    assert found.keys() == worth.keys()
    for name, one in found.items():
        low, high = one.interval(0.999)
        assert low < worth[name] < high and high - low < 1.5


def test_intervals_of_what_a_use_is_worth_miss_as_often_as_is_said() -> None:
    missed = 0
    for seed in range(150):
        for name, one in points_with_uses(games(seed, 40, {"tea": 2.0, "salt": -1.0})).items():
            low, high = one.interval()
            missed += not low <= {"tea": 2.0, "salt": -1.0}[name] <= high
    assert 3 <= missed <= 30  # of 300; 15 are to be expected


def test_what_nobody_uses_more_than_the_others_and_what_cannot_be_told_apart_have_no_figure() -> None:
    some = [({"tea": [1, 1, 1], "salt": [n % 3, (n + 1) % 3, 0]}, [float(n % 3), float((n + 1) % 3), 0.0]) for n in range(40)]
    assert points_with_uses(some).keys() == {"salt"}
    twins = [({"tea": uses["salt"], "salt": uses["salt"]}, scores) for uses, scores in some]
    assert len(points_with_uses(twins)) == 1
    assert points_with_uses(some[:2]) == {} and points_with_uses([]) == {}


# ------------------------------------------------------------------------------------------------- out of line, first, last


def test_one_that_is_far_from_the_others_is_out_of_line() -> None:
    (found,) = out_of_line(figures(1, s3=6.0))
    assert found.figure.name == "s3" and found.many == 7 and found.low < found.high < found.figure.value


def test_where_they_differ_much_anyway_nothing_is_out_of_line() -> None:
    assert not out_of_line(figures(1, spread=4.0, s3=2.0))


def test_three_of_a_kind_are_too_few_to_say() -> None:
    some = figures(1, many=3, s1=50.0)
    assert not out_of_line(some) and not at_the_ends(some)


def test_what_is_far_from_the_others_by_luck_alone_is_not_out_of_line() -> None:
    """Something rarely used, of which so many games say next to nothing."""
    some = [*figures(1), Figure("points", "rare", "stall", 12.0, 6.0)]
    assert not out_of_line(some) and not at_the_ends(some)


def test_false_alarms_are_rare_where_nothing_was_planted() -> None:
    """Kinds whose members differ, and kinds whose members do not."""
    assert sum(bool(out_of_line(figures(seed))) for seed in range(200)) <= 20  # 10 are to be expected
    assert sum(bool(at_the_ends(figures(seed, spread=0.0))) for seed in range(200)) <= 20


def test_the_first_of_a_kind_is_named_where_it_is_before_every_other_one() -> None:
    found = at_the_ends(figures(1, spread=0.05, error=0.1, s3=1.0))
    assert [(one.best, one.figure.name) for one in found] == [(True, "s3")]


def test_where_the_fewest_points_win_the_strongest_is_what_takes_points_away() -> None:
    courses = Courses(less_is_better=True)
    courses.played = games(1, 200, {"tea": 0.0, "salt": 0.0, "silk": 0.0, "rice": -3.0})
    courses.boards = {name: BoardFigures() for name in ("tea", "salt", "silk", "rice")}
    found = standing_of(courses, {})
    assert [(one.best, one.figure.name) for one in found.ends] == [(True, "rice")] and found.sign == -1
    assert found.points["rice"].value == pytest.approx(-3, abs=0.5)


def test_a_purse_that_is_called_points_is_not_taken_for_the_score() -> None:
    courses = Courses()
    courses.played = games(1, 200, {"tea": 0.0, "salt": 0.1, "silk": -0.1, "rice": 3.0})
    courses.boards = {name: BoardFigures() for name in ("tea", "salt", "silk", "rice")}
    for name, board in courses.boards.items():
        for game in range(20):
            board.uses.add(1)
            board.note(USES, game, 1)
            board.note("points", game, -9.0 if name == "tea" else 50.0 + game % 3)
        board.units = ["points"]
    found = standing_of(courses, {})
    assert [(one.figure.name, one.many) for one in found.ends if one.best] == [("rice", 4)]
    assert all(one.many == 3 for one in found.apart)


# --------------------------------------------------------------------------------------------------------- the report alone


def told(place: Path, home: Path, *more: str | Path, seed: int = 1, games: int = 150) -> list[str]:
    """What a report says in so many words about its boards."""
    words = ("--seats", "3", "--games", str(games), "--courses", str(games), "--jobs", "1", "--python", "--seed", str(seed), "--out", place)
    assert ichiba("simulate", home, *words).code == 0
    assert ichiba("report", place, "--rules", home, "--force", *more).code == 0
    page = (place / "report.html").read_text(encoding="utf-8")
    section = re.search(r'<section id="boards".*?</section>', page, re.DOTALL)
    assert section is not None
    return [unescape(re.sub("<[^>]*>", "", words)) for words in re.findall(r'<p class="answer">(.*?)</p>', section[0])]


def test_the_report_alone_names_the_stall_that_pays_too_much(tmp_path: Path) -> None:
    (first,) = told(tmp_path / "run", written(tmp_path, "salt", 13))
    assert first.startswith("The strongest of the 8 stalls is Salt.")


def test_the_report_alone_names_the_stall_that_is_twice_as_dear(tmp_path: Path) -> None:
    (first,) = told(tmp_path / "run", written(tmp_path, "rice", 10, 8))
    assert first.startswith("The weakest of the 8 stalls is Rice.")


def test_where_nothing_was_planted_the_report_names_nothing(tmp_path: Path) -> None:
    (first,) = told(tmp_path / "run", written(tmp_path))
    assert first.startswith("Nothing stands out: among the 8 stalls none is clearly the best or the worst")


def test_beside_the_run_before_the_report_says_where_the_difference_is(tmp_path: Path) -> None:
    told(tmp_path / "before", written(tmp_path / "a"))
    told(tmp_path / "after", written(tmp_path / "b", "corn", 13), "--beside", tmp_path / "before")
    page = (tmp_path / "after" / "report.html").read_text(encoding="utf-8")
    changed = r"Most of all Corn is different: cash got with a use of Corn: [\d.]+ before, [\d.]+ now \(\d+% more, \+"
    assert re.search(rf"What is different from before\?</h2>\s*<p class=\"answer\">{changed}", page)
    short = page[page.index("In short") : page.index("at a glance")]
    assert re.search(rf'<a href="#beside">What is different from before\?</a> {changed}', short), "the first screen says it too"
    assert short.count("#boards") == 1, "all answers to a question stand behind it"


@pytest.mark.soak
def test_whichever_stall_pays_too_much_is_named_and_hardly_ever_another(tmp_path: Path) -> None:
    """All eight stalls, and seeds on which nothing was planted."""
    named = 0
    for number, stall in enumerate(("tea", "salt", "silk", "rice", "iron", "wool", "wine", "corn")):
        said = told(tmp_path / stall, written(tmp_path / f"rules_{stall}", stall, 14), seed=number, games=300)
        named += any(words.startswith(f"The strongest of the 8 stalls is {stall.capitalize()}.") for words in said)
        assert not any(words.startswith("The strongest") and stall.capitalize() not in words for words in said)
    assert named == 8
    home, alarms = written(tmp_path / "plain"), 0
    for seed in range(20):
        alarms += any(words.startswith(("The strongest", "Out of line")) for words in told(tmp_path / f"plain_{seed}", home, seed=seed))
    assert alarms <= 3
