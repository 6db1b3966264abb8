"""`ichiba test`: up to the first that fails, only what has changed, shared by several processes."""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from ichiba.interpreter.run import cache
from tests.lab.test_scenarios import RULES
from tests.language.tiny import ruleset
from tests.table.door import ichiba
from tests.table.test_interrupted import PATIENCE, alive, begun, children, until

GOOD = "scenario: all is well\nconfig: {seats: %d}\nthen: [1 = 1]\n"
BAD = "scenario: %s\nconfig: {seats: %d}\nthen: [1 = 2]\n"
SAID = "✗ first\n ┌─ %s/scenarios/1.scenario.yaml:3:8\n3│ then: [1 = 2]\n │        ^^^^^ this does not hold\n = expected 1 = 2\n =      was 1 = 1\n\n"


@pytest.fixture(autouse=True)
def kept_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Our own little rulesets need no process of their own, and nobody knows them yet."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "kept"))


def home(folder: Path, *scenarios: str, rules: str = RULES) -> Path:
    files = {f"scenarios/{number}.scenario.yaml": text for number, text in enumerate(scenarios)}
    return ruleset(folder, {"play.rules": rules, **files})


def verdict(folder: Path, *words: str) -> str:
    return ichiba("test", folder, *words).out.strip().splitlines()[-1].partition(": ")[2]


def test_it_stops_at_the_first_that_fails(tmp_path: Path) -> None:
    folder = home(tmp_path, GOOD % 2, BAD % ("first", 2), BAD % ("second", 2), (GOOD % 2).replace("all", "more"))
    assert verdict(folder) == "4 scenarios, 2 failed"
    said = ichiba("test", folder, "-x")
    assert said.code == 1
    assert said.out == SAID % folder.name + f"{folder.name}: 2 scenarios, 1 failed, 2 not played after that\n"
    assert json.loads(ichiba("test", folder, "-x", "--format", "json").out)["left"] == 2


def test_what_has_held_as_it_stands_is_left_out(tmp_path: Path) -> None:
    more = (GOOD % 2).replace("all", "more")
    folder = home(tmp_path, GOOD % 2, more)
    assert verdict(folder, "--changed") == "2 scenarios, all hold"
    assert verdict(folder, "--changed") == "0 scenarios, 2 unchanged since they held"
    assert ichiba("test", folder, "--changed").code == 0
    assert verdict(folder) == "2 scenarios, all hold"  # who does not ask for less gets all
    home(tmp_path, "# a remark\n\n" + GOOD % 2, more.replace("1 = 1", "2 = 2"))
    assert verdict(folder, "--changed") == "1 scenario, all hold, 1 unchanged since they held"
    assert verdict(folder, "--changed", "-k", "all is") == "0 scenarios, 1 unchanged since they held"


def test_what_has_failed_is_played_until_it_holds(tmp_path: Path) -> None:
    folder = home(tmp_path, GOOD % 2, BAD % ("bad", 2))
    assert [verdict(folder, "--changed") for _ in range(2)] == [
        "2 scenarios, 1 failed", "1 scenario, 1 failed, 1 unchanged since they held",
    ]  # fmt: skip
    home(tmp_path, GOOD % 2, (BAD % ("bad", 2)).replace("1 = 2", "2 = 2"))
    assert verdict(folder, "--changed") == "1 scenario, all hold, 1 unchanged since they held"


def test_with_other_rules_or_another_engine_everything_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = home(tmp_path, GOOD % 2)
    assert verdict(folder, "--changed") == "1 scenario, all hold"
    home(tmp_path, GOOD % 2, rules=RULES + "\n# a remark\n")
    assert verdict(folder, "--changed") == "1 scenario, all hold"
    assert verdict(folder, "--changed") == "0 scenarios, 1 unchanged since they held"
    monkeypatch.setattr(cache, "engine", lambda: "another")
    assert verdict(folder, "--changed") == "1 scenario, all hold"


def test_where_nothing_is_kept_everything_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    folder = home(tmp_path, GOOD % 2)
    assert [verdict(folder, "--changed") for _ in range(2)] == ["1 scenario, all hold"] * 2


def test_several_processes_say_what_one_says(tmp_path: Path) -> None:
    wrong = "scenarios:\n" + "".join(f"  - {{scenario: {n}, config: {{seats: {9 + n % 2}}}}}\n" for n in range(3))
    texts = [GOOD % 2, BAD % ("first", 2), BAD % ("third", 3), (GOOD % 3).replace("all", "more"), wrong]
    folder = home(tmp_path, *texts)
    alone = ichiba("test", folder)
    assert alone.code == 1 and "7 scenarios, 5 failed" in alone.out
    assert ichiba("test", folder, "--jobs", "2") == alone
    assert ichiba("test", folder, "--jobs", "2", "--format", "json") == ichiba("test", folder, "--format", "json")
    held = verdict(folder, "--jobs", "2", "--changed")
    assert held == "5 scenarios, 5 failed, 2 unchanged since they held"


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    folder = home(tmp_path, GOOD % 2)
    for words in (["-x"], ["--changed"], ["--jobs", "2"]):
        said = ichiba("test", folder, "--coverage", *words)
        assert (said.code, said.err) == (2, (
            "ichiba test: what is reached is told of all scenarios, in one process: --coverage goes without -x, --changed and --jobs\n"
        ))  # fmt: skip
    said = ichiba("test", folder, "--jobs", "0")
    assert (said.code, said.err) == (2, "ichiba test: 0 processes cannot share the scenarios; it takes 1 or more\n")


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="this system does not tell who began whom")
def test_ctrl_c_ends_all_of_them_without_a_word(tmp_path: Path) -> None:
    """The terminal tells everybody at once."""
    long = "scenarios:\n" + "".join(
        f"  - {{scenario: {seats}/{n}, config: {{seats: {seats}}}, play: [until: the end]}}\n" for seats in (2, 3) for n in range(700)
    )
    process = begun("test", home(tmp_path, long), "--jobs", "2", start_new_session=True)
    try:
        until(lambda: len(children(process.pid)) >= 2, "it never began")
        began = children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out, err.strip()) == (130, "", "")
        until(lambda: not any(map(alive, began)), "a worker goes on for nobody")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
