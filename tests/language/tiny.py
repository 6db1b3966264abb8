"""A game so small that a test can say all of it, and change one thing in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ichiba.dsl.faults.fault import Fault, Faults, render, render_all
from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import Config, World
from ichiba.validator.judges.building import build

GAME = """\
game: tiny
language: 2
seats: 2 to 4
units: {coin: {write: "${}"}, hour: {}}
numbers: {rounds: 3}
tables: {price: {index: number, values: [2, 3, 5]}}
pieces: {gem: {is: stone, sorts: [red, green, blue], count: 4, in: bag}}
things: {stall: {count: 3}}
"""

RULES = """\
kind stall is thing:
    zone shelf of gem
    counter visits: 0 .. 9
    flag closed

seat:
    purse cash: coin
    purse time: hour
    zone hand of gem

table:
    purse bank: coin, unlimited
    zone bag of gem
    counter round: 0 .. 9

play:
    as seat(1): turn

procedure turn: nothing

scoring:
    score for each seat: score "Cash" my.cash
"""

_HEADING = re.compile(r"# ([\w/]+\.(?:yaml|rules)|config)\n", re.MULTILINE)
_KEY = re.compile(r"^([a-z]\w*):", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Tiny:
    """What became of a tiny ruleset."""

    faults: tuple[Fault, ...]
    world: World
    program: ir.Program

    @property
    def text(self) -> str:
        """Everything that is wrong, as an author reads it."""
        return render_all(self.faults)

    @property
    def codes(self) -> set[str]:
        return {fault.code for fault in self.faults}


def files_of(chunk: str, unheaded: str = "play.rules") -> dict[str, str]:
    """A chunk cut at headings such as `# modules/rain.yaml`; what has none belongs to `unheaded`."""
    parts = _HEADING.split(chunk)
    files = {unheaded: parts[0]} if parts[0].strip() else {}
    return files | dict(zip(parts[1::2], parts[2::2]))


def ruleset(folder: Path, files: Mapping[str, str], without: tuple[str, ...] = ()) -> Path:
    """Writes the tiny game into a folder. Of its own keys and items `files` may say others."""
    files = dict(files)
    files.pop("config", None)
    game = files.pop("game.yaml", "")
    said = {*_KEY.findall(game), *without}
    kept = [line for line in GAME.splitlines(keepends=True) if line.split(":")[0] not in said]
    mine = "".join(text for name, text in files.items() if name.endswith(".rules") and "/" not in name)
    items = [
        item for item in RULES.split("\n\n") if not _again(item, mine) and item.split(":")[0] not in without
    ]
    root = folder / "tiny"
    for name, text in {"game.yaml": game + "".join(kept), "base.rules": "\n\n".join(items), **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return root


def _again(item: str, rules: str) -> bool:
    """Whether these rules define a procedure, a kind or the like that the tiny game has as well."""
    heading = re.match(r"(?:kind|procedure) \w+|play|scoring", item)
    return heading is not None and re.search(rf"^{heading[0]}\b", rules, re.MULTILINE) is not None


def read(
    folder: Path, files: Mapping[str, str], config: Config | None = None, without: tuple[str, ...] = ()
) -> Tiny:
    """The tiny game with these files, read and checked."""
    faults = Faults()
    _, world, program = build(ruleset(folder, files, without), config or Config(2), faults)
    return Tiny(faults.all, world, program)


def rules(folder: Path, chunk: str, config: Config | None = None, **yaml: str) -> Tiny:
    """The tiny game with these rules, and other keys in its `game.yaml`."""
    game = "".join(f"{key}: {value}\n" for key, value in yaml.items())
    return read(folder, {"game.yaml": game, **files_of(chunk)}, config)


# --- chunks: rules with `### E301` beside each expected fault


_EXPECTED = re.compile(r"### ([EW]\d{3})(?:: (.*))?$")


def check(folder: Path, chunk: str, config: Config | None = None) -> Tiny:
    """Holds a chunk to what it says of itself: these faults on these lines, and no others.

    `### E205: did you mean` also wants these words in what is said.
    """
    files = files_of(chunk)
    tiny = read(folder, files, config)
    expected: list[tuple[str, str]] = []
    for name, text in files.items():
        for number, line in enumerate(text.splitlines(), 1):
            if found := _EXPECTED.search(line):
                expected.append((f"tiny/{name}:{number} {found[1]}", found[2] or ""))
    told = {
        fault: f"{fault.span.source.path}:{fault.span.line} {fault.code}"
        for fault in tiny.faults
        if fault.span
    }
    told |= {fault: f"nowhere {fault.code}" for fault in tiny.faults if not fault.span}
    assert sorted(told.values()) == sorted(place for place, _ in expected), tiny.text
    for place, words in expected:
        texts = [render(fault) for fault, where in told.items() if where == place]
        assert any(words in text for text in texts), f"{words!r} is not said:\n\n" + "\n\n".join(texts)
    return tiny
