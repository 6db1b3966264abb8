"""The rules of a game, whole: what an old table goes on with when the installed ones have changed."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from ichiba.dsl.files.folders import files_below
from ichiba.dsl.files.writing import make_folder, read_regular
from ichiba.dsl.ruleset import OWN_LIBRARY, library_folder
from ichiba.dsl.yaml.reading import MAX_BYTES
from ichiba.interpreter.strangers import door
from ichiba.table.sitting.setup import folders_of

SCENARIOS = ".scenario.yaml"


def rules_in(home: Path, modules: tuple[str, ...]) -> dict[str, bytes]:
    """All files that the rules of a game come from, by path: the ruleset's folder, the library's in it, modules from elsewhere.
    Raises `RulesetFaults` where a stranger's folder holds what nobody may read."""
    found: dict[str, bytes] = {}
    folders = folders_of(str(home), modules)
    door.look_over(folders.values())
    for name, folder in folders.items():
        found |= _files(folder, name)
    for path, content in _files(library_folder(), f"ruleset/{home.name}/{OWN_LIBRARY}", (".rules",)).items():
        found.setdefault(path, content)  # its own file of that name comes before ours
    return found


def _files(folder: Path, name: str, kinds: tuple[str, ...] = (".yaml", ".rules")) -> dict[str, bytes]:
    paths = (path for path in files_below(folder, *kinds) if not path.name.endswith(SCENARIOS))
    return {f"{name}/{path.relative_to(folder).as_posix()}": read_regular(path, MAX_BYTES) for path in paths}


def laid_out(files: Mapping[str, bytes], home: Path) -> Path:
    """The folder in which these files lie, written if it is not there: whole, or not at all."""
    if home.is_dir():
        return home
    make_folder(home.parent)
    beside = home.with_name(f".{home.name}.{secrets.token_hex(4)}")
    try:
        for path, content in files.items():
            place = beside / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        os.replace(beside, home)
    except OSError:
        shutil.rmtree(beside, ignore_errors=True)
        if not home.is_dir():  # else somebody was quicker
            raise
    return home
