"""Where the results of many games are kept: a line for each, and what the run is. One command at a time writes there."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from ichiba.dsl.faults.fault import LONG, echoed
from ichiba.dsl.files import writing
from ichiba.dsl.files.writing import read_regular, write_text
from ichiba.lab.results.reading import row_of
from ichiba.table.refusal import FAULT, Refusal
from ichiba.table.simulation.games import Row, spelled

ROWS = "games.jsonl"
LARGEST_ABOUT = 2**20


@dataclass(slots=True)
class Store:
    """The lines of a run and, beside them, what the run is."""

    rows: Path
    about: Path
    file: int = field(default=-1, compare=False)

    @staticmethod
    def at(place: str) -> Store:
        """A folder, or one file whose name ends with .jsonl."""
        path = Path(place)
        if path.suffix == ".jsonl":
            return Store(path, path.with_suffix(".run.json"))
        return Store(path / ROWS, path / "run.json")

    @property
    def place(self) -> Path:
        """As it was typed, more or less."""
        return self.rows.parent if self.rows.name == ROWS else self.rows

    # -------------------------------------------------------------------------------------------- one at a time

    @contextmanager
    def held(self) -> Iterator[Store]:
        """While this lasts nobody else writes there. A file that stays empty is taken away again."""
        writing.make_folder(self.rows.parent)
        self.file = self._locked()
        try:
            yield self
        finally:
            with suppress(OSError):
                if not os.fstat(self.file).st_size and not self.about.exists():
                    self.rows.unlink(missing_ok=True)
            os.close(self.file)
            self.file = -1

    def _locked(self) -> int:
        while True:
            file = os.open(self.rows, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0), 0o666)
            try:
                if not stat.S_ISREG(os.fstat(file).st_mode):
                    raise Refusal(f"ichiba simulate: {echoed(str(self.rows), LONG)} is no file to keep results in")
                self._lock(file)
                with suppress(OSError):  # whoever held it before may have taken the file away
                    if os.path.samestat(os.fstat(file), os.stat(self.rows)):
                        return file
            except BaseException:
                os.close(file)
                raise
            os.close(file)

    def _lock(self, file: int) -> None:
        try:
            import fcntl
        except ImportError:  # a system that locks in another way: there it is up to whoever starts two
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refusal(f"ichiba simulate: another command is writing to {self.place} just now") from None
        except OSError:  # a disk without locks
            return

    # ------------------------------------------------------------------------------------------------- what is there

    @property
    def records(self) -> Path:
        """Where it stands what the rules have recorded: a line for each row, with the number of its game."""
        return self._beside("records")

    @property
    def courses(self) -> Path:
        """Where it stands how the first games went: a line for each."""
        return self._beside("courses")

    def _beside(self, name: str) -> Path:
        return self.rows.with_name(f"{name}.jsonl" if self.rows.name == ROWS else f"{self.rows.stem}.{name}.jsonl")

    def broken(self, number: int) -> Path:
        """Where a game is kept that broke off."""
        head = "" if self.rows.name == ROWS else f"{self.rows.stem}."
        return self.rows.with_name(f"{head}broken-{number}.json")

    def known(self) -> Row | None:
        """What run lies there; None when there is none."""
        try:
            content = json.loads(read_regular(self.about, LARGEST_ABOUT))
        except (OSError, ValueError, RecursionError):
            return None
        sound = isinstance(content, dict) and content.get("ichiba") == "run"
        return content if sound and type(content.get("seed")) in (int, str) else None

    def exists(self) -> bool:
        with suppress(OSError):
            return self.about.exists() or os.stat(self.rows).st_size > 0
        return self.about.exists()

    def read_by(self, command: str, shown: str) -> Row:
        """What run lies there, for a command that reads it. Raises `Refusal` where there is none."""
        known = self.known()
        if known is None and self.exists():
            raise Refusal(f"ichiba {command}: {shown} holds something that is no run of this version: {self.about.name} does not say what was played")
        if known is None or not self.rows.exists():
            raise Refusal(f"ichiba {command}: in {shown} there are no results; `ichiba simulate GAME --out {shown}` makes some")
        return known

    def begin(self, about: Row) -> None:
        """Another run: the games of the one before go first, so that they are never taken for its own."""
        if os.fstat(self.file).st_size:
            writing.disk.shorten(self.file, 0)
            self.settle()
        for path in (self.records, self.courses):
            path.unlink(missing_ok=True)
        write_text(self.about, json.dumps(about, ensure_ascii=False, indent=1) + "\n")

    def done(self) -> Iterator[Row]:
        """The games that are there already, one by one; behind the last of them a line that was cut off is cut away."""
        whole = 0
        with os.fdopen(os.dup(self.file), "rb") as file:
            file.seek(0)
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                yield self._row(number, line)
                whole += len(line)
        if os.fstat(self.file).st_size > whole:
            writing.disk.shorten(self.file, whole)

    def _row(self, number: int, line: bytes) -> Row:
        try:
            row = row_of(line)
        except ValueError:
            row = None
        wrong = wrong_with(row, number)
        if wrong:
            raise Refusal(
                f"ichiba simulate: line {number} of {echoed(str(self.rows), LONG)} is no game of this run: {wrong}; "
                "--force begins it anew", FAULT,
            )  # fmt: skip
        return cast(Row, row)

    def add(self, lines: list[str]) -> None:
        """Games more: whole lines, or none. Raises `Refusal` when the disk is full."""
        if lines:
            _append(self.file, self.rows, lines)

    def add_beside(self, path: Path, rows: list[Row]) -> None:
        """What belongs to games, before their own lines: of a game without a line nothing is kept in the end. It is on the disk
        before the lines are written, so that no game has a line and has lost what belongs to it."""
        if not rows:
            return
        new = not path.exists()
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            _append(file, path, [spelled(row) + "\n" for row in rows], lasting=True)
        finally:
            writing.disk.close(file)
        if new:
            writing.disk.sync_folder(path.parent)

    def keep_only(self, games: int) -> None:
        """Of games that have no line nothing is kept. Their rows stand behind all others."""
        for path in (self.records, self.courses):
            self._keep_only(path, games)

    def _keep_only(self, path: Path, games: int) -> None:
        with suppress(FileNotFoundError), open(path, "r+b") as file:
            whole = 0
            for line in file:
                if not line.endswith(b"\n") or _game_of(line) > games:
                    break
                whole += len(line)
            if os.fstat(file.fileno()).st_size > whole:
                writing.disk.shorten(file.fileno(), whole)
                writing.disk.sync(file.fileno())

    def settle(self) -> None:
        """All of it is on the disk."""
        for path in (self.records, self.courses):
            with suppress(OSError):
                file = os.open(path, os.O_RDWR)
                try:
                    writing.disk.sync(file)
                finally:
                    os.close(file)
        with suppress(OSError):
            writing.disk.sync(self.file)


def _append(file: int, path: Path, given: list[str], lasting: bool = False) -> None:
    """Whole lines, or none; `lasting`: which outlast a power cut. Raises `Refusal` when the disk is full."""
    lines = "".join(given).encode()
    before = os.fstat(file).st_size
    try:
        left = memoryview(lines)
        while left:
            left = left[writing.disk.write(file, bytes(left)) :]
        if lasting:
            writing.disk.sync(file)
    except OSError as fault:
        with suppress(OSError):
            os.ftruncate(file, before)
        why = (fault.strerror or "it cannot be written").lower()
        raise Refusal(
            f"ichiba simulate: {echoed(str(path), LONG)}: {why}; the games before it are kept, and the same command goes on",
            FAULT,
        ) from None


def _game_of(line: bytes) -> int:
    """The number of the game that a row belongs to; of what is no row more than there are games."""
    try:
        return int(row_of(line)["game"])  # type: ignore[index]
    except (ValueError, TypeError, LookupError):
        return sys.maxsize


def wrong_with(row: object, number: int) -> str:
    """Why something is no line of results; nothing if it is one."""
    if not isinstance(row, dict):
        return "it is no map"
    if type(row.get("game")) is not int or row["game"] != number:
        return f"it should be game {number}"
    if isinstance(row.get("broken"), str):
        return ""
    scores, ranking = row.get("scores"), row.get("ranking")
    if not isinstance(scores, dict) or not scores or any(type(score) is not int for score in scores.values()):
        return "its scores are no numbers"
    if not isinstance(ranking, list) or not ranking or not all(isinstance(place, list) and place for place in ranking):
        return "its ranking is none"
    if not {str(seat) for place in ranking for seat in place} <= set(scores):
        return "its ranking names other seats than its scores"
    for key in ("decisions", "turns"):
        if type(row.get(key, 0)) is not int:
            return f"its {key} are no number"
    if not isinstance(row.get("ending"), str | None):
        return "its ending is no text"
    return ""


__all__ = ["ROWS", "Row", "Store", "wrong_with"]
