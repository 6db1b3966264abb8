"""Claims about the rulesets that come along, copied elsewhere to be changed: as a stranger's they are far from every limit."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ichiba import load
from ichiba.dsl.program.program import MOST_WATCHING
from ichiba.dsl.yaml.memory import Memory
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.strangers import door
from ichiba.lab import scenarios
from ichiba.lab.scenario_files import scenario_files
from ichiba.table import checking
from ichiba.table.checking import check, look, planned
from tests.conftest import Tally
from tests.depth import mostly_seldom

MARGIN = 1.5
COUNTED = ("MOST_FILES", "MOST_BYTES", "MOST_TEXT", "MOST_LANGUAGES", "MOST_SCENARIOS", "MOST_PARTS", "MOST_PRESETS", "MOST_DEEP", "LONGEST_NAME")
LARGEST = ("tokyo_tsukiji_market", "shinjuku")  # of which somebody may want all ways


@pytest.fixture(autouse=True)
def nobody_vouches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "cache"))


def copied(name: str, folder: Path) -> Path:
    return Path(shutil.copytree(rulesets()[name], folder / name))


@pytest.mark.parametrize("name", rulesets())
def test_a_copy_may_grow_by_half_before_it_is_looked_over_in_vain(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = copied(name, tmp_path)
    assert not door.trusted(root)
    for limit in COUNTED:
        monkeypatch.setattr(door, limit, int(getattr(door, limit) / MARGIN))
    door.survey(root)


@pytest.mark.parametrize("name", mostly_seldom([name for name in rulesets() if name not in LARGEST], 5))
def test_a_copy_is_checked_in_all_its_ways(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_READ", int(checking.MOST_READ / MARGIN))
    seen = check(copied(name, tmp_path))
    assert not [fault for fault in seen.faults if fault.severity == "error"] and seen.ways and not seen.left_out


@pytest.mark.parametrize("name", LARGEST)
def test_so_are_the_largest_if_somebody_wants_all(name: str, tmp_path: Path, tally: Tally) -> None:
    """Counted here, where they are trusted: in a process with limits each way takes as long again to begin."""
    root, memory = rulesets()[name], Memory()
    tasks = planned(root, False, False, memory).tasks
    text = door.text_read((root,))
    work = sum(text(way.chosen) + look(way, memory).work for way in tasks)
    assert work * MARGIN < checking.MOST_READ_OF_ALL
    tally(kilobytes_of_work=work // 1024)


@pytest.mark.parametrize("name", LARGEST)
def test_and_without_that_in_as_many_as_it_takes_to_know_its_texts(name: str, tmp_path: Path) -> None:
    seen = check(copied(name, tmp_path))
    assert not seen.faults and not seen.unread and seen.ways >= 12


@pytest.mark.parametrize("name", rulesets())
def test_a_copy_is_tested_in_half_as_many_settings_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = rulesets()[name]
    found = [scenario for path in scenario_files(folder) for scenario in scenarios.found_in(path)[0]]
    found += scenarios.presets_in(folder)[0]
    for limit in ("MOST_SETTINGS", "MOST_MADE"):
        monkeypatch.setattr(scenarios, limit, int(getattr(scenarios, limit) / MARGIN))
    scenarios._few_settings(found, (folder,))


def test_few_of_their_rules_watch() -> None:
    game = load("tokyo_tsukiji_market", 6, modules=["expansion"], variants=["additional_markets", "crashing_markets", "open_knowledge"])
    assert 0 < 5 * len(game.program.watchers) < MOST_WATCHING
