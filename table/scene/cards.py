"""What the lid of each box says, read quickly: name, seats and a line about it, without reading any rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ichiba.dsl.faults.fault import Faults, RulesetFaults
from ichiba.dsl.parts import parts_of
from ichiba.dsl.yaml.configuration import files_of_presets
from ichiba.dsl.yaml.declarations import Keys, Title
from ichiba.dsl.yaml.reading import load_source, read_yaml
from ichiba.interpreter.strangers import door


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

    @property
    def line(self) -> str:
        """What it is, in its own words."""
        return in_language(self.about) or in_language(self.title)

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.name, "folder": str(self.folder), "title": self.title, "about": self.about,
            "seats": self.seats, "modules": list(self.modules), "variants": list(self.variants),
            "configurations": list(self.presets),
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
    )  # fmt: skip


def cards(places: Iterable[tuple[str, Path]]) -> list[Card]:
    return [_card(name, folder) for name, folder in sorted(places)]


def _card(name: str, folder: Path) -> Card:
    """Of a stranger's ruleset that cannot be read it is only said that it is there."""
    try:
        return door.read(folder, card_of, name, folder)
    except RulesetFaults:
        return Card(name, folder, {}, {}, "", (), ())
