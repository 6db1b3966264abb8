"""What changes: pieces go from zone to zone, money from purse to purse, counters and memories get other values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.env import Env
from tests.reference.values import Amount, Indexed, Piece, Promised, RulesWrong, Several, Value, Word, bare, unit_of
from tests.reference.ways import Ways
from tests.reference.world import Member, Seat, Sort, Thing, Zone

Course = Generator[Any, Any, Any]  # yields whom it asks what, gets the answers


class Unmet(Exception):
    """A requirement does not hold, or there is not enough to pay."""


class Pieces(Ways):
    """Moves pieces and money, and writes."""

    @abstractmethod
    def effect(self) -> None:
        """Something has changed: the triggers are looked at."""

    @abstractmethod
    def perform_setup(self, board: Thing, env: Env) -> Course:
        ...

    # -------------------------------------------------------------------------------------------- pieces

    def can_hold(self, zone: Zone, sort: Sort) -> bool:
        return sort in self.held(zone)

    def take(self, piece: Value, zone: Zone, side: str | None, notes: dict[str, Value], env: Env) -> Course:
        """One piece goes to a zone. A board that comes into play is set up at once; that is one effect with it."""
        self.put(piece, zone, side, notes)
        if "in_play" in zone.member.words and isinstance(piece, Thing):
            yield from self.perform_setup(piece, env)

    def put(self, piece: Value, zone: Zone, side: str | None, notes: dict[str, Value]) -> Value:
        """The piece as it now lies there."""
        if piece is None:
            raise RulesWrong("there is no such piece to move")
        if isinstance(piece, Piece):
            sort = self.turned(piece.sort, side)
            if not self.state.count((piece.zone, piece.sort)):
                raise RulesWrong(f"there is no {piece.sort} left in {piece.zone}")
            if not self.can_hold(zone, sort):
                raise RulesWrong(f"{zone} cannot hold {sort}")
            self.state.set((piece.zone, piece.sort), self.state.count((piece.zone, piece.sort)) - 1)
            self.state.set((zone, sort), self.state.count((zone, sort)) + 1)
            return Piece(zone, sort)
        if not isinstance(piece, Thing) or piece.sort is None:
            raise RulesWrong(f"{piece} is no piece")
        if not self.can_hold(zone, piece.sort):
            raise RulesWrong(f"{zone} cannot hold {piece}")
        old = self.place_of(piece)
        if old is not None:
            self.state.set((old, "things"), tuple(x for x in self.things_in(old) if x is not piece))
        others = [int(self.state.get((x, "rank"))) for x in self.things_in(zone)]
        self.state.set((zone, "things"), (*self.things_in(zone), piece))
        self.state.set((piece, "place"), zone)
        if "ordered" in zone.member.words:
            self.state.set((piece, "rank"), max(others, default=-1) + 1)
        self.forget(piece, zone, notes)
        return piece

    def turned(self, sort: Sort, side: str | None) -> Sort:
        """The same sort showing another side."""
        if side is None or not sort.side:
            return sort
        like = (sort.name, sort.family, sort.owner, side)
        return next((s for s in self.world.sorts if (s.name, s.family, s.owner, s.side) == like), sort)

    def notes_of(self, piece: Thing) -> list[Member]:
        found = [m for kind in self.lineage(piece) for m in self.placed.get(kind, {}).values()]
        return [member for member in found if member.form == "note"]

    def forget(self, piece: Thing, zone: Zone, notes: dict[str, Value]) -> None:
        """A piece remembers what is noted now, and whatever its new zone does not forget."""
        for member in self.notes_of(piece):
            key = (member, piece, ())
            if member.name in notes:
                self.state.set(key, self.as_noted(member, notes[member.name]))
            elif self.is_forgotten(member.name, zone.member):
                self.state.set(key, self.world.first_value(member))

    def is_forgotten(self, note: str, zone: Member) -> bool:
        return note not in zone.keeps if zone.forgets is None else note in zone.forgets

    def as_noted(self, member: Member, value: Value) -> Value:
        assert member.type is not None
        return self.as_written(member.type, value)

    def as_written(self, type: t.Type, value: Value) -> Value:
        """What a memory of this type holds when it is given a value."""
        if isinstance(value, Several) and type.values:
            value = next(m for m in value.meanings if isinstance(m, Word))
        if type.values:
            return self.word_of(value, type)
        return None if value is None else self.as_type(value, type.name)

    # --------------------------------------------------------------------------------------------- money

    def purse_at(self, e: t.Expr | None, unit: str, env: Env) -> tuple[Member, Any, tuple[Value, ...]]:
        """A purse by its name, the purse of a seat or thing for this unit, or the table's supply that never ends."""
        if e is None:
            for member in self.placed["table"].values():
                if member.form == "purse" and member.unit == unit and "unlimited" in member.words:
                    return member, self.world.table, ()
            raise RulesWrong(f"there is no supply of {unit}")
        if isinstance(e, t.Choice):
            return self.purse_at(e.yes if self.truth(e.condition, env) else e.no, unit, env)
        promise = env.find(e.name)[1] if isinstance(e, t.Name | t.Of) else None
        if isinstance(promise, Promised):
            return promise.purse, self.seat(e.arg, env) if isinstance(e, t.Of) else self.me(env), ()
        found = self.address(e, env)
        if found is not None and found[0].form == "purse":
            if found[0].unit != unit:
                raise RulesWrong(f"{found[0]} holds no {unit}")
            return found
        owner = self.one(e, env, "piece")
        its = [self.placed["seat"]] if isinstance(owner, Seat) else []
        if isinstance(owner, Thing):
            its = [self.placed.get(kind, {}) for kind in self.lineage(owner)]
        for members in its:
            for member in members.values():
                if member.form == "purse" and member.unit == unit:
                    return member, owner, ()
        raise RulesWrong(f"{owner} has no purse in {unit}")

    def transfer(
        self,
        source: tuple[Member, Any, tuple[Value, ...]],
        target: tuple[Member, Any, tuple[Value, ...]],
        amount: Value,
        tail: str,
    ) -> None:
        """Money goes from purse to purse. What is lacking is lacking: unless `as far as it goes`, `even into debt`."""
        many = bare(amount)
        limited = "unlimited" not in source[0].words
        if many < 0:
            raise RulesWrong("an amount below nothing is paid")
        if tail == "as_far" and limited:
            many = max(0, min(many, bare(self.state.get(source))))
        if limited:
            if tail not in ("into_debt", "as_far") and bare(self.state.get(source)) < many:
                raise Unmet("there is not enough to pay")
            self.state.set(source, Amount(bare(self.state.get(source)) - many, source[0].unit))
        if "unlimited" not in target[0].words:
            self.state.set(target, Amount(bare(self.state.get(target)) + many, target[0].unit))

    # --------------------------------------------------------------------------------- counters and memories

    def write(self, e: t.Expr, env: Env, make: Any) -> None:
        """What stands in a place becomes what `make` makes of it; whether that is an effect, or only our own memory."""
        local = e.what if isinstance(e, t.Call) else e
        if isinstance(local, t.Name) and (names := env.where(local.name)) is not None:
            self.write_local(names, local.name, e, env, make)
            return
        found = self.address(e, env)
        if found is None:
            raise RulesWrong(f"{e} cannot be changed")
        member = found[0]
        value = make(self.state.get(found))
        match member.form:
            case "counter":
                value = self.as_counted(member, value)
            case "flag":
                value = self.truth_of(value)
            case "remember" | "note":
                value = self.as_noted(member, value)
            case _:
                raise RulesWrong(f"nobody sets {member}")
        self.state.set(found, value)
        self.effect()

    def as_counted(self, member: Member, value: Value) -> Value:
        number = bare(value)
        if unit_of(value) != member.unit and number:
            raise RulesWrong(f"{value} is no amount for {member}")
        if "stops" in member.words:
            number = max(member.low, min(member.high, number))
        if not member.low <= number <= member.high:
            raise RulesWrong(f"{member} would leave its range with {number}")
        return Amount(number, member.unit) if member.unit else number

    def write_local(self, names: dict[str, Value], name: str, e: t.Expr, env: Env, make: Any) -> None:
        bound = names[name]
        if isinstance(e, t.Call):
            assert isinstance(bound, Indexed)
            at = tuple(self.as_type(self.ev(arg, env), type) for arg, type in zip(e.args, bound.kinds, strict=True))
            value = make(bound.values.get(at, bound.first))
            self.state.put(bound.values, at, value)
        else:
            self.state.put(names, name, make(bound))
