"""Every game has a modest player of its own, who plays unless another is named and wins more often than chance does."""

from __future__ import annotations

import pytest

import ichiba
from ichiba.interpreter.api import rulesets
from ichiba.lab.policies import RANDOM, play_out, policies
from tests.properties.tables import HEAVY

GAMES = {"first_price_auction": 600, "leduc_poker": 600}  # games of few decisions, in which there is much luck; 60 of the others


@pytest.mark.parametrize("name", sorted(rulesets()))
def test_every_game_has_one(name: str) -> None:
    assert policies(ichiba.load(name))[0] == "sensible"


@pytest.mark.parametrize("name", sorted(set(rulesets()) - set(HEAVY)))
def test_it_beats_chance(name: str) -> None:
    """The seeds are always the same, so what comes of them is, too. A shared place counts for each of them in part."""
    game = ichiba.load(name)
    won, games = 0.0, GAMES.get(name, 60)
    for seed in range(games):
        seats = [RANDOM] * game.seats
        seats[seed % game.seats] = "sensible"
        first = play_out(game, seed, seats).ranking[0]
        won += (seed % game.seats + 1 in first) / len(first)
    assert won / games > 1.05 / game.seats
