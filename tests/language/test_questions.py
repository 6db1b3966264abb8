"""Claims about the names of questions: they say where in the rules one is asked, and hang on no variable's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba import load
from tests.language.tiny import files_of, ruleset

ASKING = """\
table:
    purse clock: hour, unlimited

setup:
    for each s in seats:
        s gains $5 from bank
        s gains 5 hours from clock

procedure turn:
    menu action:
        "What now?"
        option look "Look":
            choose {first} from 1 to 2
            choose {second} from 1 to 2
        option buy "Buy" for s in stalls costs $1 or 1 hour:
            raise s.visits by 1
"""


@pytest.mark.parametrize(("first", "second"), [("n", "m"), ("amount", "price_of_it")])
def test_questions_are_called_by_their_places_whatever_variables_are_called(tmp_path: Path, first: str, second: str) -> None:
    game = load(ruleset(tmp_path, files_of(ASKING.format(first=first, second=second))), 2, trust=True)
    names = []
    for way in (["look", 0, 0], ["buy/1", "pay/coin"]):
        table = game.start(1)
        for answer in way:
            assert table.decision is not None
            names.append(table.decision.question)
            table.play(answer)  # type: ignore[arg-type]
    assert names == ["turn.action", "turn.look.choose", "turn.look.choose_2", "turn.action", "turn.buy.pay"]
