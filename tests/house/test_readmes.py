"""Each folder of code has a page of half a screen: what comes in, what goes out, what holds, in what order to read its files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house.test_floors import at_load, code
from tests.house.test_rooms import ROOT, files

MOST_LINES = 36
WORDS = ("- **Comes in:** ", "- **Goes out:** ", "- **Holds:** ")
LISTED = re.compile(r"^- `([\w.]+/?)`: \S", re.MULTILINE)
ORDER = "To be read in this order; each leans only on those above it.\n"
FOLDERS = sorted({path.parent.as_posix() for path in code()})
KEPT = {path.relative_to(ROOT).as_posix() for path in files()}


def entries(folder: str) -> set[str]:
    """What is to be read in a folder: its files, but for what makes it a package, and its folders."""
    inside = {name.removeprefix(f"{folder}/") for name in KEPT if name.startswith(f"{folder}/")}
    plain = {name for name in inside if "/" not in name} - {"__init__.py", "py.typed", "README.md"}
    return plain | {f"{name.split('/')[0]}/" for name in inside if "/" in name}


def page(folder: str) -> str:
    return (ROOT / folder / "README.md").read_text(encoding="utf-8")


def listed(folder: str) -> list[str]:
    return LISTED.findall(page(folder).partition(ORDER)[2])


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_folder_has_a_page_that_says_what_comes_in_what_goes_out_and_what_holds(folder: str) -> None:
    text = page(folder)
    assert text.startswith("# ") and ORDER in text
    assert all(text.count(word) == 1 for word in WORDS)
    assert len(text.splitlines()) <= MOST_LINES and all(len(line) <= 120 for line in text.splitlines())


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_page_names_every_file_and_nothing_else(folder: str) -> None:
    assert sorted(listed(folder)) == sorted(entries(folder))


@pytest.mark.parametrize("folder", FOLDERS)
def test_who_reads_in_the_order_of_the_page_meets_nothing_before_its_place(folder: str) -> None:
    """What a file imports from this folder stands above it; of a folder that goes for all that lies in it."""
    assert out_of_order(folder, listed(folder)) == []


def out_of_order(folder: str, names: list[str]) -> list[str]:
    found = []
    for at, name in enumerate(names):
        later = set(names[at + 1 :])
        inside = (ROOT / folder / name).rglob("*.py") if name.endswith("/") else [ROOT / folder / name]
        for path in sorted(path for path in inside if path.suffix == ".py"):
            for module in at_load(path.relative_to(ROOT)):
                first = module.removeprefix(folder.replace("/", ".") + ".").split(".")[0]
                if module.startswith(folder.replace("/", ".") + ".") and {f"{first}.py", f"{first}/"} & later:
                    found.append(f"{name} imports {module}")
    return found


def test_an_order_that_is_wrong_is_seen() -> None:
    assert out_of_order("dsl/faults", ["fault.py", "source.py"]) == ["fault.py imports dsl.faults.source"]
    assert out_of_order("dsl", ["world/", "yaml/"])[0] == "world/ imports dsl.yaml.declarations"


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_a_page_speaks_of_is_there(folder: str) -> None:
    """Other files are named by their whole path."""
    named = set(re.findall(r"`?([\w/]+/[\w.]+\.(?:py|md|c|lark|rules))`?", page(folder)))
    assert {
        name
        for name in named
        if not any((base / name).exists() for base in (ROOT, ROOT / folder, ROOT / folder.split("/")[0]))
    } == set()


def test_pages_are_found_in_no_other_folder_of_code() -> None:
    rooms = {folder.split("/")[0] for folder in FOLDERS}
    pages = {
        Path(name).parent.as_posix() for name in KEPT if name.split("/")[0] in rooms and name.endswith("/README.md")
    }
    assert pages == set(FOLDERS)
