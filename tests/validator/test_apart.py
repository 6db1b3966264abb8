"""Claims about reading a stranger's ruleset: in a process of its own, with limits, and with the same outcome."""

import builtins
import io
import os
import pickle
import shutil
import socket
import time
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from ichiba import RulesetFaults, load
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.strangers import child as apart
from ichiba.interpreter.strangers import door
from tests.validator.small import ruleset


@pytest.fixture(autouse=True)
def nobody_vouches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    monkeypatch.setenv("ICHIBA_CACHE", "off")


def test_only_what_comes_along_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert door.trusted(rulesets()["no_thanks"])
    assert not door.trusted(tmp_path)
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    assert door.trusted(tmp_path)


def test_whoever_trusts_a_folder_trusts_what_lies_in_it_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", os.pathsep.join([str(tmp_path / "mine"), "relative"]))
    monkeypatch.chdir(tmp_path)
    for name, vouched in (("mine", True), ("mine/small", True), ("yours", False), ("mine/../yours", False), ("relative", False)):
        assert door.trusted(tmp_path / name) is vouched, name


def test_what_another_package_announces_is_a_strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "announced_by_them"
    shutil.copytree(ruleset(tmp_path, {}), package / "theirs")
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [SimpleNamespace(name="theirs", value="announced_by_them")])
    assert rulesets()["theirs"] == package / "theirs"
    assert not door.trusted(rulesets()["theirs"])


def test_a_ruleset_from_outside_is_read_in_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ichiba.interpreter.api.made", None)  # it would be called here
    assert load(ruleset(tmp_path, {})).start(1).codes


def test_whoever_trusts_it_reads_it_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ichiba.interpreter.strangers.door.read", None)
    assert load(ruleset(tmp_path, {}), trust=True).start(1).codes


def test_where_we_stand_no_module_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ruleset's folder may hold a `yaml.py`, and somebody may stand in it when he asks for a check."""
    folder = ruleset(tmp_path, {})
    for name in ("yaml.py", "pickle.py", "ichiba.py", "resource.py"):
        (folder / name).write_text(f"open({str(tmp_path / 'was_here')!r}, 'w')\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.environ.get("PYTHONPATH", ""), "."]))
    assert load(folder).start(1).codes
    assert not (tmp_path / "was_here").exists()


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


def test_whoever_works_is_waited_for_however_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine it works a little now and then. Its work has a limit of its own."""
    monkeypatch.setattr(apart, "PATIENCE", 0.1)
    monkeypatch.setattr(apart, "LEAST", 0)  # here too the machine may be busy
    assert list(apart.each(builtins.sum, [(range(10),), (range(3 * 10**7),)])) == [45, 449_999_985_000_000]


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="this system does not tell how long a process has worked")
def test_how_long_a_process_has_worked_is_told_by_the_system() -> None:
    before, end = apart._worked(os.getpid()), time.process_time() + 0.2
    while time.process_time() < end:
        pass
    assert 0.15 <= apart._worked(os.getpid()) - before < 60
    assert apart._worked(2**31 - 1) == 0


@pytest.mark.soak
def test_work_is_limited() -> None:
    with pytest.raises(apart.TooMuch, match="more than 5 seconds of work"):
        next(apart.each(builtins.sum, [(range(10**12),)]))


def test_a_process_that_dies_is_told_of() -> None:
    with pytest.raises(apart.TooMuch):
        next(apart.each(os.abort, [()]))


def test_each_piece_of_work_has_its_own_limits() -> None:
    assert list(apart.each(builtins.pow, [(2, 3), (2, 5), (3, 2)])) == [8, 32, 9]


def test_so_has_each_thing_that_is_yielded(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", str(tmp_path / "outside")
    (inside / "deeper").mkdir(parents=True)
    walked: list[tuple[str, list[str], list[str]]] = [(str(inside), ["deeper"], []), (str(inside / "deeper"), [], [])]
    assert list(apart.each(os.walk, [(str(inside),), (str(inside / "deeper"),), (outside,)])) == [*walked, walked[1]]


def test_what_takes_too_much_is_a_fault_of_the_ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "PATIENCE", 0)
    with pytest.raises(RulesetFaults) as caught:
        load(ruleset(tmp_path, {}))
    assert str(caught.value) == """\
error[E025]: this ruleset takes more than 0 seconds to read
  = a ruleset that you trust is read without limits: `--trust`, or ICHIBA_TRUST with its folder

1 error"""


def test_where_no_process_can_be_started_it_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_process(*_: object, **__: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("subprocess.Popen", no_process)
    with pytest.raises(RulesetFaults) as caught:
        load(ruleset(tmp_path, {}))
    assert str(caught.value) == """\
error[E025]: this ruleset is a stranger's, and it cannot be read in a process with limits: resource temporarily unavailable
  = a ruleset that you trust is read without limits: `--trust`, or ICHIBA_TRUST with its folder

1 error"""
    assert load(tmp_path / "small", trust=True).start(1).codes


def test_where_its_limits_cannot_be_set_it_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    told = io.BytesIO()
    asked = pickle.dumps(("builtins", "pow", [(2, 3)], None))
    monkeypatch.setattr(apart, "_limit_memory", Mock(side_effect=ValueError("not allowed")))
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(len(asked).to_bytes(8, "big") + asked)))
    monkeypatch.setattr("os.fdopen", lambda *_: told)
    monkeypatch.setattr("sys.stdout", SimpleNamespace(fileno=lambda: 2))
    apart.main()
    assert pickle.loads(told.getvalue()[8:]) == ("no limits", "its limits cannot be set (not allowed)")


def test_waiting_is_the_last_resort_for_a_slow_machine_is_no_fault() -> None:
    assert apart.PATIENCE == 20 * apart.SECONDS


def test_time_spent_asleep_is_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "PATIENCE", 60)
    assert list(apart.each(time.sleep, [(0.01,)] * 3)) == [None] * 3


@pytest.mark.parametrize(
    ("work", "given"),
    [
        (os.listdir, "/etc"), (builtins.open, "/etc/passwd"), (os.system, "true"), (os.remove, "/tmp/nowhere"),
        (socket.socket, None), (builtins.open, "../outside"),
    ],
)  # fmt: skip
def test_the_reader_opens_writes_and_starts_nothing_outside(work: object, given: object, tmp_path: Path) -> None:
    """Whatever a ruleset made it do."""
    (tmp_path / "inside").mkdir()
    (tmp_path / "outside").write_text("secret")
    if given == "../outside":
        given = str(tmp_path / "inside" / ".." / "outside")
    asked = [(given,)] if given is not None else [()]
    with pytest.raises(RuntimeError, match="PermissionError"):
        next(apart.each(work, asked, reading=[tmp_path / "inside"]))  # type: ignore[arg-type]


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
    monkeypatch.setattr(door, "MOST_FILES", 2)
    with pytest.raises(RulesetFaults, match=r"error\[E026\]: this ruleset holds more than 2 files"):
        load(ruleset(tmp_path, {"a.rules": "value a: 1\n"}))
