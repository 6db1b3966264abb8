"""Which things are alike: whoever chooses is offered only the lowest of them.

Things are alike when nothing in the state tells them apart: their sort, where they lie, what they remember, what lies
on them, and who points at them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import assert_never

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import FIRST_THING, Member, World
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import logic, place, row
from ichiba.interpreter.plan.saying import say


def individuals_of(inner: ir.Set, world: World) -> tuple[int, ...]:
    """The sorts of a set of pieces that exist one by one; none where no two could be alike."""
    while isinstance(inner, ir.Filtered):
        inner = inner.set
    if not isinstance(inner, ir.Pieces):
        return ()
    sorts = tuple(s for s in inner.sorts.sorts if world.sorts[s].individual)
    return sorts if any(world.sorts[s].number > 1 for s in sorts) else ()


def may_repeat(inner: ir.Set) -> bool:
    """Whether a value can stand in a set twice. Whoever chooses is offered it once."""
    match inner:
        case ir.Listed(items=items):
            fixed = [item.value for item in items if isinstance(item, ir.Const)]
            return len(items) > 1 and len(set(fixed)) < len(items)
        case ir.Filtered(set=outer) | ir.Ordered(set=outer) | ir.Best(set=outer):
            return may_repeat(outer)
        case ir.FlatMapped(set=outer, var=var, inner=last):
            return may_repeat(outer) or may_repeat(last) or not _of_its_own(last, var)
        case ir.Joined(sets=sets):
            return any(map(may_repeat, sets)) or not _apart(sets)
        case ir.Mapped() | ir.Kept() | ir.Unpacked():
            return True
        case (
            ir.Span_() | ir.SeatsFrom() | ir.Pieces() | ir.Rows() | ir.Chosen() | ir.Combos() | ir.Connected() | ir.Steps()
        ):  # each value once
            return False
        case _:
            assert_never(inner)


def _of_its_own(inner: ir.Set, var: ir.Var) -> bool:
    """Pieces in zones that are another's for every value of a name."""
    while isinstance(inner, ir.Filtered | ir.Ordered | ir.Best):
        inner = inner.set
    return isinstance(inner, ir.Pieces) and all(
        isinstance(zone, ir.ZoneAt) and any(isinstance(at, ir.Use) and at.var is var for at in zone.at) for zone in inner.zones
    )


def _apart(sets: tuple[ir.Set, ...]) -> bool:
    """Pieces in zones of different names."""
    seen: set[Member] = set()
    for inner in sets:
        while isinstance(inner, ir.Filtered | ir.Ordered | ir.Best):
            inner = inner.set
        if not isinstance(inner, ir.Pieces) or not all(isinstance(zone, ir.ZoneAt) for zone in inner.zones):
            return False
        members = {zone.member for zone in inner.zones if isinstance(zone, ir.ZoneAt)}
        if members & seen:
            return False
        seen |= members
    return True


@dataclass(frozen=True, slots=True)
class Likeness:
    """Says what tells things apart."""

    world: World
    sort_of: Callable[[p.Exp], p.Exp]  # the sort of a thing of that name
    totals: Mapping[Member, int]  # where zones keep how many pieces they hold
    ordered: str  # the table of the zones that have an order

    def plain(self, sorts: tuple[int, ...], name: p.Exp, zone: Member | None = None) -> list[p.Exp]:
        """What stands in a thing's own places; `zone`: where all that are looked at lie."""
        low, high = _ends(sorts, self.world)
        found = [] if zone is not None else [_at(self.world.places["place"], name, low, high)]
        if len(sorts) > 1:
            found.append(self.sort_of(name))
        found += self._rank(sorts, name, zone, low, high)
        for member in self.world.members():
            if member.form in ("counter", "flag", "note", "remember") and _owned(member, low, high):
                if member.form != "note" or zone is None or zone.memory.keeps(member.name):
                    found.append(_at(member, name, low, high))
            if member in self.totals and _owned(member, low, high) and len(member.dims) == 1:
                found.append(_at(member, name, low, high, self.totals[member]))  # how many lie on it
        return found

    def _rank(self, sorts: tuple[int, ...], name: p.Exp, zone: Member | None, low: int, high: int) -> list[p.Exp]:
        """In a zone with an order each has its place."""
        zones = [m for m in self.world.members() if "ordered" in m.words and not set(sorts).isdisjoint(m.sorts)]
        if not zones or zone is not None and zone not in zones:
            return []
        rank = _at(self.world.places["rank"], name, low, high)
        lies = _at(self.world.places["place"], name, low, high)
        return [rank if zone is not None else say("{} if {} in {} else 0", rank, lies, self.ordered)]

    def deep(self, sorts: tuple[int, ...], name: p.Exp) -> list[p.Exp]:
        """What lies on a thing and who points at it: looked at only where the rest is the same."""
        low, high = _ends(sorts, self.world)
        things = [t.id for t in self.world.things if t.sort in set(sorts)]
        found: list[p.Exp] = []
        for member in self.world.members():
            if member.form == "zone" and _owned(member, low, high):
                found += self._contents(member, name, low, high)
            if member.form in ("note", "remember") and member.kind.form == "thing" and _points_at(member, self.world, things):
                found.append(self._pointers(member, name))
        return found

    def _contents(self, member: Member, name: p.Exp, low: int, high: int) -> list[p.Exp]:
        """What lies in its zone, with the notes that are kept there."""
        first, size = member.dims[0]
        each = member.size // size
        zone = say("({} - {}) * {} + {}", name, first, each, member.base)
        parts = [say("tuple(S[{}:{} + {}])", zone, zone, each)]
        total = p.Cell(place([name, self.totals[member] - first])) if member in self.totals and each == member.width else None
        lies = self.world.places["place"]
        for note in self.world.members():
            if note.form != "note" or not member.memory.keeps(note.name):
                continue
            start, many = note.dims[0]
            pair = row([self.sort_of(Y), _at(note, Y, start, start + many - 1)])
            if total is not None:
                at = lies.place((start,))
                among = [at, at + many, start - at]
                parts.append(say("tuple(sorted([{} for y in lying(S, {}, {}, {*})]))", pair, zone, total, among))
                continue
            there = _at(lies, Y, start, start + many - 1)
            pieces = say("[{} for y in range({}, {}) if {} == {}]", pair, start, start + many, there, zone)
            parts.append(say("any(S[{}:{} + {}]) and tuple(sorted({}))", zone, zone, each, pieces))
        if total is not None:
            return [_where_it_is(logic("and", [total, row(parts)]), name, low, high, first, size)]
        if first <= low and high < first + size:
            return parts
        return [_where_it_is(row(parts) if len(parts) > 1 else parts[0], name, low, high, first, size)]

    def _pointers(self, member: Member, name: p.Exp) -> p.Exp:
        """Who remembers it."""
        if len(member.dims) == 1 and member.dims[0][0] >= FIRST_THING and self.world.is_kind(member.owner, "piece"):
            first, size = member.dims[0]
            last = first + size - 1
            pair = row([_at(self.world.places["place"], Y, first, last), self.sort_of(Y)])
            low, high = member.place((first,)), member.place((last,)) + 1
            lying = say("lying(S, {}, S[{}:{}].count({}), {}, {}, {})", name, low, high, name, low, high, first - low)
            return say("tuple(sorted([{} for y in {}]))", pair, lying)
        return say("tuple([y for y in range({}, {}) if S[y] == {}])", member.base, member.base + member.size, name)


Y = p.Name("y")  # a thing that lies there, or that points


def _ends(sorts: tuple[int, ...], world: World) -> tuple[int, int]:
    things = [t.id for t in world.things if t.sort in set(sorts)]
    return min(things), max(things)


def _owned(member: Member, low: int, high: int) -> bool:
    """Whether some of these things have this member."""
    if not member.dims or member.dims[0][0] < FIRST_THING:
        return False
    first, size = member.dims[0]
    return first <= high and low < first + size


def _at(member: Member, name: p.Exp, low: int, high: int, base: int | None = None) -> p.Exp:
    """What stands in a member; `base`: in places of that kind that begin there."""
    first, size = member.dims[0]
    found: p.Exp = p.Cell(place([name, (member.base if base is None else base) - first]))
    if len(member.dims) > 1:
        each = member.size // size
        start = say("({} - {}) * {} + {}", name, first, each, member.base)
        found = say("tuple(S[{}:({} - {}) * {} + {}])", start, name, first, each, member.base + each)
    return _where_it_is(found, name, low, high, first, size)


def _where_it_is(found: p.Exp, name: p.Exp, low: int, high: int, first: int, size: int) -> p.Exp:
    """What is found for those things that have it, and 0 for the others."""
    if first <= low and high < first + size:
        return found
    return say("{} if {} <= {} < {} else 0", found, first, name, first + size)


def _points_at(member: Member, world: World, things: list[int]) -> bool:
    kind = world.kinds.get(member.kind.name)
    return member.size > 0 and kind is not None and not set(kind.things).isdisjoint(things)
