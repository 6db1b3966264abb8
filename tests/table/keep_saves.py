"""Keeps a save of each ruleset as it is written today, in the middle of a game, and what becomes of it when it is played on.

`python -m tests.table.keep_saves` makes those that are not there yet; what is there is never made anew.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from ichiba import Table, load
from ichiba.interpreter.api import rulesets

BEFORE = Path(__file__).parent / "saves_of_before"
ENDS = BEFORE / "ends.txt"
SEALED = "sealed"  # saves of the second format say so in their names


def gone_on(table: Table, most: int = 2_000) -> Table:
    """Answer by answer, never quite the same one."""
    for at in range(most):
        if not table.codes:
            break
        table.step(at % len(table.codes))
    return table


def end(table: Table) -> str:
    return hashlib.sha256(json.dumps([table.state, table.log]).encode()).hexdigest()[:16]


def kept() -> dict[str, str]:
    """What becomes of each save."""
    return dict(line.split() for line in ENDS.read_text(encoding="utf-8").splitlines())


def main() -> None:
    known = kept()
    for game in sorted(rulesets()):
        if any(name.startswith(f"{game}-") and name.endswith(SEALED) for name in known):
            continue
        table = load(game)
        name = f"{game}-{table.seats}-{SEALED}"
        half = gone_on(table.start(2026), 40)
        if not half.codes:
            half = gone_on(table.start(2026), 3)
        half.save(BEFORE / f"{name}.json")
        known[name] = end(gone_on(half))
        print(f"kept {name}")
    ENDS.write_text("".join(f"{name} {wanted}\n" for name, wanted in known.items()), encoding="utf-8")


if __name__ == "__main__":
    main()
