"""Intervals hold what they promise, and what is no change is called one no oftener than it should be."""

from __future__ import annotations

from random import Random
from statistics import NormalDist

import pytest

from ichiba.lab.results.statistics import (
    Moments,
    each,
    each_paired,
    each_unpaired,
    held_back,
    moments,
    normal_quantile,
    paired,
    share,
    student_quantile,
    student_tail,
    unpaired,
)


@pytest.mark.parametrize(("freedom", "wanted"), [(1, 12.7062), (2, 4.30265), (4, 2.77645), (10, 2.22814), (30, 2.04227), (120, 1.97993)])
def test_students_quantiles_are_those_of_the_tables(freedom: int, wanted: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(wanted, rel=1e-5)
    assert student_tail(wanted, freedom) == pytest.approx(0.05, rel=1e-4)


@pytest.mark.parametrize("p", [0.6, 0.9, 0.975, 0.999])
def test_normal_quantiles_agree_with_those_of_python(p: float) -> None:
    assert normal_quantile(p) == pytest.approx(NormalDist().inv_cdf(p), abs=1e-9)


def test_numbers_that_come_one_by_one_have_the_mean_and_spread_of_all() -> None:
    found = moments([2, 4, 4, 4, 5, 5, 7, 9])
    assert found.mean == 5 and found.deviation == pytest.approx((32 / 7) ** 0.5)


def test_one_observation_says_nothing_of_how_sure_it_is() -> None:
    found = moments([3.0]).estimate()
    assert (found.value, found.low, found.high) == (3.0, float("-inf"), float("inf"))
    assert Moments().estimate().many == 0


def test_what_never_happened_is_not_sure_never_to_happen() -> None:
    never = share(0, 20)
    assert (never.value, never.low) == (0.0, 0.0) and 0.1 < never.high < 0.2
    assert share(0, 0).high == 1.0


def test_an_interval_of_95_percent_holds_the_truth_so_often() -> None:
    dice = Random(3)
    held = 0
    for _ in range(600):
        found = moments([dice.expovariate(1) + dice.gauss(0, 1) for _ in range(40)]).estimate()
        held += found.low <= 1 <= found.high
    assert 0.92 <= held / 600 <= 0.98


def test_pairs_show_what_would_drown_among_strangers() -> None:
    dice = Random(5)
    before = [dice.gauss(100, 30) for _ in range(200)]
    after = [value + 2 + dice.gauss(0, 4) for value in before]
    assert paired(before, after).chance < 0.001
    assert unpaired(before, after).chance > 0.05
    assert paired(before, after).value == pytest.approx(unpaired(before, after).value)


def test_who_looks_often_is_held_back() -> None:
    assert held_back([0.04]) == [0.04]
    assert held_back([0.01, 0.04, 0.03, 0.5]) == [0.04, 0.09, 0.09, 0.5]
    assert held_back([0.9, 0.8]) == [1.0, 1.0]


def test_of_many_figures_without_a_change_one_is_called_a_change_in_about_every_twentieth_comparison() -> None:
    dice = Random(11)
    false = 0
    for _ in range(200):
        chances = []
        for _ in range(10):
            before = [dice.gauss(0, 1) for _ in range(30)]
            chances.append(paired(before, [dice.gauss(0, 1) for _ in before]).chance)
        false += min(held_back(chances)) < 0.05
    assert false / 200 <= 0.09


def test_how_many_games_would_do_is_about_how_many_do() -> None:
    dice = Random(8)

    def found(many: int) -> bool:
        return paired([0.0] * many, [0.2 + dice.gauss(0, 1) for _ in range(many)]).chance < 0.05

    wanted = paired([0.0] * 400, [dice.gauss(0, 1) for _ in range(400)]).wanted(0.2)
    assert 150 <= wanted <= 250
    assert 0.7 <= sum(found(wanted) for _ in range(300)) / 300 <= 0.9


def test_how_much_there_is_for_each_is_of_all_together() -> None:
    found = each([2.0, 30.0, 5.0], [1.0, 3.0, 0.0])
    assert (found.value, found.many) == (8.0, 2), "not the mean of 2 and 10; where there is none of them nothing is said"
    assert each([2.0, 6.0], [1.0, 3.0]).error == 0
    values = [3.0, 9.0, 4.0, 4.0, 12.0]
    alike = each(values, [1.0] * 5)
    assert (alike.value, alike.error) == pytest.approx((moments(values).mean, moments(values).error))
    assert each([], []).value == 0 and each([4.0], [2.0]).interval() == (float("-inf"), float("inf"))


def test_how_much_more_there_is_for_each_is_found_however_many_there_are() -> None:
    """Uses differ from game to game and from run to run; what is paid for one went from 5 to 6."""
    dice = Random(3)
    uses = [[float(dice.randrange(0, 9)) for _ in range(80)] for _ in range(2)]
    paid = [[price * many + dice.gauss(0, 2) for many in column] for price, column in zip((5, 6), uses, strict=True)]
    for found in (each_paired((paid[0], paid[1]), (uses[0], uses[1])), each_unpaired((paid[0], paid[1]), (uses[0], uses[1]))):
        low, high = found.interval()
        assert 0.5 < low < 1 < high < 1.5
    same = each_paired((paid[0], paid[0]), (uses[0], uses[0]))
    assert (same.value, same.error, same.chance) == (0, 0, 1)


def test_intervals_of_what_there_is_for_each_hold_the_truth_as_often_as_they_say() -> None:
    dice, held = Random(5), 0
    for _ in range(300):
        uses = [float(dice.randrange(0, 5)) for _ in range(60)]
        paid = [sum(dice.choice((0, 0, 0, 8)) for _ in range(int(many))) for many in uses]
        low, high = each(paid, uses).interval()
        held += low <= 2 <= high
    assert 0.9 < held / 300 < 0.98
