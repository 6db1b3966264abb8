"""Claims about none: who asks for a place of nobody stops the game, and never reads another's place."""

from pathlib import Path

import pytest

import ichiba
from ichiba.interpreter.runtime.runtime import RuleFault
from tests.language.tiny import files_of, ruleset

ASKED = {
    "gain closer.cash from bank": "a purse",
    "raise round by spot.visits": "a counter",
    "move 1 red from bag to closer.hand": "a zone to move into",
    "raise spot.visits by 1": "a counter to change",
    "mark spot.closed": "a flag",
    "as closer: gain $1 from bank": "a turn",
    "closer gains $1 from bank": "a payer",
    "if rich(closer): nothing": "a value's parameter",
    "visit(spot)": "a procedure's parameter",
}


@pytest.mark.parametrize("sentence", ASKED, ids=ASKED.values())
def test_a_place_of_nobody_is_no_other_place(tmp_path: Path, sentence: str) -> None:
    folder = ruleset(tmp_path, files_of(f"""
table:
    remember closer: seat or none
    remember spot: stall or none
value rich(s: seat): s.cash > $3
procedure visit(o: stall): raise o.visits by 1
play:
    as seat(1):
        choose n from 1 to 2
        choose m from 1 to 2
        if m = 2:
            set closer to seat(2)
            set spot to stall(2)
        choose k from 1 to 2
        {sentence}
        choose h from 1 to 2
"""))  # fmt: skip
    game = ichiba.load(folder, seats=2, trust=True)
    table = game.start(seed=1)
    for key in ("n/1", "m/2", "k/1"):
        table.play(key)
    assert table.decision is not None and table.decision.path == ""
    table = game.start(seed=1)
    for key in ("n/1", "m/1"):
        table.play(key)
    with pytest.raises(RuleFault):
        table.play("k/1")


def test_a_zone_of_nobody_is_empty(tmp_path: Path) -> None:
    folder = ruleset(tmp_path, files_of("""
table:
    remember closer: seat or none
play:
    as seat(1):
        choose n from 1 to 2
        draw 3 gem from bag to my.hand
        move all closer.hand to bag
        choose m from 1 to 2
"""))  # fmt: skip
    table = ichiba.load(folder, seats=2, trust=True).start(seed=1)
    table.play("n/1")
    assert table.ask("count of seat(1).hand") == 3 and table.ask("count of bag") == 9
