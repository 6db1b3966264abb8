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

phase turn:
    raise heat(stall(2)) by 3
    raise heat(stall(3)) by heat(stall(2)) + 1
    menu wait:
        option on "On": nothing
        option off "Off": nothing
"""
    assert answers(tmp_path, chunk, "heat(stall(1))", "heat(stall(2))", "heat(stall(3))") == [0, 3, 4]


def test_options_are_put_into_menus_of_boards_that_there_are(tmp_path: Path) -> None:
    chunk = """
menu shep.visit:
    option buy "Buy": nothing
"""
    assert "error[E205]: no board is called `shep`" in rules(tmp_path, chunk).text


def test_a_set_is_called_by_what_is_in_it(tmp_path: Path) -> None:
    check(tmp_path, """
value a in number: (s for s in seats) + 1                     ### E302: this is a set of seats
value b(s: seat) in number: (g for g in s.hand) + 1           ### E302: this is a set of pieces of gem
value c in number: stalls + 1                                 ### E302: this is a set of stalls
value d in number: (sort of g for g in bag) + 1               ### E302: this is a set of sorts of gem
value e in number: (s.cash for s in seats) + 1                ### E302: this is a set of amounts in coin
value f in number: (x.visits for x in stalls) + 1             ### E302: this is a set of numbers
""")  # fmt: skip
