"""Claims about folders of results that somebody has damaged or edited: `report`, `compare` and `export` refuse them by name or say
what they hold, and nothing of them moves a cursor or becomes a page's code."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.conftest import Tally
from tests.table.door import Said, ichiba

GAME = "salt_flats"  # it records, and has courses with purses and points
Content = Any
NESTED: Content = []
for _ in range(200):
    NESTED = [NESTED]
HARM = "<script>alert(1)</script>"
ODD: tuple[Content, ...] = (
    None, True, -1, 0, 2, 0.5, 10**30, -(10**30), 10**400, 2**63, 1e308, float("nan"), float("inf"), "", "a", "1", "\ud800", "\0",
    "\x1b[31m\u202eX", HARM, "=1+1", "x" * 50_000, [], {}, [[]], [None], ["a"], [[9]], [[-1], [0]], {"a": 1}, {"1": 1}, NESTED,
)  # fmt: skip
NAMES = ("\x1b[2J", HARM, "0", "99", "", "1.5", "x" * 900)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results") / "kept"
    said = ichiba("simulate", GAME, "--games", "6", "--jobs", "1", "--seed", "1", "--out", folder)
    assert said.code == 0, said.err
    return folder


def commands(one: Path, other: Path, form: str) -> Iterator[tuple[str | Path, ...]]:
    page = one.parent / "page.html"
    yield ("report", one, "--out", page, "--force")
    yield ("report", other, "--beside", one, "--out", page, "--force")
    yield ("compare", other, one)
    yield ("compare", one, other, "--format", "json", "--out", page, "--force")
    for of in ("games", "seats", "records", "looks", "boards"):
        yield ("export", one, "--of", of, "--out", one.parent / f"rows.{form}", "--force")


def sound(said: Said, for_people: bool = True) -> None:
    words = said.out + said.err
    assert said.code in (0, 1, 2) and "inside" not in words and "Traceback" not in words, words[:400]
    assert all(letter.isprintable() or letter == "\n" for letter in words), words[:400]
    assert not for_people or len(words) < 50_000, words[:400]


def read(one: Path, other: Path, form: str) -> int:
    """How often it was refused."""
    refused = 0
    for words in commands(one, other, form):
        said = ichiba(*words)
        sound(said, "json" not in words)
        refused += said.code != 0
        page = one.parent / "page.html"
        if page.exists():
            text = page.read_text("utf-8")
            assert HARM not in text and "\x1b" not in text and "\u202e" not in text
            page.unlink()
    return refused


def places(content: Content, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield way
    for at, more in content.items() if isinstance(content, dict) else enumerate(content[:4] if isinstance(content, list) else ()):
        yield from places(more, (*way, at))


def changed(content: Content, random: Random) -> Content:
    """One thing in it is another, is away, or has another name."""
    made = deepcopy(content)
    top = random.choice(list(content))
    way = random.choice([one for one in places(content) if one[:1] == (top,)])
    inside = made
    for at in way[:-1]:
        inside = inside[at]
    match random.randrange(4):
        case 0:
            del inside[way[-1]]
        case 1 if isinstance(inside, dict):
            inside[random.choice(NAMES)] = inside.pop(way[-1])
        case _:
            inside[way[-1]] = random.choice(ODD)
    return made


def edited(kept: Path, folder: Path, random: Random) -> Path:
    """A copy with one to three changes, anywhere in it."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(kept, folder)
    for _ in range(random.randrange(1, 4)):
        path = folder / random.choice(("run.json", "games.jsonl", "courses.jsonl", "courses.jsonl"))
        lines = path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]
        at = random.randrange(len(lines))
        try:
            content = json.loads(lines[at])
        except ValueError:  # a change before this one
            continue
        if isinstance(content, dict):
            lines[at] = json.dumps(changed(content, random))
        path.write_text("\n".join(lines) + "\n")
    return folder


def odd_folders(kept: Path, folder: Path, times: int, random: Random, tally: Tally) -> None:
    refused = 0
    for _ in range(times):
        refused += bool(read(edited(kept, folder / "run", random), kept, random.choice(("csv", "jsonl", "parquet"))))
    tally(odd_results=times, refused=refused)
    assert refused


def test_results_that_somebody_has_edited_are_refused_by_name_or_told(kept: Path, tmp_path: Path, tally: Tally) -> None:
    odd_folders(kept, tmp_path, 12, Random(1), tally)


@pytest.mark.soak
def test_so_are_hundreds(kept: Path, tmp_path: Path, tally: Tally) -> None:
    odd_folders(kept, tmp_path, 600, Random(2), tally)


FILES: dict[str, Callable[[Path], object]] = {
    "a link out of the folder": lambda path: path.symlink_to("/etc/passwd"),
    "a link to what has no end": lambda path: path.symlink_to("/dev/zero"),
    "a pipe": lambda path: os.mkfifo(path),
    "a folder": lambda path: path.mkdir(),
    "nothing": lambda path: None,
    "zeros": lambda path: path.write_bytes(b"\0" * 10_000),
    "no text": lambda path: path.write_bytes(b"\xff\xfe" * 100),
    "a line without end": lambda path: path.write_bytes(b'{"game": "' + b"x" * 5_000_000),
    "nested without end": lambda path: path.write_bytes(b"[" * 100_000 + b"\n"),
    "a number without end": lambda path: path.write_bytes(b'{"game": ' + b"9" * 100_000 + b"}\n"),
    "a map of nothing": lambda path: path.write_bytes(b"{}\n"),
}


@pytest.mark.parametrize("name", ["run.json", "games.jsonl", "courses.jsonl"])
@pytest.mark.parametrize("make", FILES.values(), ids=FILES)
def test_a_file_that_is_none_of_ours_is_refused_or_told(make: Callable[[Path], object], name: str, kept: Path, tmp_path: Path) -> None:
    one = tmp_path / "run"
    shutil.copytree(kept, one)
    (one / name).unlink()
    make(one / name)
    for words in list(commands(one, kept, "csv"))[:6]:
        said = ichiba(*words)
        sound(said)
        assert "root:" not in said.out + said.err


def test_a_course_that_says_what_no_course_says_is_named(kept: Path, tmp_path: Path) -> None:
    one = Path(shutil.copytree(kept, tmp_path / "run"))
    path = one / "courses.jsonl"
    lines = path.read_text().splitlines()
    lines[2] = json.dumps(json.loads(lines[2]) | {"taken": [["a", "b"]]})
    path.write_text("\n".join(lines) + "\n")
    said = ichiba("report", one, "--out", tmp_path / "page.html")
    assert (said.code, said.err) == (1, f"ichiba report: {one} cannot be read: the course of game 3 cannot be read\n")


def test_numbers_that_no_game_comes_to_are_named_with_their_line(kept: Path, tmp_path: Path) -> None:
    one = Path(shutil.copytree(kept, tmp_path / "run"))
    path = one / "games.jsonl"
    lines = path.read_text().splitlines()
    for number in ("NaN", "1e999", "9" * 40):
        path.write_text("\n".join([lines[0], lines[1].replace('"decisions": ', f'"turns": {number}, "decisions": ')]) + "\n")
        said = ichiba("compare", kept, one)
        what = "line 2 of games.jsonl is no JSON, or holds numbers that no game comes to"
        assert (said.code, said.err) == (1, f"ichiba compare: {one} cannot be read: {what}\n")


def test_a_name_without_end_makes_no_table_as_wide(kept: Path, tmp_path: Path) -> None:
    """Each of its lines would be filled up to that width."""
    one = Path(shutil.copytree(kept, tmp_path / "run"))
    path = one / "games.jsonl"
    path.write_text(path.read_text().replace('"ending": "', '"ending": "' + "x" * 50_000))
    said = ichiba("compare", kept, one)
    assert said.code == 0 and "xxx" in said.out
    assert max(map(len, said.out.splitlines())) < 400
