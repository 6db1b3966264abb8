"""Every question has an answer, every answer a key of its own, every refusal a reason; and every game ends."""

from __future__ import annotations

from random import Random

import pytest

import ichiba
from ichiba.dsl.rules import ir
from ichiba.interpreter.run.decisions import Decision
from tests.conftest import Tally
from tests.properties.tables import Setting, every, loaded, moments, sampled, slice_of, whole

MOST_DECISIONS = 20_000


def mutated(key: str, keys: list[str], random: Random) -> str:
    """A key that is nearly right."""
    parts = key.split("/")
    other = random.choice(keys).split("/")
    at = random.randrange(len(parts))
    match random.randrange(8):
        case 0:
            return key[:-1]
        case 1:
            return "/".join([*parts, "1"])
        case 2:
            return "/".join(parts[:-1])
        case 3:
            parts[at] = random.choice(other)
        case 4:
            parts[at] = random.choice(["", "0", "-1", "99999999999", "none", "nobody", "é", "a+b", "None", "1_0"])
        case 5:
            random.shuffle(parts)
        case 6:
            parts[at] = parts[at] + "+" + random.choice(other)
        case _:
            return "".join(random.choice("abc/+_1 ") for _ in range(random.randrange(12)))
    return "/".join(parts)


def declared(decision: Decision, random: Random) -> list[str]:
    """For every option that the question could ever have, a key out of the declared domains."""
    found, decide, game = [], decision.site.decide, decision.table.game
    for option in decide.options if isinstance(decide, ir.Decide) else ():
        parts = [option.key]
        for kind in (
            [key.kind for key in option.keys] if option.keys is not None else [b.var.kind for b in option.binds]
        ):
            if kind.form in ("seat", "enum", "sort", "thing", "flag") and (values := list(game.world.values(kind))):
                parts.append(game.words.key(random.choice(values), kind))
            else:
                parts.append(str(random.randint(0, 9)))
        found.append("/".join(parts))
    return found


def check_questions(table: ichiba.Table, random: Random) -> int:
    """Keys, refusals and reasons of all that is asked now; how many keys were tried."""
    tried = 0
    for decision in table.pending:
        keys = decision.keys()
        assert keys, "a question without an answer"
        assert len(keys) == len(set(keys)), f"a key stands twice: {sorted(k for k in keys if keys.count(k) > 1)}"
        assert [option.key for option in decision.options] == keys
        for key in keys if len(keys) < 30 else random.sample(keys, 30):
            assert table.why_not(key, decision.seat) is None
        others = [mutated(random.choice(keys), keys, random) for _ in range(6)] + declared(decision, random)
        tried += len(keys) + len(others)
        for key in others:
            reason = table.why_not(key, decision.seat)
            assert (reason is None) == (key in keys or whole_lot(table, key, decision)), f"{key}: {reason}"
            if reason is not None:
                refused(table, key, decision.seat)
        for option in decision.options[:30]:
            assert option.label and "{" not in option.label
        assert decision.prompt
    again = [decision.keys() for decision in table.pending]
    assert again == [decision.keys() for decision in table.copy().pending] == [d.keys() for d in table.pending]
    return tried


def whole_lot(table: ichiba.Table, key: str, decision: Decision) -> bool:
    """Whether this is short for several answers, `give/2 wheat+1 rice`: then they can be given."""
    if not isinstance(decision.site.decide, ir.ChooseSome) or key.partition("/")[0] != decision.name:
        return False
    trial = table.copy()
    try:
        trial.play(key, seat=decision.seat)
    except ichiba.IllegalMove:
        return False
    return len(trial.history) > len(table.history)


def refused(table: ichiba.Table, key: str, seat: int) -> None:
    before = (table.state[:], table.history[:], list(table.codes))
    with pytest.raises(ichiba.IllegalMove) as refusal:
        table.play(key, seat=seat)
    assert str(refusal.value)
    assert (table.state, table.history, list(table.codes)) == before


def others_are_refused(table: ichiba.Table) -> None:
    asked = {decision.seat for decision in table.pending}
    for seat in range(1, table.game.seats + 1):
        if seat not in asked:
            assert table.why_not("anything", seat)
            with pytest.raises(ichiba.IllegalMove):
                table.play(0, seat=seat)


@every(sampled("reasons"))
def test_keys_are_unique_and_refusals_have_reasons(setting: Setting, tally: Tally) -> None:
    random = Random(0)
    for table in moments(loaded(setting), 0, slice_of(setting, 60)):
        tally(keys=check_questions(table, random))
        others_are_refused(table)
    tally(games=1)


def test_a_reason_is_given_for_ways_that_start_elsewhere() -> None:
    """The key of a step along a line is its far end: a line that is somewhere else has none."""
    asked = 0
    for table in moments(ichiba.load("shinjuku", seats=2), 4):
        for decision in table.pending:
            if any(option.key.startswith("move/to/") for option in decision.options):
                asked += 1
                assert "nowhere" in str(table.why_not("move/to/nowhere", decision.seat))
    assert asked


def ends(game: ichiba.Game, seed: int) -> int:
    """A random game comes to its end; after how many decisions."""
    random = Random(seed)
    table = game.start(seed=seed)
    for decisions in range(MOST_DECISIONS):
        if table.over:
            assert table.ending and not table.pending and table.decision is None
            seats = sorted(seat for place in table.ranking for seat in place)
            assert seats == sorted(table.scores) == list(range(1, game.seats + 1))
            return decisions
        assert len(table.codes), "a question without an answer"
        table.step(random.randrange(len(table.codes)))
    raise AssertionError(f"no end after {MOST_DECISIONS} decisions")


@every(sampled("ends"))
def test_every_game_ends(setting: Setting, tally: Tally) -> None:
    tally(games=1, decisions=ends(loaded(setting), 1))


@pytest.mark.soak
@every(whole())
def test_every_game_ends_whatever_is_switched_on(setting: Setting, tally: Tally) -> None:
    for seed in range(20, 50):
        tally(games=1, decisions=ends(loaded(setting), seed))


@pytest.mark.soak
@every(whole())
def test_keys_and_reasons_hold_whatever_is_switched_on(setting: Setting, tally: Tally) -> None:
    for seed in range(3):
        random = Random(seed)
        for table in moments(loaded(setting), seed):
            tally(keys=check_questions(table, random))
            others_are_refused(table)
        tally(games=1)
