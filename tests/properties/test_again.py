"""Who asks again after a change in one file has only that file read again, and is told what a first reading tells."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest

from ichiba.dsl.faults.fault import Faults, RulesetFaults, render_all
from ichiba.dsl.parts import parts_of
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.syntax import parse
from ichiba.dsl.world.world import Config
from ichiba.dsl.yaml import reading
from ichiba.dsl.yaml.memory import Memory
from ichiba.interpreter.api import folder_of, rulesets
from ichiba.table.checking import check
from ichiba.validator.judges.building import build
from tests.language.tiny import ruleset
from tests.properties.dumps import dump, first_difference

FEW = 3  # files of each ruleset


@dataclass(frozen=True, slots=True)
class Read:
    """What a reading comes to: everything that is wrong, and the program as far as it could be made."""

    faults: str
    program: list[str]


def read(folder: Path, config: Config, memory: Memory | None = None) -> Read:
    faults = Faults()
    try:
        _, _, program = build(folder, config, faults, memory)
    except RulesetFaults as found:
        return Read(render_all(found.faults), [])
    return Read(render_all(faults.all), dump(program))


def fullest(folder: Path) -> Config:
    """With every module and variant that goes together with those before it."""
    memory = Memory()
    on: tuple[str, ...] = ()
    parts = parts_of(folder)
    for name in parts:
        faults = Faults()
        with suppress(RulesetFaults):  # they do not go together
            read_box(folder, (*on, name), faults, memory)
            on = (*on, name) if not faults.errors else on
    modules, variants = (tuple(name for name in on if parts[name].what == what) for what in ("module", "variant"))
    low = read_box(folder, (), Faults(), memory).seats[0]
    return Config(low, modules, variants)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was gone through: its YAML, its rules, or an expression in it."""
    found: Counter[str] = Counter()
    yaml, tree = reading._Reading.document, parse.tree_of

    def document(self: Any) -> Any:
        found[self.source.path] += 1
        return yaml(self)

    def tree_of(text: Any, *rest: Any) -> Any:
        found[text.source.path] += 1
        return tree(text, *rest)

    monkeypatch.setattr(reading._Reading, "document", document)
    monkeypatch.setattr(parse, "tree_of", tree_of)
    return found


def changes(text: str) -> dict[str, str]:
    """The text as one might have it a keystroke later: everything moved down, a word misspelt, a line that is none."""
    lines = text.split("\n")
    middle = next((at for at in range(len(lines) // 2, len(lines)) if len(lines[at].strip()) > 8), len(lines) - 1)
    return {
        "a comment above": "# a comment\n" + text,
        "a word misspelt": "\n".join([*lines[:middle], lines[middle][:-2] + "qq", *lines[middle + 1 :]]),
        "a line that is none": "\n".join([*lines[:middle], "]: ??", *lines[middle:]]),
    }


def copied(game: str, into: Path) -> Path:
    return Path(shutil.copytree(folder_of(game), into / game))


def files_of(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.rglob("*") if path.suffix in (".rules", ".yaml"))
    return [path for path in found if not path.name.endswith(".scenario.yaml")]


@pytest.mark.parametrize("game", rulesets())
def test_only_the_changed_file_is_read_again_and_all_is_as_from_scratch(
    game: str, tmp_path: Path, parsed: Counter[str]
) -> None:
    """Of a few files, each changed in one of three ways, and then changed back."""
    assert_that_only_changes_are_read(copied(game, tmp_path), Random(game), FEW, 1, parsed)


@pytest.mark.soak
@pytest.mark.parametrize("game", rulesets())
def test_that_goes_for_every_file(game: str, tmp_path: Path, parsed: Counter[str]) -> None:
    assert_that_only_changes_are_read(copied(game, tmp_path), Random(game), 1_000, 3, parsed)


def assert_that_only_changes_are_read(folder: Path, random: Random, most: int, ways: int, parsed: Counter[str]) -> None:
    config, memory = fullest(folder), Memory()
    parsed.clear()
    read(folder, config, memory)
    known, asleep = set(parsed), files_of_parts_that_are_off(folder, config)
    files = files_of(folder)
    for path in sorted(random.sample(files, min(most, len(files)))):
        shown = path.relative_to(folder.parent).as_posix()
        before = path.read_text(encoding="utf-8")
        for what, text in [*random.sample([*changes(before).items()], ways), ("as it was", before)]:
            path.write_text(text, encoding="utf-8")
            parsed.clear()
            again = read(folder, config, memory)
            more = set(parsed) - {shown}  # what is not there may be in a module that is off: each is read for that once
            assert not more & known and more <= asleep and (again.faults or not more), f"{shown}: {what}"
            known |= more
            scratch = read(folder, config)
            assert again.faults == scratch.faults, f"{shown}: {what}"
            assert not (found := first_difference(again.program, scratch.program)), f"{shown}: {what}\n{found}"


def files_of_parts_that_are_off(folder: Path, config: Config) -> set[str]:
    """Those of the modules and variants that do not go together with the others."""
    off = [part.path for name, part in parts_of(folder).items() if name not in (*config.modules, *config.variants)]
    homes = [path.parent if path.name in ("module.yaml", "variant.yaml") else path for path in off]
    return {path.relative_to(folder.parent).as_posix() for path in files_of(folder) for home in homes if path.is_relative_to(home)}


RAIN = {
    "play.rules": "value wage: 5\n\nprocedure turn:\n    gain wage from bank\n    set umbrella to 1\n",
    "other.rules": "value two: 1 +\n\nvalue three: threee\n",
    "modules/rain.yaml": "module: rain\ntitle: Rain\nrules: |\n    table:\n        counter umbrella: 0 .. 3\n",
}


def test_a_file_that_is_at_fault_is_not_read_again_either(tmp_path: Path, parsed: Counter[str]) -> None:
    """Neither is the module that is switched off, and would have what is not there."""
    folder, memory = ruleset(tmp_path, RAIN), Memory()
    first = read(folder, Config(2), memory)
    assert "`umbrella`" in first.faults and "rain" in first.faults and "other.rules" in first.faults
    (folder / "play.rules").write_text(RAIN["play.rules"].replace("5", "$5"), encoding="utf-8")
    parsed.clear()
    again = read(folder, Config(2), memory)
    assert set(parsed) == {"tiny/play.rules"} and parsed["tiny/play.rules"] == 2
    assert again == read(folder, Config(2))


def test_check_asks_the_same_memory_for_every_way(
    tmp_path: Path, parsed: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    folder, memory = ruleset(tmp_path, {**RAIN, "other.rules": "value two: 2\n"}), Memory()
    before = render_all(check(folder, jobs=1, memory=memory).faults)
    parsed.clear()
    assert render_all(check(folder, jobs=1, memory=memory).faults) == before and not parsed
    (folder / "other.rules").write_text("value two: 3\n", encoding="utf-8")
    assert render_all(check(folder, jobs=1, memory=memory).faults) == before
    assert dict(parsed) == {"tiny/other.rules": 1}


def test_threads_may_share_a_memory(tmp_path: Path) -> None:
    """Each asks for another ruleset of the same name, and for the same one."""
    folders = [ruleset(tmp_path / str(number), {"play.rules": f"value wage: {number} +\n"}) for number in range(3)]
    alone = [read(folder, Config(2)) for folder in folders]
    memory = Memory()
    found: dict[int, list[Read]] = {}

    def ask(number: int) -> None:
        found[number] = [read(folders[(number + turn) % 3], Config(2), memory) for turn in range(6)]

    threads = [Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: [alone[(number + turn) % 3] for turn in range(6)] for number in range(6)}


def test_the_library_is_remembered_too(parsed: Counter[str]) -> None:
    folder, memory = folder_of("tsukiji"), Memory()
    config = fullest(folder)
    read(folder, config, memory)
    assert parsed["library/tracks.rules"]
    parsed.clear()
    read(folder, config, memory)
    assert not parsed
