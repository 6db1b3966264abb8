"""Claims about the secret block that is running: whoever follows a game knows who has answered in it, as whoever goes through it from its
beginning would."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ichiba
from ichiba.interpreter.saves.records import Block
from tests.conftest import Tally
from tests.properties import outcry, whispers
from tests.properties.tables import Setting, every, loaded, moments, plain


def followed(game: ichiba.Game, seed: int, most: int) -> int:
    """How many moments in which somebody has something to take back."""
    block, known, found = None, 0, 0
    for table in moments(game, seed, most):
        if block is None:
            block = Block.of(table)
        elif len(table.history) > known:
            block.answered(table)
        known = len(table.history)
        for seat in (one.seat for one in table.pending if table.site is not None and table.site.secret is not None):
            trial = table.copy()
            trial.take_back(seat)
            said = len(trial.history) < len(table.history)
            assert block.said(table, seat - 1) == said
            found += said
    return found


@pytest.mark.parametrize("make", [whispers.made, outcry.made], ids=["sealed_bids", "races"])
def test_it_is_known_who_has_something_to_take_back(make: Callable[[Path], ichiba.Game], tmp_path: Path, tally: Tally) -> None:
    game = make(tmp_path)
    tally(moments=sum(followed(game, seed, 10**6) for seed in range(6)))


@every([setting for setting in plain() if setting.seats == 3])
def test_so_it_is_in_every_ruleset(setting: Setting, tally: Tally) -> None:
    tally(moments=followed(loaded(setting), 5, 60))
