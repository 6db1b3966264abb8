"""Texts to be laid out: all that the project has written in its language. And what must not change in them, read otherwise."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import yaml

from ichiba.dsl.faults.fault import Faults, render_all
from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.formatting.formatting import formatted
from ichiba.dsl.syntax.lexer import split_items
from ichiba.dsl.syntax.parse import parse_items
from tests.language.tiny import files_of

ROOT = Path(__file__).resolve().parents[2]
RULESETS = sorted(path for ending in ("*.rules", "*.yaml") for path in (ROOT / "rulesets").rglob(ending))


def laid_out(text: str, name: str = "x.rules") -> str:
    """The canonical text of one that has no fault."""
    faults = Faults()
    new = formatted(Source(name, text), faults)
    assert new is not None and not faults.all, render_all(faults.all) + "\n" + text
    return new


@cache
def chunks() -> tuple[str, ...]:
    """Every text in the tests and pages about the language that is rules without a fault."""
    found: dict[str, None] = {}
    for path in sorted((ROOT / "tests" / "language").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and ":" in node.value:
                found[node.value] = None
    for path in sorted((ROOT / "docs").glob("*.md")):
        found |= dict.fromkeys(re.findall(r"^```(?:rules)?\n(.*?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
    for path in sorted((ROOT / "tests" / "language" / "odd").glob("*.odd")):
        for case in re.split(r"^== .*\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            files = files_of(re.sub(r"^> .*\n?", "", case, flags=re.MULTILINE))
            found |= dict.fromkeys(text for name, text in files.items() if name.endswith(".rules"))
    return tuple(text for text in found if is_rules(text))


def is_rules(text: str) -> bool:
    faults = Faults()
    return bool(parse_items(Embedded.whole(Source("x.rules", text)), faults)) and not faults.all


@cache
def items() -> tuple[str, ...]:
    """Single items of all rulesets and chunks."""
    found: dict[str, None] = {}
    for text in [*(path.read_text(encoding="utf-8") for path in RULESETS if path.suffix == ".rules"), *chunks()]:
        starts = [start for start, _ in split_items(text)]
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
            found["\n".join(line for line in text[start:end].split("\n")).rstrip() + "\n"] = None
    return tuple(text for text in found if is_rules(text))


def tree_of(text: str) -> str:
    """What a text of rules means, without places."""
    faults = Faults()
    items = parse_items(Embedded.whole(Source("x.rules", text)), faults)
    assert not faults.all, render_all(faults.all)
    return re.sub(r"Span\([^)]*\)", "", repr(items))


def comments_in(text: str) -> Counter[str]:
    """Comments of a text of rules: what stands behind the first `#` of a line that is in no text."""
    bare = (re.sub(r'"[^"]*"', lambda found: "." * len(found[0]), line) for line in text.split("\n"))
    pairs = zip(text.split("\n"), bare, strict=True)
    return Counter(line[shown.index("#") :].rstrip() for line, shown in pairs if "#" in shown)


def values_of(text: str) -> object:
    """What a YAML file holds, as PyYAML reads it; the order of keys counts."""
    return repr(yaml.load(text, yaml.BaseLoader))
