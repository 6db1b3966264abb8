"""Money that is set aside: what authors read about a mistake, whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.validator.small import judged

FAULTS = {
    "a plain number": (
        """\
procedure turn:
    set aside 3 as stake
    nothing
""",
        """\
error[E301]: a plain number is no money
  ┌─ small/play.rules:2:15
 2│     set aside 3 as stake
  │               ^ write its unit, such as `¥5` or `2 ap`

1 error""",
    ),
    "money out of the table's purse": (
        """\
procedure turn: set aside 3 coins from bank as stake
""",
        """\
error[E302]: what is set aside comes out of a seat's own purse
  ┌─ small/play.rules:1:17
 1│ procedure turn: set aside 3 coins from bank as stake
  │                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `from s`, or nothing for my own

1 error""",
    ),
    "two purses under one name": (
        """\
seat:
    purse cash: coin start 5
    purse savings: coin
    zone hand of gem, hidden from others
procedure turn:
    set aside 3 coins as stake
    set aside 1 coin from my.savings as stake
""",
        """\
error[E302]: `stake` holds what comes out of `cash`
  ┌─ small/play.rules:7:5
 7│     set aside 1 coin from my.savings as stake
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ for `savings` choose another name
  ┌─ small/play.rules:6:5
 6│     set aside 3 coins as stake
  │     -------------------------- set aside here first

1 error""",
    ),
    "a name that is something else": (
        """\
procedure turn:
    let s = stake(seat(1), 3)
    gain s from bank
procedure stake(winner: seat, n: number) -> price: coin:
    let held = n
    set aside 3 coins as winner
    give 3 coins
""",
        """\
error[E206]: `winner` is something else here
  ┌─ small/play.rules:6:5
 6│     set aside 3 coins as winner
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ choose another name

1 error""",
    ),
    "spent before anything is set aside": (
        """\
procedure turn:
    pay 3 coins from stake to bank
    set aside 3 coins as stake
""",
        """\
error[E205]: nothing is set aside as `stake` yet
  ┌─ small/play.rules:2:22
 2│     pay 3 coins from stake to bank
  │                      ^^^^^ `set aside … as stake` comes first

1 error""",
    ),
    "looked at before": (
        """\
procedure turn:
    if stake of me > 3 coins: nothing
    set aside 3 coins as stake
""",
        """\
error[E205]: nothing is set aside as `stake` yet
  ┌─ small/play.rules:2:8
 2│     if stake of me > 3 coins: nothing
  │        ^^^^^^^^^^^ `set aside … as stake` comes first

1 error""",
    ),
    "in a rule that watches": (
        """\
rule late, whenever round > 2, once: set aside 3 coins as stake
""",
        """\
error[E210]: money is set aside in a procedure, and comes back when that ends
  ┌─ small/play.rules:1:38
 1│ rule late, whenever round > 2, once: set aside 3 coins as stake
  │                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ say it in a procedure, and perform that

1 error""",
    ),
    "in a value": (
        """\
value v -> number:
    set aside 3 coins as stake
    give 1
""",
        """\
error[E308]: a value only works something out; it changes nothing
  ┌─ small/play.rules:2:5
 2│     set aside 3 coins as stake
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^

1 error""",
    ),
    "too late to refuse": (
        """\
procedure turn:
    menu actions:
        option bid "Bid":
            as next_seat(me):
                choose n from 1 to 2 "What?"
            set aside 3 coins as stake
        option pass "Pass": nothing
""",
        """\
error[E523]: this payment may fail after somebody else's answer, when nothing can be taken back
  ┌─ small/play.rules:6:13
 6│             set aside 3 coins as stake
  │             ^^^^^^^^^^^^^^^^^^^^^^^^^^ set it aside before that, or say `if`
  ┌─ small/play.rules:5:17
 5│                 choose n from 1 to 2 "What?"
  │                 ---------------------------- from here on

1 error""",
    ),
    "somebody else's in secret": (
        """\
procedure turn:
    each s in seats secretly:
        choose n from 1 to 2 "What?"
        set aside 3 coins from next_seat(s) as stake
""",
        """\
error[E524]: `cash` is changed in secret, and belongs to more than the seat that answers
  ┌─ small/play.rules:4:9
 4│         set aside 3 coins from next_seat(s) as stake
  │         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ change it after `reveal`

1 error""",
    ),
    "asked like a value": (
        """\
procedure turn:
    set aside 3 coins as stake
    if stake(me) > 1 coin: nothing
""",
        """\
error[E302]: `stake` is what each seat has set aside
  ┌─ small/play.rules:3:8
 3│     if stake(me) > 1 coin: nothing
  │        ^^^^^^^^^ `stake of me`

1 error""",
    ),
    "without a name": (
        """\
procedure turn: set aside 3 coins
""",
        """\
error[E203]: the line ends too early
  ┌─ small/play.rules:1:33
 1│ procedure turn: set aside 3 coins
  │                                 ^ `as …` is missing
  = expected here: `as`, `from`, `+`, `-`

1 error""",
    ),
}


@pytest.mark.parametrize(("chunk", "text"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_with_money_that_is_set_aside_is_told(chunk: str, text: str, tmp_path: Path) -> None:
    assert judged(tmp_path, chunk).text == text


def test_who_sees_the_purse_sees_what_is_set_aside(tmp_path: Path) -> None:
    """And who asks for what others have put there, where that is hidden, is told so."""
    seat = "seat:\n    purse cash: coin start 5{}\n    zone hand of gem, hidden from others\n"
    turn = "procedure turn:\n    set aside 3 coins as stake\n    menu actions:\n        option rest: nothing\n"
    turn += "        option bid \"Bid\" when stake of next_seat(me) > 1 coin: nothing\n"
    assert judged(tmp_path, seat.format("") + turn).text == "no faults"
    assert "E521" in judged(tmp_path / "hidden", seat.format(", hidden from others") + turn).codes
