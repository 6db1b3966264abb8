"""Claims about rules that wake each other: the circles are those that one finds by looking at every pair of rules."""

from __future__ import annotations

from random import Random

import pytest

from ichiba.validator.waking import Waking
from tests.conftest import Tally

Pairs = dict[str, list[str]]


def pairs_of(gives: dict[str, frozenset[object]], woken_by: dict[str, frozenset[object]]) -> Pairs:
    return {name: [other for other in woken_by if other != name and signs & woken_by[other]] for name, signs in gives.items()}


def reached(first: str, wakes: Pairs) -> set[str]:
    found, todo = set(wakes[first]), list(wakes[first])
    while todo:
        new = [other for other in wakes[todo.pop()] if other not in found]
        found.update(new)
        todo += new
    return found


def circle(first: str, wakes: Pairs) -> list[str]:
    came, todo = {first: ""}, [first]
    for here in todo:
        for other in wakes[here]:
            if other == first:
                way = [here]
                while came[way[0]]:
                    way.insert(0, came[way[0]])
                return way
            if other not in came:
                came[other] = here
                todo.append(other)
    return []


def by_pairs(wakes: Pairs) -> list[list[str]]:
    told: set[str] = set()
    found = []
    for name in wakes:
        if name in told or name not in reached(name, wakes):
            continue
        told |= {other for other in wakes if name in reached(other, wakes) and other in reached(name, wakes)}
        found.append(circle(name, wakes))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_they_are_those_of_all_pairs(seed: int, tally: Tally) -> None:
    random = Random(seed)
    for _ in range(60):
        names = [f"r{n}" for n in range(random.randrange(1, 9))]
        signs = range(random.randrange(1, 9))

        def some(signs: range = signs) -> frozenset[object]:
            return frozenset(sign for sign in signs if random.random() < 0.25)

        gives, woken_by = {name: some() for name in names}, {name: some() for name in names}
        wanted = by_pairs(pairs_of(gives, woken_by))
        assert list(Waking(gives, woken_by).circles()) == wanted
        tally(circles=len(wanted))


def test_very_many_that_look_at_one_counter_are_no_trouble() -> None:
    names = [f"r{n}" for n in range(20_000)]
    one = frozenset[object]([0])
    assert list(Waking(dict.fromkeys(names, one), dict.fromkeys(names, one)).circles()) == [["r0", "r1"]]


def test_nor_is_a_very_long_circle() -> None:
    names = [f"r{n}" for n in range(20_000)]
    gives = {name: frozenset[object]([n]) for n, name in enumerate(names)}
    woken_by = {name: frozenset[object]([(n - 1) % len(names)]) for n, name in enumerate(names)}
    assert list(Waking(gives, woken_by).circles()) == [names]
