"""Players that think ahead, of rules that nobody vouches for: how much they do has an end that is counted, and honest games are far
below it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ichiba import Game
from ichiba.dsl.world.world import Config
from ichiba.interpreter.api import folder_of
from ichiba.interpreter.native import compiler
from ichiba.interpreter.run.game import made
from ichiba.interpreter.runtime.runtime import TooLong
from ichiba.interpreter.runtime.work import TooMuchWork, Work
from ichiba.lab.players import greedy, searcher
from ichiba.lab.players.budget import USUAL
from ichiba.lab.players.playouts import PLAYOUT, Playouts
from ichiba.lab.players.worlds import Position
from ichiba.lab.policies import play_out, policy
from tests.validator.latest import PLAYED
from tests.validator.played import nest, of_luck
from tests.validator.small import ruleset
from tests.validator.test_closely import closely

PASSES = 90_000  # of one nest of loops
LOOPS = 4  # nests in every answer: most of what it may take
FOR_EVER = "play:\n    repeat 900 times: turns\n\n"


def slow(folder: Path) -> Game:
    """Every answer takes nearly all that it may."""
    return closely(ruleset(folder, of_luck(FOR_EVER + PLAYED.replace("{body}", nest(12, LOOPS)))))


def answers_of(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every answer that is thought of from here on."""
    found: list[int] = []
    answer = Position.answer

    def noted(position: Position, code: int) -> None:
        found.append(code)
        answer(position, code)

    monkeypatch.setattr(Position, "answer", noted)
    return found


def test_a_playout_takes_no_more_than_a_few_answers_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = slow(tmp_path)
    table = game.start(1)
    decision = table.decision
    assert decision is not None
    found = answers_of(monkeypatch)
    playouts = 3
    policy(game, f"searcher:{playouts}", 1).index(decision)
    few = PLAYOUT * game.fuel // (LOOPS * PASSES) + 1
    assert 0 < sum(code == decision.codes[0] for code in found) <= playouts * few


def test_machine_code_gives_up_a_playout_at_as_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = slow(tmp_path)
    try:
        compiler.compile_game(game)
    except compiler.NoMachineCode as reason:
        pytest.skip(str(reason))
    table = game.start(1)
    position = Position(game, table.state[:], table.codes, "x")
    playouts = Playouts(game, "random")
    playouts.player = compiler.player(game, ("random",) * game.seats)
    monkeypatch.setattr(compiler, "seconds", lambda *given: 0.0)
    slowly: list[str] = []
    monkeypatch.setattr(Playouts, "_slowly", lambda self, where, seed, slips, work: slowly.append(seed))
    assert playouts.to_end(position, "1") is None and slowly == ["1"]


@pytest.mark.parametrize("player", ["greedy", "searcher:8"])
@pytest.mark.parametrize(("name", "seats"), [("no_thanks", 3), ("leduc_poker", 2), ("caravan_yard", 3), ("lantern_coast", 2)])
def test_honest_games_are_played_the_same(name: str, seats: int, player: str) -> None:
    """Counted as a stranger's, and not counted at all."""
    players = [player, *["random"] * (seats - 1)]
    counted, free = closely(folder_of(name), seats), made(folder_of(name), Config(seats))
    assert play_out(counted, 3, players).history == play_out(free, 3, players).history


@pytest.mark.parametrize("player", ["greedy", "searcher:8"])
def test_who_may_not_even_imagine_a_world_answers_all_the_same(player: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(greedy, "MOST_WORK", -1)
    monkeypatch.setattr(searcher, "IMAGINED", -USUAL)
    game = closely(folder_of("leduc_poker"))
    for seed in range(5):
        table = game.start(seed)
        while (decision := table.decision) is not None:
            place = policy(game, player, seed).index(decision)
            assert 0 <= place < len(decision.codes)
            table.step(place)


def test_an_answer_and_what_follows_it_are_counted_together_and_can_be_told(tmp_path: Path) -> None:
    """Whoever can play a game can also see its log: that counts as playing does."""
    rest = PLAYED.replace("{body}", nest(12, LOOPS)).partition("\n")[2]
    before = {0: 0, 1: 1, 2: None}
    for many, told in before.items():
        game = closely(ruleset(tmp_path / str(many), of_luck("procedure turn:\n" + nest(4, many) + rest)))
        table = game.start(1)
        if told is None:
            with pytest.raises(Exception, match="this takes more than 100,000 steps"):
                table.step(0)
            continue
        table.step(0)
        table.step(0)
        assert table.events()


def test_work_that_is_done_is_told_to_whoever_cannot_stop(tmp_path: Path) -> None:
    assert not issubclass(TooMuchWork, TooLong)  # no rule is at fault
    work = Work(slow(tmp_path), 0)
    work.go_on()
    work.left = -1
    with pytest.raises(TooMuchWork):
        work.go_on()
