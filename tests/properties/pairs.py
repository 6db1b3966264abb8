"""Pairs of tables that a seat cannot tell apart, and everything that is told to it: so that leaks show as differences."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import ichiba
from ichiba.dsl.world.world import indexes
from ichiba.interpreter.run.race import is_race
from ichiba.interpreter.sight.imagine import Imagination
from ichiba.interpreter.sight.views import sees
from tests.properties.test_answers import declared, mutated

Pair = tuple[ichiba.Table, ichiba.Table]


def told_to(table: ichiba.Table, seat: int, probes: list[str]) -> dict[str, bytes]:
    """All that a seat is told, by where it is told; spectators may know no more."""
    channels: dict[str, object] = {"view": table.view(seat), "spectator": table.view()}
    channels |= {"story": table.story(seat), "story of a spectator": table.story()}
    for decision in table.pending:
        if decision.seat == seat:
            options = [(option.key, option.label) for option in decision.options]
            channels["question"] = (decision.name, decision.path, decision.prompt, decision.secret, options)
    channels["refusals"] = [(key, table.why_not(key, seat)) for key in probes]
    if not is_race(table.site):  # who has waited in a race is known to the table, and only views are told
        channels["others"] = [
            (decision.seat, decision.secret) + (() if decision.secret else (decision.path,)) for decision in table.pending
        ]
    channels["end"] = (table.over, table.ending, table.scores if table.over else None)
    return {name: json.dumps(content, ensure_ascii=False).encode() for name, content in channels.items()}


def probes_of(pair: Pair, seat: int, random: Random) -> list[str]:
    """Keys that the seat could try: those of both tables, those that are not offered now, and nearly right ones."""
    asked = [decision for table in pair for decision in table.pending if decision.seat == seat]
    keys = [option.key for decision in asked for option in decision.options]
    if not keys:
        return ["anything"]
    others = [key for decision in asked for key in declared(decision, random)]
    return sorted(set(keys))[:20] + others + [mutated(random.choice(keys), keys, random) for _ in range(8)]


def differences(pair: Pair, seat: int, random: Random) -> list[str]:
    """Where the seat is told different things at two tables that it must not tell apart."""
    probes = probes_of(pair, seat, random)
    one, other = (told_to(table, seat, probes) for table in pair)
    return [name for name in sorted(one | other) if one.get(name) != other.get(name)]


def hidden_places(game: ichiba.Game, seat: int) -> list[int]:
    """The places of the state that a seat may not look at by declaration."""
    found: list[int] = []
    for member in game.world.members():
        for at in indexes(member) if member.size else ():
            if not sees(game, member, at, seat - 1):
                found += range(member.place(at), member.place(at) + member.width)
    return found


def differ(pair: Pair, seat: int) -> bool:
    """Whether the two tables are two: something hidden is not the same, or something said in secret."""
    one, other = pair
    if any(one.state[place] != other.state[place] for place in hidden_places(one.game, seat)):
        return True
    return [code for _, code in one.history] != [code for _, code in other.history]


def pairs_of(table: ichiba.Table, seat: int, seeds: Iterator[int], many: int) -> list[Pair]:
    """The table and others that the seat could be sitting at; only those that really are others.

    That they look the same is not asked for: it follows from what is declared, or there is a leak."""
    imagination = Imagination(table, seat, strict=False)
    pairs = [(table, imagination.table(next(seeds))) for _ in range(many)]
    return [pair for pair in pairs if differ(pair, seat)]
