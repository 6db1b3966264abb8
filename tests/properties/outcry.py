"""A small game of free trade in the open: whoever calls first deals; hands are hidden, purses are not."""

from __future__ import annotations

from pathlib import Path

import ichiba

GAME = """\
game: outcry
language: 2
title: {en: Outcry}
seats: 3
source: made up for the tests
units: {coin: {write: "{} coins"}}
pieces:
  gem: {in: bag, sorts: [red, blue, green], count: 4}
"""

RULES = """\
seat:
    purse cash: coin start 6
    zone hand of gem, hidden from others
    zone stall of gem
    counter thanks: 0 .. 99

table:
    zone bag of gem, face down
    purse bank: coin, unlimited
    counter calls: 0 .. 9

setup:
    for each s in seats: draw 3 gems from bag to s.hand

play:
    take turns from seat(1) until calls >= 5, at most 5 times: offer

procedure offer:
    raise calls by 1
    menu offering:
        "What do you offer?"
        option sell "Offer {g}" for g in my.hand, price in 1 coin .. 3 coins:
            move g to my.stall
            cry_out(me, price)
        option boast "Show all": brag
        option dare "Dare the others": daring
        option pass "Pass": alms

procedure cry_out(seller: seat, price: coin):
    first s in seats where s is not seller to answer outcry:
        "Who takes it for {price}, {s}?"
        option take "Take it" when my.cash >= price costs price to seller:
            move all seller.stall to my.hand
            may thank "Do you thank?": raise seller.thanks by 1
        option swap "Swap it for {h}" for h in my.hand where h is not green:
            move h to seller.hand
            move all seller.stall to my.hand
    else: move all seller.stall to seller.hand

procedure brag:
    reveal my.hand
    first s in others to answer envy:
        option covet "Give {h}" for h in my.hand where h is red: move h to bag
        option praise "Praise": raise my.thanks by 1

procedure daring:
    first s in others to answer dare:
        option lay "Lay {h}" for h in my.hand where h is red: move h to my.stall
    else: raise my.thanks by 1

procedure alms:
    first s in seats to answer charity:
        "Who is poor?"
        option beg "Beg for {n}" for n in 1 .. 2 when my.cash < 6 coins:
            gain n * 1 coin from bank
            first r in others to answer quarrel:
                option quarrel "Quarrel" when my.cash > 6 coins costs 1 coin: raise my.thanks by 2
            else: raise my.thanks by 1
    else:
        for each s in seats: s gains 1 coin from bank

scoring:
    score for each seat: score "Cash" number(my.cash) + count of my.hand

ranking: highest total else shared
"""


def made(folder: Path, rules: str = RULES) -> ichiba.Game:
    home = folder / "outcry"
    home.mkdir()
    (home / "game.yaml").write_text(GAME, encoding="utf-8")
    (home / "outcry.rules").write_text(rules, encoding="utf-8")
    return ichiba.load(home, 3, trust=True)
