"""Claims about triggers that wait for the end of a procedure: when they come, and in which order."""

from pathlib import Path

import pytest

import ichiba
from tests.language.tiny import files_of, ruleset

RULES = """
table:
    counter order: 0 .. 9999
    flag rain
    flag snow

rule rained, whenever rain, once, at the end of dig: set order to order * 10 + 1
rule snowed, whenever snow, once, at the end of dig: set order to order * 10 + 2
rule shut for each s in stalls, whenever s.closed, once each, at the end of dig: set order to order * 10 + 2 + position of s

procedure dig:
    DIG

procedure turn:
    TURN
"""


@pytest.mark.parametrize(
    ("dig", "turn", "order"),
    [
        (["mark rain", "mark snow"], ["dig"], 12),
        (["mark snow", "mark rain"], ["dig"], 21),
        (["mark stall(3).closed", "mark snow", "mark stall(1).closed", "mark rain"], ["dig"], 5231),
        (["mark snow", "set order to 7", "mark rain"], ["dig"], 721),
        (["nothing"], ["mark snow", "dig", "mark rain"], 21),
        (["mark snow"], ["mark rain", "dig", "mark stall(2).closed"], 124),
    ],
)
def test_what_waits_happens_in_the_order_in_which_it_came_about(
    tmp_path: Path, dig: list[str], turn: list[str], order: int
) -> None:
    rules = RULES.replace("DIG", "\n    ".join(dig)).replace("TURN", "\n    ".join(turn))
    table = ichiba.load(ruleset(tmp_path, files_of(rules)), seats=2, trust=True).start(1)
    assert table.over and table.ask("order") == order
