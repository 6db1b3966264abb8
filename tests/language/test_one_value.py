"""What can be kept, given back and worked out: one value, unless a value says in one expression that it gives a set or a zone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.tiny import check

REFUSED = {
    "a memory of a rule": "procedure turn:\n    remember them: set of seat  ### E302: a memory cannot hold a set of seats\n",
    "a memory of a seat": "seat:\n    remember lot: zone of gem  ### E302: a memory cannot hold a zone of gem\n",
    "a memory of a purse": "table:\n    remember till: purse  ### E302: a memory cannot hold a purse\n",
    "a note": "kind stone is piece:\n    note owners: set of seat  ### E302: a note cannot hold a set of seats\n",
    "what a procedure gives back": "procedure p -> x: set of seat: give seats  ### E302: a procedure cannot give back a set of seats\n",
    "a measure that is given back": "procedure p -> x: measure of gem: nothing  ### E302: a procedure cannot give back a measure\n",
    "a value in several lines": "value v -> set of seat:  ### E302: say it in one expression: `value v -> set of seat: (…\n    give seats\n",
    "a value that gives a purse": "value v -> purse: bank  ### E302: a value cannot give a purse\n",
    "a value that gives a table": "value v -> table: price  ### E302: a value cannot give a table\n",
    "a set that is said to be a number": "value v -> number: (g in bag where g is red)  ### E302: this is a set of pieces of gem\n",
    "a set that is said to be a condition": "value v -> flag: seats  ### E302: a condition is needed\n",
    "a set that is said to be another": "value v -> set of seat: (g in bag where g is red)  ### E301: a set of seats is needed\n",
    "pieces that are said to be sorts": "value v -> set of gem: bag  ### E301: a set of sorts of gem is needed: of pieces it is a `bag of gem`\n",
    "a zone that is said to be a sort": "value v -> gem: bag  ### E302: a sort of gem is needed\n",
    "a set that is said to be a zone": "value v -> zone of gem: (g in bag where g is red)  ### E301: a zone of gem is needed\n",
    "one seat that is said to be a set": "value v -> set of seat: me  ### E301: a set of seats is needed\n",
    "cases of a set": "value v(s: seat, g: gem) -> bag of gem, by sort: s.hand\nvalue v of n red for s: s.hand  ### E404: cannot have cases\n",
    "cases by a sort that it does not take": "value v(n: number) -> number, by sort: n  ### E404: has no sort among its parameters\n",
}  # fmt: skip

TAKEN = {
    "a set": "value v -> set of seat: (s in seats where s.cash > $3)\nprocedure turn:\n    for each s in v: s gains $1 from bank\n",
    "a plural": "value v -> seats: others\nprocedure turn:\n    for each s in v: s gains $1 from bank\n",
    "sorts": "value v -> set of gem: gems\nprocedure turn:\n    raise round by count of v\n",
    "pieces": "value v -> bag of gem: red in bag\nprocedure turn:\n    raise round by count of v\n",
    "a zone": "value v(s: seat) -> zone of gem: s.hand\nprocedure turn:\n    if bag is not empty: move first of bag to v(me)\n",
    "one set or another": "value v -> bag of gem: if round > 2 then red in bag else my.hand\nprocedure turn:\n    raise round by count of v\n",
    "one of several zones or another": "value v: if round > 2 then {bag} else {my.hand, bag}\nprocedure turn:\n    raise round by count of v\n",
}  # fmt: skip


@pytest.mark.parametrize("chunk", REFUSED.values(), ids=REFUSED)
def test_it_is_refused_where_it_is_declared(chunk: str, tmp_path: Path) -> None:
    check(tmp_path, chunk)


@pytest.mark.parametrize("chunk", TAKEN.values(), ids=TAKEN)
def test_a_value_may_give_it(chunk: str, tmp_path: Path) -> None:
    check(tmp_path, chunk)
