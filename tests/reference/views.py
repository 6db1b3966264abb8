"""Views: everything a seat may see of the table, the seats and the things, in the form in which it is told."""

from __future__ import annotations

from typing import Any

from tests.reference.values import Piece, Value
from tests.reference.visibility import HIDDEN, Visibility
from tests.reference.world import Member, Seat, Thing, Zone


class Views(Visibility):
    """Makes the views of a game."""

    over: bool

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What a seat sees; without one, what a spectator sees."""
        table, seats = self.world.table, self.world.seats
        its = {m.name: self.all_of(m, table, seat) for m in self.placed["table"].values() if "unlimited" not in m.words}
        return {
            "table": its,
            "seats": {
                str(s.number): {m.name: self.all_of(m, s, seat) for m in self.placed["seat"].values() if not self.is_gone(m, s, seat)}
                for s in seats
            },
            "things": self.things_seen(seat),
        }

    def is_gone(self, member: Member, owner: Seat, seat: Seat | None) -> bool:
        """Of a purse of a rule in which nothing is, or nothing that this seat sees, nobody is told."""
        return member.promise and self.all_of(member, owner, seat) in (0, HIDDEN)

    def things_seen(self, seat: Seat | None) -> dict[str, Any]:
        """Things that are no pieces, boards among them, each with what it has."""
        made: dict[str, dict[str, Any]] = {}
        for thing in self.world.things:
            if self.world.kinds[thing.kind].root == "piece":
                continue
            entry = made.setdefault(f"{thing.kind} {thing.name}", {})
            for kind in reversed(self.lineage(thing)):
                entry.update({m.name: self.all_of(m, thing, seat) for m in self.placed.get(kind, {}).values()})
        return {name: entry for name, entry in made.items() if entry}

    def all_of(self, member: Member, owner: Any, seat: Seat | None, at: tuple[Value, ...] = ()) -> Any:
        """A member, for every value of each of its indexes."""
        if len(at) == len(member.index):
            return self.place_seen(member, owner, at, seat)
        type = member.index[len(at)]
        values = self.world.values_of(type)
        return {self.spelled(value): self.all_of(member, owner, seat, (*at, value)) for value in values}

    def place_seen(self, member: Member, owner: Any, at: tuple[Value, ...], seat: Seat | None) -> Any:
        place = (member, owner, at)
        cells = self.cells_for(place, seat)
        seen = self.sees(seat, member, owner, at)
        if not seen and place in self.opened:
            return self.opened[place]
        if member.form == "zone":
            return self.zone_seen(self.zone(member, owner, at), seat, cells, seen)
        return self.shown(cells[place]) if seen else HIDDEN

    def zone_seen(self, zone: Zone, seat: Seat | None, cells: dict[Any, Any], seen: bool) -> Any:
        """How many of each sort; those that exist one by one by name, with what they remember."""
        things = sorted(cells.get((zone, "things"), ()) or (), key=self.world.order.__getitem__)
        counted = [(sort, cells.get((zone, sort)) or 0) for sort in self.held(zone) if not sort.individual]
        if not seen and "uncounted" in zone.member.words:
            return HIDDEN
        if not seen:
            return {"hidden": len(things) + sum(n for _, n in counted)}
        made: dict[str, Any] = {}
        home = self.whose(zone.member, zone.owner, zone.index)
        for sort, n in counted:
            if n:
                whose = f"/{sort.owner.number}" if sort.owner is not None and sort.owner is not home else ""
                made[sort.spelled + whose] = made.get(sort.spelled + whose, 0) + n
        for thing in things:
            made[thing.name] = self.on_piece(thing, seat)
        return made

    def on_piece(self, piece: Thing, seat: Seat | None) -> dict[str, Any]:
        """What a piece remembers and what lies on it; a board's zones are told among the things."""
        made: dict[str, Any] = {}
        for kind in self.lineage(piece):
            for member in self.placed.get(kind, {}).values() if kind in self.world.kinds else ():
                if not member.index and not (member.form == "zone" and piece.is_board):
                    made[member.name] = self.place_seen(member, piece, (), seat)
        return made


__all__ = ["Piece", "Views"]
