"""Races in scenarios and for policies: who is drawn, and who is quicker."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from ichiba.lab.policies import play_out, policy
from ichiba.lab.scenarios import run_scenarios
from tests.language.tiny import ruleset

RULES = """\
add to seat:
    counter luck: 0 .. 9

setup:
    for each s in seats: s gains $3 from bank

play:
    first s in seats to answer call:
        "Who pays?"
        option take "Take it" for n in 1 .. 3 when my.cash >= $1 * n costs $1 * n: set my.luck to n
    else: roll n from 1 to 6
    take one turn each from seat(1):
        menu rest:
            option one "One": nothing
            option two "Two": draw 1 gem from bag to my.hand

policy eager:
    prefer "take/{n}" for n in 1 .. 3 by n

policy shy:
    prefer "wait"
"""


@pytest.fixture(autouse=True)
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own little rulesets need no process of their own."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")


def told(folder: Path, scenario: str) -> str:
    return str(run_scenarios(ruleset(folder, {"play.rules": RULES, "scenarios/a.scenario.yaml": scenario})))


@pytest.mark.parametrize(
    "steps",
    [
        "when: [3: take/2]",
        "chance: [first/3]\nwhen: [take/2]",
        "chance: [first/1, first/3]\nwhen: [wait, 3: take/2]",
        "chance: [first/1]\nwhen: [2: wait, 3: take/2]",
    ],
)
def test_whoever_answers_first_is_the_one(tmp_path: Path, steps: str) -> None:
    found = told(tmp_path, f"scenario: seat 3 takes it\nconfig: {{seats: 3}}\n{steps}\nthen: [luck of seat(3) = 2, luck of seat(1) = 0]\n")
    assert found.endswith("1 scenario, all hold"), found


def test_a_draw_may_be_left_out_of_what_chance_brings(tmp_path: Path) -> None:
    found = told(tmp_path, """\
scenario: the gem is green
chance: [draw/green]
when: [1: take/1, one, two]
then: [green in seat(2).hand]
""")  # fmt: skip
    assert found.endswith("1 scenario, all hold"), found


def test_when_all_have_waited_something_else_happens(tmp_path: Path) -> None:
    found = told(tmp_path, """\
scenario: nobody
chance: [first/2, n/6]
play: [wait, wait]
then: [luck of seat(1) = 0]
options: [one, two]
sees: {1: {my.cash: $3}}
""")  # fmt: skip
    assert found.endswith("1 scenario, all hold"), found


def test_an_answer_that_cannot_be_is_told_with_what_that_seat_may_answer(tmp_path: Path) -> None:
    found = told(tmp_path, """\
scenario: too much
given: |
  seat(2) pays $2 to bank
chance: [first/1]
when: [2: take/3]
""")  # fmt: skip
    assert "seat 2 may answer take/1, wait" in found


def test_policies_race(tmp_path: Path) -> None:
    game = ichiba.load(ruleset(tmp_path, {"play.rules": RULES}), 3)
    first = set()
    for seed in range(30):
        table = play_out(game, seed, ["eager", "eager", "eager"])
        luck = [int(str(table.ask(f"luck of seat({n})"))) for n in (1, 2, 3)]
        assert sorted(luck) == [0, 0, 3]
        first.add(luck.index(3))
    assert first == {0, 1, 2}
    table = play_out(game, 1, ["shy", "shy", "eager"])
    assert table.ask("luck of seat(3)") == 3
    table = play_out(game, 1, ["shy", "shy", "shy"])
    assert not any(item["event"] == "chance" and item["what"] == "first" for item in table.view()["log"])  # type: ignore[attr-defined]


def test_a_policy_of_a_seat_that_was_not_drawn_looks_as_that_seat(tmp_path: Path) -> None:
    game = ichiba.load(ruleset(tmp_path, {"play.rules": RULES}), 3)
    table = game.start(1, chance=("first/1",))
    decision = table.pending[2]
    assert decision.seat == 3
    assert decision.keys()[policy(game, "eager", 1).index(decision)] == "take/3"
