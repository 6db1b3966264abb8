"""Policies: what a ruleset's own player would rather answer. Every `prefer` that fits an answer adds its weight to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.env import Env
from tests.reference.play import Game
from tests.reference.values import bare
from tests.reference.world import Seat, Zone


def weights(game: Game, policy: str, seat: Seat, keys: list[str]) -> list[int]:
    """What speaks for each answer, as the seat sees the state: in secret with what it has done itself, and what others have
    done as it was before the block, until a `reveal` makes it real."""
    game.state.take_up(as_it_was(game, seat) | game.doing.get(seat, {}))
    try:
        sums = [0] * len(keys)
        for wish in preferences(game, policy):
            for fits, weight in wishes(game, wish, seat, keys):
                for place, key in enumerate(keys):
                    sums[place] += weight if fits.fullmatch(key) else 0
        return sums
    finally:
        game.state.lay_down()


def as_it_was(game: Game, seat: Seat) -> dict[Any, Any]:
    """What still covers the places of others: what stood there, and which pieces lay there."""
    seen = {key: old for key, old in game.covered.items() if game.place_of_key(key)[1] not in (seat, None)}
    made: dict[Any, Any] = {}
    for key, old in seen.items():
        if not isinstance(key[0], Zone):
            made[key] = old
        elif key[1] != "things":
            made[key] = old or 0
    lying = {thing: key[0] for key, old in seen.items() if key[1:] == ("things",) for thing in old or ()}
    away = {thing: None for key in seen if key[1:] == ("things",) for thing in game.things_in(key[0])}
    for thing, zone in (away | lying).items():
        made[thing, "place"] = zone
    for key, old in seen.items():
        if key[1:] == ("things",):
            made[key] = tuple(old or ())
    return made


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
