"""What the door does with whatever is typed: it opens, or says in one sentence why not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ichiba.table import cli
from tests.table.door import ichiba

MINE = ("games", "info", "check", "assumptions", "play", "replay", "simulate")


def test_help_lists_every_command_with_what_it_does() -> None:
    said = ichiba("--help")
    assert said.code == 0 and said.err == ""
    for name in MINE:
        assert f"\n  {name} " in said.out
    assert all(len(line) <= 100 for line in said.out.splitlines())


def test_without_a_word_there_is_help() -> None:
    assert ichiba().out == ichiba("--help").out


@pytest.mark.parametrize("name", cli.commands())
def test_every_command_has_help_with_examples(name: str) -> None:
    said = ichiba(name, "--help")
    assert (said.code, said.err) == (0, "")
    assert "\nexamples:\n  ichiba " in said.out
    assert ichiba("help", name).out == said.out


def test_help_is_quick_because_no_engine_is_loaded_for_it() -> None:
    code = (
        "import sys; from ichiba.table.cli import main; main(['--help']); "
        "sys.exit(any(name in sys.modules for name in ('lark', 'yaml', 'rich', 'ichiba.dsl', 'ichiba.interpreter')))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


def test_a_mistyped_command_names_the_nearest() -> None:
    said = ichiba("chekc", "x")
    assert (said.code, said.out) == (2, "")
    assert said.err == "ichiba: there is no command `chekc`; did you mean `check`?\n"


def test_an_unknown_command_lists_them_all() -> None:
    said = ichiba("fly")
    assert said.code == 2
    assert said.err.startswith("ichiba: there is no command `fly`; there are: games, info, play, ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["info"], "ichiba info: which game? `ichiba games` lists them (`ichiba info --help` shows how)"),
        (
            ["info", "x", "--seat", "3"],
            "ichiba info: there is no option `--seat`; did you mean `--seats`? (`ichiba info --help` shows how)",
        ),
        (
            ["info", "x", "--seats", "two"],
            "ichiba info: --seats: `two` is no whole number from 1 (`ichiba info --help` shows how)",
        ),
        (["games", "a", "b"], "ichiba games: `b` is one word too many (`ichiba games --help` shows how)"),
        (["--quick"], None),
        (["info", "tsukji"], "ichiba: there is no ruleset `tsukji`; did you mean `tsukiji`?"),
        (["play"], "ichiba play: which game? `ichiba games` lists them (`ichiba play --help` shows how)"),
        (["replay", "nowhere"], None),
        (["play", "tsukiji", "--set", "x"], "ichiba: `--set x` is not of the form --set OPTION=VALUE"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_code_2(words: list[str], sentence: str | None) -> None:
    said = ichiba(*words)
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    if sentence is not None:
        assert said.err == sentence + "\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--with", "nut"], "ichiba: `orchard` has no module or variant `nut`; did you mean `nuts`?"),
        (["--variant", "poor"], "ichiba: `orchard` has no module or variant `poor`; there are: nuts, rich"),
        (["--seats", "9"], "ichiba: 9 seats cannot play this; 2 to 3 seats can"),
        (["--set", "generos=yes"], "ichiba: there is no option `generos`; did you mean `generous`?"),
        (["--set", "season=winter"], "ichiba: the option `season` cannot be 'winter'; it is one of spring, autumn"),
        (["--assume", "A-ORD-1=3"], "ichiba: there is no assumption `A-ORD-1`; did you mean `A-ORC-1`?"),
    ],
)
def test_a_setting_that_the_game_does_not_have_is_one_sentence(orchard: Path, words: list[str], sentence: str) -> None:
    said = ichiba("info", orchard, *words)
    assert (said.code, said.out, said.err) == (2, "", sentence + "\n")


def test_a_broken_ruleset_shows_its_faults_and_exit_code_1(orchard: Path) -> None:
    rules = orchard / "orchard.rules"
    rules.write_text(rules.read_text().replace("raise round", "raise rund"))
    said = ichiba("info", orchard)
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("error[E205]: nothing is called `rund`")


def command(monkeypatch: pytest.MonkeyPatch, fault: BaseException) -> None:
    """A command that ends in a fault."""

    def run(args: object) -> int:
        raise fault

    module = SimpleNamespace(HELP="x", EXAMPLES="ichiba x", add_arguments=lambda parser: None, run=run)
    monkeypatch.setattr(cli, "_command", lambda name: module)


def test_a_fault_of_our_own_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    command(monkeypatch, KeyError("pear"))
    said = ichiba("x")
    assert said.code == 1
    assert said.err == "ichiba: something went wrong inside: KeyError: 'pear' (with ICHIBA_TRACEBACK=1 it says where)\n"


def test_who_wants_the_traceback_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    command(monkeypatch, KeyError("pear"))
    monkeypatch.setenv("ICHIBA_TRACEBACK", "1")
    with pytest.raises(KeyError):
        ichiba("x")


def test_ctrl_c_is_exit_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    command(monkeypatch, KeyboardInterrupt())
    assert ichiba("x").code == 130


def test_a_file_that_may_not_be_read_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    command(monkeypatch, PermissionError(13, "Permission denied", "/etc/pears"))
    assert ichiba("x").err == "ichiba: /etc/pears: permission denied\n"


def test_a_reader_that_goes_away_is_no_fault() -> None:
    run = [sys.executable, "-m", "ichiba.table", "simulate", "--help"]
    script = f"{' '.join(run)} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert done.returncode in (0, 141) and done.stderr == ""


def test_it_runs_as_a_module_too() -> None:
    done = subprocess.run([sys.executable, "-m", "ichiba.table", "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("ichiba ")
