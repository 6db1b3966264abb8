"""Ichiba: the rules of economic board games as data that runs.

One file for two places: in a wheel it is `ichiba/__init__.py` and lies beside the rooms; in a checkout the
rooms stand at the top of the repository, and it also tells Python to look for them there.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ichiba.dsl.faults.fault import RulesetFaults
    from ichiba.interpreter.api import Decision, Game, IllegalMove, Option, Table, UnknownRuleset, load, resume
    from ichiba.interpreter.saves.saved import SaveFault

__all__ = ["Decision", "Game", "IllegalMove", "Option", "RulesetFaults", "SaveFault", "Table", "UnknownRuleset", "load", "resume"]

_HOMES = {
    "Decision": "ichiba.interpreter.api",
    "Game": "ichiba.interpreter.api",
    "IllegalMove": "ichiba.interpreter.api",
    "Option": "ichiba.interpreter.api",
    "RulesetFaults": "ichiba.dsl.faults.fault",
    "SaveFault": "ichiba.interpreter.saves.saved",
    "Table": "ichiba.interpreter.api",
    "UnknownRuleset": "ichiba.interpreter.api",
    "load": "ichiba.interpreter.api",
    "resume": "ichiba.interpreter.api",
}

# Players that know no game, by the first word of their names, and where they come from: the engine, which knows no later room,
# fetches one when it sits down.
PLAYERS = {"greedy": "ichiba.lab.players.players", "searcher": "ichiba.lab.players.players"}

_here = Path(__file__).resolve().parent
if _here.parts[-3:] == ("tests", "_checkout", "ichiba") and (_here.parents[2] / "pyproject.toml").is_file():
    __path__.append(str(_here.parents[2]))


if not TYPE_CHECKING:  # a type checker would take it as leave to believe in any name

    def __getattr__(name: str) -> object:
        """A public name is fetched when first asked for: importing one room does not load them all."""
        if name not in _HOMES:
            raise AttributeError(f"module 'ichiba' has no attribute {name!r}")
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
