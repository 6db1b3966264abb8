"""Arguments by name: what is told of them, and that they come to what the same without names does."""

from __future__ import annotations

from pathlib import Path

from tests.language.test_corners import answers
from tests.language.tiny import check, rules

SOLD = """\
procedure sell(seller: seat, least: coin, buyers: seats) -> winner: seat, price: coin:
    give seller, least

"""


def told(folder: Path, call: str) -> str:
    return rules(folder, SOLD + f"procedure turn:\n    let winner, price = {call}\n").text


def test_a_name_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    assert told(tmp_path, "sell(me, buyer: others, least: $2)") == """\
error[E330]: `sell` takes nothing that is called `buyer`
  ┌─ tiny/play.rules:5:34
 5│     let winner, price = sell(me, buyer: others, least: $2)
  │                                  ^^^^^ did you mean `buyers`?
  ┌─ tiny/play.rules:1:11
 1│ procedure sell(seller: seat, least: coin, buyers: seats) -> winner: seat, price: coin:
  │           ---- declared here
  = it is `sell(seller: seat, least: coin, buyers: seats)`

1 error"""


def test_a_name_like_none_of_them_is_told_with_what_there_is(tmp_path: Path) -> None:
    assert told(tmp_path, "sell(me, $2, whom: others)") == """\
error[E330]: `sell` takes nothing that is called `whom`
  ┌─ tiny/play.rules:5:38
 5│     let winner, price = sell(me, $2, whom: others)
  │                                      ^^^^ it is `sell(seller: seat, least: coin, buyers: seats)`
  ┌─ tiny/play.rules:1:11
 1│ procedure sell(seller: seat, least: coin, buyers: seats) -> winner: seat, price: coin:
  │           ---- declared here

1 error"""


def test_what_is_not_given_is_told_once_for_all(tmp_path: Path) -> None:
    assert told(tmp_path, "sell(buyers: others)") == """\
error[E330]: `seller` and `least` of `sell` are not given
  ┌─ tiny/play.rules:5:25
 5│     let winner, price = sell(buyers: others)
  │                         ^^^^^^^^^^^^^^^^^^^^ it is `sell(seller: seat, least: coin, buyers: seats)`
  ┌─ tiny/play.rules:1:11
 1│ procedure sell(seller: seat, least: coin, buyers: seats) -> winner: seat, price: coin:
  │           ---- declared here

1 error"""
    assert "error[E330]: `least` of `sell` is not given\n" in told(tmp_path, "sell(me, buyers: others)")


def test_nothing_is_given_twice(tmp_path: Path) -> None:
    assert told(tmp_path, "sell(me, $2, seller: me, buyers: others)") == """\
error[E330]: `seller` is given twice
  ┌─ tiny/play.rules:5:38
 5│     let winner, price = sell(me, $2, seller: me, buyers: others)
  │                                      ^^^^^^ it is `sell(seller: seat, least: coin, buyers: seats)`
  ┌─ tiny/play.rules:1:11
 1│ procedure sell(seller: seat, least: coin, buyers: seats) -> winner: seat, price: coin:
  │           ---- declared here

1 error"""
    assert "`buyers` is given twice" in told(tmp_path, "sell(me, $2, buyers: others, buyers: seats)")


def test_behind_a_name_all_have_one(tmp_path: Path) -> None:
    assert told(tmp_path, "sell(me, least: $2, others)") == """\
error[E330]: behind an argument with a name all have one
  ┌─ tiny/play.rules:5:45
 5│     let winner, price = sell(me, least: $2, others)
  │                                             ^^^^^^ say which one this is, as `least` does, or let it stand before `least`

1 error"""


def test_what_declares_no_names_takes_none(tmp_path: Path) -> None:
    check(tmp_path, """
# game.yaml
pieces: {gem: {is: stone, sorts: [red, green, blue], count: 4, in: bag}, card: {sorts_for: {colour: gem, way: side}, in: hidden_cards}}
sorts: {side: [left, right]}
# play.rules
table:
    counter heat(x: stall): 0 .. 9
    zone hidden_cards of card
value a -> number: max(1, other: 2)                           ### E330: `max` takes nothing by its name
value b -> number: price(n: 2)                                ### E330: `price` takes nothing by its name
value d -> number: heat(x: stall(1))                          ### E330: `heat` takes nothing by its name
value e -> stall: stall(n: 1)                                 ### E330: `stall` takes nothing by its name
value f -> card: card(red, way: left)                         ### E330: `card` takes nothing by its name
value g -> number: nowhere(n: 1)                              ### E205
procedure turn:
    flag seen(s: seat)
    mark seen(s: me)                                          ### E330: `seen` takes nothing by its name
""")


def test_costs_values_guards_and_members_are_held_to_their_names(tmp_path: Path) -> None:
    check(tmp_path, """
kind stall is thing:
    value worth(n: number, more: number) -> number: n - more
    procedure visit(s: seat): nothing
cost fare(n: number, s: seat): n coins to s
value less(a: number, b: number) -> number: a - b
guard fits(s: seat, n: number): count of s.hand = n
procedure turn:
    stall(1).visit(t: me)                                     ### E330: `visit` takes nothing that is called `t`
    stall(1).visit(s: me)
    let x = stall(1).worth(more: 2)                           ### E330: `n` of `worth` is not given
    let y = less(b: 1)                                        ### E330: `a` of `less` is not given
    if fits(n: 2, seat: me): nothing                          ### E330: `fits` takes nothing that is called `seat`
    menu act:
        option go costs fare(s: me): nothing                  ### E330: `n` of `fare` is not given
        option rest costs fare(s: seat(2), n: 1): nothing
""")


def test_in_yaml_they_are_told_as_well(tmp_path: Path) -> None:
    found = rules(tmp_path, "", numbers='{rounds: {is: "price(n: 1)"}}').text
    assert "error[E330]: `price` takes nothing by its name\n" in found


def test_they_mean_the_same_in_their_order(tmp_path: Path) -> None:
    chunk = """
value less(a: number, b: number) -> number: a - b
value held(m: measure of gem, g: gem) -> number: m(g: g)
value faces(k: number, g: gem) -> number: k * (position of g)
value some_of(s: seat, k: gem): (x in s.hand where sort of x is k)
setup: move 2 red from bag to seat(2).hand
procedure turn:
    menu wait:
        option on "On": nothing
        option off "Off": nothing
"""
    questions = ("less(b: 2, a: 7)", "less(7, b: 2)", "held(g: blue, m: faces(5))", "count of some_of(k: red, s: seat(2))")
    assert answers(tmp_path, chunk, *questions) == [5, 5, 15, 2]
