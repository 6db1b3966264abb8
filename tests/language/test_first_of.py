"""Claims about the first of a set: where there may be none, the rules say what then."""

from pathlib import Path

import pytest

from tests.language.tiny import check, rules


def test_the_first_of_what_may_be_empty_is_no_piece_to_move(tmp_path: Path) -> None:
    check(tmp_path, """
procedure grab(g: piece of gem): move g to bag

procedure turn:
    move first of bag to my.hand                                  ### E315
    grab(first of my.hand)                                        ### E315
    mark (first of (s in stalls where s.closed)).closed           ### E315
    let g = first of bag
    move g to my.hand                                             ### E315
    move first of {(s.shelf for s in stalls where s.closed)} to my.hand   ### E315
""")  # fmt: skip


def test_the_first_of_what_is_always_there_needs_no_question(tmp_path: Path) -> None:
    check(tmp_path, """
value a: (first of stalls).visits
value b: (first of (s in stalls by highest s.visits)).visits
value c: (first of (s in stalls with lowest s.visits)).visits
value d: (first of {(s in stalls where s.closed), stalls}).visits
value e: (first of (s in stalls where s is stall(2))).visits
value f: (first of seats).cash
value g: (first of (s in stalls where s is not stall(1) and s is not stall(2) and s is not stall(3))).visits   ### E315
""")  # fmt: skip


@pytest.mark.parametrize(
    "asked",
    [
        "if bag is not empty: move first of bag to my.hand",
        "if any bag: move first of bag to my.hand",
        "if count of bag > 0: move first of bag to my.hand",
        "if count of bag >= 1: move first of bag to my.hand",
        "if count of bag != 0: move first of bag to my.hand",
        "if 0 < count of bag: move first of bag to my.hand",
        "if count of bag = 2: move first of bag to my.hand",
        "if not (count of bag = 0): move first of bag to my.hand",
        "if bag is empty: nothing\n    else: move first of bag to my.hand",
        "if no bag: nothing\n    else: move first of bag to my.hand",
        "if bag is empty: leave turn\n    move first of bag to my.hand",
        "if round > 1 and bag is not empty: move first of bag to my.hand",
        "if round = 1 or bag is empty: nothing\n    else: move first of bag to my.hand",
        "repeat 3 times while bag is not empty: move first of bag to my.hand",
        "if red in bag: move first of (red in bag) to my.hand",
        "if 2 red in bag: move first of (red in bag) to my.hand",
        "for each s in stalls where s.shelf is not empty: move first of s.shelf to my.hand",
        "choose s in stalls where s.shelf is not empty: move first of s.shelf to my.hand\n    else: nothing",
        "let g = first of bag\n    if g is not none: move g to my.hand",
        "let g = first of bag\n    if g is none: leave turn\n    move g to my.hand",
        "let some_gems = (g in bag where g is red)\n"
        "    if some_gems is not empty: move first of some_gems to my.hand",
        "if bag is not empty: move first of (g in bag by highest count of my.hand) to my.hand",
        "if bag is not empty:\n        raise round by 1\n        move first of bag to my.hand",
        "if bag is not empty:\n        look_around\n        move first of bag to my.hand",
        "menu visit:\n        option take when bag is not empty: move first of bag to my.hand",
        "menu visit:\n        option take costs $1:\n            require bag is not empty\n            move first of bag to my.hand",
        "menu visit:\n        option take when bag is not empty costs $1: move first of bag to my.hand",
        "menu visit until done, while bag is not empty:\n        option take: move first of bag to my.hand",
        "may take when bag is not empty: move first of bag to my.hand",
    ],
)
def test_whoever_asks_first_may_take_the_first(tmp_path: Path, asked: str) -> None:
    tiny = rules(tmp_path, f"procedure look_around: raise round by 1\n\nprocedure turn:\n    {asked}\n")
    assert tiny.text == "no faults"


@pytest.mark.parametrize(
    "asked",
    [
        "if bag is empty: move first of bag to my.hand",
        "if my.hand is not empty: move first of bag to my.hand",
        "if round = 1 or bag is not empty: move first of bag to my.hand",
        "if count of bag >= 0: move first of bag to my.hand",
        "if green in bag: move first of (red in bag) to my.hand",
        "if bag is not empty:\n        move all bag to my.hand\n        move first of bag to my.hand",
        "if bag is not empty:\n        clear_out\n        move first of bag to my.hand",
        "if bag is not empty:\n        repeat 2 times: move first of bag to my.hand",
        "if my.hand is not empty:\n        for each s in seats:\n            as s: move first of my.hand to bag",
        "let g = first of bag\n    if g is none: nothing\n    move g to my.hand",
        "if any (s in stalls where s.closed):\n"
        "        for each s in stalls: clear s.closed\n"
        "        mark (first of (s in stalls where s.closed)).closed",
        "menu visit:\n        option give when my.hand is not empty costs 1 of my.hand to bag: move first of my.hand to bag",
        "if bag is not empty:\n        menu visit until done:\n            option take: move first of bag to my.hand",
    ],
)
def test_what_was_said_of_something_else_or_is_over_does_not_help(tmp_path: Path, asked: str) -> None:
    tiny = rules(tmp_path, f"procedure clear_out: move all bag to my.hand\n\nprocedure turn:\n    {asked}\n")
    assert tiny.codes == {"E315"}, tiny.text


def test_a_memory_that_may_be_none_takes_what_may_not_be_there(tmp_path: Path) -> None:
    check(tmp_path, """
table:
    remember shut: stall or none
value open_one -> number: if first of (s in stalls where s.closed) is stall(1) then 1 else 0
value first_shut: first of (s in stalls where s.closed)
value visits_there: first_shut.visits                             ### E315

procedure turn:
    set shut to first of (s in stalls where s.closed)
    set shut to first_shut
""")  # fmt: skip


def test_the_fault_says_what_may_have_taken_it_away(tmp_path: Path) -> None:
    tiny = rules(tmp_path, """
procedure turn:
    if bag is not empty:
        move all bag to my.hand
        move first of bag to my.hand
""")  # fmt: skip
    assert tiny.text == """\
error[E315]: there may be nothing here to take the first of
  ┌─ tiny/play.rules:5:23
 5│         move first of bag to my.hand
  │                       ^^^ line 4 may have taken it away
  = ask first: `if … is not empty:`, `where … is not empty`, `when any (…)`
  = or say what then: `let x = first of …`, and `if x is none:`; in braces, what else: `first of {…, …}`

1 error"""
