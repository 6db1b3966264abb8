"""A game of stalls that are about as good as each other, and the same with one that pays more or takes more."""

from __future__ import annotations

from pathlib import Path

PAYS = {"tea": 9, "salt": 10, "silk": 11, "rice": 10, "iron": 9, "wool": 11, "wine": 10, "corn": 10}
TAKES = 4

GAME = """\
game: stalls
language: 2
title: {en: Stalls}
seats: 2 to 4
units: {coin: {write: "{} coins", one: "{} coin"}}
numbers: {first_money: {is: 40, unit: coin}}
boards: {stall: street}
"""

RULES = """\
kind stall is board:
    field takes: coin
    field brings: coin

seat:
    purse cash: coin start first_money

table:
    purse bank: coin, unlimited
    zone street of stall, in play

play:
    repeat 6 times:
        take one turn each from seat(1): turn

procedure turn:
    roll luck from 0 to 4
    menu going:
        "Which stall do you go to?"
        option visit "Go to {m}" for m in street costs m.takes to bank:
            gain m.brings + 1 coin * luck from bank
        option rest "Go home": gain 5 coins from bank

scoring:
    score for each seat: score "Money" my.cash

ranking: highest total else shared
"""


def written(place: Path, planted: str = "", pays: int = 13, takes: int = TAKES) -> Path:
    """`planted`: the stall that pays so much, and takes so much; without one all are as they are."""
    home = place / "stalls"
    (home / "boards").mkdir(parents=True)
    (home / "game.yaml").write_text(GAME)
    (home / "stalls.rules").write_text(RULES)
    for name, usual in PAYS.items():
        own = (takes, pays) if name == planted else (TAKES, usual)
        board = f"board: {name}\nkind: stall\ntitle: {{en: {name.capitalize()}}}\ntakes: {own[0]}\nbrings: {own[1]}\n"
        (home / "boards" / f"{name}.yaml").write_text(board)
    return home
