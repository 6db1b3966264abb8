"""Claims about mistakes at which the reader once stumbled: each is told as a fault, and nothing else happens."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ichiba import RulesetFaults, load
from ichiba.dsl.faults import render
from tests.language.tiny import files_of, read
from tests.validator import small
from tests.validator.bombs import Files, cycle, procedures

STUMBLES = {
    "a number of what no family makes": """\
# game.yaml
pieces: {}
# play.rules
value place(g: gem) in number: number of g
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
  = its keys: rent, board, kind, title, assumptions, source, about, units, numbers, tables, sorts, pieces, things, options, refuses, rules, look"""
