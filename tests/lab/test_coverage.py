"""Coverage: it reaches what the rules reach, sees conditions both ways, and changes nothing in the game."""

import json
from pathlib import Path

import pytest

import ichiba
from ichiba.lab.coverage import cover, marked
from ichiba.table.cli import main
from tests.language.tiny import ruleset

RULES = """\
add to table:
    counter day: 0 .. 9

add to seat:
    counter luck: 0 .. 9

play:
    repeat 3 times: turn

procedure turn:
    raise day by 1
    take one turn each from seat(1):
        menu actions:
            option work "Work": gain $1 from bank
            option idle "Idle" when day > 1: nothing
            option grab for st in stalls where busy(st) costs $9 to bank:
                move all st.shelf to my.hand
    if day = 3: shine
    if day = 9: set day to 0

guard busy(st: stall) "stall {position of st} is empty": st.shelf is not empty

procedure shine:
    for each s in seats: raise s.luck by 1

procedure forgotten: set day to 0

rule lucky for each s in seats, whenever s.luck = 1: s gains $1 from bank

scoring:
    score for each seat: score "Cash" my.cash
"""


@pytest.fixture(autouse=True)
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own little rulesets need no process of their own."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")


def home(folder: Path, *scenarios: str) -> Path:
    files = {f"scenarios/{n}.scenario.yaml": text for n, text in enumerate(scenarios)}
    return ruleset(folder, {"play.rules": RULES, **files})


ONE = "scenario: one turn\nwhen: [work, work, idle]\nthen: [day = 3]\n"


def test_what_scenarios_reach_and_what_they_do_not(tmp_path: Path) -> None:
    _, coverage = cover(home(tmp_path, ONE), playouts=0)
    reached = {f"{point.kind} {point.name}" for point, seen in coverage.points.items() if seen.scenarios}
    assert {"procedure play", "procedure turn", "option actions.work", "option actions.idle"} <= reached
    assert {str(point).split(" (")[0] for point in coverage.unreached} == {
        "procedure shine", "procedure forgotten", "trigger lucky", "option actions.grab", "procedure scoring",
    }  # fmt: skip


def test_random_games_reach_the_rest_and_are_told_apart(tmp_path: Path) -> None:
    _, coverage = cover(home(tmp_path, ONE), playouts=3)
    assert {point.name for point in coverage.unreached} == {"forgotten", "actions.grab"}
    assert {point.name for point in coverage.untested} == {"shine", "lucky", "scoring"}


def test_a_condition_is_seen_when_it_was_true_and_when_it_was_false(tmp_path: Path) -> None:
    _, coverage = cover(home(tmp_path, ONE), playouts=3)
    one_way = {f"{point.kind} {point.name}": how for point, how in coverage.one_way}
    assert one_way == {
        "guard busy": "never looked at",
        "cost actions.grab": "never true",
        "if `day = 9`": "never true",
    }


def test_a_dry_run_reaches_nothing(tmp_path: Path) -> None:
    rules = RULES.replace("move all st.shelf to my.hand", "require day = 9")
    rules = rules.replace("where busy(st) costs $9 to bank", "")
    folder = ruleset(tmp_path, {"play.rules": rules})
    _, coverage = cover(folder, playouts=3)
    assert "actions.grab" in {point.name for point in coverage.unreached}
    assert ("`require day = 9`", "never true") in {(point.name, how) for point, how in coverage.one_way}


@pytest.mark.parametrize("name", ["shinjuku", "tsukiji"])
def test_a_game_with_marks_plays_exactly_like_the_game(name: str) -> None:
    game = ichiba.load(name, seats=3)
    other = marked(game)

    def story(which: ichiba.Game) -> tuple[list[tuple[int, ...]], dict[int, int], int]:
        table = which.start(11)
        offered = []
        while table.codes:
            offered.append(tuple(table.codes))
            table.step(len(offered) * 7 % len(table.codes))
        return offered, table.scores, table.state[1]  # how many chance events there were

    before = game.emitted.text
    assert story(other) == story(game)
    assert game.emitted.text == before


def test_the_command_tells_coverage_in_text_and_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = home(tmp_path, ONE)
    assert main(["test", str(folder), "--coverage", "--playouts", "2"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("tiny: 1 scenario, all hold\n\nCoverage of tiny by 1 scenarios and 6 random games\n")
    assert "    procedure forgotten (tiny/play.rules:26:11)\n" in text
    assert main(["test", str(folder), "--coverage", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["coverage"]
    points = {(point["kind"], point["name"]): point for point in found["points"]}
    assert points[("option", "actions.work")]["scenarios"] is True
    assert points[("if", "`day = 9`")]["games"] == {"true": False, "false": True}


def test_options_without_a_block_are_told_apart(tmp_path: Path) -> None:
    rules = """\
play:
    take one turn each from seat(1):
        choose first_one in stalls "Which?"
        choose other in stalls "And which?"
        menu more until done, done "Stop":
            option again "Again": gain $1 from bank
scoring:
    score for each seat: score "Cash" my.cash
"""
    one = "scenario: to the last but one\nwhen: [first_one/1, other/1]\nthen: [cash of seat(1) = $0]\n"
    folder = ruleset(tmp_path, {"play.rules": rules, "scenarios/a.scenario.yaml": one})
    _, coverage = cover(folder, playouts=0)
    assert [point.name for point in coverage.unreached if point.kind == "option"] == ["more.again", "more.done"]


PROMISING = """play:
    repeat 2 times: lay_in

procedure lay_in:
    as seat(1):
        menu actions:
            option stake "Stake": set aside $1 as stake
            option idle "Idle": nothing
"""


def test_what_comes_back_by_itself_is_no_condition_of_the_author_s(tmp_path: Path) -> None:
    folder = ruleset(tmp_path, {"play.rules": PROMISING, "scenarios/one.scenario.yaml": "scenario: one\nwhen: [idle, idle]\n"})
    _, coverage = cover(str(folder), playouts=0)
    assert coverage.points and [point for point, _ in coverage.one_way] == []
