"""A small game in which rules go wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

GAME = """\
game: odd
language: 2
seats: 2 to 3
units: {coin: {write: "${}"}}
tables: {prize: {index: number, values: [2, 3]}}
"""
RULES = """\
seat:
    purse cash: coin start 9
    counter tries: 0 .. 9
    counter grown: 0 .. 9

table:
    purse bank: coin, unlimited

play:
    repeat 9 times: round

value won(tried: number): prize(tried) - 1        # what a parameter can be is known in play only

procedure round:
    take one turn each from seat(1): turn

procedure turn:
    menu actions:
        option look: raise my.tries by won(my.tries)
        option grow:
            remember x: number = my.grown + 9
            repeat my.tries * 3 times: set x to x * x
            gain (x * 0) coins from bank
        option rest: nothing
        option save:
            require my.cash > $20, else "too little to save"
            gain $1 from bank

scoring:
    score for each seat: score "Tries" my.tries

ranking: highest total else shared
"""


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "game.yaml").write_text(GAME)
    (folder / "play.rules").write_text(RULES)
    return folder
