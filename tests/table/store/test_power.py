"""Claims about a power cut at whatever step of what a store does to its disk: what was acknowledged is there, and what was being
written is there whole or not at all.

What a process has done to its files is recorded in front of the C library; what a disk would hold after a cut is made of that."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from random import Random

import pytest

from ichiba.table.store import sqlite
from ichiba.table.store.store import StoreFault, open_store
from tests.conftest import Tally
from tests.table.store.recorded import DAMAGES, Disk, Step, on_a_disk, recorded, recorder
from tests.table.store.working import NAME, whole


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorder(tmp_path_factory.mktemp("recorder"))


@pytest.fixture(autouse=True)
def this_disk_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is looked at afterwards need not last."""
    monkeypatch.setattr(sqlite, "SETTINGS", ("synchronous = OFF", *sqlite.SETTINGS[1:]))


def found(folder: Path, files: dict[str, bytes]) -> str:
    """What a store says that is opened on what was left."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    try:
        store = open_store(str(folder / NAME))
    except StoreFault as fault:
        return f"it cannot be opened: {fault}"
    try:
        return whole(store)
    except StoreFault as fault:
        return f"it cannot be read: {fault}"
    finally:
        store.close()


def cut(steps: list[Step], folder: Path, random: Random, every: int = 1) -> tuple[int, list[str]]:
    """The power fails before each sync and behind each acknowledgement, in each way. How many points that were; what was wrong."""
    states = [line for step in steps if step.name == "acknowledged" for line in step.content.decode().split()]
    empty = found(folder, {})
    disk, points, wrong = Disk(), 0, []
    for at, step in enumerate(steps):
        if step.what == "s":
            points += 1
        if step.what == "s" or at and steps[at - 1].name == "acknowledged":
            there = len(disk.acknowledged.split())
            right = {empty if not there else states[there - 1], *states[there : there + 1]} - {"closed"}
            if states[there - 1 : there] == ["closed"]:
                right.add(states[there - 2])
            for damage in DAMAGES if points % every == 0 else ():
                state = found(folder, disk.left(damage, random))
                if state not in right:
                    wrong.append(f"step {at}, {there} acknowledged, {damage}: {state}")
        disk.does(step)
    return points, wrong


def test_whenever_the_power_fails_what_was_acknowledged_is_there_and_nothing_by_halves(
    library: Path, tmp_path: Path, tally: Tally
) -> None:
    steps = recorded(library, tmp_path, "tests.table.store.working", "1", "40")
    points, wrong = cut(steps, tmp_path / "after", Random(1), every=3)
    tally(sync_points=points // 3)
    assert wrong == [] and points > 60


def test_a_store_that_does_not_wait_for_its_disk_would_be_found_out(library: Path, tmp_path: Path) -> None:
    steps = recorded(library, tmp_path, "tests.table.store.working", "1", "12", "careless")
    assert any(DAMAGES[0] in one for one in cut(steps, tmp_path / "after", Random(1))[1])


@pytest.mark.soak
def test_so_it_is_at_five_hundred_points(library: Path, tmp_path: Path, tally: Tally) -> None:
    points = seed = 0
    while points < 500:
        seed += 1
        steps = recorded(library, tmp_path / str(seed), "tests.table.store.working", str(seed), "60")
        more, wrong = cut(steps, tmp_path / "after", Random(seed))
        points += more
        assert wrong == []
    tally(sync_points=points, damages=points * len(DAMAGES))


# --- a disk that is ill


ILL = [(errno.EIO, 1), (errno.EIO, 5), (errno.ENOSPC, 3), (errno.ENOSPC, 40)]


def on_an_ill_disk(library: Path, folder: Path, points: range) -> int:
    """From each of these things on that are done to files, some fail. How often that was told."""
    told = 0
    for at in points:
        code, times = ILL[at % len(ILL)]
        settings = {"FAIL_AT": str(at), "FAIL_FOR": str(times), "FAIL_WITH": str(code)}
        told += int(on_a_disk(library, folder / str(at), "tests.table.store.failing", str(at), **settings))
    return told


def test_on_a_disk_that_fails_what_was_acknowledged_stays_and_it_is_told_in_a_sentence(
    library: Path, tmp_path: Path, tally: Tally
) -> None:
    points = range(1, 200, 25)
    told = on_an_ill_disk(library, tmp_path, points)
    tally(failures=len(points), told=told)
    assert told >= len(points) // 2


@pytest.mark.soak
def test_so_it_is_at_four_hundred_points(library: Path, tmp_path: Path, tally: Tally) -> None:
    tally(failures=400, told=on_an_ill_disk(library, tmp_path, range(1, 401)))
