"""Where a number, a piece or a range is needed nothing else stands: no condition, seat or thing is taken for the number it is kept as."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.tiny import rules

REFUSED = {
    "raise round by my.ready": "a number is needed",
    "raise round by seat(1)": "this is a seat",
    "raise round by stall(1)": "this is a stall",
    "lower round by red": "a number is needed",
    "set round to none": "a number is needed",
    "set my.ready to none": "a condition is needed",
    "raise round by min(true, 3)": "this is a condition",
    "raise round by max(3, me)": "this is a seat",
    "raise round by abs(my.ready)": "this is a condition",
    "raise round by number(abs(me))": "this is a seat",
    "raise round by power($2, 2)": "a number is needed",
    "if even(my.ready): nothing": "this is a condition",
    "raise round by price($1)": "this is an amount in coin",
    "raise round by price(me)": "this is a seat",
    'choose n from my.ready to 5 "N"': "this is a condition",
    'choose n from 1 to me "N"': "this is a seat",
    'choose n from 1 to 5 step 0 "N"': "with such steps one never arrives",
    'choose n from 1 to 5 step -2 "N"': "a step is at least 1",
    "for each x in 1 .. round step 0: nothing": "with such steps one never arrives",
    "for each x in me .. 3: nothing": "a number is needed",
    "roll d from 6 to 1": "there is no number in between",
    "roll d from me to 6": "this is a seat",
    'choose some n from seats "N"': "`choose some` takes pieces",
    'choose some n from stalls "N"': "`choose some` takes pieces",
    "if my.hand is red: nothing": "more than one may lie here",
    "if bag is none: nothing": "write `is empty`",
    "if bag is not none: nothing": "write `is empty`",
}
TAKEN = (
    "raise round by min(1, 3)", "raise round by number(abs($2 - $3))", "if even($4): nothing", "roll d from $1 to $6", "roll d from 1 to round",
    'choose n from 1 to 5 step 1 + round "N"', "set my.rival to none", "if my.slot is red: nothing", "if my.slot is none: nothing",
    'choose some n from my.hand "N"', 'choose some n from (g in bag where g is red) "N"', "raise round by price(my.ready)",
    "raise round by (if my.ready then 1 else 0)",
)  # fmt: skip
SEAT = "seat:\n    flag ready\n    zone slot of gem, at most 1\n    remember rival: seat or none\n"


def told(sentence: str, folder: Path) -> str:
    return rules(folder, f"{SEAT}procedure turn:\n    {sentence}\n", tables="{price: {index: n, from: 0, values: [2, 3, 5]}}").text


@pytest.mark.parametrize(("sentence", "says"), REFUSED.items(), ids=REFUSED)
def test_it_is_told_where_it_stands(sentence: str, says: str, tmp_path: Path) -> None:
    found = told(sentence, tmp_path)
    assert says in found and "play.rules:6" in found and "1 error" in found, found


@pytest.mark.parametrize("sentence", TAKEN)
def test_what_is_of_that_kind_is_taken(sentence: str, tmp_path: Path) -> None:
    assert told(sentence, tmp_path) == "no faults"
