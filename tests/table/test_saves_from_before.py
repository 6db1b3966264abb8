"""Saves from before some questions were skipped, and others asked: each goes on as the same game, or is refused in words."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import ichiba
from ichiba.interpreter.saves.records import ruleset_hash
from ichiba.interpreter.saves.saved import SaveFault
from tests.conftest import Tally
from tests.table.door import ichiba as command

HERE = Path(__file__).parent / "saves_from_before"
SAVES = sorted(path.stem for path in HERE.glob("*_*.json") if not path.stem.startswith("drawers") and ".story" not in path.name)


def story_of(table: ichiba.Table) -> dict[str, object]:
    """What has happened, and what is asked now."""
    log = [f"{i.get('seat', '')} {i['event']} {i.get('path', '')} {i.get('key', i.get('what', ''))}" for i in table.log]
    return {"log": log, "asked": None if table.decision is None else [table.decision.seat, table.decision.keys()]}


def test_there_are_saves_of_each_game() -> None:
    for game in ("tsukiji", "shinjuku", "tokyo_tsukiji_market"):
        assert sum(name.startswith(f"{game}_") and name[len(game) + 1 :].isdigit() for name in SAVES) >= 4


@pytest.mark.parametrize("name", SAVES)
def test_a_save_from_before_goes_on_as_the_same_game_or_is_refused_by_name(name: str, tally: Tally) -> None:
    path = HERE / f"{name}.json"
    then = json.loads((HERE / f"{name}.story.json").read_text(encoding="utf-8"))
    try:
        table = ichiba.resume(path)
    except SaveFault as refusal:
        assert f"{path.name} was played with another version of" in str(refusal)
        assert "go back to that version of the ruleset to resume it" in str(refusal)
        tally(refused_by_name=1)
        return
    assert story_of(table) == then
    tally(replayed=1)


IN_VERSION_1 = {"language: 2": "language: 1", "count: 1": "number: 1", "procedure turn:": "phase turn:"}


def drawers_of_then() -> str:
    """The ruleset in the words in which it was played."""
    text = (HERE / "drawers" / "game.yaml").read_text(encoding="utf-8")
    for now, then in IN_VERSION_1.items():
        assert text.count(now) == 1
        text = text.replace(now, then)
    return text


@pytest.mark.parametrize("name", ["drawers_one_answer", "drawers_at_one_answer", "drawers_all_asked"])
def test_of_the_ruleset_that_was_played_three_words_are_others_now(name: str) -> None:
    """So a save of it may stand for one of today's: the hash in it is that of these words, and of nothing else."""
    content = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    assert content["ruleset"] == hashlib.sha256(f"drawers/game.yaml{drawers_of_then()}".encode()).hexdigest()[:16]


def test_they_are_those_that_the_upgrade_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = tmp_path / "drawers" / "game.yaml"
    there.parent.mkdir()
    there.write_text(drawers_of_then(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    assert command("fmt", "--upgrade", "drawers").code == 0
    assert there.read_text(encoding="utf-8") == (HERE / "drawers" / "game.yaml").read_text(encoding="utf-8")


def of_drawers(name: str, folder: Path) -> Path:
    """A save of a ruleset of which only the words are others since; in it a question with one answer was asked, for a deck's size."""
    content = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    content["ruleset"] = ruleset_hash(ichiba.load(HERE / "drawers", 2))
    content["folder"] = str(HERE / "drawers")
    path = folder / f"{name}.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_where_only_the_engine_asks_less_a_save_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(SaveFault) as refused:
        ichiba.resume(of_drawers("drawers_one_answer", tmp_path))
    assert str(refused.value).startswith("drawers_one_answer.json was played with an earlier Ichiba, which asked where this one skips")


def test_where_the_question_in_hand_is_skipped_now_a_save_is_refused_too(tmp_path: Path) -> None:
    with pytest.raises(SaveFault) as refused:
        ichiba.resume(of_drawers("drawers_at_one_answer", tmp_path))
    assert "was played with an earlier Ichiba, which asked where this one skips" in str(refused.value)


def test_a_save_in_which_nothing_was_asked_otherwise_goes_on(tmp_path: Path) -> None:
    table = ichiba.resume(of_drawers("drawers_all_asked", tmp_path))
    assert [item["key"] for item in table.log if item["event"] == "decision"] == ["draw", "n/1"]
    assert table.decision is not None and table.decision.keys() == ["draw", "rest"]
