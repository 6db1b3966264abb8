"""Claims about `ichiba test` on a ruleset that nobody vouches for: the settings in which it is tried, and what is played in each,
are counted over the whole folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba import RulesetFaults
from ichiba.lab import scenarios
from ichiba.lab.scenarios import run_scenarios
from tests.table.door import ichiba
from tests.validator.small import ruleset

TURN = 'procedure turn:\n    menu actions:\n        option rest "Rest": nothing\n        option go "Go": nothing\n'
OPTIONS = "options: {luck: {one_of: [l0, l1, l2, l3], otherwise: l0}}\n"


def scenario(number: int) -> str:
    return f"scenario: s{number}\nconfig: {{seats: 2, options: {{luck: l{number}}}}}\nplay: [rest]\nthen: [round >= 0]\n"


def tried(folder: Path, settings: int, more: dict[str, str] | None = None) -> Path:
    files = {f"scenarios/s{number}.scenario.yaml": scenario(number) for number in range(settings)}
    return ruleset(folder, {"play.rules": TURN, "game.yaml": OPTIONS} | files | (more or {}))


@pytest.fixture(autouse=True)
def nobody_vouches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(scenarios, "MOST_SETTINGS", 3)


def test_so_many_settings_are_tried_and_not_one_more(tmp_path: Path) -> None:
    assert run_scenarios(tried(tmp_path / "few", 3)).holds
    root = tried(tmp_path / "many", 4)
    with pytest.raises(RulesetFaults, match=r"error\[E026\]: this ruleset holds scenarios in 4 settings; 3 are played \(-k chooses some\)"):
        run_scenarios(root)
    assert run_scenarios(root, "s2").holds
    said = ichiba("test", root)
    assert said.code == 1 and "scenarios in 4 settings" in said.out + said.err and "inside" not in said.err


def test_of_a_ruleset_that_is_trusted_all_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    assert run_scenarios(tried(tmp_path, 4)).holds


def test_what_must_be_read_in_all_of_them_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenarios, "MOST_MADE", 20 * 2**10)
    root = tried(tmp_path, 3, {"more.rules": "#" * 9_000})
    with pytest.raises(RulesetFaults, match="scenarios in 3 settings, in which 2. KB of rules and declarations are read; 20 KB are the most"):
        run_scenarios(root)
    assert run_scenarios(root, "s2").holds


def test_what_is_played_in_one_of_them_is_counted_over_all_its_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = "scenarios:\n" + "".join(f"  - scenario: l{k}\n    play: [{{until: the end}}]\n    then: [round >= 0]\n" for k in range(3))
    root = tried(tmp_path, 1, {"scenarios/long.scenario.yaml": f"config: {{seats: 2}}\n{long}"})
    assert run_scenarios(root).holds
    monkeypatch.setattr(scenarios, "MOST_PLAYED", 0)
    report = run_scenarios(root)
    assert not report.holds
    message = report.results[-1].failures[0].message
    assert message == "the scenarios of this setting take more than 0 answers may take"
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    assert run_scenarios(root).holds
