"""How well everybody stands: as the rules say it, else by what scoring would give now."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from ichiba.interpreter.api import rulesets
from tests.language.tiny import check, ruleset
from tests.properties.tables import loaded, moments, plain

SCORING = """\
play:
    repeat 2 times:
        each s in seats secretly:
            choose n from 1 to 3 "?"
            raise s.pile by n
        reveal n
        for each s in seats: s gains (n of s) coin from bank

add to seat:
    counter pile: 0 .. 99

scoring:
    score for each seat:
        score "Cash" my.cash
        move all my.hand to bag
        score "Gems" count of bag
"""
DECLARED = "value outlook(s: seat) -> coin: s.cash * 2 - $1\n"


def table(folder: Path, rules: str) -> ichiba.Table:
    return ichiba.load(ruleset(folder, {"play.rules": rules}), 2, trust=True).start(seed=1)


def test_without_a_word_it_is_what_scoring_would_give(tmp_path: Path) -> None:
    """On a copy: what scoring moves stays where it lies, and what is said in secret goes on."""
    playing = table(tmp_path, SCORING)
    playing.play("n/2", seat=2)
    before = playing.state[:]
    assert playing.outlook == {1: 12, 2: 12} and playing.state == before
    playing.play("n/3", seat=1)
    assert playing.outlook == {1: 15, 2: 14}
    playing.play("n/1", seat=1)
    playing.play("n/1", seat=2)
    assert playing.over and playing.outlook == playing.scores == {1: 16, 2: 15}


def test_what_the_rules_say_goes_before(tmp_path: Path) -> None:
    playing = table(tmp_path, SCORING + "\n" + DECLARED)
    assert playing.outlook == {1: -1, 2: -1} and playing.referee()["outlook"] == {"1": -1, "2": -1}
    playing.play("n/2", seat=2)
    playing.play("n/3", seat=1)
    assert playing.outlook == {1: 5, 2: 3}


@pytest.mark.parametrize(
    "more",
    [
        'score "Luck" count of my.hand\n        roll d from 1 to 6',
        'score "Luck" 1\n        draw 1 gem from bag to my.hand',
        'choose n from 1 to 3 "?"\n        score "Chosen" n',
        'mine\n        score "Asked" 1',
    ],
)
def test_where_scoring_asks_or_draws_nobody_can_say(tmp_path: Path, more: str) -> None:
    rules = SCORING.replace('score "Gems" count of bag', more) + '\nprocedure mine: choose m from 1 to 3 "?"\n'
    assert table(tmp_path, rules).outlook == {1: None, 2: None}


def test_what_cannot_be_worked_out_now_is_not_said(tmp_path: Path) -> None:
    rules = SCORING.replace("count of bag", "price(number(my.cash))")
    playing = table(tmp_path, rules)
    assert playing.outlook == {1: None, 2: None}
    declared = table(tmp_path / "b", SCORING + "\nvalue outlook(s: seat) -> coin: (price(number(s.cash))) coin\n")
    assert declared.outlook == {1: None, 2: None}
    for table_ in (playing, declared):
        table_.play("n/1", seat=1)
        table_.play("n/1", seat=2)
    assert playing.outlook == {1: 3, 2: 3} == {seat: (points or 0) + 1 for seat, points in declared.outlook.items()}


def test_an_outlook_is_an_amount_of_one_seat(tmp_path: Path) -> None:
    check(tmp_path / "a", "value outlook -> number: count of bag                  ### E318: it takes nothing\n")
    check(tmp_path / "b", "value outlook(t: stall) -> number: t.visits             ### E318: it takes a stall\n")
    check(tmp_path / "c", "value outlook(s: seat): s.hand is empty                 ### E318: it gives a condition\n")
    check(tmp_path / "d", "value outlook(s: seat, t: stall) -> number: t.visits    ### E318: it takes a seat and a stall\n")
    check(tmp_path / "e", "value outlook(s: seat): count of s.hand\n")


def test_policies_read_it_as_any_value(tmp_path: Path) -> None:
    hidden = "\nadd to seat:\n    counter luck: 0 .. 9, hidden from others\n"
    seen = "value outlook(s: seat) -> number: s.luck\n\npolicy modest:\n    prefer \"n/{b}\" for b in 1 .. 3 by outlook(me) * b\n"
    assert table(tmp_path / "a", SCORING + hidden + seen).outlook == {1: 0, 2: 0}
    with pytest.raises(ichiba.RulesetFaults, match="E532"):
        table(tmp_path / "b", SCORING + hidden + seen.replace("outlook(me)", "outlook(next_seat(me))"))


@pytest.mark.parametrize("name", sorted(rulesets()))
def test_of_our_games_it_is_the_score_at_the_end(name: str) -> None:
    """And along the way it changes nothing."""
    setting = next(one for one in plain() if one.ruleset == name)
    said = 0
    for at, playing in enumerate(moments(loaded(setting), 3)):
        if at % 40 == 0 or playing.over:
            before = playing.state[:]
            said += None not in playing.outlook.values()
            assert playing.state == before
        if playing.over:
            assert playing.outlook == playing.scores
    assert said > 0
