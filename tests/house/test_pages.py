"""What docs/ says of the house is so: its files and names are there, and what it shows is what is printed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import pytest

from tests.house.test_rooms import ROOT
from tests.table.door import ichiba

PAGES = {name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("architecture.md", "CONTRIBUTING.md")}
BLOCK = re.compile(r"^( *)```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
COMMAND, FILE, LEFT_OUT = "$ ichiba ", "# ", "…"
NAMED = re.compile(r"`((?:[\w.]+/)+[\w.]+\.(?:py|lark|c|md|txt))`((?:,? (?:and )?`\w+`)*)")
MADE = {"tests/house/counts.txt"}  # by a command that a page speaks of
ANY_PATH = re.compile(r"`((?:dsl|validator|interpreter|lab|table|tests|docs|rulesets)/[\w./]*)`")


def blocks() -> Iterator[tuple[str, str, str]]:
    """The page, the first line, and all behind it."""
    for page, text in PAGES.items():
        for found in BLOCK.finditer(text):
            first, _, rest = re.sub(rf"^{found[1]}", "", found[2], flags=re.MULTILINE).partition("\n")
            yield page, first, rest


SHOWN = [(page, first, rest) for page, first, rest in blocks() if first.startswith((COMMAND, FILE))]


def missing(shown: str, whole: str) -> str:
    """What of the lines that are shown does not stand in the whole, one run of them behind the other."""
    at, rest = 0, f"\n{whole}\n"
    for run in shown.rstrip("\n").split(f"{LEFT_OUT}\n" if f"{LEFT_OUT}\n" in shown else LEFT_OUT):
        lines = run.rstrip("\n").removesuffix(LEFT_OUT).rstrip("\n")
        if not lines:
            continue
        found = rest.find(f"\n{lines}\n", at)
        if found < 0:
            return lines
        at = found + len(lines) + 1
    return ""


@pytest.mark.parametrize(("page", "first", "rest"), SHOWN, ids=[f"{page}: {first}" for page, first, _ in SHOWN])
def test_what_a_page_shows_is_there(page: str, first: str, rest: str) -> None:
    if first.startswith(COMMAND):
        said = ichiba(*shlex.split(first.removeprefix(COMMAND)))
        assert (said.code, said.err) == (0, "")
        whole = said.out.rstrip("\n")
    else:
        whole = (ROOT / first.removeprefix(FILE)).read_text(encoding="utf-8")
    assert missing(rest, whole) == ""


@pytest.mark.parametrize("page", PAGES)
def test_the_files_that_a_page_speaks_of_are_there(page: str) -> None:
    assert [path for path in ANY_PATH.findall(PAGES[page]) if path not in MADE and not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_the_names_behind_a_file_stand_in_that_file(page: str) -> None:
    """`dsl/syntax/parse.py` `on_raise`"""
    wrong = []
    for path, names in NAMED.findall(" ".join(PAGES[page].split())):
        file = ROOT / path
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        wrong += [f"{path}: {name}" for name in re.findall(r"`(\w+)`", names) if not re.search(rf"\b{name}\b", text)]
    assert wrong == []


def test_the_pages_show_something() -> None:
    assert sum(first.startswith(COMMAND) for _, first, _ in SHOWN) >= 10
    assert sum(first.startswith(FILE) for _, first, _ in SHOWN) >= 4


@pytest.mark.parametrize(
    ("shown", "left"),
    [("a\nb\n", ""), ("…\nb\n…\n", ""), ("a\n…\nc", ""), ("b\n…\na\n", "a"), ("a\nc", "a\nc"), ("…\nd\n", "d")],
)
def test_lines_that_are_not_there_are_seen(shown: str, left: str) -> None:
    assert missing(shown, "a\nb\nc") == left
