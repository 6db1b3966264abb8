"""The engine's side of a lock-step: its state, views and log, and its chance events with what else could have been."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any
from weakref import WeakKeyDictionary

import ichiba
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import FIRST_THING, Member
from ichiba.interpreter.saves.records import Replay, Teller
from tests.reference.play import Chance


class Ear(Teller):
    """Hears every chance event with all that was possible."""

    __slots__ = ("events",)

    def __init__(self, game: ichiba.Game, words: Any):
        super().__init__(game, words)
        self.events: list[Chance] = []

    def draw(
        self,
        S: list[int],
        values: Sequence[int],
        weights: Sequence[int] | None,
        kind: Kind,
        what: str,
        target: int | None,
    ) -> int:
        place = super().draw(S, values, weights, kind, what, target)
        keys = tuple(self.game.words.key(value, kind) for value in values)
        many = tuple(weights or [1] * len(keys))
        whole = tuple(key for key, n in zip(keys, many) for _ in range(n))
        self.events.append(Chance(what, whole, sum(many[:place])))
        return place

    def take(self) -> list[Chance]:
        """What has been drawn since this was last asked."""
        events, self.events = self.events, []
        return events


def heard(game: ichiba.Game, seed: int, ear: Ear) -> Replay:
    """A game begun with somebody listening."""
    return Replay(game, seed, teller=ear)


def state_of(game: ichiba.Game, state: list[int]) -> dict[str, Any]:
    """Every place by its name, with what stands there in plain words."""
    world = game.world
    found: dict[str, Any] = {}
    lying: dict[int, list[int]] = {}
    where = world.places.get("place")
    for thing in world.things if where is not None else ():
        if thing.sort >= 0 and where is not None:
            lying.setdefault(state[where.place((thing.id,))], []).append(thing.id)
    for name, member, place in places_by_name(game):
        if member is world.table["ending"]:
            found[name] = game.program.endings[state[place]] if state[place] >= 0 else None
        elif member.form != "zone" and not (member.promise and state[place] == 0):
            found[name] = game.words.plain(state[place], member.kind)
        if member.form != "zone":
            continue
        counts: dict[str, int] = {}
        for column in range(member.width) if any(state[place : place + member.width]) else ():
            if state[place + column]:
                sort = world.sorts[game.layout.sort_at[place + column]]
                if not sort.individual:
                    key = f"{sort.family}.{sort.full_name}" + (f"/{sort.owner + 1}" if sort.owner is not None else "")
                    counts[key] = state[place + column]
        things = lying.get(place, [])
        if "ordered" in member.words:
            rank = world.places["rank"]
            things = sorted(things, key=lambda id: state[rank.place((id,))])
        found[name] = counts, [world.thing(id).name for id in things]
    return found


PLACES: WeakKeyDictionary[ichiba.Game, list[tuple[str, Member, int]]] = WeakKeyDictionary()


def places_by_name(game: ichiba.Game) -> list[tuple[str, Member, int]]:
    """Where in the state everything stands: the same in every game."""
    if game not in PLACES:
        PLACES[game] = [
            (place_name(game, member, at), member, member.place(at))
            for member in game.world.members()
            if member.form not in ("place", "rank") and not member.internal
            for at in product(*(range(low, low + size) for low, size in member.dims))
        ]
    return PLACES[game]


def place_name(game: ichiba.Game, member: Member, at: tuple[int, ...]) -> str:
    parts = []
    for value, (low, _) in zip(at, member.dims):
        if value >= FIRST_THING:
            parts.append(str(value))
        else:
            parts.append(str(value - low))
    return "/".join([member.full_name, *parts])
