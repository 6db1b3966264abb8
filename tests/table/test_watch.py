"""Claims about `--watch`: what is saved in a file is checked again, and played on with, or it is told why not."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ichiba.table.terminal.screen import Screen
from ichiba.table.watching import Watching
from tests.table.door import Said, ichiba

Step = str | Callable[[], object]


def written(path: Path, was: str, now: str) -> Callable[[], object]:
    """Somebody saves a file in an editor."""

    def write() -> None:
        text = path.read_text()
        assert text.count(was) == 1
        path.write_text(text.replace(was, now))

    return write


def play(monkeypatch: pytest.MonkeyPatch, orchard: Path, *steps: Step, words: tuple[str, ...] = ()) -> Said:
    """What is typed, and what is saved in files before it is sent off."""
    left = list(steps)

    def ask(screen: Screen, prompt: str) -> str:
        print(prompt)
        while left:
            step = left.pop(0)
            if isinstance(step, str):
                return step
            step()
        raise EOFError

    monkeypatch.setattr(Screen, "ask", ask)
    said = ichiba("play", orchard, "--watch", "--seats", "3", "--seed", "7", "--plain", *words)
    return Said(said.code, " ".join(said.out.split()), said.err)


# --- files


def test_what_is_new_gone_or_other_is_told_once(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.rules", "c.yaml"):
        (tmp_path / name).write_text("1")
    watching = Watching([tmp_path])
    assert watching.changed() == []
    (tmp_path / "a.yaml").write_text("other")
    (tmp_path / "b.rules").unlink()
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "d.yaml").write_text("1")
    assert watching.changed() == ["a.yaml", "b.rules", "boards/d.yaml"]
    assert watching.changed() == []


def test_what_nothing_is_read_from_is_not_looked_at(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    watching = Watching([tmp_path, tmp_path / "nowhere"])
    for name in (".git/a.yaml", ".#b.yaml", "c.yaml~", "d.json"):
        (tmp_path / name).write_text("1")
    assert watching.changed() == []


def test_it_follows_no_link_to_a_folder(tmp_path: Path) -> None:
    away, here = tmp_path / "away", tmp_path / "here"
    away.mkdir()
    here.mkdir()
    os.symlink(away, here / "link")
    watching = Watching([here])
    (away / "a.yaml").write_text("1")
    assert watching.changed() == []


# --- check


def test_check_looks_again_whenever_a_file_is_saved(orchard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = orchard / "orchard.rules"
    edits = [written(rules, "score \"Cash\" my.cash", "score \"Cash\" my.cahs"), written(rules, "my.cahs", "my.cash")]

    def sleep(seconds: float) -> None:
        if not edits:
            raise KeyboardInterrupt
        edits.pop(0)()

    monkeypatch.setattr("ichiba.table.watching.time.sleep", sleep)
    said = ichiba("check", orchard, "--quick", "--watch")
    assert said.code == 130
    first, second, third = said.out.split("changed: orchard.rules\n")
    assert "no faults" in first and first.endswith("watching; Ctrl-C ends it\n")
    assert "error[E" in second and "did you mean `cash`?" in second
    assert "no faults" in third


@pytest.mark.parametrize("word", ["--fix", "--format=json", "--format=sarif"])
def test_check_watches_for_people_and_changes_nothing(orchard: Path, word: str) -> None:
    said = ichiba("check", orchard, "--watch", word)
    assert (said.code, said.err) == (
        2, "ichiba check: --watch tells people what is wrong, and changes nothing: it goes without --fix and --format\n",
    )  # fmt: skip


# --- play


def test_play_goes_on_with_new_rules_where_it_is_the_same_game(orchard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = written(orchard / "orchard.rules", "Buy at stall {position of t}", "Take stall {position of t}")
    said = play(monkeypatch, orchard, "12", edit, "2", "q")
    assert "orchard.rules: the rules have changed, and it is the same game with them so far." in said.out
    before, after = said.out.split("orchard.rules: ")
    assert "Buy at stall 1" in before and "Take stall 1" not in before
    assert "Take stall 1" in after and "The game is kept." in after
    assert (said.code, said.err) == (0, "")


def test_what_was_typed_before_the_rules_were_read_is_no_answer(orchard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = written(orchard / "orchard.rules", "What do you bid?", "How much?")
    said = play(monkeypatch, orchard, edit, "12", "q")
    assert "How much?" in said.out and "Buy at a stall" not in said.out


def test_play_goes_on_with_the_old_rules_where_the_new_ones_have_a_fault(orchard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = written(orchard / "orchard.rules", "score \"Cash\" my.cash", "score \"Cash\" my.cahs")
    said = play(monkeypatch, orchard, edit, "12", "12", "q")
    assert "did you mean `cash`?" in said.out
    assert "orchard.rules: the game goes on with the rules as they were." in said.out
    assert "Buy at a stall, or go home?" in said.out


@pytest.mark.parametrize(("answer", "cash"), [("yes", 16), ("no", 17)])
def test_where_it_is_another_game_somebody_is_asked(orchard: Path, monkeypatch: pytest.MonkeyPatch, answer: str, cash: int) -> None:
    edit = written(orchard / "game.yaml", "values: [3, 5, 8]", "values: [4, 5, 8]")
    said = play(monkeypatch, orchard, "12", "1", edit, ".", answer, ".", "q")
    told, after = said.out.split("Go on with that one, after 8 of 8 answers? (yes or no: the rules stay as they were) ")
    why = "all 8 answers can be given, but they lead elsewhere: seats.1.cash was 17 and is 16."
    assert f"game.yaml: with these rules it is another game: {why}" in told
    assert f"seat 1 (you): cash ${cash}" in after


def test_an_answer_that_cannot_be_given_any_more_ends_what_is_kept(orchard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = written(orchard / "orchard.rules", "choose bid from 0 to 15", "choose bid from 0 to 9")
    said = play(monkeypatch, orchard, "12", edit, "", "yes", "q")
    assert "it is another game: at answer 3, bid/12: `bid` goes from 0 to 9" in said.out
    assert "Go on with that one, after 2 of 3 answers?" in said.out


def test_a_bot_whose_policy_has_gone_keeps_the_old_rules(orchard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = written(orchard / "orchard.rules", "policy thrifty:", "policy frugal:")
    said = play(monkeypatch, orchard, edit, ".", "q")
    why = "orchard.rules: `orchard` has no policy `thrifty`; there are: frugal, random, greedy, searcher."
    assert f"{why} The game goes on with the rules as they were." in said.out
