"""The state of a table in machine code behaves as the list that Python alone would have."""

from __future__ import annotations

import copy
import pickle
import shutil
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import ichiba

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


@pytest.fixture(scope="module")
def held() -> Callable[[list[int]], Any]:
    game = ichiba.load("lantern_coast", seats=3, native=True)
    return lambda values: game.code.held(values)


@pytest.fixture(scope="module")
def packed() -> int:
    """A place where packed lists may lie."""
    from ichiba.interpreter.native import compiler

    places = compiler.program(ichiba.load("lantern_coast", seats=3, native=True)).packed_places
    assert places
    return min(places)


def numbers(seed: int) -> list[int]:
    random, size = Random(seed), len(ichiba.load("lantern_coast", seats=3).first)
    return [random.randrange(-5, 300) for _ in range(size)]


LONG = sum((n + 2) << 20 * n for n in range(9))  # a packed list of nine


READS: dict[str, Callable[[Any], object]] = {
    "a place": lambda s: s[7],
    "a place from the end": lambda s: s[-3],
    "a place that is not there": lambda s: s[10**6],
    "neighbours": lambda s: s[4:19],
    "every third": lambda s: s[2:60:3],
    "backwards": lambda s: s[::-1],
    "all, one by one": lambda s: list(s),
    "how many": len,
    "where": lambda s: s.index(s[20], 5, 60),
    "where from the end": lambda s: s.index(s[-1], -4),
    "nowhere": lambda s: s.index(999_999_999, 0, 50),
    "how often": lambda s: s.count(s[9]),
    "whether": lambda s: s[9] in s,
    "a sum": lambda s: sum(s[3:30]),
    "its words": repr,
    "hashing": hash,
}


@pytest.mark.parametrize("what", READS)
def test_it_is_read_as_a_list_is(what: str, held: Callable[[list[int]], Any]) -> None:
    for seed in range(5):
        ends = []
        for state in (numbers(seed), held(numbers(seed))):
            try:
                ends.append(READS[what](state))
            except Exception as fault:
                ends.append(type(fault))
        assert ends[0] == ends[1]


def test_it_is_written_as_a_list_is(held: Callable[[list[int]], Any], packed: int) -> None:
    random = Random(3)
    one, other = numbers(1), held(numbers(1))
    for _ in range(400):
        at, n, value = random.randrange(len(one) - 9), random.randrange(9), random.randrange(-(10**12), 10**12)
        many = [random.randrange(50) for _ in range(n)]
        for state in (one, other):
            state[at] = value
            state[at] += 3
            state[at : at + n] = many
            state[at : at + n] = state[:n]
            state[packed] = LONG >> 20 * (n % 9)
        assert other == one and one == other and list(other) == one
        assert bool(other != one) is False
    with pytest.raises(ValueError, match="2 numbers for 3 places"):
        other[3:6] = [1, 2]
    with pytest.raises(OverflowError):
        other[8] = 10**30
    with pytest.raises(TypeError):
        other[8] = "8"
    with pytest.raises(TypeError):
        del other[8]


def test_copies_are_independent_and_equal(held: Callable[[list[int]], Any], packed: int) -> None:
    state = held(numbers(2))
    state[packed] = LONG
    copies = [state[:], state.copy(), copy.copy(state), copy.deepcopy(state), held(state), held(list(state)), pickle.loads(pickle.dumps(state))]
    assert all(one == state for one in copies)
    for one in copies:
        one[packed] = LONG + 1
        assert one != state and one[packed] == LONG + 1
    assert state[packed] == LONG


def test_long_lists_in_one_number_are_let_go_of_when_no_place_names_them(held: Callable[[list[int]], Any], packed: int) -> None:
    state = held(numbers(2))
    for n in range(3000):
        state[packed] = LONG + n
        assert state[packed] == LONG + n


def test_its_numbers_are_there_as_a_buffer(held: Callable[[list[int]], Any]) -> None:
    view = memoryview(held(numbers(4)))
    assert (view.format, view.readonly, view.tolist()) == ("q", True, numbers(4))


def test_what_is_told_elsewhere_is_not_taken_for_a_state(held: Callable[[list[int]], Any]) -> None:
    with pytest.raises(ValueError, match="numbers for"):
        held([1, 2, 3])
    with pytest.raises(TypeError):
        held(["a"] * len(numbers(0)))  # type: ignore[list-item]
