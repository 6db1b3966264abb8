"""Every fault of a ruleset in every way to set it up: each number of seats, with no module, with each, with all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import ichiba
from ichiba.dsl.faults.fault import Fault, Faults, RulesetFaults, quote
from ichiba.dsl.faults.source import Source, Span
from ichiba.dsl.files.garbage import unhurried
from ichiba.dsl.parts import parts_of
from ichiba.dsl.program.program import new_context
from ichiba.dsl.program.texts import Wanted, languages, wanted
from ichiba.dsl.ruleset import library_folder, read_box, too_deep
from ichiba.dsl.world.constant import scope_of
from ichiba.dsl.world.world import Config, World
from ichiba.dsl.yaml.configuration import files_of_presets
from ichiba.dsl.yaml.declarations import Box, Reader
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Scalar
from ichiba.interpreter.configurations import read_preset, told_where
from ichiba.interpreter.sight.figures import signatures
from ichiba.interpreter.strangers import door
from ichiba.lab.policies import RANDOM
from ichiba.table.simulation.workers import Workers, told_of_death
from ichiba.validator import judge as judge_ruleset
from ichiba.validator.judges.building import build
from ichiba.validator.judges.texts import judge_wanted, settings

USUAL_WAYS = 40  # that are looked at unless somebody wants them all
MOST_WAYS = 400  # to set up a stranger's ruleset
MOST_READ = 3_840 * 2**10  # bytes of text, once for each of those ways in which it is read; and what is as much work as so many
MOST_READ_OF_ALL = 8_192 * 2**10  # where somebody wants all ways
BYTES_OF_A_WORD_USED = 40  # such a word is put in its place in each of them
BYTES_OF_A_SENTENCE_WRITTEN = 60
BYTES_OF_A_SENTENCE_FOLLOWED = 150
MOST_SAID = 30_000  # texts that are looked for in all languages together, of a stranger's
WORTH_SHARING = 8  # from so many on, several processes share the work


@dataclass(frozen=True, slots=True)
class Way:
    """One way to set up a ruleset."""

    folder: Path
    seats: int
    chosen: tuple[str, ...]
    whole: bool = True  # whether all is judged, or only what depends on numbers
    made: bool = True  # whether it is also made ready to be played: the fullest way
    options: tuple[tuple[str, object], ...] = ()
    judged: bool = True  # whether its rules are looked at; else only its words are
    words: bool = False  # whether what it says is wanted, for the texts in other languages
    elsewhere: tuple[Path, ...] = ()  # modules that lie in folders of their own, and may be among the chosen
    preset: Path | None = None  # a configuration of the ruleset, which says all of it
    closely: bool = False  # nobody vouches for it

    def __str__(self) -> str:
        if self.preset is not None:
            return f"the configuration {self.preset.stem}"
        words = f"{self.seats} seat{'s' if self.seats > 1 else ''}"
        words += f" with {', '.join(self.chosen)}" if self.chosen else ""
        return words + "".join(f" on {name} {value}" for name, value in self.options)




@dataclass(frozen=True, slots=True)
class Seen:
    """What is wrong with a way, what it says, how many faults only follow from others, and how much work it was besides its text."""

    faults: list[Fault]
    words: Wanted | None = None
    held: int = 0
    work: int = 0  # in bytes of text



@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at in one ruleset, and what was found."""

    folder: Path
    faults: tuple[Fault, ...]
    seats: tuple[int, ...]
    combinations: tuple[tuple[str, ...], ...]
    ways: int
    held: int = 0  # faults that only follow from others, and are not told
    elsewhere: tuple[Path, ...] = ()  # a module in a folder of its own was looked at, with what it needs from elsewhere
    presets: tuple[str, ...] = ()
    left_out: int = 0  # ways that were not looked at, since there are very many, or they come to very much
    unread: bool = False  # so that it was not looked at what it says in other languages

    @property
    def name(self) -> str:
        return f"{self.elsewhere[0].name}, for {self.folder.name}" if self.elsewhere else self.folder.name

    @property
    def words(self) -> str:
        """What was checked, in a sentence."""
        if not self.ways:
            return f"{self.name}: it cannot be set up at all"
        low, high = self.seats[0], self.seats[-1]
        seats = f"{low} to {high} seats" if low != high else f"{low} seat{'s' if low > 1 else ''}"
        shown = [" + ".join(chosen) or "alone" for chosen in self.combinations]
        return (
            f"{self.name}: {seats}; "
            + (", ".join(shown) if len(shown) > 1 or self.elsewhere else "no modules or variants")
            + f" ({self.ways} ways)"
            + (f"; as {', '.join(self.presets)}" if self.presets else "")
            + (f"; {self.left_out} more ways were left out (--all)" if self.left_out else "")
            + ("; so were its texts in other languages" if self.unread else "")
        )


def check(
    folder: Path,
    quick: bool = False,
    jobs: int | None = None,
    tell: Callable[[Way], None] | None = None,
    memory: Memory | None = None,
    elsewhere: tuple[Path, ...] = (),
    most: int | None = USUAL_WAYS,
) -> Checked:
    """All faults of a ruleset, each once; one that needs a module or a number of seats to show says so. `elsewhere`: only what
    the first of these modules does to it, whatever it is combined with; the others are what that needs. `most`: so many ways
    are looked at; None: all. Of what nobody vouches for, as many of these as do not come to too much together.

    Who asks again and again, as an editor does, hands over what has been read before."""
    memory = memory or Memory()
    places = (folder, *elsewhere)
    try:
        if door.vouched_for(places):
            plan = planned(folder, quick, False, memory, elsewhere, most)
            judged = _judged(list(plan.tasks), jobs, memory)
        else:
            plan, judged = _judged_apart(places, quick, memory, most)
    except RulesetFaults as stopped:
        plan, judged = Plan(stopped.faults, (), (), False, 0), iter(())
    found: dict[tuple[object, ...], tuple[Fault, Way]] = {}
    everything = Wanted()
    held = 0
    looked: set[Way] = set()
    for way, seen in zip(plan.tasks, judged, strict=True):
        if seen is None:
            continue
        looked.add(way)
        if tell is not None:
            tell(way)
        for fault in seen.faults:
            found.setdefault(_identity(fault), (fault, way))
        if seen.words is not None:
            everything.join(seen.words, next(iter(way.chosen), ""))
        held = max(held, seen.held)
    ways = [way for way, task in zip(plan.ways, plan.tasks, strict=False) if task in looked]  # first of the tasks stand the ways
    unread = any(task.words and task not in looked for task in plan.tasks)
    if plan.speaking and not unread and not any(fault.severity == "error" for fault, _ in found.values()):
        for fault in _of_languages(places, everything, memory):
            found.setdefault(_identity(fault), (fault, ways[0]))
    if not ways:
        found = {_identity(fault): (fault, Way(folder, 1, ())) for fault in plan.faults}
    near = _Near(places)
    told = [_with_way(near.fault(fault), way, ways) for fault, way in found.values()]
    seats = tuple(sorted({way.seats for way in ways}))
    presets = tuple(way.preset.stem for way in plan.tasks if way.preset is not None and way in looked)
    combinations = tuple(dict.fromkeys(way.chosen for way in ways))
    left_out = plan.left_out + len(plan.tasks) - len(looked)
    return Checked(folder, tuple(told), seats, combinations, len(ways), held, elsewhere, presets, left_out, unread)


@dataclass(frozen=True, slots=True)
class Plan:
    """The ways to set up a ruleset, what is to be done for each of them, and what is wrong before that."""

    faults: tuple[Fault, ...]
    ways: tuple[Way, ...]
    tasks: tuple[Way, ...]
    speaking: bool
    left_out: int


def planned(
    folder: Path, quick: bool, limited: bool, memory: Memory, elsewhere: tuple[Path, ...] = (), most: int | None = None
) -> Plan:
    """What there is to be checked; of a stranger's ruleset only so much."""
    plain = Faults()
    box = read_box(folder, (), plain, memory)
    parts = _Parts.of(folder, memory, elsewhere)
    ways = [] if box.path is None or not box.name else _ways(folder, parts, box.seats, quick, elsewhere)
    if ways and not elsewhere:
        ways += [Way(folder, ways[0].seats, (), False, False, options) for options in _other_maps(box)]
    left_out = len(ways) - len(ways[:most])
    ways = ways[:most]
    speaking = bool(ways and languages(folder, elsewhere))
    tasks = _with_words(ways, memory) if speaking else ways
    if ways and not elsewhere:
        tasks = tasks + [Way(folder, ways[0].seats, (), preset=path) for path in files_of_presets(folder).values()]
    if limited and len(tasks) > MOST_WAYS:
        raise door.too_large(f"{len(tasks):,} ways to be set up; {MOST_WAYS} are checked")
    return Plan(plain.all, tuple(ways), tuple(tasks), speaking, left_out)


def _of_languages(places: tuple[Path, ...], everything: Wanted, memory: Memory) -> tuple[Fault, ...]:
    many, texts = len(languages(places[0], places[1:])), len(everything.english) + len(everything.sentences)
    if many * texts > MOST_SAID and not door.vouched_for(places):
        return door.too_large(f"{texts:,} texts in {many:,} languages; {MOST_SAID:,} in all are looked for").faults
    try:
        return door.read(places, judged_languages, places, everything, memory)
    except RulesetFaults as stopped:
        return stopped.faults


def judged_languages(places: tuple[Path, ...], everything: Wanted, memory: Memory) -> tuple[Fault, ...]:
    said = Faults()
    judge_wanted(places[0], everything, said, memory, places[1:])
    return said.all


# -------------------------------------------------------------------------------------------- which ways


@dataclass(slots=True)
class _Parts:
    """The modules and variants of a ruleset, and how they get on."""

    names: list[str]
    needs: dict[str, set[str]]
    excludes: set[frozenset[str]]
    seats: dict[str, tuple[int, int]]

    @staticmethod
    def of(folder: Path, memory: Memory, elsewhere: tuple[Path, ...] = ()) -> _Parts:
        parts = parts_of(folder, map(str, elsewhere))
        made = _Parts(list(parts), {}, set(), {})
        for name, part in parts.items():
            reader = Reader(Faults(), memory, folder)
            reader.box.elsewhere = elsewhere
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

    def pairs(self) -> list[tuple[str, ...]]:
        """Each two with what they need."""
        found = (_closed(set(two), self.needs) for two in combinations(self.names, 2))
        return [chosen for chosen in dict.fromkeys(found) if not self.clash(set(chosen))]

    def seats_of(self, chosen: tuple[str, ...], seats: tuple[int, int]) -> tuple[int, int]:
        """How few and how many can play with them."""
        low, high = seats
        for name in chosen:
            low, high = max(low, self.seats.get(name, seats)[0]), min(high, self.seats.get(name, seats)[1])
        return low, high

    def clash(self, chosen: set[str]) -> bool:
        return any(pair <= chosen for pair in self.excludes)


def together(folder: Path) -> tuple[list[str], dict[str, set[str]], set[frozenset[str]]]:
    """The modules and variants of a ruleset, what each needs, and which two do not go together."""
    parts = _Parts.of(folder, Memory())
    return parts.names, parts.needs, {pair for pair in parts.excludes if pair <= set(parts.names)}


def _closed(names: set[str], needs: dict[str, set[str]]) -> tuple[str, ...]:
    todo, found = sorted(names), set(names)
    while todo:
        for need in sorted(needs[todo.pop()] - found):
            found.add(need)
            todo.append(need)
    return tuple(sorted(found))


def _ways(folder: Path, parts: _Parts, seats: tuple[int, int], quick: bool, elsewhere: tuple[Path, ...]) -> list[Way]:
    """The plain game first, so that a fault is told of the plainest way it shows in; of a module from elsewhere the ways that
    have it.

    With the numbers of seats between, only the plain game and those with as much as goes together are looked at; of all
    the others with the most seats only what depends on numbers, and so of two modules or variants together."""
    ways = []
    together = [chosen for chosen in parts.combinations() if not elsewhere or elsewhere[0].name in chosen]
    for chosen in together:
        low, high = parts.seats_of(chosen, seats)
        fullest = not chosen or not any(set(chosen) < set(other) for other in together)
        counts = range(low, high + 1)
        for count in counts[:1] if quick else counts:
            if fullest or count in (low, high):
                ways.append(Way(folder, count, chosen, count == low or fullest and count == high, elsewhere=elsewhere))
    ways = [replace(way, made=way == ways[-1]) for way in ways]
    two = [chosen for chosen in parts.pairs() if chosen not in together and (not elsewhere or elsewhere[0].name in chosen)]
    if not quick:
        ways += [Way(folder, parts.seats_of(chosen, seats)[1], chosen, False, False, elsewhere=elsewhere) for chosen in two]
    return ways


def _other_maps(box: Box) -> Iterator[tuple[tuple[str, object], ...]]:
    """The options that choose other map files than the usual one."""
    path = str(box.map_file.value) if isinstance(box.map_file, Scalar) else ""
    for option in box.options:
        if option.form == "one_of" and "{" + option.name + "}" in path:
            usual = option.default.value if isinstance(option.default, Scalar) else next(iter(option.words), "")
            yield from (((option.name, word),) for word in option.words if word != usual)


def _with_words(ways: list[Way], memory: Memory) -> list[Way]:
    """Some of these ways also tell what they say; what is said only with another setting is asked for besides."""
    folder, elsewhere = ways[0].folder, ways[0].elsewhere
    settled = [
        (config.seats, tuple(sorted(config.parts)), tuple(config.options)) for config in settings(folder, memory, elsewhere)
    ]
    known = {(way.seats, way.chosen, way.options) for way in ways}
    more = [
        Way(folder, *key[:2], False, False, key[2], judged=False, words=True, elsewhere=elsewhere)
        for key in settled if key not in known
    ]  # fmt: skip
    return [replace(way, words=(way.seats, way.chosen, way.options) in settled) for way in ways] + more


# --------------------------------------------------------------------------------------------- looking


def _judged(ways: list[Way], jobs: int | None, memory: Memory) -> Iterator[Seen | None]:
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1 or len(ways) < WORTH_SHARING:
        yield from (look(way, memory) for way in ways)
    else:
        first = sorted(range(len(ways)), key=lambda number: not ways[number].made)  # what takes longest
        seen: dict[int, Seen] = {}
        wanted = 0
        death = told_of_death("ichiba check", "try again, perhaps with less going on beside it")
        with death, Workers(min(jobs, len(ways)), share, (memory,)) as workers:
            for at, one in workers.each(shared, [ways[number] for number in first]):
                seen[first[at]] = one
                while wanted in seen:
                    yield seen.pop(wanted)
                    wanted += 1


_HERE: list[Memory] = []  # of a process that shares the work: what whoever began it had read


def share(memory: Memory) -> None:
    """A process that shares the work begins: what has been read before the fork need not be read again."""
    unhurried()
    _HERE.append(memory)


def shared(way: Way) -> Seen:
    return look(way, _HERE[0])


def _judged_apart(places: tuple[Path, ...], quick: bool, memory: Memory, most: int | None) -> tuple[Plan, Iterator[Seen | None]]:
    """A ruleset that nobody vouches for is looked at in a process with limits. None: a way that is left out."""
    worth = MOST_READ_OF_ALL if most is None else MOST_READ
    with closing(door.read_on(places, planned_and_looked_at, places, quick, memory, most, worth)) as looking:
        plan = next(looking)
        assert isinstance(plan, Plan)
        found: list[Seen | None] = [None] * len(plan.tasks)
        for at in in_turn(plan.tasks):
            try:
                seen = next(looking)
            except StopIteration:
                if most is None:
                    found[0] = _with_fault(found[0], door.too_large(_too_many(plan.tasks)))
                break
            except RulesetFaults as faults:
                found[at] = Seen(list(faults.faults), held=faults.held)
                break
            assert isinstance(seen, Seen)
            found[at] = seen
    return plan, iter(found)


def planned_and_looked_at(places: tuple[Path, ...], quick: bool, memory: Memory, most: int | None, left: int) -> Iterator[Plan | Seen]:
    """What there is to be checked in a stranger's ruleset, and then as many of these ways as do not come to more bytes than are `left`:
    each comes to its text and the work that is found in it, and none is begun that would be too much if it is as much work as the one
    before."""
    folder, *elsewhere = places
    plan = planned(folder, quick, True, memory, tuple(elsewhere), most)
    yield plan
    text = door.text_read(places)
    expected = 0
    for number, at in enumerate(in_turn(plan.tasks)):
        way = plan.tasks[at]
        left -= text(way.chosen)
        if number and left < expected:
            return
        seen = look(replace(way, closely=True), memory)
        left -= seen.work
        if number and left < 0:
            return
        expected = seen.work
        yield seen


def in_turn(ways: Sequence[Way]) -> list[int]:
    """First plainly, then in the fullest way, then in those that say what has to be said in other languages."""
    return sorted(range(len(ways)), key=lambda at: (at > 0, not ways[at].made or ways[at].preset is not None, not ways[at].words))


def _with_fault(seen: Seen | None, more: RulesetFaults) -> Seen:
    seen = seen or Seen([])
    return replace(seen, faults=[*seen.faults, *more.faults])


def _too_many(ways: Sequence[Way]) -> str:
    what = "ways to be set up, in which what is read, what is used and what must be followed come to more than"
    return f"{len(ways):,} {what} {MOST_READ_OF_ALL // 2**10:,} KB in all"


def look(way: Way, memory: Memory) -> Seen:
    """All faults of a way to set up a ruleset, and what it says."""
    words, sentences = memory.words_used, memory.sentences_written
    try:
        seen = judge(way, memory)
    except RulesetFaults as stopped:
        seen = Seen(list(stopped.faults), held=stopped.held)
    except RecursionError:
        seen = Seen(list(too_deep(Faults()).faults))
    work = (memory.words_used - words) * BYTES_OF_A_WORD_USED + (memory.sentences_written - sentences) * BYTES_OF_A_SENTENCE_WRITTEN
    return replace(seen, work=seen.work + work)


def judge(way: Way, memory: Memory) -> Seen:
    """All faults of one way to set up a ruleset, and what it says."""
    from ichiba.interpreter.layout import lay_out
    from ichiba.interpreter.run.game import ready

    if way.preset is not None:
        return _judge_preset(way, way.preset, memory)
    more = {home.name: str(home) for home in way.elsewhere}
    parts = parts_of(way.folder, more.values())
    modules = tuple(more.get(name, name) for name in way.chosen if parts[name].what == "module")
    variants = tuple(name for name in way.chosen if parts[name].what == "variant")
    faults = Faults()
    box, world, program = build(way.folder, Config(way.seats, modules, variants, way.options), faults, memory)
    words = wanted(box, world, program) if way.words else None
    if not way.judged:
        return Seen([], words)
    work = judge_ruleset(way.folder, box, world, program, faults, way.whole) * BYTES_OF_A_SENTENCE_FOLLOWED
    found = list(faults.all)
    if not faults.errors and way.whole:
        try:
            if way.made:
                ready(box, world, program, closely=way.closely)
            else:
                lay_out(world, scope_of(world), faults)
                faults.raise_if_errors()
        except RulesetFaults as more:
            found += more.faults
        found += _judged_look(way.folder, box, world, (*modules, *variants), memory)
    return Seen(found, words, faults.held, work)


def _judged_look(folder: Path, box: Box, world: World, chosen: tuple[str, ...], memory: Memory) -> tuple[Fault, ...]:
    """What is wrong with how it looks. What the rules work out is looked up where something is shown that is no member."""
    from ichiba.table.scene.look import read_look

    faults = Faults()
    read_look(folder, world, faults, chosen, memory)
    if faults.all:
        faults, context = Faults(), new_context(box, world, Faults())
        read_look(folder, world, faults, chosen, memory, signatures(context))
    return tuple(faults.all)


def _judge_preset(way: Way, path: Path, memory: Memory) -> Seen:
    """A configuration of the ruleset: whether the game can be set up so, and the bots it names are there."""
    faults = Faults()
    found = read_preset(way.folder, path, faults)
    if faults.errors:
        return Seen(list(faults.all))
    chosen = found.choices
    config = Config(chosen.seats or way.seats, chosen.modules, chosen.variants, chosen.options, chosen.assumptions)
    with told_where(found):
        _, _, program = build(way.folder, config, faults, memory)
        for seat, name in found.policies(config.seats).items():
            if name not in (*program.policies, RANDOM) and name.partition(":")[0] not in ichiba.PLAYERS:
                known = ", ".join([*program.policies, RANDOM, *ichiba.PLAYERS])
                faults.add("E414", None, f"seat {seat} has no policy {quote(name)} to play by", label=f"there are: {known}")
        faults.raise_if_errors()
    return Seen([])


# ------------------------------------------------------------------------------------------ one fault


def _identity(fault: Fault) -> tuple[object, ...]:
    """Texts are read anew for every way: the same place and words are the same fault."""
    place = (fault.span.source.path, fault.span.start, fault.span.end) if fault.span is not None else ()
    return fault.code, fault.message, fault.label, place


def _with_way(fault: Fault, way: Way, ways: list[Way]) -> Fault:
    if not ways or way == ways[0]:
        return fault
    return replace(fault, notes=(*fault.notes, f"found with {way}"))


class _Near:
    """Places are told as one would open them from here."""

    def __init__(self, places: tuple[Path, ...]):
        self.places = places
        self.sources: dict[Source, Source] = {}

    def fault(self, fault: Fault) -> Fault:
        second = (self.span(fault.second[0]), fault.second[1]) if fault.second is not None else None
        repair = tuple(replace(edit, span=self.span(edit.span)) for edit in fault.repair)
        return replace(fault, span=self.span(fault.span) if fault.span is not None else None, second=second, repair=repair)

    def span(self, span: Span) -> Span:
        if span.source not in self.sources:
            self.sources[span.source] = Source(_from_here(span.source.path, self.places), span.source.text)
        return replace(span, source=self.sources[span.source])


def _from_here(path: str, places: tuple[Path, ...]) -> str:
    for home in (*(place.parent for place in places), library_folder()):
        place = home / path
        if place.is_file():
            near = os.path.relpath(place)
            return near if not near.startswith("..") else str(place)
    return path
