"""Where each thing lives in the one list: computed once from the program, the same for every run and every backend."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import functions_of, walk
from ichiba.dsl.world.constant import Scope
from ichiba.dsl.world.starting import start_of
from ichiba.dsl.world.world import FIRST_THING, Member, World

PC = 0  # where we are: a decision's number, or OVER
CHANCE = 1  # how many chance events there have been
LOADED = 2  # whose secret answers are in work, plus 1
BUSY = 3  # a trigger is running, or triggers wait: in how many ways
WAITING = 4  # triggers to look at when it is done, as bits; of very many the others stand in places of their own
SECRET = 5  # which secret block is being answered
SPARE = 7  # takes what is written to totals that nobody keeps
HEADER = 8

OVER = -1
SECRET_END = -2


@dataclass(slots=True, repr=False)
class Layout:
    """The places of all members, and fixed tables about them."""

    world: World
    size: int = HEADER
    zones: dict[int, Member] = field(default_factory=dict)  # first count of each zone
    sort_at: list[int] = field(default_factory=list)  # by place: the sort that is counted there, or -1
    zone_at: list[int] = field(default_factory=list)  # by place: the zone it belongs to, or -1
    starts: list[tuple[int, int]] = field(default_factory=list)  # places that do not begin with 0
    columns: dict[tuple[int, ...], tuple[int, ...]] = field(default_factory=dict)
    slots: dict[ir.Var, int] = field(default_factory=dict)
    slot_names: dict[int, str] = field(default_factory=dict)
    reserved: dict[object, int] = field(default_factory=dict)
    totals: dict[Member, int] = field(default_factory=dict)  # zones whose number of pieces is kept: where
    singly: set[Member] = field(default_factory=set)  # written in secret, and each place of theirs opens by itself
    total_at: list[int] = field(default_factory=list)  # by place: where the total of its zone is kept, or SPARE

    def __repr__(self) -> str:
        return f"Layout({self.size:,} numbers)"

    def column_of(self, sorts: tuple[int, ...]) -> tuple[int, ...]:
        """By sort: its column in a zone with these sorts, or -1."""
        found = self.columns.get(sorts)
        if found is None:
            row = [-1] * (len(self.world.sorts) + 1)
            for column, sort in enumerate(sorts):
                row[sort] = column
            found = self.columns[sorts] = tuple(row)
        return found

    def sorts_in(self, member: Member, owner: int | None) -> tuple[int, ...]:
        """What can lie in a zone of this owner, in the order of its columns."""
        return member.sorts if member.owner_at is None else member.own.get(owner, ()) if owner is not None else ()

    def columns_of(self, member: Member) -> tuple[int, ...]:
        """By sort: its column in a zone. Where each zone holds the sorts of its owner: in the one that may hold it."""
        if member.owner_at is None:
            return self.column_of(member.sorts)
        row = [-1] * (len(self.world.sorts) + 1)
        for sorts in member.own.values():
            for column, sort in enumerate(sorts):
                row[sort] = column
        return tuple(row)

    def columns_at(self, first: int) -> tuple[int, ...]:
        """By sort: its column in the zone that begins there, or -1."""
        member = self.zones[first]
        owner = None if member.owner_at is None else _index_at(member, first, member.owner_at)
        return self.column_of(self.sorts_in(member, owner))

    def reserve(self, width: int, name: str) -> int:
        place = self.size
        self.size += width
        self.slot_names[place] = name
        return place

    def once(self, key: object, width: int, name: str) -> int:
        """A place that is reserved the first time it is asked for."""
        if key not in self.reserved:
            self.reserved[key] = self.reserve(width, name)
        return self.reserved[key]

    def slot(self, var: ir.Var, home: str = "") -> int:
        """The place of a variable that outlives a decision."""
        if var not in self.slots:
            self.slots[var] = self.reserve(var.width, f"{home}.{var.name}" if home else var.name)
        return self.slots[var]

    def open_flag(self, member: Member, place: int) -> int:
        """Of a place that a secret block writes: where it stands whether others see it as it is."""
        first = self.reserved[("revealed", member)]
        return first + (place - member.base) // (member.width or 1) if member in self.singly else first

    @property
    def signature(self) -> str:
        """Two layouts with the same signature hold the same things in the same places."""
        text = "\n".join(f"{m.full_name} {m.form} {m.base} {m.dims} {m.sorts}" for m in self.world.members())
        text += "\n" + "\n".join(f"{place} {name}" for place, name in sorted(self.slot_names.items()))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def lay_out(world: World, scope: Scope, faults: Faults) -> Layout:
    """Give every member its place."""
    layout = Layout(world)
    if not any("ordered" in member.words for member in world.members()):
        world.places.pop("rank", None)  # no zone keeps an order
    for member in world.members():
        member.base = layout.reserve(member.size, member.full_name)
    for member in world.members():
        if member.form == "zone":
            width = member.width
            for place in range(member.base, member.base + member.size, width or 1):
                layout.zones[place] = member
        first = -1 if member.form == "place" else start_of(member, scope, faults)
        if first:
            layout.starts.extend((place, first) for place in range(member.base, member.base + member.size))
    return layout


def keep_totals(layout: Layout, program: ir.Program) -> None:
    """Wide zones that some rule counts as a whole, or looks through for things that exist one by one, have their
    number of pieces kept beside the counts."""
    seen: dict[Member, None] = {}
    for node in _whole_program(program):
        if not isinstance(node, ir.Pieces | ir.CountIn):
            continue
        for zone in node.zones:
            if not isinstance(zone, ir.ZoneAt) or zone.member in seen or zone.member.width < WIDE_ZONE:
                continue
            if isinstance(node, ir.Pieces):
                wanted = sum(1 for thing in program.world.things if thing.sort in node.sorts.sorts) >= MANY_THINGS
            else:
                wanted = node.sorts.one is None and counts_all(layout, zone.member, node.sorts.sorts)
            if wanted:
                seen[zone.member] = None
    for member in sorted(seen, key=lambda m: m.base):
        layout.totals[member] = layout.once(("total", member), member.size // member.width, f"total {member.full_name}")


WIDE_ZONE = 3
MANY_THINGS = 5  # so many are not looked through where nothing lies


def counts_all(layout: Layout, member: Member, sorts: tuple[int, ...]) -> bool:
    """Whether these sorts are all that a zone can hold."""
    columns = layout.columns_of(member)
    if member.owner_at is not None:
        return set(member.sorts) <= set(sorts)
    return len({columns[s] for s in sorts if columns[s] >= 0}) == member.width


def _whole_program(program: ir.Program) -> Iterator[object]:
    functions: dict[ir.Function, None] = {}
    todo: list[object] = [p.body for p in program.procedures]
    todo += [part for w in program.watchers.values() for part in (w.test, w.set)]
    todo += [f.body for f in program.invariants] + [f.body for f, _ in program.ranking]
    while todo:
        for node in walk(todo.pop()):
            yield node
            if isinstance(node, ir.CallValue):
                for function in functions_of(node.function):
                    if function not in functions:
                        functions[function] = None
                        todo.append(function.body)


def recount(layout: Layout, state: list[int]) -> None:
    """Make the kept totals agree with the counts."""
    for member, first in layout.totals.items():
        for number in range(member.size // member.width):
            place = member.base + number * member.width
            state[first + number] = sum(state[place : place + member.width])


def finish(layout: Layout) -> None:
    """The tables that need all places known."""
    layout.total_at = [SPARE] * layout.size
    for member, kept in layout.totals.items():
        for place in range(member.base, member.base + member.size):
            layout.total_at[place] = kept + (place - member.base) // member.width
    layout.sort_at = [-1] * layout.size
    layout.zone_at = [-1] * layout.size
    for first, member in layout.zones.items():
        owner = None if member.owner_at is None else _index_at(member, first, member.owner_at)
        width = member.width
        layout.zone_at[first : first + width] = [first] * width
        for column, sort in enumerate(layout.sorts_in(member, owner)):
            layout.sort_at[first + column] = sort
    for var, place in layout.slots.items():
        sorts = bag_sorts(layout.world, var)
        for column, sort in enumerate(sorts):
            layout.sort_at[place + column] = sort
            layout.zone_at[place + column] = place


def _index_at(member: Member, place: int, at: int) -> int:
    offset = (place - member.base) // (member.width or 1)
    for number, (low, size) in reversed(list(enumerate(member.dims))):
        if number == at:
            return offset % size + low
        offset //= size
    return -1


def bag_sorts(world: World, var: ir.Var) -> tuple[int, ...]:
    """The sorts that the columns of a bag stand for."""
    if var.kind.form == "set" and var.width > 1 and var.kind.of is not None:
        return tuple(world.categories.get(var.kind.of.name, ()))
    return ()


def initial(layout: Layout, world: World) -> list[int]:
    """The state before the setup: all counters at their start, all pieces where they begin."""
    state = [0] * layout.size
    for place, value in layout.starts:
        state[place] = value
    for sort in world.sorts:
        name = world.starts.get(sort.id)
        if not sort.number or sort.individual and not _exists(world, sort.id):
            continue
        zone = _home(world, sort.id, name, sort.owner)
        if zone is None:
            continue
        member, place = zone
        state[place + layout.columns_of(member)[sort.id]] += sort.number
        if sort.individual:
            put = world.places["place"]
            rank = world.places.get("rank")
            for number, thing in enumerate(t for t in world.things if t.sort == sort.id):
                state[put.place((thing.id,))] = place
                if rank is not None:
                    state[rank.place((thing.id,))] = thing.id - FIRST_THING
                del number
    recount(layout, state)
    return state


def _exists(world: World, sort: int) -> bool:
    return any(thing.sort == sort for thing in world.things)


def _home(world: World, sort: int, name: str | None, owner: int | None) -> tuple[Member, int] | None:
    """The zone in which a sort begins: the seat's own, or the table's."""
    if name is not None and owner is not None and name in world.seat:
        member = world.seat[name]
        return member, member.place((owner,))
    for candidate in (name, "box"):
        if candidate is not None and candidate in world.table and world.table[candidate].form == "zone":
            member = world.table[candidate]
            if sort in member.sorts and not member.dims:
                return member, member.place(())
    return None
