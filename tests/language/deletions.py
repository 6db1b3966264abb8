"""Words taken out of rules one at a time, and whether anybody notices."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path

from lark import Token
from lark.exceptions import UnexpectedToken

from ichiba.dsl import parse
from ichiba.dsl.faults import Fault, Faults
from ichiba.dsl.lexer import RawToken, split_items, with_blocks
from ichiba.dsl.ruleset import build
from ichiba.dsl.source import Embedded, Source, Span
from ichiba.dsl.world import Config
from ichiba.dsl.yamlread import Map, Scalar, read_yaml

SIGNS = {".": "dot", ",": "comma", ":": "colon", "(": "bracket", ")": "bracket", "{": "bracket", "}": "bracket"}


@dataclass(frozen=True, slots=True)
class Word:
    """One token of the rules: what it is, where it stands in which file, and in which sentence."""

    path: Path
    kind: str  # dot, comma, colon, bracket, sign, name, number, text, or the keyword itself
    text: str
    start: int
    end: int
    line: int
    item: str  # the first words of the item it stands in
    sentence: str  # its line, as it is written

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.kind} `{self.text}` in: {self.sentence}"


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
        tokens = with_blocks(lines)
        names = _names(tokens)
        item = " ".join(token.text for token in tokens[:2])
        for token in tokens:
            if token.type.startswith("_"):
                continue
            span = text.span(token.start, token.end)
            kind = _kind(token, names)
            sentence = span.source.line_text(span.line).strip()
            yield Word(path, kind, token.text, span.start, span.end, span.line, item, sentence)


def _names(tokens: list[RawToken]) -> set[int]:
    """Where the words stand that the parser takes for names."""
    tree = parse._lark().parse(tokens, start="start")  # type: ignore[arg-type]
    leaves = tree.scan_values(lambda leaf: isinstance(leaf, Token) and leaf.type == "NAME")
    return {leaf.start_pos for leaf in leaves}


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
        return bool(self.faults)

    @property
    def right_line(self) -> bool:
        """Whether the first thing an author reads about is on the line that lost the word."""
        return any(_is_at(fault, self.word) for fault in self.faults)


def _is_at(fault: Fault, word: Word) -> bool:
    span = fault.span
    return span is not None and span.source.path.endswith(word.path.name) and span.line == word.line


class Patient:
    """A copy of a ruleset from which words can be taken, one at a time."""

    def __init__(self, folder: Path, copy: Path, config: Config):
        self.folder = copy / folder.name
        shutil.copytree(folder, self.folder)
        self.config = config
        switched_on = {*config.modules, *config.variants}
        self.words = [word for word in words_of(self.folder) if _is_read(word.path, switched_on)]
        faults = Faults()
        self.whole = fingerprint(build(self.folder, config, faults)[1:])
        assert not faults.errors, str(faults.all)

    def without(self, word: Word) -> Outcome:
        path = self.folder / word.path
        text = path.read_bytes().decode("utf-8")
        path.write_text(_taken_out(text, word), encoding="utf-8", newline="")
        try:
            faults = Faults()
            built = build(self.folder, self.config, faults)
            changed = not faults.errors and fingerprint(built[1:]) != self.whole
            return Outcome(word, faults.errors, changed)
        finally:
            path.write_text(text, encoding="utf-8", newline="")


def _is_read(path: Path, switched_on: set[str]) -> bool:
    """Whether a file takes part: modules and variants only when they are switched on."""
    return path.parts[0] not in ("modules", "variants") or path.parts[1].removesuffix(".yaml") in switched_on


def _taken_out(text: str, word: Word) -> str:
    """The text without a word. What follows stays in its column, unless the line would begin further right."""
    before, after = text[: word.start], text[word.end :]
    if not before.rpartition("\n")[2].strip():
        return before + after.lstrip(" ")
    return before + " " * (word.end - word.start) + after


def fingerprint(thing: object, but: tuple[str, ...] = ()) -> int:
    """The same for two programs that do the same in the same words, wherever they were written.

    `but` are more fields that do not matter.
    """
    ignored = {"span", "provenance", *but}
    seen: dict[int, int] = {}

    def parts(node: object) -> object:
        if isinstance(node, Span | Path) or node is None:
            return None
        if isinstance(node, (list, tuple)):
            return tuple([parts(item) for item in node])
        if isinstance(node, (set, frozenset)):
            return tuple(sorted(map(repr, map(parts, node))))
        if isinstance(node, dict):
            return tuple([(key if isinstance(key, int | str | tuple) else parts(key), parts(value)) for key, value in node.items()])
        if is_dataclass(node):
            if id(node) in seen:
                return seen[id(node)]
            seen[id(node)] = len(seen)
            kept.append(node)
            names = [f.name for f in fields(node) if f.name not in ignored]
            return (type(node).__name__, *[parts(getattr(node, name)) for name in names])
        return node

    kept: list[object] = []  # lest an id be given twice
    return hash(parts(thing))


__all__ = ["Outcome", "Patient", "UnexpectedToken", "Word", "fingerprint", "words_of"]
