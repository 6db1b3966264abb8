"""The modules and variants of a game: those that lie in its folder, and modules that lie in folders of their own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

MODULE = "module.yaml"


@dataclass(frozen=True, slots=True)
class Part:
    """A module or variant, and the file that says what it is."""

    name: str
    what: str
    path: Path

    @property
    def home(self) -> Path | None:
        """Its folder, if it has one."""
        return self.path.parent if self.path.name == f"{self.what}.yaml" else None


def name_of(chosen: str) -> str:
    """What a part is called: one that lies elsewhere is chosen by the whole path of its folder.

    `/srv/modules/tides` is `tides`."""
    return Path(chosen).name if os.path.isabs(chosen) else chosen


def elsewhere(chosen: Iterable[str]) -> tuple[Path, ...]:
    """The folders of those that lie elsewhere."""
    return tuple(dict.fromkeys(Path(one) for one in chosen if os.path.isabs(one)))


def parts_of(folder: Path, chosen: Iterable[str] = ()) -> dict[str, Part]:
    """The modules and variants of a ruleset by name, with those from elsewhere that are chosen."""
    return {part.name: part for part in all_parts(folder, chosen)}


def all_parts(folder: Path, chosen: Iterable[str] = ()) -> Iterator[Part]:
    """The same, also those that share a name."""
    for what in ("module", "variant"):
        place = folder / f"{what}s"
        for path in sorted(place.iterdir()) if place.is_dir() else ():
            if path.is_dir() and (path / f"{what}.yaml").is_file():
                yield Part(path.name, what, path / f"{what}.yaml")
            elif path.suffix == ".yaml":
                yield Part(path.stem, what, path)
    yield from (Part(home.name, "module", home / MODULE) for home in elsewhere(chosen))


def is_module(folder: Path) -> bool:
    return (folder / MODULE).is_file()
