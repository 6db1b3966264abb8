"""All files of a ruleset of version 1 in the words of version 2: what its grammar and its names come to.

What hangs on meaning (whether something is a thing or an amount) is left: `check` tells it, with repairs that are certain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Source, Span
from ichiba.dsl.formatting.formatting import formatted
from ichiba.dsl.formatting.upgrade.files import OLD, changes_of, names_given, notes_in, version_of
from ichiba.dsl.formatting.upgrade.names import new_names
from ichiba.dsl.formatting.upgrade.noted import Noted
from ichiba.dsl.formatting.upgrade.reading import new_words
from ichiba.dsl.formatting.upgrade.rewriting import changed

GAME = "game.yaml"


@dataclass(frozen=True, slots=True)
class Upgraded:
    """The new text of each file, and what had to be called otherwise."""

    texts: dict[str, str]
    renamed: dict[str, str] = field(default_factory=dict)


def upgraded(sources: Mapping[str, Source], faults: Faults) -> Upgraded | None:
    """The files of a ruleset by their paths in its folder, in version 2; None, with faults, where that cannot be. Files that are
    of version 2 already stay as they are."""
    game = sources.get(GAME)
    if game is not None and version_of(game) not in (OLD, None):
        return Upgraded({path: source.text for path, source in sources.items()})
    mine = Faults()
    given = {path: names_given(source, mine) for path, source in sources.items()}
    if mine.errors:
        faults.all_of(mine.all)
        return None
    known = set().union(*given.values())
    names = new_names(known & new_words(), known | new_words())
    _files_of_that_name(sources, mine)
    noted = Noted()
    for source in sources.values():
        notes_in(source, noted)
    zones = noted.zones()
    texts = {path: _text_of(path, source, names, zones, mine) for path, source in sources.items()}
    faults.all_of(mine.all)
    return None if mine.errors else Upgraded(texts, names)


def _text_of(path: str, source: Source, names: Mapping[str, str], zones: frozenset[str], faults: Faults) -> str:
    """One file: its words changed, then laid out."""
    text = changed(source.text, changes_of(source, names, faults, zones))
    if path == GAME and version_of(source) is None:
        text = f"language: 2\n{text}"
    new = formatted(Source(source.path, text), faults) if not faults.errors else None
    return text if new is None else new


def _files_of_that_name(sources: Mapping[str, Source], faults: Faults) -> None:
    """What goes by the name of its file cannot be renamed without it."""
    for path, source in sources.items():
        name = path.rpartition("/")[2].partition(".")[0]
        if name in new_words() and any(part in path for part in ("boards/", "modules/", "variants/")):
            message = f"`{name}` has become a word of the language"
            label = f"rename the file, such as to `the_{name}`, and what mentions it, then upgrade"
            faults.add("E104", Span(source, 0, 0), message, label=label)
