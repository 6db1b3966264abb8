"""The one door to rulesets. What nobody vouches for is first looked over from outside, then read in a process with limits.

Trusted are the rulesets that Ichiba brings along and the folders that somebody names: `--trust`, `load(…, trust=True)`,
`ICHIBA_TRUST`. Whatever comes from elsewhere, installed packages included, is a stranger's. `docs/strangers.md` has it all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from ichiba.dsl.faults.fault import Faults, RulesetFaults, quote
from ichiba.dsl.parts import parts_of
from ichiba.dsl.ruleset import library_folder
from ichiba.dsl.syntax.parse import at_hand
from ichiba.interpreter.strangers.child import NoProcess, TooMuch, each

MOST_FILES = 2_000  # in a folder, whatever they are
MOST_BYTES = 64 * 2**20  # of all of them
MOST_TEXT = 192 * 2**10  # of the files that are read for a game
MOST_LANGUAGES = 256 * 2**10  # of those that only say it in other words
MOST_SCENARIOS = 1_024 * 2**10  # of its scenarios
MOST_PARTS = 64  # modules and variants
MOST_PRESETS = 64
MOST_DEEP = 12  # folders inside each other
LONGEST_NAME = 120
TEXTS = (".yaml", ".rules")
PARTS = ("modules", "variants")
SCENARIOS = ".scenario.yaml"
HINT = "a ruleset that you trust is read without limits: `--trust`, or ICHIBA_TRUST with its folder"

Given = ParamSpec("Given")
Found = TypeVar("Found")


# ------------------------------------------------------------------------------------------------- whom we trust


def trusted(folder: Path) -> bool:
    """What Ichiba brings along, and what somebody vouches for: ICHIBA_TRUST=1, or a list of folders."""
    said = os.environ.get("ICHIBA_TRUST", "")
    if said == "1":
        return True
    try:
        here = folder.resolve()
        homes = [library_folder().resolve().parent, *(Path(one).resolve() for one in said.split(os.pathsep) if os.path.isabs(one))]
    except (OSError, RuntimeError):  # links in a circle
        return False
    return any(here.is_relative_to(home) for home in homes)


def vouched_for(folders: Iterable[Path]) -> bool:
    """Whether all of these are trusted: one stranger among them, and they are read as a stranger's."""
    return all(trusted(folder) for folder in folders)


# ------------------------------------------------------------------------------------------------- the survey


def look_over(folders: Iterable[Path]) -> None:
    """The survey of each that nobody vouches for."""
    for folder in folders:
        if not trusted(folder):
            survey(folder)


def survey(folder: Path) -> None:
    """A look at the folder before anything in it is read: plain files and folders, all of them inside, and not too many.
    Raises `RulesetFaults`."""
    try:
        root = folder.resolve(strict=True)
    except (OSError, RuntimeError):
        raise _refused(folder.name, "it leads nowhere, or in a circle") from None
    files = size = text = languages = scenarios = parts = presets = 0
    todo = [(root, 0)]
    while todo:
        place, depth = todo.pop()
        for entry in _entries(place, root):
            path = Path(entry.path)
            shown = path.relative_to(root).as_posix()
            files += 1
            if files > MOST_FILES:
                raise too_large(f"more than {MOST_FILES:,} files")
            parts += depth == 1 and place.name in PARTS
            if parts > MOST_PARTS:
                raise too_large(f"more than {MOST_PARTS} modules and variants")
            presets += depth == 1 and place.name == "configs"
            if presets > MOST_PRESETS:
                raise too_large(f"more than {MOST_PRESETS} presets")
            if entry.is_dir(follow_symlinks=False):
                if depth or not entry.name.startswith("."):  # nothing is read in `.git` and the like
                    _fit_name(entry.name, shown)
                    todo.append((path, depth + 1))
                if depth >= MOST_DEEP:
                    raise too_large(f"folders in folders, more than {MOST_DEEP} deep")
                continue
            _fit_name(entry.name, shown)
            found = _plain_file(path, shown, root)
            size += found
            if entry.name.endswith(SCENARIOS):
                scenarios += found
            elif of_a_language(shown):
                languages += found
            elif entry.name.endswith(TEXTS):
                text += found
            _keep_to(size, MOST_BYTES, "")
            _keep_to(text, MOST_TEXT, " of rules and declarations")
            _keep_to(languages, MOST_LANGUAGES, " of texts in its languages")
            _keep_to(scenarios, MOST_SCENARIOS, " of scenarios")


def of_a_language(shown: str) -> bool:
    """Whether a file says in some language what other files declare: `texts/nl.yaml`, `modules/rain/texts/nl.yaml`."""
    *folders, name = shown.split("/")
    return name.endswith(".yaml") and folders[-1:] == ["texts"] and (len(folders) == 1 or len(folders) == 3 and folders[0] in PARTS)


def text_read(places: Sequence[Path]) -> Callable[[Iterable[str]], int]:
    """How much text of rules and declarations is read for a game of a ruleset with these modules and variants: what lies outside of
    them all, and in these. `places`: also the folders of modules that lie elsewhere."""
    folder, *more = places
    homes = {name: part.home or part.path for name, part in parts_of(folder, map(str, more)).items()}
    sizes = {path: size for place in places for path, size in _sizes_of_text(place)}
    of_part = {name: sum(size for path, size in sizes.items() if path.is_relative_to(home)) for name, home in homes.items()}
    plain = sum(sizes.values()) - sum(of_part.values())
    return lambda chosen: plain + sum(of_part.get(name, 0) for name in chosen)


def _sizes_of_text(folder: Path) -> Iterator[tuple[Path, int]]:
    for path in folder.rglob("*"):
        is_one = path.name.endswith(TEXTS) and not path.name.endswith(SCENARIOS) and not of_a_language(path.relative_to(folder).as_posix())
        if is_one and path.is_file():
            yield path, path.stat().st_size


def _entries(place: Path, root: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            return list(entries)
    except OSError:
        raise _refused(place.relative_to(root).as_posix(), "the folder may not be read") from None


def _fit_name(name: str, shown: str) -> None:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise _refused(shown, "its name is not UTF-8", "rename it") from None
    if len(name) > LONGEST_NAME:
        raise _refused(shown, f"its name has more than {LONGEST_NAME} characters", "rename it")
    if not name.isprintable():
        raise _refused(shown, "its name has characters that nobody can see", "rename it")


def _plain_file(path: Path, shown: str, root: Path) -> int:
    """The size of a file; a link inside the folder is what it leads to."""
    try:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            target = path.resolve(strict=True)
            if not target.is_relative_to(root):
                raise _refused(shown, "it leads out of the ruleset's folder", "put the file itself there")
            found = target.stat()
            if stat.S_ISDIR(found.st_mode):
                raise _refused(shown, "it is a link to a folder", "put the folder itself there")
    except (OSError, RuntimeError):
        raise _refused(shown, "it leads nowhere, or in a circle", "remove it, or put the file itself there") from None
    if not stat.S_ISREG(found.st_mode):
        raise _refused(shown, "it is no file but a pipe, a socket or a device", "remove it")
    return found.st_size


def _keep_to(size: int, most: int, of_what: str) -> None:
    if size > most:
        raise too_large(f"more than {most // 1024:,} KB{of_what}")


def _refused(shown: str, why: str, hint: str = "") -> RulesetFaults:
    faults = Faults()
    faults.add("E001", None, f"{quote(shown)} cannot be read: {why}", label=hint)
    return RulesetFaults(faults.all)


def too_large(what: str) -> RulesetFaults:
    """A limit that is counted: the same on every machine."""
    faults = Faults()
    faults.add("E026", None, f"this ruleset holds {what}", label=HINT)
    return RulesetFaults(faults.all)


def too_costly(what: str) -> RulesetFaults:
    """A limit behind the counted ones: on time and memory."""
    faults = Faults()
    faults.add("E025", None, f"this ruleset takes {what} to read", label=HINT)
    return RulesetFaults(faults.all)


def nowhere_to_read(why: str) -> RulesetFaults:
    faults = Faults()
    faults.add("E025", None, f"this ruleset is a stranger's, and it cannot be read in a process with limits: {why}", label=HINT)
    return RulesetFaults(faults.all)


# ------------------------------------------------------------------------------------------------- reading


Places = Path | Sequence[Path]  # a ruleset's folder, or first that and then those of modules that lie elsewhere


def folders_in(places: Places) -> tuple[Path, ...]:
    return (places,) if isinstance(places, Path) else tuple(places)


def read(places: Places, work: Callable[Given, Found], *given: Given.args, **none: Given.kwargs) -> Found:
    """What a function of ours gives that reads this ruleset. A stranger's is read in a process with limits. Raises
    `RulesetFaults`."""
    return next(read_each(places, work, [given]))


def read_file(path: Path, work: Callable[Given, Found], *given: Given.args, **none: Given.kwargs) -> Found:
    """What a function of ours gives that reads one file which somebody names: nothing but that file, in a process with limits
    unless its folder is trusted. Raises `RulesetFaults`."""
    if trusted(path.parent):
        return work(*given, **none)
    home = path.parent.resolve()
    if path.is_symlink() and not path.resolve().is_relative_to(home):  # what came with it from elsewhere is not shown
        raise _refused(path.name, "it leads out of the folder that it lies in", "name the file itself")
    found: Found = next(_apart((path.resolve(),), work, [given]))
    return found


def read_each(
    places: Places, work: Callable[..., Found], pieces: Sequence[tuple[object, ...]]
) -> Generator[Found, None, None]:
    """The same for several pieces of work on one ruleset, one after the other."""
    folders = folders_in(places)
    if vouched_for(folders):
        yield from (work(*given) for given in pieces)
    else:
        yield from _read_apart(folders, work, pieces)


def read_on(places: Places, work: Callable[Given, Iterator[Found]], *given: Given.args, **none: Given.kwargs) -> Generator[Found, None, None]:
    """What a function of ours yields that reads this ruleset, each by itself a piece of work: what was read for the first of them need
    not be read again."""
    folders = folders_in(places)
    if vouched_for(folders):
        yield from work(*given, **none)
    else:
        yield from _read_apart(folders, work, [given])


def _read_apart(folders: tuple[Path, ...], work: Callable[..., object], pieces: Sequence[tuple[object, ...]]) -> Iterator[Any]:
    look_over(folders)
    at_hand()
    yield from _apart(folders, work, pieces)


def _apart(places: tuple[Path, ...], work: Callable[..., object], pieces: Sequence[tuple[object, ...]]) -> Iterator[Any]:
    try:
        yield from each(work, pieces, reading=places)
    except TooMuch as stopped:
        raise too_costly(str(stopped)) from None
    except NoProcess as reason:
        raise nowhere_to_read(str(reason)) from None
