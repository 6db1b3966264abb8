"""A disk on which the power fails at the n-th step: what had not been synced is then lost, torn, or was never cut away."""

from __future__ import annotations

import os
from pathlib import Path

from ichiba.dsl.files import writing

DAMAGES = ("content is dropped", "content is torn", "names are forgotten")


class PowerCut(BaseException):
    """From here on nothing is done any more."""


class Failing(writing.Disk):
    """Of a file that was written anew all is damaged, of one that was added to its end. Where names are forgotten, so is that
    a file was made shorter; and what was added there are zeros, since only its length has reached the disk."""

    def __init__(self, at: int, damage: str):
        self.at, self.damage, self.step = at, damage, 0
        self.unsynced: dict[int, Path] = {}
        self.renamed: list[tuple[Path, Path, bytes | None]] = []
        self.added: dict[int, int] = {}  # by file: how much of it was there and synced
        self.shortened: dict[int, bytes] = {}  # by file: all that was there before

    def _next(self) -> None:
        self.step += 1
        if self.step == self.at:
            self.lose()
            raise PowerCut

    def lose(self) -> None:
        """What was not said to be on the disk is lost: names first, then content."""
        for old, new, before in reversed(self.renamed):
            if self.damage == "names are forgotten":
                os.replace(new, old)
                if before is not None:
                    new.write_bytes(before)
        for path in self.unsynced.values():
            if path.exists():
                content = path.read_bytes()
                path.write_bytes(b"" if self.damage == "content is dropped" else content[: len(content) // 2])
        for file, synced in self.added.items():
            more = os.fstat(file).st_size - synced
            os.ftruncate(file, synced + more // 2 if self.damage == "content is torn" else synced)
            if self.damage == "names are forgotten":
                os.ftruncate(file, synced + more)
        if self.damage == "names are forgotten":
            for file, content in self.shortened.items():
                os.ftruncate(file, 0)
                os.write(file, content)

    def create(self, path: Path, mode: int) -> int:
        self._next()
        file = super().create(path, mode)
        self.unsynced[file] = path
        return file

    def write(self, file: int, content: bytes) -> int:
        self._next()
        if file not in self.unsynced:
            self.added.setdefault(file, os.fstat(file).st_size)
        return super().write(file, content[: max(1, len(content) // 2)])  # a disk may take less than it is given

    def shorten(self, file: int, size: int) -> None:
        self._next()
        self.shortened.setdefault(file, os.pread(file, os.fstat(file).st_size, 0))
        super().shorten(file, size)
        if file in self.added:
            self.added[file] = min(size, self.added[file])

    def sync(self, file: int) -> None:
        self._next()
        super().sync(file)
        self.unsynced.pop(file, None)
        self.added.pop(file, None)
        self.shortened.pop(file, None)

    def close(self, file: int) -> None:
        if file in self.added:  # its number may become another's
            self.added[os.dup(file)] = self.added.pop(file)
        super().close(file)
        if path := self.unsynced.pop(file, None):  # its number may become another's
            self.unsynced[-1 - len(self.renamed) - self.step] = path

    def replace(self, old: Path, new: Path) -> None:
        self._next()
        before = new.read_bytes() if new.exists() else None
        super().replace(old, new)
        self.renamed.append((old, new, before))
        for file, path in self.unsynced.items():
            if path == old:
                self.unsynced[file] = new

    def sync_folder(self, folder: Path) -> None:
        self._next()
        super().sync_folder(folder)
        self.renamed.clear()

    def remove(self, path: Path) -> None:
        """Nobody tidies up after a power cut."""
