"""Who answers when nobody sits there: what the other rooms know of policies."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from ichiba.interpreter.policies.players import (
    RANDOM,
    AtRandom,
    BrokenOff,
    Policy,
    Preferring,
    UnknownPolicy,
    makers,
    play_out,
    policies,
    policy,
)

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game


def _thinking(game: Game, name: str, rng: Random) -> Policy:
    """A player that knows no game: nothing of it is imported before one sits down."""
    from ichiba.lab.players.players import thinking

    return thinking(game, name, rng)


makers.update(greedy=_thinking, searcher=_thinking)

__all__ = ["RANDOM", "AtRandom", "BrokenOff", "Policy", "Preferring", "UnknownPolicy", "play_out", "policies", "policy"]
