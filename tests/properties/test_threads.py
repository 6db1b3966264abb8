"""Claims about a game that threads share: each table is as if it were alone, in Python and in machine code, also after a fork."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ichiba import Game, RulesetFaults, Table, load
from ichiba.interpreter.native.compiler import NoMachineCode, compile_game
from ichiba.interpreter.runtime.runtime import FUEL
from ichiba.interpreter.runtime.sharing import turn
from tests.validator.small import ruleset

Tally = Callable[..., None]
THREADS = 20


@pytest.fixture(autouse=True)
def restless() -> Iterator[None]:
    """Threads take turns very often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def at_once(work: Callable[[int], object], number: int = THREADS) -> list[object]:
    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(work, range(number)))


# Each answer takes more than half of the steps that an answer may take.
LUCK = int((0.2 * FUEL) ** (1 / 3))
LONG = f"""\
seat:
    purse cash: coin start 5
    zone hand of gem, hidden from others
    counter luck: 0 .. 9999 start {LUCK}

value work -> number: sum of (n * m + k for n in 1 .. my.luck, m in 1 .. my.luck * 3, k in 1 .. my.luck)

procedure turn:
    menu actions:
        option think "Think": lower my.luck by min(1, work) - 1
        option rest: nothing
"""


def test_the_steps_of_one_are_not_counted_for_another(tmp_path: Path) -> None:
    game = load(ruleset(tmp_path, {"play.rules": LONG}), 2, trust=True)
    alone = game.playout(1, lambda table: 0).state

    def played(_: int) -> object:
        return game.playout(1, lambda table: 0).state

    assert at_once(played, 8) == [alone] * 8


def test_nor_are_they_in_machine_code(tmp_path: Path) -> None:
    game = load(ruleset(tmp_path, {"play.rules": LONG}), 2, trust=True)
    alone = game.playout(1, lambda table: 0).state
    try:
        compile_game(game)
    except NoMachineCode as reason:
        pytest.skip(str(reason))
    assert game.worked_out.in_c is not None
    misses = game.worked_out.in_c.misses
    before = misses()
    assert at_once(lambda _: game.playout(1, lambda table: 0).state, 8) == [alone] * 8
    assert misses() == before  # nothing was left to Python, which counts for itself


def test_an_answer_waits_for_nobody_who_makes_something_late() -> None:
    table = load("no_thanks", 3).start(5)

    def played() -> bool:
        while table.codes:
            table.step(0)
        return table.over

    with ThreadPoolExecutor(1) as pool, turn:
        assert pool.submit(played).result()


def course(game: Game, seed: int, answers: int) -> list[object]:
    """So many answers, in as many games as that takes, with everything one may do on the way."""
    table, seen, games = game.start(seed), list[object](), 1
    for number in range(answers):
        decision = table.decision
        if decision is None:
            seen.append((table.state, table.scores))
            table, games = game.start(seed + THREADS * games), games + 1
            decision = table.decision
        assert decision is not None
        at = (number * 7 + seed) % len(decision.codes)
        if number % 5 == 0:
            seen.append(decision.options[at].label)
            seen.append((table.ask("count of seats"), table.ask(f"{number} + 1"), decision.prompt))
        if number % 7 == 0:
            try:
                table.ask(f"nonsense{number} + 1")
                seen.append("an answer to nonsense")
            except RulesetFaults as fault:
                seen.append(str(fault))
        if number % 11 == 0:
            seen.append(table.view(decision.seat))
            seen.append(table.why_not("nonsense"))
        table.play(at) if number % 2 else table.step(at)
        if number % 13 == 12:
            table.undo()
    return [*seen, table.state, table.scores]


def compared(alone: Callable[[], Game], make: Callable[[], Game], answers: int) -> int:
    """Each thread's games at one shared game are those that are played with a game of its own."""
    wanted = [course(alone(), seed, answers) for seed in range(THREADS)]
    shared = make()
    assert at_once(lambda seed: course(shared, seed, answers)) == wanted
    return THREADS * answers


def fresh(name: str, seats: int, native: bool = False) -> Callable[[], Game]:
    """Nothing of it has been made late."""

    def make() -> Game:
        game = load(name, seats)
        if native:
            compile_game(game)
        return game

    return make


def in_machine_code(name: str, seats: int) -> Callable[[], Game]:
    try:
        compile_game(load(name, seats))
    except NoMachineCode as reason:
        pytest.skip(str(reason))
    return fresh(name, seats, native=True)


@pytest.mark.parametrize(("name", "seats"), [("no_thanks", 3), ("goofspiel", 2)])
def test_twenty_threads_at_one_game_play_as_if_each_were_alone(name: str, seats: int, tally: Tally) -> None:
    tally(answers=compared(fresh(name, seats), fresh(name, seats), 40))


def test_so_they_do_in_machine_code(tally: Tally) -> None:
    tally(answers_in_machine_code=compared(fresh("no_thanks", 3), in_machine_code("no_thanks", 3), 40))


LONG_GAMES = [("no_thanks", 4), ("tsukiji", 3), ("shinjuku", 3), ("tokyo_tsukiji_market", 3)]


@pytest.mark.soak
@pytest.mark.parametrize(("name", "seats"), LONG_GAMES)
def test_ten_thousand_answers_are_those_of_games_played_alone(name: str, seats: int, tally: Tally) -> None:
    tally(answers=compared(fresh(name, seats), fresh(name, seats), 500))


@pytest.mark.soak
@pytest.mark.parametrize(("name", "seats"), LONG_GAMES)
def test_so_are_ten_thousand_in_machine_code(name: str, seats: int, tally: Tally) -> None:
    tally(answers_in_machine_code=compared(fresh(name, seats), in_machine_code(name, seats), 500))


def test_copies_of_one_table_draw_as_if_each_were_alone() -> None:
    """They have the words of chance in common, and the first who needs more makes them."""
    table = load("no_thanks", 3).start(5)

    def played(_: int) -> object:
        copy = table.copy()
        while copy.codes:
            copy.step(0)
        return copy.state

    for _ in range(5):
        table.context.words.words.clear()
        assert len({tuple(state) for state in at_once(played)}) == 1  # type: ignore[arg-type]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_fork_while_others_play_goes_on_alone(tmp_path: Path) -> None:
    game = load(ruleset(tmp_path, {"play.rules": LONG}), 2, trust=True)
    alone = game.playout(1, lambda table: 0).state

    def forked(number: int) -> int:
        if number % 4:
            return 0 if game.playout(1, lambda table: 0).state == alone else 1
        child = os.fork()
        if not child:
            os._exit(0 if Table(game, 1).begin() and game.playout(1, lambda table: 0).state == alone else 1)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    assert at_once(forked, 12) == [0] * 12


def test_the_same_ruleset_is_loaded_by_many_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "cache"))
    folder = ruleset(tmp_path, {})
    alone = load(folder, 2, trust=True).playout(1, lambda table: 0).state
    assert at_once(lambda _: load(folder, 2, trust=True).playout(1, lambda table: 0).state, 6) == [alone] * 6
