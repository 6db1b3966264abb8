"""Where games are kept between evenings: by themselves under a name, or in a file somebody chose."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ichiba.dsl.files.writing import make_folder, write_whole
from ichiba.dsl.yaml.configuration import files_of_presets
from ichiba.interpreter.elsewhere import kept_as
from ichiba.interpreter.saves.saved import Saved, SaveFault, read_save, written
from ichiba.table.refusal import Refusal

if TYPE_CHECKING:
    from ichiba.interpreter.run.table import Table

LAST = "last"
SUFFIX = ".json"
TABLE = ".yaml"  # of a table that was kept: how it is set up, without a game
BROKEN = "broken"  # the folder of games that broke off in simulations; `last` is none of them


def home() -> Path:
    """The folder of games that were kept under a name. `ICHIBA_SAVES` says another."""
    if given := os.environ.get("ICHIBA_SAVES"):
        return Path(given)
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "ichiba" / "saves"


def home_of_tables() -> Path:
    """The folder of tables that were kept: how they were set up, and who sat there."""
    return home().parent / "tables"


def path_of_table(name: str) -> Path | None:
    """Where a table is kept: under a name of its own, or in a file that somebody names; None if that is neither."""
    if (name.endswith(TABLE) or os.sep in name) and not name.endswith(os.sep):
        path = Path(name).expanduser()
        return path if path.suffix == TABLE else path.with_name(path.name + TABLE)
    return home_of_tables() / f"{name}{TABLE}" if re.fullmatch(r"[a-z][a-z0-9_]*", name) else None


def kept_table(name: str, folder: Path | None) -> Path | None:
    """The table that was kept under a name; one that the ruleset brings along under that name is meant before it."""
    path = path_of_table(name)
    if path is None or path.parent != home_of_tables() or folder is not None and name in files_of_presets(folder):
        return None
    return path if path.is_file() else None


def new_path(game: str, inside: str = "") -> Path:
    """A file that is not there yet, named after the game and the hour."""
    folder = home() / inside
    try:
        make_folder(folder)
    except OSError:
        folder = Path(tempfile.gettempdir())
    stem = f"{game}-{time.strftime('%Y%m%d-%H%M%S')}"
    number = 1
    while (path := folder / f"{stem}{f'-{number}' if number > 1 else ''}{SUFFIX}").exists():
        number += 1
    return path


def find(name: str) -> Path:
    """The file that is meant: a path, the name of a kept game, or `last`."""
    path = Path(name)
    if path.is_file():
        return path
    kept = sorted(home().glob("*" + SUFFIX), key=lambda p: p.stat().st_mtime) if home().is_dir() else []
    if name == LAST and kept:
        return kept[-1]
    for candidate in kept:
        if candidate.stem == name or candidate.name == name:
            return candidate
    from ichiba.dsl.faults.fault import nearest

    hint = nearest(name, [candidate.stem for candidate in kept])
    raise Refusal(
        f"ichiba: there is no saved game {name}"
        + (f"; did you mean {hint}?" if hint else f" (games kept by themselves are in {home()})")
    )


def write(table: Table, path: Path, bots: Mapping[int, str]) -> None:
    """Save a table, and who sits there besides people; written whole or not at all. Raises `OSError`, `SaveFault`."""
    from ichiba.interpreter.saves.records import save

    make_folder(path.parent)
    save(table, path, bots)


def keep_broken(content: dict[str, Any], path: Path) -> None:
    """A game that broke off, for `ichiba replay`."""
    make_folder(path.parent)
    write_whole(path, written(content))


def broken(path: Path) -> str:
    """Why a game broke off behind its last answer, in a sentence; nothing if it did not."""
    saved = read(path)
    if saved is None or saved.broken is None:
        return ""
    why, answer = saved.broken
    return f"it broke off {f'at the answer `{answer}`' if answer else 'here'}: {why}"


def read(path: Path) -> Saved | None:
    """What a file holds; None when it is no saved game."""
    try:
        return read_save(path)
    except SaveFault:
        return None


def rules_have_changed(path: Path, table: Table) -> bool:
    """Whether a game that goes on was played with other rules than there are now."""
    from ichiba.interpreter.saves.records import ruleset_hash

    saved = read(path)
    return saved is not None and saved.ruleset != ruleset_hash(table.game)


def bots_in(path: Path) -> dict[int, str]:
    """Who sat there besides people."""
    saved = read(path)
    return {} if saved is None else {seat: name for seat, name in saved.bots.items() if seat <= saved.seats}


def is_same_game(path: Path, table: Table) -> bool:
    """Whether a file holds an earlier or later moment of this very game."""
    saved, game = read(path), table.game
    if saved is None:
        return False
    about = (saved.game, saved.seed, saved.seats, saved.modules, saved.variants)
    if about != (game.name, table.seed, game.seats, tuple(map(kept_as, game.config.modules)), tuple(game.config.variants)):
        return False
    answers = tuple((seat + 1, code) for seat, code in table.history)
    both = min(len(answers), len(saved.answers))
    return answers[:both] == saved.answers[:both]


def what_is_in(path: Path) -> str:
    """A file in a few words, for the question whether to write over it."""
    saved = read(path)
    if saved is None:
        return "something that is no saved game"
    return f"another game ({saved.game}, {len(saved.answers)} answers)"
