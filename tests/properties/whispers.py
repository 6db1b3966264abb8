"""A small game with a hidden hand, a face-down deck and secret bids; and how it would be with a leak in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import ichiba
from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.world.world import Config
from ichiba.interpreter.run.game import ready
from ichiba.validator.judges.building import build

GAME = """\
game: whispers
language: 2
title: {en: Whispers}
seats: 3
source: made up for the tests
units: {coin: {write: "{} coins"}}
numbers: {rounds: 3}
pieces:
  card:
    in: deck
    sorts: {ace: {points: 3}, king: {points: 2}, jack: {points: 1}}
    count: 6
"""

RULES = """\
seat:
    zone hand of card, hidden from others
    purse coins: coin start 6
    counter boast: 0 .. 20

table:
    zone deck of card, face down
    zone pile of card
    purse bank: coin, unlimited
    counter round: 0 .. 9

setup:
    for each s in seats: draw 2 cards from deck to s.hand

play:
    repeat rounds times:
        raise round by 1
        take one turn each from seat(1): turn
        bidding

value aces(s: seat) -> number: count of ace in s.hand

value foe(s: seat) -> seat: next_seat(s)

guard quiet "it is too early": round > 1

procedure turn:
    draw 1 card from deck to my.hand
    menu action:
        "What do you do?"
        option pass "Pass": nothing
        option buy "Buy a card" when quiet costs 1 coin to bank: draw 1 card from deck to my.hand
        option ask "Ask {s}" for s in others: raise s.boast by 1
    choose given in my.hand "Which card do you lay?" key "lay":
        move given to pile

procedure bidding:
    each s in seats secretly:
        choose bid from 0 coin to min(2 coin, my.coins) "How much?"
        if bid > 0 coin: choose doubt from 0 to 1 "Are you sure?"
    reveal bid
    for each s in seats: s pays bid of s to bank

scoring:
    score for each seat: score "Cards" sum of (c.points for c in my.hand)

ranking: highest total else shared
"""


@dataclass(frozen=True)
class Plant:
    """A leak that is planted: in the rules by other words, or in the engine by another way of telling."""

    name: str
    old: str = ""
    new: str = ""
    engine: str = ""

    def __str__(self) -> str:
        return self.name.replace(" ", "_")


OTHERS_ACES = "sum of (aces(t) for t in others)"

PLANTS = [
    Plant("a hidden hand made open", "zone hand of card, hidden from others", "zone hand of card"),
    Plant("a label that reads a hidden hand", '"Pass": nothing', f'"Pass, {{{OTHERS_ACES}}}": nothing'),
    Plant("a question that reads a hidden hand", '"What do you do?"', f'"What do you do? {{{OTHERS_ACES}}}"'),
    Plant("a guard that reads a hidden hand", '"Pass": nothing', f'"Pass" when {OTHERS_ACES} > 1: nothing'),
    Plant(
        "a reason that tells a hidden hand", '"it is too early"', '"it is too early, {sum of (aces(t) for t in seats)}"'
    ),
    Plant("a choice narrowed by a hidden hand", "for s in others:", "for s in others where aces(s) > 0:"),
    Plant("an order that hangs on hidden hands", "for s in others:", "for s in (t in others by highest aces(t)):"),
    Plant("a range that hangs on a hidden hand", "min(2 coin, my.coins)", "min(2 coin, aces(foe(me)) * 1 coin)"),
    Plant(
        "an open counter set from a hidden hand",
        "        bidding\n",
        "        for each s in seats: set s.boast to aces(s)\n        bidding\n",
    ),
    Plant("a deck that lies open", "zone deck of card, face down", "zone deck of card"),
    Plant("a price that hangs on a hidden hand", "costs 1 coin to bank", "costs 1 coin * aces(foe(me)) to bank"),
    Plant("a forced answer that is skipped", engine="skip"),
    Plant("chance that everybody hears", engine="chance"),
    Plant("secret answers in everybody's log", engine="answers"),
    Plant("options shown to all", engine="options"),
    Plant("a log with gaps", engine="gaps"),
    Plant("effects that everybody is told", engine="effects"),
    Plant("a deck from which all see what is drawn", engine="pieces"),
    Plant("a line of the log that tells a hidden hand", "        bidding\n", '        tell "{aces(seat(1))} aces"\n        bidding\n'),
]


def written(folder: Path, plant: Plant | None = None) -> Path:
    """The ruleset as files; with a plant, one place of it says something else."""
    rules = RULES
    if plant is not None and plant.old:
        assert RULES.count(plant.old) == 1, plant.name
        rules = RULES.replace(plant.old, plant.new)
    home = folder / "whispers"
    home.mkdir()
    (home / "game.yaml").write_text(GAME, encoding="utf-8")
    (home / "whispers.rules").write_text(rules, encoding="utf-8")
    return home


def made(folder: Path, plant: Plant | None = None) -> ichiba.Game:
    """The game, also when the checker would refuse it for its leak: here the tables themselves must tell."""
    home, faults = written(folder, plant), Faults()
    box, world, program = build(home, Config(3), faults)
    assert all(fault.code.startswith("E52") for fault in faults.errors), faults.errors
    game = ready(box, world, program)
    game.folder = home
    return game
