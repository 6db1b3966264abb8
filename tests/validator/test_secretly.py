"""What no secret block may do, directly or by what it performs: ask chance or another seat, or begin another secret block."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.validator.small import judged

RULES = """\
add to seat:
    zone row of gem
    zone pile of gem, ordered
    counter luck: 0 .. 9

procedure turn:
    each s in seats secretly:
        choose n from 0 to 3 "How many?"
        {line}
    reveal n

"""
CHANCE = {
    "draw": "draw 1 gem from my.hand to my.row",
    "roll": "roll d from 1 to 6",
    "pick": "pick x in seats at random",
    "shuffle": "shuffle my.pile",
    "a random order": "for each x in seats at random: nothing",
    "a tie that is drawn": "let x = the t in seats with highest t.luck, tie: random",
}
ANOTHER = {
    "another seat chooses": 'seat(1) chooses k from 1 to 2 "How many?"',
    "as another seat": 'as seat(1): choose k from 1 to 2 "How many?"',
    "a tie that another seat breaks": "let x = the t in seats with highest t.luck, tie: seat(1) chooses",
}
ITS_OWN = {
    "its own question": 'choose k from 1 to 2 "How many?"',
    "as itself": 'as s: choose k from 1 to 2 "How many?"',
    "a tie that it breaks": "let x = the t in seats with highest t.luck, tie: me chooses",
    "from the front": "draw 1 gem from my.pile to my.row",
    "its own luck": "raise my.luck by 1",
}
PERFORMED = {
    "directly": "{line}",
    "by a procedure": "away\n\nprocedure away:\n    {line}",
    "by one that is given the seat": "away(s)\n\nprocedure away(t: seat):\n    {line}",
    "by a procedure of a procedure": "away\n\nprocedure away: further\n\nprocedure further:\n    {line}",
}


def told(folder: Path, line: str, performed: str) -> list[tuple[str, str]]:
    """The faults of the small game with this in a secret block."""
    inside, _, behind = PERFORMED[performed].partition("\n\n")
    rules = RULES.replace("{line}", inside) + behind
    mine = line.replace("as s:", "as me:") if behind else line
    faults = judged(folder, rules.replace("{line}", mine)).faults
    return [(fault.code, fault.message) for fault in faults]


@pytest.mark.parametrize("performed", PERFORMED)
@pytest.mark.parametrize("what", CHANCE)
def test_chance_has_no_say_in_secret(what: str, performed: str, tmp_path: Path) -> None:
    said = "chance has no say in secret, where the seats answer in any order"
    assert told(tmp_path, CHANCE[what], performed) == [("E524", said)]


@pytest.mark.parametrize("performed", PERFORMED)
@pytest.mark.parametrize("what", ANOTHER)
def test_no_other_seat_is_asked_in_secret(what: str, performed: str, tmp_path: Path) -> None:
    said = "another seat is asked in secret than the one that answers"
    assert told(tmp_path, ANOTHER[what], performed) == [("E524", said)]


@pytest.mark.parametrize("performed", PERFORMED)
@pytest.mark.parametrize("what", ITS_OWN)
def test_the_seat_that_answers_does_what_is_its_own(what: str, performed: str, tmp_path: Path) -> None:
    assert told(tmp_path, ITS_OWN[what], performed) == []


def test_secret_blocks_are_not_performed_in_others(tmp_path: Path) -> None:
    nested = 'away\n    reveal n\n\nprocedure away:\n    each t in seats secretly: choose k from 1 to 2 "How many?"\n    reveal k\n'
    faults = judged(tmp_path, RULES.replace("{line}\n    reveal n", nested)).faults
    assert [(fault.code, fault.message) for fault in faults] == [("E503", "secret blocks do not nest")]


@pytest.mark.parametrize("line", ["raise my.luck by 1", "shuffle my.pile"])
def test_whoever_answers_is_not_the_seat_for_which_something_is_done(line: str, tmp_path: Path) -> None:
    """A procedure that is performed as another seat has no name for the one that answers."""
    rules = RULES.replace("{line}", "as seat(1): away") + f"procedure away: {line}\n"
    assert {fault.code for fault in judged(tmp_path, rules).faults} == {"E524"}
