"""Words taken out of rules one at a time, and whether anybody notices.

`python -m tests.language.deletions` takes out every word of the large games and writes down what survives;
with the names of games behind it, of these only. The largest takes ten minutes.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, cast

from lark import Token

from ichiba.dsl.faults.fault import Fault, Faults
from ichiba.dsl.faults.source import Embedded, Source, Span
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import parse
from ichiba.dsl.syntax.lexer import RawToken, split_items, with_blocks
from ichiba.dsl.world.world import Config, World
from ichiba.dsl.yaml.memory import Memory
from ichiba.dsl.yaml.reading import Map, Scalar, read_yaml
from ichiba.validator.judges.building import build

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"
SURVIVORS = Path(__file__).with_name("surviving_deletions.txt")
GAMES = {
    "tsukiji": Config(4, variants=("special_points",)),
    "shinjuku": Config(4),
    "tokyo_tsukiji_market": Config(4, modules=("expansion",)),
}
SIGNS = {
    ".": "dot",
    ",": "comma",
    ":": "colon",
    "(": "bracket",
    ")": "bracket",
    "{": "bracket",
    "}": "bracket",
}
CLOSELY_WATCHED = ("dot", "name", "in", "where", "comma")


@dataclass(frozen=True, slots=True)
class Word:
    """One token of the rules: what it is, where it stands in which file, and in which sentence."""

    path: Path
    kind: str  # dot, comma, colon, bracket, sign, name, number, text, or the keyword itself
    text: str
    start: int
    end: int
    line: int
    sentence: str  # its line, as it is written
    before: str  # the token before it in its sentence, and the one after it
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.kind} `{self.text}` in: {self.sentence}"

    @property
    def entry(self) -> str:
        """How the list names it: without its line, which every sentence before it would change."""
        return f"{self.path} {self.kind} `{self.text}` in: {self.sentence}"


def words_of(folder: Path) -> list[Word]:
    """Every token of the rules of a ruleset, those inside YAML included."""
    found: list[Word] = []
    for path in sorted(folder.rglob("*.rules")):
        source = Source(path.name, path.read_text(encoding="utf-8"))
        found.extend(_words(path.relative_to(folder), Embedded.whole(source)))
    for path in sorted(folder.rglob("*.yaml")):
        source = Source(path.name, path.read_text(encoding="utf-8"))
        node = read_yaml(source, Faults())
        rules = node.get("rules") if isinstance(node, Map) else None
        if isinstance(rules, Scalar):
            found.extend(_words(path.relative_to(folder), rules.text))
    return found


def _words(path: Path, text: Embedded) -> Iterator[Word]:
    for _, lines in split_items(text.text):
        names = _names(with_blocks(lines))
        for line in lines:
            texts = ["", *(token.text for token in line.tokens), ""]
            for at, token in enumerate(line.tokens, 1):
                span = text.span(token.start, token.end)
                sentence = span.source.line_text(span.line).strip()
                kind = _kind(token, names)
                around = texts[at - 1], texts[at + 1]
                yield Word(path, kind, token.text, span.start, span.end, span.line, sentence, *around)


def _names(tokens: list[RawToken]) -> set[int]:
    """Where the words stand that the parser takes for names."""
    tree = parse._lark().parse(cast(Any, tokens), start="start")
    leaves = tree.scan_values(lambda leaf: isinstance(leaf, Token) and leaf.type == "NAME")
    return {leaf.start_pos or 0 for leaf in leaves}


def _kind(token: RawToken, names: set[int]) -> str:
    match token.type:
        case "WORD":
            return "name" if token.start in names else token.text
        case "STRING":
            return "text"
        case "INT" | "MONEY":
            return "number"
        case _:
            return SIGNS.get(token.text, "sign")


# --- taking one out


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a ruleset that lost a word."""

    word: Word
    faults: tuple[Fault, ...]
    changed: bool  # whether it still plays, but otherwise

    @property
    def refused(self) -> bool:
        return any(fault.severity == "error" for fault in self.faults)

    @property
    def warned(self) -> bool:
        return bool(self.faults) and not self.refused

    @property
    def at_its_line(self) -> bool:
        """Whether something that an author reads about is on the line that lost the word."""
        return any(_is_at(fault, self.word) for fault in self.faults)


def _is_at(fault: Fault, word: Word) -> bool:
    span = fault.span
    return span is not None and span.source.path.endswith(word.path.as_posix()) and span.line == word.line


class Patient:
    """A copy of a ruleset from which words can be taken, one at a time."""

    def __init__(self, game: str, copy: Path):
        self.game, self.config = game, GAMES[game]
        self.folder = copy / game
        shutil.copytree(RULESETS / game, self.folder)
        switched_on = {*self.config.modules, *self.config.variants}
        self.words = [word for word in words_of(self.folder) if _is_read(word.path, switched_on)]
        self.memory = Memory()
        faults = Faults()
        self.whole = fingerprint(self._built(faults))
        assert not faults.all, str(faults.all)

    def without(self, word: Word) -> Outcome:
        """What becomes of the ruleset that has lost this word."""
        with self.edited(word.path, lambda text: _taken_out(text, word)):
            faults = Faults()
            built = self._built(faults)
            changed = not faults.errors and fingerprint(built) != self.whole
            return Outcome(word, faults.all, changed)

    def scrambled(self, word: Word, other: Word, how: str) -> tuple[Fault, ...]:
        """What is said when another word stands in the place of a word, or beside it, or its line is gone."""
        with self.edited(word.path, lambda text: _scrambled(text, word, other.text, how)):
            faults = Faults()
            self._built(faults)
            return faults.all

    def _built(self, faults: Faults) -> tuple[World, ir.Program]:
        return build(self.folder, self.config, faults, self.memory)[1:]

    @contextmanager
    def edited(self, file: Path, edit: Callable[[str], str]) -> Iterator[None]:
        path = self.folder / file
        text = path.read_bytes().decode("utf-8")
        path.write_text(edit(text), encoding="utf-8", newline="")
        try:
            yield
        finally:
            path.write_text(text, encoding="utf-8", newline="")


def _is_read(path: Path, switched_on: set[str]) -> bool:
    """Whether a file takes part: modules and variants only when they are switched on."""
    return path.parts[0] not in ("modules", "variants") or path.parts[1].removesuffix(".yaml") in switched_on


def _taken_out(text: str, word: Word) -> str:
    """The text without a word. What follows stays in its column, unless the line would be indented."""
    before, after = text[: word.start], text[word.end :]
    if not before.rpartition("\n")[2].strip():
        return before + after.lstrip(" ")
    return before + " " * (word.end - word.start) + after


SCRAMBLES = ("in its place", "before it", "after it", "without its line")


def _scrambled(text: str, word: Word, other: str, how: str) -> str:
    before, after = text[: word.start], text[word.end :]
    match how:
        case "in its place":
            return before + other + after
        case "before it":
            return f"{before}{other} {word.text}{after}"
        case "after it":
            return f"{before}{word.text} {other}{after}"
        case _:
            return before.rpartition("\n")[0] + "\n" + after.partition("\n")[2]


def fingerprint(thing: object, but: tuple[str, ...] = ()) -> int:
    """The same for two programs that do the same in the same words, wherever they were written.

    `but` are more fields that do not matter.
    """
    ignored = {"span", "provenance", *but}
    seen: dict[int, int] = {}
    kept: list[object] = []  # lest an id be given twice

    def parts(node: object) -> object:
        if isinstance(node, Span | Path) or node is None:
            return None
        if isinstance(node, (list, tuple)):
            return tuple([parts(item) for item in node])
        if isinstance(node, (set, frozenset)):
            return tuple(sorted(map(repr, map(parts, node))))
        if isinstance(node, dict):
            return tuple([(_plain(key) or parts(key), parts(value)) for key, value in node.items()])
        if not is_dataclass(node):
            return node
        if id(node) in seen:
            return seen[id(node)]
        seen[id(node)] = len(seen)
        kept.append(node)
        names = [field.name for field in fields(node) if field.name not in ignored]
        return (type(node).__name__, *[parts(getattr(node, name)) for name in names])

    return hash(parts(thing))


def _plain(key: object) -> object:
    return key if isinstance(key, int | str | tuple) else None


# --- losses that nobody can notice, and why


def reason(outcome: Outcome) -> str:
    """Why a ruleset without this word is still a ruleset; empty if there is no good reason."""
    return next((why for why, holds in REASONS.items() if holds(outcome.word)), "")


REASONS: dict[str, Callable[[Word], bool]] = {
    "a label, a question, a reason or a sentence of the rulebook is optional": lambda word: word.kind == "text",
    "a sentence of one word is gone as a whole": lambda word: (
        not word.before and not word.after
    ),
    "without its `not` or `no` a condition says the opposite": lambda word: word.kind in ("not", "no"),
    "without its sign a number is another number": lambda word: (
        word.text == "-" and (word.before in parse.keywords() or not re.match(r"[\w)]", word.before[-1:]))
    ),
    "what follows a minus is a number by itself, below zero": lambda word: (
        word.kind in ("name", "number") and word.after == "-"
    ),
    "what stands in brackets is a value by itself": lambda word: word.kind == "name" and word.after == "(",
    "without its `all` or its 1 one piece goes": lambda word: word.kind == "all" or word.text == "1",
    "without its `else` a branch is asked for by itself": lambda word: word.text == "else" and word.after == "if",
}


def main() -> None:
    """Write the list of surviving losses, by reason, and say how many of the others were noticed."""
    games = sys.argv[1:] or list(GAMES)
    groups = {why: [line for line in lines if line.split("/")[0] not in games] for why, lines in listed().items()}
    with tempfile.TemporaryDirectory() as folder:
        for game in games:
            patient = Patient(game, Path(folder))
            outcomes = [patient.without(word) for word in patient.words]
            for outcome in outcomes:
                if outcome.changed:
                    groups.setdefault(reason(outcome) or "NO REASON KNOWN", []).append(f"{game}/{outcome.word.entry}")
            print(summary(game, outcomes), flush=True)
    order = list(GAMES)
    parts = [
        f"# {why}\n" + "".join(f"{line}\n" for line in sorted(lines, key=lambda line: order.index(line.split("/")[0])))
        for why, lines in sorted(groups.items())
        if lines
    ]
    SURVIVORS.write_text("\n".join(parts), encoding="utf-8")


def listed() -> dict[str, list[str]]:
    """The list as it stands: by reason, the losses that have it."""
    groups: dict[str, list[str]] = {}
    for line in SURVIVORS.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            groups[line.removeprefix("# ")] = []
        elif line:
            groups[list(groups)[-1]].append(line)
    return groups


def summary(game: str, outcomes: list[Outcome]) -> str:
    slips = [o for o in closely_watched(outcomes) if o.refused or o.changed]
    refused = [o for o in slips if o.refused]
    at_its_line = sum(o.at_its_line for o in refused)
    return f"{game}: {len(refused)} of {len(slips)} refused, {at_its_line} of them at their line"


def closely_watched(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Lost dots, names, `in`, `where` and commas, as long as anything is left of their sentence."""
    slips = [outcome for outcome in outcomes if outcome.word.kind in CLOSELY_WATCHED]
    return [outcome for outcome in slips if outcome.word.before or outcome.word.after]


if __name__ == "__main__":
    main()
