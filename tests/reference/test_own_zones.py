"""Zones that hold the sorts of whom they belong to, of one owner more and of another fewer."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.faults.fault import RulesetFaults
from ichiba.interpreter.runtime.runtime import RuleFault
from tests.depth import AFew
from tests.reference.lockstep import LockStep
from tests.validator.small import GAME, RULES, ruleset

BOX = GAME.replace("seats: 2 to 4\n", "seats: 2 to 4\nboards: {market: square}\n").replace(
    "pieces: {gem:",
    "pieces:\n  token: {in: box, sorts_for: {market: market}, sorts: []}\n"
    "  barrel: {in: box, individual: true, sorts_for: {market: market}, count: 2}\n  gem: {",
).replace("  gem: { {", "  gem: {").replace("in: bag}}\n", "in: bag}\n")
CRAB = """\
rules: |
  replace value weight -> number: 1 + count of board.tank
  replace value likes(m: market): m in {eel, nori}
  replace value closed_for_good: round > 2
"""
EEL = """\
rules: |
  replace value open: count of board.tank = 1
  replace value price -> coin: $2
"""
NORI = """\
rules: |
  replace value open: board.stock is not empty
  replace value weight -> number: 0
  replace value likes(m: market): true
  replace value price -> coin: if round = 1 then $3 else $0
"""
ANSWERS = """\
procedure turn:
    menu actions up to 6 times:
        option catch "Catch {m}" for m in markets where m.open and m.tank is not empty and not m.shut:
            move 1 barrel of m from m.tank to my.hold
            mark m.shut
        option land "Land {b}" for b in my.hold where not b.market.closed_for_good: move b to b.market.tank
        option heavy "A heavy one" when any (b in my.hold where b.market.weight > 1): nothing
        option light "No light one" when no (b in my.hold where b.market.weight < 1): nothing
        option liked "{m} is liked" for m in markets where count of (b in my.hold where b.market.likes(m)) > 1: nothing
        option loved "{m} is loved by all" for m in markets where no (b in my.hold where not b.market.likes(m)): nothing
        option for_sale "For {p}" for p in $1 .. $6 step $1 where any (m in markets where m.open and m.price = p): nothing
        option visit "Visit {m}" for m in markets where my.cash > $2 and not m.shut and m.open:
            require not m.shut, else "it is shut"
            pay m.price to bank
            mark m.shut
        option rest: nothing
"""
BOARDS = {
    "boards/eel.yaml": "board: eel\nkind: market\ntitle: Eel\npieces: {token: {eel: {count: 4}}}\n",
    "boards/crab.yaml": "board: crab\nkind: market\ntitle: Crab\npieces: {token: {crab_4: {count: 2}, crab_6: {count: 2}, crab_8: {count: 1}}}\n",
    "boards/nori.yaml": "board: nori\nkind: market\ntitle: Nori\npieces: {token: {nori: {count: 3}}}\n",
}
HEAD = """\
kind market is board:
    zone stock of token of board
    zone tank of barrel of board
    zone deep of token of board, refills from sunk
    flag shut, resets each turns
    value weight -> number: 2
    value open: true
    value closed_for_good: false
    value likes(m: market): m is board
    value price -> coin: $1 * count of board.stock

add to seat:
    zone tokens of token
    zone hold of barrel

add to table:
    zone box of thing
    zone square of market
    zone pile of token
    zone sunk of token

rule stocked, after setup:
    for each t in tokens: move all t from box to t.market.stock
    for each m in markets: move all barrel of m from box to m.tank

"""
TURN = """\
procedure turn:
    menu actions up to 9 times:
        option take "Take {t}" for m in markets, t in m.stock keyed by m, t: move t to my.tokens
        option back "Give {t} back" for t in my.tokens: move t to t.market.stock
        option land "Land {b}" for b in my.hold: move b to b.market.tank
        option catch "Catch {m}" for m in markets where m.tank is not empty: move 1 barrel of m from m.tank to my.hold
        option first "The first of {m}" for m in markets where m.stock is not empty: move first of m.stock to my.tokens
        option blind "Draw from {m}" for m in markets where m.stock is not empty: draw 1 token from m.stock to my.tokens
        option heavy "Draw a heavy one from {m}" for m in markets where crab_6 in m.stock: draw 1 crab_6 from m.stock to my.tokens
        option lot "Some of {m}" for m in markets where m.stock is not empty:
            choose some lot from m.stock, at least 1 "Which?"
            move lot to my.tokens
        option look "{m} has {t}" for m in markets, t in tokens where t in m.stock and count of crab_4 in m.stock < 2 keyed by m, t:
            move 1 t from m.stock to pile
        option all_of "All of {m}" for m in markets where count of m.stock = 1: move all m.stock to my.tokens
        option none "No crab of {m}" for m in markets: move all crab_6 from m.stock to my.tokens
        option put "All back" when my.tokens is not empty:
            for each t in tokens: move all t from my.tokens to t.market.stock
        option rest: nothing
"""


OWN_ANSWERS = {"crab": CRAB, "eel": EEL, "nori": NORI}


def game(tmp_path: Path, turn: str, boards: dict[str, str] = BOARDS) -> ichiba.Game:
    rules = RULES[: RULES.index("procedure turn:\n")] + turn + "\n" + RULES[RULES.index("scoring:") :]
    return ichiba.load(ruleset(tmp_path, {"play.rules": HEAD + rules, "game.yaml": BOX, **boards}), trust=True)


def test_what_some_boards_answer_otherwise_is_asked_of_them(tmp_path: Path, a_few: AFew) -> None:
    boards = {f"boards/{name}.yaml": BOARDS[f"boards/{name}.yaml"] + rules for name, rules in OWN_ANSWERS.items()}
    made = game(tmp_path, ANSWERS, boards)
    for seed in a_few(range(40), 8):
        LockStep(made, seed).play(80, 8)


def test_each_zone_is_as_wide_as_its_owner_needs_at_most(tmp_path: Path) -> None:
    market = game(tmp_path, TURN).world.kinds["market"].members
    assert (market["stock"].width, market["tank"].width) == (3, 1)


def test_what_lies_there_is_counted_moved_drawn_and_chosen(tmp_path: Path, a_few: AFew) -> None:
    made = game(tmp_path, TURN)
    for seed in a_few(range(40), 8):
        LockStep(made, seed).play(80, 8)


SUNK = """\
procedure turn:
    menu actions up to 9 times:
        option take "Take {t}" for m in markets, t in m.stock keyed by m, t: move t to my.tokens
        option sink "Sink {t}" for t in my.tokens where WHOSE: move t to sunk
        option dive "Dive at {m}" for m in markets: draw 1 token from m.deep to my.tokens
        option crab "Dive at the crabs": draw 1 token from crab.deep to my.tokens
        option heavy "Dive for a heavy one at {m}" for m in markets: draw 1 crab_6 from m.deep to my.tokens
        option rest: nothing
"""


def test_a_zone_is_refilled_with_what_may_lie_there(tmp_path: Path, a_few: AFew) -> None:
    rules = SUNK.replace("WHOSE", "t.market is crab").replace("m in markets: draw", "m in markets where m is crab: draw")
    made = game(tmp_path, rules)
    for seed in a_few(range(30), 8):
        LockStep(made, seed).play(80, 8)


def test_nothing_becomes_of_another_sort_by_refilling(tmp_path: Path, a_few: AFew) -> None:
    made = game(tmp_path, SUNK.replace("WHOSE", "t.market is not crab"))
    faults = 0
    for seed in a_few(range(30), 8):
        table = LockStep(made, seed)
        try:
            table.play(80, 8)
        except RuleFault as fault:
            assert "this zone cannot hold such a piece" in str(fault)
            faults += 1
    assert faults


@pytest.mark.parametrize(
    "wrong",
    [
        'option wrong "{t} to {m}" for t in my.tokens, m in markets where m is not t.market keyed by t, m: move t to m.stock',
        'option wrong "Eels to {m}" for m in markets: move all eel from my.tokens to m.stock',
        'option wrong "{b} to {m}" for b in my.hold, m in markets where m is not b.market keyed by b, m: move b to m.tank',
    ],
)
def test_nothing_lies_where_only_others_may(wrong: str, tmp_path: Path, a_few: AFew) -> None:
    made = game(tmp_path, TURN.replace("        option rest", f"        {wrong}\n        option rest"))
    met = 0
    for seed in a_few(range(60), 12):
        try:
            LockStep(made, seed).play(80, 8)
        except RuleFault as fault:  # for both sides
            assert "this zone cannot hold such a piece" in str(fault)
            met += 1
    assert met


@pytest.mark.parametrize(
    "wrong",
    [
        "move all eel from my.tokens to crab.stock",
        "move 1 crab_4 from eel.stock to my.tokens",
        "draw 1 token from crab.stock to eel.tank",
        "draw 1 eel from crab.stock to my.tokens",
    ],
)
def test_what_can_be_seen_at_once_to_lie_nowhere_there_is_a_fault(wrong: str, tmp_path: Path) -> None:
    turn = TURN.replace("        option rest", f"        option wrong:\n            {wrong}\n        option rest")
    with pytest.raises(RulesetFaults) as told:
        game(tmp_path, turn)
    assert {fault.code for fault in told.value.faults} == {"E304"}
