"""In a secret block a seat takes back what it has said in this block, and nothing else: nobody else can tell."""

from __future__ import annotations

import pytest

import ichiba
from tests.properties.tables import moments


@pytest.mark.parametrize("ruleset, seats", [("goofspiel", 2), ("morning_clock", 4), ("tsukiji", 3), ("oshi_zumo", 2)])
def test_taking_back_leaves_earlier_rounds_of_the_same_block_alone(ruleset: str, seats: int) -> None:
    tried = 0
    for table in moments(ichiba.load(ruleset, seats=seats), 3, 40):
        if table.site is None or table.site.secret is None:
            continue
        for decision in table.pending:
            tried += 1
            other = table.copy()
            other.take_back(decision.seat)
            assert [one.seat for one in other.pending] == [one.seat for one in table.pending]
            assert all(other.view(seat) == table.view(seat) for seat in (None, 1 + decision.seat % seats))
            again = other.copy()
            again.take_back(decision.seat)
            assert again.history == other.history
    assert tried > 10
