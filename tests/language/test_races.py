"""What authors read about races that cannot be: the whole texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.tiny import check, rules

TAKE = '        option take "Take it": nothing\n'


def told(folder: Path, heading: str, rest: str = TAKE) -> str:
    return rules(folder, f"procedure turn:\n    {heading}\n{rest}").text


@pytest.mark.parametrize(
    ("heading", "says", "instead"),
    [
        ("first s in seats answer outcry:", "a race writes `to answer`", "write `first s in seats to answer outcry:`"),
        ("first s of seats to answer outcry:", "a race writes `in`", "write `first s in seats to answer outcry:`"),
        ("first seats to answer outcry:", "a race names the seat", "write `first s in seats to answer outcry:`"),
        ("first in others to answer outcry:", "a race names the seat", "write `first s in others to answer outcry:`"),
    ],
)
def test_other_ways_to_say_it_are_told(tmp_path: Path, heading: str, says: str, instead: str) -> None:
    found = told(tmp_path, heading)
    assert f"error[E203]: {says}\n" in found
    assert instead in found


def test_the_name_of_the_menu_is_missing(tmp_path: Path) -> None:
    assert told(tmp_path, "first s in seats to outcry:") == """\
error[E203]: `outcry` cannot stand here
  ┌─ tiny/play.rules:2:25
 2│     first s in seats to outcry:
  │                         ^^^^^^ `answer …` is missing before it
  = expected here: `answer`

1 error"""


def test_it_has_options_of_its_own(tmp_path: Path) -> None:
    assert told(tmp_path, "first s in seats to answer outcry:", '        "Who?"\n') == """\
error[E203]: the line ends too early
  ┌─ tiny/play.rules:3:14
 3│         "Who?"
  │              ^ `option …` is missing
  = expected here: `option`

1 error"""


def test_all_its_options_may_not_be_taken_away(tmp_path: Path) -> None:
    chunk = "procedure turn:\n    first s in seats to answer outcry:\n" + TAKE + "remove option outcry.take\n"
    assert rules(tmp_path, chunk).text == """\
error[E312]: nobody can answer `outcry`: it has no options
  ┌─ tiny/play.rules:2:5
 2│     first s in seats to answer outcry:
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

1 error"""


def test_to_wait_is_an_answer_already(tmp_path: Path) -> None:
    assert told(tmp_path, "first s in seats to answer outcry:", "        option wait: nothing\n") == """\
error[E531]: two answers to one question have the key `wait`
  ┌─ tiny/play.rules:3:9
 3│         option wait: nothing
  │         ^^^^^^^^^^^^^^^^^^^^ every race has it by itself: give this one another name, and a `key` of its own

1 error"""


def test_things_answer_nothing(tmp_path: Path) -> None:
    assert told(tmp_path, "first s in stalls to answer outcry:") == """\
error[E301]: seats answer a question, not a set of stalls
  ┌─ tiny/play.rules:2:16
 2│     first s in stalls to answer outcry:
  │                ^^^^^^

1 error"""


def test_what_holds_in_a_race_holds_in_it_only(tmp_path: Path) -> None:
    check(tmp_path, """
procedure turn:
    first s in seats where s.cash > $1 to answer outcry:
        "Who, {s}?"
        option take "Take it, {s}" when my.cash > $2:
            if s is me: leave outcry
    else: leave outcry         ### E212: `outcry` is not running here
    s pays $1 to bank          ### E205: nothing is called `s`
""")  # fmt: skip


def test_nobody_is_me_around_a_race_that_nobody_performs(tmp_path: Path) -> None:
    check(tmp_path, """
play:
    first s in seats to answer outcry:
        option take "Take it": gain $1 from bank
    else: gain $1 from bank    ### E209: nobody is `me` here
    turn
procedure turn: nothing
""")  # fmt: skip


def test_other_words_stay_names(tmp_path: Path) -> None:
    check(tmp_path, """
add to seat:
    counter answer: 0 .. 9
procedure turn:
    menu answer:
        option answer "Answer": raise my.answer by 1
        option wait "Wait": nothing
    first answer in others to answer answer:
        option answer "Answer": raise my.answer by 1
""")  # fmt: skip
