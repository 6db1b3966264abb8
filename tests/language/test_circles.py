"""Claims about values that come back to themselves: told, however long the way round is."""

from pathlib import Path

from tests.language.tiny import check, rules


def test_a_value_that_is_said_sort_by_sort_does_not_come_round_to_itself(tmp_path: Path) -> None:
    tiny = rules(tmp_path, """
value worth(n: number, g: gem) -> number, by sort: n
value worth of n red: n + riches(seat(1))
value riches(s: seat) -> number: sum of (worth(count of g in s.hand, g) for g in gems)

scoring:
    score for each seat: score "Riches" riches(me)
""")  # fmt: skip
    assert tiny.codes == {"E501"}
    assert "this value depends on itself: " in tiny.text
    assert "riches" in tiny.text and "worth of red" in tiny.text


def test_one_sort_may_rest_on_another(tmp_path: Path) -> None:
    check(tmp_path, """
value worth(n: number, g: gem) -> number, by sort: n
value worth of n red: n + worth(n, blue)

scoring:
    score for each seat: score "Riches" worth(count of red in my.hand, red)
""")  # fmt: skip


def test_a_sum_over_the_others_is_no_circle(tmp_path: Path) -> None:
    check(tmp_path, """
value worth(n: number, g: gem) -> number, by sort: n
value worth of n red: n * sum of (worth(1, g) for g in gems where g is not red)

scoring:
    score for each seat: score "Riches" worth(count of red in my.hand, red)
""")  # fmt: skip


def test_numbers_and_tables_that_wait_for_each_other_are_told_once(tmp_path: Path) -> None:
    chunk = """\
# game.yaml
numbers: {rounds: "cost(2) + 1"}
tables: {cost: {index: number, values: [1, few]}, price: {index: number, values: [2, rounds]}}
"""
    assert rules(tmp_path / "table", chunk.replace("few", "rounds")).text == """\
error[E331]: these are worked out from each other: rounds → cost → rounds
  ┌─ tiny/game.yaml:1:11
 1│ numbers: {rounds: "cost(2) + 1"}
  │           ^^^^^^ one of them must be said by itself

1 error"""
    by_itself = chunk.replace('"cost(2) + 1"', "rounds + 1").replace("few", "3")
    assert "these are worked out from each other: rounds → rounds\n" in rules(tmp_path / "itself", by_itself).text
