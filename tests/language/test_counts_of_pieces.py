"""Claims about names and numbers: what a name means never hangs on how many there are."""

from pathlib import Path

import pytest

from tests.language.tiny import rules

RULES = """
kind buyer is piece:
    flag busy
table:
    zone box of buyer
    zone street of buyer

procedure turn:
    move all buyer in box to street
    move all buyer from street to box
    move 1 buyer from box to street
    for each b in street where b is buyer: mark b.busy
    if buyer in street: nothing
    if any (b in street where b is not buyer): nothing
    if count of buyer in street = 1: nothing
    for each b in (buyer in street): clear b.busy
    if buyer_1 in street: mark buyer_1.busy
"""


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("family", ["{individual: true, in: box, count: N}", "{in: box, sorts: {buyer: {count: N}}}"])
def test_a_sort_of_one_piece_is_named_as_a_sort_of_many(tmp_path: Path, family: str, number: int) -> None:
    pieces = "{gem: {is: stone, sorts: [red, green, blue], count: 4, in: bag}, buyer: " + family.replace("N", str(number)) + "}"
    assert rules(tmp_path, RULES, pieces=pieces).text == "no faults"


def test_where_only_a_piece_can_stand_the_only_one_needs_no_number(tmp_path: Path) -> None:
    gem = "gem: {is: stone, sorts: [red], count: 4, in: bag}"
    alone, two = (f"{{{gem}, buyer: {{individual: true, in: box, count: {number}}}}}" for number in (1, 2))
    said = RULES + "    move buyer to box\n    mark buyer.busy\n"
    assert rules(tmp_path / "alone", said, pieces=alone).text == "no faults"
    assert rules(tmp_path / "two", said, pieces=two).text == """\
error[E303]: there are 2 of the sort buyer
  ┌─ tiny/play.rules:18:10
18│     move buyer to box
  │          ^^^^^ name the piece: `buyer_1`, `buyer_2`

error[E302]: each buyer has its own `busy`
  ┌─ tiny/play.rules:19:10
19│     mark buyer.busy
  │          ^^^^^^^^^^ say which one is meant: like `buyer_1.busy`, or `x.busy` inside `for each x in buyers`

2 errors"""
