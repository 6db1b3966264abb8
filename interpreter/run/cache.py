"""The on-disk cache of games that were loaded, so that the second time is quick; any error is a miss."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from ichiba.dsl.files import disk_cache
from ichiba.dsl.files.folders import files_below
from ichiba.dsl.files.pickling import pickled, unpickled
from ichiba.dsl.files.writing import read_regular
from ichiba.dsl.yaml.reading import MAX_BYTES

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

KEPT_FILES = 200


@cache
def engine() -> str:
    """The engine's own files, by name, size and time: another engine shares nothing."""
    total = hashlib.sha256(sys.version.encode())
    root = Path(__file__).resolve().parents[2]
    for room in ("dsl", "interpreter", "validator"):
        for path in sorted((root / room).rglob("*")):
            if path.suffix in (".py", ".lark", ".c"):
                stat = path.stat()
                total.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}".encode())
    return total.hexdigest()


def key_of(folders: Sequence[Path], library: Path, asked: object) -> str:
    """Everything that what is kept depends on; `folders`: the ruleset's, and those of modules that lie elsewhere; `asked`: the
    setting, as it was asked for."""
    total = hashlib.sha256(engine().encode())
    total.update(repr((*map(str, folders), asked)).encode())
    for root in (*folders, library):
        for path in files_below(root, ".yaml", ".rules"):
            if not path.name.endswith(".scenario.yaml"):
                content = read_regular(path, MAX_BYTES)
                total.update(os.fsencode(path) + b"\0%d\0" % len(content))
                total.update(content)
    return total.hexdigest()[:32]


def fetch(key: str) -> Game | None:
    """A game that was kept, ready to play."""
    raw = disk_cache.fetch(f"{key}.game")
    if raw is None:
        return None
    from ichiba.interpreter.run.game import undump

    try:
        game = undump(unpickled(raw))  # what bears our seal we have written ourselves
    except Exception:  # of another time
        return None
    game.worked_out.keep = partial(keep, key)
    return game


def keep(key: str, game: Game, made: bytes | None = None) -> None:
    """Write a game to the cache: what has been made of it. Who makes the build that tells everything keeps it once more. `made`: as it
    was put away already."""
    game.worked_out.keep = partial(keep, key)
    if disk_cache.place() is None:
        return
    from ichiba.interpreter.run.game import dump

    try:
        content = pickled(dump(game)) if made is None else made
    except (pickle.PicklingError, RecursionError):
        return
    disk_cache.keep(f"{key}.game", content, KEPT_FILES)
