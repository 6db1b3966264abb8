"""What the lid of each box says, read quickly: name, seats and a line about it, without reading any rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ichiba.dsl.faults.fault import Faults, RulesetFaults
from ichiba.dsl.parts import name_of, parts_of
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.yaml.configuration import files_of_presets
from ichiba.dsl.yaml.declarations import Keys, ModuleFile, Title
from ichiba.dsl.yaml.reading import load_source, read_yaml
from ichiba.interpreter.strangers import door

_USE = re.compile(r"^ *use (\w+\.\w+)\(", re.MULTILINE)
_SHOWN = {  # what stands in some file of it
    "a map": re.compile(r"^map: ", re.MULTILINE),
    "a grid": re.compile(r"\{ *grid: "),
    "boards in files": re.compile(r"\Aboard: "),
    "hidden hands": re.compile(r"^ *zone \w.* hidden from others", re.MULTILINE),
    "answers in secret": re.compile(r"^ *each .* secretly:$", re.MULTILINE),
    "who answers first": re.compile(r"^ *first \w+ in .* to answer \w+:$", re.MULTILINE),
}



@dataclass(frozen=True, slots=True)
class Card:
    """The lid of one ruleset. Without seats its `game.yaml` cannot be read."""

    name: str
    folder: Path
    title: Title
    about: Title
    seats: str
    modules: tuple[str, ...]
    variants: tuple[str, ...]
    presets: tuple[str, ...] = ()  # configurations that it brings along
    shows: tuple[str, ...] = ()  # what its author looked at: pieces of the shelf, a map, a grid, boards in files

    @property
    def line(self) -> str:
        """What it is, in its own words."""
        return in_language(self.about) or in_language(self.title)

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.name, "folder": str(self.folder), "title": self.title, "about": self.about,
            "seats": self.seats, "modules": list(self.modules), "variants": list(self.variants),
            "configurations": list(self.presets), "shows": list(self.shows),
        }  # fmt: skip


def in_language(words: Title, lang: str = "en") -> str:
    """A title in a language, else in English, else in whichever there is."""
    return words.get(lang) or words.get("en") or next(iter(words.values()), "")


def card_of(name: str, folder: Path) -> Card:
    faults = Faults()
    source = load_source(folder / "game.yaml", "game.yaml", faults)
    node = read_yaml(source, faults) if source is not None else None
    keys = Keys(node, faults, "game.yaml")
    parts = parts_of(folder)
    return Card(
        name, folder, keys.title("title"), keys.title("about"), keys.text("seats").replace(" to ", "-"),
        tuple(n for n, part in parts.items() if part.what == "module"),
        tuple(n for n, part in parts.items() if part.what == "variant"),
        tuple(files_of_presets(folder)),
        tuple(_shown(folder)),
    )  # fmt: skip


def files_of_parts(folder: Path, what: str, chosen: tuple[str, ...] = ()) -> dict[str, ModuleFile | None]:
    """Modules or variants with what their files say; modules from elsewhere too, chosen by their paths."""
    names = [name for name, part in parts_of(folder).items() if part.what == what]
    return {name_of(one): read_box(folder, (one,), Faults()).modules.get(name_of(one)) for one in (*names, *chosen)}


def _shown(folder: Path) -> Iterator[str]:
    """What one can look up in it, told from its files; and what it has from the shelf."""
    texts = [file.read_text(encoding="utf-8", errors="replace") for kind in ("*.rules", "*.yaml") for file in sorted(folder.rglob(kind))]
    yield from (word for word, pattern in _SHOWN.items() if any(map(pattern.search, texts)))
    used = {piece for text in texts for piece in _USE.findall(text)}
    yield from sorted(used)


def cards(places: Iterable[tuple[str, Path]]) -> list[Card]:
    return [_card(name, folder) for name, folder in sorted(places)]


def _card(name: str, folder: Path) -> Card:
    """Of a stranger's ruleset that cannot be read it is only said that it is there."""
    try:
        return door.read(folder, card_of, name, folder)
    except RulesetFaults:
        return Card(name, folder, {}, {}, "", (), ())
