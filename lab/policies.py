"""Who answers when nobody sits there: what the other rooms know of policies."""

from __future__ import annotations

from ichiba.interpreter.policies.players import (
    RANDOM,
    AtRandom,
    BrokenOff,
    Policy,
    Preferring,
    UnknownPolicy,
    play_out,
    policies,
    policy,
)

__all__ = ["RANDOM", "AtRandom", "BrokenOff", "Policy", "Preferring", "UnknownPolicy", "play_out", "policies", "policy"]
