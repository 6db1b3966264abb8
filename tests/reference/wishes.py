"""Policies: what a ruleset's own player would rather answer. Every `prefer` that fits an answer adds its weight to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.env import Env
from tests.reference.play import Game
from tests.reference.values import RulesWrong, bare
from tests.reference.world import Seat, Zone


def weights(game: Game, policy: str, seat: Seat, keys: list[str]) -> list[int]:
    """What speaks for each answer, as the seat sees the state: in secret with what it has done itself, and what others have
    done as it was before the block, until a `reveal` makes it real."""
    game.state.take_up(as_it_was(game, seat) | game.doing.get(seat, {}))
    try:
        sums = [0] * len(keys)
        for wish, lets in preferences(game, policy):
            for weight in wishes(game, wish, lets, seat, keys):
                sums = [a + b for a, b in zip(sums, weight, strict=True)]
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


Lets = tuple[t.Let, ...]


def preferences(game: Game, policy: str) -> list[tuple[t.Preference, Lets]]:
    """Its preferences, each with the names that are said above it."""
    items = [item for rules in game.world.box.rules for item in rules.items if isinstance(item, t.Policy) and item.name == policy]
    found: list[tuple[t.Preference, Lets]] = []
    lets: Lets = ()
    for line in items[-1].lines if items else ():
        if isinstance(line, t.Let):
            lets = (*lets, line)
        else:
            found.append((line, lets))
    return found


def wishes(game: Game, wish: t.Preference, lets: Lets, seat: Seat, keys: list[str]) -> Iterator[list[int]]:
    """For each value of its names, where it holds: what it adds to each answer. One that fits no answer is left alone: it may
    mean nothing here."""
    if not any(map(pattern(game, re.sub(r"\{\w+\}", "*", wish.pattern), Env(seat)).fullmatch, keys)):
        return
    around = surroundings(game, wish, lets, seat)
    if around is None:
        return
    for env in each(game, wish.binders, lets, around):
        fits = pattern(game, wish.pattern, env)
        if any(map(fits.fullmatch, keys)) and (wish.when is None or game.truth(wish.when, with_lets(game, wish.when, lets, env))):
            yield [weight or 0 for weight in weighed(game, wish, lets, env, [fits.fullmatch(key) for key in keys])]


def weighed(
    game: Game, wish: t.Preference, lets: Lets, env: Env, found: list[re.Match[str] | None]
) -> Iterator[int | None]:
    """Its weight for all that it fits; `nearest` takes from it by how much farther off the number is than the nearest one."""
    numbers = [None if match is None else 0 for match in found]
    if wish.nearest is not None:
        near = bare(game.number(wish.nearest, with_lets(game, wish.nearest, lets, env)))
        said = [None if match is None else match[1] for match in found]
        numbers = [abs(int(text) - near) if text is not None and re.fullmatch(r"-?\d+", text) else None for text in said]
    there = [number for number in numbers if number is not None]
    if not there:
        return (None for _ in found)
    weight = 1 if wish.weight is None else bare(game.number(wish.weight, with_lets(game, wish.weight, lets, env)))
    return (None if number is None else weight - number + min(there) for number in numbers)


def surroundings(game: Game, wish: t.Preference, lets: Lets, seat: Seat) -> Env | None:
    """The names that are known: where one means nothing in the whole game, those of the procedure in which the question stands.
    None where that has no such name: then the question is another one."""
    plain = Env(seat)
    own = {let.names[0] for let in lets}
    unknown = {name for name in mentioned(wish, *used(wish, lets)) - own if not knows(game, name, plain)}
    question = game.asking[seat]
    there = {name: question.env.find(name) for name in unknown} if question.env is not None else {}
    if unknown - {name for name, (known, _) in there.items() if known} - behind_is(wish, *used(wish, lets)):
        return None
    return plain.inner(**{name: value for name, (known, value) in there.items() if known})


def behind_is(*nodes: t.Node) -> set[str]:
    """`l is lit`: what may be a flag of what stands before it."""
    parts = [part for node in nodes for part in t.walk(node)]
    return {part.kind.name for part in parts if isinstance(part, t.IsA) and isinstance(part.kind, t.Name)}


def mentioned(*nodes: t.Node) -> set[str]:
    """The names that mean something outside of these sentences, and are not asked like a function."""
    parts = list(t.walk(nodes))
    bound = {part.name for part in parts if isinstance(part, t.Binder | t.Along)}
    among = [part.selection for part in parts if isinstance(part, t.Those | t.BestOf | t.Sorted)]
    bound |= {one.what.name for one in among if isinstance(one, t.Within) and isinstance(one.what, t.Name)}
    bound |= {part.what.name for part in parts if isinstance(part, t.Call) and isinstance(part.what, t.Name)}
    return {part.name for part in parts if isinstance(part, t.Name)} - bound


def used(node: t.Node, lets: Lets) -> list[t.Let]:
    """The `let`s whose names it mentions, also by way of others."""
    names, found = mentioned(node), list[t.Let]()
    for let in reversed(lets):
        if let.names[0] in names:
            found, names = [let, *found], names | mentioned(let)
    return found


def knows(game: Game, name: str, env: Env) -> bool:
    """Whether a name means something everywhere."""
    if name == "seat" or name in game.world.kinds or name in game.rules.definitions or game.unit_named(name) is not None:
        return True
    try:
        game.name(name, env)
    except RulesWrong:
        return False
    return True


def with_lets(game: Game, node: t.Node, lets: Lets, env: Env) -> Env:
    """With what the names stand for that it mentions, worked out now."""
    for let in used(node, lets):
        env = env.inner(**{let.names[0]: game.ev(let.value, env)})
    return env


def each(game: Game, binders: tuple[t.Binder, ...], lets: Lets, env: Env) -> Iterator[Env]:
    if not binders:
        yield env
        return
    first, *rest = binders
    for value in (value for value, number in game.binding(first, with_lets(game, first, lets, env)).items if number):  # of alike counted pieces one
        yield from each(game, tuple(rest), lets, env.inner(**{first.name: value}))


def pattern(game: Game, text: str, env: Env) -> re.Pattern[str]:
    """`{l}` stands for the name of `l` as in keys, `*` for anything."""
    made = ""
    for part in re.split(r"(\{\w+\}|\*)", text):
        known, value = env.find(part[1:-1]) if part.startswith("{") else (False, None)
        made += "(.*)" if part == "*" else re.escape(game.spelled(value) if known else part)
    return re.compile(made, re.DOTALL)
