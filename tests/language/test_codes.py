"""Claims about the register of faults: complete, and every example is what it says."""

import re
from pathlib import Path

import pytest
import yaml

from ichiba.dsl.faults import codes_judge
from ichiba.dsl.faults.codes import CODES, ENTRIES, Code
from ichiba.dsl.faults.fault import Faults, RulesetFaults, render_all
from ichiba.dsl.faults.source import Source
from ichiba.dsl.world.world import Config
from ichiba.dsl.yaml.configuration import files_of_presets, read_configuration
from ichiba.dsl.yaml.reading import load_source, read_yaml
from tests.language.tiny import files_of, read

DSL = Path(__file__).resolve().parents[2] / "dsl"
REGISTERS = {"codes.py", "codes_yaml.py", "codes_rules.py", "codes_whole.py", "codes_judge.py"}
WITHOUT = {
    "E213": ("play",),
    "E214": ("scoring",),
}  # what the tiny game around the example must not say itself
IN_WORDS = {"E002", "E003", "E014", "E015", "E016"}  # too large to be shown
ROOMS = ("dsl", "validator", "interpreter", "lab", "table")


def used() -> set[str]:
    """Every code that some room gives."""
    paths = [
        path for room in ROOMS for path in (DSL.parent / room).rglob("*.py") if path.name not in REGISTERS
    ]
    return {code for path in paths for code in re.findall(r'"([EW]\d{3})"', path.read_text(encoding="utf-8"))}


def test_every_code_that_is_used_is_registered() -> None:
    assert used() - set(CODES) == set()


def test_every_code_that_is_registered_is_used() -> None:
    assert set(CODES) - used() == set()


def test_codes_are_in_order_and_none_stands_twice() -> None:
    codes = [entry.code for entry in ENTRIES]
    assert codes == sorted(set(codes))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.code)
def test_every_code_is_explained_in_sentences(entry: Code) -> None:
    assert re.fullmatch(r"[a-z`].*[^.]", entry.title)
    assert len(entry.title) < 80
    assert re.match(r"[A-Z`]", entry.explanation) and entry.explanation.endswith(".")
    assert entry.wrong_example != entry.right_example


def shape(code: str) -> str:
    return "game.yaml" if code[:2] in ("E0", "E1") else "play.rules"


def config_of(files: dict[str, str]) -> Config:
    """What a chunk says under `# config`."""
    said = yaml.safe_load(files.get("config", "")) or {}
    return Config(
        said.get("seats", 2), tuple(said.get("modules", ())), tuple(said.get("variants", ())),
        tuple(said.get("options", {}).items()), tuple(said.get("assumptions", {}).items()),
    )  # fmt: skip


def verdict(entry: Code, example: str, folder: Path) -> tuple[set[str], str]:
    """The codes that an example gives, and all that is said."""
    if entry.code < "E1" and entry.code != "E001":
        faults = Faults()
        read_yaml(Source("game.yaml", example), faults)
        return {fault.code for fault in faults.all}, render_all(faults.all)
    files = files_of(example, shape(entry.code))
    try:
        tiny = read(folder, files, config_of(files), WITHOUT.get(entry.code, ()))
    except RulesetFaults as stopped:
        return {fault.code for fault in stopped.faults}, str(stopped)
    presets = Faults()
    for path in files_of_presets(folder / "tiny").values():
        read_configuration(path, path.name, presets)
    return tiny.codes | {fault.code for fault in presets.all}, tiny.text + render_all(presets.all)


JUDGED = {entry.code for entry in codes_judge.ENTRIES}  # see tests/validator/
OURS = {"E027"}  # no author's: see tests/table/test_fmt.py
SHOWN = [entry for entry in ENTRIES if entry.code not in IN_WORDS | JUDGED | OURS]


@pytest.mark.parametrize("entry", SHOWN, ids=lambda entry: entry.code)
def test_the_wrong_example_gives_this_code_and_no_other(entry: Code, tmp_path: Path) -> None:
    codes, text = verdict(entry, entry.wrong_example, tmp_path)
    assert codes == {entry.code}, text


@pytest.mark.parametrize("entry", SHOWN, ids=lambda entry: entry.code)
def test_the_right_example_gives_none(entry: Code, tmp_path: Path) -> None:
    codes, text = verdict(entry, entry.right_example, tmp_path)
    assert codes == set(), text


TOO_MUCH = {
    "E002": b"# " + b"x" * 300_000,
    "E003": "title: Gemüse\n".encode("latin-1"),
    "E014": b"[" * 33 + b"]" * 33,
    "E015": b"- 1\n" * 20_000,
    "E016": b"title: " + b"x" * 5_000,
}


@pytest.mark.parametrize("code", sorted(IN_WORDS))
def test_what_is_too_large_to_show_gives_its_code_too(code: str, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_bytes(TOO_MUCH[code])
    faults = Faults()
    source = load_source(tmp_path / "game.yaml", "game.yaml", faults)
    if source is not None:
        read_yaml(source, faults)
    assert {fault.code for fault in faults.all} == {code}
