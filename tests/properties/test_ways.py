"""Claims about searches over maps and grids made by chance: they find what a plain search finds, ties included, and remember nothing wrong."""

from __future__ import annotations

import pickle
import tempfile
from heapq import heappop, heappush
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ichiba
from ichiba.interpreter.native import compiler as native
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.interpreter.runtime.ways import MOST_ASKED, Kept, flood, recalled, remembered, steps_to, ways

LOW = 100
Step = tuple[int, int, int]  # from where, which weight, where to


@st.composite
def nets(draw: st.DrawFn) -> tuple[int, list[Step], list[int], list[int]]:
    """So many places, the steps between them, what they cost (-1: closed), and where to begin."""
    size = draw(st.integers(1, 9))
    pairs = draw(st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=24, unique=True))
    weights = draw(st.lists(st.integers(-1, 3), min_size=max(1, len(pairs)), max_size=max(1, len(pairs))))
    steps = sorted((a, which, b) for which, (a, b) in enumerate(pairs) for a, b in ((a, b), (b, a)))
    return size, steps, weights, draw(st.lists(st.integers(-1, size - 1), max_size=3))


def kept(size: int, steps: list[Step]) -> Kept:
    first = tuple(sum(here < n for here, _, _ in steps) for n in range(size + 1))
    return Kept(LOW, first, tuple(there for _, _, there in steps), tuple(which for _, which, _ in steps))


def all_ways(size: int, steps: list[Step], weights: list[int], starts: list[int]) -> dict[int, tuple[int, int, tuple[int, ...]]]:
    """By place: cost, number of steps, and the steps backwards from the end. The first of a heap that holds all of that is the best."""
    found: dict[int, tuple[int, int, tuple[int, ...]]] = {}
    heap: list[tuple[int, int, tuple[int, ...], int]] = [(0, 0, (), start) for start in starts if start >= 0]
    heap.sort()
    while heap:
        cost, many, backwards, here = heappop(heap)
        if here not in found:
            found[here] = cost, many, backwards
            for number, (begin, which, there) in enumerate(steps):
                if begin == here and weights[which] >= 0:
                    heappush(heap, (cost + weights[which], many + 1, (number, *backwards), there))
    return found


@settings(max_examples=400, deadline=None)
@given(nets())
def test_the_best_way_is_found_to_every_place(net: tuple[int, list[Step], list[int], list[int]]) -> None:
    size, steps, weights, starts = net
    begin = [start + LOW if start >= 0 else -1 for start in starts]
    found, wanted = ways(kept(size, steps), begin, weights), all_ways(size, steps, weights, starts)
    assert found[:size] == [wanted[place][0] if place in wanted else -1 for place in range(size)]
    assert flood(kept(size, steps), begin, weights) == [place + LOW for place in sorted(wanted)]
    come_from, names = [here for here, _, _ in steps], list(range(len(steps)))
    for place in range(size):
        backwards = wanted[place][2] if place in wanted else ()
        assert steps_to(found, place, come_from, names) == [*reversed(backwards)]


def test_of_many_searches_the_latest_are_remembered_and_none_in_a_copy() -> None:
    net = kept(2, [(0, 0, 1), (1, 0, 0)])
    for asked in range(MOST_ASKED):
        for seen in range(3):
            remembered(net, (asked,), [seen], [asked, seen])
    assert [recalled(net, (5,), [seen]) for seen in range(3)] == [None, [5, 1], [5, 2]]
    assert recalled(pickle.loads(pickle.dumps(net)), (5,), [2]) is None  # noqa: S301
    remembered(net, (MOST_ASKED,), [0], [7])
    assert len(net.answers) <= MOST_ASKED and recalled(net, (MOST_ASKED,), [0]) == [7]


def test_a_way_that_costs_too_much_is_a_fault() -> None:
    net = kept(3, [(0, 0, 1), (1, 0, 0), (1, 1, 2), (2, 1, 1)])
    assert ways(net, [LOW], [10**12, 0])[:3] == [0, 10**12, 10**12]
    with pytest.raises(RuleFault, match="costs too much"):
        ways(net, [LOW], [10**12, 1])


# ------------------------------------------------------------------------------------------------- in whole games

RULES = """
kind gate is node:
    counter crowd: 0 .. 3
    flag closed

kind road is edge:
    field toll: number = 1
    counter worn: 0 .. 2

kind cell is node:
    counter height: 0 .. 3

seat:
    counter points: 0 .. 99999

table:
    remember here: gate = g1

setup: nothing

play:
    take turns from seat(1) until false, at most 30 times: turn

procedure turn:
    menu act:
        option shut "Shut {g}" for g in connected to here through g where not g.closed: mark g.closed
        option open "Open {g}" for g in gates where g.closed: clear g.closed
        option wear "Wear {e}" for e in (cheapest steps from here to g2 over e by e.toll + e.worn else none) where e.worn < 2: raise e.worn by 1
        option go "Go to {g} for {fare(g)}" for g in gates where fare(g) < 7 and g is not here: set here to g
        option crowd "Crowd {g}" for g in gates where g.crowd < 3 and shortest way from here to g through n where n.crowd < 2 else 9 < 3:
            raise g.crowd by 1
        option dig "Dig {c}" for c in (connected to a1 through n where n.height < 2) where c.height < 3: raise c.height by 1
        option rest "Rest":
            raise my.points by sum of (fare(g) for g in gates)
            raise my.points by count of shortest steps from a1 to b2 through n where n.height < 2 else none

value fare(g: gate) -> number: cheapest way from {here, g1} to g over e through n by e.toll + e.worn + n.crowd where not n.closed else 9

scoring:
    score for each seat: score "Points" my.points
"""


def made(folder: Path, random: Random) -> Path:
    size = random.randint(2, 7)
    pairs = [(n, random.randint(1, n - 1)) for n in range(2, size + 1)]
    pairs += [(a, b) for a, b in product(range(1, size + 1), repeat=2) if a < b and (b, a) not in pairs and random.random() < 0.3]
    listed = [f"{{between: [g{a}, g{b}], toll: {random.randint(0, 3)}}}" if random.random() < 0.7 else f"[g{a}, g{b}]" for a, b in pairs]
    shape = random.choice(["", ", hex: true", ", corners: true", ", without: [a2]"])
    (folder / "isle.yaml").write_text(
        f"gates: [{', '.join(f'{{id: g{n}}}' for n in range(1, size + 1))}]\nroads: [{', '.join(listed)}]\n", encoding="utf-8"
    )
    (folder / "game.yaml").write_text(
        f"game: {folder.name}\nlanguage: 2\ntitle: Isle\nseats: 2\nmap: isle.yaml\nthings:\n  gate: {{from: gates}}\n  road: {{edges: roads}}\n"
        f"  cell: {{grid: 3 x {random.randint(2, 4)}{shape}}}\n",
        encoding="utf-8",
    )
    (folder / "play.rules").write_text(RULES, encoding="utf-8")
    return folder


@pytest.mark.parametrize("seed", range(3))
def test_games_full_of_ways_are_the_same_to_every_reading(seed: int) -> None:
    """In Python, in machine code, to the second reading, in a game that remembers nothing, and to whoever goes back and forth."""
    from tests.reference.lockstep import LockStep

    with tempfile.TemporaryDirectory() as name:
        folder = made(Path(name), Random(seed))
        game, quick, forgetful = (ichiba.load(folder, 2, trust=True) for _ in range(3))
        native.compile_game(quick)
        LockStep(game, seed).play(30)
        tables = [one.start(seed) for one in (game, quick, forgetful)]
        random = Random(seed)
        while not tables[0].over:
            for found in forgetful.code.module.values():
                if isinstance(found, Kept):
                    found.answers = {}
            options = [[option.key for option in table.decision.options] for table in tables if table.decision is not None]
            assert options[0] == options[1] == options[2]
            tried = tables[0].copy()
            tried.play(random.choice(options[0]))  # what is found on a copy is nothing to the others
            answer = random.choice(options[0])
            for table in tables:
                table.play(answer)
            assert tables[0].state == tables[1].state == tables[2].state
