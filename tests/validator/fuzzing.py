"""Real rulesets with things wrong in them: words lost, doubled, swapped, numbers and keys changed, and sentences that
the grammar allows but nobody would write.

`python -m tests.validator.fuzzing SECONDS SEED` looks for a mistake that is answered with anything but a fault.
"""

from __future__ import annotations

import itertools
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from ichiba.dsl.faults.fault import Faults, RulesetFaults, render_all
from ichiba.dsl.parts import parts_of
from ichiba.dsl.syntax import parse
from ichiba.dsl.world.world import Config
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.run.game import ready
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.validator import judge
from ichiba.validator.judges.building import build

_TOKENS = re.compile(r"[^\W\d]\w*|\d+|\n *|[ \t]+|\"[^\"\n]*\"|.", re.DOTALL)
_NAMES = re.compile(r"\b[a-z][a-z0-9_]*\b")
NUMBERS = ("0", "1", "-1", "2", "7", "99", "1001", "10000", "999999999999", "9999999999999", "1e3", "0x1F", "010", "3.5")
WORDS = ("none", "me", "my", "seats", "count of", "all", "true", "where", "if", "seat(1)", "nothing", "original", "board", "market", "¥5")
PLAYED = 25  # decisions, where nothing is found wrong


# --- sentences out of the grammar


@cache
def _rules() -> dict[str, list[list[str]]]:
    """What each symbol of the grammar can stand for."""
    found: dict[str, list[list[str]]] = {}
    for rule in cast(Any, parse._lark()).rules:
        found.setdefault(rule.origin.name, []).append([symbol.name for symbol in rule.expansion])
    return found


@cache
def _depths() -> dict[str, int]:
    """How many steps it takes at least to get from a symbol to nothing but words."""
    depths: dict[str, int] = {}
    changed = True
    while changed:
        changed = False
        for name, ways in _rules().items():
            reached = [_depth(way, depths) for way in ways]
            least = 1 + min((depth for depth in reached if depth is not None), default=10**6)
            if least < depths.get(name, 10**6):
                depths[name], changed = least, True
    return depths


def _depth(way: list[str], depths: dict[str, int]) -> int | None:
    """The depth of the deepest symbol; None as long as one is not known."""
    inner = [depths.get(name) if name in _rules() else 0 for name in way]
    return None if None in inner else max((depth for depth in inner if depth is not None), default=0)


class Sentences:
    """Draws sentences from the grammar, with the names that a ruleset uses."""

    def __init__(self, chance: random.Random, names: list[str]):
        self.random, self.names = chance, names
        self.words = parse._words()
        self.left = 0  # words, until the sentence should come to an end

    def sentence(self, symbol: str, indent: int) -> str:
        """A whole sentence with its blocks, so many spaces from the margin."""
        text, line, depth = "", "", 0
        self.left = self.random.choice((10, 30, 90))
        for word in self._drawn(symbol):
            if word == "_NL":
                text, line = f"{text}{' ' * (indent + 4 * depth)}{line.strip()}\n", ""
            elif word in ("_INDENT", "_DEDENT"):
                depth += 1 if word == "_INDENT" else -1
            elif word != "_ITEM":  # it stands for no word
                line += " " + self._spelled(word)
        return text + (" " * indent + line.strip() + "\n" if line else "")

    def _drawn(self, symbol: str) -> Iterator[str]:
        """Every other choice is the plainest; all of them, once the sentence is long."""
        if symbol not in _rules():
            self.left -= 1
            yield symbol
            return
        ways = _rules()[symbol]
        if self.left <= 0 or self.random.random() < 0.5:
            least = min(_depth(way, _depths()) or 0 for way in ways)
            ways = [way for way in ways if (_depth(way, _depths()) or 0) == least]
        for inner in self.random.choice(ways):
            yield from self._drawn(inner)

    def _spelled(self, terminal: str) -> str:
        match terminal:
            case "NAME":
                return self.random.choice(self.names)
            case "INT":
                return self.random.choice(("0", "1", "2", "9", "1000"))
            case "MONEY":
                return self.random.choice(("¥1", "¥100", "$3"))
            case "STRING":
                return '"' + self.random.choice(("Words", "{me}", "{1 + 1} of {none}", "{nobody}")) + '"'
            case "COMPARE":
                return self.random.choice(("<", "<=", ">", ">=", "!="))
            case _:
                return self.words[terminal]


# --- cases


@dataclass(frozen=True)
class Case:
    """One text with something wrong in it."""

    ruleset: str
    file: str
    text: str
    seats: int
    chosen: tuple[str, ...]


class Mutator:
    """Makes such texts from a seed."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.homes = {name: path for name, path in rulesets().items()}
        self.texts = {
            name: {path.relative_to(home).as_posix(): path.read_text("utf-8") for path in files(home)}
            for name, home in self.homes.items()
        }
        self.sentences = {
            name: Sentences(self.random, sorted({*_NAMES.findall("\n".join(texts.values()))} - parse.keywords()))
            for name, texts in self.texts.items()
        }

    def cases(self) -> Iterator[Case]:
        while True:
            name = self.random.choice(sorted(self.texts))
            file = self.random.choice(sorted(self.texts[name]))
            text = self.texts[name][file]
            for _ in range(self.random.choice((1, 1, 1, 2, 3, 6))):
                text = self.changed(text, name)
            parts = sorted(parts_of(self.homes[name]))
            chosen = [part for part in parts if part in file]
            if parts and self.random.random() < 0.2:
                chosen.append(self.random.choice(parts))
            yield Case(name, file, text, self.random.choice((2, 3, 4)), tuple(dict.fromkeys(chosen)))

    def changed(self, text: str, name: str) -> str:
        tokens = _TOKENS.findall(text)
        if len(tokens) < 3:
            return text + "\n"
        changes = [self.lost, self.doubled, self.swapped, self.other, self.number, self.word, self.line, self.moved, self.key]
        if "procedure" in text or "rules: |" in text:
            changes += [self.sentence] * 4
        change = self.random.choice(changes)
        return "".join(change(tokens, name))

    def at(self, tokens: list[str]) -> int:
        """The place of a token that is not only white."""
        for _ in range(20):
            at = self.random.randrange(len(tokens))
            if tokens[at].strip():
                return at
        return 0

    def lost(self, tokens: list[str], _: str) -> list[str]:
        at = self.at(tokens)
        return tokens[:at] + tokens[at + self.random.choice((1, 1, 2, 5)) :]

    def doubled(self, tokens: list[str], _: str) -> list[str]:
        at = self.at(tokens)
        return [*tokens[:at], tokens[at], " ", *tokens[at:]]

    def swapped(self, tokens: list[str], _: str) -> list[str]:
        one, other = self.at(tokens), self.at(tokens)
        if self.random.random() < 0.7:
            other = min(len(tokens) - 1, one + 2)
        tokens[one], tokens[other] = tokens[other], tokens[one]
        return tokens

    def other(self, tokens: list[str], name: str) -> list[str]:
        """A word out of another file of the same ruleset."""
        source = _TOKENS.findall(self.random.choice(list(self.texts[name].values())))
        tokens[self.at(tokens)] = source[self.at(source)]
        return tokens

    def number(self, tokens: list[str], _: str) -> list[str]:
        places = [at for at, token in enumerate(tokens) if token.isdigit()]
        tokens[self.random.choice(places) if places else self.at(tokens)] = self.random.choice(NUMBERS)
        return tokens

    def word(self, tokens: list[str], _: str) -> list[str]:
        tokens[self.at(tokens)] = self.random.choice(WORDS)
        return tokens

    def line(self, tokens: list[str], _: str) -> list[str]:
        """A whole line is lost, doubled, or goes elsewhere."""
        lines = "".join(tokens).splitlines(keepends=True)
        at = self.random.randrange(len(lines))
        match self.random.randrange(3):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[at])
            case _:
                lines.insert(self.random.randrange(len(lines)), lines.pop(at))
        return lines

    def sentence(self, tokens: list[str], name: str) -> list[str]:
        """A sentence out of the grammar stands in the place of a line, or before it."""
        lines = "".join(tokens).splitlines(keepends=True)
        rules = next((n + 1 for n, line in enumerate(lines) if line.startswith("rules: |")), 0)
        at = self.random.randrange(min(rules, len(lines) - 1), len(lines))
        indent = len(lines[at]) - len(lines[at].lstrip(" "))
        margin = 2 if rules else 0
        symbol = "item" if indent <= margin else self.random.choice(("statement", "statement", "statement", "option", "member"))
        lines[at : at + self.random.choice((0, 1))] = [self.sentences[name].sentence(symbol, indent)]
        return lines

    def moved(self, tokens: list[str], _: str) -> list[str]:
        """A line is indented otherwise."""
        places = [at for at, token in enumerate(tokens) if token.startswith("\n")]
        if places:
            at = self.random.choice(places)
            tokens[at] = "\n" + " " * max(0, len(tokens[at]) - 1 + self.random.choice((-4, -2, -1, 1, 2, 4)))
        return tokens

    def key(self, tokens: list[str], _: str) -> list[str]:
        """A key gets another name."""
        places = [at for at in range(len(tokens) - 1) if tokens[at + 1] == ":" and tokens[at].isidentifier()]
        if places:
            at = self.random.choice(places)
            tokens[at] = tokens[at][:-1] or "x" if self.random.random() < 0.5 else self.random.choice(tokens)
        return tokens


def files(home: Path) -> list[Path]:
    return sorted(p for p in home.rglob("*") if p.suffix in (".yaml", ".rules") and not p.name.endswith(".scenario.yaml") and p.name != "look.yaml")


class Bench:
    """Copies of all rulesets, in which one file at a time is changed."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name, home in rulesets().items():
            shutil.copytree(home, folder / name, ignore=shutil.ignore_patterns("scenarios", "__pycache__"))

    def outcome(self, case: Case) -> str:
        """What is said of it: faults, or nothing. Any other exception comes through."""
        home = self.folder / case.ruleset
        path = home / case.file
        before = path.read_bytes()
        path.write_text(case.text, encoding="utf-8", newline="", errors="replace")
        try:
            return self._read(home, case)
        finally:
            path.write_bytes(before)

    def _read(self, home: Path, case: Case) -> str:
        parts = parts_of(home)
        modules = tuple(name for name in case.chosen if name in parts and parts[name].what == "module")
        variants = tuple(name for name in case.chosen if name in parts and parts[name].what == "variant")
        faults = Faults()
        try:
            box, world, program = build(home, Config(case.seats, modules, variants), faults)
            judge(home, box, world, program, faults)
            faults.raise_if_errors()
            table = ready(box, world, program).start(1)
            choice = random.Random(1)
            for _ in range(PLAYED):
                if not table.codes:
                    break
                table.step(choice.randrange(len(table.codes)))
        except RulesetFaults as found:
            return str(found)
        except RuleFault as fault:
            assert not str(fault).startswith("something is not as it should be"), fault
            return f"in play: {fault}"
        return render_all(faults.all)


def hunt(folder: Path, cases: Iterable[Case]) -> tuple[int, Case | None, str]:
    """How many cases were tried, and the first that is answered with anything but a fault."""
    bench, tried = Bench(folder), 0
    for case in cases:
        tried += 1
        try:
            bench.outcome(case)
        except Exception:
            return tried, case, traceback.format_exc()
    return tried, None, ""


def told(case: Case) -> str:
    """A case by what is changed in it."""
    original = Mutator(0).texts[case.ruleset][case.file].splitlines()
    changed = [f"{n}: {line}" for n, line in enumerate(case.text.splitlines(), 1) if line not in original]
    return "\n".join([f"{case.ruleset}/{case.file}, {case.seats} seats, {case.chosen}", *changed[:8]])


def main() -> None:
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        cases = itertools.takewhile(lambda _: time.monotonic() < until, Mutator(seed).cases())
        with tempfile.TemporaryDirectory() as folder:
            tried, case, text = hunt(Path(folder), cases)
        print(f"seed {seed}: {tried} tried")
        if case is not None:
            print(told(case), text[-1500:], sep="\n")
        seed += 1


if __name__ == "__main__":
    main()
