"""What lies in a ruleset's folder: plain files, in a certain order, and nothing that is hidden there."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path


def package_folder(name: str) -> Path:
    """Where an installed package lies; it is not run for that. (`importlib.resources`, which also finds what lies in archives, takes
    as long to load as some games.)"""
    spec = find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not places:
        raise ModuleNotFoundError(f"there is no package {name}")
    return Path(places[0])


def files_below(folder: Path, *endings: str) -> list[Path]:
    """All files with these endings, also in folders inside. Hidden folders (`.git`) are somebody else's; links to
    folders are not followed."""
    found: list[Path] = []
    for here, inner, names in os.walk(folder, followlinks=False):
        inner[:] = [name for name in inner if not name.startswith(".")]
        found += [Path(here, name) for name in names if name.endswith(endings)]
    return sorted(path for path in found if path.is_file())


def is_hidden(path: Path, folder: Path) -> bool:
    """Whether a path goes through a hidden folder of this one, or leads out of it."""
    return not path.is_relative_to(folder) or any(part[:1] == "." for part in path.relative_to(folder).parts)
