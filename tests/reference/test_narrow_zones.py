"""What cannot lie in a zone is a fault in play, whichever way it would come there: out of a zone that holds more kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

import ichiba
from ichiba.interpreter.runtime.runtime import RuleFault
from tests.reference.lockstep import LockStep

BOX = """\
game: chest
language: 2
seats: 2 to 2
pieces:
  gem: {is: stone, sorts: [red, green], count: 3, in: bag}
  pearl: {is: stone, sorts: [white, black], count: 2, in: chest}
"""
RULES = """\
table:
    zone bag of gem
    zone chest of pearl
    zone drawer of pearl
    zone heap of stone
    zone mound of stone
    counter round: 0 .. 9

seat:
    zone hand of pearl

play:
    as seat(1):
        menu actions until done, done "Enough":
            option pearls "Pearls": move all chest to heap
            option gems "Gems": move all bag to heap
            option go "Go":
                WAY

scoring:
    score for each seat: score "Pearls" count of my.hand
"""
WAYS = {
    "all of a zone": "move all heap to drawer",
    "all of several": "move all {heap, mound} to drawer",
    "so many of a zone": "if count of heap > 3: move 4 of heap to drawer",
    "one by one": "for each s in heap: move s to drawer",
    "those of a condition": "move (s in heap where s is not black) to drawer",
    "the first": "if heap is not empty: move first of heap to my.hand",
    "by chance": "draw 9 stone from heap to drawer",
    "a chosen one": "choose s in heap: move s to my.hand",
    "a chosen lot": "choose some lot from heap, at least 3 \"Which?\"\n                move lot to my.hand",
    "into one of two zones": "for each s in heap: move s to (if round > 1 then drawer else chest)",
}


def played(folder: Path, way: str) -> ichiba.Game:
    (folder / "chest").mkdir()
    (folder / "chest/game.yaml").write_text(BOX)
    (folder / "chest/chest.rules").write_text(RULES.replace("WAY", way))
    return ichiba.load(folder / "chest", seats=2, trust=True)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_nothing_comes_into_a_zone_that_cannot_hold_it(way: str, tmp_path: Path) -> None:
    game = played(tmp_path, way)
    for seed in range(20):
        try:
            LockStep(game, seed).play(12, 1)
        except RuleFault as fault:
            assert "this zone cannot hold such a piece" in str(fault)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_what_can_lie_there_comes_there(way: str, tmp_path: Path) -> None:
    table = played(tmp_path, way).start(1)
    for key in ("pearls", "go"):
        table.play(key)
    while table.decision is not None and table.decision.name != "actions":
        table.step(len(table.codes) - 1)
    assert table.ask("count of {drawer, chest, seat.hand}") in (1, 2, 3, 4)
    assert table.ask("count of {drawer, chest, heap, seat.hand}") == 4
    table.play("gems")
    assert table.ask("count of {drawer, chest, heap, seat.hand}") == 10
