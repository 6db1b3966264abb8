"""The habits of the house that a program can see: who imports whom, and what is said nowhere."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ORDER = ["dsl", "validator", "interpreter", "lab", "table"]  # a room imports only rooms before it
ROOMS = [*ORDER, "rulesets"]  # games are data: any room may read them
PUBLIC = "interpreter"  # where the names of `ichiba` itself come from


def files(*suffixes: str, under: list[str] | None = None) -> list[Path]:
    """The project's own files: what git keeps or would keep; without git, all that is there."""
    listing = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(listing, capture_output=True, check=True).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")]
    paths = [ROOT / name for name in sorted(names) if under is None or name.split("/")[0] in under]
    plain = [path for path in paths if path.is_file() and not path.is_symlink()]
    return [path for path in plain if not suffixes or path.suffix in suffixes]


def found(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    """Every line in which the pattern occurs, as `file:line: the words`."""
    faults = []
    for path in paths:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue  # a picture
        for number, line in enumerate(lines, start=1):
            if hit := pattern.search(line):
                faults.append(f"{path.relative_to(ROOT)}:{number}: {hit.group()}")
    return faults


# Imports


def imports(tree: ast.Module, package: str) -> Iterator[tuple[int, str]]:
    """Line and full name of everything a module reaches for, names in strings included."""
    above = package.split(".")
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, name.name) for name in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                start = above[: len(above) + 1 - level] if level else []
                source = ".".join([*start, module] if module else start)
                yield from ((node.lineno, f"{source}.{name.name}") for name in names)
            case ast.Constant(value=str(text)) if re.fullmatch(r"ichiba(\.\w+)+", text):
                yield node.lineno, text


def room_of(name: str) -> str | None:
    """The room a full name lives in; None when it is not ours."""
    match name.split("."):
        case ["ichiba", room, *_] if room in ROOMS:
            return room
        case ["ichiba", *_]:
            return PUBLIC
        case _:
            return None


def out_of_order(source: str, package: str) -> list[str]:
    """What a module of that package imports and may not, as `line: name`."""
    here = package.split(".")[1]
    allowed = {*ORDER[: ORDER.index(here) + 1], "rulesets"}
    faults = []
    for line, name in imports(ast.parse(source), package):
        top, room = name.split(".")[0], room_of(name)
        if top in [*ROOMS, "tests"] or (room is not None and room not in allowed):
            faults.append(f"{line}: {name}")
    return faults


@pytest.mark.parametrize("room", ORDER)
def test_a_room_imports_only_rooms_before_it(room: str) -> None:
    faults = []
    for path in files(".py", under=[room]):
        package = ".".join(["ichiba", *path.relative_to(ROOT).parent.parts])
        source = path.read_text(encoding="utf-8")
        faults += [f"{path.relative_to(ROOT)}:{fault}" for fault in out_of_order(source, package)]
    assert faults == []


@pytest.mark.parametrize(
    ("source", "package", "faults"),
    [
        ("from ichiba.dsl.syntax.parse import parse", "ichiba.validator", []),
        ("from ichiba.lab import bench", "ichiba.table.web", []),
        ("from .names import Names", "ichiba.dsl", []),
        ("from importlib.resources import files; files('ichiba.rulesets')", "ichiba.interpreter", []),
        ("import json\nfrom ichiba.validator import shape", "ichiba.dsl", ["2: ichiba.validator.shape"]),
        ("def f():\n    import ichiba.table.cli", "ichiba.lab", ["2: ichiba.table.cli"]),
        ("from ichiba import load", "ichiba.validator", ["1: ichiba.load"]),
        ("from ichiba import dsl, lab", "ichiba.interpreter", ["1: ichiba.lab"]),
        ("from ..lab import bench", "ichiba.interpreter.agents", []),
        ("from ...lab import bench", "ichiba.interpreter.agents", ["1: ichiba.lab.bench"]),
        ("from ..table import cli", "ichiba.lab", ["1: ichiba.table.cli"]),
        ("import_module('ichiba.table.cli')", "ichiba.dsl", ["1: ichiba.table.cli"]),
        ("from dsl.parse import parse", "ichiba.interpreter", ["1: dsl.parse.parse"]),
        ("import tests.reference", "ichiba.lab", ["1: tests.reference"]),
    ],
)
def test_the_watch_on_imports_sees(source: str, package: str, faults: list[str]) -> None:
    assert out_of_order(source, package) == faults


def test_tests_use_the_import_names_a_user_would() -> None:
    faults = []
    for path in files(".py", under=["tests"]):
        for line, name in imports(ast.parse(path.read_text(encoding="utf-8")), "tests"):
            if name.split(".")[0] in ROOMS:
                faults.append(f"{path.relative_to(ROOT)}:{line}: {name}")
    assert faults == []


# Words


WORDS = "tsukiji|shinjuku|takoyaki|mackerel|yakuza|takusan|fugu|harbou?r|aquarium"
OF_A_GAME = re.compile(rf"(?<![a-z])(?:{WORDS})s?(?![a-z])", re.IGNORECASE)
PROMISE = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
OF_A_MACHINE = re.compile(r"(?<![\w./:-])/(?:(?:home|Users)/\w|(?:root|work|farm)\b)|\b[A-Z]:\\Users\\")


def test_no_room_but_rulesets_speaks_of_a_game() -> None:
    assert found(OF_A_GAME, files(".py", ".lark", under=ORDER)) == []


def test_rulesets_hold_no_python() -> None:
    python = files(".py", under=["rulesets"])
    assert [path for path in python if path.name != "__init__.py"] == []
    for path in python:
        [docstring] = ast.parse(path.read_text(encoding="utf-8")).body
        assert isinstance(docstring, ast.Expr) and isinstance(docstring.value, ast.Constant)


def test_nothing_is_put_off_in_the_code() -> None:
    assert found(PROMISE, files(".py")) == []


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    assert found(OF_A_MACHINE, files()) == []


@pytest.mark.parametrize(
    ("pattern", "line", "hit"),
    [
        (OF_A_GAME, 'LOAD = "tokyo_Tsukiji_market"', True),
        (OF_A_GAME, "two harbours, one boat", True),
        (OF_A_GAME, "harbouring doubts", False),
        (PROMISE, "x = 1  # TO" "DO: two", True),
        (PROMISE, "into, door", False),
        (OF_A_MACHINE, "see /" "work/notes.md", True),
        (OF_A_MACHINE, "path = '/" "root'", True),
        (OF_A_MACHINE, "open('/" "home/mio/rules')", True),
        (OF_A_MACHINE, "https://example.org/" "work/1", False),
        (OF_A_MACHINE, "GET /home", False),
    ],
)
def test_the_watch_on_words_sees(pattern: re.Pattern[str], line: str, hit: bool) -> None:
    assert bool(pattern.search(line)) is hit
