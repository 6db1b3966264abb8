"""Every rule of the small games is reached by their own scenarios, and every condition is seen true and false."""

import pytest

from ichiba.lab.coverage import cover

SMALL = ("first_price_auction", "goofspiel", "leduc_poker", "liars_dice", "no_thanks", "oshi_zumo", "tsukiji")
GAMES = ("caravan_yard", "lantern_coast", "morning_clock", "salt_flats", "tramp_steamers", *SMALL)


@pytest.mark.parametrize("game", GAMES)
def test_the_scenarios_of_a_small_game_reach_all_of_it(game: str) -> None:
    report, coverage = cover(game, playouts=0)
    assert report.holds and coverage.points
    assert [str(point) for point in coverage.unreached] == []
    assert [f"{point}: {how}" for point, how in coverage.one_way] == []
