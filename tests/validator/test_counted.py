"""Claims about work that an author's text can cause: it is counted, wherever it is done, and refused at the same count on
every machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ichiba import Game, RulesetFaults, Table, load
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.lab.policies import policy
from tests.validator.small import judged, ruleset

Tally = Callable[..., None]

# --- rules without loops


def twice(n: int, condition: str = "") -> str:
    rules = [f"procedure p{i}:\n    {condition}p{i - 1}\n    {condition}p{i - 1}" for i in range(n, 0, -1)]
    return "\n\n".join([*rules, "procedure p0: nothing", f"procedure turn:\n    p{n}\n"])


def hooked(n: int) -> str:
    rules = [f"rule r{i}_{k}, before p{i}: p{i - 1}" for i in range(n, 0, -1) for k in range(4)]
    return "\n\n".join([*rules, *(f"procedure p{i}: nothing" for i in range(n + 1)), f"procedure turn:\n    p{n}\n"])


def lets(n: int) -> str:
    body = "    let a = v{0}(x)\n    let b = v{0}(x + 1)\n    give a + b"
    values = [f"value v{i}(x: number) -> number:\n{body.format(i - 1)}" for i in range(n, 0, -1)]
    return "\n\n".join([*values, "value v0(x: number): x", f"procedure turn:\n    if v{n}(0) > 5: gain 1 coin from bank\n"])


CHAINS = {
    "procedures that perform each other twice": twice,
    "the same under conditions": lambda n: twice(n, "if round > 1: "),
    "four hooks before each": lambda n: hooked(n // 2),
    "values that name each other twice": lets,
}


@pytest.mark.parametrize("size", [18, 30, 60])
@pytest.mark.parametrize("make", CHAINS.values(), ids=CHAINS)
def test_a_chain_that_doubles_is_refused_at_check_and_named(make: Callable[[int], str], size: int, tmp_path: Path) -> None:
    small = judged(tmp_path, "# play.rules\n" + make(size))
    assert "E533" in small.codes, small.text
    assert " → " in small.text and "100,000 lead to the next question at most" in small.text


@pytest.mark.parametrize("make", CHAINS.values(), ids=CHAINS)
def test_a_short_one_is_played(make: Callable[[int], str], tmp_path: Path) -> None:
    table = load(ruleset(tmp_path, {"play.rules": make(8)}), 2, trust=True).start(1)
    while table.codes:
        table.step(0)
    assert table.over


# --- loops, wherever they stand

SEAT = "seat:\n    purse cash: coin start 5\n    zone hand of gem, hidden from others\n    counter luck: 0 .. 300 start 300\n\n"
THREE = "sum of (a * b + c for a in 1 .. my.luck, b in 1 .. my.luck, c in 1 .. my.luck)"
TWO = "sum of (a * b + n for a in 1 .. my.luck, b in 1 .. my.luck)"
TURN = "procedure turn:\n    menu actions:\n"
REST = "        option rest: nothing\n"

PLACES = {
    "a label": f'{TURN}        option go "Go {{{THREE}}}": nothing\n{REST}',
    "thousands of labels": f'{TURN}        option go "Go {{{TWO}}}" for n in 1 .. 4000: nothing\n{REST}',
    "thousands of guards": f"value slow(n: number) -> number: {TWO}\n\n{TURN}"
    f"        option go for n in 1 .. 4000 when slow(n) > 0: nothing\n{REST}",
    "options of options": f"{TURN}        option go for a in 1 .. my.luck, b in 1 .. my.luck, c in 1 .. my.luck: nothing\n{REST}",
    "a value in a loop": f"value slow(n: number) -> number: {TWO}\n\n{TURN}        option go:\n"
    f"            for each k in 1 .. my.luck: raise round by min(0, slow(k))\n{REST}",
    "a trigger": f"value slow(n: number) -> number: {TWO}\n\nrule odd, whenever slow(round) = 7: nothing\n\n{TURN}"
    f"        option go:\n            repeat 90 times:\n                raise round by 1\n                lower round by 1\n{REST}",
}  # fmt: skip
PLACES |= {
    "very many rules that watch": "\n\n".join(f"rule r{n}, whenever round = {n % 9 + 1}: nothing" for n in range(400))
    + f"\n\n{TURN}        option go:\n            repeat 150 times:\n                raise round by 1\n                lower round by 1\n{REST}",
    "a small rule that watches, very often": "rule odd, whenever (sum of (n for n in 1 .. 230)) = round: nothing\n\n"
    f"{TURN}        option go:\n            repeat 40000 times:\n                raise round by 1\n                lower round by 1\n{REST}",
    "a rule that watches for very many": "rule odd for each n in 1 .. 900, whenever n = round: nothing\n\n"
    f"{TURN}        option go:\n            repeat 90 times:\n                raise round by 1\n                lower round by 1\n{REST}",
}
PLACES["a trigger"] = PLACES["a trigger"].replace("my.luck", "300")


def looked_at(table: Table, answers: int = 3) -> None:
    """All that a screen shows, and the first answer."""
    for _ in range(answers):
        decision = table.decision
        if decision is None:
            return
        decision.keys()
        assert decision.prompt is not None
        for option in decision.options:
            assert option.label is not None
        table.play(0)


def game(folder: Path, rules: str) -> Game:
    return load(ruleset(folder, {"play.rules": SEAT + rules}), 2, trust=True)


@pytest.mark.parametrize("rules", PLACES.values(), ids=PLACES)
def test_steps_are_counted_wherever_they_are_made(rules: str, tmp_path: Path) -> None:
    with pytest.raises(RuleFault, match="this takes more than 100,000 steps"):
        looked_at(game(tmp_path, rules).start(1))


def test_what_is_asked_later_is_counted_too(tmp_path: Path) -> None:
    table = game(tmp_path, TURN + REST).start(1)
    with pytest.raises(RuleFault, match="this takes more than 100,000 steps"):
        table.ask(THREE.replace("my.luck", "seat(1).luck"))
    assert table.ask("seat(1).luck") == 300


def test_so_is_what_a_policy_works_out(tmp_path: Path) -> None:
    prefer = f'policy odd:\n    prefer "go" by {THREE}\n\n'
    made = game(tmp_path, f"{prefer}{TURN}        option go: nothing\n{REST}")
    decision = made.start(1).decision
    assert decision is not None
    with pytest.raises(RuleFault, match="this takes more than 100,000 steps"):
        policy(made, "odd", "").index(decision)


def test_the_words_of_one_decision_share_the_steps_of_one_answer(tmp_path: Path) -> None:
    rules = f'{TURN}        option go "Go {{{TWO}}}" for n in 1 .. 40: nothing\n{REST}'.replace("my.luck", "min(90, my.luck)")
    table = game(tmp_path, rules).start(1)
    decision = table.decision
    assert decision is not None
    said = 0
    with pytest.raises(RuleFault):
        for option in decision.options:
            assert option.label
            said += 1
    assert 5 <= said <= 15  # 8,100 steps each
    table.play(0)  # which takes few


def test_a_ruleset_is_refused_at_the_same_count_every_time(tmp_path: Path) -> None:
    said = set()
    for name in ("a", "b"):
        try:
            looked_at(game(tmp_path / name, PLACES["a value in a loop"]).start(1))
        except (RuleFault, RulesetFaults) as fault:
            said.add(str(fault))
    assert len(said) == 1


def test_what_only_words_and_policies_make_long_costs_the_rules_nothing(tmp_path: Path) -> None:
    """A value that both name is counted for these, and not for those."""
    value = "value slow -> number: sum of (a * b + c for a in 1 .. seat(1).luck, b in 1 .. 30, c in 1 .. 30)\n\n"
    prefer = 'policy odd:\n    prefer "go" by (sum of (slow + k for k in 1 .. 30))\n\n'
    made = game(tmp_path, f"{value}{prefer}{TURN}        option go when slow > 0: nothing\n{REST}".replace(".luck", ".luck / 30 rounded up"))
    assert "tick()" not in made.emitted.text
    table = made.start(1)
    decision = table.decision
    assert decision is not None
    with pytest.raises(RuleFault, match="this takes more than 100,000 steps"):
        policy(made, "odd", "").index(decision)
    table.play(0)


def test_games_that_mean_well_are_counted_in_few_places(tally: Tally) -> None:
    """What is counted costs time: in the games that come along little is."""
    for name, seats, most in (("no_thanks", 3, 0), ("tsukiji", 3, 0), ("shinjuku", 3, 5), ("tokyo_tsukiji_market", 3, 20)):
        counted = load(name, seats).emitted.text.count("tick()")
        assert counted <= most, name
        tally(places_counted=counted)
