"""What is known of one kind of fault."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of fault, as `ichiba explain` and the reference print it.

    An example is part of a ruleset. A line such as `# play.rules`, `# modules/rain.yaml` or `# config` says
    which file follows; without one, E0 and E1 show a piece of `game.yaml`, the others a piece of rules.
    """

    code: str
    title: str
    explanation: str
    wrong_example: str
    right_example: str
