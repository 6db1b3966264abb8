"""Rules that are changed a little: what can be changed, and which changes no scenario notices."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest

from ichiba.lab.mutants.changes import changes_in
from ichiba.lab.mutants.told import interval
from tests.language.tiny import ruleset
from tests.table.door import ichiba
from tests.table.test_interrupted import PATIENCE, alive, begun, children, until

START = """\
add to table:
    counter day: 0 .. 9

add to seat:
    counter luck: 0 .. 9

play:
    as seat(1):
        menu actions

scoring:
    score for each seat: score "Luck" my.luck

"""
WORK = """\
add to menu actions:
    option work "Work 3 days" when day < 3: raise day by 2
    option idle "Idle": nothing
"""
SEEN = "scenario: work\nwhen: [work]\nthen: [day = 2]\n"


@pytest.fixture(autouse=True)
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own little rulesets need no process of their own."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")


def made_of(folder: Path, rules: str) -> set[str]:
    """Every sentence that can become of these rules."""
    home = ruleset(folder, {"play.rules": rules})
    found = set()
    for change in changes_in(home):
        if change.path.name == "play.rules":
            text = (home / change.path).read_text(encoding="utf-8")
            found.add(" ".join((text[: change.start] + change.words + text[change.end :]).split()))
    return found


@pytest.mark.parametrize(
    ("rule", "others"),
    [
        ("procedure p: raise day by 2", ["procedure p: raise day by 3", "procedure p: raise day by 1", "procedure p: nothing"]),
        ("value v: day < 2", ["value v: day <= 2", "value v: day < 3", "value v: day < 1"]),
        ("value v: day + luck", ["value v: day - luck"]),
        ("value v: a and b and c", [
            "value v: ((b) and (c))", "value v: ((a) and (c))", "value v: ((a) and (b))",
        ]),
        ("value v: not a", ["value v: (a)"]),
        ("value v: a is not empty", ["value v: a is empty"]),
        ("value v: a is none", ["value v: a is not none"]),
        ("value v: any (s in seats where s.open)", [
            "value v: no (s in seats where s.open)", "value v: any (s in seats where true)", "value v: any (s in others where s.open)",
        ]),
        ("value v: highest of (s.day for s in others)", [
            "value v: lowest of (s.day for s in others)", "value v: highest of (s.day for s in seats)",
        ]),
        ('guard g "no": open', ['guard g "no": true']),
        ('guard g "no": day = ¥3', ['guard g "no": day != ¥3', 'guard g "no": day = ¥4', 'guard g "no": day = ¥2', 'guard g "no": true']),
        ("cost c: ¥1 or 1 ap and ¥2", [
            "cost c: 1 ap and ¥2", "cost c: ¥1", "cost c: ¥2 or 1 ap and ¥2", "cost c: ¥0 or 1 ap and ¥2", "cost c: ¥1 or 2 ap and ¥2",
            "cost c: ¥1 or 0 ap and ¥2", "cost c: ¥1 or ¥2", "cost c: ¥1 or 1 ap", "cost c: ¥1 or 1 ap and ¥3", "cost c: ¥1 or 1 ap and ¥1",
        ]),
        ("procedure p: set closer to me", ["procedure p: set closer to seat(2)", "procedure p: nothing"]),
        ("value v: my.luck", ["value v: seat(2).luck"]),
        ('add to menu m:\n    option o "Buy 2" when a costs ¥1 once per turn: stop', [
            'add to menu m: option o "Buy 2" when true costs ¥1 once per turn: stop',
            'add to menu m: option o "Buy 2" when a costs ¥1: stop',
            'add to menu m: option o "Buy 2" when a once per turn: stop',
            'add to menu m: option o "Buy 2" when a costs ¥2 once per turn: stop',
            'add to menu m: option o "Buy 2" when a costs ¥0 once per turn: stop',
            'add to menu m: option o "Buy 2" when a costs ¥1 once per turn: nothing',
        ]),
        ("procedure p:\n    if a: q", ["procedure p: if not (a): q", "procedure p: if a: nothing", "procedure p: nothing"]),
        ("rule r, after p when a: q", ["rule r, after p when true: q", "rule r, after p when a: nothing"]),
        ("procedure p:\n    repeat 2 times while a: q", [
            "procedure p: nothing", "procedure p: repeat 3 times while a: q", "procedure p: repeat 1 times while a: q",
            "procedure p: repeat 2 times while true: q", "procedure p: repeat 2 times while a: nothing",
        ]),
        ('procedure p: tell "It is day 2"', []),
        ("invariant i: day < 3", []),
        ("policy modest:\n    prefer \"x\" by 3\n\nvalue v: day < 2", []),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)  # fmt: skip
def test_each_change_is_another_rule_that_can_be_read(rule: str, others: list[str], tmp_path: Path) -> None:
    assert made_of(tmp_path, rule + "\n") == set(others)


def told(folder: Path, *words: str) -> dict[str, object]:
    said = ichiba("mutate", folder, "--format", "json", *words)
    found: dict[str, object] = json.loads(said.out)
    return found


def test_what_a_scenario_checks_is_noticed_and_what_none_checks_is_told(tmp_path: Path) -> None:
    folder = ruleset(tmp_path, {"play.rules": START + WORK, "scenarios/work.scenario.yaml": SEEN})
    said = ichiba("mutate", folder)
    assert said.code == 0
    assert said.out.startswith(
        "Noticed by no scenario:\n\n"
        "  play.rules:8 one more\n"
        "      as seat(1):\n"
        "      `1` → `2`; 1 scenario played\n"
        "  play.rules:12 left out\n"
    )
    assert said.out.endswith(
        "  play.rules:15 one less\n"
        '      option work "Work 3 days" when day < 3: raise day by 2\n'
        "      `3` → `2`; 1 scenario played\n\n"
        f"{folder.name}: 3 of 11 changes noticed (27%)\n3 more are refused by the checker\n"
    )
    unseen = [line.split(" ", 3)[3] for line in said.out.splitlines() if line.startswith("  play.rules")]
    assert unseen == ["one more", "left out", "left out", "somebody else", "without the condition", "`<=` for `<`", "one more", "one less"]


def test_in_the_files_nothing_is_changed_and_the_same_seed_picks_the_same(tmp_path: Path) -> None:
    folder = ruleset(tmp_path, {"play.rules": START + WORK, "scenarios/work.scenario.yaml": SEEN})
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    first, again = (told(folder, "--most", "3", "--seed", "5") for _ in range(2))
    assert first == again and first["wanted"] == 3
    assert first["changes"] != told(folder, "--most", "3", "--seed", "6")["changes"]
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    folder = ruleset(tmp_path, {"play.rules": START + WORK, "scenarios/work.scenario.yaml": SEEN})
    assert told(folder, "--jobs", "3") == told(folder)


def test_a_module_is_looked_at_by_the_scenarios_in_which_it_is_on(tmp_path: Path) -> None:
    module = "module: storm\nfor: tiny\n"
    more = "rule later, after play: raise day by 1\n"
    on = "scenario: stormy\nconfig: {modules: [storm]}\nwhen: [work]\nthen: [day = 3]\n"
    files = {"modules/storm/module.yaml": module, "modules/storm/storm.rules": more, "modules/storm/scenarios/on.scenario.yaml": on}
    folder = ruleset(tmp_path, {"play.rules": START + WORK, "scenarios/work.scenario.yaml": SEEN, **files})
    module_file = (folder / "modules/storm/module.yaml").read_text(encoding="utf-8")
    (folder / "modules/storm/module.yaml").write_text(module_file.replace("tiny", folder.name), encoding="utf-8")
    found = told(folder, "--in", "modules/storm")
    assert (found["noticed"], found["unseen"]) == (3, 0)
    changes = found["changes"]
    assert isinstance(changes, list) and {change["by"] for change in changes} == {"stormy"}


@pytest.mark.parametrize(
    ("scenario", "words", "reason"),
    [
        ("", (), "there are no scenarios, so nothing could be noticed"),
        (SEEN.replace("= 2", "= 3"), (), "as the rules stand `work` fails: mend that first"),
        (SEEN + "wenn: 3\n", (), "a file of scenarios cannot be read: "),
        (SEEN, ("--in", "snow"), " has no rules in files with `snow` in their path in which anything could be changed"),
    ],
)
def test_what_it_cannot_begin_with_is_told(scenario: str, words: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    files = {"scenarios/work.scenario.yaml": scenario} if scenario else {}
    said = ichiba("mutate", ruleset(tmp_path, {"play.rules": START + WORK, **files}), *words)
    assert said.code == 2 and said.out == "" and said.err.startswith("ichiba mutate: ") and reason in said.err


def test_too_few_that_are_noticed_fail_where_somebody_asks_for_more(tmp_path: Path) -> None:
    folder = ruleset(tmp_path, {"play.rules": START + WORK, "scenarios/work.scenario.yaml": SEEN})
    assert ichiba("mutate", folder, "--in", "play.rules", "--least", "27").code == 0
    assert ichiba("mutate", folder, "--in", "play.rules", "--least", "28").code == 1


def test_after_ctrl_c_it_tells_what_was_found_and_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setenv("TMPDIR", str(copies))
    many = "".join(f"    option work{n} when day < {n % 9}: raise day by 2\n" for n in range(60))
    rules = START + "add to menu actions:\n" + many + WORK.partition("\n")[2]
    folder = ruleset(tmp_path, {"play.rules": rules, "scenarios/work.scenario.yaml": SEEN})
    process = begun("mutate", folder, "--jobs", "2", "--most", "1000", start_new_session=True)
    until(lambda: len(list(copies.rglob("play.rules"))) == 2, "no worker has begun")
    workers = children(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    said, wrong = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and wrong == "" and re.search(r"stopped after \d+ of \d+\n$", said)
    assert not any(map(alive, workers)) and list(copies.iterdir()) == []


def test_the_share_in_all_of_them_lies_around_what_was_found() -> None:
    low, high = interval(95, 100)
    assert 0.88 < low < 0.9 and 0.97 < high < 0.99
    assert interval(0, 0) == (0.0, 1.0) and interval(10, 10)[1] == 1.0
