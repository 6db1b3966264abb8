"""Scenarios: what they can say, in which order it is done, and what is told when one fails."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ichiba.lab import scenarios
from ichiba.lab.scenarios import Report, run_scenarios
from ichiba.table.cli import main
from tests.language.tiny import ruleset

RULES = """\
add to seat:
    counter luck: 0 .. 9
    counter moods: 0 .. 9

add to table:
    remember winner: seat or none
    counter bids: 0 .. 99

setup:
    for each s in seats: s gains $10 from bank
    roll number_rolled from 1 to 6
    set bids to number_rolled

play:
    repeat rounds times: turn

procedure turn:
    draw 1 gem from bag to stall(1).shelf
    each s in seats secretly:
        choose bid from $0 to my.cash "Your bid"
    reveal bid
    set winner to (if bid of seat(2) > bid of seat(1) then seat(2) else seat(1))
    take one turn each from seat(1):
        menu actions:
            "What now?"
            option buy "Buy what {st} has" for st in stalls where for_sale(st) costs $2 to bank:
                move all st.shelf to my.hand
            option rest "Rest": nothing

guard for_sale(st: stall) "stall {position of st} is empty": st.shelf is not empty

rule cheer for each s in seats, whenever s.luck >= 5: raise s.moods by 1

scoring:
    score for each seat: score "Cash" my.cash

ranking: highest total else shared
"""


@pytest.fixture(autouse=True)
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own little rulesets need no process of their own."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")


def tiny(folder: Path, scenario: str, rules: str = RULES) -> Path:
    return ruleset(folder, {"play.rules": rules, "scenarios/a.scenario.yaml": scenario})


def told(folder: Path, scenario: str) -> str:
    return str(run_scenarios(tiny(folder, scenario)))


def holds(folder: Path, scenario: str) -> Report:
    tested = run_scenarios(tiny(folder, scenario))
    assert tested.holds, str(tested)
    return tested


def test_a_scenario_leads_to_a_place_lets_something_happen_and_looks(tmp_path: Path) -> None:
    holds(tmp_path, """\
scenario: whoever buys pays and has the gem
config: {seats: 2, seed: 3}
chance: [number_rolled/4, draw/red]
play: [bid/1, bid/0]
given: |
  move 1 blue from bag to stall(2).shelf
when: [buy/1]
then:
  - bids = 4
  - cash of seat(1) = $8
  - red in seat(1).hand
why_not: {buy/1: stall 1 is empty}
options: [buy/2, rest]
""")  # fmt: skip


def test_what_is_given_before_play_stands_at_the_first_question(tmp_path: Path) -> None:
    holds(tmp_path, """\
scenario: poor seats bid little
given: |
  seat(1) pays $9 to bank
options: [bid/0, bid/1]
""")  # fmt: skip


def test_what_is_given_after_play_stands_where_it_has_led_and_the_question_is_put_anew(tmp_path: Path) -> None:
    holds(tmp_path, """\
scenario: the second stall is filled
play: [bid/0, bid/0]
given: |
  move 2 blue from bag to stall(2).shelf
  seat(2) pays $10 to bank
when: [1: buy/2]
then:
  - count of seat(1).hand = 2
  - cash of seat(2) = $0
""")  # fmt: skip


def test_chance_written_after_play_holds_from_there(tmp_path: Path) -> None:
    holds(tmp_path, """\
scenario: the second gem is green
play: [bid/0, bid/0]
chance: [draw/green]
when: [1: buy/1]
then: [green in stall(1).shelf]
""")  # fmt: skip


def test_seats_may_answer_a_secret_block_in_any_order(tmp_path: Path) -> None:
    holds(tmp_path, """\
scenario: seat 2 bids first
when: [2: bid/7, 1: bid/3]
then: [winner is seat(2)]
""")  # fmt: skip


def test_what_holds_on_the_way_can_be_said_among_the_answers(tmp_path: Path) -> None:
    holds(tmp_path, """\
scenario: the gem leaves the stall
when: [bid/1, bid/0, holds: stall(1).shelf is not empty, buy/1, holds: count of seat(1).hand = 1]
""")  # fmt: skip


def test_the_game_can_be_led_to_its_end(tmp_path: Path) -> None:
    holds(tmp_path, """\
scenario: seat 1 buys every morning
when: [{until: the end}]
then: [seat(1).score = 4 and seat(2).score = 10]
ranking: [[2], [1]]
ending: end
""")  # fmt: skip


def test_triggers_look_after_what_is_given(tmp_path: Path) -> None:
    holds(tmp_path, """\
scenario: luck cheers up
given: |
  set seat(1).luck to 7
then: [seat(1).moods = 1 and seat(2).moods = 0]
""")  # fmt: skip


def test_a_file_may_hold_several_scenarios_with_common_steps(tmp_path: Path) -> None:
    tested = holds(tmp_path, """\
config: {seats: 3}
play: [bid/0, bid/0, bid/0]
scenarios:
  - scenario: one
    when: [rest]
    then: [count of seats = 3]
  - scenario: two
    config: {seed: 5}
    given: |
      seat(1) pays $9 to bank
      set seat(2).luck to 1
    when: [2: rest]
    options: [buy/1, rest]
    then: [seat(1).cash = $1]
""")  # fmt: skip
    assert [result.scenario.name for result in tested.results] == ["one", "two"]


# What fails


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        (
            "scenario: a\nthen:\n  - cash of seat(1) = $7 and 1 = 1\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:5\n"
            "3│   - cash of seat(1) = $7 and 1 = 1\n"
            " │     ^^^^^^^^^^^^^^^^^^^^ this does not hold\n"
            " = expected cash of seat(1) = 7\n"
            " =      was cash of seat(1) = 10",
        ),
        (
            "scenario: a\nthen: [stall(1).shelf is empty]\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:2:8\n"
            "2│ then: [stall(1).shelf is empty]\n"
            " │        ^^^^^^^^^^^^^^^^^^^^^^^ this does not hold",
        ),
        (
            "scenario: a\nthen: [cash of seat(1) = 7]\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:2:26\n"
            "2│ then: [cash of seat(1) = 7]\n"
            " │                          ^ an amount in coin and a number are different units (this is a number)",
        ),
        (
            "scenario: a\nthen: [cash of seet(1) = 7]\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:2:16\n"
            "2│ then: [cash of seet(1) = 7]\n"
            " │                ^^^^ nothing is called `seet` (did you mean `seat`?)",
        ),
        (
            "scenario: a\nchance: [number_rolled/7]\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:2:10\n"
            "2│ chance: [number_rolled/7]\n"
            " │          ^^^^^^^^^^^^^^^ chance event 1 cannot be `number_rolled/7`:"
            " here number_rolled gives 1, 2, 3, 4, 5, 6",
        ),
        (
            "scenario: a\nchance: [number_rolled/1, draw/red, draw/blue]\nwhen: [bid/0]\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:2:37\n"
            "2│ chance: [number_rolled/1, draw/red, draw/blue]\n"
            " │                                     ^^^^^^^^^ this chance event never came about\n"
            " = expected no event left over\n"
            " =      was draw/blue",
        ),
        (
            "scenario: a\nplay: [bid/0, bid/0, buy/2]\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:2:22\n"
            "2│ play: [bid/0, bid/0, buy/2]\n"
            " │                      ^^^^^ buy/2: stall 2 is empty\n"
            " = expected `buy/2` to be possible\n"
            " =      was seat 1 may answer buy/1, rest",
        ),
        (
            "scenario: a\nplay: [bid/0, bid/0]\nwhen: [2: rest]\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:11\n"
            "3│ when: [2: rest]\n"
            " │           ^^^^ seat 2 has nothing to decide now; the table waits for seat 1\n"
            " = expected `rest` to be possible\n"
            " =      was seat 1 may answer buy/1, rest",
        ),
        (
            "scenario: a\nplay: [bid/0, bid/0]\nwhy_not: {buy/1: no money, buy/2: no money}\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:11\n"
            "3│ why_not: {buy/1: no money, buy/2: no money}\n"
            " │           ^^^^^ `buy/1` is possible\n"
            " = expected a refusal: no money\n"
            " =      was no objection\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:28\n"
            "3│ why_not: {buy/1: no money, buy/2: no money}\n"
            " │                            ^^^^^ `buy/2` is refused for another reason\n"
            " = expected no money\n"
            " =      was stall 2 is empty",
        ),
        (
            "scenario: a\nplay: [bid/0, bid/0]\noptions: [buy/2, rest]\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:10\n"
            "3│ options: [buy/2, rest]\n"
            " │          ^^^^^^^^^^^^^ the options are others: without buy/2; with buy/1\n"
            " = expected buy/2, rest\n"
            " =      was buy/1, rest",
        ),
        (
            "scenario: a\ngiven: |\n  seat(1) pays $3 to bank\n  seat(1) pays $8 to bank\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:4:3\n"
            "4│   seat(1) pays $8 to bank\n"
            " │   ^^^^^^^^^^^^^^^^^^^^^^^ there is not enough for this",
        ),
        (
            "scenario: a\ngiven: |\n  move 9 red from bag to stall(1).shelf\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:3\n"
            "3│   move 9 red from bag to stall(1).shelf\n"
            " │   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ there are not enough pieces to move",
        ),
        (
            "scenario: a\ngiven: |\n  set cash of seat(1) to $99\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:7\n"
            "3│   set cash of seat(1) to $99\n"
            " │       ^^^^^^^^^^^^^^^ nobody sets the money in a purse (use `gain` or `pay`)",
        ),
        (
            "scenario: a\ngiven: |\n  set seat(1).luck to 10\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:3\n"
            "3│   set seat(1).luck to 10\n"
            " │   ^^^^^^^^^^^^^^^^^^^^^^ `luck` would leave its range of 0 to 9",
        ),
        (
            "scenario: a\ngiven: |\n  as seat(1): choose st in stalls\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:15\n"
            "3│   as seat(1): choose st in stalls\n"
            " │               ^^^^^^^^^^^^^^^^^^^ nobody is asked in `given` (answers stand under `play` and `when`)",
        ),
        (
            "scenario: a\ngiven: |\n  draw 1 gem from bag to stall(2).shelf\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:3\n"
            "3│   draw 1 gem from bag to stall(2).shelf\n"
            " │   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ nothing is left to chance in `given`"
            " (say what lies where, or script it under `chance`)",
        ),
        (
            "scenario: a\ngiven: |\n  turn\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:3\n"
            "3│   turn\n"
            " │   ^^^^ nobody is asked in `given` (answers stand under `play` and `when`)",
        ),
        (
            "scenario: a\nwhen: [{until: the end}]\nranking: [[1, 2]]\nending: clock\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:10\n"
            "3│ ranking: [[1, 2]]\n"
            " │          ^^^^^^^^ the ranking is another\n"
            " = expected seat 1 and 2\n"
            " =      was seat 2, then seat 1\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:4:9\n"
            "4│ ending: clock\n"
            " │         ^^^^^ the game has not ended so\n"
            " = expected clock\n"
            " =      was end",
        ),
        (
            "scenario: a\nwhen: [{until: bids = 99}]\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:2:16\n"
            "2│ when: [{until: bids = 99}]\n"
            " │                ^^^^^^^^^ it never came to this",
        ),
        (
            "scenario: a\nwhen: [bid/1, holds: bids = 99, bid/0]\nthen: [winner is seat(2)]\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:2:22\n"
            "2│ when: [bid/1, holds: bids = 99, bid/0]\n"
            " │                      ^^^^^^^^^ this does not hold\n"
            " = expected bids = 99\n"
            " =      was bids = 4\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:3:8\n"
            "3│ then: [winner is seat(2)]\n"
            " │        ^^^^^^^^^^^^^^^^^ this does not hold\n"
            " = expected winner is seat(2)\n"
            " =      was winner is seat(1)",
        ),
        (
            "scenario: a\nconfig: {options: {x: 1}}\n",
            "✗ a\n"
            " ┌─ tiny/scenarios/a.scenario.yaml:2:20\n"
            "2│ config: {options: {x: 1}}\n"
            " │                    ^ the ruleset cannot be played so: there is no option `x`",
        ),
    ],
    ids=lambda text: text.split("^ ")[-1].splitlines()[0] if "✗" in text else "",
)
def test_a_failure_says_where_what_was_expected_and_what_was(scenario: str, expected: str, tmp_path: Path) -> None:
    assert told(tmp_path, scenario) == f"{expected}\n\ntiny: 1 scenario, 1 failed"


def test_a_failure_inside_a_rule_is_told_with_its_place(tmp_path: Path) -> None:
    rules = RULES.replace('option rest "Rest": nothing', 'option rest "Rest": set bids to 100 * bids')
    text = str(run_scenarios(tiny(tmp_path, "scenario: a\nwhen: [bid/0, bid/0, rest]\n", rules)))
    assert "a rule fails: `bids` would leave its range of 0 to 99 (tiny/play.rules:" in text


# Faults of the file


@pytest.mark.parametrize("modules", ["", "config: {modules: [rain]}\n"])
@pytest.mark.parametrize(
    "names",
    [
        "then: [mill is none]",
        "then: [not (mill in shops)]",
        "then: [count of (s in shops where s is mill) = 0]",
        "given: |\n  if mill is none: raise bids by 1",
        "sees:\n  1: {mill.sold: 0}",
        "when: [until: mill is none]",
    ],
)
def test_a_scenario_that_names_what_a_module_brings_switches_it_on(names: str, modules: str, tmp_path: Path) -> None:
    files = {
        "play.rules": RULES + "\nkind shop is board:\n    counter sold: 0 .. 9\n\nadd to table:\n    zone shops of shop\n",
        "scenarios/a.scenario.yaml": f"scenario: a\n{modules}{names}\n",
        "modules/rain/module.yaml": "module: rain\n",
        "modules/rain/boards/mill.yaml": "board: mill\nkind: shop\n",
    }
    said = str(run_scenarios(ruleset(tmp_path, files)))
    assert ("the module `rain` has one, and is not switched on" in said) == (not modules), said


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        ("scenario: a\nthan: [1 = 1]\n", "error[E101]: a scenario has no key `than`"),
        ("when: [rest]\n", "error[E102]: a scenario has no `scenario`"),
        ("scenario: a\ngiven: [rest]\n", "error[E103]: `given` must be a block of statements, written after"),
        ("scenario: a\nwhen: [[rest]]\n", "error[E103]: an answer is a key, `SEAT: key`, `until: …` or `holds: …`"),
        ("scenario: a\nconfig: {players: 2}\n", "error[E101]: the config of a scenario has no key `players`"),
        ("scenario: a\nscenario: b\n", "error[E008]"),
        ("scenarios:\n  - scenario: a\n  - scenario: a\n", "error[E206]: two scenarios are called `a`"),
        ("scenarios: 3\n", "error[E103]: `scenarios` must be a list"),
        ("scenario: a\nranking: 1\n", "error[E103]: a ranking is a list of places: `[[2], [1, 3]]`"),
    ],
)
def test_a_slip_in_the_file_is_a_fault_with_its_place(scenario: str, expected: str, tmp_path: Path) -> None:
    text = told(tmp_path, scenario)
    assert expected in text
    assert "tiny/scenarios/a.scenario.yaml:" in text


@pytest.mark.parametrize(
    ("faulty", "played"),
    [
        ("scenario: b\nscenario: c\n", ["good"]),
        ("scenarios:\n  - scenario: b\n    scenario: c\n  - scenario: d\n", ["good", "d"]),
        ("scenarios:\n  - scenario: b\n    then: [1 = 1]\n    then: [1 = 2]\n  - scenario: d\n", ["good", "d"]),
        ("config: {players: 2}\nscenarios:\n  - scenario: b\n", ["good"]),
        ("scenario: [\n", ["good"]),
        ("scenario: good\n", ["good", "good"]),
    ],
)
def test_a_fault_in_one_scenario_keeps_the_others_from_nothing(faulty: str, played: list[str], tmp_path: Path) -> None:
    home = tiny(tmp_path, "scenario: good\nthen: [1 = 1]\n")
    (home / "scenarios" / "b.scenario.yaml").write_text(faulty)
    tested = run_scenarios(home)
    assert [result.scenario.name for result in tested.results] == played
    assert not tested.holds
    assert str(tested).endswith(", all hold, 1 fault in the files")
    assert "tiny/scenarios/b.scenario.yaml:" in str(tested)
    assert main(["test", str(home), "-k", "good"]) == 1
    assert main(["test", str(home), "-k", "nothing of this name"]) == 1


def test_an_answer_that_was_the_only_one_is_not_to_be_given_again(tmp_path: Path) -> None:
    rules = RULES.replace("        menu actions:", """\
        menu look:
            "Where?"
            option look "Look at {st}" for st in stalls where for_sale(st): nothing
        menu actions:""")
    said = [
        str(run_scenarios(tiny(tmp_path, f"scenario: a\nwhen: [bid/0, 2: bid/0, {last}]\n", rules)))
        for last in ("look/1", "look/2", "2: look/1", "rest, 2: look/1", "rest, 2: rest, look/1")
    ]
    assert " seat 1 has taken `look/1` already, for it was the only answer: leave it out" in said[0]
    assert "taken" not in said[1] + said[2]
    assert " seat 2 has taken `look/1` already" in said[3], "one answer ago"
    assert " seat 1 has taken `look/1` already" in said[4], "some answers ago"


# Around it


def test_one_file_or_some_names_can_be_run_alone(tmp_path: Path) -> None:
    home = tiny(tmp_path, "scenarios:\n  - scenario: apples\n  - scenario: Pears\n")
    assert len(run_scenarios(home).results) == 2
    assert len(run_scenarios(home, "pear").results) == 1
    assert len(run_scenarios(home / "scenarios" / "a.scenario.yaml").results) == 2


def test_the_command_tells_in_text_and_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tiny(tmp_path, "scenario: a\nthen: [1 = 2]\n")
    assert main(["test", str(home)]) == 1
    assert "tiny: 1 scenario, 1 failed" in capsys.readouterr().out
    assert main(["test", str(home), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["holds"] is False
    assert found["scenarios"][0]["failures"][0]["line"] == 2
    assert main(["test", str(home), "-k", "zzz"]) == 0


def test_the_command_knows_no_other_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "no_such_game"]) == 2
    assert "there is no ruleset `no_such_game`" in capsys.readouterr().err


@pytest.fixture
def pytest_run(tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    tiny(tmp_path, "scenarios:\n  - scenario: good\n    then: [1 = 1]\n  - scenario: bad\n    then: [1 = 2]\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    if "ichiba.lab.pytest_plugin" not in sys.modules:
        command[3:3] = ["-p", "ichiba.lab.pytest_plugin"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_pytest_runs_scenarios_as_test_items(pytest_run: "subprocess.CompletedProcess[str]") -> None:
    assert pytest_run.returncode == 1
    assert "1 failed, 1 passed" in pytest_run.stdout
    assert "5│     then: [1 = 2]" in pytest_run.stdout


def test_a_scenario_fails_where_an_invariant_does_not_hold(tmp_path: Path) -> None:
    rules = RULES + "\ninvariant rich: no (s in seats where s.cash < $10)\n"
    said = str(run_scenarios(tiny(tmp_path, "scenario: poorer\nconfig: {seats: 2, seed: 3}\nplay: [bid/1, bid/0, buy/1]\n", rules)))
    assert "the invariant `rich` does not hold" in said


# ------------------------------------------------------------------------------------ each fails alone


ODD_TABLE = {
    "play.rules": RULES + "\nvalue odd_price(n: number) -> number: price(n)\n",
    "modules/rain.yaml": "module: rain\nrules: |\n  value wet: nowhere\n",
}
EACH_ALONE = """\
scenarios:
  - {scenario: sound, when: [bid/0, bid/0, rest]}
  - {scenario: beyond the table, then: [odd_price(bids + 90) = 3]}
  - {scenario: with a broken module, config: {modules: [rain]}, then: [rounds = 3]}
  - {scenario: sound as well, when: [bid/0, bid/0, rest, rest]}
  - {scenario: given what breaks, given: "set bids to 1000"}
  - {scenario: an answer without rules, when: [bid/0, bid/0, buy/17]}
  - {scenario: still sound, then: [rounds = 3]}
"""


def alone(folder: Path) -> Report:
    return run_scenarios(ruleset(folder, {**ODD_TABLE, "scenarios/a.scenario.yaml": EACH_ALONE}))


def test_what_one_scenario_comes_to_hides_no_other(tmp_path: Path) -> None:
    report = alone(tmp_path)
    assert [result.holds for result in report.results] == [True, False, False, True, False, False, True]
    said = {result.scenario.name: str(result.failures[0].message) for result in report.results if result.failures}
    assert said["beyond the table"] == "this cannot be worked out: the table `price` has no entry for 94: its entries go from 1 to 3"
    assert said["with a broken module"] == "the ruleset cannot be played so: nothing is called `nowhere`"
    assert said["given what breaks"].startswith("`bids` would leave its range of 0 to 99")
    assert [fault.code for fault in report.faults] == ["E205"]
    assert str(report).endswith("tiny: 7 scenarios, 4 failed, 1 fault in the files")


@pytest.mark.parametrize("place", ["Course.go", "Course.judge", "Course._answer", "Course._then", "scripted"])
@pytest.mark.parametrize("fault", [KeyError("x"), AttributeError("no such"), RecursionError("deep"), AssertionError("")])
def test_whatever_breaks_inside_is_one_scenarios_failure(
    place: str, fault: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([1])

    def once(*given: object) -> object:
        if next(times, None):
            raise fault
        return real(*given)

    home: object = scenarios
    for name in place.split(".")[:-1]:
        home = getattr(home, name)
    real = getattr(home, place.split(".")[-1])
    monkeypatch.setattr(home, place.split(".")[-1], once)
    two = "scenarios:\n" + "".join(f"  - {{scenario: s{n}, when: [bid/0, bid/0], then: [rounds = 3]}}\n" for n in (1, 2))
    report = run_scenarios(tiny(tmp_path, two))
    assert [result.holds for result in report.results] == [False, True]
    words = "a rule fails" if isinstance(fault, LookupError | RecursionError) else type(fault).__name__
    assert words in str(report) and "1 failed" in str(report)
