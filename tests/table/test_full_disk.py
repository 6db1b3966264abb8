"""Claims about a disk that is full, a real one of a few pages: what was there stays, nothing half-written is left, it is said
in a sentence, and once there is room again the same thing goes on.

Who may not mount such a disk may do so in a namespace of his own, where the system knows such: there all of this runs once more by
itself. Where that is forbidden too, as in many containers, these skip, and `test_saves.py` and `test_kept.py` have a layer that takes
their place."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from ichiba import load, resume
from ichiba.dsl.files import disk_cache
from ichiba.interpreter.native import compiler as native
from tests.conftest import Tally
from tests.table.door import Said, ichiba
from tests.table.test_play import GAME

LARGE = 4 * 2**20
FULL = "no space left on device"
NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount")
INSIDE = "ICHIBA_TEST_IN_A_NAMESPACE"


@dataclass(frozen=True)
class Disk:
    """A disk in memory, with a file that takes up all room but for so many pages."""

    place: Path

    def leave(self, pages: int) -> None:
        filler = self.place / "filler"
        filler.unlink(missing_ok=True)
        found = os.statvfs(self.place)
        filler.write_bytes(bytes((found.f_bavail - pages) * found.f_frsize))
        assert os.statvfs(self.place).f_bavail == pages

    def names(self, folder: Path | None = None) -> list[str]:
        """All that lies there, hidden files too."""
        return sorted(str(path.relative_to(self.place)) for path in (folder or self.place).rglob("*") if path.name != "filler")


def mounting(place: Path) -> list[str]:
    return ["mount", "-t", "tmpfs", "-o", f"size={LARGE}", "ichiba-test", str(place)]


@contextmanager
def mounted(place: Path) -> Iterator[bool]:
    """Whether a small disk could be mounted there; it is taken away again."""
    place.mkdir()
    try:
        subprocess.run(mounting(place), check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        yield False
        return
    try:
        yield True
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with mounted(tmp_path / "small") as done:
        if not done:
            pytest.skip("no small disk can be mounted here but in a namespace of its own, where all of this runs by itself")
        yield Disk(tmp_path / "small")


def test_who_may_not_mount_a_disk_does_all_this_in_a_namespace_of_his_own(tmp_path: Path) -> None:
    """Where it could be mounted anyway, only one of these, to see that the way in is there."""
    if INSIDE in os.environ:
        pytest.skip("this is the namespace")
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare (on Debian: apt install util-linux)")
    (place := tmp_path / "tried").mkdir()
    if subprocess.run([*NAMESPACE, *mounting(place)], capture_output=True, check=False).returncode:
        pytest.skip("nobody may mount a small disk here, not even in a namespace of its own")
    with mounted(tmp_path / "small") as anyway:
        these = ["-k", "schemas"] if anyway else []
    around = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | {INSIDE: "1"}
    command = [*NAMESPACE, sys.executable, "-m", "pytest", __file__, "-q", "-p", "no:cacheprovider", "-rs", *these]
    run = subprocess.run(command, env=around, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "can be mounted" not in run.stdout and re.search(r"[1-9]\d* passed", run.stdout), run.stdout


def told(said: Said) -> str:
    assert "inside" not in said.err and "Traceback" not in said.err + said.out
    return " ".join(said.err.split())


def test_a_save_on_a_full_disk_is_the_one_before_or_this_one(disk: Disk, tally: Tally) -> None:
    path = disk.place / "kept.json"
    table = load("no_thanks", 3).start(1)
    table.save(path)
    for _ in range(25):
        before = len(table.history)
        table.step(0)
        outcomes = []
        for pages in range(8):
            disk.leave(pages)
            try:
                table.save(path)
            except OSError as fault:
                assert fault.strerror is not None and fault.strerror.lower() == FULL
                assert fault.filename == str(path)
                assert len(resume(path).history) == before
                outcomes.append("full")
            else:
                assert resume(path).state == table.state
                outcomes.append("saved")
                break
            assert disk.names() == ["kept.json"]
        tally(full_disks=len(outcomes))
        assert outcomes[0] == "full" and outcomes[-1] == "saved"


def test_it_is_said_in_play_which_goes_on_to_its_end(disk: Disk, orchard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_SAVES", str(disk.place / "saves"))
    (disk.place / "saves").mkdir()
    disk.leave(0)
    said = ichiba("play", orchard, "--seats", "3", "--seed", "7", typed=f"s\ns {disk.place}/mine\n{GAME}")
    words = " ".join(said.out.split())
    assert words.count(f"It could not be saved: {disk.place}/") == 2 and words.count(FULL) == 3
    assert "The seed was 7." in words and f"The game could not be kept: {disk.place}/saves/" in words
    assert (said.code, said.err) == (0, "") and disk.names() == ["saves"]
    left = ichiba("play", orchard, "--seats", "3", "--seed", "7", typed="12\nq\n")
    assert left.code == 1 and "The game could not be kept" in " ".join(left.out.split())
    disk.leave(20)
    again = ichiba("play", orchard, "--seats", "3", "--seed", "7", typed="12\nq\n")
    assert again.code == 0 and "The game is kept." in again.out


def rows(place: Path) -> list[dict[str, object]]:
    content = (place / "games.jsonl").read_bytes() if (place / "games.jsonl").exists() else b""
    assert content == b"" or content.endswith(b"}\n")
    return [json.loads(line) for line in content.splitlines()]


def test_results_on_a_full_disk_are_whole_lines_and_the_same_command_goes_on(disk: Disk, tmp_path: Path, tally: Tally) -> None:
    words = ("simulate", "no_thanks", "--games", "60", "--jobs", "1", "--seed", "1", "--python", "--out")
    assert ichiba(*words, tmp_path / "alone").code == 0
    wanted, place, seen = rows(tmp_path / "alone"), disk.place / "run", []
    for pages in range(12):
        disk.leave(pages)
        said = ichiba(*words, place)
        there = rows(place)
        assert there == wanted[: len(there)]
        seen.append(len(there))
        if said.code == 0:
            break
        assert FULL in told(said) and str(place) in told(said)
        assert not [name for name in disk.names() if name.endswith(".part")]
    tally(full_disks=len(seen))
    assert seen == sorted(seen) and seen[0] == 0 and seen[-1] == len(wanted) and len(seen) > 3


def test_what_is_kept_on_a_full_disk_is_whole_or_not_there_and_games_are_loaded_as_ever(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, tally: Tally
) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    wanted = load("no_thanks", 3).playout(1, lambda table: 0).state
    cache = disk.place / "cache"
    monkeypatch.setenv("ICHIBA_CACHE", str(cache))
    kept = []
    for pages in (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233):
        disk.leave(0)
        shutil.rmtree(cache, ignore_errors=True)
        disk.leave(pages)
        for _ in range(2):
            assert load("no_thanks", 3).playout(1, lambda table: 0).state == wanted
        found = [path.name for path in cache.rglob("*") if path.suffix == ".game"]
        assert all(disk_cache.fetch(name) is not None for name in found)
        assert not [name for name in disk.names() if name.endswith(".part")]
        kept.append(len(found))
    tally(full_disks=len(kept))
    assert kept == sorted(kept) and kept[0] == 0 and kept[-1] == 1


@pytest.fixture
def compiler() -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")


@pytest.mark.usefixtures("compiler")
def test_machine_code_that_cannot_be_kept_is_played_all_the_same(disk: Disk, monkeypatch: pytest.MonkeyPatch, tally: Tally) -> None:
    cache = disk.place / "cache"
    monkeypatch.setenv("ICHIBA_CACHE", str(cache))
    wanted = load("no_thanks", 3).playout(1, lambda table: 0).state
    kept = []
    for pages in (0, 3, LARGE // 2 // os.statvfs(disk.place).f_frsize):
        disk.leave(pages)
        game = load("no_thanks", 3, native=True)
        assert game.native and game.playout(1, lambda table: 0).state == wanted
        found = list(cache.glob(f"*{native.ENDING}"))
        assert found == [path for path in [disk_cache.library(native._key(game), native.ENDING)] if path is not None]
        assert not [name for name in disk.names() if name.endswith(".part")]
        kept.append(len(found))
    tally(full_disks=len(kept))
    assert kept == [0, 0, 1]


@pytest.mark.usefixtures("compiler")
def test_where_there_is_no_room_to_make_it_the_game_is_played_in_python(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tally: Tally
) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    monkeypatch.setenv("TMPDIR", str(disk.place))
    monkeypatch.setattr(tempfile, "tempdir", str(disk.place))
    wanted = load("no_thanks", 3).playout(1, lambda table: 0).state
    made = []
    for pages in (0, 1, 10, 40, LARGE // 2 // os.statvfs(disk.place).f_frsize):
        disk.leave(pages)
        caplog.clear()
        game = load("no_thanks", 3, native=True)
        assert game.playout(1, lambda table: 0).state == wanted
        assert game.native or [record.getMessage()[:30] for record in caplog.records] == ["no_thanks is played in Python:"]
        assert disk.names() == []
        made.append(game.native)
    tally(full_disks=len(made))
    assert made == sorted(made) and not made[0] and made[-1]


@pytest.mark.parametrize("made", [("game", "bazaar"), ("board", "kiosk"), ("scenario", "dearer"), ("variant", "short"), ("module", "rain")])
def test_what_is_made_anew_on_a_full_disk_is_there_whole_or_not_at_all(made: tuple[str, str], disk: Disk, tally: Tally) -> None:
    home = disk.place / "home"
    if made[0] == "game":
        home.mkdir()
    else:
        assert ichiba("new", "game", "home", "--in", disk.place).code == 0
        shutil.rmtree(home / ".schemas")
    before, tries = disk.names(), 0
    for pages in (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144):
        disk.leave(pages)
        said = ichiba("new", *made, "--in", home)
        tries += 1
        if said.code == 0:
            break
        assert FULL in told(said) and str(disk.place) in told(said)
        assert [name for name in disk.names() if ".schemas" not in name] == before
    tally(full_disks=tries)
    assert said.code == 0 and tries > 1 and len(disk.names()) > len(before)


def test_schemas_on_a_full_disk_are_written_whole_or_not_at_all(disk: Disk, tally: Tally) -> None:
    for pages in range(0, 300, 7):
        disk.leave(pages)
        said = ichiba("schema", "no_thanks", "--out", disk.place / "schemas")
        for path in (disk.place / "schemas").glob("*"):
            assert json.loads(path.read_text())["$schema"]
        tally(full_disks=1)
        if said.code == 0:
            break
        assert FULL in told(said) and str(disk.place) in told(said)
    assert said.code == 0 and pages > 0
