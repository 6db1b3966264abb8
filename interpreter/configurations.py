"""Configurations found and put to use: the presets of a ruleset, and files of one's own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ichiba.dsl.faults.fault import LONG, Faults, RulesetFaults, echoed, nearest, quote
from ichiba.dsl.yaml.configuration import (
    FOLDER,
    FORMAT,
    SUFFIX,
    Choices,
    Configuration,
    files_of_presets,
    read_configuration,
)
from ichiba.interpreter.elsewhere import is_path
from ichiba.interpreter.strangers import door

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

# Faults of what was chosen before the game, not of the ruleset.
OF_CHOICES = frozenset({"E401", "E402", "E407", "E409", "E410", "E411", "E412", "E414"})


def presets(folder: Path) -> dict[str, Configuration]:
    """The configurations that a ruleset brings along, by name. Raises `RulesetFaults`."""
    return door.read(folder, read_presets, folder)


def read_presets(folder: Path) -> dict[str, Configuration]:
    faults = Faults()
    found = {name: read_preset(folder, path, faults) for name, path in files_of_presets(folder).items()}
    faults.raise_if_errors()
    return found


def read_preset(folder: Path, path: Path, faults: Faults) -> Configuration:
    """A file of a ruleset's own; the game it names can only be this one."""
    found = read_configuration(path, f"{folder.name}/{FOLDER}/{path.name}", faults)
    if found.game and found.game != folder.name:
        message = f"{quote(found.name)} is for {quote(found.game)}, and lies in {quote(folder.name)}"
        faults.add("E414", dict(found.places).get("game"), message, label="leave `game` out")
    return found


def configuration_of(config: str | os.PathLike[str], folder: Path | None) -> Configuration:
    """A preset of the ruleset, by name, or a file, by its path. Raises `RulesetFaults`."""
    path = Path(config)
    names = files_of_presets(folder) if folder is not None else {}
    if isinstance(config, str) and config in names and folder is not None:
        return door.read(folder, _one, folder, names[config])
    if not _is_file_name(config):
        _tell_unknown(str(config), folder, list(names))
    return door.read_file(path.absolute(), _own, path.resolve(), str(config))


def _is_file_name(config: str | os.PathLike[str]) -> bool:
    words = os.fspath(config)
    return not isinstance(config, str) or os.sep in words or words.endswith(SUFFIX)


def _tell_unknown(name: str, folder: Path | None, known: list[str]) -> None:
    faults = Faults()
    if folder is None:
        message = f"{quote(name)} is a configuration of which game?"
        faults.add("E414", None, message, label="name the game too, or the file that holds the configuration (its name ends in .yaml)")
    else:
        hint = nearest(name, known)
        there = f"did you mean {quote(hint)}?" if hint else "there are: " + (", ".join(known) or "none")
        label = there + "; a file of yours is named with its ending, .yaml"
        faults.add("E414", None, f"{quote(folder.name)} has no configuration {quote(name)}", label=label)
    faults.raise_if_errors()


def _one(folder: Path, path: Path) -> Configuration:
    faults = Faults()
    found = read_preset(folder, path, faults)
    faults.raise_if_errors()
    return found


def _own(path: Path, shown: str) -> Configuration:
    faults = Faults()
    found = read_configuration(path, echoed(shown, LONG), faults)
    faults.raise_if_errors()
    return found


def game_of(found: Configuration, name: str | os.PathLike[str] | None) -> str | os.PathLike[str]:
    """The game it is for, as one types it or as a path: what is said beside it must not be another one."""
    beside = found.path.parent / found.game
    meant = str(beside) if found.game and (beside / "game.yaml").is_file() else found.game
    faults = Faults()
    if name is None and not meant:
        faults.add("E102", found.span, "this configuration does not say which game it is for", label="for example `game: my_game`")
    elif name is not None and meant and Path(name).name != Path(meant).name:
        message = f"this configuration is for {quote(found.game)}, not for {quote(Path(name).name)}"
        faults.add("E414", dict(found.places).get("game"), message)
    faults.raise_if_errors()
    if name is None:
        _there(found, meant)
    return meant if name is None else name


def _there(found: Configuration, meant: str) -> None:
    """Whether there is such a game; who has sent the file may have it, and we do not."""
    from ichiba.interpreter.api import UnknownRuleset, folder_of

    try:
        folder_of(meant)
    except UnknownRuleset as unknown:
        place = dict(found.places).get("game")
        where = found.path.name + (f":{place.line}" if place is not None else "")
        raise UnknownRuleset(f"{where} is for another game than there is here: {unknown}") from None


def over(found: Configuration, choices: Choices) -> Choices:
    """What is said beside a configuration goes over it; modules and variants come on in addition. A module that lies elsewhere is
    looked for from the file."""
    own = found.choices
    modules = (str(found.path.parent / Path(one).expanduser()) if is_path(one) else one for one in own.modules)
    return Choices(
        own.seats if choices.seats is None else choices.seats,
        tuple(dict.fromkeys((*modules, *choices.modules))),
        tuple(dict.fromkeys((*own.variants, *choices.variants))),
        tuple(sorted({**dict(own.options), **dict(choices.options)}.items())),
        tuple(sorted({**dict(own.assumptions), **dict(choices.assumptions)}.items())),
        own.seed if choices.seed is None else choices.seed,
    )


@contextmanager
def told_where(found: Configuration | None) -> Iterator[None]:
    """A fault of what a configuration chooses is shown where that is written."""
    try:
        yield
    except RulesetFaults as faults:
        if found is None:
            raise
        moved = [
            replace(fault, span=found.place_of(fault.message)) if fault.code in OF_CHOICES and fault.span is None else fault
            for fault in faults.faults
        ]
        raise RulesetFaults(moved, faults.held) from None


def as_file(game: Game, bots: Mapping[int, str], seed: int | str | None = None) -> str:
    """How a game is set up, and who sits there, as a file of one's own holds it."""
    import yaml

    from ichiba.interpreter.api import rulesets

    config, known = game.config, rulesets()
    content: dict[str, object] = {
        "configuration": FORMAT,
        "game": game.name if known.get(game.name) == game.folder else str(game.folder),
        "seats": config.seats,
        "modules": list(config.modules),
        "variants": list(config.variants),
        "options": _plain(config.options),
        "assumptions": _plain(config.assumptions),
        "bots": dict(bots),
        "seed": seed,
    }
    said = {key: value for key, value in content.items() if value not in ([], {}, None)}
    return yaml.safe_dump(said, default_flow_style=None, sort_keys=False, allow_unicode=True, width=100_000)


def _plain(pairs: tuple[tuple[str, object], ...]) -> dict[str, object]:
    """No tuple among it, and nothing twice the same object, which YAML would write as an alias."""
    return {name: json.loads(json.dumps(value)) if isinstance(value, list | tuple) else value for name, value in pairs}


__all__ = ["OF_CHOICES", "as_file", "configuration_of", "game_of", "over", "presets", "read_preset", "told_where"]
