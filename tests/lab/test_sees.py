"""`sees:` of a scenario: what a seat's view holds and what it does not, and what is told when it is otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba.lab.scenarios import Report, run_scenarios

GAME = """\
game: hands
language: 2
title: Hands
seats: 2 to 3
units: {coin: {write: "${}"}}
sorts: {side: [left, right]}
pieces:
  gem: {in: heap, sorts: {ruby: {}, opal: {}}, count: 40}
  boat: {individual: true, in: sea, sorts: {small: {count: 2}, big: {}}}
things: {lot: {count: 2}}
rules: |
  kind lot is thing:
      counter price: 1 .. 9 start 7
      zone laid(s: seat) of gem, hidden from others
  kind boat is piece:
      note caught: number
  seat:
      purse cash: coin start 5, hidden from others
      zone hand(side: side) of gem, hidden from others
      zone dock of boat
      flag ready, hidden from others
      remember friend: seat or none
      counter marks(side: side): 0 .. 9 start 3
  table:
      purse bank: coin, unlimited
      zone heap of gem, face down
      zone sea of boat forgets caught
      counter round: 0 .. 9 start 1
      counter omen: 0 .. 9 start 4, hidden
      remember mood: side or none
  setup:
      for each s in seats:
          move 2 ruby from heap to s.hand(left)
          move 1 opal from heap to s.hand(left)
          move 1 opal from heap to s.hand(right)
          move 1 opal from heap to lot(1).laid(s)
          mark s.ready
      for each b in (b in sea where b is big): move b to seat(1).dock noting caught: 2
      set seat(2).friend to seat(1)
      set mood to left
  play:
      each s in seats secretly: choose bid from $0 to my.cash "Your bid"
      as seat(1): wait
      reveal bid
      reveal seat(2).hand(right)
      as seat(1): wait
  procedure wait:
      menu waiting:
          option go "Go on": nothing
          option off "Go off": nothing
  scoring:
      score for each seat: score "Cash" my.cash
  ranking: highest total else shared
"""


@pytest.fixture(autouse=True)
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own little rulesets need no process of their own."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")


def report(folder: Path, sees: str, play: str = "[]") -> Report:
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    text = f"scenario: what is seen\nconfig: {{seats: 2}}\nplay: {play}\nsees:\n" + "".join(
        f"  {line}\n" for line in sees.strip().splitlines()
    )
    (folder / "seen.scenario.yaml").write_text(text, encoding="utf-8")
    return run_scenarios(folder)


def test_a_view_holds_what_is_said(tmp_path: Path) -> None:
    told = report(tmp_path, """
1: {my.cash: 5, cash of seat(1): $5, my.hand(left): [ruby, ruby, opal], my.hand: {ruby: 2, opal: 2}, my.hand(right): opal}
2:
  seat(1).cash: hidden
  seat(1).hand: hidden
  seat(1).hand(left): {hidden: 3}
  count of seat(1).hand: 4
  seat(1).ready: hidden
  my.ready: true
  my.friend: 1
  seat(1).friend: none
  omen: hidden
  heap: {hidden: 70}
  lot(1).laid(seat(1)): hidden
  lot(2).laid(me): []
  lot(1).laid(me): [opal]
spectator:
  lot(1).price: 7
  lot.price: 7
  mood: left
  round: 1
  seat(1).dock: [big]
  sea: [small, small]
  seat.cash: hidden
  seat(1).marks: 3
  big.caught: 2
""")  # fmt: skip
    assert told.holds, str(told)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2: {seat(1).cash: 5}", "seat 2 sees something else"),
        ("2: {my.cash: hidden}", "expected my.cash = hidden"),
        ("2: {my.cash: $4}", "was my.cash = 5"),
        ("spectator: {lot(1).laid: [opal, opal]}", "a spectator sees something else"),
        ("1: {my.hand(left): [ruby, opal]}", "was my.hand(left) = 2 ruby, 1 opal"),
        ("1: {my.hand(left): [ruby, rubi]}", "no gem is called `rubi`; did you mean `ruby`?"),
        ("1: {seat(2).hand(left): {hidden: 2}}", "was seat(2).hand(left) = 3 that are hidden"),
        ("1: {my.hand(left): {hidden: 3}}", "expected my.hand(left) = 3 that are hidden"),
        ("1: {count of my.hand: 3}", "was count of my.hand = 4"),
        ("1: {count of my.cash: 3}", "only what lies in zones is counted"),
        ("1: {my.hand(left): 3}", "say what lies there"),
        ("1: {my.cash: [5]}", "one value is seen there, no list"),
        ("1: {my.cahs: 5}", "seat has no `cahs`"),
        ("1: {my.cash + $1: 6}", "cannot be revealed"),
        ("1: {bank: 6}", "no view ever holds this"),
        ("4: {my.cash: 6}", "there is no seat 4: 2 play"),
        ("spectator: {my.cash: 6}", "nobody is `me` here"),
        ("1: {next_seat(me).cash: 6}", "say whose place is meant"),
        ("1: {my.friend: 2}", "was my.friend = none"),
        ("1: {mood: up}", "was mood = left"),
    ],
)
def test_what_is_seen_otherwise_is_told_with_both(line: str, said: str, tmp_path: Path) -> None:
    told = report(tmp_path, line)
    assert not told.holds
    assert said in " ".join(str(told).replace("=      was", "= was").split()), str(told)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("dealer: {my.cash: 5}", "`dealer` sees nothing: who looks is the number of a seat, or `spectator`"),
        ("1: hidden", "what is seen must be a map from places to what is seen there"),
    ],
)
def test_wrong_keys_are_faults_with_their_shape(line: str, said: str, tmp_path: Path) -> None:
    told = report(tmp_path, line)
    assert not told.holds
    assert said in str(told) and "like `sees: {2: {seat(1).cash: hidden}, spectator: {round: 3}}`" in str(told)


BIDS = "[1: bid/3, 2: bid/4"


def test_secret_answers_are_seen_when_they_are_revealed(tmp_path: Path) -> None:
    before = report(tmp_path, "1: {bid of seat(1): 3, bid of seat(2): hidden}\nspectator: {bid of seat(1): hidden}", f"{BIDS}]")
    assert before.holds, str(before)
    lines = "1: {bid of seat(2): $4, seat(2).hand: {opal: 1}}\nspectator: {bid of seat(1): 3, seat(2).hand(right): [opal]}"
    after = report(tmp_path, lines.replace("seat(2).hand: {opal: 1}", "seat(2).hand(left): hidden"), f"{BIDS}, go]")
    assert after.holds, str(after)
    half = report(tmp_path, "1: {seat(2).hand: {opal: 2}}", f"{BIDS}, go]")
    assert "1 opal, 3 that are hidden" in str(half) or "3 that are hidden, 1 opal" in str(half)


def test_only_the_view_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that holds nothing lets nothing be seen, whatever lies on the table."""
    from ichiba.lab import scenarios

    def blind(*_: object, **__: object) -> dict[str, object]:
        return {"seats": {s: {} for s in ("1", "2")}, "table": {}, "things": {}, "log": []}

    monkeypatch.setattr(scenarios, "view_of", blind)
    assert not report(tmp_path, "1: {my.cash: 5}").holds
    assert not report(tmp_path, "1: {my.hand(left): [ruby, ruby, opal]}").holds
    assert not report(tmp_path, "1: {round: 1}").holds
