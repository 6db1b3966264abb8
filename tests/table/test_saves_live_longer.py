"""Claims about saved games and rules that have changed since: the very same game goes on, or it is told where it is another one."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from random import Random

import pytest

from ichiba import SaveFault, Table, load, resume
from ichiba.interpreter.api import folder_of, rulesets
from tests.table.door import ichiba

SOME = 40  # answers


@pytest.fixture(autouse=True)
def vouched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")


def copied(name: str, tmp_path: Path) -> Path:
    """A ruleset that one may change."""
    return Path(shutil.copytree(folder_of(name), tmp_path / name))


def saved(folder: Path, seats: int | None, seed: int, answers: int = SOME) -> tuple[Table, Path]:
    """Some random answers, by whoever is asked."""
    table, dice = load(folder, seats).start(seed), Random(seed)
    for _ in range(answers):
        if table.over:
            break
        decision = dice.choice(table.pending)
        table.play(dice.randrange(len(decision.codes)), decision.seat)
    path = folder.parent / "kept.json"
    table.save(path)
    return table, path


def changed(folder: Path, pattern: str, other: str) -> None:
    """One place of the rules or declarations says something else."""
    found = 0
    for path in (p for p in folder.rglob("*") if p.suffix in (".rules", ".yaml")):
        text = path.read_text()
        new, times = re.subn(pattern, other, text, flags=re.MULTILINE)
        found += times
        path.write_text(new)
    assert found == 1


@pytest.mark.parametrize("name", rulesets())
def test_with_words_that_change_nothing_every_game_goes_on(name: str, tmp_path: Path) -> None:
    folder = copied(name, tmp_path)
    for seed in range(3):
        table, path = saved(folder, None, seed)
        for rules in folder.glob("*.rules"):
            rules.write_text(rules.read_text() + f"\n# {seed}: read aloud\n")
        again = resume(path)
        assert again.game is not table.game
        assert (again.state, again.history, again.log) == (table.state, table.history, table.log)


def test_a_module_that_is_added_changes_nothing_for_games_without_it(tmp_path: Path) -> None:
    folder = copied("no_thanks", tmp_path)
    table, path = saved(folder, 3, 1)
    (folder / "modules").mkdir()
    (folder / "modules" / "rain.yaml").write_text("module: rain\nabout: It rains.\nrules: |\n  value wet: 1\n")
    assert resume(path).key() == table.key()


def test_what_stands_otherwise_is_told(tmp_path: Path) -> None:
    folder = copied("no_thanks", tmp_path)
    _, path = saved(folder, 3, 1, 4)
    changed(folder, "score \"Chips\" saved\\(me\\)", "score \"Chips\" 2 * saved(me)")
    assert len(resume(path).history) == 4  # nobody has scored yet
    changed(folder, "3: 11, 4: 11", "3: 12, 4: 11")
    with pytest.raises(SaveFault) as told:
        resume(path)
    assert re.sub(r"[0-9a-f]{16}", "…", str(told.value)) == (
        "kept.json was played with another version of `no_thanks` (…; here it is …), and is another game with this one: all 4 answers "
        "can be given, but they lead elsewhere: seats.1.chips was 13 and is 14, seats.2.chips was 10 and is 11, seats.3.chips was 10 and "
        "is 11; go back to that version of the ruleset to resume it, or keep what can be kept with `ichiba replay FILE --upgrade`"
    )


def test_an_answer_that_cannot_be_given_is_told_and_what_came_before_it_can_be_kept(tmp_path: Path) -> None:
    folder = copied("no_thanks", tmp_path)
    table = load(folder, 3).start(1)
    for key in ("pay", "pay", "take", "pay"):
        table.play(key)
    path = tmp_path / "kept.json"
    table.save(path)
    changed(folder, "option pay \"No, thanks\" costs 1 chip", "option pay \"No, thanks\" when my.cards is empty costs 1 chip")
    with pytest.raises(SaveFault, match="at answer 4, pay: "):
        resume(path)
    said = ichiba("replay", path, "--upgrade")
    assert said.code == 0 and "3 of 4 answers" in said.out and "at answer 4" in said.out
    fork = tmp_path / "kept-upgraded.json"
    assert [key for key in (item.get("key") for item in resume(fork).log if item["event"] == "decision")] == ["pay", "pay", "take"]
    assert path.is_file()
    again = ichiba("replay", path, "--upgrade")
    assert again.code != 0 and "kept-upgraded.json is there already" in again.err


def test_what_goes_on_by_itself_is_not_upgraded(tmp_path: Path) -> None:
    folder = copied("no_thanks", tmp_path)
    _, path = saved(folder, 3, 1)
    said = ichiba("replay", path, "--upgrade")
    assert said.code == 0 and "it goes on as it is" in said.out
    assert sorted(p.name for p in tmp_path.glob("*.json")) == ["kept.json"]
