"""Files that somebody is working on: what has changed in them since the last look."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from ichiba.interpreter.strangers.door import MOST_FILES, TEXTS

PAUSE = 0.3  # seconds from one look to the next


class Watching:
    """The rules and declarations in some folders. Nothing is asked of the system but how large and how old a file is."""

    def __init__(self, places: Iterable[Path]):
        self.places = tuple(places)
        self.known = self._stamps()

    def changed(self) -> list[str]:
        """The files that are new, gone or other than at the last look, each as seen from its folder."""
        before, self.known = self.known, self._stamps()
        return sorted({shown for (shown, _), _ in before.items() ^ self.known.items()})

    def wait(self) -> list[str]:
        """Until something has changed."""
        while not (found := self.changed()):
            time.sleep(PAUSE)
        return found

    def _stamps(self) -> dict[tuple[str, Path], tuple[int, int]]:
        found = {}
        for place in self.places:
            for path in islice(_texts(place), MOST_FILES):
                try:
                    stamp = path.stat()
                except OSError:  # it went away in this very moment
                    continue
                found[_shown(place, path), path] = stamp.st_mtime_ns, stamp.st_size
        return found


def _texts(place: Path) -> Iterator[Path]:
    """What could be read for a game; nothing in hidden folders, and no link to a folder is followed."""
    if place.is_file():
        yield place
    for folder, inside, names in os.walk(place):
        inside[:] = [name for name in inside if not name.startswith(".")]
        yield from (Path(folder, name) for name in names if name.endswith(TEXTS) and not name.startswith("."))


def _shown(place: Path, path: Path) -> str:
    return path.name if path == place else path.relative_to(place).as_posix()
