"""Players by their names: `greedy`, `searcher`, `searcher:500`, `searcher:0.8s`, `searcher:points`, `searcher:500:points`."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from ichiba.interpreter.run.outlook import can_be_foreseen
from ichiba.lab.players.budget import Budget
from ichiba.lab.players.greedy import Greedy
from ichiba.lab.players.searcher import Searcher
from ichiba.lab.players.value import Judge, PointsJudge
from ichiba.lab.policies import UnknownPolicy, policies, policy

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.lab.policies import Policy

POINTS = "points"
HOW = (
    "`searcher:500` thinks for 500 playouts a decision, `searcher:0.8s` for 0.8 seconds of the processor's time; "
    "`searcher:points` and `searcher:500:points` play for points and not for the win"
)


def thinking(game: Game, name: str, rng: Random) -> Policy:
    """The player of that name. Raises `UnknownPolicy` where there is none, or it could not play this game."""
    who, *words = name.split(":")
    if who == "greedy" and not words:
        if not game.program.outlook and not can_be_foreseen(game.program):
            raise UnknownPolicy(
                f"`{game.name}` cannot say how one stands before it is over, so `greedy` has nothing to go by: "
                "its scoring asks or leaves something to chance; `value outlook(s: seat)` would say it"
            )
        return Greedy(game, rng)
    judged: type[Judge] = Judge
    if words and words[-1] == POINTS:
        judged = PointsJudge
        del words[-1]
    budget = Budget.read(words[0]) if words else Budget()
    if who != "searcher" or budget is None or len(words) > 1:
        raise UnknownPolicy(f"there is no player `{name}`; {HOW}")
    base = policies(game)[0]
    return Searcher(game, rng, budget, base, policy(game, base, f"{rng.getrandbits(64):x}"), judged)


def within(name: str, seconds: float) -> str:
    """The same player, with so much time where it has said nothing of its own."""
    who, *words = name.split(":")
    return ":".join([who, f"{seconds}s", *words]) if who == "searcher" and words in ([], [POINTS]) else name


__all__ = ["thinking", "within"]
