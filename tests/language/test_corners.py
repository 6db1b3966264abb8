"""Corners of the language that nothing else comes by: what is said there, and what it comes to in play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ichiba
from tests.language.tiny import check, files_of, rules, ruleset


def answers(folder: Path, chunk: str, *questions: str) -> list[Any]:
    """What a table of the tiny game with these rules says to these questions, where it first stands."""
    table = ichiba.load(ruleset(folder, files_of(chunk)), 2, trust=True).start(1)
    return [table.ask(question) for question in questions]


def test_a_member_of_the_table_is_asked_by_its_index(tmp_path: Path) -> None:
    chunk = """
table:
    counter heat(x: stall): 0 .. 9

procedure turn:
    raise heat(stall(2)) by 3
    raise heat(stall(3)) by heat(stall(2)) + 1
    menu wait:
        option on "On": nothing
        option off "Off": nothing
"""
    assert answers(tmp_path, chunk, "heat(stall(1))", "heat(stall(2))", "heat(stall(3))") == [0, 3, 4]


def test_options_are_put_into_menus_of_boards_that_there_are(tmp_path: Path) -> None:
    chunk = """
add to menu shep.visit:
    option buy "Buy": nothing
"""
    assert "error[E205]: no board is called `shep`" in rules(tmp_path, chunk).text


def test_a_set_is_called_by_what_is_in_it(tmp_path: Path) -> None:
    check(tmp_path, """
value a -> number: (s for s in seats) + 1                     ### E302: this is a set of seats
value b(s: seat) -> number: (g for g in s.hand) + 1           ### E302: this is a set of pieces of gem
value c -> number: stalls + 1                                 ### E302: this is a set of stalls
value d -> number: (sort of g for g in bag) + 1               ### E302: this is a set of sorts of gem
value e -> number: (s.cash for s in seats) + 1                ### E302: this is a set of amounts in coin
value f -> number: (x.visits for x in stalls) + 1             ### E302: this is a set of numbers
""")  # fmt: skip


def test_what_can_be_left_is_told(tmp_path: Path) -> None:
    text = rules(tmp_path, "procedure turn: leave dinner").text
    assert "`dinner` is not running here" in text and "running here: turn\n" in text


def test_the_other_way_of_a_choice_is_read_as_the_one_before_it(tmp_path: Path) -> None:
    chunk = """
# game.yaml
sorts: {hand_of: [right, left], side: [left, right]}
# play.rules
table:
    remember turned: side
procedure turn:
    set turned to right
    menu wait:
        option on "On": nothing
        option off "Off": nothing
value chosen(s: seat) -> flag: (if s is seat(1) then turned else left) is turned
"""
    assert answers(tmp_path, chunk, "chosen(seat(1))", "chosen(seat(2))") == [True, False]


def test_of_names_that_mean_several_things_the_one_with_the_member_is_meant(tmp_path: Path) -> None:
    chunk = """
# game.yaml
things: {stall: {count: 3}, prize: {each: [{id: winner}]}}
# play.rules
kind prize is thing:
    field worth: number = 0
table:
    remember winner: seat or none
procedure turn:
    set winner to me
value rich -> coin: if winner is none then $0 else winner.cash
"""
    assert answers(tmp_path, chunk, "rich") == [0]


def test_a_thing_may_be_given_words_for_people(tmp_path: Path) -> None:
    check(tmp_path, """
# game.yaml
things: {stall: {each: [{motto: fresh as rain, size: 2}, {motto: "3", size: 1}]}}
# play.rules
kind stall is thing:
    field motto: text
    field size: number
    zone shelf of gem
""")  # fmt: skip


def test_several_boards_are_drawn_at_once_and_each_is_set_up(tmp_path: Path) -> None:
    chunk = """
# game.yaml
boards: {market: pile}
# boards/east.yaml
board: east
kind: market
# boards/north.yaml
board: north
kind: market
# boards/west.yaml
board: west
kind: market
# play.rules
kind market is board:
    counter visits: 0 .. 9
    setup: set board.visits to 4
table:
    zone pile of market
    zone open of market, in play
setup:
    draw 2 market from pile to open
procedure turn:
    menu wait:
        option on "On": nothing
        option off "Off": nothing
"""
    questions = ("count of open", "count of pile", "sum of (m.visits for m in markets)")
    assert answers(tmp_path, chunk, *questions) == [2, 1, 8]


def test_a_piece_of_a_sort_can_be_handed_on(tmp_path: Path) -> None:
    chunk = """
# game.yaml
pieces:
  gem: {is: stone, sorts: [red, green, blue], count: 4, in: bag}
  card: {individual: true, sorts: [ace, king], count: 2, in: deck}
# play.rules
kind card is piece:
    note bent: flag
seat:
    zone cards of card
table:
    zone deck of card
procedure hand(c: card):
    move c to seat(2).cards
procedure turn:
    if king in deck: hand(king in deck)
    menu wait:
        option on "On": nothing
        option off "Off": nothing
"""
    assert answers(tmp_path, chunk, "count of king in seat(2).cards", "count of deck") == [1, 3]


def test_what_is_hidden_from_all_nobody_sees(tmp_path: Path) -> None:
    chunk = """
table:
    zone lair of gem, hidden
    counter secret: 0 .. 9, hidden
    zone pile of gem, face down
seat:
    counter luck: 0 .. 9, hidden from others
    counter fate: 0 .. 9, hidden from everyone
    zone pocket of gem, hidden from everyone
procedure turn:
    move 2 red from bag to lair
    move 1 blue from bag to pile
    move 1 blue from bag to seat(1).pocket
    set secret to 4
    set seat(1).luck to 5
    set seat(1).fate to 6
    menu wait:
        option on "On": nothing
        option off "Off": nothing
"""
    table = ichiba.load(ruleset(tmp_path, files_of(chunk)), 2, trust=True).start(1)
    for seat in (None, 1, 2):
        view: Any = table.view(seat)
        shared, own = view["table"], view["seats"]["1"]
        assert (shared["lair"], shared["secret"], shared["pile"]) == ({"hidden": 2}, "hidden", {"hidden": 1})
        assert (own["fate"], own["pocket"]) == ("hidden", {"hidden": 1})
        assert own["luck"] == (5 if seat == 1 else "hidden")


def test_a_name_that_is_a_zone_and_a_kind_is_a_set_wherever_one_is_needed(tmp_path: Path) -> None:
    chunk = """
table:
    zone gems of gem
procedure turn:
    move 4 red from bag to gems
    menu wait:
        option on "On": nothing
        option off "Off": nothing
value both -> number: count of {gems, bag}
"""
    assert answers(tmp_path, chunk, "count of gems", "both", "count of (g in gems where g is red)") == [4, 12, 4]


def test_a_number_may_be_as_large_as_a_number_may_be(tmp_path: Path) -> None:
    check(tmp_path, """
value a -> number: 1000000 * 1000000
value b -> number: 1000000 * 1000000 + 1                      ### E204: this number is too large
""")  # fmt: skip


def test_after_every_single_draw_it_is_looked_whether_a_condition_came_true(tmp_path: Path) -> None:
    chunk = """
table:
    counter twos: 0 .. 9
    zone spare of gem
rule second for each s in seats, whenever count of s.hand = 2: raise twos by 1
procedure turn:
    move all red in bag to spare
    draw 3 gem from bag to seat(1).hand
    move 3 red from spare to seat(2).hand
    menu wait:
        option on "On": nothing
        option off "Off": nothing
"""
    assert answers(tmp_path, chunk, "twos", "count of seat(1).hand", "count of seat(2).hand") == [2, 3, 3]


def test_a_rule_after_another_stands_right_behind_it(tmp_path: Path) -> None:
    chunk = """
table:
    counter said: 0 .. 99999
procedure say(n: number): set said to said * 10 + n
procedure begin: say(1)
rule two, after begin: say(2)
rule three, after begin: say(3)
rule four, after begin: say(4)
rule five, after begin, after rule two: say(5)
procedure turn:
    if said = 0: begin
    menu wait:
        option on "On": nothing
        option off "Off": nothing
"""
    assert answers(tmp_path, chunk, "said") == [12534]


def test_a_price_of_two_parts_is_told_with_an_and(tmp_path: Path) -> None:
    chunk = """
procedure turn:
    gain $9 from bank
    move 2 red from bag to my.hand
    menu shop:
        option buy "Buy" costs $2 and 1 red from my.hand to bag or $5 to bank: nothing
        option off "Off": nothing
"""
    table = ichiba.load(ruleset(tmp_path, files_of(chunk)), 2, trust=True).start(1)
    table.play("buy")
    assert table.decision is not None
    assert [option.label for option in table.decision.options] == ["Pay $2 and 1 red", "Pay $5"]


def test_an_edit_of_what_is_not_there_is_told_where_it_was_first_made(tmp_path: Path) -> None:
    text = rules(tmp_path, """
restrict option wait.gone when true:
    require false, else "no"
restrict option wait.gone when true:
    require false, else "never"
rule before_it, before wait.lost: nothing
rule after_it, after wait.lost: nothing
""").text  # fmt: skip
    assert "tiny/play.rules:2:" in text and "tiny/play.rules:4:" not in text
    assert "tiny/play.rules:6:" in text and "tiny/play.rules:7:" not in text


def test_things_are_numbered_from_one_on(tmp_path: Path) -> None:
    assert answers(tmp_path, "", "(position of x for x in stalls)", "position of stall(2)") == [[1, 2, 3], 2]


def test_every_thing_of_a_kind_is_of_that_kind(tmp_path: Path) -> None:
    chunk = """
# game.yaml
things: {stall: {count: 3}, farm: {count: 2}, inn: {count: 3}}
# play.rules
kind spot is thing:
    counter guests: 0 .. 9
kind farm is spot:
    flag ripe
kind inn is spot:
    flag full
"""
    assert answers(
        tmp_path, chunk, "count of (x in spots where x is inn)", "count of (x in spots where x is farm)"
    ) == [3, 2]


def test_a_seat_is_found_by_a_number_that_is_worked_out(tmp_path: Path) -> None:
    chunk = """
value sitting(n: number): seat(n)
"""
    assert answers(tmp_path, chunk, "sitting(round + 2) is seat(2)", "sitting(round + 1) is seat(2)") == [True, False]


def test_as_behind_a_colon_does_one_thing(tmp_path: Path) -> None:
    found = rules(tmp_path, "procedure turn:\n    for each s in seats: as s:\n        raise round by 1\n").text
    assert found == """\
error[E203]: behind a colon `as` does one thing, in the same line
  ┌─ tiny/play.rules:2:30
 2│     for each s in seats: as s:
  │                              ^ for more let `as …:` begin a line of its own

1 error"""
