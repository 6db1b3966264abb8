"""Policies: what a ruleset's own player would rather answer. Every `prefer` that fits an answer adds its weight to it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ichiba.dsl.syntax import tree as t
from tests.reference.env import Env
from tests.reference.play import Game
from tests.reference.values import bare
from tests.reference.world import Seat


def weights(game: Game, policy: str, seat: Seat, keys: list[str]) -> list[int]:
    """What speaks for each answer, as the seat sees the state: in secret with what it has done itself."""
    doing = game.doing.get(seat)
    if doing is not None:
        game.state.take_up(doing)
    try:
        sums = [0] * len(keys)
        for wish in preferences(game, policy):
            for fits, weight in wishes(game, wish, seat, keys):
                for place, key in enumerate(keys):
                    sums[place] += weight if fits.fullmatch(key) else 0
        return sums
    finally:
        if doing is not None:
            game.state.lay_down()


def preferences(game: Game, policy: str) -> list[t.Preference]:
    items = [item for rules in game.world.box.rules for item in rules.items if isinstance(item, t.Policy) and item.name == policy]
    return list(items[-1].preferences) if items else []


def wishes(game: Game, wish: t.Preference, seat: Seat, keys: list[str]) -> Iterator[tuple[re.Pattern[str], int]]:
    """For each value of its names, where it holds. One that fits no answer is left alone: it may mean nothing here."""
    for env in each(game, wish.binders, Env(seat)):
        fits = pattern(game, wish.pattern, env)
        if any(map(fits.fullmatch, keys)) and (wish.when is None or game.truth(wish.when, env)):
            yield fits, 1 if wish.weight is None else bare(game.number(wish.weight, env))


def each(game: Game, binders: tuple[t.Binder, ...], env: Env) -> Iterator[Env]:
    if not binders:
        yield env
        return
    first, *rest = binders
    for value in (value for value, number in game.binding(first, env).items if number):  # of alike counted pieces one
        yield from each(game, tuple(rest), env.inner(**{first.name: value}))


def pattern(game: Game, text: str, env: Env) -> re.Pattern[str]:
    """`{l}` stands for the name of `l` as in keys, `*` for anything."""
    made = ""
    for part in re.split(r"(\{\w+\}|\*)", text):
        known, value = env.find(part[1:-1]) if part.startswith("{") else (False, None)
        made += ".*" if part == "*" else re.escape(game.spelled(value) if known else part)
    return re.compile(made, re.DOTALL)
