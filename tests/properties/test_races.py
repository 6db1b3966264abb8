"""Claims about a question that several may answer: whoever is quicker, it is the same game again, and nobody hears who waits."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.dsl.program import program
from ichiba.interpreter.native.compiler import NoMachineCode, compile_game
from ichiba.interpreter.saves import records, teller
from ichiba.interpreter.saves.saved import SaveFault, seal
from ichiba.interpreter.sight.imagine import Imagination
from ichiba.lab.enumerate import Chance, positions
from tests.conftest import Tally
from tests.properties import outcry
from tests.properties.pairs import differences, pairs_of
from tests.properties.test_threads import at_once
from tests.reference.lockstep import LockStep


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> ichiba.Game:
    return outcry.made(tmp_path_factory.mktemp("outcry"))


def any_answer(table: ichiba.Table, random: Random) -> None:
    """Anybody who may answer does."""
    decision = random.choice(table.pending)
    table.play(random.randrange(len(decision.codes)), seat=decision.seat)


def in_a_race(table: ichiba.Table) -> bool:
    return len(table.view()["pending"]) > 1  # type: ignore[arg-type]


def seen(table: ichiba.Table, seat: int | None) -> str:
    return json.dumps([table.view(seat), table.story(seat)])


def test_a_thousand_games_in_any_order_are_the_same_when_they_are_played_again(game: ichiba.Game, tally: Tally) -> None:
    quicker = 0
    for seed in range(1000):
        random, table = Random(seed), game.start(seed)
        while not table.over:
            drawn, before = table.decision, len(table.pending)
            any_answer(table, random)
            quicker += before > 1 and drawn is not None and table.history[-1][0] != drawn.seat_index
        again = game.start(seed)
        for seat, code in table.history:
            records._again(again, seat, code)
        assert (again.state, list(again.codes)) == (table.state, list(table.codes))
        assert records.told(table).state == table.state
        back = table.copy()
        back.undo(3)
        while len(back.history) < len(table.history):
            records._again(back, *table.history[len(back.history)])
        assert back.state == table.state
    assert quicker > 1000
    tally(games=1000, quicker_than_the_drawn=quicker)


def test_a_log_names_those_who_answered_as_if_they_had_been_drawn(game: ichiba.Game) -> None:
    """Chance that brings what the log says, with nobody who is quicker: the same log."""
    for seed in range(40):
        random, table = Random(seed), game.start(seed)
        while not table.over:
            any_answer(table, random)
        script = tuple(str(item["key"]) for item in table.log if item["event"] == "chance")
        again = game.start(seed, chance=script)
        for item in table.log:
            if item["event"] == "decision" and not item.get("forced"):
                again.play(str(item["key"]))
        assert again.log == table.log
        assert again.scores == table.scores


def test_a_game_is_saved_and_resumed_at_every_point(game: ichiba.Game, tmp_path: Path, tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    saved = 0
    for seed in range(3):
        random, table = Random(seed), game.start(seed)
        while not table.over:
            any_answer(table, random)
            table.save(tmp_path / "kept.json")
            again = ichiba.resume(tmp_path / "kept.json")
            assert (again.state, again.history, list(again.codes)) == (table.state, table.history, list(table.codes))
            assert [(d.seat, d.keys()) for d in again.pending] == [(d.seat, d.keys()) for d in table.pending]
            table, saved = again, saved + 1
    tally(saves=saved)


def test_a_save_in_which_somebody_answers_who_was_not_asked_is_refused(
    game: ichiba.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")
    table, path = game.start(3), tmp_path / "kept.json"
    table.play("boast")
    table.play("praise", seat=3)
    table.save(path)
    content = json.loads(path.read_text())
    assert content["answers"][-1][0] == 3
    content["answers"][-1][0] = 1
    path.write_text(json.dumps(content | {"whole": seal(content)}))
    with pytest.raises(SaveFault, match="answer 2 is by seat 1, who is not asked there"):
        ichiba.resume(path)


def test_the_reference_plays_it_the_same(game: ichiba.Game, tally: Tally) -> None:
    decisions = 0
    for seed in range(25):
        steps = LockStep(game, seed)
        decisions += steps.play(10**6)
    tally(decisions=decisions)


def test_machine_code_plays_it_the_same(tmp_path: Path) -> None:
    game = outcry.made(tmp_path)
    (tmp_path / "other").mkdir()
    other = outcry.made(tmp_path / "other")
    try:
        compile_game(other)
    except NoMachineCode as reason:
        pytest.skip(str(reason))
    for seed in range(30):
        random, tables = Random(seed), (game.start(seed), other.start(seed))
        while not tables[0].over:
            assert tables[0].state == tables[1].state
            decision = random.choice(tables[0].pending)
            place = random.randrange(len(decision.codes))
            for table in tables:
                table.play(place, seat=decision.seat)
        assert tables[0].state == tables[1].state
        assert game.playout(seed, lambda table: 0).state == other.playout(seed, lambda table: 0).state


def test_threads_may_race_at_tables_of_one_game(game: ichiba.Game) -> None:
    def played(seed: int) -> object:
        random, table = Random(seed), game.start(seed)
        while not table.over:
            any_answer(table, random)
        return table.state, table.log

    assert at_once(played, 8) == [played(seed) for seed in range(8)]


def test_who_was_drawn_is_a_chance_event_of_the_tree(tmp_path: Path) -> None:
    rules = """\
seat:
    counter thanks: 0 .. 9
table:
    zone bag of gem
play:
    first s in seats to answer call:
        option take "Take it": raise my.thanks by 1
scoring:
    score for each seat: score "Thanks" my.thanks
"""
    found = [p for p in positions(outcry.made(tmp_path, rules)) if isinstance(p, Chance)]
    assert found[0].weights == {"1": 1, "2": 1, "3": 1}
    assert len(found) == 1 + 3 + 6  # three are left, then two, then one


# ------------------------------------------------------------------------------------- what nobody hears


def test_nobody_hears_who_waits(game: ichiba.Game, tally: Tally) -> None:
    """Of two tables that differ in nothing but that somebody has waited: the others cannot tell which is which."""
    compared = 0
    for seed in range(50):
        random, table = Random(seed), game.start(seed)
        while not table.over:
            if in_a_race(table) and len(table.pending) > 1:
                waiting = random.choice(table.pending).seat
                other = table.copy()
                other.play("wait", seat=waiting)
                if in_a_race(other) and other.decision is not None and other.decision.name == table.decision.name:  # type: ignore[union-attr]
                    for seat in (None, 1, 2, 3):
                        if seat != waiting:
                            assert seen(other, seat) == seen(table, seat)
                            compared += 1
            any_answer(table, random)
    assert compared > 200
    tally(pairs=compared)


def test_the_order_in_which_others_wait_is_heard_by_nobody(game: ichiba.Game) -> None:
    """Seats 2 and 3 wait, one way round or the other; and seat 3 praises, whether or not seat 2 has waited before."""
    for seed in range(20):
        one, other = game.start(seed), game.start(seed)
        for table, order in ((one, (2, 3)), (other, (3, 2))):
            table.play("boast")
            for seat in order:
                table.play("wait", seat=seat)
        assert [seen(one, seat) for seat in (None, 1, 2, 3)] == [seen(other, seat) for seat in (None, 1, 2, 3)]
        one, other = game.start(seed), game.start(seed)
        for table in (one, other):
            table.play("boast")
        other.play("wait", seat=2)
        for table in (one, other):
            table.play("praise", seat=3)
        assert [seen(one, seat) for seat in (None, 1, 3)] == [seen(other, seat) for seat in (None, 1, 3)]
        assert seen(one, 2) != seen(other, 2)


def test_what_is_said_to_those_who_ask_tells_nothing_either(game: ichiba.Game) -> None:
    table = game.start(3)
    table.play("boast")
    before = table.why_not("praise", 1)
    table.play("wait", seat=2)
    assert table.why_not("praise", 1) == before == "seat 1 has nothing to decide now; the table waits for seat 2, seat 3"
    assert table.why_not("praise", 2) == "seat 2 has left it to the others"


def leaks(game: ichiba.Game, seeds: range) -> tuple[int, list[str]]:
    """Tables that a seat could be sitting at, with other hands and others who have waited: how many, and what it was told of them."""
    compared, found, numbers = 0, [], count()
    for seed in seeds:
        random, table = Random(seed), game.start(seed)
        while not table.over:
            if random.random() < 0.6:
                seat = random.randint(1, 3)
                for pair in pairs_of(table, seat, numbers, 2):
                    compared += 1
                    found += differences(pair, seat, random)
            any_answer(table, random)
    return compared, found


def test_tables_that_a_seat_cannot_tell_apart_tell_it_the_same(game: ichiba.Game, tally: Tally) -> None:
    compared, found = leaks(game, range(25))
    assert not found
    assert compared > 150
    tally(pairs=compared)


def test_it_is_imagined_who_has_waited(game: ichiba.Game, tally: Tally) -> None:
    """Whoever is still asked is drawn in the tables it imagines; whether another has waited is now so, now otherwise,
    whatever is true."""
    table, other = game.start(3), game.start(3)
    for one in (table, other):
        one.play("boast")
    other.play("wait", seat=2)
    imagined: dict[bool, list[list[int]]] = {}
    for true, one in ((False, table), (True, other)):
        imagination = Imagination(one, 3)
        for seed in range(60):
            made = imagination.table(seed)
            assert seen(made, 3) == seen(one, 3)
            assert made.decision is not None
            assert made.decision.seat == 3
            imagined.setdefault(true, []).append(sorted(d.seat for d in made.pending))
        assert imagination.failed == 0
        tally(imagined_tables=60)
    assert imagined[False] == imagined[True]  # of the same chance the same comes, so nothing hangs on the truth
    assert 15 < imagined[True].count([3]) < 45


def test_in_the_middle_of_games_races_are_imagined(game: ichiba.Game, tally: Tally) -> None:
    made = failed = 0
    for seed in range(40):
        random, table = Random(seed), game.start(seed)
        while not table.over:
            if random.random() < 0.5:
                seat = random.randint(1, 3)
                imagination = Imagination(table, seat)
                other = imagination.table(seed)
                assert seen(other, seat) == seen(table, seat)
                again = other.copy()
                again.undo(0)
                assert again.state == other.state
                again.rekey(5)
                assert again.state == other.state
                made, failed = made + 1, failed + imagination.failed
            any_answer(table, random)
    assert failed * 20 <= made, f"{failed} tries of {made} came to nothing"
    tally(imagined_tables=made)


def dared(game: ichiba.Game, hand: str) -> ichiba.Table:
    """Seat 3 holds three of these; seat 1 has dared the others, and seat 2 waits."""
    hands = ["blue", "blue", "blue", "red", "blue", "green", hand, hand, hand]
    table = game.start(1, chance=(*(f"draw/{sort}" for sort in hands), "first/2"))
    table.play("dare")
    table.play("wait", seat=2)
    return table


def test_nobody_learns_that_another_can_only_wait(game: ichiba.Game) -> None:
    """Seat 3 can lay a red one, or only wait: it is asked all the same, and seat 2 sees no difference."""
    one, other = dared(game, "red"), dared(game, "green")
    assert [d.keys() for d in one.pending] == [["lay/red", "wait"]]
    assert [d.keys() for d in other.pending] == [["wait"]]
    assert [seen(one, seat) for seat in (None, 1, 2)] == [seen(other, seat) for seat in (None, 1, 2)]


def test_a_wait_that_is_skipped_would_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "mark_hiding_questions", lambda program: None)
    game = outcry.made(tmp_path)
    assert seen(dared(game, "red"), 2) != seen(dared(game, "green"), 2)


@pytest.mark.parametrize("leak", ["waits are told", "a draw is told at once"])
def test_a_planted_leak_is_caught(leak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if leak == "waits are told":
        kept = teller.decision_item
        monkeypatch.setattr(teller, "decision_item", lambda *args, **named: kept(*args, **named) | {"audience": "all"})
    else:
        monkeypatch.setattr(teller, "UNTOLD", -7)
    game = outcry.made(tmp_path)
    table = game.start(3)
    table.play("boast")
    other = table.copy()
    other.play("wait", seat=2)
    assert seen(table, 1) != seen(other, 1)
