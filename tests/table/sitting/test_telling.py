"""How the story is told at a table: people by their names, what is new is what others did, and what was done for somebody is said to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.table.sitting.house import House
from ichiba.table.sitting.setup import Setup
from ichiba.table.store.store import Request
from ichiba.table.web.shown.fragments import from_to
from tests.table.sitting.conftest import Sitting, sit


@pytest.fixture
def market(house: House) -> Sitting:
    chosen = (("fish", ["eel", "squid"]), ("external", ["aquarium", "trading"]))
    live, _ = house.open(Setup("tokyo_tsukiji_market", 2, 1, options=chosen), [(1,), (2,)])
    return Sitting(house, live)


def whose(market: Sitting) -> tuple[str, str]:
    """The place of whoever begins, and the other one."""
    first = market.live.course.table.pending[0].seat
    return str(first), str(3 - first)


def test_people_are_called_by_their_names(house: House, orchard: Path) -> None:
    table = sit(house, orchard, (1,), (2,))
    table.answer("1", "bid/3")
    table.answer("2", "bid/2")
    table.answer("1", "home")
    before = [line.words for line in table.live.look(2).story]
    table.live.call(table.place("1"), Request("1", "n", "d"), 1, "Anna")
    now = [line.words for line in table.live.look(2).story]
    assert any(words.startswith("seat 1: ") for words in before)
    assert now == [words.replace("seat 1: ", "Anna: ", 1) if words.startswith("seat 1: ") else words for words in before]


def test_what_one_has_done_oneself_is_not_new(market: Sitting) -> None:
    first, other = whose(market)
    market.answer(first, "open_port")
    market.answer(first, "fish")
    assert [line.words for line in market.live.look(int(first)).story if line.fresh] == []
    assert [line.fresh for line in market.live.look(int(other)).story][-1]


def test_what_was_done_for_somebody_is_said_to_them_alone_until_they_answer(market: Sitting) -> None:
    first, other = whose(market)
    market.answer(first, "visit/ships")  # the only port is taken: there one can only sell
    assert [words.partition(" for")[0] for words in market.live.look(int(first)).only] == [f"Sell One-slot Ship {first}"]
    assert market.live.look(int(other)).only == market.live.look(None).only == ()
    market.answer(first, "open_port")
    assert market.live.look(int(first)).only == ()


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        ("¥100", "¥5,000", "¥100 … ¥5,000"),
        ("Offer it for ¥200 instead of ¥100", "Offer it for ¥900 instead of ¥100", "Offer it for ¥200 … ¥900 instead of ¥100"),
        ("Bid 1", "Bid 9", "Bid 1 … 9"),
        ("Pass", "Pass", "Pass"),
        ("one of one", "one of one of one", "one of one … one of one of one"),
    ],
)
def test_a_range_says_once_what_its_ends_have_in_common(first: str, last: str, told: str) -> None:
    assert from_to(first, last) == told
