"""Nobody but the process with limits reads a stranger's files: whichever command or call is told of a folder, here its files are looked at
from outside only; their bytes are summed up for the cache, copied, or put into the store, and nothing is made of them."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from ichiba import RulesetFaults
from ichiba.interpreter.run import cache
from ichiba.lab.coverage import cover
from ichiba.table import cli
from ichiba.table.sitting import rules
from tests.table.web.harness import served
from tests.validator.small import ruleset
from tests.validator.test_strangers import CALLS, COMMANDS, MORE_CALLS, answered, save_of, told

FILES = {
    "game.yaml": "title: {en: Small, de: Klein}\nlanguage: 2\nmap: maps/m.yaml\nthings: {gate: {from: gates}}\n",
    "kinds.rules": "kind gate is node:\n    flag used\n\nkind stall is board:\n    counter open: 0 .. 1\n\nuse own.fees(fee: 1) as fees\n",
    "maps/m.yaml": "map: {id: m}\ngates: [{id: a}, {id: b}]\n",
    "boards/tea.yaml": "board: tea\nkind: stall\ntitle: Tea\n",
    "configs/preset.yaml": "configuration: 1\ntitle: For two\nseats: 2\n",
    "library/own.rules": "pattern fees(fee: number):\n    value due: fee\n",
    "look.yaml": "look: 1\nglyphs: {red: R}\n",
    "modules/rain/module.yaml": "module: rain\ntitle: Rain\n",
    "modules/rain/rain.rules": "rule wet, before turn: nothing\n",
    "modules/rain/texts/de.yaml": "module.rain: Regen\n",
    "scenarios/s.scenario.yaml": "scenario: nothing has happened\nconfig: {seats: 2}\nthen: [round = 1]\n",
    "texts/de.yaml": "name.red: Rot\nmenu.actions.rest: Ruhen\n",
    "texts/en.yaml": "menu.actions.rest: Have a rest\n",
    "variants/short.yaml": "variant: short\ntitle: Short\n",
}
IN_GERMAN = {
    "info": ("{}", "--lang", "de", "--rules"), "play": ("{}", "--bots", "1", "--lang", "de"),
    "rulebook": ("{}", "--lang", "de", "--out", "{}/../de.html"),
    "draw": ("{}", "--lang", "de", "--out", "{}/../drawn_de"), "replay": ("{save}", "--lang", "de"), "diff": ("{}", "--lang", "de", "--with", "rain"),
    "rate": ("{}", "--lang", "de", "--players", "random", "--games", "1", "--jobs", "1"),
    "simulate": ("{}", "--lang", "de", "--games", "1", "--jobs", "1"),
    "tune": ("{}", "--lang", "de", "--change", "rounds", "--to", "1,2", "--want", "decisions=5", "--games", "1", "--jobs", "1"),
}  # fmt: skip

read_here: list[str] = []
_watched: list[str] = []


def _watch(event: str, given: tuple[object, ...]) -> None:
    if _watched and event == "open" and isinstance(given[0], str | bytes | os.PathLike):
        path, flags = os.path.realpath(os.fsdecode(given[0])), given[2]
        for_reading = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR) == 0
        if for_reading and path.startswith(_watched[0] + os.sep) and not os.path.isdir(path) and not _as_bytes(sys._getframe(1)):
            read_here.append(f"{path}, by {' by '.join(_callers(sys._getframe(1)))}")


BYTES_ONLY = (cache.key_of.__code__, rules.rules_in.__code__, shutil.copyfile.__code__)


def _as_bytes(frame: FrameType | None) -> bool:
    """Whether it is for somebody who makes nothing of what is read."""
    while frame is not None:
        if frame.f_code in BYTES_ONLY:
            return True
        frame = frame.f_back
    return False


def _callers(frame: FrameType | None) -> Iterator[str]:
    while frame is not None and "/tests/" not in frame.f_code.co_filename:
        yield f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
        frame = frame.f_back


sys.addaudithook(_watch)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "kept"))
    monkeypatch.setenv("ICHIBA_SAVES", str(tmp_path / "saves"))
    folder = ruleset(tmp_path, FILES)
    read_here.clear()
    _watched.append(os.path.realpath(folder))
    yield folder
    _watched.clear()
    assert not read_here, "\n".join(read_here)


def test_the_watch_sees_who_reads(root: Path) -> None:
    (root / "game.yaml").read_text(encoding="utf-8")
    assert [one.partition(",")[0] for one in read_here] == [str(root.resolve() / "game.yaml")]
    read_here.clear()
    assert len(cache.key_of([root], root, "nothing")) == 32 and not read_here


@pytest.mark.parametrize("name", [name for name, ways in COMMANDS.items() if ways and name != "serve"])
def test_no_command_reads_a_strangers_files_itself(name: str, root: Path) -> None:
    save = save_of(root, root.parent)
    ways = (*(COMMANDS[name] or ()), *([IN_GERMAN[name]] if name in IN_GERMAN else []))
    for words in ways:
        said = told((name, *words), root, save)
        assert "something went wrong inside" not in said, said


def test_every_command_that_speaks_a_language_is_asked_for_one() -> None:
    speaking = set()
    for name in COMMANDS:
        given = cli.parser_of(name, importlib.import_module(cli._files()[name][0]))._actions
        speaking |= {name for action in given if "--lang" in action.option_strings}
    assert speaking <= set(IN_GERMAN), speaking - set(IN_GERMAN)


@pytest.mark.parametrize("name", [name for name, call in (CALLS | MORE_CALLS).items() if call is not None])
def test_nor_does_any_call(name: str, root: Path) -> None:
    save, call = save_of(root, root.parent), (CALLS | MORE_CALLS)[name]
    assert call is not None
    answered(call, root, save)


def test_nor_does_the_server(root: Path, tmp_path: Path) -> None:
    with served(tmp_path / "served", named={"small": root}) as web:
        for path in ("/", "/new/small"):
            assert web.ask("GET", path).status == 200
        opened = web.open("small", seats=2, lang="de", modules=["rain"], preset="preset")
        friend = web.sit(opened, opened.host)
        for path in ("", "rules"):
            assert friend.get(path).status == 200


def test_whatever_is_made_of_a_strangers_game_counts_all_that_it_does(root: Path) -> None:
    """The build with marks, too, by which coverage and mutants are told."""
    tested, _ = cover(root, playouts=1)
    games = tested.games.known.values()
    assert len(games) > 3 and all(game.world.closely for game in games)


def test_what_a_table_keeps_of_its_rules_is_looked_over_first(root: Path) -> None:
    (root / "boards" / "secret.yaml").symlink_to("/etc/passwd")
    with pytest.raises(RulesetFaults, match="it leads out"):
        rules.rules_in(root, ())
