"""What a store does to its disk, step by step, and what a power cut leaves of it at any of these steps."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

DAMAGES = ("all that was not synced is lost", "some of it is lost, or torn", "the sizes are there and the content is not")
ROOT = Path(__file__).resolve().parents[3]
ACKNOWLEDGED = "acknowledged"  # the file into which a process writes what it would tell somebody
HEAD = struct.Struct("=cHQQ")


@dataclass(frozen=True)
class Step:
    what: str  # create, write, truncate, sync, unlink: the first letter
    name: str  # of the file; "" for the folder
    at: int
    content: bytes


def recorder(folder: Path) -> Path:
    if not (cc := shutil.which("cc")):
        pytest.skip("there is no C compiler")
    made = folder / "recorder.so"
    source = Path(__file__).with_name("recorder.c")
    subprocess.run([cc, "-O1", "-shared", "-fPIC", "-o", made, source, "-ldl"], check=True)
    return made


def on_a_disk(library: Path, folder: Path, module: str, *words: str, **settings: str) -> str:
    """What a process says that has the folder `disk` to write to; what it does there is recorded."""
    disk = folder / "disk"
    disk.mkdir(parents=True)
    ours = {"LD_PRELOAD": str(library), "RECORDED_FOLDER": str(disk), "RECORD": str(folder / "record")}
    done = subprocess.run(
        [sys.executable, "-m", module, str(disk), *words],
        cwd=ROOT, env={**os.environ, **ours, **settings}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def recorded(library: Path, folder: Path, module: str, *words: str) -> list[Step]:
    """All that a process does."""
    on_a_disk(library, folder, module, *words)
    return list(steps((folder / "record").read_bytes(), folder / "disk"))


def steps(record: bytes, disk: Path) -> Iterator[Step]:
    at = 0
    while at < len(record):
        what, path, where, length = HEAD.unpack_from(record, at)
        at += HEAD.size
        name = os.path.relpath(record[at : at + path].decode(), disk)
        at += path
        content = record[at : at + length] if what == b"w" else b""
        at += len(content)
        if not name.endswith("-shm"):  # of the memory that processes share nothing is read after a power cut
            yield Step(what.decode(), "" if name == "." else name, where, content)


@dataclass
class File:
    """What of it is surely on the disk, and what was done to it since."""

    synced: bytearray = field(default_factory=bytearray)
    since: list[Step] = field(default_factory=list)


@dataclass
class Disk:
    """Files by their name: those that are there, and those whose coming or going is not surely on the disk."""

    files: dict[str, File] = field(default_factory=dict)
    lasting: dict[str, File] = field(default_factory=dict)
    acknowledged: bytes = b""

    def does(self, step: Step) -> None:
        match step.what:
            case _ if step.name == ACKNOWLEDGED:
                self.acknowledged += step.content
            case "c":
                self.files[step.name] = File()
            case "u":
                self.files.pop(step.name)
            case "s" if not step.name:
                self.lasting = dict(self.files)
            case "s":
                file = self.files[step.name]
                for one in file.since:
                    apply(file.synced, one)
                file.since.clear()
            case _:
                self.files[step.name].since.append(step)

    def left(self, damage: str, random: Random) -> dict[str, bytes]:
        """What is found after the power has failed now."""
        if damage == DAMAGES[0]:
            return {name: bytes(file.synced) for name, file in self.lasting.items()}
        if damage == DAMAGES[2]:
            return {name: emptied(file) for name, file in self.files.items()}
        found = {}
        for name in self.files | self.lasting:
            now, before = self.files.get(name), self.lasting.get(name)
            file = now if now is before else random.choice((now, before))
            if file is not None:
                found[name] = torn(file, random)
        return found


def apply(content: bytearray, step: Step, length: int | None = None) -> None:
    if step.what == "t":
        content[:] = content[: step.at].ljust(step.at, b"\0")
        return
    written = step.content[:length]
    content.extend(bytes(max(0, step.at + len(written) - len(content))))
    content[step.at : step.at + len(written)] = written


def torn(file: File, random: Random) -> bytes:
    """Each step since is done, not done, or in part; a later one may be there without an earlier one."""
    content = bytearray(file.synced)
    for step in file.since:
        match random.choice(("whole", "lost", "torn", "sector")):
            case "whole":
                apply(content, step)
            case "torn" if step.what == "w":
                apply(content, step, random.randrange(len(step.content)))
            case "sector" if step.what == "w":
                apply(content, step, random.randrange(len(step.content)) // 512 * 512)
    return bytes(content)


def emptied(file: File) -> bytes:
    content, sizes = bytearray(file.synced), bytearray(file.synced)
    for step in file.since:
        apply(sizes, step)
        if step.what == "t":
            apply(content, step)
    return bytes(content[: len(sizes)].ljust(len(sizes), b"\0"))
