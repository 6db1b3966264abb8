"""Every rule of the small games is reached by their own scenarios, and every condition is seen true and false."""

import pytest

from ichiba.lab.coverage import cover

GAMES = ("caravan_yard", "first_price_auction", "goofspiel", "lantern_coast", "leduc_poker", "liars_dice", "no_thanks", "oshi_zumo", "salt_flats", "tsukiji")


@pytest.mark.parametrize("game", GAMES)
def test_the_scenarios_of_a_small_game_reach_all_of_it(game: str) -> None:
    report, coverage = cover(game, playouts=0)
    assert report.holds and coverage.points
    assert [str(point) for point in coverage.unreached] == []
    assert [f"{point}: {how}" for point, how in coverage.one_way] == []
