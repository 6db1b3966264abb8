"""Every fault of a ruleset in every way to set it up: each number of seats, with no module, with each, with all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from ichiba.dsl.box import Box, Memory, Reader
from ichiba.dsl.constant import scope_of
from ichiba.dsl.faults import Fault, Faults, RulesetFaults
from ichiba.dsl.ruleset import build, library_folder, parts_of, read_box
from ichiba.dsl.source import Span
from ichiba.dsl.texts import judge_texts, languages
from ichiba.dsl.world import Config
from ichiba.dsl.yamlread import Scalar
from ichiba.interpreter.apart import TooMuch, each, survey, too_costly, trusted
from ichiba.validator import judge as judge_ruleset

_READ = Memory()  # the files of the ruleset that is being checked
WORTH_SHARING = 8  # from so many on, several processes share the work


@dataclass(frozen=True, slots=True)
class Way:
    """One way to set up a ruleset."""

    folder: Path
    seats: int
    chosen: tuple[str, ...]
    whole: bool = True  # whether all is judged; for the numbers of seats between, only what depends on numbers
    made: bool = True  # whether it is also made ready to be played: the fullest way
    options: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        words = f"{self.seats} seat{'s' if self.seats > 1 else ''}"
        words += f" with {', '.join(self.chosen)}" if self.chosen else ""
        return words + "".join(f" on {name} {value}" for name, value in self.options)


Task = Way | Path  # a ruleset set up in one way, or its folder for the texts in all languages


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at in one ruleset, and what was found."""

    folder: Path
    faults: tuple[Fault, ...]
    seats: tuple[int, ...]
    combinations: tuple[tuple[str, ...], ...]
    ways: int

    @property
    def words(self) -> str:
        """What was checked, in a sentence."""
        if not self.ways:
            return f"{self.folder.name}: it cannot be set up at all"
        low, high = self.seats[0], self.seats[-1]
        seats = f"{low} to {high} seats" if low != high else f"{low} seat{'s' if low > 1 else ''}"
        shown = [" + ".join(chosen) or "alone" for chosen in self.combinations]
        return (
            f"{self.folder.name}: {seats}; "
            + (", ".join(shown) if len(shown) > 1 else "no modules or variants")
            + f" ({self.ways} ways)"
        )


def check(
    folder: Path, quick: bool = False, jobs: int | None = None, tell: Callable[[Way], None] | None = None
) -> Checked:
    """All faults of a ruleset, each once; one that needs a module or a number of seats to show says so."""
    plain = Faults()
    box = read_box(folder, (), plain)
    parts = _Parts.of(folder)
    ways = [] if box.path is None or not box.name else _ways(folder, parts, box.seats, quick)
    if ways:
        ways += [Way(folder, ways[0].seats, (), False, False, options) for options in _other_maps(box)]
    found: dict[tuple[object, ...], tuple[Fault, Way]] = {}
    _READ.clear()
    words: list[Fault] = []
    tasks: list[Task] = [*ways, *([folder] if ways and languages(folder) else [])]
    for task, faults in zip(tasks, _judged(tasks, folder, jobs), strict=True):
        if isinstance(task, Path):
            words = faults
            continue
        if tell is not None:
            tell(task)
        for fault in faults:
            found.setdefault(_identity(fault), (fault, task))
    if not any(fault.severity == "error" for fault, _ in found.values()):
        for fault in words:
            found.setdefault(_identity(fault), (fault, ways[0]))
    if not ways:
        found = {_identity(fault): (fault, Way(folder, 1, ())) for fault in plain.all}
    told = [_with_way(_near(fault, folder), way, ways) for fault, way in found.values()]
    seats = tuple(sorted({way.seats for way in ways}))
    return Checked(folder, tuple(told), seats, tuple(dict.fromkeys(way.chosen for way in ways)), len(ways))


# -------------------------------------------------------------------------------------------- which ways


@dataclass(slots=True)
class _Parts:
    """The modules and variants of a ruleset, and how they get on."""

    names: list[str]
    needs: dict[str, set[str]]
    excludes: set[frozenset[str]]
    seats: dict[str, tuple[int, int]]

    @staticmethod
    def of(folder: Path) -> _Parts:
        parts = parts_of(folder)
        made = _Parts(list(parts), {}, set(), {})
        for name, part in parts.items():
            reader = Reader(Faults())
            reader.module(part.path, part.what)
            file = reader.box.modules.get(name)
            made.needs[name] = {need for need in file.needs if need in parts} if file is not None else set()
            made.excludes |= {frozenset((name, other)) for other in (file.excludes if file is not None else ())}
            if file is not None and file.seats is not None:
                made.seats[name] = file.seats
        return made

    def combinations(self) -> list[tuple[str, ...]]:
        """Nothing, each with what it needs, and as many together as go together."""
        found: dict[tuple[str, ...], None] = {(): None}
        for name in self.names:
            found[_closed({name}, self.needs)] = None
        for name in self.names:
            together = set(_closed({name}, self.needs))
            for other in self.names:
                more = together | set(_closed({other}, self.needs))
                if not self.clash(more):
                    together = more
            found[tuple(sorted(together))] = None
        return [chosen for chosen in found if not self.clash(set(chosen))]

    def clash(self, chosen: set[str]) -> bool:
        return any(pair <= chosen for pair in self.excludes)


def _closed(names: set[str], needs: dict[str, set[str]]) -> tuple[str, ...]:
    todo, found = list(names), set(names)
    while todo:
        for need in needs[todo.pop()] - found:
            found.add(need)
            todo.append(need)
    return tuple(sorted(found))


def _ways(folder: Path, parts: _Parts, seats: tuple[int, int], quick: bool) -> list[Way]:
    """The plain game first, so that a fault is told of the plainest way it shows in.

    With the numbers of seats between, only the plain game and those with as much as goes together are looked at."""
    ways = []
    combinations = parts.combinations()
    for chosen in combinations:
        low, high = seats
        for name in chosen:
            low, high = max(low, parts.seats.get(name, seats)[0]), min(high, parts.seats.get(name, seats)[1])
        fullest = not chosen or not any(set(chosen) < set(other) for other in combinations)
        counts = range(low, high + 1)
        for count in counts[:1] if quick else counts:
            if fullest or count in (low, high):
                ways.append(Way(folder, count, chosen, count in (low, high)))
    return [replace(way, made=way == ways[-1]) for way in ways]


def _other_maps(box: Box) -> Iterator[tuple[tuple[str, object], ...]]:
    """The options that choose other map files than the usual one."""
    path = str(box.map_file.value) if isinstance(box.map_file, Scalar) else ""
    for option in box.options:
        if option.form == "one_of" and "{" + option.name + "}" in path:
            usual = option.default.value if isinstance(option.default, Scalar) else option.words[0]
            yield from (((option.name, word),) for word in option.words if word != usual)


# --------------------------------------------------------------------------------------------- looking


def _judged(tasks: list[Task], folder: Path, jobs: int | None) -> Iterator[list[Fault]]:
    jobs = jobs or os.cpu_count() or 1
    if tasks and not trusted(folder):
        yield from _judged_apart(tasks, folder)
    elif jobs == 1 or len(tasks) < WORTH_SHARING:
        yield from map(look, tasks)
    else:
        with ProcessPoolExecutor(min(jobs, len(tasks))) as pool:
            yield from pool.map(look, tasks)


def _judged_apart(tasks: list[Task], folder: Path) -> list[list[Fault]]:
    """A ruleset that nobody vouches for is looked at in a process with limits."""
    found: list[list[Fault]] = []
    try:
        survey(folder)
        found.extend(each(look, [(task,) for task in tasks]))
    except TooMuch as stopped:
        found.append(list(too_costly(str(stopped)).faults))
    except RulesetFaults as faults:
        found.append(list(faults.faults))
    return found + [[] for _ in range(len(tasks) - len(found))]


def look(task: Task) -> list[Fault]:
    """All faults of a way to set up a ruleset, or of its texts in other languages."""
    try:
        return judge(task) if isinstance(task, Way) else judge_words(task)
    except RulesetFaults as stopped:
        return list(stopped.faults)


def judge_words(folder: Path) -> list[Fault]:
    faults = Faults()
    judge_texts(folder, faults, _READ)
    return list(faults.all)


def judge(way: Way) -> list[Fault]:
    """All faults of one way to set up a ruleset."""
    from ichiba.interpreter.game import ready
    from ichiba.interpreter.layout import lay_out
    from ichiba.table.look import read_look

    parts = parts_of(way.folder)
    modules = tuple(name for name in way.chosen if parts[name].what == "module")
    variants = tuple(name for name in way.chosen if parts[name].what == "variant")
    faults = Faults()
    box, world, program = build(way.folder, Config(way.seats, modules, variants, way.options), faults, _READ)
    judge_ruleset(way.folder, box, world, program, faults, way.whole)
    found = list(faults.all)
    if not faults.errors and way.whole:
        try:
            if way.made:
                ready(box, world, program)
            else:
                lay_out(world, scope_of(world), faults)
                faults.raise_if_errors()
        except RulesetFaults as more:
            found += more.faults
        look = Faults()
        read_look(way.folder, world, look, way.chosen)
        found += look.all
    return found


# ------------------------------------------------------------------------------------------ one fault


def _identity(fault: Fault) -> tuple[object, ...]:
    """Texts are read anew for every way: the same place and words are the same fault."""
    place = (fault.span.source.path, fault.span.start, fault.span.end) if fault.span is not None else ()
    return fault.code, fault.message, fault.label, place


def _with_way(fault: Fault, way: Way, ways: list[Way]) -> Fault:
    if not ways or way == ways[0]:
        return fault
    return replace(fault, notes=(*fault.notes, f"found with {way}"))


def _near(fault: Fault, folder: Path) -> Fault:
    """Places are told as one would open them from here."""
    for span in (fault.span, fault.second[0] if fault.second else None):
        if isinstance(span, Span):
            span.source.path = _from_here(span.source.path, folder)
    return fault


def _from_here(path: str, folder: Path) -> str:
    for home in (folder.parent, library_folder()):
        place = home / path
        if place.is_file():
            near = os.path.relpath(place)
            return near if not near.startswith("..") else str(place)
    return path
