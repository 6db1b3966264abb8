"""`ichiba info GAME --rule NAME --stage STAGE`: one rule at every stage of compiling, for people."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.world.world import Config
from ichiba.interpreter.api import folder_of, rulesets
from ichiba.interpreter.run.game import made
from ichiba.interpreter.stages.names import find, rules_of
from ichiba.interpreter.stages.stages import PRINTERS, StagedGame, at_stage
from ichiba.interpreter.strangers import child, door
from ichiba.table.commands.info import STAGES
from tests.properties.test_again import fullest
from tests.table.door import ichiba, pinned

FEW = 8  # rules of each ruleset
LAMPS = """\
kind stall is thing:
    counter lamps: 0 .. 3

value dark(s: stall): s.lamps = 0

rule dusk, whenever stall(1).lamps = 0: raise round by 1

rule lamp_oil, before light(s): raise round by 1

procedure light(s: stall):
    raise s.lamps by 1

procedure turn:
    for each s in stalls: light(s)
"""


def staged(name: str) -> StagedGame:
    folder = folder_of(name)
    return StagedGame(made(folder, fullest(folder)))


def test_help_tells_of_every_stage() -> None:
    said = " ".join(ichiba("info", "--help").out.split())
    assert tuple(STAGES) == tuple(PRINTERS)
    assert all(f"{stage}, {words}" in said for stage, words in STAGES.items())


def test_whoever_stands_around_a_rule_is_told_above_its_text() -> None:
    chosen = ("tokyo_tsukiji_market", "--with", "expansion")
    merged = ichiba("info", *chosen, "--rules").out.splitlines()
    for rule, most in (("take_fish", 2), ("fishing.catch", 1), ("turn", 3)):
        head, *rest = ichiba("info", *chosen, "--rule", rule).out.splitlines()
        told = [line for line in rest if line.startswith("#   ")]
        assert head.startswith("# ") and len(told) >= most
        assert all(any(line.endswith(one[4:]) for line in merged) for one in told)


@pytest.mark.parametrize("stage", ["text", "tree", "rules", "flow"])
def test_a_phase_that_asks_on_the_upper_floors(orchard: Path, stage: str) -> None:
    said = ichiba("info", orchard, "--rule", "picking", "--stage", stage)
    assert (said.code, said.err) == (0, "")
    pinned(f"stage_{stage}", said.out)


def test_without_a_stage_it_is_the_text(orchard: Path) -> None:
    assert (
        ichiba("info", orchard, "--rule", "picking").out
        == ichiba("info", orchard, "--rule", "picking", "--stage", "text").out
    )


def test_the_plan_calls_places_by_their_names(orchard: Path) -> None:
    said = ichiba("info", orchard, "--rule", "stop_by.home", "--stage", "plan").out
    assert "if not stall.goods[t_4][apple] + stall.goods[t_4][plum] == 0 if seat.cash[me_" in said
    assert re.search(
        r"^def a2\(S, C, code\):\n    # seat.cash: a purse in coin\n    # table.round: 0 .. 3\n", said, re.MULTILINE
    )
    assert "\n    # numbers: base_9, c_7, code, " in said


def test_python_and_c_are_what_is_played() -> None:
    shown = staged("no_thanks")
    emitted = shown.game.emitted.text
    rule = find(shown.game, "turn")
    python = at_stage(shown, rule, "python").split("\n\n")
    assert python[0].startswith("def s0(S):") and all(function in emitted for function in python)
    c = at_stage(shown, rule, "c").split("\n\n")
    assert len(c) == len(python) and all(function.startswith("static ") for function in c)


def test_a_value_that_is_said_where_it_is_asked_for_is_shown_by_itself() -> None:
    shown = staged("no_thanks")
    rule = find(shown.game, "points")
    assert at_stage(shown, rule, "plan").startswith("def alone_f_points_")
    assert "has no function of its own" in at_stage(shown, rule, "c")
    assert at_stage(shown, rule, "flow") == "points asks nothing, so it is not cut: it is done as a whole."


def test_a_setting_changes_what_is_shown(orchard: Path) -> None:
    (orchard / "variants" / "rich.yaml").write_text(
        "variant: rich\ntitle: {en: Rich}\nrules: |\n  replace procedure harvest: nothing\n", encoding="utf-8"
    )
    plain = ichiba("info", orchard, "--rule", "harvest")
    rich = ichiba("info", orchard, "--variant", "rich", "--rule", "harvest")
    assert plain.out.startswith("# procedure harvest   base   orchard/orchard.rules:")
    assert rich.out.startswith(
        "# procedure harvest   rich   orchard/variants/rich.yaml:4\nreplace procedure harvest: nothing\n\n# procedure harvest   base "
    )


def test_a_trigger_is_shown_with_what_wakes_it(tmp_path: Path) -> None:
    from tests.language.tiny import ruleset

    folder = ruleset(tmp_path, {"play.rules": LAMPS})
    said = ichiba("info", folder, "--rule", "dusk", "--stage", "rules").out
    assert said.splitlines()[-2:] == [
        f"{'whenever stall 1.lamps = 0, each time it has become so: perform rule dusk':<76}  # tiny/play.rules:6",
        "  looked at whenever one of these is written: stall.lamps",
    ]
    assert ichiba("info", folder, "--rule", "dusk", "--stage", "plan").out.count("def ") == 2
    said = ichiba("info", folder, "--rule", "rule lamp_oil", "--stage", "rules").out
    assert said.startswith("procedure rule lamp_oil(me: a seat")


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("pickin", "ichiba: this game has no rule `pickin`; did you mean `picking`?"),
        (
            "option stop_by.bye",
            "ichiba: this game has no rule `option stop_by.bye`; did you mean `option stop_by.buy`, "
            "`picking.stop_by` or `option stop_by.home`?",
        ),
        (
            "xyzzy",
            "ichiba: this game has no rule `xyzzy`; there are: procedure setup, procedure play, procedure harvest, procedure bidding, "
            "procedure picking, "
            "scoring, ranking, policy thrifty and 5 more",
        ),
    ],
)
def test_an_unknown_rule_names_the_nearest(orchard: Path, asked: str, sentence: str) -> None:
    said = ichiba("info", orchard, "--rule", asked, "--stage", "flow")
    assert (said.code, said.out, said.err) == (2, "", sentence + "\n")


def test_a_name_that_stands_for_several_says_which_and_how_to_ask(orchard: Path) -> None:
    rules = orchard / "orchard.rules"
    rules.write_text(rules.read_text() + "\nvalue buy: 1\n\nvalue worth_a_look: buy\n", encoding="utf-8")
    assert ichiba("info", orchard, "--rule", "buy").out.startswith("# value buy ")  # its whole name
    rules.write_text(rules.read_text() + '\npolicy buy:\n    prefer "home" by 1\n', encoding="utf-8")
    said = ichiba("info", orchard, "--rule", "buy")
    assert (said.code, said.out) == (2, "")
    assert said.err == (
        "ichiba: `buy` stands for several rules: value buy (orchard/orchard.rules:60), policy buy (orchard/orchard.rules:64); "
        "say which, as in `--rule 'value buy'`\n"
    )
    assert ichiba("info", orchard, "--rule", "policy  buy").out.startswith("# policy buy ")
    assert ichiba("info", orchard, "--rule", "option buy").out.startswith("# option stop_by.buy ")


def test_a_stage_is_of_one_rule(orchard: Path) -> None:
    said = ichiba("info", orchard, "--stage", "flow")
    assert (said.code, said.out) == (2, "")
    assert said.err == "ichiba info: --stage is of one rule: say which, as in `--rule turn --stage flow`\n"


def test_a_module_that_is_not_there_is_one_sentence(orchard: Path) -> None:
    said = ichiba("info", orchard, "--with", "nut", "--rule", "picking")
    assert said.err == "ichiba: `orchard` has no module or variant `nut`; did you mean `nuts`?\n"


@pytest.mark.parametrize("stage", ["rules", "c"])
def test_a_strangers_ruleset_goes_through_the_door(orchard: Path, monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    """It is read, and all that is shown is made, in a process with limits: the same comes out, refusals too."""
    known = ichiba("info", orchard, "--rule", "picking", "--stage", stage).out
    monkeypatch.delenv("ICHIBA_TRUST")
    apart: list[object] = []

    def each(work: Any, pieces: Any, reading: tuple[Path, ...]) -> Any:
        apart.extend(reading)
        return child.each(work, pieces, reading)

    monkeypatch.setattr(door, "each", each)
    assert ichiba("info", orchard, "--rule", "picking", "--stage", stage).out == known
    assert ichiba("info", orchard, "--rule", "pickin", "--stage", stage).err.endswith("did you mean `picking`?\n")
    assert apart == [orchard, orchard]


@pytest.mark.parametrize("game", rulesets())
def test_every_rule_has_something_on_every_floor(game: str) -> None:
    """Of a few of each ruleset; no stage stumbles over what it does not know."""
    shown = staged(game)
    rules = rules_of(shown.game)
    assert_shown(shown, [str(rule) for rule in Random(game).sample(rules, min(FEW, len(rules)))])


@pytest.mark.soak
@pytest.mark.parametrize("game", rulesets())
def test_that_goes_for_every_rule_of_every_ruleset(game: str) -> None:
    shown = staged(game)
    assert_shown(shown, [str(rule) for rule in rules_of(shown.game)])


def assert_shown(shown: StagedGame, names: list[str]) -> None:
    emitted = shown.game.emitted.text
    for name in names:
        rule = find(shown.game, name)
        for stage in PRINTERS:
            said = at_stage(shown, rule, stage)
            assert said.strip(), (name, stage)
        for function in PRINTERS["python"](shown, rule):
            assert function in emitted or "alone_" in function, name


def test_what_is_shown_hangs_on_the_number_of_seats() -> None:
    low, high = read_box(folder_of("no_thanks"), (), Faults()).seats
    few, many = (StagedGame(made(folder_of("no_thanks"), Config(seats))) for seats in (low, high))
    assert f"% {low}\n" in at_stage(few, find(few.game, "turn"), "python")
    assert f"% {high}\n" in at_stage(many, find(many.game, "turn"), "python")
