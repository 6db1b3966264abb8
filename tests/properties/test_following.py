"""Claims about views that go along with their table: they are what a fresh look would see, for everybody, also after something was taken
back; and what has not changed is the same object."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.interpreter.sight.following import Follower
from ichiba.interpreter.sight.views import view_of
from tests.conftest import Tally
from tests.properties import outcry, whispers
from tests.properties.tables import HEAVY, Setting, every, loaded, moments, plain, slice_of


def followed(game: ichiba.Game, seed: int, most: int) -> int:
    """Looks from all places at a random game, at some of them only now and then; how many looks there were."""
    random, looks, table = Random(seed), 0, None
    for table in moments(game, seed, most):
        if looks == 0:
            followers = [Follower(table, seat) for seat in (None, *range(1, game.seats + 1))]
        for follower in followers:
            if random.random() < 0.7:
                looks += 1
                same(follower, table)
    assert table is not None
    for _ in range(min(4, len(table.history))):
        table.undo(random.randint(1, min(3, len(table.history))))
        for follower in followers:
            looks += 1
            same(follower, table)
        if not table.history:
            break
    return looks


def same(follower: Follower, table: ichiba.Table) -> None:
    assert follower.table is table
    assert json.dumps(follower.view()) == json.dumps(view_of(table, follower.seat, log=False))


@every(plain())
def test_whoever_follows_a_table_sees_what_a_fresh_look_would(setting: Setting, tally: Tally) -> None:
    most = slice_of(setting, 40 if setting.ruleset in HEAVY else 120)
    tally(looks=followed(loaded(setting), 3, most))


@pytest.mark.parametrize("make", [whispers.made, outcry.made], ids=["sealed_bids", "races"])
def test_also_where_much_is_secret(make: Callable[[Path], ichiba.Game], tmp_path: Path, tally: Tally) -> None:
    game = make(tmp_path)
    tally(looks=sum(followed(game, seed, 10**6) for seed in range(4)))


def test_what_has_not_changed_is_the_same_object() -> None:
    table = ichiba.load("tokyo_tsukiji_market", 3).start(1)
    follower = Follower(table, 1)
    first = follower.view()
    table.step(0)
    second = follower.view()
    things = [(first["things"][name], second["things"][name]) for name in first["things"]]  # type: ignore[index, attr-defined]
    assert all(one is other for one, other in things if one == other)
    assert sum(one is other for one, other in things) > len(things) // 2
