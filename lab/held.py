"""Which scenarios have held as they stand now: of a ruleset whose files are the same, and played by the same engine.

What is known is kept on disk for each folder, and lost without harm."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path

from ichiba.dsl.faults.source import Embedded, Span
from ichiba.dsl.files import disk_cache
from ichiba.dsl.ruleset import library_folder
from ichiba.interpreter.run import cache
from ichiba.lab.scenario_files import Scenario

KEPT_FOLDERS = 50


class Held:
    """What has held in one folder, with the rules that lie there now, and in the modules from elsewhere that are tested."""

    def __init__(self, folder: Path, more: Sequence[Path] = ()):
        home = more[0] if more else folder
        self.name = f"{hashlib.sha256(str(home.resolve()).encode()).hexdigest()[:32]}.held"
        self.rules = cache.key_of((folder, *more), library_folder(), "scenarios")
        self.known = frozenset(self._read())

    def _read(self) -> list[str]:
        try:
            found = json.loads(disk_cache.fetch(self.name) or b"{}")
        except ValueError:
            return []
        return [str(one) for one in found["held"]] if found.get("rules") == self.rules else []

    def __contains__(self, scenario: Scenario) -> bool:
        return self._word(scenario) in self.known

    def note(self, held: Iterable[Scenario], failed: Iterable[Scenario]) -> None:
        """These have just held, and those not. What is known of others stays."""
        now = self.known.difference(map(self._word, failed)).union(map(self._word, held))
        if now != self.known:
            content = {"rules": self.rules, "held": sorted(now)}
            disk_cache.keep(self.name, json.dumps(content).encode(), KEPT_FOLDERS)
            self.known = now

    def _word(self, scenario: Scenario) -> str:
        return hashlib.sha256(repr(_said(scenario)).encode()).hexdigest()[:32]


def _said(part: object) -> object:
    """What a scenario says, wherever it stands."""
    match part:
        case Span():
            return None
        case Embedded():
            return part.text
        case tuple() | list():
            return [_said(one) for one in part]
        case _ if is_dataclass(part):
            return type(part).__name__, [_said(getattr(part, item.name)) for item in fields(part) if item.compare]
        case _:
            return part
