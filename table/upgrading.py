"""A ruleset of version 1 brought to version 2: tried in a copy of its folder, and written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ichiba.dsl.faults.fault import Fault, Faults, RulesetFaults
from ichiba.dsl.faults.source import Source, Span
from ichiba.dsl.files.folders import files_below
from ichiba.dsl.files.writing import overwrite
from ichiba.dsl.formatting.embedded import SCENARIOS
from ichiba.dsl.formatting.formatting import ENDINGS, formatted
from ichiba.dsl.formatting.upgrade.folder import Upgraded, upgraded
from ichiba.dsl.yaml.reading import MARK, load_source
from ichiba.interpreter.strangers import door
from ichiba.table.formatting import Sheet
from ichiba.table.repairing import repair, repair_wording


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of a ruleset: a sheet for each of its files, what is called otherwise, or why nothing is written."""

    folder: Path
    sheets: dict[Path, Sheet] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    @property
    def changed(self) -> dict[Path, Sheet]:
        return {path: sheet for path, sheet in self.sheets.items() if sheet.changed}


def upgrade(folder: Path) -> Outcome:
    """What the files of a ruleset would be in version 2, if it can be played then."""
    try:
        before, made, faults = door.read(folder, _read, folder)
    except RulesetFaults as stopped:
        return Outcome(folder, faults=stopped.faults)
    if made is None:
        return Outcome(folder, faults=faults)
    sheets = {folder / path: Sheet(_shown(folder / path), text, made.texts[path]) for path, text in before.items()}
    outcome = Outcome(folder, sheets, made.renamed)
    return _repaired(outcome) if outcome.changed else outcome


def _read(folder: Path) -> tuple[dict[str, str], Upgraded | None, tuple[Fault, ...]]:
    faults = Faults()
    sources: dict[str, Source] = {}
    for path in files_below(folder, *ENDINGS):
        source = load_source(path, _shown(path), faults) if not path.is_symlink() else None
        if source is not None:
            sources[path.relative_to(folder).as_posix()] = source
    made = upgraded(sources, faults) if not faults.errors else None
    return {path: source.text for path, source in sources.items()}, made, tuple(faults.all)


def _shown(path: Path) -> str:
    near = os.path.relpath(path)
    return near if not near.startswith("..") else str(path)


def _repaired(outcome: Outcome) -> Outcome:
    """What hangs on meaning is repaired where that is certain, in a copy of the folder; what is wrong still is told."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place).resolve() / outcome.folder.name
        shutil.copytree(outcome.folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".*"))
        for path, sheet in outcome.changed.items():
            (copy / path.relative_to(outcome.folder)).write_bytes(sheet.content)
        checked, _ = repair(copy)
        wrong = [fault for fault in checked.faults if fault.severity == "error"]
        if wrong:
            return replace(outcome, faults=tuple(_at_home(fault, copy, outcome.folder) for fault in wrong))
        if any(path.name.endswith(SCENARIOS) for path in outcome.sheets):
            repair_wording(copy)
        sheets = {path: _laid_out(sheet, copy / path.relative_to(outcome.folder)) for path, sheet in outcome.sheets.items()}
        faults = tuple(fault for sheet in sheets.values() for fault in sheet.faults)
        return replace(outcome, sheets=sheets, faults=faults)


def _laid_out(sheet: Sheet, copy: Path) -> Sheet:
    """A file as its copy is, and as `ichiba fmt` leaves it."""
    faults = Faults()
    source = load_source(copy, sheet.shown, faults)
    new = formatted(source, faults) if source is not None else None
    return replace(sheet, after=sheet.after if new is None else new, faults=tuple(faults.all))


def _at_home(fault: Fault, copy: Path, folder: Path) -> Fault:
    """A fault of the copy, told of the file that it is a copy of."""

    def place(span: Span) -> Span:
        path = Path(os.path.abspath(span.source.path))
        if not path.is_relative_to(copy):
            return span
        return replace(span, source=Source(_shown(folder / path.relative_to(copy)), span.source.text))

    second = (place(fault.second[0]), fault.second[1]) if fault.second is not None else None
    return replace(fault, span=place(fault.span) if fault.span is not None else None, second=second)


def write(outcome: Outcome) -> None:
    """Writes all files, or none: when one cannot be written those before it are as they were. Raises `OSError`."""
    done: list[tuple[Path, bytes]] = []
    try:
        for path, sheet in outcome.changed.items():
            old = path.read_bytes()
            mark = MARK.encode("utf-8") if old.startswith(MARK.encode("utf-8")) else b""
            overwrite(path.resolve(), mark + sheet.content)
            done.append((path, old))
    except OSError:
        for path, old in done:
            overwrite(path.resolve(), old)
        raise
