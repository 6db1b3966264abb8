"""A whole lot in one answer: `lot/2 silk+1 salt`. It plays the single steps, and what cannot be given leaves nothing behind."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.interpreter.saves.bundles import is_lot
from tests.table.door import ichiba as door

FRUIT = """
game: baskets
language: 2
title: Baskets
seats: 2
pieces: {fruit: {sorts: [plum, pear, peach], in: cart, count: 9}}
rules: |
  seat:
      zone basket of fruit
      zone given of fruit
  table:
      zone cart of fruit
  setup:
      for each s in seats:
          move 3 plum from cart to s.basket
          move 2 peach from cart to s.basket
  play:
      take one turn each from seat(1):
          choose some lot from my.basket, LIMITS "What do you give?": move lot to my.given
  scoring:
      score for each seat: score "Given" count of my.given
  ranking: highest total else shared
"""


def baskets(tmp_path: Path, limits: str = "at most 9") -> ichiba.Table:
    (tmp_path / "baskets").mkdir()
    (tmp_path / "baskets" / "game.yaml").write_text(FRUIT.replace("LIMITS", limits), encoding="utf-8")
    return ichiba.load(tmp_path / "baskets", trust=True).start(seed=1)


def answers(table: ichiba.Table) -> list[str]:
    return [str(item["key"]) for item in table.log if item["event"] == "decision"]


def test_a_bundle_is_its_single_steps(tmp_path: Path) -> None:
    table = baskets(tmp_path)
    one_by_one = table.copy()
    table.play("lot/2 plum+1 peach")
    for key in ("lot/plum/2", "lot/peach/1"):
        one_by_one.play(key)
    assert table.key() == one_by_one.key() and table.history == one_by_one.history
    assert table.log == one_by_one.log
    assert answers(table) == ["lot/plum/2", "lot/pear/0", "lot/peach/1"]


def test_a_single_piece_needs_no_number_and_a_beginning_will_do(tmp_path: Path) -> None:
    table = baskets(tmp_path)
    table.play("lot/pl")
    assert answers(table) == ["lot/plum/1", "lot/pear/0", "lot/peach/0"]
    table.play("lot/none")
    assert answers(table)[3:] == ["lot/plum/0", "lot/pear/0", "lot/peach/0"]


def test_in_the_middle_a_bundle_says_the_rest(tmp_path: Path) -> None:
    table = baskets(tmp_path)
    table.play("lot/plum/2")
    assert table.why_not("lot/1 plum+1 peach") == "how many plum has been answered already"
    table.play("lot/2 peach")
    assert answers(table) == ["lot/plum/2", "lot/pear/0", "lot/peach/2"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("4 plum", "4 plum cannot be; possible: 0, 1, 2, 3"),
        ("1 plum+3 peach", "3 peach cannot be; possible: 0, 1, 2"),
        ("1 plum+1 pear", "1 pear cannot be; possible: 0"),
        ("2 pe", "`pe` could be pear or peach"),
        ("1 plun", "`plun` is not among what is asked for; did you mean `plum`?"),
        ("plum+2 plum", "plum is named twice"),
        ("1 plum+", "that does not say how many of what; a lot is `lot/2 plum`, with `+` between sorts"),
        ("1 plum 1 peach", "`1 plum 1 peach` does not say how many of what; a lot is `lot/2 plum`, with `+` between sorts"),
    ],
)
def test_a_bundle_that_cannot_be_names_the_piece_and_leaves_nothing_behind(tmp_path: Path, said: str, why: str) -> None:
    table = baskets(tmp_path)
    before = table.state[:]
    assert table.why_not(f"lot/{said}") == why
    with pytest.raises(ichiba.IllegalMove) as refused:
        table.play(f"lot/{said}")
    assert str(refused.value) == why
    assert (table.state, table.history) == (before, [])


def test_what_must_be_in_it_is_named_where_it_is_missing(tmp_path: Path) -> None:
    table = baskets(tmp_path, "at least 4, at most 4")
    assert table.why_not("lot/3 plum") == "0 peach cannot be; possible: 1"
    table.play("lot/2 plum+2 peach")
    assert answers(table) == ["lot/plum/2", "lot/pear/0", "lot/peach/2"]


@cache
def yard() -> ichiba.Game:
    return ichiba.load("caravan_yard", seats=3, variants=["open_offers"], options={"start_player": 1})


def test_in_random_games_bundles_and_steps_are_the_same(a_few_games: int = 25) -> None:
    """Each lot is given step by step, and then again as one answer from where it began."""
    lots = 0
    for seed in range(a_few_games):
        random, table = Random(seed), yard().start(seed=seed)
        while (decision := table.decision) is not None:
            if not is_lot(decision):
                keys = decision.keys()
                likely = [key for key in keys if key.startswith(("bargain", "offer"))]
                table.play(random.choice(likely or keys), decision.seat)
                continue
            whole, name, parts, seat, site = table.copy(), decision.name, list[str](), decision.seat, decision.site
            while (now := table.decision) is not None and now.site is site:
                key = random.choice(now.keys())
                sort, number = key.split("/")[1:]
                parts.append(f"{number} {sort}")
                table.play(key, seat)
            whole.play(f"{name}/{'+'.join(parts)}", seat)
            assert whole.key() == table.key() and whole.history == table.history
            lots += 1
    assert lots > 50


def test_at_the_terminal_a_lot_is_typed_at_once_and_told_at_once() -> None:
    typed = "bargain/2\n9 silk\n1 silk and 1 indigo\n.\nl\nq\n"
    said = door("play", "caravan_yard", "--seats", "3", "--bots", "2", "--seed", "5", "--set", "start_player=1", "--plain", typed=typed)
    assert "or all of it at once, as in 2 silk+1 pepper" in said.out
    assert "That is not possible: 9 silk cannot be; possible: 0, 1" in said.out
    assert "What do you give seat 2? 1 × silk, 1 × indigo" in " ".join(said.out.split())
