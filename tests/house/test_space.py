"""What searches over maps and grids cost beside the same said by hand, counted in instructions of the processor.

A tenth is wanted. In Python they are there; in machine code what is left is reading the numbers of the state, which are Python's."""

from __future__ import annotations

import shutil

import pytest

from tests.house import space

HELD = {"ways": space.AT_MOST, "flood": space.AT_MOST, "ways in machine code": 0.12, "flood in machine code": 0.155}
REMEMBERED = 0.08  # where nothing has changed since


def test_every_figure_is_held() -> None:
    assert set(HELD) == set(space.FIGURES)


@pytest.mark.parametrize("figure", [pytest.param(one, marks=() if "code" in one else pytest.mark.soak) for one in HELD])
def test_a_search_costs_hardly_more_than_a_tenth_of_what_it_costs_by_hand(figure: str) -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    if "code" in figure and shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    found = space.counted(figure)
    by_hand = found["by hand"]
    assert found["a search"] <= HELD[figure] * by_hand, found
    assert found["nothing has changed"] <= REMEMBERED * by_hand, found
