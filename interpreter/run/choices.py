"""Which option or assumption a fault follows from: each is left out in turn, to see whether the ruleset is sound without it.

    note: it follows from the option mill: True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ichiba.dsl.faults.fault import Fault, Faults, RulesetFaults
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.world.assumed import usual
from ichiba.dsl.world.world import Config

ErrorsOf = Callable[[Config], Sequence[Fault]]  # what is wrong with the ruleset, given this config


@dataclass(frozen=True, slots=True)
class Choice:
    """An option or assumption that somebody has set, with its value."""

    what: str  # option or assumption
    name: str
    value: object


def choices_of(config: Config) -> list[Choice]:
    return [
        *(Choice("assumption", name, value) for name, value in config.assumptions),
        *(Choice("option", name, value) for name, value in config.options),
    ]


def without(config: Config, choices: Sequence[Choice]) -> Config:
    """The same config, with these choices left to their defaults."""
    gone = {(choice.what, choice.name) for choice in choices}
    return replace(
        config,
        options=tuple(one for one in config.options if ("option", one[0]) not in gone),
        assumptions=tuple(one for one in config.assumptions if ("assumption", one[0]) not in gone),
    )


def blame_choices(folder: Path, config: Config, found: RulesetFaults, errors_of: ErrorsOf) -> RulesetFaults:
    """The same faults, each with a note on the choices that it follows from. If the ruleset has errors also without any of
    them, none is blamed; if no single one is the cause, all are."""
    chosen = choices_of(config)
    if not chosen or errors_of(without(config, chosen)):
        return found
    culprits = [one for one in chosen if not errors_of(without(config, [one]))] or chosen
    box = read_box(folder, (*config.modules, *config.variants), Faults())
    notes = [_note_on(one, usual(box, one.name) if one.what == "assumption" else []) for one in culprits]
    names = [one.name for one in culprits]
    return RulesetFaults(
        fault if all(name in fault.message for name in names) else replace(fault, notes=(*fault.notes, *notes))
        for fault in found.faults
    )


def _note_on(choice: Choice, usually: list[str]) -> str:
    words = f"it follows from the {choice.what} {choice.name}: {choice.value!r}"
    return words + (f"; the game has {', '.join(usually)}" if usually else "")
