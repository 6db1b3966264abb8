"""What the config chose and the ruleset does not bear: its faults say which option or assumption they follow from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ichiba.dsl.faults.fault import Fault, Faults, RulesetFaults
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.world.assumed import usual
from ichiba.dsl.world.world import Config

Judged = Callable[[Config], Sequence[Fault]]  # the errors of a ruleset that is set up so


@dataclass(frozen=True, slots=True)
class Choice:
    """One option or assumption, with what was given for it."""

    what: str  # option or assumption
    name: str
    value: object


def choices_of(config: Config) -> list[Choice]:
    return [
        *(Choice("assumption", name, value) for name, value in config.assumptions),
        *(Choice("option", name, value) for name, value in config.options),
    ]


def without(config: Config, choices: Sequence[Choice]) -> Config:
    gone = {(choice.what, choice.name) for choice in choices}
    return replace(
        config,
        options=tuple(one for one in config.options if ("option", one[0]) not in gone),
        assumptions=tuple(one for one in config.assumptions if ("assumption", one[0]) not in gone),
    )


def blamed(folder: Path, config: Config, found: RulesetFaults, errors: Judged) -> RulesetFaults:
    """The same faults, each with the choices that they follow from. A ruleset that is at fault without them is so itself."""
    chosen = choices_of(config)
    if not chosen or errors(without(config, chosen)):
        return found
    culprits = [one for one in chosen if not errors(without(config, [one]))] or chosen
    box = read_box(folder, (*config.modules, *config.variants), Faults())
    notes = [_told(one, usual(box, one.name) if one.what == "assumption" else []) for one in culprits]
    names = [one.name for one in culprits]
    return RulesetFaults(
        fault if all(name in fault.message for name in names) else replace(fault, notes=(*fault.notes, *notes))
        for fault in found.faults
    )


def _told(choice: Choice, usually: list[str]) -> str:
    words = f"it follows from the {choice.what} {choice.name}: {choice.value!r}"
    return words + (f"; the game has {', '.join(usually)}" if usually else "")
