"""How strong players are, from games between them: each beats another so many times for each time it is beaten.

The places of a game are read as one choice after the other among those that are left (Plackett and Luce); what fits all games
best is found by repeated improvement (Hunter, 2004). 400 points more are ten wins for each loss, as in chess, and all players
together have 1,500 on average. Who never lost at all is given half a game against everybody, or nothing would be too much.

A rating counts wins. Beside it stands by how many points a player was ahead: in a game of one short deal, such as a hand of poker, who
plays well wins more with good cards and loses less with bad ones, and need not win more often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, log, log10, sqrt
from random import Random

from ichiba.lab.results.statistics import Estimate, moments

MEAN, PER_TEN = 1500.0, 400.0
ROUNDS, CLOSE = 2_000, 1e-10
SAMPLES = 100

Order = tuple[tuple[int, ...], ...]  # players by place: who ties shares one


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong one player is."""

    name: str
    points: Estimate
    games: int
    won: float  # with shares of shared places
    ahead: Estimate  # by how many points it was before the best of the others, game by game


def rated(names: Sequence[str], games: Sequence[Order], ahead: Sequence[Mapping[int, float]] = (), seed: int = 1) -> list[Rating]:
    """The strongest first. How sure it is comes from drawing as many games out of these, again and again. `ahead`: by game, by how many
    points each player was before the best of the others."""
    best = points_of(len(names), games)
    dice = Random(seed)
    drawn = [points_of(len(names), dice.choices(games, k=len(games))) for _ in range(SAMPLES)]
    made = []
    for at, name in enumerate(names):
        deviation = sqrt(fsum((sample[at] - best[at]) ** 2 for sample in drawn) / SAMPLES)
        mine = [game for game in games if any(at in place for place in game)]
        won = fsum(game[0].count(at) / len(game[0]) for game in mine)
        low, high = best[at] - 1.96 * deviation, best[at] + 1.96 * deviation
        points = moments([game[at] for game in ahead if at in game]).estimate()
        made.append(Rating(name, Estimate(best[at], low, high, len(mine)), len(mine), won, points))
    return sorted(made, key=lambda rating: -rating.points.value)


def points_of(players: int, games: Sequence[Order]) -> list[float]:
    strength = [1.0] * players
    choices = [choice for game in games for choice in _choices(game)]
    wins = [0.5] * players  # the half games against everybody
    for chosen, _ in choices:
        wins[chosen] += 1
    for _ in range(ROUNDS):
        # half a game won and half a game lost against one of the mean strength
        against = [1 / (own + 1) for own in strength]
        for _, among in choices:
            total = 1 / fsum(strength[one] for one in among)
            for one in among:
                against[one] += total
        new = [won / faced for won, faced in zip(wins, against, strict=True)]
        mean = exp(fsum(map(log, new)) / players)
        new = [one / mean for one in new]
        moved = max(abs(one / other - 1) for one, other in zip(new, strength, strict=True))
        strength = new
        if moved < CLOSE:
            break
    return [MEAN + PER_TEN * log10(one) for one in strength]


def _choices(game: Order) -> list[tuple[int, list[int]]]:
    """Who was chosen, and among whom. Of those that share a place each was chosen before those behind it."""
    found = []
    for number, place in enumerate(game[:-1]):
        behind = [player for later in game[number + 1 :] for player in later]
        found += [(player, [player, *behind]) for player in place]
    return found


__all__ = ["Order", "Rating", "points_of", "rated"]
