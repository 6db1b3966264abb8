"""Files laid out anew: which they are, each read through the door, and what would stand in it."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ichiba.dsl.faults.fault import Fault, Faults, RulesetFaults
from ichiba.dsl.files.folders import files_below
from ichiba.dsl.formatting.formatting import ENDINGS, formatted
from ichiba.dsl.yaml.reading import MARK, MAX_BYTES, load_bytes, source_of
from ichiba.interpreter.strangers import door
from ichiba.table.refusal import Refusal

TOGETHER = MAX_BYTES  # so much of a stranger's text is laid out by one process, which has only so much time


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file, by the name it is told under: what stands in it, and what should; or what is wrong with it."""

    shown: str
    before: str = ""
    after: str = ""
    faults: tuple[Fault, ...] = ()

    @property
    def changed(self) -> bool:
        return not self.faults and self.after != self.before

    @property
    def content(self) -> bytes:
        return self.after.encode("utf-8")

    def difference(self) -> str:
        """What would change, as `diff -u` tells it."""
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), self.shown, self.shown)
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    return lines[:-1] if lines[-1] == "\n" else [*lines[:-1], lines[-1][:-1]]


def sheet_of(data: bytes, shown: str) -> Sheet:
    """A text laid out anew."""
    faults = Faults()
    source = source_of(data, shown, faults)
    new = formatted(source, faults) if source is not None else None
    if source is None or new is None:
        return Sheet(shown, faults=faults.all)
    mark = MARK if data.startswith(MARK.encode("utf-8")) else ""
    return Sheet(shown, mark + source.text, mark + new)


def sheet_in(path: Path, shown: str) -> Sheet:
    """A file laid out anew."""
    faults = Faults()
    data = load_bytes(path, shown, faults)
    return sheet_of(data, shown) if data is not None else Sheet(shown, faults=faults.all)


def files_at(places: Iterable[str]) -> dict[Path, str]:
    """The files of rules and of YAML that were asked for, and how to tell of them. In a folder links are passed over: what
    they lead to is laid out where it lies."""
    found: dict[Path, str] = {}
    for place in places:
        path = Path(place)
        if path.is_dir():
            inside = [file for file in files_below(path, *ENDINGS) if not file.is_symlink()]
            if not inside:
                raise Refusal(f"ichiba fmt: {place} holds no files of rules (.rules) or of YAML (.yaml)")
            found |= {Path(os.path.abspath(file)): str(file) for file in inside}
        elif not path.name.endswith(ENDINGS):
            raise Refusal(f"ichiba fmt: {place} is no folder and no file of rules (.rules) or of YAML (.yaml)")
        else:
            found[Path(os.path.abspath(path))] = place
    return found


def sheets(files: dict[Path, str]) -> Iterator[tuple[Path, Sheet]]:
    """Each of these files laid out anew. Those of a ruleset that nobody vouches for are read in a process with limits."""
    homes: dict[Path, list[Path]] = {}
    for path in files:
        homes.setdefault(_home(path), []).append(path)
    for home, paths in homes.items():
        for some in [paths] if door.trusted(home) else _portions(paths):
            read = 0
            try:
                for sheet in door.read_each(home, sheet_in, [(path, files[path]) for path in some]):
                    yield some[read], sheet
                    read += 1
            except RulesetFaults as stopped:
                yield some[read], Sheet(files[some[read]], faults=stopped.faults)
                break


def _home(path: Path) -> Path:
    """The ruleset that a file belongs to, else the folder it lies in."""
    return next((above for above in path.parents if (above / "game.yaml").is_file()), path.parent)


def _portions(paths: list[Path]) -> Iterator[list[Path]]:
    portion: list[Path] = []
    size = 0
    for path in paths:
        own = path.stat().st_size if path.is_file() else 0
        if portion and size + own > TOGETHER:
            yield portion
            portion, size = [], 0
        portion.append(path)
        size += own
    yield portion
