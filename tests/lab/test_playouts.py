"""Playouts: machine code plays them as Python does, and what they come to is valued by how the game is won."""

from __future__ import annotations

import shutil
from random import Random

import pytest

import ichiba
from ichiba.interpreter.native import compiler
from ichiba.interpreter.run.game import Game
from ichiba.lab.players.playouts import Ended, Playouts
from ichiba.lab.players.value import Judge
from ichiba.lab.players.worlds import Position, Worlds

GAMES = [("goofspiel", 3), ("liars_dice", 2), ("tsukiji", 3), ("caravan_yard", 3), ("lantern_coast", 2)]


def positions(game: Game, seed: int) -> list[Position]:
    """Some of a game at random."""
    table, dice, found = game.start(seed), Random(seed), []
    while table.codes:
        if len(table.history) % 9 == 1 and table.decision is not None:
            found.append(Worlds(table.decision, dice).draw())
        table.step(dice.randrange(len(table.codes)))
    return found[:6]


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("slips", [0, 200])
@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_machine_code_plays_on_from_a_position_as_python_does(name: str, seats: int, slips: int) -> None:
    game = ichiba.load(name, seats=seats)
    policy = next(iter(game.program.policies))
    in_c, in_python = (Playouts(game, policy) for _ in range(2))
    in_c.player, in_python.wanted = compiler.player(game, in_c.names), False
    assert in_c.player is not None
    found = positions(game, 3)
    assert found
    for number, position in enumerate(found):
        before = list(position.state)
        fast = in_c._fast(position.fork("any"), f"luck {number}", slips)
        assert fast is not None
        assert fast == in_python.to_end(position.fork("other"), f"luck {number}", slips)
        assert list(position.state) == before


def test_the_luck_of_a_playout_is_all_that_it_depends_on() -> None:
    game = ichiba.load("tsukiji", seats=3)
    one, other = (Playouts(game, "sensible") for _ in range(2))
    position = positions(game, 1)[0]
    seen = {one.to_end(position.fork("a"), f"{number}") for number in range(6)}
    assert seen == {other.to_end(position.fork("b"), f"{number}") for number in range(6)} and len(seen) > 1


def test_where_the_lowest_total_wins_less_is_better() -> None:
    lowest, highest = Judge(ichiba.load("no_thanks", seats=3)), Judge(ichiba.load("goofspiel", seats=3))
    worth = lowest.final(Ended((0, 2, 1), (10, 60, 50)))
    assert worth[0] > worth[2] > worth[1]
    worth = highest.final(Ended((2, 0, 1), (10, 60, 50)))
    assert worth[1] > worth[2] > worth[0]
