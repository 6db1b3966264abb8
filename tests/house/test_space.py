"""What searches over maps and grids cost beside the same said by hand, counted in instructions of the processor.

A tenth is wanted. By hand machine code has become twice as cheap since it was first measured; it is held to a tenth of what it was then."""

from __future__ import annotations

import shutil

import pytest

from tests.house import space

THEN = {"ways in machine code": 152_863, "flood in machine code": 43_821}  # by hand, while its state was Python's list
REMEMBERED = 0.08  # where nothing has changed since


def test_every_figure_is_one_of_those_that_are_measured() -> None:
    assert set(THEN) < set(space.FIGURES)


@pytest.mark.parametrize("figure", [pytest.param(one, marks=() if "code" in one else pytest.mark.soak) for one in space.FIGURES])
def test_a_search_costs_a_tenth_at_most_of_what_it_costs_by_hand(figure: str) -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    if "code" in figure and shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    found = space.counted(figure)
    by_hand = THEN.get(figure, found["by hand"])
    assert found["a search"] <= space.AT_MOST * by_hand, found
    assert found["nothing has changed"] <= REMEMBERED * by_hand, found
