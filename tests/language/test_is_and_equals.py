"""`is` says what something is, `=` how much. Each refuses the other's place, and tells the repair."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.test_corners import answers
from tests.language.tiny import check, rules

TABLE = """\
table:
    flag late
    flag open
    remember winner: seat or none
    remember wanted: stall or none
    remember side: one of left or right
"""


def test_how_much_says_equals_and_what_something_is_says_is(tmp_path: Path) -> None:
    check(
        tmp_path,
        TABLE
        + """
procedure turn:
    if round = 3 and late = open and my.cash != $3: nothing
    if winner is me or winner is not seat(1) or wanted is stall(1): nothing
    if side is left or wanted is not closed: nothing
    for each g in my.hand where g is red: nothing
    for each s in stalls where s is wanted: nothing
    if winner = me: nothing                           ### E319
    if winner != seat(1): nothing                     ### E319
    if wanted = stall(2): nothing                     ### E319
    if side != left: nothing                          ### E319
    if winner = none: nothing                         ### E319
    for each g in my.hand where g = red: nothing      ### E319
    if round is 3: nothing                            ### E319
    if my.cash is not $3: nothing                     ### E319
    if late is open: nothing                          ### E319
    if round is me: nothing                           ### E301
    if side is purple: nothing                        ### E205
""",
    )


def test_the_sign_is_what_is_wrong_and_the_repair_is_told(tmp_path: Path) -> None:
    found = rules(tmp_path, TABLE + "procedure turn:\n    if winner != me: nothing   # is it = or !=?\n")
    assert found.text == """\
error[E319]: `!=` compares how much
  ┌─ tiny/play.rules:8:15
 8│     if winner != me: nothing   # is it = or !=?
  │               ^^ write `winner is not me`

1 error"""
    [fault] = found.faults
    assert [(edit.span.text, edit.text) for edit in fault.repair] == [("!=", "is not")]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("late is open", "late = open"),
        ("round is not 3", "round != 3"),
        ("round is\n            not 3", "round != 3"),
        ("wanted = stall(1)", "wanted is stall(1)"),
        ("wanted != none", "wanted is not none"),
    ],
)
def test_the_repair_is_what_was_meant(wrong: str, right: str, tmp_path: Path) -> None:
    text = f"{TABLE}procedure turn:\n    if {wrong}: nothing\n"
    [fault] = rules(tmp_path / "wrong", text).faults
    [edit] = fault.repair
    source = edit.span.source.text
    repaired = source[: edit.span.start] + edit.text + source[edit.span.end :]
    assert f"if {right}: nothing" in repaired
    assert not rules(tmp_path / "right", repaired).faults


def test_a_name_of_the_rule_is_what_is_compared_with(tmp_path: Path) -> None:
    """Also where a sort or a kind is called so: then nobody can say what was meant."""
    check(
        tmp_path,
        """
procedure turn:
    for each other in stalls:
        for each s in stalls where s is other: nothing
    for each red in my.hand:
        for each g in my.hand where g is red: nothing        ### E319
    for each stall in stalls:
        for each s in stalls where s is stall: nothing
""",
    )


def test_what_changes_and_is_called_like_a_property_is_called_otherwise(tmp_path: Path) -> None:
    found = rules(
        tmp_path, "table:\n    remember closed: stall or none\n"
        "procedure turn:\n    for each s in stalls where s is closed: nothing\n"
    )  # fmt: skip
    assert found.text == """\
error[E319]: `closed` may be what something is, and is something else of this game too
  ┌─ tiny/play.rules:4:37
 4│     for each s in stalls where s is closed: nothing
  │                                     ^^^^^^ call one of the two otherwise

1 error"""


def test_what_is_the_same_is(tmp_path: Path) -> None:
    chunk = """
table:
    remember home: stall
    remember wanted: gem

setup:
    move 2 red from bag to seat(1).hand
    move 1 blue from bag to seat(1).hand
    mark stall(3).closed
    set home to stall(2)
    set wanted to red

procedure turn:
    menu wait:
        option on "On": nothing
        option off "Off": nothing
"""
    asked = {
        "count of (s in stalls where s is home)": 1,
        "count of (s in stalls where s is not home)": 2,
        "count of (s in stalls where s is closed)": 1,
        "count of (g in seat(1).hand where g is red)": 2,
        "count of (g in seat(1).hand where g is not red)": 1,
        "count of (g in seat(1).hand where g is wanted)": 2,
        "count of (g in gems where g is not wanted)": 2,
        "count of (s in seats where (s is seat(2)) = (s is not seat(1)))": 2,
        "first of (s in stalls where s is home) is stall(2)": True,
    }
    assert dict(zip(asked, answers(tmp_path, chunk, *asked), strict=True)) == asked


def test_words_of_options_are_compared_with_is(tmp_path: Path) -> None:
    sky = "{sky: {one_of: [blue, grey]}, snow: {flag: false}}"
    found = rules(tmp_path, "", options=sky, refuses="[{when: snow and sky = grey, because: no snow}]")
    assert "error[E319]: `=` compares how much" in found.text and "write `sky is grey`" in found.text
    assert not rules(tmp_path / "right", "", options=sky, refuses="[{when: snow and sky is grey, because: no snow}]").faults
