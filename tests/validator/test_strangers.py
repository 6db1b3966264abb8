"""One door: every command and every call that takes a ruleset meets the same folders that mean harm, and says no in time.

The commands are those of the command table, the calls those that `ichiba` exports: a new one that is not listed here
fails the test until somebody says how it is told a folder.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.faults.fault import render_all
from ichiba.interpreter.api import show_rule
from ichiba.lab.coverage import cover
from ichiba.lab.scenarios import run_scenarios
from ichiba.table import cli
from ichiba.table.checking import check
from tests.table.door import ichiba as command
from tests.validator.hostile import FOLDERS, SECRET, Hostile, made

Tally = Callable[..., None]

# How each command is told a folder; several ways where there are several. None: it takes no ruleset. `{}` is the folder, `{save}` a
# saved game, `{config}` a configuration and `{run}` results that name it.
COMMANDS: dict[str, tuple[tuple[str, ...], ...] | None] = {
    "games": (("{}",),),
    "info": (
        ("{}",), ("{}", "--set", "m=a"), ("{}", "--rule", "play", "--stage", "c"), ("{}", "--combos"), ("{}", "--format", "json"),
        ("--config", "{config}"), ("{}", "--config", "preset"),
    ),
    "play": (("{}", "--bots", "1"), ("--resume", "{save}"), ("--config", "{config}", "--bots", "1")),
    "rate": (("{}", "--players", "random,greedy", "--games", "1", "--jobs", "1"),),
    "replay": (("{save}",), ("{save}", "--upgrade", "--out", "{}/../fork.json")),
    "report": (
        ("{run}", "--force"), ("{run}", "--force", "--out", "{}/../report.html"), ("{run}", "--force", "--beside", "{run}", "--rules", "{}"),
    ),
    "check": (("{}",), ("{}/boards",)),
    "compare": (("{run}", "{run}", "--force", "--out", "{}/../both.html"),),
    "assumptions": (("{}",), ("--config", "{config}")),
    "diff": (
        ("{}", "--set", "m=a"), ("{}", "{}"), ("--config", "{config}", "--set", "m=a", "--out", "{}/../changed"),
    ),
    "draw": (("{}", "--out", "{}/../drawn"), ("--save", "{save}", "--out", "{}/../drawn"), ("{}", "--paper", "--out", "{}/../drawn")),
    "explain": None,
    "export": None,  # rows of a run, and nothing of its rules
    "fmt": (("{}",), ("{}/boards", "--check"), ("{}/game.yaml", "--diff")),
    "mutate": (("{}", "--most", "1"),),
    "new": (
        ("board", "my_board", "--in", "{}"), ("scenario", "mine", "--in", "{}"), ("variant", "mine", "--in", "{}"),
        ("module", "my_own", "--in", "{}"),
    ),
    "rulebook": (("{}", "--out", "{}/../rules.html"),),
    "serve": (("{}", "--no-browser"), ("--play", "{}", "--no-browser")),
    "schema": (("{}",), ("{}", "--out", "{}/.schemas")),
    "simulate": (("{}", "--games", "1", "--jobs", "1"), ("--config", "{config}", "--games", "1", "--out", "{}/../run", "--jobs", "1")),
    "tune": (("{}", "--change", "m", "--to", "a,b", "--want", "decisions=5", "--games", "1", "--jobs", "1"),),
    "test": (("{}",), ("{}/scenarios",), ("{}", "--coverage", "--playouts", "1")),
}  # fmt: skip

# The calls that take a ruleset's folder. None: it takes none.
CALLS: dict[str, Callable[[Path, Path], object] | None] = {
    "load": lambda folder, save: ichiba.load(folder),
    "resume": lambda folder, save: ichiba.resume(save),
    "Decision": None, "Game": None, "IllegalMove": None, "Option": None, "RulesetFaults": None, "SaveFault": None, "Table": None,
    "UnknownRuleset": None,
}  # fmt: skip
MORE_CALLS: dict[str, Callable[[Path, Path], object]] = {
    "load by a configuration": lambda folder, save: ichiba.load(config=config_of(folder, save)),
    "load with a preset": lambda folder, save: ichiba.load(folder, config="preset"),
    "show_rule": lambda folder, save: show_rule(folder, "play", "python"),
    "check": lambda folder, save: render_all(check(folder).faults),
    "run_scenarios": lambda folder, save: str(run_scenarios(folder)),
    "cover": lambda folder, save: str(cover(folder, playouts=1)),
}

opened: list[str] = []
_watched: list[str] = []


def _watch(event: str, given: tuple[object, ...]) -> None:
    if _watched and event in ("open", "os.listdir", "os.scandir") and isinstance(given[0], str | bytes | os.PathLike):
        path = os.path.realpath(os.fsdecode(given[0]))
        if any(path == place or path.startswith(place + os.sep) for place in _watched):
            opened.append(path)


sys.addaudithook(_watch)


@contextlib.contextmanager
def nothing_opened_in(outside: Path) -> Iterator[None]:
    """Neither read nor listed, by whatever means."""
    opened.clear()
    _watched.extend([os.path.realpath(outside), "/dev/zero", "/etc/passwd"])
    try:
        yield
    finally:
        _watched.clear()
    assert opened == []


@pytest.fixture(autouse=True)
def nobody_vouches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path_factory.getbasetemp() / "kept"))  # the grammar; no ruleset of these
    monkeypatch.setenv("ICHIBA_SAVES", str(tmp_path / "saves"))


def test_every_command_is_listed() -> None:
    unlisted, gone = set(cli.commands()) - set(COMMANDS), set(COMMANDS) - set(cli.commands())
    assert not unlisted, f"new commands {unlisted}: say in COMMANDS how they are told a folder, or None where they take no ruleset"
    assert not gone, f"there is no command {gone} any more: take it out of COMMANDS"


def test_every_public_call_is_listed() -> None:
    unlisted, gone = set(ichiba.__all__) - set(CALLS), set(CALLS) - set(ichiba.__all__)
    assert not unlisted, f"new public names {unlisted}: say in CALLS how they are told a folder, or None where they take none"
    assert not gone, f"`ichiba` exports no {gone} any more: take it out of CALLS"


PLACES = ("FILE", "DIR", "MODULE", "PATH", "FOLDER", "RULESET", "GAME", "SAVE", "RESULTS")  # what options that lead somewhere are told
# The same for all commands: `tests/table/test_elsewhere.py` and `with_module` below come in by it.
ELSEWHERE = {"--with"}
NOT_TOLD = {  # where one way in is that of another command: they share its code
    ("draw", "--config"): "table/arguments.py", ("rulebook", "--config"): "table/arguments.py",
    ("rate", "--config"): "table/arguments.py", ("tune", "--config"): "table/arguments.py",
    ("export", "--out"): "rows of a run",
    ("serve", "--store"): "a database, which no ruleset has a say in",
    ("new", "--for"): "the name of a game, as for `--in`",
}  # fmt: skip


def ways_in(name: str) -> set[str]:
    """The options of a command that lead to a file or a folder."""
    given = cli.parser_of(name, importlib.import_module(cli._files()[name][0]))._actions
    led = (action for action in given if any(word in str(action.metavar) for word in PLACES))
    return {option for action in led for option in action.option_strings if option.startswith("--")} - ELSEWHERE


@pytest.mark.parametrize("name", cli.commands())
def test_every_option_that_leads_to_a_file_is_one_of_the_ways_in(name: str) -> None:
    said = {word for words in COMMANDS.get(name) or () for word in words}
    missing = {option for option in ways_in(name) - said if (name, option) not in NOT_TOLD}
    assert not missing, f"`ichiba {name}` takes a file or a folder by {missing}: add such a way to COMMANDS"


def test_ways_in_are_found() -> None:
    assert {"--config", "--resume"} <= ways_in("play") and "--out" in ways_in("simulate") and "--in" in ways_in("new")
    assert not {option for name, option in NOT_TOLD if option not in ways_in(name)}


def save_of(folder: Path, place: Path) -> Path:
    """A save that says that it was played with this folder."""
    table = ichiba.load("no_thanks", 3).start(1)
    table.step(0)
    path = place / "kept.json"
    table.save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"folder": str(folder), "whole": ""}))
    run_of(folder, place)
    return path


def config_of(folder: Path, save: Path) -> Path:
    """A configuration that lies beside the save and names the folder."""
    path = save.with_name("friday.yaml")
    path.write_text(f"configuration: 1\ngame: {json.dumps(str(folder))}\n", encoding="utf-8")
    return path


def run_of(folder: Path, place: Path) -> None:
    """Results that say that they are of this folder."""
    run = place / "run"
    run.mkdir()
    command("simulate", "no_thanks", "--seats", "3", "--games", "2", "--jobs", "1", "--python", "--seed", "1", "--out", run)
    about = json.loads((run / "run.json").read_text())
    about["setting"]["game"] = str(folder)
    (run / "run.json").write_text(json.dumps(about))


def told(words: tuple[str, ...], folder: Path, save: Path) -> str:
    places = {
        "{save}": str(save), "{config}": str(config_of(folder, save)), "{run}": str(save.with_name("run")), "{}": str(folder),
    }  # fmt: skip
    for mark, place in places.items():
        words = tuple(word.replace(mark, place) for word in words)
    said = command(*words, typed="q\n")
    assert "Traceback" not in said.out + said.err
    return said.out + said.err


def answered(call: Callable[[Path, Path], object], folder: Path, save: Path) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            return f"{call(folder, save)}{out.getvalue()}"
        except (ichiba.RulesetFaults, ichiba.UnknownRuleset, ichiba.SaveFault) as fault:
            return f"{fault}{out.getvalue()}"


LATER = [hostile for hostile in FOLDERS if hostile.read][1:] + [hostile for hostile in FOLDERS if not hostile.read][1::2]


@pytest.mark.parametrize(
    "hostile",
    [pytest.param(hostile, marks=pytest.mark.soak if hostile in LATER else (), id=hostile.name) for hostile in FOLDERS],
)
def test_whichever_way_one_comes_in_a_folder_that_means_harm_is_refused(
    hostile: Hostile, tmp_path: Path, tally: Tally
) -> None:
    root, outside = made(hostile, tmp_path)
    save = save_of(root, tmp_path)
    before = {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}
    said: dict[str, str] = {}
    of_every_ruleset = command("schema").out  # those of one ruleset hold its words besides
    with nothing_opened_in(outside):
        for name, ways in COMMANDS.items():
            for words in ways or ():
                if not words[0].startswith("{}/") or (root / words[0][3:]).is_dir() and not (root / words[0][3:]).is_symlink():
                    said[f"ichiba {name} {' '.join(words)}"] = told((name, *words), root, save)
        for name, call in (CALLS | MORE_CALLS).items():
            if call is not None:
                said[name] = answered(call, root, save)
    for entry, words_said in said.items():
        assert SECRET not in words_said, entry
        assert "something went wrong inside" not in words_said, entry
        assert "\x1b" not in words_said and "\u202e" not in words_said, entry
        assert len(words_said) < (2 * len(of_every_ruleset) if "schema" in entry else 20_000), entry
    for entry in ("ichiba check {}", "load", "check", "ichiba info {}"):
        assert any(word in said[entry] for word in hostile.words), (entry, said[entry])
    assert before == {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}
    tally(entry_points=len(said))


# How the commands are told a module in a folder of its own.
WITH_MODULE = (
    ("info", "no_thanks", "--with", "{}"), ("info", "no_thanks", "--with", "{}", "--set", "m=a"),
    ("info", "no_thanks", "--with", "{}", "--rule", "play", "--stage", "rules"), ("play", "no_thanks", "--with", "{}", "--bots", "2"),
    ("simulate", "no_thanks", "--with", "{}", "--games", "1", "--jobs", "1"), ("assumptions", "no_thanks", "--with", "{}"),
    ("check", "{}"), ("test", "{}"), ("test", "{}", "--coverage", "--playouts", "1"), ("replay", "{save}"),
)  # fmt: skip
AS_MODULES = [hostile for hostile in FOLDERS if not hostile.read and not hostile.name.startswith("game.yaml")]


@pytest.mark.parametrize(
    "hostile", [pytest.param(hostile, marks=pytest.mark.soak if number % 6 else (), id=hostile.name) for number, hostile in enumerate(AS_MODULES)]
)
def test_a_module_in_such_a_folder_is_refused_too(hostile: Hostile, tmp_path: Path, tally: Tally) -> None:
    """The game itself is trusted: what comes with it from elsewhere is not."""
    root, outside = made(hostile, tmp_path)
    (root / "game.yaml").unlink()
    (root / "base.rules").unlink()
    (root / "module.yaml").write_text("module: small\nfor: no_thanks\n")
    save = save_of(root, tmp_path)
    save.write_text(json.dumps(json.loads(save.read_text()) | {"folder": None, "modules": [str(root)]}))
    with nothing_opened_in(outside):
        said = {" ".join(words): told(words, root, save) for words in WITH_MODULE}
        said["load"] = answered(lambda folder, _: ichiba.load("no_thanks", modules=[folder]), root, save)
        said["show_rule"] = answered(lambda folder, _: show_rule("no_thanks", "play", "python", modules=[folder]), root, save)
    for entry, words_said in said.items():
        assert SECRET not in words_said and "something went wrong inside" not in words_said, (entry, words_said)
        assert "\x1b" not in words_said and "\u202e" not in words_said and len(words_said) < 20_000, entry
        assert entry.startswith("replay") or any(word in words_said for word in hostile.words), (entry, words_said)
    tally(entry_points=len(said))
