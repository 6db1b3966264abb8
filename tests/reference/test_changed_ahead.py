"""What an option hangs on by way of what its own body changes before it requires something: who is asked learns of it nothing that
they may not see, and the others nothing by a question that is skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.faults.fault import RulesetFaults
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import steps
from tests.reference.lockstep import LockStep
from tests.validator.small import ruleset

TURN = """\
add to seat:
    counter tally: 0 .. 99
    flag rich
    note_less: nothing
    zone row of gem

add to table:
    zone chest of gem

procedure turn:
    let other = next_seat(me)
    menu actions:
        option boast "Boast":
            {body}
    choose pause from 0 to 1 "And now?"

procedure count_up(n: number): set my.tally to n
procedure need: require my.tally > 1
value reds(s: seat) -> number: count of red in s.hand
""".replace("    note_less: nothing\n", "")
REQUIRED = "\n            require "
# By way of what it comes to the requirement; `WHOSE` is the seat whose hand it is.
BY_WAY = {
    "a counter": "set my.tally to count of red in WHOSE.hand" + REQUIRED + "my.tally > 1",
    "a counter that is raised": "raise my.tally by count of red in WHOSE.hand" + REQUIRED + "my.tally > 1",
    "a value": "set my.tally to reds(WHOSE)" + REQUIRED + "my.tally > 1",
    "a procedure": "count_up(count of red in WHOSE.hand)" + REQUIRED + "my.tally > 1",
    "another that requires it": "set my.tally to reds(WHOSE)\n            need",
    "the same once more": "need\n            set my.tally to reds(WHOSE)\n            need",
    "a condition": "if red in WHOSE.hand: mark my.rich" + REQUIRED + "my.rich",
    "a loop": "for each g in WHOSE.hand where g is red: raise my.tally by 1" + REQUIRED + "my.tally > 1",
    "so many times": "repeat reds(WHOSE) times: raise my.tally by 1" + REQUIRED + "my.tally > 1",
    "one after the other": "set my.tally to reds(WHOSE)\n            set other.tally to my.tally" + REQUIRED + "other.tally > 1",
    "what is paid": "gain 1 coin * reds(WHOSE) from bank" + REQUIRED + "my.cash > 6 coins",
    "a payment": "gain 1 coin * reds(WHOSE) from bank\n            pay 7 coins to bank",
    "how many are moved": "move all red in WHOSE.hand to chest" + REQUIRED + "count of chest > 1",
    "which is moved": "let g = first of WHOSE.hand\n            if g is not none: move g to chest" + REQUIRED + "red in chest",
    "an answer": "move all red in WHOSE.hand to chest\n            choose g in chest \"Which?\"",
}
# This tells nothing that not all know already.
OPEN = {
    "a size": "set my.tally to count of WHOSE.hand" + REQUIRED + "my.tally > 1",
    "that something lies there": "require any (gem in WHOSE.hand)",
    "what is open": "set my.tally to round" + REQUIRED + "my.tally > 0",
    "nothing is required of it": "set my.tally to reds(WHOSE)" + REQUIRED + "round < 9",
    "with no requirement": "set my.tally to reds(WHOSE)",
    "required before": "require my.tally < 9\n            set my.tally to reds(WHOSE)",
    "changed behind an answer": 'choose n from 0 to my.tally "?"\n            set my.tally to reds(WHOSE)',
    "changed behind chance": "require my.tally < 9\n            roll d from 1 to 6\n            set my.tally to reds(WHOSE)",
}


def loaded(folder: Path, body: str, whose: str) -> ichiba.Game:
    rules = TURN.replace("{body}", body.replace("WHOSE", whose))
    return ichiba.load(ruleset(folder, {"play.rules": rules}), trust=True)


def always_asked(game: ichiba.Game) -> bool:
    (asked,) = (s for p in game.program.procedures for s in steps(p.body) if isinstance(s, ir.Decide) and s.name == "actions")
    return asked.never_skip


@pytest.mark.parametrize("body", BY_WAY.values(), ids=BY_WAY)
def test_of_the_own_hand_the_question_is_always_asked(body: str, tmp_path: Path) -> None:
    assert always_asked(loaded(tmp_path, body, "my"))


@pytest.mark.parametrize("body", BY_WAY.values(), ids=BY_WAY)
def test_of_the_hand_of_another_it_is_refused(body: str, tmp_path: Path) -> None:
    with pytest.raises(RulesetFaults) as caught:
        loaded(tmp_path, body, "other")
    assert "E521" in {fault.code for fault in caught.value.faults}


@pytest.mark.parametrize("whose", ["my", "other"])
@pytest.mark.parametrize("body", OPEN.values(), ids=OPEN)
def test_what_all_know_tells_nothing(body: str, whose: str, tmp_path: Path) -> None:
    game = loaded(tmp_path, body, whose)
    assert not always_asked(game)
    for seed in range(3):
        LockStep(game, seed).play(60)


def test_nor_may_the_reason_tell_it(tmp_path: Path) -> None:
    body = 'set my.tally to reds(other)\n            require round > 9, else "there are {my.tally} red ones"'
    with pytest.raises(RulesetFaults) as caught:
        loaded(tmp_path, body, "other")
    assert {fault.code for fault in caught.value.faults} >= {"E522"}


def test_what_stands_before_the_option_has_really_happened(tmp_path: Path) -> None:
    """All have seen the counter by then."""
    rules = TURN.replace("    menu actions:", "    set my.tally to reds(other)\n    menu actions:").replace("{body}", "require my.tally > 1")
    game = ichiba.load(ruleset(tmp_path, {"play.rules": rules}), trust=True)
    assert not always_asked(game)


@pytest.mark.parametrize("body", BY_WAY.values(), ids=BY_WAY)
def test_engine_and_reference_ask_and_skip_alike(body: str, tmp_path: Path) -> None:
    rules = TURN.replace("{body}", body.replace("WHOSE", "my")).replace('    choose pause', '        option rest: nothing\n    choose pause')
    game = ichiba.load(ruleset(tmp_path, {"play.rules": rules}), trust=True)
    for seed in range(6):
        LockStep(game, seed).play(60)
