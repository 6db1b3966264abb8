"""Claims about rules that run away in play: the fault names the rule, the table stays as it was, the log is kept."""

import re
from pathlib import Path

import pytest

from ichiba import Game, load
from ichiba.interpreter.runtime.runtime import RuleFault
from tests.validator.bombs import seen_quantifiers, squares
from tests.validator.small import ruleset

RUNAWAY = """\
procedure turn:
    menu actions:
        option double:
            remember x: number = my.number_of_gems + 3
            repeat 9 times: set x to x * x
            gain (x * 0) coins from bank
        option rest: nothing

seat:
    purse cash: coin start 5
    zone hand of gem, hidden from others
    counter number_of_gems: 0 .. 9
"""


def game(folder: Path, rules: str) -> Game:
    return load(ruleset(folder, {"play.rules": rules}), trust=True)


def test_the_fault_names_the_rule_and_its_place(tmp_path: Path) -> None:
    table = game(tmp_path, RUNAWAY).start(1)
    with pytest.raises(RuleFault) as caught:
        table.play("double")
    assert str(caught.value) == (
        "a number becomes too large here; 1,000,000,000,000 is the most (in `turn: actions`, small/play.rules:2)"
    )


def test_so_does_one_that_comes_before_any_question(tmp_path: Path) -> None:
    with pytest.raises(RuleFault) as caught:
        game(tmp_path, squares(6)["play.rules"]).start(1)
    assert str(caught.value).endswith("is the most (in `turn`, small/play.rules:1)")


def test_so_does_a_value(tmp_path: Path) -> None:
    with pytest.raises(RuleFault) as caught:
        game(tmp_path, seen_quantifiers(6)["play.rules"]).start(1)
    assert str(caught.value) == "this takes more than 100,000 steps (in `work`, small/play.rules:6)"


LUCK, _, WORK = seen_quantifiers(6)["play.rules"].partition("procedure turn:")[0].partition("value work -> number: ")
WORKERS = {
    "an option asks for it": """
        option wild "Wild" when work = 0: nothing
""",
    "the body of an option asks for it": """
        option wild "Wild":
            require work = 0, else "no"
            raise my.luck by 0
""",
    "so does one for each of some numbers": """
        option wild "Wild {n}" for n in 1 .. 4:
            require work = n, else "no"
""",
    "two options ask for the same": """
        option wild "Wild" when work = 0: nothing
        option wilder "Wilder {n}" for n in 1 .. 4 when work = 0: nothing
""",
    "a menu on the way asks for it": """
        option wild "Wild": further
""",
}


@pytest.mark.parametrize("option", WORKERS.values(), ids=WORKERS)
def test_so_does_what_an_option_hangs_on(option: str, tmp_path: Path) -> None:
    further = "procedure further:\n    menu further:\n        option on \"On\" when work = 0: nothing\n"
    rules = f"procedure turn:\n    menu actions:{option}        option rest \"Rest\": nothing\n\n{further}"
    rules = LUCK + rules.replace("work", WORK.strip())  # written out, where no function of its own counts its steps
    with pytest.raises(RuleFault) as caught:
        game(tmp_path, rules).start(1)
    assert str(caught.value).startswith("this takes more than 100,000 steps (in ")


@pytest.mark.parametrize("quick", [False, True])
def test_the_table_stays_as_it_was_takes_no_more_answers_and_keeps_its_log(tmp_path: Path, quick: bool) -> None:
    table = game(tmp_path, RUNAWAY).start(1)
    table.play("rest")
    state, log = table.state[:], table.log
    for answer in ("double", "rest"):
        with pytest.raises(RuleFault, match="a number becomes too large"):
            if quick:
                table.step(["double", "rest"].index(answer))
            else:
                table.play(answer)
    assert table.state == state and table.log == log and len(table.history) == 1
    assert table.decision is not None and table.decision.keys() == ["double", "rest"]
    assert table.fault is not None


def test_taking_the_last_answer_back_sets_it_free(tmp_path: Path) -> None:
    table = game(tmp_path, RUNAWAY).start(1)
    table.play("rest")
    with pytest.raises(RuleFault):
        table.play("double")
    table.undo()
    table.play("rest")
    assert table.fault is None and len(table.history) == 1


def test_a_division_by_nothing_is_told_like_any_other_fault(tmp_path: Path) -> None:
    table = game(tmp_path, "procedure turn:\n    choose n from 0 to 3 \"How many?\"\n    set round to 3 / n rounded down\n").start(1)
    with pytest.raises(RuleFault) as caught:
        table.play("n/0")
    assert str(caught.value) == "something is divided by nothing (in `turn: n`, small/play.rules:2)"


@pytest.mark.parametrize("answer", ["n/0", "n/1", "n/9"])
@pytest.mark.parametrize(
    "rules",
    [
        "    note_down(n)\n\nprocedure note_down(n: number): set round to price(n - 1)\n",
        "    note_down(n)\n\nprocedure note_down(n: number): me gains (price(n - 1) * 1 coin) from bank\n",
        "    if dear(n): nothing\n\nvalue dear(n: number): price(n - 1) > 2\n",
    ],
)
def test_a_table_that_has_no_such_entry_is_told_of(rules: str, answer: str, tmp_path: Path) -> None:
    files = {"game.yaml": "tables: {price: {index: number, values: [2, 3, 5]}}\n"}
    files["play.rules"] = "procedure turn:\n    choose n from 0 to 9 \"Which?\"\n" + rules
    table = load(ruleset(tmp_path, files), trust=True).start(1)
    with pytest.raises(RuleFault) as caught:
        table.play(answer)
    # a small value is written into the rule that asks for it, which is then the one that is named
    entry = int(answer[2:]) - 1
    told = rf"the table `price` has no entry for {entry}: its entries go from 1 to 3 \(in `(turn: n|dear|note_down)`, small/play.rules:[25]\)"
    assert re.fullmatch(told, str(caught.value)), caught.value


@pytest.mark.parametrize("last", [5, 7])
def test_those_of_fixed_values_that_fit_are_not_found_where_a_table_lacks_an_entry(last: int, tmp_path: Path) -> None:
    """They are worked out before the game; what the table lacks is told in play all the same."""
    files = {"game.yaml": "tables: {price: {index: number, values: [2, 3, 5, 1, 1]}}\n"}
    files["play.rules"] = (
        "procedure turn:\n    menu actions:\n        option rest: nothing\n        option count_them \"Count\":\n"
        f"            set round to count of (n in {{2, 3, 4, {last}}} where dear(n))\n\n"
        "value dear(n: number): price(n - 1) > 2\n"
    )
    table = load(ruleset(tmp_path, files), trust=True).start(1)
    if last == 5:
        table.play("count_them")
        assert table.ask("round") == 2
        return
    with pytest.raises(RuleFault, match="the table `price` has no entry for 6: its entries go from 1 to 5"):
        table.play("count_them")


def test_a_question_has_only_so_many_answers(tmp_path: Path) -> None:
    rules = "procedure turn:\n    choose n from 1 to number(my.cash) * 1000 \"How many?\"\n    gain n coins from bank\n"
    table = game(tmp_path, rules).start(1)
    assert len(table.codes) == 5_000
    table.step(4_000)
    with pytest.raises(RuleFault) as caught:
        for _ in range(3):
            table.step(0)
    assert str(caught.value) == "this question has 4,006,000 answers; 5,000 are the most (in `turn: n`, small/play.rules:2)"


def test_a_game_has_only_so_many_decisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ichiba.interpreter.run.table.MOST_DECISIONS", 3)
    table = game(tmp_path, RUNAWAY).start(1)
    for _ in range(3):
        table.play("rest")
    with pytest.raises(RuleFault, match="a game has at most 3 decisions"):
        table.play("rest")
    assert len(table.history) == 3


@pytest.mark.soak
def test_that_is_a_hundred_thousand(tmp_path: Path) -> None:
    rules = "play:\n    repeat 90000 times: turns\n\nprocedure turns:\n    take one turn each from seat(1): turn\n"
    table = game(tmp_path, rules).start(1)
    with pytest.raises(RuleFault, match="a game has at most 100,000 decisions"):
        while table.codes:
            table.step(len(table.codes) - 1)
    assert len(table.history) == 100_000
