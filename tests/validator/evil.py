"""Words that would be programs, if any of them became code, put wherever a ruleset holds a word of its author's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

EVIL = (
    "a'); import os #",
    'a"); import os #',
    "a\\n import os",
    "*/ } int os_import(void) {",
    "{__import__('os')}",
    "a\\\\",
    "'''",
    "%s%n",
)
MARK = re.compile(r"import os\b|os_import|__import__|%s%n|'''")

_QUOTED = re.compile(r'"([^"\n{}\\]*)"')
_WORD = re.compile(r"(?<=[:,\[{] )([a-z]\w+)(?=[,:\]}\n])")


def places(text: str, yaml: bool) -> Iterator[tuple[int, int]]:
    """Where a word of the author's stands: texts in quotes, and in YAML names, too."""
    for match in _QUOTED.finditer(text):
        yield match.span(1)
    for match in _WORD.finditer(text) if yaml else ():
        yield match.span(1)


def changed(folder: Path, every: int = 1) -> Iterator[tuple[Path, str, str]]:
    """Each file with one such word in place of one of its own: its path, the new text, the word."""
    number = 0
    for path in sorted([*folder.rglob("*.yaml"), *folder.rglob("*.rules")]):
        text = path.read_text(encoding="utf-8")
        if "/scenarios/" in path.as_posix():
            continue
        for low, high in places(text, path.suffix == ".yaml"):
            number += 1
            if number % every:
                continue
            word = EVIL[number // every % len(EVIL)]
            quoted = text[low - 1 : low] == '"'
            escaped = word.replace("\\", "\\\\").replace('"', '\\"')
            yield path, text[:low] + (escaped if quoted else f'"{escaped}"') + text[high:], word
