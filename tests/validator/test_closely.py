"""Of what nobody vouches for every step is counted: very many parts of which each takes few steps have an end as well."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from threading import get_ident

import pytest

from ichiba import Game, Table
from ichiba.dsl.world.world import Config
from ichiba.interpreter.api import folder_of
from ichiba.interpreter.native import compiler
from ichiba.interpreter.run.game import made, ready
from ichiba.interpreter.runtime import chance
from ichiba.interpreter.runtime.runtime import FINER, FUEL, RuleFault, left
from ichiba.interpreter.runtime.work import Work
from ichiba.lab.policies import play_out, policies, policy
from tests.conftest import Tally
from tests.table.door import ichiba as command
from tests.validator.latest import Latest
from tests.validator.played import PLAYING, bots_for_ever, loops_in_an_option, shuffles, trials, weights
from tests.validator.small import ruleset

TOO_MUCH = "this takes more than 100,000 steps"
MIDDLE = {"bots that play for ever", "chance without end", "piles that are shuffled", "long guards", "rules that look often"}  # which may be played


def closely(folder: Path, seats: int = 2) -> Game:
    """A game as it is made of a stranger's ruleset, but here."""
    return made(folder, Config(seats), prepared=partial(ready, closely=True))


def looked_at(table: Table, bot: str) -> None:
    """Three answers, everything told of each question, and what a bot would do."""
    player = policy(table.game, bot, 1)
    for _ in range(3):
        decision = table.decision
        if decision is None:
            return
        assert decision.options
        table.step(player.index(decision))


@pytest.mark.parametrize("design", [one for one in PLAYING if one.name not in MIDDLE], ids=lambda one: one.name)
def test_very_many_that_each_take_little_have_an_end(design: Latest, tmp_path: Path, tally: Tally) -> None:
    game = closely(ruleset(tmp_path, design.make(design.sizes[1])))
    if "outlooks" in design.name:  # as many answers as may be looked at
        looked_at(game.start(1), "greedy")
    else:
        with pytest.raises(RuleFault, match=TOO_MUCH):
            looked_at(game.start(1), policies(game)[0])
    tally(hostile_designs=1)


@pytest.mark.parametrize("design", [one for one in PLAYING if "searches" not in one.name], ids=lambda one: one.name)
def test_a_few_of_them_are_played(design: Latest, tmp_path: Path) -> None:
    game = closely(ruleset(tmp_path, design.make(2)))
    looked_at(game.start(1), policies(game)[0])


@pytest.mark.parametrize("files", [loops_in_an_option(20), trials(4_900)], ids=["loops", "trials"])
def test_machine_code_counts_the_same(files: dict[str, str], tmp_path: Path) -> None:
    game = closely(ruleset(tmp_path, files))
    said = []
    for _ in range(2):
        with pytest.raises(RuleFault, match=TOO_MUCH) as caught:
            game.start(1).step(0)
        said.append(str(caught.value))
        try:
            compiler.compile_game(game)
        except compiler.NoMachineCode as reason:
            pytest.skip(str(reason))
    assert said[0] == said[1]


def test_whoever_is_trusted_is_not_slowed_down(tmp_path: Path) -> None:
    root = ruleset(tmp_path, weights(9))
    text, counted = made(root, Config(2)).emitted.text, closely(root).emitted.text
    assert "spend(" not in text.partition("import")[2].partition("\n)\n")[2] and "FUEL *= FINER" in counted


@pytest.mark.parametrize("name", ["no_thanks", "tsukiji", "salt_flats"])
def test_honest_games_stay_far_below(name: str) -> None:
    """And are the same games."""
    game = closely(folder_of(name), 3)
    assert game.fuel == FINER * FUEL
    table, dice, most = game.start(1), Random(1), 0
    for _ in range(60):
        if not table.over:
            table.step(dice.randrange(len(table.codes)))
            most = max(most, game.fuel - left[get_ident()])
    assert 0 < most < game.fuel // 10
    other = made(folder_of(name), Config(3))
    assert play_out(game, 1, ["random"] * 3).state == play_out(other, 1, ["random"] * 3).state


# --- chance, bots, players that think


@pytest.mark.parametrize("native", [False, True])
def test_chance_has_an_end(native: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "MOST_WORDS", 2_000)
    monkeypatch.setattr(compiler, "MOST_WORDS", 2_000)
    game = made(ruleset(tmp_path, shuffles(2)), Config(2))
    if native:
        try:
            compiler.compile_game(game)
        except compiler.NoMachineCode as reason:
            pytest.skip(str(reason))
    table = game.start(1)
    with pytest.raises(RuleFault, match="chance is asked more than 2,000 times in one game"):
        table.play("go")
    assert table.fault is not None


def test_bots_that_play_on_for_very_long_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "")
    monkeypatch.setenv("ICHIBA_SAVES", str(tmp_path / "saves"))
    said = command("play", ruleset(tmp_path, bots_for_ever(9)), "--bots", "1", "--seed", "1", typed="\nq\n")
    assert said.out.count("Bots have played on for a long time. Enter goes on, q stops.") == 2
    assert said.code == 0


def test_work_is_counted_only_where_every_step_is(tmp_path: Path) -> None:
    root = ruleset(tmp_path, {})
    for game, ends in ((made(root, Config(2)), False), (closely(root), True)):
        work = Work(game, 1)
        for _ in range(FINER * FUEL // 1_000 + 1):
            with work:
                pass
            work.answered()
        assert work.over == ends
