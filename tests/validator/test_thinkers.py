"""Players that think ahead, of rules that nobody vouches for: how much they do has an end that is counted, and honest games are far
below it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from ichiba import Game
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Config
from ichiba.interpreter.api import folder_of
from ichiba.interpreter.native import compiler
from ichiba.interpreter.policies.players import Preferring
from ichiba.interpreter.run.game import made
from ichiba.interpreter.runtime.runtime import TooLong
from ichiba.interpreter.runtime.ways import spend
from ichiba.interpreter.runtime.work import TooMuchWork, Work, all_is_done
from ichiba.interpreter.sight.imagine import Guesser
from ichiba.lab.players import greedy, searcher
from ichiba.lab.players.budget import USUAL
from ichiba.lab.players.playouts import PLAYOUT, Playouts
from ichiba.lab.players.worlds import Position
from ichiba.lab.policies import play_out, policy
from ichiba.lab.scenarios import run_scenarios
from ichiba.table.terminal import session
from tests.depth import seldom
from tests.table.door import ichiba
from tests.validator.latest import PLAYED
from tests.validator.many import MENU
from tests.validator.played import menu, nest, of_luck, shuffles
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
@pytest.mark.parametrize(("name", "seats"), [("no_thanks", 3), ("leduc_poker", 2), ("lantern_coast", 2), *seldom([("caravan_yard", 3)])])
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


def test_what_is_counted_by_itself_is_counted_where_it_is_done_as_well(tmp_path: Path) -> None:
    game = slow(tmp_path)
    outer, inner, other = Work(game, 1), Work(game, 1), Work(game, 1)
    with outer:
        spend(100)
        with inner:
            spend(30)
            inner.told(2)
        with pytest.raises(ValueError), other:
            spend(7)
            raise ValueError
        spend(3)
        assert (inner.left, other.left) == (game.fuel - 50, game.fuel - 7) and not inner.over
    assert outer.left == game.fuel - 160
    outer.left = 5
    with outer, inner:
        inner.answered()
        assert inner.left > 0 and inner.over and all_is_done()
    assert not inner.over and not all_is_done()


def preset(bots: str, seats: int = 2) -> dict[str, str]:
    return {"configs/c.yaml": f"configuration: 1\ntitle: C\nseats: {seats}\nbots: '{bots}'\n"}


@pytest.mark.parametrize(("bots", "holds"), [("greedy", True), ("searcher:20", True), ("searcher:1000000", False)])
def test_bots_of_a_preset_think_no_longer_than_its_scenarios_may_take(
    bots: str, holds: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    text = {"play.rules": MENU + "        option go: gain 1 coin from bank\n"} if holds else of_luck(PLAYED.replace("{body}", nest(12, 1)))
    report = run_scenarios(ruleset(tmp_path, preset(bots) | text))
    said = [failure.message for result in report.results for failure in result.failures]
    assert said == ([] if holds else ["the scenarios of this setting take more than 10 answers may take"])


@pytest.mark.parametrize("named", [True, False])
def test_whoever_names_the_bots_says_how_long_they_think(named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sits down with those of a preset is asked before they think on for ever."""
    monkeypatch.delenv("ICHIBA_TRUST", raising=False)
    root = ruleset(tmp_path, preset("searcher:60", 3) | of_luck(PLAYED.replace("{body}", nest(12, 1))))
    monkeypatch.setattr(session, "A_LONG_TIME", 1)
    said = ichiba("play", root, "--config", "c", *(["--bots", "searcher:60"] if named else []), "--seed", "1", typed="1\n1\nq\n")
    assert (session.STILL in said.out) is (not named), said.out + said.err


def test_each_piece_that_could_lie_on_top_is_counted_when_a_pile_is_imagined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = closely(ruleset(tmp_path, shuffles(9)))
    looked: list[int] = []
    which = Guesser._which_are_seen

    def noted(guesser: Guesser, state: list[int], values: Sequence[int], kind: Kind, target: int | None) -> Sequence[int]:
        looked.append(len(values))
        return which(guesser, state, values, kind, target)

    monkeypatch.setattr(Guesser, "_which_are_seen", noted)
    table = game.start(1)
    table.play("go")
    decision = table.decision
    assert decision is not None
    policy(game, "greedy", 1).index(decision)
    assert 0 < sum(looked) <= (greedy.MOST_WORK + 1) * game.fuel


def test_what_a_policy_of_the_rules_weighs_is_counted_where_somebody_plays_by_it(tmp_path: Path) -> None:
    """It may do as much as an answer each time; whoever asks it again and again comes to an end."""
    dear = "policy dear:\n    prefer \"go\" by sum of (a * me.luck for a in 1 .. 3000)\n\n"
    game = closely(ruleset(tmp_path, of_luck(dear + menu("go: nothing"))))
    decision, bot = game.start(1).pending[0], Preferring(game, "dear", Random(1))
    work = Work(game, 2)
    with work:
        spend(100)
        bot.weights(decision)
        bot.weights(decision)
        spend(10)
    assert 6_000 < 2 * game.fuel - work.left - 110 < 60_000
