"""The names of places in the state, for a plan that people read: `S[m - 99996]` is `marker.space[m]`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from ichiba.dsl.world.kinds import SEAT, Kind
from ichiba.dsl.world.world import Member
from ichiba.interpreter import layout as places
from ichiba.interpreter.layout import Layout
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.parts import changed
from ichiba.interpreter.to_python.printer import text_of

HEADER = {
    places.PC: "where_we_are",
    places.CHANCE: "chance_events",
    places.LOADED: "loaded_seat",
    places.BUSY: "triggers_run",
    places.WAITING: "triggers_wait",
    places.SECRET: "secret_block",
    places.SPARE: "spare",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One direction in which the places of a member lie: what it counts, from where, how far, and how far apart."""

    kind: Kind
    low: int
    size: int
    step: int


@dataclass(slots=True)
class Places:
    """Knows which member stands where. `mentioned`: those that have been named so far."""

    layout: Layout
    members: dict[int, Member] = field(default_factory=dict)
    firsts: list[int] = field(default_factory=list)
    mentioned: dict[Member, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.members = {member.base: member for member in self.layout.world.members() if member.size}
        self.firsts = sorted(self.layout.slot_names)

    def named(self, function: p.Function) -> p.Function:
        """The same function with its places called by their names, as far as they are known."""
        made: p.Function = changed(function, self._name)
        return made

    def _name(self, e: Any) -> p.Name | None:
        match e:
            case p.Cell(at=p.Num(value=place)):
                return p.Name(self._fixed(place))
            case p.Cell(at=p.Sum(terms=terms, fixed=fixed)) if fixed:
                found = list(self._worked_out(terms, fixed))
                return p.Name(self._said(*found[0])) if len(found) == 1 else None
            case _:
                return None

    def _fixed(self, place: int) -> str:
        if place in HEADER:
            return HEADER[place]
        first = self.firsts[bisect_right(self.firsts, place) - 1]
        member = self.members.get(first)
        if member is None:
            return self._slot(first) + (f"[{place - first}]" if place > first else "")
        rest, index = place - first, []
        for side in _sides(member):
            index.append(self._value(side.low + rest // side.step, side.kind, place))
            rest %= side.step
        return self._said(member, index)

    def _worked_out(self, terms: tuple[p.Exp, ...], fixed: int) -> Iterator[tuple[Member, list[str]]]:
        """Every member that a sum may be a place of: its steps and its beginning must be just right."""
        steps = [_step(term) for term in terms]
        for member in self.members.values():
            sides = _sides(member)
            for chosen in combinations(range(len(sides)), len(terms)):
                found = {at: t for at in chosen for t, step in zip(terms, steps, strict=True) if step == sides[at].step}
                rest = fixed - member.base + sum(sides[at].low * sides[at].step for at in chosen)
                if sorted(steps) != sorted(sides[at].step for at in chosen) or not 0 <= rest < member.size:
                    continue
                here = [rest % (side.step * side.size) // side.step for side in sides]
                if not any(here[at] for at in chosen):
                    yield (
                        member,
                        [
                            self._counted(found[at])
                            if at in found
                            else self._value(side.low + here[at], side.kind, member.base + rest)
                            for at, side in enumerate(sides)
                        ],
                    )

    def _slot(self, place: int) -> str:
        """A variable that outlives a question, or what the engine keeps; of several that are called alike, which."""
        name = self.layout.slot_names[place]
        alone = list(self.layout.slot_names.values()).count(name) == 1
        return name.replace(" ", "_") + ("" if alone else f"_{place}")

    def _counted(self, term: p.Exp) -> str:
        """What is counted in one direction, without how far apart its places are."""
        return text_of(changed(term.left if isinstance(term, p.Op) and _step(term) > 1 else term, self._name))

    def _said(self, member: Member, index: list[str]) -> str:
        self.mentioned[member] = None
        name = (member.name if member.owner == "table" else member.full_name).replace(" ", "_")
        return name + "".join(f"[{one}]" for one in index)

    def _value(self, value: int, kind: Kind, place: int) -> str:
        world = self.layout.world
        if kind.form == "sort" and not kind.name:  # the column of a zone
            sort = self.layout.sort_at[place] if place < len(self.layout.sort_at) else -1
            return world.sorts[sort].full_name if sort >= 0 else str(value)
        return f"seat {value + 1}" if kind == SEAT else world.name_of(value, kind)


def _sides(member: Member) -> list[Side]:
    """The owner, the indexes, and of a zone the sorts that lie in it."""
    width = member.width
    owner = (
        [SEAT if member.owner == "seat" else Kind("thing", member.owner)]
        if len(member.dims) > len(member.index)
        else []
    )
    kinds = [*owner, *member.index]
    sides, step = [], member.size
    for kind, (low, size) in zip(kinds, member.dims, strict=True):
        step //= size
        sides.append(Side(kind, low, size, step))
    return [*sides, Side(Kind("sort"), 0, width, 1)] if member.form == "zone" and width > 1 else sides


def _step(term: p.Exp) -> int:
    return term.right.value if isinstance(term, p.Op) and term.op == "*" and isinstance(term.right, p.Num) else 1


def range_of(member: Member) -> str:
    """What a member can hold, in words."""
    if member.form in ("counter", "flag") and member.low is not None and member.high is not None:
        return f"{member.low:,} .. {member.high:,}"
    if member.form == "zone":
        return "a zone: how many of each sort lie there" if member.width > 1 else "a zone: how many lie there"
    if member.form == "purse":
        return f"a purse in {member.kind.name}"
    return str(member.kind)
