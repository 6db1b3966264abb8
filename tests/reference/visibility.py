"""Who sees what: which questions may be skipped, what is revealed, and the views of seats and of spectators.

`hidden from others`: a seat sees its own, nobody else does. `hidden`, `screened`: the same, and what belongs to no seat
is seen by nobody. `face down`: nobody sees it. How many pieces lie in a zone is open to everybody.
"""

from __future__ import annotations

from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.covered import Covered
from tests.reference.env import Env
from tests.reference.values import PerSeat, Piece, Value, Word, Zones
from tests.reference.world import Member, Seat, Sort, Thing, Zone

HIDDEN = "hidden"


class Visibility(Covered):
    """Knows what everybody sees."""

    # ------------------------------------------------------------------------------------- who may see

    def hidden_names(self) -> set[str]:
        """The names of members that some seat may not see."""
        found = set()
        for members in self.placed.values():
            found |= {member.name for member in members.values() if self.hiding(member) is not None}
        return found

    def hiding(self, member: Member) -> str | None:
        """The word that hides a member in this game."""
        for what in ("hidden", "screened"):
            word = member.words.get(what)
            if word is not None and (word.arg is None or self.world.fixed.of(word.arg)):
                return what
        return "face_down" if "face_down" in member.words else None

    def whose(self, member: Member, owner: Any, index: tuple[Value, ...]) -> Seat | None:
        """Whose a place is: the seat's that has it, else of the first seat among its indexes."""
        if isinstance(owner, Seat):
            return owner
        return next((value for value in index if isinstance(value, Seat)), None)

    def sees(self, seat: Seat | None, member: Member, owner: Any, index: tuple[Value, ...]) -> bool:
        word = self.hiding(member)
        if word is None:
            return True
        whose = self.whose(member, owner, index)
        return not self.from_all(member, word) and whose is not None and whose is seat

    def from_all(self, member: Member, word: str) -> bool:
        """Hidden from its owner too."""
        return word == "face_down" or member.words[word].name in ("all", "everyone")

    def audience(self, zone: Zone | None) -> Any:
        """Who learns what goes into a zone."""
        word = None if zone is None else self.hiding(zone.member)
        if zone is None or word is None:
            return "all"
        whose = self.whose(zone.member, zone.owner, zone.index)
        return "nobody" if whose is None or self.from_all(zone.member, word) else whose.number

    # ----------------------------------------------------------------------------------------- revealing

    def reveal(self, place: t.Expr, env: Env) -> None:
        """What it names is opened: the log tells it to all, and views show it until the next answer."""
        if self.state.trying:
            return
        known, bound = env.find(place.name) if isinstance(place, t.Name) else (False, None)
        if known and isinstance(bound, PerSeat):
            values = {str(s.number): self.shown(bound.answers[s]) for s in self.world.seats if s in bound.answers}
            self.log.append({"event": "reveal", "what": bound.name, "values": values, "audience": "all"})
            self.open_blocks(bound.name, None, env, only=bound.block)
            return
        by_member: dict[Member, list[Any]] = {}
        for found in self.places_named(place, env):
            by_member.setdefault(found[0], []).append(found)
        for member, places in by_member.items():
            self.tell_revealed(member, places)
            if env.secret:
                self.lay_open(places)
            self.open_blocks(member.name, {self.whose(*place) for place in places}, env)

    def places_named(self, e: t.Expr, env: Env) -> list[Any]:
        """The places an expression names: one, all of an index that is not said, or those of every lot."""
        if isinstance(e, t.Member) and isinstance(e.of, t.Name) and self.is_of_all(e.of.name, env):
            owners: list[Any] = list(self.world.seats if e.of.name == "seat" else self.world.kinds[e.of.name].things)
            its = [(self.member(owner, e.name), owner) for owner in owners]
            return [(member, owner, at) for member, owner in its if member for at in self.all_indexes(member)]
        found = self.address(e, env)
        if found is not None and found[0].form != "zone":
            return [found]
        value = self.ev(e, env)
        zones = value.zones if isinstance(value, Zones) else (value,)
        return [(zone.member, zone.owner, zone.index) for zone in zones]

    def tell_revealed(self, member: Member, places: list[Any]) -> None:
        values = {self.place_name(p): self.content(p) for p in places}
        self.log.append({"event": "reveal", "what": member.full_name, "values": values, "audience": "all"})
        for p in places:
            self.opened[p] = self.content(p)

    opened: dict[Any, Any]  # what the last answer has brought to light

    def place_name(self, place: Any) -> str:
        member, owner, index = place
        names = [] if owner is self.world.table else [self.spelled_owner(owner)]
        return "/".join([*names, *map(self.spelled, index)]) or member.name

    def spelled_owner(self, owner: Any) -> str:
        return str(owner.number) if isinstance(owner, Seat) else owner.name

    def content(self, place: Any) -> Any:
        member, owner, index = place
        if member.form != "zone":
            return self.shown(self.state.get(place))
        found: dict[str, int] = {}
        for value, n in self.pieces((self.zone(member, owner, index),)).items:
            name = value.sort.spelled
            found[name] = found.get(name, 0) + n
        return found

    def shown(self, value: Value) -> Any:
        """A value as programs get it."""
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, Seat):
            return value.number
        return self.number_or_name(value)

    def number_or_name(self, value: Value) -> Any:
        spelled = self.spelled(value)
        return spelled if isinstance(value, Word | Sort | Thing | Piece | Zone) else int(spelled)


__all__ = ["HIDDEN", "Visibility"]
