"""Claims about values that come back to themselves: told, however long the way round is."""

from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from ichiba.validator.judges import cycles
from ichiba.validator.judges.groups import groups
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


def test_each_is_looked_at_once_however_many_lead_to_each_other() -> None:
    random = Random(1)
    for size in (1, 5, 40):
        leads_to = {node: [random.randrange(size) for _ in range(random.randrange(3))] for node in range(size)}
        looked: list[int] = []

        def look(node: int, leads_to: Mapping[int, list[int]] = leads_to, looked: list[int] = looked) -> list[int]:
            looked.append(node)
            return leads_to[node]

        found = list(groups(leads_to, look))
        assert sorted(looked) == sorted(node for group in found for node in group) == list(range(size))
        there = {node: reached(node, leads_to) for node in leads_to}
        for group in found:
            first = group[0]
            assert set(group) == {first} | {other for other in there[first] if first in there[other]}


def reached(first: int, leads_to: Mapping[int, list[int]]) -> set[int]:
    found, todo = set[int](), [first]
    while todo:
        todo += [node for node in leads_to[todo.pop()] if node not in found and not found.add(node)]  # type: ignore[func-returns-value]
    return found


def test_what_is_in_no_circle_is_not_searched_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long chain between two circles: searching from each of it would take as many steps as there are pairs."""
    searched: list[str] = []
    search = cycles._shortest_circle
    monkeypatch.setattr(cycles, "_shortest_circle", lambda first, ways: searched.append(first.name) or search(first, ways))  # type: ignore[func-returns-value]
    chain = "".join(f"procedure p{k}:\n    p{k + 1}\n    p{k + 1}\n" for k in range(60))
    ends = "procedure p60: round_b\nprocedure round_a:\n    round_a\n    p0\nprocedure round_b: round_c\nprocedure round_c: round_b\n"
    tiny = rules(tmp_path, chain + ends)
    assert tiny.codes == {"E505"} and tiny.text.count("performs itself: ") == 2
    assert searched == ["round_a", "round_b"]
