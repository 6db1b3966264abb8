"""Mistakes that people make who port a game or write a board, and all that they then read.

`mistakes/port/` is a small sound game with two boards, a module and a variant. Each case in a text file beside it says what somebody
wrote into it, and below that, behind `>>>`, what is answered:

    === the word order of Python
    # play.rules
    value far: round not in 1 .. 3
    >>>
    error[E203]: …

Under a heading such as `# boards/mill.yaml` stands a whole file; lines that begin with `-` and `+` change one that the
game has, and a heading alone, `# copy boards/eel.yaml as boards/mill.yaml`, copies one.
Where a file of scenarios is among them, they are run as `ichiba test` does; else the game is checked as `ichiba check`
does, in all its ways.

`python -m tests.language.messages` writes all answers anew; the difference is for somebody to read.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from ichiba.dsl.faults.fault import render_all
from ichiba.lab.scenarios import run_scenarios
from ichiba.table.checking import check

HERE = Path(__file__).with_name("mistakes")
_CASE = re.compile(r"^=== (.+)\n", re.MULTILINE)
_FILE = re.compile(r"^# ((?:copy )?[\w/]+\.(?:yaml|rules|scenario\.yaml)(?: as [\w/.]+)?)\n", re.MULTILINE)
ANSWER = ">>>\n"


@dataclass(frozen=True, slots=True)
class Case:
    """One mistake: its title, what is written, and what should be said."""

    title: str
    written: str
    said: str

    def answer(self, folder: Path) -> str:
        """What is said of the small game with this mistake in it."""
        game = folder / "port"
        shutil.copytree(HERE / "port", game)
        scenarios = False
        for name, text in self.files():
            scenarios |= name.endswith(".scenario.yaml")
            _write(game, name, text)
        with mock.patch.dict(os.environ, {"ICHIBA_TRUST": "1"}):  # no process of its own, only to be faster
            if scenarios:
                return str(run_scenarios(game / "scenarios")).rstrip()
            found = check(game, quick=True, jobs=1)
        return _near(render_all(found.faults, held=found.held), folder)

    def files(self) -> Iterator[tuple[str, str]]:
        _, *parts = _FILE.split(self.written)
        yield from zip(parts[::2], parts[1::2], strict=True)


def _write(game: Path, name: str, text: str) -> None:
    copied = re.fullmatch(r"copy (\S+) as (\S+)", name)
    if copied:
        shutil.copy(game / copied[1], game / copied[2])
        return
    path = game / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_changed(path.read_text(encoding="utf-8"), text) if _is_change(text) else text, encoding="utf-8")


def _is_change(text: str) -> bool:
    return all(line[:1] in ("-", "+") for line in text.splitlines()) and text.startswith("-")


def _changed(whole: str, change: str) -> str:
    """The file with lines replaced: each `-` begins another change, `+` says what stands there then."""
    for old, new in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)*)", change, re.MULTILINE):
        before, after = (re.sub(r"^[-+]", "", part, flags=re.MULTILINE) for part in (old, new))
        assert whole.count(before) == 1, f"this stands not once in the file: {before}"
        whole = whole.replace(before, after)
    return whole


def _near(text: str, folder: Path) -> str:
    """Places as they are told to somebody who stands in the folder of the game's folder."""
    return re.sub(rf"(?:\.\./)*{re.escape(str(folder).lstrip('/'))}/", "", text.replace(f"{folder}/", ""))


def cases_of(path: Path) -> list[Case]:
    _, *parts = _CASE.split(path.read_text(encoding="utf-8"))
    found = []
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        written, _, said = text.partition(ANSWER)
        found.append(Case(title, written, said.strip("\n")))
    return found


def pages() -> list[Path]:
    return sorted(HERE.glob("*.txt"))


def renew() -> None:
    """Write down what is said now."""
    for path in pages():
        head = path.read_text(encoding="utf-8").partition("=== ")[0]
        told = []
        for case in cases_of(path):
            with tempfile.TemporaryDirectory() as folder:
                told.append(f"=== {case.title}\n{case.written}{ANSWER}{case.answer(Path(folder))}\n")
        path.write_text(head + "\n".join(told), encoding="utf-8")


if __name__ == "__main__":
    renew()
