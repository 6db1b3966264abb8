"""What can be chosen before a game, for the form that sets up a table, and what was chosen in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ichiba.interpreter.api import load, rulesets
from ichiba.interpreter.configurations import presets
from ichiba.interpreter.strangers import door
from ichiba.lab.policies import policies
from ichiba.table.scene.cards import Card, cards, files_of_parts, in_language
from ichiba.table.sitting.refused import Refused

if TYPE_CHECKING:
    from ichiba.dsl.yaml.configuration import Configuration
    from ichiba.interpreter.run.game import Game


@dataclass(frozen=True, slots=True)
class PartField:
    """A module or a variant."""

    name: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class OptionField:
    name: str
    title: str
    kind: str
    default: object
    choices: tuple[object, ...]
    least: int | None
    most: int | None


@dataclass(frozen=True, slots=True)
class Choosing:
    name: str
    title: str
    about: str
    least: int
    most: int
    usual: int
    presets: tuple[Configuration, ...]
    modules: tuple[PartField, ...]
    variants: tuple[PartField, ...]
    options: tuple[OptionField, ...]
    languages: tuple[str, ...]
    policies: tuple[str, ...]


def games(named: Mapping[str, Path]) -> list[Card]:
    """The lids of all boxes: those that are installed, and those that this server was told of."""
    return cards({**rulesets(), **named}.items())


def choosing(card: Card, lang: str) -> Choosing:
    """Everything the form shows. Raises `RulesetFaults`."""
    folder = card.folder
    least, _, most = card.seats.partition("-")
    low, high = int(least), int(most or least)
    game = load(folder, low, lang=lang)
    return Choosing(
        card.name, in_language(card.title, lang) or card.name, in_language(card.about, lang), low, high, min(high, max(low, 4)),
        tuple(presets(folder).values()), _parts(folder, "module", lang), _parts(folder, "variant", lang),
        tuple(OptionField(name, one.title or name.replace("_", " "), one.kind, one.default, tuple(one.choices or ()), one.least, one.most)
              for name, one in game.options.items()),
        _languages(folder), tuple(policies(game)),
    )  # fmt: skip


def _parts(folder: Path, what: str, lang: str) -> tuple[PartField, ...]:
    found = door.read(folder, files_of_parts, folder, what)
    return tuple(
        PartField(name, in_language(file.title, lang) or name.replace("_", " "), in_language(file.about, lang))
        for name, file in found.items() if file is not None
    )  # fmt: skip


def _languages(folder: Path) -> tuple[str, ...]:
    """Those of the game, and those that our own pages speak."""
    texts = folder / "texts"
    own = {path.stem for path in texts.glob("*.yaml")} if texts.is_dir() else set()
    return ("en", *sorted(own - {"en"}))


def chosen_options(game: Game, typed: Mapping[str, Any]) -> dict[str, object]:
    """What the form sends, as `load` takes it: numbers, names, lists of names."""
    found: dict[str, object] = {}
    for name, value in typed.items():
        known = game.options.get(name)
        if known is None:
            raise Refused(422, f"there is no option `{name[:60]}`", field="options")
        if known.kind == "list_of" and isinstance(value, str):
            value = [one.strip() for one in value.split(",") if one.strip()]
        if known.kind == "number" and isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,12}", value):
            value = int(value)
        if not isinstance(value, str | int | bool | list):
            raise Refused(422, f"option `{name[:60]}` takes no such value", field="options")
        found[name] = value
    return found


__all__ = ["Choosing", "choosing", "chosen_options", "games"]
