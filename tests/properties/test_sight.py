"""What is done in secret is seen when it is revealed: not earlier, and not later either."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ichiba

GAME = """\
game: harbours
language: 2
seats: 2
endings: {calm: {en: "a calm sea"}}
pieces:
  boat: {individual: true, in: sea, sorts: {red: {}, blue: {}, small: {count: 4}}}
  card: {in: deck, sorts: {ace: {points: 2}, king: {points: 1}}, count: 9}
rules: |
  seat:
      zone dock of boat
      zone yard of boat
      zone hand of card, hidden from others
      zone laid of card, hidden from others
      counter secret: 0 .. 9, hidden from others
  table:
      zone sea of boat
      zone deck of card, face down
      zone heap of card
  setup:
      for each s in seats:
          draw 4 cards from deck to s.hand
          set s.secret to 2 + position of s
      for each b in sea: move b to seat(if b is blue then 2 else 1).dock
  play:
      repeat 2 times:
          each s in seats secretly:
              choose b in my.dock "Which boat?": move b to my.yard
              choose c in my.hand "Which card?": move c to my.laid
              choose n from 0 to 1 "More?"
          for each s in seats: wait(s)
          REVEAL
          for each s in seats: move all s.laid to heap
          wait(seat(1))
          for each s in seats: move all s.yard to s.dock
          reveal seat(1).secret
          end as calm
          wait(seat(2))
          wait(seat(1))
  procedure wait(s: seat):
      as s: choose k from 0 to 1 "Go on?"
  scoring:
      score for each seat: score "Cards" count of my.hand
  ranking: highest total else shared
"""


def harbours(folder: Path, reveal: str = "reveal seat.laid") -> ichiba.Table:
    (folder / "game.yaml").write_text(GAME.replace("REVEAL", reveal), encoding="utf-8")
    return ichiba.load(folder, seats=2, trust=True).start(seed=1)


def seat_in(table: ichiba.Table, seat: int, viewer: int | None) -> dict[str, Any]:
    view: Any = table.view(viewer)
    seen = view["seats"][str(seat)]
    assert isinstance(seen, dict)
    return seen


def everybody_answers(table: ichiba.Table, boats: tuple[str, str] = ("red", "blue")) -> ichiba.Table:
    """The whole block, one seat after the other."""
    for seat, boat in zip((1, 2), boats):
        table.play(f"b/{boat}", seat=seat)
        table.play(0, seat=seat)
        table.play("n/0", seat=seat)
    return table


OTHERS = pytest.mark.parametrize("other", [2, None])


@OTHERS
def test_a_piece_that_is_moved_in_secret_is_seen_where_it_was(other: int | None, tmp_path: Path) -> None:
    table = harbours(tmp_path)
    before = seat_in(table, 1, other)
    table.play("b/red", seat=1)
    assert list(seat_in(table, 1, 1)["yard"]) == ["red"]
    assert "red" not in seat_in(table, 1, 1)["dock"]
    assert seat_in(table, 1, other) == before
    assert "red" in before["dock"]


@OTHERS
def test_whichever_piece_is_moved_in_secret_others_see_the_same(other: int | None, tmp_path: Path) -> None:
    table, twin = harbours(tmp_path), harbours(tmp_path)
    table.play("b/red", seat=1)
    twin.play("b/small_1", seat=1)
    assert table.state != twin.state
    assert json.dumps(table.view(other)) == json.dumps(twin.view(other))


def test_what_others_do_in_secret_is_imagined_in_every_way(tmp_path: Path) -> None:
    table = harbours(tmp_path)
    table.play("b/red", seat=1)
    imagined = [table.imagine(2, seed) for seed in range(20)]
    assert all(one.view(2) == table.view(2) for one in imagined)
    assert {tuple(seat_in(one, 1, 1)["yard"]) for one in imagined} == {("red",), ("small_1",)}


@OTHERS
def test_what_was_done_in_secret_is_seen_once_it_is_revealed(other: int | None, tmp_path: Path) -> None:
    table = everybody_answers(harbours(tmp_path))
    hidden = {"dock": seat_in(harbours(tmp_path), 1, other)["dock"], "yard": {}, "laid": {"hidden": 0}}
    seen = seat_in(table, 1, other)
    assert {name: seen[name] for name in hidden} == hidden
    assert seen["hand"] == {"hidden": 4}
    table.play("k/0")
    table.play("k/0")
    seen = seat_in(table, 1, other)
    assert list(seen["yard"]) == ["red"] and "red" not in seen["dock"]
    assert seen["hand"] == {"hidden": 3}


def test_what_is_revealed_of_one_seat_is_not_revealed_of_the_others(tmp_path: Path) -> None:
    table = everybody_answers(harbours(tmp_path, "reveal seat(1).laid\n          wait(seat(1))"))
    table.play("k/0")
    table.play("k/0")
    laid = seat_in(table, 1, 1)["laid"]
    assert [seat_in(table, seat, None)["laid"] for seat in (1, 2)] == [laid, {"hidden": 1}]
    assert seat_in(table, 1, 2)["laid"] == laid and seat_in(table, 2, 1)["laid"] == {"hidden": 1}


@OTHERS
def test_what_no_rule_reveals_is_seen_when_all_have_answered(other: int | None, tmp_path: Path) -> None:
    table = everybody_answers(harbours(tmp_path, "nothing"))
    seen = seat_in(table, 1, other)
    assert list(seen["yard"]) == ["red"]
    assert (seen["hand"], seen["laid"]) == ({"hidden": 3}, {"hidden": 1})


@OTHERS
def test_a_hidden_place_that_is_revealed_is_seen_until_the_next_answer(other: int | None, tmp_path: Path) -> None:
    table = everybody_answers(harbours(tmp_path))
    for _ in range(2):
        table.play("k/0")
    assert [seat_in(table, seat, other)["secret"] for seat in (1, 2)] == ["hidden", "hidden" if other is None else 4]
    table.play("k/0")
    assert [seat_in(table, seat, other)["secret"] for seat in (1, 2)] == [3, "hidden" if other is None else 4]
    table.play("k/1")
    assert [seat_in(table, seat, other)["secret"] for seat in (1, 2)] == ["hidden", "hidden" if other is None else 4]
    table.undo()
    assert seat_in(table, 1, other)["secret"] == 3


def test_the_dice_lie_open_at_the_end() -> None:
    table = ichiba.load("liars_dice", seats=2).start(seed=3)
    table.play(0)
    hidden: Any = table.view()
    assert {value for seat in hidden["seats"].values() for value in seat["shows"].values()} == {"hidden"}
    table.play("liar")
    assert table.over
    dice = [ichiba.load("liars_dice", seats=2).start(seed=3) for _ in range(2)]
    thrown = [seat_in(one, seat, seat)["shows"] for seat, one in zip((1, 2), dice)]  # each sees its own
    for viewer in (None, 1, 2):
        assert [seat_in(table, seat, viewer)["shows"] for seat in (1, 2)] == thrown


def test_the_ending_is_told_by_its_name(tmp_path: Path) -> None:
    table = everybody_answers(harbours(tmp_path))
    view: Any = table.view()
    assert (view["table"]["ending"], view["ending"]) == (None, None)
    for _ in range(3):
        table.play("k/0")
    view = table.view()
    assert (view["table"]["ending"], view["ending"]) == ("calm", None)


SINK = """as s:
          menu go:
              option on "Go on": nothing
              option sink "Sink two" costs 2 of my.dock to lost: nothing"""


def test_a_reason_is_given_where_alike_pieces_pay_in_several_ways(tmp_path: Path) -> None:
    game = GAME.replace('as s: choose k from 0 to 1 "Go on?"', SINK).replace(
        "zone sea", "zone lost of boat\n      zone sea"
    )
    (tmp_path / "game.yaml").write_text(game.replace("REVEAL", "reveal seat.laid"), encoding="utf-8")
    table = everybody_answers(ichiba.load(tmp_path, seats=2, trust=True).start(seed=1), ("small_1", "blue"))
    table.play("sink")
    assert table.decision is not None
    assert table.decision.keys() == ["pay/red+small_2", "pay/small_2+small_3"]
    assert "pay/red+red" in str(table.why_not("pay/red+red"))
