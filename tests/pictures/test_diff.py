"""`ichiba diff` tells what changes in play, where it is written, and draws the boards that are others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ichiba.interpreter.api import rulesets
from tests.table.door import ichiba
from tests.table.orchard import write


def test_a_variant_is_told_by_its_sentences_and_numbers() -> None:
    said = ichiba("diff", "tsukiji", "--variant", "special_points")
    assert said.code == 0
    assert "  new: scoring — " in said.out and "new: scoring — Diverse: ¥10 for three cards or more" in said.out
    assert "  Diverse: ¥10 (new)" in said.out.splitlines()
    assert "  Players who tie for Popular or Safe: all score (new)" in said.out.splitlines()


def test_a_module_says_what_it_replaces_and_which_boards_come(tmp_path: Path) -> None:
    said = ichiba("diff", "tokyo_tsukiji_market", "--with", "expansion", "--out", tmp_path / "changed")
    words = " ".join(said.out.split())
    assert "replaced: procedure main_fish_market — Either Mackerel or Jack Mackerel is in play from the start" in words
    assert "comes: Himono — Enter for 1 action point." in words
    assert {path.name for path in (tmp_path / "changed").iterdir()} >= {"himono.after.svg"}
    assert not (tmp_path / "changed" / "himono.before.svg").exists() and not (tmp_path / "changed" / "eel.after.svg").exists()
    again = ichiba("diff", "tokyo_tsukiji_market", "--with", "expansion", "--out", tmp_path / "changed")
    assert again.code == 2 and "would be written over" in again.err


def test_two_versions_of_a_folder_are_compared(tmp_path: Path) -> None:
    old = write(tmp_path)
    new = tmp_path / "newer" / old.name
    shutil.copytree(old, new)
    for name, before, after in (
        ("game.yaml", "rounds: {is: 3,", "rounds: {is: 4,"), ("orchard.rules", "draw 1 fruit from crate", "draw 2 fruit from crate"),
        ("orchard.rules", "Every stall gets one fruit.", "Every stall gets two fruits."),
    ):  # fmt: skip
        text = (new / name).read_text(encoding="utf-8")
        assert before in text
        (new / name).write_text(text.replace(before, after), encoding="utf-8")
    said = ichiba("diff", old, new)
    assert "otherwise: procedure harvest — Every stall gets two fruits." in said.out
    assert "  rounds: 3 → 4" in said.out.splitlines()
    assert ichiba("diff", old, old).out == "Nothing changes in play.\n"


def test_a_comment_changes_nothing_in_play(tmp_path: Path) -> None:
    old = write(tmp_path)
    new = tmp_path / "newer" / old.name
    shutil.copytree(old, new)
    rules = new / "orchard.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("procedure harvest:\n", "procedure harvest:\n    # as it grows\n"), encoding="utf-8")
    assert ichiba("diff", old, new).out == "Nothing changes in play.\n"


def test_nothing_to_compare_is_refused() -> None:
    said = ichiba("diff", str(rulesets()["no_thanks"]))
    assert said.code == 2 and said.err.startswith("ichiba diff: say what is switched on")


def test_names_may_stand_behind_options(tmp_path: Path) -> None:
    said = ichiba("draw", "tokyo_tsukiji_market", "--seats", "4", "eel", "--out", tmp_path, "fugu")
    assert said.code == 0 and {path.name for path in tmp_path.iterdir()} == {"eel.svg", "fugu.svg"}
    assert "`eel` is one word too many" in ichiba("rulebook", "no_thanks", "--out", tmp_path / "x.html", "eel").err


def test_the_table_of_a_save_is_drawn_from_inside_the_folder_of_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = write(tmp_path)
    monkeypatch.chdir(home)
    assert ichiba("play", ".", "--seats", "3", "--seed", "7", typed=f"save {tmp_path / 'kept.json'}\nq\n").code == 0
    said = ichiba("draw", ".", "table", "--save", tmp_path / "kept.json", "--out", tmp_path / "drawn")
    assert (said.code, said.err) == (0, "") and (tmp_path / "drawn" / "table.svg").exists()
    other = ichiba("draw", "no_thanks", "table", "--save", tmp_path / "kept.json", "--out", tmp_path / "other")
    assert other.code == 2 and "this is a save of orchard, and not of no_thanks" in other.err


def test_what_a_variant_is_the_first_to_ask_for_is_told_and_what_nobody_asks_for_is_not() -> None:
    """What each board says of being exhausted matters with the variant alone; what the Princess does with the Kaiju, with both."""
    crashes = ichiba("diff", "tokyo_tsukiji_market", "--variant", "crashing_markets").out
    assert "value crashes of bank — It is exhausted when no Loan and no Share is left" in " ".join(crashes.split())
    assert "crashes: false" not in crashes
    assert "crashes" not in ichiba("diff", "tokyo_tsukiji_market", "--with", "expansion").out
    assert "Kaiju" not in ichiba("diff", "shinjuku", "--with", "princess").out
    assert "The Princess flees" in ichiba("diff", "shinjuku", "--with", "princess,kaiju").out


def test_pieces_and_choices_are_called_as_people_call_them() -> None:
    told = ichiba("diff", "tokyo_tsukiji_market", "--with", "expansion").out.splitlines()
    assert "  Clams & Oysters (licence): 3 (new)" in told and "  swordfish marker: 1 (new)" in told
    assert "  One Barge with six slots or two with four: one with six (new)" in told
    assert "  restricted: option shipyard.visit.sell — Refused: Boat is only rented." in told


def test_a_language_that_is_missing_is_told() -> None:
    refused = ichiba("diff", "tsukiji", "--variant", "special_points", "--lang", "fr")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.splitlines() == ["ichiba diff: tsukiji has no texts in `fr`; there are: en, es, nl"]
