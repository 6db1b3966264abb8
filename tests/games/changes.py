"""A rule of a game is changed in a copy: one of the scenarios must notice."""

import shutil
from pathlib import Path

from ichiba.lab.scenarios import run_scenarios


def copy_of(home: Path, folder: Path) -> Path:
    return Path(shutil.copytree(home, folder / home.name))


def is_noticed(copied: Path, old: str, new: str, by: str) -> bool:
    """Whether a scenario whose name holds these words fails once the one place that says `old` says `new`."""
    files = [path for path in copied.rglob("*") if path.suffix in (".rules", ".yaml") and path.name != "sensible.rules"]
    there = [path for path in files if old in path.read_text(encoding="utf-8")]
    (changed,) = [path for path in there if "modules" not in path.relative_to(copied).parts] or there  # the game's own, first
    text = changed.read_text(encoding="utf-8")
    assert text.count(old) == 1
    changed.write_text(text.replace(old, new), encoding="utf-8")
    results = run_scenarios(copied, by).results
    return bool(results) and not all(result.holds for result in results)
