"""The state as one seat may know it: what it may not see is blank, and what others do in secret has not been done yet.

A policy that reads what its seat may not see is a fault at check. Here it is made sure of: whatever a policy works out, it
works out from this. How many pieces lie in a hidden zone stays as it is, unless that is not seen either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ichiba.dsl.world.world import Member, indexes, owner_position
from ichiba.interpreter.sight.views import hiding_word, sees

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

NOWHERE = -1


class Mask:
    """What has to be hidden from one seat."""

    def __init__(self, game: Game, seat: int):
        self.layout, world = game.layout, game.world
        self.blank: list[tuple[int, int]] = []  # a place and what stands there instead
        self.zones: list[tuple[int, int, bool]] = []  # a zone, its width, and whether its size is seen
        self.before: list[tuple[int, int, int, int]] = []  # a place, its width, as it was, and its flag
        reserved = self.layout.reserved
        shadows = {key[1]: place for key, place in reserved.items() if isinstance(key, tuple) and key[0] == "before"}
        for member in world.members():
            for at in indexes(member) if member.size else ():
                place, owner = member.place(at), owner_position(member)
                if member in shadows and owner is not None and at[owner] != seat:
                    was = shadows[member] + place - member.base
                    self.before.append((place, member.width, was, self.layout.open_flag(member, place)))
                if hiding_word(game, member) is not None and not sees(game, member, at, seat):
                    self._hide(member, place)
        where = world.places.get("place")
        self.where = None if where is None else (where.base - where.dims[0][0], shadows.get(where, 0))
        self.things = [t.id for t in world.things if t.sort >= 0] if where is not None else []

    def _hide(self, member: Member, place: int) -> None:
        if member.form == "zone":
            self.zones.append((place, member.width, "uncounted" not in member.words))
        else:
            nothing = 0 if member.kind.form in ("number", "flag") else NOWHERE
            self.blank.append((place, max(nothing, member.low) if member.low is not None else nothing))

    def of(self, state: list[int]) -> list[int]:
        """What this seat may know of a state: a list of its own if anything is hidden."""
        if not self.blank and not self.zones and not self.before:
            return state
        seen = state[:]
        covered = {place for place, *_, flag in self.before if state[flag] == 1}
        for place, width, was, _ in self.before:
            if place in covered:
                seen[place : place + width] = state[was : was + width]
        for place, value in self.blank:
            seen[place] = value
        for place, width, counted in self.zones:
            held = sum(seen[place : place + width]) if counted else 0
            seen[place : place + width] = [held if at == 0 else 0 for at in range(width)]
        self._put_things(state, seen, covered)
        for member, first in self.layout.totals.items():
            for number in range(member.size // member.width):
                place = member.base + number * member.width
                seen[first + number] = sum(seen[place : place + member.width])
        return seen

    def _put_things(self, state: list[int], seen: list[int], covered: set[int]) -> None:
        """Pieces that exist one by one: those that lie where the seat cannot look are nowhere."""
        if self.where is None:
            return
        shift, was = self.where
        hidden = {place for place, _, _ in self.zones}
        low = self.layout.world.places["place"].dims[0][0]
        for thing in self.things:
            if was and state[thing + shift] in covered:
                seen[thing + shift] = state[was + thing - low]
            if seen[thing + shift] in hidden:
                seen[thing + shift] = NOWHERE


__all__ = ["Mask"]
