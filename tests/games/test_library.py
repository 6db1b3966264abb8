"""What rulesets of version 1 have from the library, each in a game of one lot."""

from collections.abc import Callable
from pathlib import Path

import pytest

import ichiba

GAME = """
game: one_lot
language: 2
seats: 3
uses: [version_1_auctions, version_1_ranks]
units: {yen: {write: "¥{}"}}
rules: |
  seat:
      purse cash: yen start ¥1000
  table:
      purse bank: yen, unlimited
      remember buyer: seat or none
      remember paid: yen
  play:
      PLAY
  value wealth(s: seat) -> yen: s.cash
  scoring:
      score for each seat: score "Cash" my.cash
  ranking: highest total else shared
"""
BUY = """let winner, price = AUCTION
      set buyer to winner
      set paid to price"""


TableOf = Callable[..., ichiba.Table]


@pytest.fixture
def table_of(tmp_path: Path) -> TableOf:
    def table(play: str, more: str = "") -> ichiba.Table:
        (tmp_path / "game.yaml").write_text(more + GAME.replace("PLAY", play), encoding="utf-8")
        return ichiba.load(tmp_path, seats=3, trust=True).start(seed=1)

    return table


def sold(table: ichiba.Table, *answers: str) -> tuple[object, object]:
    for answer in answers:
        seat, _, key = answer.partition(":")
        assert table.decision is not None and table.decision.seat == int(seat)
        table.play(key)
    assert table.over
    return table.ask("buyer"), table.ask("paid")


def test_a_blind_auction_goes_to_the_highest_bid(table_of: TableOf) -> None:
    table = table_of(BUY.replace("AUCTION", "blind_auction(seats, seat(1))"))
    assert sold(table, "1:bid/300", "2:bid/700", "3:bid/700", "1:tie/3") == (3, 700)


def test_a_vickrey_auction_costs_the_second_bid(table_of: TableOf) -> None:
    table = table_of(BUY.replace("AUCTION", "vickrey_auction(seats, seat(1))"))
    assert sold(table, "1:bid/300", "2:bid/700", "3:bid/900") == (3, 700)


def test_once_around(table_of: TableOf) -> None:
    table = table_of(BUY.replace("AUCTION", "once_around(seats, seat(2), ¥200, ¥100)"))
    assert table.why_not("bid/100") is not None
    assert sold(table, "2:bid/200", "3:pass", "1:bid/500") == (1, 500)
    again = table_of(BUY.replace("AUCTION", "once_around(seats, seat(2), ¥200, ¥100)"))
    assert sold(again, "2:pass", "3:pass", "1:pass") == (None, 0)


def test_an_english_auction_ends_with_one_bidder(table_of: TableOf) -> None:
    table = table_of(BUY.replace("AUCTION", "english_auction(seats, seat(1), ¥100, ¥200)"))
    assert sold(table, "1:bid/100", "2:bid/300", "3:drop", "1:bid/600", "2:drop") == (1, 600)


def test_a_dutch_auction_falls_until_somebody_calls(table_of: TableOf) -> None:
    table = table_of(BUY.replace("AUCTION", "dutch_auction(seats, seat(2), ¥900, ¥200)"))
    calls = ["1:call/0", "2:call/0", "3:call/0", "1:call/1", "2:call/0", "3:call/1", "2:tie/1"]
    assert sold(table, *calls) == (1, 700)


def test_bonuses_and_penalties_by_rank(table_of: TableOf) -> None:
    play = """seat(1) gains ¥5 from bank
      seat(2) gains ¥5 from bank
      shared_bonus(seats, wealth, ¥6, ¥3)
      shared_penalty(seats, wealth, ¥20, ¥3)"""
    assert table_of(play).scores == {1: 1008, 2: 1008, 3: 980}


def test_a_ladder_shares_the_places_that_are_tied(table_of: TableOf) -> None:
    play = """seat(1) gains ¥5 from bank
      ladder(seats, wealth, prizes)"""
    prizes = "tables: {prizes: {index: place, values: [10, 5, 2], unit: yen}}"
    assert table_of(play, prizes).scores == {1: 1015, 2: 1003, 3: 1003}
