"""From a folder to a program: finds the files, reads them, opens the box and writes the program."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypedDict

from ichiba.dsl.faults.fault import Faults, RulesetFaults, nearest
from ichiba.dsl.faults.source import Span
from ichiba.dsl.files.folders import files_below, package_folder
from ichiba.dsl.parts import Part, all_parts, elsewhere, name_of, parts_of
from ichiba.dsl.patterns.using import use_patterns
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.assumed import Assumed, covered, may_be_a_map
from ichiba.dsl.world.opening.opening import open_box
from ichiba.dsl.world.world import Config, World
from ichiba.dsl.yaml.changing import apply_changes
from ichiba.dsl.yaml.declarations import Box, ModuleFile, Reader, sequence, shown_folder
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Map, Scalar, read_yaml

OWN_LIBRARY = "library"  # of a ruleset


def library_folder() -> Path:
    """Where the shared mechanisms lie."""
    return package_folder("ichiba.rulesets") / "library"


def _check_names_of_parts(folder: Path, chosen: tuple[str, ...], faults: Faults) -> None:
    """By its name one of them is switched on, so no two share one."""
    first: dict[str, Part] = {}
    for part in all_parts(folder, chosen):
        other = first.setdefault(part.name, part)
        if other is not part:
            places = " and ".join(_place_of(one, folder) for one in (other, part))
            label = f"{places}: rename one" if part.path.is_relative_to(folder) else f"{places}: name one of them, or rename one"
            faults.add("E206", None, f"two parts of this game are called `{part.name}`", label=label)


def _place_of(part: Part, folder: Path) -> str:
    inside = part.path.is_relative_to(folder)
    return part.path.relative_to(folder).as_posix() if inside else shown_folder(part.path.parent)


def read_box(folder: Path, chosen: tuple[str, ...], faults: Faults, memory: Memory | None = None) -> Box:
    """Everything the ruleset declares with these modules and variants; those from elsewhere by the paths of their folders."""
    reader = Reader(faults, memory)
    reader.box.elsewhere = elsewhere(chosen)
    reader.game(folder)
    parts = parts_of(folder, chosen)
    named = {name_of(one) for one in chosen}
    reader.box.off = {name: (part.what, part.path) for name, part in parts.items() if name not in named}
    _check_names_of_parts(folder, chosen, faults)
    for name in _in_order(named, parts, reader, faults):
        reader.module(parts[name].path, parts[name].what)
    if reader.box.map_file is not None:
        off = [part for name, part in parts.items() if name not in named]
        _note_absent(reader.box, off, folder)
    _from_library(reader, folder, faults)
    _check_combination(reader.box, named, parts, faults)
    apply_changes(reader.box, faults)
    return reader.box


def _from_library(reader: Reader, folder: Path, faults: Faults) -> None:
    """The files of the library that are used whole, and the patterns that are used of others. What a ruleset has in a `library/` of its
    own comes before ours of that name."""
    shelf = {path.stem: path for home in (library_folder(), folder / OWN_LIBRARY) for path in sorted(home.glob("*.rules"))}
    for name, span in reader.box.uses.items():
        if name not in shelf:
            hint = nearest(name, shelf)
            faults.add("E205", span, f"the library has no `{name}`", label=f"did you mean `{hint}`?" if hint else "")
            continue
        reader.library(shelf[name])
        items = reader.box.rules[-1].items
        if items and all(isinstance(item, t.Pattern) for item in items):
            first = f"write `use {name}.{t.name_of(items[0])}(…) as …` in the rules"
            faults.add("E353", span, f"of `{name}` nothing is used whole: its pieces are patterns", label=first)
    use_patterns(reader.box, lambda name: reader.shelf(shelf[name]), shelf, faults)


def _note_absent(box: Box, parts: list[Part], folder: Path) -> None:
    """What modules that are switched off would take out of the map; what is wrong with them is told when they are on."""
    for part in parts:
        reader = Reader(Faults(), box.memory, folder)
        reader.module(part.path, part.what)
        box.absent_things += reader.box.things
        for item in (item for rules in reader.box.rules for item in rules.items):
            if isinstance(item, t.Kind):
                box.absent_fields |= {(item.name, member.name) for member in item.members if isinstance(member, t.Field)}


def _in_order(chosen: set[str], parts: dict[str, Part], reader: Reader, faults: Faults) -> list[str]:
    """Modules before variants, each after what it needs or comes `after`; otherwise by name, never by the order of the config."""
    known: list[str] = []
    for name in sorted(chosen):
        if name in parts:
            known.append(name)
            continue
        hint = nearest(name, parts)
        faults.add(
            "E407",
            None,
            f"`{reader.box.name}` has no module or variant `{name}`",
            label=f"did you mean `{hint}`?" if hint else "",
            notes=("there are: " + (", ".join(parts) or "none"),),
        )
    known.sort(key=lambda name: (parts[name].what != "module", name))
    ordered: list[str] = []
    needs = {name: _needs(parts[name].path, reader) for name in known}
    while known:
        ready = [n for n in known if not any(need in known for need in needs[n])]
        if not ready:
            _tell_circle(known, needs, faults)
            return ordered + known
        ordered.append(ready[0])
        known.remove(ready[0])
    return ordered


def _needs(path: Path, reader: Reader) -> dict[str, Span]:
    """What a module says it needs or comes after, and where. What else is wrong with its file is told when it is read."""
    quiet = Faults()
    source = reader.box.memory.source(path, reader.shown(path), quiet)
    node = read_yaml(source, quiet) if source is not None else None
    if not isinstance(node, Map):
        return {}
    named = [item for key in ("needs", "after") for item in sequence(node.get(key), quiet, key)]
    return {str(item.value): item.span for item in named if isinstance(item, Scalar)}


def _tell_circle(known: list[str], needs: dict[str, dict[str, Span]], faults: Faults) -> None:
    """Following what each needs, one comes round to where one has been."""
    way = [known[0]]
    while way[-1] not in way[:-1]:
        way.append(next(need for need in needs[way[-1]] if need in known))
    circle = way[way.index(way[-1]) :]
    faults.add("E408", needs[circle[-2]][circle[-1]], "these modules come after each other: " + " → ".join(circle))


def _check_combination(box: Box, chosen: set[str], parts: dict[str, Part], faults: Faults) -> None:
    for module in box.modules.values():
        for name in dict.fromkeys((*module.needs, *module.after, *module.excludes)):
            if name not in parts:
                _no_such_part(name, module, parts, faults)
            elif name in module.needs and name not in chosen:
                faults.add("E409", module.span, f"`{module.name}` needs `{name}`, which is not switched on")
        for other in module.excludes:
            if other in chosen:
                faults.add("E409", module.span, f"`{module.name}` and `{other}` do not go together")
    if any(fault.code == "E409" for fault in faults.errors):  # whatever else is wrong with these together is no news
        faults.hold_back("E403")
        faults.raise_if_errors()


def _no_such_part(name: str, module: ModuleFile, parts: dict[str, Part], faults: Faults) -> None:
    hint = nearest(name, parts)
    there = ", ".join(parts) or "none"
    message, label = f"there is no module or variant `{name}`", f"did you mean `{hint}`?" if hint else ""
    says = "needs" if name in module.needs else "comes after" if name in module.after else "excludes"
    faults.add("E407", module.named_at[name], message, label=label, notes=(f"this {module.what} {says} it; there are: {there}",))


def absent_names(folder: Path, chosen: tuple[str, ...]) -> dict[str, str]:
    """Names that switched-off modules would bring: they may be mentioned, and are simply never there."""
    found: dict[str, str] = {}
    for name, part in parts_of(folder).items():
        if name in chosen:
            continue
        if part.home is not None:
            for path in files_below(part.home / "boards", ".yaml"):
                found[path.stem] = name
        found[name] = name
    return found


def too_deep(faults: Faults) -> RulesetFaults:
    """Whatever goes from definition to definition goes so far only."""
    message = "the definitions of this ruleset lead on to each other too far"
    faults.add("E204", None, message, label="shorten the longest chain")
    return RulesetFaults(faults.all)


def open_ruleset(folder: Path, config: Config, faults: Faults, memory: Memory | None = None) -> tuple[Box, World]:
    """What the ruleset declares, and the world of one table: everything but its rules."""
    chosen = (*config.modules, *config.variants)
    box = read_box(folder, chosen, faults, memory)
    low, high = box.seats
    for module in box.modules.values():
        if module.seats is not None:
            low, high = max(low, module.seats[0]), min(high, module.seats[1])
    if not low <= config.seats <= high:
        faults.add("E410", None, f"{config.seats} seats cannot play this", label=f"{low} to {high} seats can")
        config = Config(low, config.modules, config.variants, config.options, config.assumptions)
    _check_assumptions(box, config, faults)
    world = open_box(box, config, faults, absent_names(folder, chosen))
    world.endings = tuple(box.endings)
    return box, world


def _check_assumptions(box: Box, config: Config, faults: Faults) -> None:
    known, assumed = covered(box), Assumed(box, config.assumptions)
    for id, value in config.assumptions:
        if id not in known:
            faults.add("E411", None, f"there is no assumption `{id}`", **_there_are("assumptions", id, known))
        elif value is None or isinstance(value, dict) and None in value.values():
            faults.add("E411", None, f"nothing is given for {id}", label="leave it out, or say a value")
        elif isinstance(value, dict):
            by_name = assumed.by_name(id, value) or not may_be_a_map(box, id)
            for name in map(str, value):
                if name not in known[id] and (by_name or "." in name):
                    faults.add("E411", None, f"{id} does not cover `{name}`", **_there_are("it covers", name, known[id]))


def _there_are(what: str, name: str, known: Iterable[str]) -> _Help:
    known = sorted(known)
    hint = nearest(name, known)
    return {
        "label": f"did you mean `{hint}`?" if hint else "",
        "notes": (f"{what}: " + (", ".join(known) or "none"),),
    }


class _Help(TypedDict):
    label: str
    notes: tuple[str, ...]


def assumption_ids(box: Box) -> set[str]:
    return set(covered(box))
