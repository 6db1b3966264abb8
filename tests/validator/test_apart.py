"""Claims about reading a stranger's ruleset: in a process of its own, with limits, and with the same outcome."""

import builtins
import os
import shutil
import time
from pathlib import Path

import pytest

from ichiba import RulesetFaults, load
from ichiba.interpreter import apart
from ichiba.interpreter.api import rulesets
from tests.validator.small import ruleset


@pytest.fixture(autouse=True)
def nobody_vouches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    monkeypatch.setenv("ICHIBA_CACHE", "off")


def test_only_what_is_installed_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert apart.trusted(rulesets()["no_thanks"])
    assert not apart.trusted(tmp_path)
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    assert apart.trusted(tmp_path)


def test_a_ruleset_from_outside_is_read_in_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ichiba.interpreter.api.made", None)  # it would be called here
    assert load(ruleset(tmp_path, {})).start(1).codes


def test_whoever_trusts_it_reads_it_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ichiba.interpreter.api.made_apart", None)
    assert load(ruleset(tmp_path, {}), trust=True).start(1).codes


def test_it_is_the_same_game(tmp_path: Path) -> None:
    copy = tmp_path / "no_thanks"
    shutil.copytree(rulesets()["no_thanks"], copy)
    there, here = load(copy, 4), load("no_thanks", 4)
    for seed in range(3):
        one, other = (game.playout(seed, lambda table: len(table.codes) // 2) for game in (there, here))
        assert one.state == other.state and one.log == other.log


def test_its_faults_come_back_with_their_places(tmp_path: Path) -> None:
    with pytest.raises(RulesetFaults) as caught:
        load(ruleset(tmp_path, {"play.rules": "value late: rond > 3\n"}))
    assert str(caught.value) == """\
error[E205]: nothing is called `rond`
  ┌─ small/play.rules:1:13
 1│ value late: rond > 3
  │             ^^^^ did you mean `round`?

1 error"""


# --- limits


def test_memory_is_limited() -> None:
    with pytest.raises(apart.TooMuch, match="more than 512 MB of memory"):
        next(apart.each(builtins.bytearray, [(2**30,)]))


def test_waiting_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "PATIENCE", 1)
    with pytest.raises(apart.TooMuch, match="more than 1 seconds"):
        next(apart.each(time.sleep, [(60,)]))


@pytest.mark.soak
def test_work_is_limited() -> None:
    with pytest.raises(apart.TooMuch, match="more than 5 seconds of work"):
        next(apart.each(builtins.sum, [(range(10**12),)]))


def test_a_process_that_dies_is_told_of() -> None:
    with pytest.raises(apart.TooMuch):
        next(apart.each(os.abort, [()]))


def test_each_piece_of_work_has_its_own_limits() -> None:
    assert list(apart.each(builtins.pow, [(2, 3), (2, 5), (3, 2)])) == [8, 32, 9]


def test_what_takes_too_much_is_a_fault_of_the_ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "PATIENCE", 0)
    with pytest.raises(RulesetFaults) as caught:
        load(ruleset(tmp_path, {}))
    assert str(caught.value) == """\
error[E025]: this ruleset takes more than 0 seconds to read
  = with ICHIBA_TRUST=1 it is read without limits

1 error"""


def test_where_no_process_can_be_started_it_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_process(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr("subprocess.Popen", no_process)
    assert list(apart.each(os.getpid, [()])) == [os.getpid()]


# --- the folder


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="there are no links here")
def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    folder = ruleset(tmp_path, {})
    (tmp_path / "secret.yaml").write_text("board: secret\n", encoding="utf-8")
    (folder / "boards").mkdir()
    (folder / "boards" / "mine.yaml").symlink_to(tmp_path / "secret.yaml")
    with pytest.raises(RulesetFaults, match="boards/mine.yaml` cannot be read: it leads out of the ruleset's folder"):
        load(folder)


def test_a_folder_with_too_many_files_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "MOST_FILES", 2)
    with pytest.raises(RulesetFaults, match="this ruleset takes too many files to read"):
        load(ruleset(tmp_path, {"a.rules": "value a: 1\n"}))
