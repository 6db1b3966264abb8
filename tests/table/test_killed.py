"""Claims about whoever is killed while saving, simulating, reading a ruleset or making machine code: nothing that was said
to be there is lost, nothing half-written is used, and no process stays behind."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from ichiba import load, resume
from ichiba.dsl.files import disk_cache
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.native import compiler as native
from tests.table.door import ichiba

Tally = Callable[..., None]
PATIENCE = 120  # seconds, for what takes one: a test that waits for ever tells nothing
pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").is_file(), reason="this system does not tell who began whom")


@dataclass
class Begun:
    """A process and all that it begins, which are known by a word in their environment."""

    command: list[str]
    settings: dict[str, str] = field(default_factory=dict)
    word: str = field(default_factory=lambda: f"begun-by-a-test-{secrets.token_hex(8)}")

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, **self.settings, "ICHIBA_TEST": self.word},
        )  # fmt: skip

    def heard(self) -> str:
        """The next line that it says."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def all(self) -> set[int]:
        """It and what it has begun, as far as they live."""
        found = set()
        for place in Path("/proc").glob("[0-9]*"):
            try:
                if self.word.encode() in (place / "environ").read_bytes():
                    found.add(int(place.name))
            except OSError:  # it has gone, or is somebody else's
                continue
        return found

    def killed(self) -> str:
        """It alone is killed; the others are not told. What it had still to say."""
        self.process.kill()
        said, _ = self.process.communicate()
        self.nobody_stays()
        return said

    def nobody_stays(self) -> None:
        end = time.monotonic() + PATIENCE
        while left := self.all():
            if time.monotonic() > end:
                for one in left:
                    os.kill(one, signal.SIGKILL)
                raise AssertionError(f"{len(left)} processes go on for nobody")
            time.sleep(0.01)


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "ichiba.table", *map(str, words)]


def program(text: str, *words: str | Path) -> list[str]:
    return [sys.executable, "-c", text, *map(str, words)]


def waited(random: Random, most: float) -> None:
    time.sleep(random.random() * most)


# --- saves

SAVING = """\
import sys
from ichiba import load
game, seed = load("no_thanks", 3), 0
print("ready", flush=True)
while True:
    seed += 1
    table = game.start(seed)
    while table.codes:
        table.step(0)
        table.save(sys.argv[1])
        print(seed, len(table.history), flush=True)
"""


def killed_while_saving(folder: Path, times: int, random: Random) -> int:
    path = folder / "kept.json"
    load("no_thanks", 3).start(1).save(path)
    for _ in range(times):
        saving = Begun(program(SAVING, path))
        saving.heard()
        waited(random, 0.05)
        acknowledged = [tuple(map(int, line.split())) for line in saving.killed().splitlines(keepends=True) if line.endswith("\n")]
        table = resume(path)
        assert (table.seed, len(table.history)) >= max(acknowledged, default=(0, 0))
    return times


def test_whoever_is_killed_while_saving_has_all_that_was_saved(tmp_path: Path, tally: Tally) -> None:
    tally(kills=killed_while_saving(tmp_path, 5, Random(1)))


@pytest.mark.soak
def test_however_often_while_saving(tmp_path: Path, tally: Tally) -> None:
    tally(kills=killed_while_saving(tmp_path, 300, Random(2)))


# --- simulations


def simulating(folder: Path) -> list[str]:
    return command("simulate", "no_thanks", "--games", "1000000", "--jobs", "2", "--seed", "1", "--python", "--out", folder / "run")


def rows_of(folder: Path) -> list[dict[str, object]]:
    """The whole lines."""
    path = folder / "run" / "games.jsonl"
    lines = path.read_bytes().splitlines(keepends=True) if path.is_file() else []
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


def killed_while_simulating(folder: Path, times: int, random: Random) -> int:
    """A run that is killed so often, and goes on each time, has the rows of one that was left alone."""
    before = 0
    for _ in range(times):
        simulation = Begun(simulating(folder))
        waited(random, 1.5)
        simulation.killed()
        now = len(rows_of(folder))
        assert now >= before
        before = now
    words = ("simulate", "no_thanks", "--jobs", "1", "--seed", "1", "--python", "--out")
    said = ichiba(*words, folder / "run", "--games", "3")
    assert said.code == 0, said.err
    rows = rows_of(folder)
    ichiba(*words, folder / "alone" / "run", "--games", str(len(rows)))
    assert rows == rows_of(folder / "alone")
    return times


def test_a_run_that_is_killed_and_goes_on_loses_nothing(tmp_path: Path, tally: Tally) -> None:
    tally(kills=killed_while_simulating(tmp_path, 3, Random(1)))


@pytest.mark.soak
def test_however_often_while_simulating(tmp_path: Path, tally: Tally) -> None:
    tally(kills=killed_while_simulating(tmp_path, 300, Random(2)))


# --- rulesets that are read, and kept

READING = """\
import sys
from ichiba import load
print("ready", flush=True)
load(sys.argv[1], 3)
print("made", flush=True)
"""


def killed_while_reading(folder: Path, times: int, random: Random) -> int:
    """A stranger's ruleset: it is read in another process, then kept."""
    home, cache = folder / "no_thanks", folder / "cache"
    shutil.copytree(rulesets()["no_thanks"], home)
    strangers = {"ICHIBA_TRUST": "", "ICHIBA_CACHE": str(cache)}
    most, wanted = taken(program(READING, home), strangers), playout(str(home))
    for _ in range(times):
        for path in cache.glob("*.game"):
            path.unlink()
        reading = Begun(program(READING, home), strangers)
        reading.heard()
        waited(random, 1.2 * most)
        said = reading.killed()
        names = [path.name for path in cache.glob("*.game")]
        assert all(disk_cache.fetch(name) is not None for name in names)  # whole, or not there under this name
        assert names or "made" not in said
        assert playout(str(home)) == wanted
    return times


def taken(command: list[str], settings: dict[str, str]) -> float:
    """About how long something takes which is left alone: by that the moments are chosen at which it is killed."""
    alone = Begun(command, settings)
    alone.heard()
    start = time.monotonic()
    assert alone.heard() == "made\n"
    passed = time.monotonic() - start
    alone.killed()
    return passed


def playout(name: str, in_machine_code: bool = False) -> list[int]:
    game = load(name, 3, native=in_machine_code)
    assert game.native == in_machine_code
    return game.playout(1, lambda table: len(table.codes) // 2).state


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("ICHIBA_CACHE", str(folder))
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # here; the processes that are killed trust nobody
    return folder


@pytest.mark.usefixtures("cache")
def test_a_ruleset_whose_reader_was_killed_is_there_whole_or_not_at_all(tmp_path: Path, tally: Tally) -> None:
    tally(kills=killed_while_reading(tmp_path, 3, Random(1)))


@pytest.mark.soak
@pytest.mark.usefixtures("cache")
def test_however_often_while_reading(tmp_path: Path, tally: Tally) -> None:
    tally(kills=killed_while_reading(tmp_path, 200, Random(2)))


# --- machine code

MAKING = """\
from ichiba import load
from ichiba.interpreter.native.compiler import compile_game
game = load("no_thanks", 3)
print("ready", flush=True)
compile_game(game)
print("made", flush=True)
"""


def killed_while_compiling(cache: Path, times: int, random: Random) -> int:
    try:
        native.compile_game(load("no_thanks", 3))
    except native.NoMachineCode as reason:
        pytest.skip(str(reason))
    wanted, known = playout("no_thanks"), native._key(load("no_thanks", 3))
    (whole,) = cache.glob(f"*{native.ENDING}")
    content = whole.read_bytes()
    whole.unlink()
    most = taken(program(MAKING), {"ICHIBA_CACHE": str(cache)})
    for _ in range(times):
        for path in cache.glob(f"*{native.ENDING}"):
            path.unlink()
        making = Begun(program(MAKING), {"ICHIBA_CACHE": str(cache)})
        making.heard()
        waited(random, 1.2 * most)
        said = making.killed()
        found = disk_cache.library(known, native.ENDING)
        assert list(cache.glob(f"*{native.ENDING}")) == ([found] if found is not None else [])
        assert found is not None or "made" not in said
        if found is not None:
            assert len(found.read_bytes()) == len(content)
            assert playout("no_thanks", in_machine_code=True) == wanted
    return times


def test_machine_code_whose_maker_was_killed_is_there_whole_or_not_at_all(cache: Path, tally: Tally) -> None:
    tally(kills=killed_while_compiling(cache, 2, Random(1)))


@pytest.mark.soak
def test_however_often_while_compiling(cache: Path, tally: Tally) -> None:
    tally(kills=killed_while_compiling(cache, 200, Random(2)))


# --- what would never end by itself

ENDLESS = {
    "a reader": """\
import time
from ichiba.interpreter.strangers import child
answers = child.each(time.sleep, [(0,), (10_000,)])
next(answers)
open("begun", "w").close()
next(answers)
""",
    "a compiler": """\
from pathlib import Path
from ichiba.interpreter.native import compiler as native
native.compiled("int x;", Path("made.so"))
""",
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_whatever_works_for_somebody_who_is_killed_ends_with_him(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    slow = tmp_path / "slow-compiler"
    slow.write_text("#!/bin/sh\nsleep 10000 &\ntouch begun\nsleep 10000\n")
    slow.chmod(0o755)
    working = Begun(program(text), {"CC": str(slow)})
    end = time.monotonic() + PATIENCE
    while not (tmp_path / "begun").exists():
        assert time.monotonic() < end, "it never began"
        time.sleep(0.01)
    working.killed()
