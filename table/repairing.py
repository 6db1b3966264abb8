"""Repairs that are certain, written into a ruleset's files: round by round, since a fault may stand in front of another."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from ichiba.dsl.faults.fault import Edit, Faults
from ichiba.dsl.files.writing import overwrite
from ichiba.dsl.yaml.reading import MARK, load_bytes, source_of
from ichiba.lab.scenarios import Report, run_scenarios
from ichiba.lab.wording import Known, repairs_in
from ichiba.table.checking import Checked, check
from ichiba.table.refusal import Refusal

Looked = TypeVar("Looked", Checked, Report)
MOST_ROUNDS = 100  # each takes a fault away that stood in front of others


def repair(folder: Path, quick: bool = False, elsewhere: tuple[Path, ...] = ()) -> tuple[Checked, dict[Path, int]]:
    """Checks a ruleset, and writes all repairs that are certain into the files of its folder: what is wrong still, and how many
    places were repaired, by file. Of a module from elsewhere only its own files are repaired."""
    return _rounds(lambda: check(folder, quick, elsewhere=elsewhere), lambda checked: (edit for fault in checked.faults for edit in fault.repair))


def repair_scenarios(place: str, only: str = "", changed: bool = False) -> tuple[Report, dict[Path, int]]:
    """Plays the scenarios of a ruleset, and repairs what is wrong with how they are written. `changed`: those that have held as
    they stand are not played again."""
    return _rounds(lambda: run_scenarios(place, only, changed=changed), _edits_of)


def repair_wording(folder: Path) -> None:
    """Repairs what is wrong with how the scenarios of a ruleset are written, without playing them."""
    known: Known = {}
    for _ in range(MOST_ROUNDS):
        done = dict(repaired_files(folder, repairs_in(folder, known)))
        for path, (text, _) in done.items():
            overwrite(path, text.encode("utf-8"))
        if not done:
            return


def _edits_of(report: Report) -> Iterator[Edit]:
    return (edit for result in report.results for failure in result.failures for edit in failure.repair)


def _rounds(look: Callable[[], Looked], edits: Callable[[Looked], Iterable[Edit]]) -> tuple[Looked, dict[Path, int]]:
    places: dict[Path, int] = {}
    found = look()
    for _ in range(MOST_ROUNDS):
        done = dict(repaired_files(found.elsewhere[0] if found.elsewhere else found.folder, edits(found)))
        if not done:
            break
        for path, (text, many) in done.items():
            try:
                overwrite(path, text.encode("utf-8"))
            except OSError as fault:
                why = (fault.strerror or "it cannot be written").lower()
                raise Refusal(f"ichiba: {os.path.relpath(path)} is left as it was: {why}") from None
            places[path] = places.get(path, 0) + many
        found = look()
    return found, places


def repaired_files(folder: Path, edits: Iterable[Edit]) -> Iterator[tuple[Path, tuple[str, int]]]:
    """The files of the folder for which there are repairs, each with its new text and in how many places that is another.
    A file that is no longer what was looked at is left alone, and so is whatever a link leads to."""
    home = folder.resolve()
    wanted: dict[str, dict[tuple[int, int, str], Edit]] = {}
    for edit in edits:
        wanted.setdefault(edit.span.source.path, {})[edit.span.start, edit.span.end, edit.text] = edit
    for shown, its in wanted.items():
        places = (Path(os.path.abspath(shown)), home.parent / shown)
        path = next((path for path in places if path.is_file() and path.resolve().is_relative_to(home)), None)
        if path is None or path.is_symlink():
            continue
        data = load_bytes(path, shown, Faults())
        source = source_of(data, shown, Faults()) if data is not None else None
        if data is None or source is None or source.text != next(iter(its.values())).span.source.text:
            continue
        text, many = edited(source.text, its.values())
        if many:
            yield path, ((MARK if data.startswith(MARK.encode("utf-8")) else "") + text, many)


def edited(text: str, edits: Iterable[Edit]) -> tuple[str, int]:
    """A text with these edits; of two that overlap the first is made, the other in the next round."""
    made, at, many = [], 0, 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        if edit.span.start < at or edit.span.start == at and many and not edit.span.text:
            continue
        made += [text[at : edit.span.start], edit.text]
        at, many = edit.span.end, many + 1
    return "".join([*made, text[at:]]), many


def tell_repaired(places: dict[Path, int]) -> None:
    """What was repaired, beside what is for programs."""
    for path, many in places.items():
        print(f"{os.path.relpath(path)}: {many} place{'s' if many > 1 else ''} repaired", file=sys.stderr)
