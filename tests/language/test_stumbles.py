"""Claims about mistakes at which the reader once stumbled: each is told as a fault, and nothing else happens."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ichiba import RulesetFaults, load
from ichiba.dsl.faults.fault import render
from tests.language.tiny import check, files_of, read, ruleset
from tests.validator import small
from tests.validator.bombs import Files, cycle, procedures

STUMBLES = {
    "a number of what no family makes": """\
# game.yaml
pieces: {}
# play.rules
value place(g: gem) -> number: position of g
""",
}


@pytest.mark.parametrize("chunk", STUMBLES.values(), ids=STUMBLES)
def test_it_is_told(chunk: str, tmp_path: Path) -> None:
    assert any(fault.severity == "error" for fault in read(tmp_path, files_of(chunk)).faults)


@pytest.mark.parametrize("longest", [100, 300])
@pytest.mark.parametrize("chain", [procedures, cycle])
def test_definitions_that_lead_on_too_far_are_told_of(chain: Callable[[int], Files], longest: int, tmp_path: Path) -> None:
    with pytest.raises(RulesetFaults, match="the definitions of this ruleset lead on to each other too far"):
        load(small.ruleset(tmp_path, chain(-longest)), trust=True)


def test_a_key_that_a_board_does_not_have_is_told_at_the_key_with_all_that_it_could_be(tmp_path: Path) -> None:
    chunk = """\
# market.rules
kind market is board:
    field rent: number
# boards/mill.yaml
board: mill
kind: market
titel: "Mill"
rent: 3
"""
    (fault,) = read(tmp_path, files_of(chunk)).faults
    assert render(fault) == """\
error[E101]: the market `mill` has no key `titel`
  ┌─ tiny/boards/mill.yaml:3:1
 3│ titel: "Mill"
  │ ^^^^^ did you mean `title`?
  = its keys: rent, board, kind, title, assumptions, source, about, units, numbers, tables, sorts, pieces, components, things, options, refuses, \
rules, look"""


def test_a_memory_that_begins_with_the_start_player_is_told_where_to_set_it(tmp_path: Path) -> None:
    chunk = """\
# game.yaml
options: {start_player: {seat: random}}
# play.rules
table:
    remember leader: seat = start_player
"""
    with pytest.raises(RulesetFaults) as told:
        load(ruleset(tmp_path, files_of(chunk)), seats=2, trust=True)
    (fault,) = (one for one in told.value.faults if one.severity == "error")
    assert (fault.code, fault.message) == ("E205", "`start_player` is chosen when the game begins, too late for this")
    assert fault.label == "begin with `seat(1)`, and say `set … to start_player` in `setup:`"


def test_a_board_with_pieces_of_a_family_that_is_not_there_is_one_fault(tmp_path: Path) -> None:
    chunk = """\
# market.rules
kind market is board:
    field rent: number
# boards/mill.yaml
board: mill
kind: market
rent: 3
pieces: {bowl: {white: {count: 3}, blue: {count: 4}}}
rules: |
    board:
        zone shelf of bowl
        zone rest of bowl
        setup: move 1 white from board.rest to board.shelf
"""
    (fault,) = read(tmp_path, files_of(chunk)).faults
    assert render(fault) == """\
error[E205]: no pieces are called `bowl`
  ┌─ tiny/boards/mill.yaml:4:10
 4│ pieces: {bowl: {white: {count: 3}, blue: {count: 4}}}
  │          ^^^^
  = a family of pieces is declared under `pieces` in game.yaml or in a module's file; there are: gem"""


def test_a_zone_of_pieces_that_are_not_there_is_told_at_their_name(tmp_path: Path) -> None:
    (fault,) = read(tmp_path, {"play.rules": "table:\n    zone shelf of gemm\n"}).faults
    assert render(fault).splitlines()[2:4] == [
        " 2│     zone shelf of gemm",
        "  │                   ^^^^ did you mean `gem`?",
    ]


def test_a_member_that_a_board_does_not_have_is_told_with_those_of_its_kind_alone(tmp_path: Path) -> None:
    chunk = """\
# game.yaml
pieces: {gem: {is: stone, sorts: {red: {worth: 3}}, count: 4, in: bag}}
# market.rules
kind eel_market is board:
    field rent: number
    menu visit
    value wealth -> number: board.rent
    value low -> number: board.welth
"""
    (fault,) = [fault for fault in read(tmp_path, files_of(chunk)).faults if fault.severity == "error"]
    assert render(fault) == """\
error[E210]: an eel_market has no `welth`
  ┌─ tiny/market.rules:5:32
 5│     value low -> number: board.welth
  │                                ^^^^^ did you mean `wealth`?
  = an eel_market has: rent, visit, wealth, low"""


def test_a_piece_where_its_sort_is_needed_is_told_with_what_to_write(tmp_path: Path) -> None:
    chunk = "play:\n    for each c in bag: show(c)\n\nprocedure show(g: gem): raise round by count of g in bag\n"
    (fault,) = [fault for fault in read(tmp_path, {"play.rules": chunk}).faults if fault.severity == "error"]
    assert (fault.message, fault.label) == ("this is a piece of gem", "a sort of gem is needed: `sort of c`")


def test_a_colon_that_is_missing_at_the_end_of_a_line_is_asked_for(tmp_path: Path) -> None:
    check(tmp_path, """
procedure turn:
    if my.cash > $3
        no share                          ### E203: is a colon missing at the end of the line above?
""")  # fmt: skip
