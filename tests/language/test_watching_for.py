"""Claims about rules that watch for each of several: what was true is kept for each of them, and nothing else is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba import load
from ichiba.interpreter.layout import HEADER
from ichiba.interpreter.native.compiler import NoMachineCode, compile_game
from tests.validator.small import judged, ruleset

WATCHED = {
    "numbers": "n in 1 .. 9", "numbers that begin later": "n in 4 .. 8", "numbers below nothing": "n in -3 .. 3",
    "one number": "n in 2 .. 2", "a list of numbers": "n in {2, 3, 5}",
    "seats": "n in seats", "sorts": "n in gem",
}  # fmt: skip
CONDITION = {"seats": "number(n.cash) > 3 + round", "sorts": "round > 2 + n.face"}
FACES = "pieces: {gem: {sorts: {red: {face: 1}, green: {face: 2}}, count: 6, in: bag}}\n"


@pytest.mark.parametrize("where", WATCHED)
def test_a_rule_that_watches_writes_into_nothing_but_its_own(where: str, tmp_path: Path) -> None:
    condition = CONDITION.get(where, "n = round")
    rules = (
        f"rule odd for each {WATCHED[where]}, whenever {condition}: nothing\n\n"
        "procedure turn:\n    menu actions:\n        option go:\n"
        "            repeat 6 times: raise round by 1\n            repeat 6 times: lower round by 1\n        option rest: nothing\n"
    )
    watched = load(ruleset(tmp_path / "a", {"play.rules": rules, "game.yaml": FACES}), 2, trust=True)
    plain = load(ruleset(tmp_path / "b", {"play.rules": rules.partition("\n\n")[2], "game.yaml": FACES}), 2, trust=True)
    one, other = watched.start(1), plain.start(1)
    own = {name for name in watched.world.table if name.startswith("rule ")}
    for answer in range(12):
        if not one.codes:
            break
        one.step(answer % 2)
        other.step(answer % 2)
        for name, member in plain.world.table.items():
            base = watched.world.table[name].base
            assert one.state[base : base + member.size] == other.state[member.base : member.base + member.size], name
        for name, member in plain.world.seat.items():
            base = watched.world.seat[name].base
            assert one.state[base : base + member.size] == other.state[member.base : member.base + member.size], name
    assert own and all(watched.world.table[name].base >= HEADER for name in own)
    assert one.scores == other.scores


def test_a_rule_fires_for_each_number_when_its_own_turn_comes(tmp_path: Path) -> None:
    rules = (
        "rule odd for each n in 1 .. 9, whenever round >= n: seat(1) gains n coins from bank\n\n"
        "procedure turn:\n    menu actions:\n        option rest: nothing\n"
    )
    table = load(ruleset(tmp_path, {"play.rules": rules}), 2, trust=True).start(1)
    while table.codes:
        table.step(0)
    assert table.ask("seat(1).cash") == 5 + 1 + 2 + 3  # three rounds


@pytest.mark.parametrize(("number", "bits"), [(9, 40), (40, 40), (41, 40), (70, 40), (130, 40), (130, 1)])
def test_of_many_rules_those_fire_whose_condition_holds_also_in_machine_code(
    number: int, bits: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where their bits take up more numbers than conditions can stand inside of each other."""
    monkeypatch.setattr("ichiba.interpreter.to_plan.triggers.BITS_OF_A_PLACE", bits)
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    rules = [f"rule r{n}, whenever round = {n % 9 + 1}: seat({n % 2 + 1}) gains {n % 3 + 1} coins from bank" for n in range(number)]
    go = "            raise round by 2\n            lower round by 2\n"
    turn = f"procedure turn:\n    menu actions:\n        option go:\n{go}        option rest: nothing\n"
    game = load(ruleset(tmp_path, {"play.rules": "\n\n".join([*rules, turn])}), 2, trust=True)
    in_python = game.playout(3, lambda table: 0)
    at = [1, 3, 1, 3, 1, 2, 4, 2, 4, 2, 3, 5, 3, 5, 3]  # the round, as it goes up and down in three rounds of two turns
    fired = [n for before, now in zip([0, *at], at) for n in range(number) if now == n % 9 + 1 and before != now]
    assert in_python.ask("seat(1).cash") == 5 + sum(n % 3 + 1 for n in fired if not n % 2)
    assert in_python.ask("seat(2).cash") == 5 + sum(n % 3 + 1 for n in fired if n % 2)
    try:
        compile_game(game)
    except NoMachineCode as reason:
        pytest.skip(str(reason))
    assert game.playout(3, lambda table: 0).state == in_python.state


def test_what_it_watches_for_must_be_known_beforehand(tmp_path: Path) -> None:
    small = judged(tmp_path, "# play.rules\nrule odd for each n in 1 .. 6000, whenever n = round: nothing\n")
    assert small.text == """\
error[E507]: `odd` watches for each of more than 5,000
  ┌─ small/play.rules:1:6
 1│ rule odd for each n in 1 .. 6000, whenever n = round: nothing
  │      ^^^ say for which, as in `for each n in 1 .. 9`

1 error"""
