# ruff: noqa: E501 -- messages are pinned as they are, however long
"""What the judge says of one mistake each, word for word."""

import re
from pathlib import Path

from ichiba.dsl.world.world import Config
from tests.language import test_faults_pinned
from tests.validator.small import judged


def said(folder: Path, chunk: str, seats: int = 2) -> str:
    """All that is said of the small game with these rules."""
    return judged(folder, chunk, Config(seats)).text


def test_a_guard_may_not_read_what_its_seat_may_not_see(tmp_path: Path) -> None:
    assert said(tmp_path, """\
guard richer(s: seat) "you have more": reds(s) > reds(me)

value reds(s: seat) -> number: count of red in s.hand

procedure turn:
    menu actions:
        option rob for s in others when richer(s): gain 1 coin from bank
        option rest: nothing
""") == """\
error[E521]: whether the option `rob` is offered depends on `hand` of others, which the one who is asked may not see
  ┌─ small/play.rules:7:41
 7│         option rob for s in others when richer(s): gain 1 coin from bank
  │                                         ^^^^^^^^^ reveal it first, or ask something else
  ┌─ small/base.rules:3:10
 3│     zone hand of gem, hidden from others
  │          ---- hidden here
  = read by way of richer → reds → `hand` of others

1 error
""".rstrip()


def test_a_domain_may_not_either(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    choose g in bag "Which gem do you take?":
        move g to my.hand
    else: nothing
""") == """\
error[E521]: whether `g` is offered depends on `bag`, which the one who is asked may not see
  ┌─ small/play.rules:2:5
 2│     choose g in bag "Which gem do you take?":
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ reveal it first, or ask something else
  ┌─ small/base.rules:7:10
 7│     zone bag of gem, face down
  │          --- hidden here

1 error
""".rstrip()


def test_nor_a_requirement_in_a_body(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    menu actions:
        option rob for s in others:
            require red in s.hand, else "no"
            gain 1 coin from bank
        option rest: nothing
""") == """\
error[E521]: whether the option `rob` is offered depends on `hand` of others, which the one who is asked may not see
  ┌─ small/play.rules:4:13
 4│             require red in s.hand, else "no"
  │             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ reveal it first, or ask something else
  ┌─ small/base.rules:3:10
 3│     zone hand of gem, hidden from others
  │          ---- hidden here

1 error
""".rstrip()


def test_whether_others_can_pay_is_hidden_when_their_money_is(tmp_path: Path) -> None:
    assert said(tmp_path, """\
seat:
    purse cash: coin start 5, hidden from others
    zone hand of gem, hidden from others

procedure turn:
    menu actions:
        option tax for s in others: s pays 3 coins to bank
        option rest: nothing
""") == """\
error[E521]: whether the option `tax` is offered depends on `cash` of others, which the one who is asked may not see
  ┌─ small/play.rules:7:37
 7│         option tax for s in others: s pays 3 coins to bank
  │                                     ^^^^^^^^^^^^^^^^^^^^^^ reveal it first, or ask something else
  ┌─ small/play.rules:2:11
 2│     purse cash: coin start 5, hidden from others
  │           ---- hidden here

1 error
""".rstrip()


def test_words_tell_nothing_either(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    menu actions:
        "Seat 1 has {count of red in seat(1).hand} red"
        option ask "{s} has {reds(s)}" for s in others: gain 1 coin from bank
        option rest: nothing

value reds(s: seat) -> number: count of red in s.hand
""") == """\
error[E522]: the words of this question tell `hand` of others, which the one who reads them may not see
  ┌─ small/play.rules:2:5
 2│     menu actions:
  │     ^^^^^^^^^^^^^
  ┌─ small/base.rules:3:10
 3│     zone hand of gem, hidden from others
  │          ---- hidden here

error[E522]: the words of the option `ask` tell `hand` of others, which the one who reads them may not see
  ┌─ small/play.rules:4:9
 4│         option ask "{s} has {reds(s)}" for s in others: gain 1 coin from bank
  │         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  ┌─ small/base.rules:3:10
 3│     zone hand of gem, hidden from others
  │          ---- hidden here
  = read by way of reds → `hand` of others

2 errors
""".rstrip()


def test_nothing_fails_after_chance(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    menu actions:
        option dig:
            draw 1 gem from bag to heap
            require red in heap
            pay 3 coins to bank
        option rest: nothing
""") == """\
error[E523]: this requirement may fail after chance, when nothing can be taken back
  ┌─ small/play.rules:5:13
 5│             require red in heap
  │             ^^^^^^^^^^^^^^^^^^^ say `if` instead, and what happens otherwise
  ┌─ small/play.rules:4:13
 4│             draw 1 gem from bag to heap
  │             --------------------------- from here on

error[E523]: this payment may fail after chance, when nothing can be taken back
  ┌─ small/play.rules:6:13
 6│             pay 3 coins to bank
  │             ^^^^^^^^^^^^^^^^^^^ set it aside before that, or say `if`, `as far as it goes` or `even into debt`
  ┌─ small/play.rules:4:13
 4│             draw 1 gem from bag to heap
  │             --------------------------- from here on

2 errors
""".rstrip()


def test_nothing_fails_after_somebody_else_s_answer(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    menu actions:
        option offer for s in others:
            s chooses n from 0 to 3 "How many?"
            require n < 3
            pay n coins to s
        option rest: nothing
""") == """\
error[E523]: this requirement may fail after somebody else's answer, when nothing can be taken back
  ┌─ small/play.rules:5:13
 5│             require n < 3
  │             ^^^^^^^^^^^^^ say `if` instead, and what happens otherwise
  ┌─ small/play.rules:4:13
 4│             s chooses n from 0 to 3 "How many?"
  │             ----------------------------------- from here on

error[E523]: this payment may fail after somebody else's answer, when nothing can be taken back
  ┌─ small/play.rules:6:13
 6│             pay n coins to s
  │             ^^^^^^^^^^^^^^^^ set it aside before that, or say `if`, `as far as it goes` or `even into debt`
  ┌─ small/play.rules:4:13
 4│             s chooses n from 0 to 3 "How many?"
  │             ----------------------------------- from here on

2 errors
""".rstrip()


def test_a_requirement_stands_in_an_option(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    require my.cash > 3 coins, else "you are poor"
    choose n from 1 to 3 "How many?"
    require n < 3
""") == """\
error[E523]: a requirement where nobody has taken an option can refuse nothing
  ┌─ small/play.rules:2:5
 2│     require my.cash > 3 coins, else "you are poor"
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ say `if` instead, and what happens otherwise

error[E523]: a requirement where nobody has taken an option can refuse nothing
  ┌─ small/play.rules:4:5
 4│     require n < 3
  │     ^^^^^^^^^^^^^ say `if` instead, and what happens otherwise

2 errors
""".rstrip()


def test_common_places_are_not_changed_in_secret(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    each s in seats secretly:
        choose n from 0 to 3 "How many?"
        set round to n
    reveal n
""") == """\
error[E524]: `round` is changed in secret, and belongs to more than the seat that answers
  ┌─ small/play.rules:4:9
 4│         set round to n
  │         ^^^^^^^^^^^^^^ change it after `reveal`

1 error
""".rstrip()


def test_36_the_setup_deals_what_there_is(tmp_path: Path) -> None:
    assert said(tmp_path, """\
setup:
    move 2 green from bag to heap
    for each s in seats: draw 4 gem from bag to s.hand
""", 3) == """\
error[E525]: the setup draws 4 gem out of `bag`, where 2 are left
  ┌─ small/play.rules:3:26
 3│     for each s in seats: draw 4 gem from bag to s.hand
  │                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ with 3 seats

1 error
""".rstrip()


def test_the_setup_moves_what_there_is(tmp_path: Path) -> None:
    assert said(tmp_path, """\
setup:
    for each s in seats: move 3 red from bag to s.hand
""", 4) == """\
error[E525]: the setup moves 3 red out of `bag`, where none is left
  ┌─ small/play.rules:2:26
 2│     for each s in seats: move 3 red from bag to s.hand
  │                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ with 4 seats

1 error
""".rstrip()


def test_the_first_round_deals_what_there_is(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turns:
    raise round by 1
    for each s in seats: draw 5 gem from bag to s.hand
    take one turn each from seat(1): turn
""") == """\
error[E525]: the beginning of play draws 5 gem out of `bag`, where 3 are left
  ┌─ small/play.rules:3:26
 3│     for each s in seats: draw 5 gem from bag to s.hand
  │                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ with 2 seats

1 error
""".rstrip()


def test_amounts_are_not_below_nothing(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    gain (round - 20) coins from bank
""") == """\
error[E526]: an amount below nothing is paid
  ┌─ small/play.rules:2:5
 2│     gain (round - 20) coins from bank
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ it is never more than -11

1 error
""".rstrip()


def test_32_a_menu_that_need_not_end(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    menu actions until done:
        option wait: nothing
        option work: gain 1 coin from bank
        option sell for g in my.hand: move g to heap
""") == """\
error[E527]: the option `wait` changes nothing, and can be taken again and again
  ┌─ small/play.rules:3:9
 3│         option wait: nothing
  │         ^^^^^^^^^^^^^^^^^^^^ let it use something up, or `leave actions`

warning[W604]: nothing that the option `work` changes decides whether it can be taken again
  ┌─ small/play.rules:4:9
 4│         option work: gain 1 coin from bank
  │         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a cost, a limit such as `once per turn`, or a guard would end it

1 error, 1 warning
""".rstrip()


def test_loops_are_short(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    repeat 200000 times: gain 1 coin from bank
    for each n in 1 .. 300000: gain 1 coin from bank
""") == """\
error[E528]: this takes at least 200,000 steps; 100,000 lead to the next question at most
  ┌─ small/play.rules:2:5
 2│     repeat 200000 times: gain 1 coin from bank
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

error[E528]: this takes at least 300,000 steps; 100,000 lead to the next question at most
  ┌─ small/play.rules:3:5
 3│     for each n in 1 .. 300000: gain 1 coin from bank
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

2 errors
""".rstrip()


def test_a_game_is_not_too_large(tmp_path: Path) -> None:
    assert said(tmp_path, """\
# game.yaml
sorts: {x: [a1, a2, a3, a4, a5, a6, a7, a8, a9]}
# play.rules
table:
    purse bank: coin, unlimited
    zone bag of gem, face down
    zone heap of gem
    counter round: 0 .. 9
    counter seen(a: x, b: x, c: x, d: x, e: x, f: x): 0 .. 1
""") == """\
error[E529]: a game would take 531,457 numbers to write down; 131,072 are the most
  ┌─ small/play.rules:6:13
 6│     counter seen(a: x, b: x, c: x, d: x, e: x, f: x): 0 .. 1
  │             ^^^^ `seen` takes 531,441 of them

1 error
""".rstrip()


def test_there_are_not_too_many_pieces(tmp_path: Path) -> None:
    assert said(tmp_path, """\
# game.yaml
pieces: {gem: {sorts: [red, green], count: 6000, in: bag}}
""") == """\
error[E529]: there are more than 10,000 pieces in this game
  ┌─ small/game.yaml:1:29
 1│ pieces: {gem: {sorts: [red, green], count: 6000, in: bag}}
  │                             ^^^^^ 6,000 more of `green` are too many

1 error
""".rstrip()


def test_questions_are_answered_in_one_breath(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    choose n from 1 to 9999 "How many?"
    gain n coins from bank
""") == """\
error[E530]: this question has 9,999 answers; 5,000 are the most
  ┌─ small/play.rules:2:5
 2│     choose n from 1 to 9999 "How many?"
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ ask one thing after another, or in larger steps

1 error
""".rstrip()


def test_40_open_places_tell_nothing_hidden(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    let reds = count of red in my.hand
    set round to reds
""") == """\
warning[W602]: `round` is open to all, and is set from something hidden: `hand`
  ┌─ small/play.rules:3:5
 3│     set round to reds
  │     ^^^^^^^^^^^^^^^^^ declare `round` hidden, or reveal what it is set from
  ┌─ small/base.rules:3:10
 3│     zone hand of gem, hidden from others
  │          ---- hidden here
  = read by way of reds → `hand`

1 warning
""".rstrip()


def test_rules_do_not_wake_each_other_for_ever(tmp_path: Path) -> None:
    assert said(tmp_path, """\
rule day, whenever round = 1:
    set round to 2

rule noon, whenever round = 2:
    set round to 3

rule night, whenever round = 3:
    set round to 1
""") == """\
warning[W603]: these rules may wake each other for ever: day → noon → day
  ┌─ small/play.rules:1:6
 1│ rule day, whenever round = 1:
  │      ^^^ `once`, or a condition that the other rule cannot make true again

1 warning
""".rstrip()


def test_a_clock_has_a_name_where_passing_is_allowed(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turns:
    take turns from seat(1) until bag is empty, at most 99 times: turn
""") == """\
warning[W605]: a turn can pass here without anything happening, and the clock has no name
  ┌─ small/play.rules:2:5
 2│     take turns from seat(1) until bag is empty, at most 99 times: turn
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `at most … times then end as clock`
  ┌─ small/base.rules:22:9
22│         option rest: nothing
  │         -------------------- by this alone

1 warning
""".rstrip()


def test_31_procedures_that_are_never_performed(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure harvest: gain 1 coin from bank
""") == """\
warning[W606]: `harvest` is never performed
  ┌─ small/play.rules:1:11
 1│ procedure harvest: gain 1 coin from bank
  │           ^^^^^^^ perform it somewhere, or remove it

1 warning
""".rstrip()


def test_options_can_be_taken(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    menu actions:
        option dig when 2 < 1: raise round by 1
        option rest: nothing
""") == """\
warning[W607]: the option `dig` can never be taken
  ┌─ small/play.rules:3:25
 3│         option dig when 2 < 1: raise round by 1
  │                         ^^^^^ this never holds

1 warning
""".rstrip()


def test_endings_come_about(tmp_path: Path) -> None:
    assert said(tmp_path, """\
# game.yaml
endings: {rich: Somebody is rich}
""") == """\
warning[W608]: no game ends as `rich`
  = nothing says `end as rich`

1 warning
""".rstrip()


def test_somebody_scores(tmp_path: Path) -> None:
    assert said(tmp_path, """\
scoring: nothing
""") == """\
warning[W609]: nobody ever scores anything
  = `score "…"` gives points

1 warning
""".rstrip()


def test_in_games_that_cite_numbers_say_where_they_come_from(tmp_path: Path) -> None:
    assert said(tmp_path, """\
# game.yaml
source: rulebook
numbers: {rounds: 3, spare: rounds + 1, wage: {is: 4, assumption: A-1}, rent: {is: 2, source: page 3}}
tables: {price: {index: rank, values: [3, 2, 1]}}
""") == """\
warning[W610]: `rounds` says neither where it comes from nor that it is assumed
  ┌─ small/game.yaml:2:11
 2│ numbers: {rounds: 3, spare: rounds + 1, wage: {is: 4, assumption: A-1}, rent: {is: 2, source: page 3}}
  │           ^^^^^^ add `source:` or `assumption:`

warning[W610]: `price` says neither where it comes from nor that it is assumed
  ┌─ small/game.yaml:3:10
 3│ tables: {price: {index: rank, values: [3, 2, 1]}}
  │          ^^^^^ add `source:` or `assumption:`

2 warnings
""".rstrip()


def test_money_comes_from_somewhere(tmp_path: Path) -> None:
    assert said(tmp_path, """\
seat:
    purse cash: coin
    zone hand of gem, hidden from others

procedure turn:
    menu actions:
        option buy costs 1 coin: raise round by 1
        option rest: nothing
""") == """\
warning[W611]: no money ever comes into `cash`
  ┌─ small/play.rules:2:11
 2│     purse cash: coin
  │           ^^^^ give it a `start`, or let something be gained

1 warning
""".rstrip()


def test_39_secret_answers_are_revealed(tmp_path: Path) -> None:
    assert said(tmp_path, """\
procedure turn:
    each s in seats secretly:
        choose bid from 0 to 3 "Your bid"
    for each s in seats where bid of s = 3: s gains 1 coin from bank
""") == """\
warning[W612]: what everybody answers in secret as `bid` is used, but never revealed
  ┌─ small/play.rules:2:5
 2│     each s in seats secretly:
  │     ^^^^^^^^^^^^^^^^^^^^^^^^^ `reveal bid` behind the block

1 warning
""".rstrip()


def test_each_of_the_forty_mistakes_is_pinned() -> None:
    names = [*vars(test_faults_pinned), *globals()]
    assert {int(found[1]) for name in names if (found := re.match(r"test_(\d\d)_", name))} == set(range(1, 41))
