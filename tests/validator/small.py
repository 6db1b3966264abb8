"""A small game with which nothing is wrong, and what is said of it when one thing is changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ichiba.dsl.faults.fault import Fault, Faults, render_all
from ichiba.dsl.world.world import Config
from ichiba.validator import judge
from ichiba.validator.judges.building import build
from tests.language.tiny import files_of

GAME = """\
game: small
language: 2
title: Small
seats: 2 to 4
units: {coin: {write: "${}"}}
numbers: {rounds: 3}
pieces: {gem: {sorts: [red, green], count: 6, in: bag}}
"""

RULES = """\
seat:
    purse cash: coin start 5
    zone hand of gem, hidden from others

table:
    purse bank: coin, unlimited
    zone bag of gem, face down
    zone heap of gem
    counter round: 0 .. 9

setup:
    for each s in seats: draw 2 gem from bag to s.hand

play:
    repeat rounds times: turns

procedure turns:
    raise round by 1
    take one turn each from seat(1): turn

procedure turn:
    menu actions:
        option sell "Sell {g}" for g in my.hand:
            move g to heap
            gain 2 coins from bank
        option rest: nothing

scoring:
    score for each seat: score "Cash" my.cash

ranking: highest total else shared
"""

_KEY = re.compile(r"^([a-z]\w*):", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Small:
    """What became of the small game."""

    faults: tuple[Fault, ...]

    @property
    def text(self) -> str:
        return render_all(self.faults)

    @property
    def codes(self) -> set[str]:
        return {fault.code for fault in self.faults}


def ruleset(folder: Path, files: Mapping[str, str]) -> Path:
    """Writes the small game into a folder. Of its own keys and items those stay that `files` says nothing of."""
    files = {name: text for name, text in files.items() if name != "config"}
    game = files.pop("game.yaml", "")
    said = set(_KEY.findall(game))
    mine = "\n".join(text for name, text in files.items() if name.endswith(".rules"))
    items = [item for item in RULES.split("\n\n") if not _again(item, mine)]
    kept = "".join(line for line in GAME.splitlines(keepends=True) if line.split(":")[0] not in said)
    root = folder / "small"
    for name, text in {"game.yaml": game + kept, "base.rules": "\n\n".join(items), **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return root


def _again(item: str, rules: str) -> bool:
    """Whether these rules say anew what the small game says: its turn, its table, its scoring."""
    heading = re.match(r"(?:procedure \w+|\w+)", item)
    return heading is not None and re.search(rf"^{heading[0]}\b", rules, re.MULTILINE) is not None


def judged(folder: Path, chunk: str, config: Config | None = None) -> Small:
    """The small game with these rules (and files, behind `# boards/x.yaml`), read and judged."""
    root = ruleset(folder, files_of(chunk))
    faults = Faults()
    box, world, program = build(root, config or Config(2), faults)
    judge(root, box, world, program, faults)
    return Small(faults.all)
