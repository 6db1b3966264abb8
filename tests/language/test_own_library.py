"""A ruleset can bring a shelf of its own, which comes before ours: so a game that was kept whole keeps its rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import ichiba
from ichiba.dsl.ruleset import library_folder
from ichiba.interpreter.api import folder_of
from tests.language.tiny import GAME, RULES

LENT = """\
pattern lent(purse: purse of seat in coin, amount: coin):
    procedure grant(s: seat): pay amount from bank to s.cash
"""


def written(folder: Path, amount: int) -> Path:
    (folder / "library").mkdir(parents=True)
    (folder / "library" / "lending.rules").write_text(LENT.replace("amount from", f"amount + ${amount} from"))
    (folder / "game.yaml").write_text(GAME.replace("tiny", folder.name))
    rules = "use lending.lent(purse: cash, amount: $3) as help\n" + RULES.replace("procedure turn: nothing", "procedure turn: help_grant(me)")
    (folder / "tiny.rules").write_text(rules)
    return folder


def test_what_lies_in_its_own_library_is_used_by_its_name(tmp_path: Path) -> None:
    assert ichiba.load(written(tmp_path / "one", 0)).start(1).scores[1] == 3
    assert ichiba.load(written(tmp_path / "other", 4)).start(1).scores[1] == 7


def test_a_game_with_its_library_beside_it_is_the_same_game(tmp_path: Path) -> None:
    game = ichiba.load("lantern_coast")
    kept = tmp_path / "lantern_coast"
    shutil.copytree(folder_of("lantern_coast"), kept)
    shutil.copytree(library_folder(), kept / "library", ignore=lambda _, names: [name for name in names if not name.endswith(".rules")])
    again = ichiba.load(kept, trust=True)
    assert again.playout(7, lambda table: 0).key() == game.playout(7, lambda table: 0).key()
