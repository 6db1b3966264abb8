"""Games that were written down under version 1 of the language are played today as they were then."""

from __future__ import annotations

from functools import cache

import pytest

import ichiba
from tests.conftest import Tally
from tests.properties.tables import HEAVY
from tests.recorded.recording import Recorded, games, played_again


@cache
def by_ruleset() -> dict[str, list[Recorded]]:
    found: dict[str, list[Recorded]] = {}
    for one in games():
        found.setdefault(one.folder, []).append(one)
    return found


OWN = sorted(folder for folder in by_ruleset() if folder.startswith("rulesets/"))


@pytest.mark.parametrize("folder", OWN)
def test_a_game_of_ours_is_played_as_it_was(folder: str, tally: Tally) -> None:
    """From the texts of today."""
    name = folder.split("/")[-1]
    of = by_ruleset()[folder]
    for one in of[: 2 if name in HEAVY else 4]:
        game = ichiba.load(name, seats=one.seats, modules=one.modules, variants=one.variants, options=dict(one.options))
        played_again(game, one)
        tally(games=1, answers=len(one.answers))
