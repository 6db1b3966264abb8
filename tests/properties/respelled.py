"""Rulesets written otherwise: with other blanks, comments and line breaks, other orders, other names."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from textwrap import dedent, indent

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Source
from ichiba.dsl.syntax.lexer import RawToken, logical_lines, tokens_of
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq, read_yaml

RULES_IN_YAML = re.compile(r"^rules: \|\n((?:[ ]+.*\n|[ ]*\n)+)", re.MULTILINE)
COMMENTS = ["# why", '# an "odd one: (', "#", "# paid(ap), end as nobody"]
Change = Callable[[str], str]


def rewritten(folder: Path, into: Path, rules: Change = str, yaml: Change = str) -> Path:
    """A copy of a ruleset with its rules, and its other YAML, changed."""
    copy = into / folder.name
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("scenarios", "texts", "__pycache__"))
    for path in sorted(copy.rglob("*.rules")):
        path.write_text(rules(path.read_text("utf-8")), "utf-8")
    for path in sorted(copy.rglob("*.yaml")):
        text = RULES_IN_YAML.sub(lambda found: _block(rules(dedent(found[1]))), path.read_text("utf-8"))
        path.write_text(yaml(text), "utf-8")
    return copy


def _block(text: str) -> str:
    return "rules: |\n    # the rules of this file\n" + indent(text.strip("\n") + "\n", "    ")


# ------------------------------------------------------------------------------- blanks, breaks and comments


class Respacing:
    """The same words with other blanks, line breaks and comments between them, wherever these may stand."""

    def __init__(self, random: Random):
        self.random = random

    def __call__(self, text: str) -> str:
        made: list[str] = []
        for line in logical_lines(text):
            made += self._between(line.indent)
            made.append(self._line(line.indent, line.tokens))
        return "\n".join(made) + "\n"

    def _between(self, indent: int) -> list[str]:
        """Blank lines, and comments at any depth."""
        lines = []
        while self.random.random() < 0.2:
            depth = self.random.choice([0, indent, indent + 7])
            lines.append(self.random.choice(["", "   ", " " * depth + self.random.choice(COMMENTS)]))
        return lines

    def _line(self, indent: int, tokens: list[RawToken]) -> str:
        made, depth = " " * indent, 0
        for token, following in zip(tokens, [*tokens[1:], None]):
            made += self._text(token)
            depth = max(0, depth + (token.text in ("(", "{")) - (token.text in (")", "}")))
            if following is not None:
                made += self._gap(indent, token, following, depth)
        return made + self.random.choice(["", "", "  ", " " + self.random.choice(COMMENTS)])

    def _gap(self, indent: int, token: RawToken, following: RawToken, depth: int) -> str:
        chance = self.random.random()
        if chance < 0.15 and (depth or token.text != ":"):
            comment = self.random.choice(["", "", " " + self.random.choice(COMMENTS)])
            return f"{comment}\n" + "\n".join([*self._between(indent), " " * (indent + self.random.randint(1, 9))])
        if chance < 0.6 and self._may_touch(token, following):
            return ""
        return " " * self.random.choice([1, 1, 2, 5])

    def _may_touch(self, token: RawToken, following: RawToken) -> bool:
        found = [part.text for part in tokens_of(token.text + following.text)]
        return found == [token.text, following.text]

    def _text(self, token: RawToken) -> str:
        """The expressions in the braces of a text are words of the language as well."""
        if token.type != "STRING" or self.random.random() < 0.5:
            return token.text
        return re.sub(r"\{([^{}]*)\}", lambda found: "{" + self._braced(found[1]) + "}", token.text)

    def _braced(self, text: str) -> str:
        made = ""
        for token in tokens_of(text):
            touch = made and self._may_touch(RawToken("", made.split(" ")[-1], 0, 0), token) and self.random.random() < 0.5
            made += token.text if touch else " " * self.random.choice([1, 1, 2]) + token.text
        return made + self.random.choice(["", " "])


# ------------------------------------------------------------------------------------------ the order of keys

FREE = [  # maps in which the order of the keys means nothing, by the keys that lead to them
    (),
    ("units", "*"),
    ("numbers", "*"),
    ("tables", "*"),
    ("pieces", "*"),
    ("things", "*"),
    ("options", "*"),
    ("sorts", "*", "*"),
    ("pieces", "*", "sorts", "*"),
    ("things", "*", "each", "*"),
    ("boards",),
    ("assumptions",),
    ("title",),
    ("about",),
]
FREE_OF_BOARDS = [free for free in FREE if free[0:1] != ("pieces",)] + [("pieces", "*", "*")]  # their sorts have an order


class Reordering:
    """The same YAML with its keys in another order, where their order means nothing; all in flow style."""

    def __init__(self, random: Random):
        self.random = random
        self.free = FREE

    def __call__(self, text: str) -> str:
        node = read_yaml(Source("reordered", text), Faults())
        if not isinstance(node, Map):
            return text
        self.free = FREE_OF_BOARDS if node.get("board") is not None else FREE
        made = []
        entries = list(node.entries)
        self.random.shuffle(entries)
        for key, value in entries:
            if isinstance(value, Scalar) and value.style == "block":
                made.append(f"{key.value}: |\n" + indent(str(value.value), "  "))
            else:
                made.append(f"{key.value}: {self._flow(value, (str(key.value),))}\n")
        return "".join(made)

    def _flow(self, node: Node, at: tuple[str, ...]) -> str:
        match node:
            case Map(entries=entries):
                entries_ = list(entries)
                if any(_leads(free, at) for free in self.free):
                    self.random.shuffle(entries_)
                inner = (f"{self._flow(k, ())}: {self._flow(v, (*at, str(k.value)))}" for k, v in entries_)
                return "{" + ", ".join(inner) + "}"
            case Seq(items=items):
                return "[" + ", ".join(self._flow(item, (*at, "*")) for item in items) + "]"
            case _:
                assert isinstance(node, Scalar)
                return _scalar(node)


def _leads(free: tuple[str, ...], at: tuple[str, ...]) -> bool:
    return len(free) == len(at) and all(a in ("*", b) for a, b in zip(free, at))


def _scalar(node: Scalar) -> str:
    if not isinstance(node.value, str):
        return node.text.text.strip() or "null"
    plain = node.style == "plain" and not re.search(r"[\[\]{},#&*!|>'\"%@`:\\]", node.value)
    return node.value if plain else json.dumps(node.value, ensure_ascii=False)


# --------------------------------------------------------------------------------------------- other names


class Renaming:
    """The same words of the language, other names for what an author has named."""

    def __init__(self, names: frozenset[str], ending: str = "zq"):
        self.names, self.ending = names, ending

    def name(self, word: str) -> str:
        return word + self.ending if word in self.names else word

    def everywhere(self, text: str) -> str:
        """Every word of a text that is one of the names, or made of one: how often a menu has been taken is counted under its name."""
        return re.sub(r"[a-z_][a-z0-9_]*", lambda found: self.name_or_count(found[0]), text)

    def name_or_count(self, word: str) -> str:
        of = word.removesuffix("_taken")
        return self.name(word) if word in self.names or of == word else self.name(of) + "_taken"

    def __call__(self, text: str) -> str:
        made, at = "", 0
        for token, before in _with_before(tokens_of(text)):
            new = token.text
            if token.type == "WORD":
                new = self.name(token.text)
            elif token.type == "STRING" and before == "prefer":
                new = self.everywhere(token.text)
            elif token.type == "STRING":
                new = re.sub(r"\{[^{}]*\}", lambda found: self.everywhere(found[0]), token.text)
            made += text[at : token.start] + new
            at = token.end
        return made + text[at:]


def _with_before(tokens: Iterator[RawToken]) -> Iterator[tuple[RawToken, str]]:
    before = ""
    for token in tokens:
        yield token, before
        before = token.text
