"""Many games with Shinjuku's mods, slice after slice, so that hours of play can be cut into pieces.

    python -m tests.games.volume random --seeds 0-999 --each 100 --minutes 10 --kept FILE
    python -m tests.games.volume reference --city paris --seeds 0-1 --each 2 --kept FILE

A slice is one setting with some seeds. In FILE each has a line: what was played, at which commit, for how long, and what
went wrong. Slices that have one are left out, so the same command goes on where it was stopped; with `--share 1/2` and
`--share 2/2` two processes divide the work.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import ichiba
from ichiba.lab.policies import RANDOM, play_out
from tests.reference.lockstep import LockStep

MODS = ("art_collector", "hachiko", "kaicho", "kaiju", "princess", "thief")
ANYWHERE = ("art_collector", "hachiko", "thief")  # those that no map refuses
HOMES = {"paris": "bastille", "london": "euston", "osaka": "namba"}  # where the dog is at home; Tokyo's stands on its map
SEATS = (2, 3, 4)
VIEWS_EVERY = 20  # decisions: in lock-step, all that everybody sees is compared so often


@dataclass(frozen=True)
class Slice:
    """One setting, and some games of it."""

    what: str  # random: with every invariant looked at; reference: in lock-step with the reference interpreter
    city: str
    seats: int
    mods: tuple[str, ...]
    first: int
    last: int

    @property
    def name(self) -> str:
        return f"{self.what} {self.city} {self.seats} {'+'.join(self.mods)} {self.first}-{self.last}"

    def game(self) -> ichiba.Game:
        home = {"home": HOMES[self.city]} if "hachiko" in self.mods and self.city in HOMES else {}
        return ichiba.load("shinjuku", seats=self.seats, modules=list(self.mods), options={"city": self.city, **home})

    def play(self) -> Iterator[int]:
        """The games one after the other: how many decisions each had."""
        game = self.game()
        for seed in range(self.first, self.last + 1):
            if self.what == "random":
                yield len(play_out(game, seed, [RANDOM] * self.seats, check=True).history)
            else:
                yield LockStep(game, seed).play(10**9, VIEWS_EVERY)


def together(mods: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Every one, every pair, and all."""
    return [*combinations(mods, 1), *combinations(mods, 2), mods]


def slices(what: str, city: str, first: int, last: int, each: int) -> list[Slice]:
    """All settings with the first few seeds, then all with the next: wherever it stops, all have had their share."""
    return [
        Slice(what, city, seats, mods, begin, min(begin + each - 1, last))
        for begin in range(first, last + 1, each)
        for mods in together(MODS if city == "tokyo" else ANYWHERE)
        for seats in SEATS
    ]


def outcome(slice: Slice) -> dict[str, Any]:
    """What came of it, as one line. A fault ends the slice, not the run."""
    begun, decisions = time.process_time(), []
    said: dict[str, Any] = {"slice": slice.name}
    try:
        for number in slice.play():
            decisions.append(number)
    except Exception as fault:  # whatever it is, it is to be looked at
        said |= {"seed": slice.first + len(decisions), "fault": f"{type(fault).__name__}: {fault}"}
    return said | {"games": len(decisions), "decisions": sum(decisions), "seconds": round(time.process_time() - begun, 1)}


def commit() -> str:
    here = Path(__file__).parent
    said = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=here, capture_output=True, text=True, check=True)
    return said.stdout.strip()


def go_on(todo: list[Slice], kept: Path, seconds: float) -> list[dict[str, Any]]:
    """Plays the slices that have no line yet, until the time is over; no slice is broken off."""
    done = {json.loads(line)["slice"] for line in kept.read_text("utf-8").splitlines()} if kept.exists() else set()
    found, at = [], commit()
    for slice in todo:
        if slice.name not in done and time.process_time() < seconds:
            found.append({"commit": at} | outcome(slice))
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found[-1]) + "\n")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.games.volume", description="Many games with Shinjuku's mods.")
    parser.add_argument("what", choices=("random", "reference"))
    parser.add_argument("--city", default="tokyo", choices=("tokyo", *HOMES))
    parser.add_argument("--seeds", default="0-999", metavar="FIRST-LAST")
    parser.add_argument("--each", type=int, default=100, metavar="N", help="games of a slice")
    parser.add_argument("--share", default="1/1", metavar="K/N", help="the K-th of N processes")
    parser.add_argument("--minutes", type=float, default=10, help="of the processor, after which no slice is begun")
    parser.add_argument("--kept", type=Path, required=True, metavar="FILE")
    args = parser.parse_args()
    (first, last), (share, shares) = (map(int, text.split(mark)) for text, mark in ((args.seeds, "-"), (args.share, "/")))
    todo = slices(args.what, args.city, first, last, args.each)[share - 1 :: shares]
    found = go_on(todo, args.kept, 60 * args.minutes)
    faults = [one for one in found if "fault" in one]
    print(f"{len(found)} slices, {sum(one['games'] for one in found)} games, {len(faults)} faults")
    for one in faults:
        print(f"{one['slice']}, seed {one['seed']}: {one['fault']}")


if __name__ == "__main__":
    main()
