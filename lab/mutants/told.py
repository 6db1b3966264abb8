"""What became of the changes, in words and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from ichiba.lab.mutants.noticing import NOTICED, REFUSED, UNSEEN, Outcome

LONGEST = 70  # of the words that are shown


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of every change that was made."""

    ruleset: str
    outcomes: Sequence[Outcome]
    wanted: int  # changes that were to be made
    possible: int  # changes that there are

    def of(self, fate: str) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.fate == fate]

    @property
    def made(self) -> int:
        return len(self.outcomes) - len(self.of(REFUSED))

    @property
    def share(self) -> float:
        """How much of what could be noticed was."""
        return len(self.of(NOTICED)) / self.made if self.made else 1.0

    def __str__(self) -> str:
        unseen, refused = self.of(UNSEEN), len(self.of(REFUSED))
        low, high = interval(len(self.of(NOTICED)), self.made)
        lines = [f"  {o.change.name}\n      {_short(o.change.sentence)}\n      {_said(o)}" for o in unseen]
        if unseen:
            lines = ["Noticed by no scenario:", "", *lines, ""]
        whole = len(self.outcomes) == self.possible
        between = "" if whole else f"; between {low:.0%} and {high:.0%} of all {self.possible:,}"
        lines.append(f"{self.ruleset}: {len(self.of(NOTICED))} of {self.made} changes noticed ({self.share:.0%}{between})")
        if refused:
            lines.append(f"{refused} more {'is' if refused == 1 else 'are'} refused by the checker")
        if len(self.outcomes) < self.wanted:
            lines.append(f"stopped after {len(self.outcomes)} of {self.wanted}")
        return "\n".join(lines)

    def as_json(self) -> dict[str, object]:
        return {
            "ruleset": self.ruleset,
            "possible": self.possible,
            "wanted": self.wanted,
            "noticed": len(self.of(NOTICED)),
            "unseen": len(self.of(UNSEEN)),
            "refused": len(self.of(REFUSED)),
            "changes": [_as_json(outcome) for outcome in self.outcomes],
        }


def interval(noticed: int, made: int) -> tuple[float, float]:
    """Where the share in all of them lies, 19 times out of 20 (Wilson)."""
    if not made:
        return 0.0, 1.0
    z, p = 1.96, noticed / made
    middle, width = p + z * z / (2 * made), z * sqrt(p * (1 - p) / made + z * z / (4 * made * made))
    return max(0.0, (middle - width) / (1 + z * z / made)), min(1.0, (middle + width) / (1 + z * z / made))


def _said(outcome: Outcome) -> str:
    change = outcome.change
    to = f"`{_short(change.words.strip())}`" if change.words.strip() else "left out"
    return f"`{_short(change.was.strip())}` → {to}; {outcome.played} scenario{'s' * (outcome.played != 1)} played"


def _short(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"


def _as_json(outcome: Outcome) -> dict[str, object]:
    change = outcome.change
    return {
        "file": change.path.as_posix(), "line": change.line, "what": change.what, "was": change.was, "is": change.words,
        "fate": outcome.fate, "by": outcome.by, "played": outcome.played,
    }  # fmt: skip
