"""The pictures that are pinned: all boards of the largest game and its expansion, all maps, a table of every game in mid-game.

    make pictures        writes them anew; look at them before they go in
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from random import Random

from ichiba.interpreter.api import load
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.run.table import Table
from ichiba.table.svg.gallery import Gallery
from tests.table.door import RENEW

GOLDEN = Path(__file__).parent / "golden"
LARGEST = ("tokyo_tsukiji_market", 4, ("expansion",))
MAPS = ("tokyo", "osaka", "london", "paris")
TABLES = {  # our first games: how many answers are given before the picture is taken
    "caravan_yard": 40, "first_price_auction": 1, "goofspiel": 12, "lantern_coast": 40, "leduc_poker": 1, "liars_dice": 2, "morning_clock": 40,
    "no_thanks": 30, "oshi_zumo": 6, "salt_flats": 24, "shinjuku": 150, "tokyo_tsukiji_market": 60, "tramp_steamers": 40,
    "tsukiji": 40,
}  # fmt: skip


@cache
def game(name: str, seats: int | None = None, modules: tuple[str, ...] = (), options: tuple[tuple[str, object], ...] = ()) -> Game:
    return load(name, seats, modules=modules, options=dict(options))


@cache
def gallery(of: Game) -> Gallery:
    return Gallery(of)


@cache
def midgame(of: Game, answers: int) -> Table:
    """A table after so many answers by chance: policies get better, and pictures should stay as they are."""
    table, chance = of.start(7), Random(7)
    for _ in range(answers):
        if table.over:
            break
        decision = table.pending[0]
        table.play(decision.options[chance.randrange(len(decision.options))], decision.seat)
    return table


def same_as_pinned(name: str, content: str) -> None:
    """What is drawn is what was looked at when it went in."""
    path = GOLDEN / name
    if os.environ.get(RENEW):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    known = path.read_text(encoding="utf-8") if path.is_file() else ""
    assert content == known, f"{name} is drawn otherwise; if it should be, look at it and pin it: make pictures"
