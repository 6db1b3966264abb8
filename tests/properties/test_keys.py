"""Every answer of a question has a key of its own, and whoever would give two of them the same one is told so."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.run.distinct import may_share
from ichiba.interpreter.runtime.runtime import RuleFault
from tests.conftest import Tally
from tests.properties.tables import HEAVY, Setting, every, few, loaded
from tests.validator.small import judged

GAME = """\
game: twins
language: 2
title: Twins
seats: 2
things: {stall: {each: {north: {place: 1}, south: {place: 2}}}}
pieces:
  crate: {is: ware, sorts_for: {stall: stall}, count: 2, in: heap}
  sack: {is: ware, sorts_for: {stall: stall}, count: 2, in: heap}
"""
RULES = """\
kind stall is thing:
    field place: number

table:
    zone heap of ware
    zone yard of ware
    counter turns: 0 .. 9

setup: move 1 crate of north from heap to yard

play:
    repeat 3 times:
        raise turns by 1
        as seat(1): turn

procedure turn:
    menu actions:
        "What do you do?"
        OPTIONS
        option rest "Rest": nothing

scoring:
    score for each seat: score "None" 0

ranking: highest total else shared
"""
ALIKE = {
    "option take \"Take {w}\" for w in heap: nothing": "take/north",
    "option add \"{k} and {j}\" for k in 1 .. 2, j in 1 .. 2 keyed by k + j: nothing": "add/3",
    "option go \"Go to {s}\" for s in stalls keyed by min(s.place, 1): nothing": "go/1",
    "option pick_up \"Pick up {c}\" for c in (crate in {heap, yard}): nothing": "pick_up/north",
    "option lift \"Lift {c}\" for c in (z for z in {heap, yard}) where sort of c in crates: nothing": "lift/north",
}


def twins(folder: Path, options: str) -> ichiba.Table:
    (folder / "game.yaml").write_text(GAME)
    (folder / "play.rules").write_text(RULES.replace("OPTIONS", options))
    return ichiba.load(folder, 2, trust=True).start(1)


@pytest.mark.parametrize(("options", "key"), ALIKE.items())
def test_two_answers_with_one_key_are_a_fault_where_keys_are_spelled(options: str, key: str, tmp_path: Path) -> None:
    table = twins(tmp_path, options)
    decision = table.decision
    assert decision is not None
    for spell in (decision.keys, lambda: decision.options, lambda: table.play(key), lambda: table.play("rest")):
        with pytest.raises(RuleFault, match=rf'two answers to "What do you do\?" have the same key `{key}`: ".*" and ".*" \('):
            spell()
    table.step(0)  # by its place it can be given all the same
    with pytest.raises(RuleFault, match="have the same key"):
        print(table.log)


def test_the_fault_names_the_question_and_both_answers(tmp_path: Path) -> None:
    table = twins(tmp_path, next(option for option in ALIKE if "k + j" in option))
    with pytest.raises(RuleFault) as caught:
        table.play("add/3")
    assert str(caught.value).startswith('two answers to "What do you do?" have the same key `add/3`: "1 and 2" and "2 and 1" (')


def test_pieces_that_are_alike_are_offered_once(tmp_path: Path) -> None:
    table = twins(tmp_path, "option take \"Take {c}\" for c in (w in heap where sort of w in crates): nothing")
    assert table.decision is not None
    assert table.decision.keys() == ["take/north", "take/south", "rest"]


def test_what_is_always_offered_together_is_told_by_check(tmp_path: Path) -> None:
    said = judged(tmp_path, """\
procedure turn:
    menu actions up to 2 times, done "Home" key "sell":
        option sell: nothing
""").text
    assert "error[E531]: two answers to one question have the key `sell`" in said


def test_two_families_with_the_same_names_are_told_by_check(tmp_path: Path) -> None:
    chunk = """\
# game.yaml
pieces: {gem: {is: ware, sorts: [red, green], count: 6, in: bag}, bead: {is: ware, sorts: [red, blue], count: 2, in: heap}}
# play.rules
table:
    purse bank: coin, unlimited
    zone bag of ware, face down
    zone heap of ware
    counter round: 0 .. 9

procedure turn:
    choose w in wares "Which one?"
"""
    assert "E531" in judged(tmp_path, chunk).codes


# ------------------------------------------------------------------------------------------- the games there are


@every([setting for ruleset in rulesets() for setting in few(ruleset)])
def test_no_game_has_two_answers_with_one_key(setting: Setting, tally: Tally) -> None:
    game = loaded(setting)
    for seed in range(1 if setting.ruleset in HEAVY else 10):
        random, table = Random(seed), game.start(seed)
        while table.codes and len(table.history) < 300:
            for decision in table.pending:
                keys = decision.keys()
                assert len(set(keys)) == len(keys)
                tally(questions=1, that_could_share=may_share(game, decision.site))
            table.step(random.randrange(len(table.codes)))
