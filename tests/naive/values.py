"""Expressions and sets of the IR, worked out one by one as their classes say; nothing is compiled, nothing is shared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ichiba.dsl import ir
from ichiba.dsl.kinds import Kind
from ichiba.dsl.world import FIRST_THING, Member, World

Env = dict[ir.Var, Any]  # a number; a list of numbers for a set or an indexed variable; a Bag
Item = tuple[int, int]  # a value, and how often it counts


class RulesetWrong(Exception):
    """A rule did what cannot be done."""


@dataclass
class Bag:
    """What was chosen: how many of each sort, and the pieces it was chosen from."""

    counts: dict[int, int] = field(default_factory=dict)
    pieces: list[int] = field(default_factory=list)

    def copy(self) -> Bag:
        return Bag(dict(self.counts), list(self.pieces))


class Cells(list[int]):
    """The state. What was worked out before a change is forgotten with it."""

    def __init__(self, values: Iterable[int]):
        super().__init__(values)
        self.known: dict[object, int] = {}

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(place, value)
        self.known.clear()


class Given(Exception):
    """A value has been given back."""

    def __init__(self, values: list[Any]):
        super().__init__()
        self.values = values


def bound(env: Env, var: ir.Var, value: int) -> Env:
    """A name of an expression gets its next value; nobody outside that expression knows the name."""
    env[var] = value
    return env


class Values(ABC):
    """Knows the state and works things out."""

    def __init__(self, program: ir.Program, cells: list[int]):
        self.program = program
        self.world: World = program.world
        self.seats = self.world.config.seats
        self.cells = Cells(cells)
        self.answers: dict[ir.Var, dict[int, int]] = {}  # secret ones, by seat
        self.zone_of_cell: dict[int, int] = {}
        self.sort_of_cell: dict[int, int] = {}
        self.cell_at: dict[tuple[int, int], int] = {}
        self.zone_members: dict[int, Member] = {}
        for member in self.world.members():
            if member.form == "zone" and member.width:
                for at in product(*(range(low, low + size) for low, size in member.dims)):
                    zone = member.place(at)
                    self.zone_members[zone] = member
                    sorts = member.sorts if member.owner_at is None else member.own[at[member.owner_at]]
                    for column, sort in enumerate(sorts):
                        self.zone_of_cell[zone + column] = zone
                        self.sort_of_cell[zone + column] = sort
                        self.cell_at[zone, sort] = zone + column

    # --------------------------------------------------------------------------------------- places

    def index(self, member: Member, at: tuple[ir.Exp, ...], env: Env) -> int:
        return member.place([self.value(e, env) for e in at])

    def cell(self, zone: int, sort: int) -> int | None:
        """Where pieces of a sort are counted in a zone; None where none can lie."""
        return self.cell_at.get((zone, sort))

    def place_cell(self, thing: int) -> int:
        return self.world.places["place"].place((thing,))

    def rank_cell(self, thing: int) -> int:
        return self.world.places["rank"].place((thing,))

    def individual(self, sort: int) -> bool:
        return self.world.sorts[sort].individual

    def sort_of(self, piece: int) -> int:
        if piece < 0:
            return -1
        return self.world.thing(piece).sort if piece >= FIRST_THING else self.sort_of_cell[piece]

    def place_of(self, piece: int) -> int:
        if piece < 0:
            return -1
        if piece < FIRST_THING:
            return self.zone_of_cell[piece]
        return self.cells[self.place_cell(piece)] if self.world.thing(piece).sort >= 0 else -1

    # -------------------------------------------------------------------------------- single values

    def value(self, e: ir.Exp, env: Env) -> int:
        if isinstance(e, ir.Const):
            return e.value
        if isinstance(e, ir.Use) and e.at is None:
            return int(env[e.var])
        if isinstance(e, ir.Op):
            return self.operation(e, env)
        if isinstance(e, ir.Lookup):
            return self.lookup(e, env)
        if isinstance(e, ir.Read):
            return self.cells[self.index(e.member, e.at, env)]
        if isinstance(e, ir.CallValue):
            return self.call(e.function, [self.argument(a, env) for a in e.args])
        return self.other_value(e, env)

    def other_value(self, e: ir.Exp, env: Env) -> int:
        match e:
            case ir.Use(var=var, at=at):
                assert at is not None
                position = self.value(at, env)
                if not 0 <= position < var.width:
                    raise RulesetWrong(f"{var.name} has no place {position}")
                return int(env[var][position])
            case ir.ZoneAt(member=member, at=at_) | ir.PurseAt(member=member, at=at_):
                return self.index(member, at_, env)
            case ir.SortOf(piece=piece):
                return self.sort_of(self.value(piece, env))
            case ir.PlaceOf(piece=piece):
                return self.place_of(self.value(piece, env))
            case ir.Only(zone=zone):
                return next((p for p, n in self.lying(self.value(zone, env), None) if n), -1)
            case ir.Cond(test=test, yes=yes, no=no):
                return self.value(yes if self.value(test, env) else no, env)
            case ir.Aggregate():
                return self.aggregate(e, env)
            case ir.CountIn(zones=zones, sorts=sorts):
                wanted = self.sorts(sorts, env)
                counted = [self.cell(self.value(z, env), s) for z in zones for s in wanted]
                return sum(self.cells[c] for c in counted if c is not None)
            case ir.Contains(set=inner, item=item):
                return int(self.value(item, env) in self.values(inner, env))
            case ir.BagCount(bag=bag, sorts=sorts):
                return sum(env[bag].counts.get(s, 0) for s in self.sorts(sorts, env))
            case ir.SecretOf(var=var, seat=seat):
                return self.answers[var][self.value(seat, env)]
        raise AssertionError(type(e))

    def true(self, e: ir.Exp, env: Env) -> bool:
        return bool(self.value(e, env))

    def argument(self, e: object, env: Env) -> Any:
        """What a parameter gets: a number, or a whole set."""
        if isinstance(e, SETS):
            return self.each(e, env)
        return self.value(e, env)  # type: ignore[arg-type]

    def lookup(self, e: ir.Lookup, env: Env) -> int:
        rows: Any = e.rows
        for exp, low in zip(e.at, e.low):
            position = self.value(exp, env) - low
            if not 0 <= position < len(rows):
                return e.other
            rows = rows[position]
        return int(rows)

    def operation(self, e: ir.Op, env: Env) -> int:
        if e.op == "and":
            for arg in e.args:
                if not self.value(arg, env):
                    return 0
            return 1
        if e.op == "or":
            for arg in e.args:
                if self.value(arg, env):
                    return 1
            return 0
        if e.op == "next_seat":
            return (self.value(e.args[0], env) + 1) % self.seats
        return int(OPERATIONS[e.op](*[self.value(arg, env) for arg in e.args]))

    def call(self, ref: ir.ValueRef, args: list[Any]) -> int:
        """The version of a value for its owner; where none is said, a condition that holds."""
        function = ref.default if ref.by is None else ref.cases.get(args[ref.by], ref.default)
        if function is None:
            return 1
        asked = (id(function), *(tuple(a) if isinstance(a, list) else a for a in args))
        if asked not in self.cells.known:
            found = self.worked_out(function, dict(zip(function.params, args, strict=True)))
            self.cells.known[asked] = found
        return self.cells.known[asked]

    def worked_out(self, function: ir.Function, env: Env) -> int:
        body = function.body
        if isinstance(body, ir.Block):
            try:
                for _ in self.run(body, env):
                    raise AssertionError("a value asks nothing")
            except Given as given:
                return int(given.values[0])
            raise RulesetWrong(f"{function.name} gives nothing")
        return self.value(body, env)  # type: ignore[arg-type]

    @abstractmethod
    def run(self, block: ir.Block, env: Env) -> Iterator[Any]:
        """Perform a block."""

    def aggregate(self, e: ir.Aggregate, env: Env) -> int:
        items = self.stream(e.set, env)
        if e.how == "first":
            return next((v for v, _ in items), -1)
        if e.how == "count":
            return sum(n for _, n in items)
        if e.how in ("any", "no"):
            some = any(e.value is None or self.true(e.value, bound(env, e.var, v)) for v, _ in items)
            return int(some if e.how == "any" else not some)
        found: list[Item] = []
        for value, n in items:
            inner = value if e.value is None else self.value(e.value, bound(env, e.var, value))
            found.append((inner, n))
        match e.how:
            case "sum":
                return sum(v * n for v, n in found)
            case "highest":
                return max((v for v, _ in found), default=0)
            case "lowest":
                return min((v for v, _ in found), default=0)
        raise AssertionError(e.how)

    # ----------------------------------------------------------------------------------------- sets

    def sorts(self, sorts: ir.SortSet, env: Env) -> tuple[int, ...]:
        return sorts.sorts if sorts.one is None else (self.value(sorts.one, env),)

    def values(self, inner: ir.Set, env: Env) -> list[int]:
        """To choose from: alike pieces are one."""
        return list(dict.fromkeys(value for value, n in self.items(inner, env) if n))

    def each(self, inner: ir.Set, env: Env) -> list[int]:
        """As a list: each piece counts."""
        return [value for value, n in self.items(inner, env) for _ in range(n)]

    def lying(self, zone: int, sorts: Iterable[int] | None) -> list[Item]:
        """The pieces in a zone: those that are counted, then those that exist one by one."""
        width = self.zone_members[zone].width
        wanted = tuple(self.sort_of_cell[zone + c] for c in range(width)) if sorts is None else tuple(sorts)
        return self.pieces([zone], wanted)

    def pieces(self, zones: list[int], sorts: tuple[int, ...]) -> list[Item]:
        found: list[Item] = []
        for zone in zones:
            for sort in sorts:
                cell = None if self.individual(sort) else self.cell(zone, sort)
                if cell is not None and self.cells[cell]:
                    found.append((cell, self.cells[cell]))
        alone = {s for s in sorts if self.individual(s)}
        things = [t.id for t in self.world.things if t.sort in alone and self.place_of(t.id) in zones]
        if any("ordered" in self.zone_members[z].words for z in zones if z in self.zone_members):
            things.sort(key=lambda thing: self.cells[self.rank_cell(thing)])
        return found + [(thing, 1) for thing in things]

    def items(self, inner: ir.Set, env: Env) -> list[Item]:
        """The members of a set in order, pieces that are counted with their number."""
        return list(self.stream(inner, env))

    def stream(self, inner: ir.Set, env: Env) -> Iterator[Item]:
        """The same, one after another, for those who need only the first."""
        match inner:
            case ir.Listed(items=items):
                for item in items:
                    yield self.value(item, env), 1
            case ir.Filtered(set=outer, var=var, test=test):
                for value, n in self.stream(outer, env):
                    if self.value(test, bound(env, var, value)):
                        yield value, n
            case ir.Span_(low=low, high=high, step=step):
                for number in range(self.value(low, env), self.value(high, env) + 1, self.value(step, env)):
                    yield number, 1
            case ir.SeatsFrom(seat=seat, others=others):
                first = self.value(seat, env)
                for k in range(1 if others else 0, self.seats):
                    yield (first + k) % self.seats, 1
            case ir.Pieces(zones=zones, sorts=sorts):
                yield from self.pieces([self.value(z, env) for z in zones], self.sorts(sorts, env))
            case ir.Rows(rows=rows, at=at, low=low_):
                position = self.value(at, env) - low_
                if 0 <= position < len(rows):
                    yield from ((v, 1) for v in rows[position])
            case ir.Mapped(binders=binders, value=mapped):
                for inside in self.combinations(binders, env):
                    yield self.value(mapped, inside), 1
            case ir.FlatMapped(set=outer, var=var, inner=each):
                for value in self.each(outer, env):
                    yield from self.items(each, bound(env, var, value))
            case ir.Joined(sets=sets):
                for one in sets:
                    yield from self.stream(one, env)
            case ir.Ordered(set=outer, var=var, keys=keys):
                yield from self.ordered(self.items(outer, env), var, keys, env)
            case ir.Best(set=outer, var=var, key=key, highest=highest):
                rated = [(self.value(key, bound(env, var, v)), (v, n)) for v, n in self.items(outer, env)]
                top = (max if highest else min)((k for k, _ in rated), default=0)
                yield from (item for k, item in rated if k == top)
            case ir.Chosen(bag=bag):
                yield from self.chosen(env[bag])
            case ir.Kept(var=var):
                yield from ((v, 1) for v in env[var])
            case ir.Unpacked(packed=packed):
                yield from ((v, 1) for v in self.unpacked(packed, env))
            case _:
                raise AssertionError(type(inner))  # ways to take pieces stand in options only

    def unpacked(self, packed: ir.Exp, env: Env) -> list[int]:
        assert isinstance(packed, ir.Use)
        return list(env[packed.var])

    def chosen(self, bag: Bag) -> list[Item]:
        """The chosen pieces: of each sort as many as were said, from the first places where they lay."""
        left = dict(bag.counts)
        found: list[Item] = []
        for sort in bag.counts:
            for piece in bag.pieces:
                if self.sort_of(piece) == sort and left[sort]:
                    n = left[sort] if self.individual(sort) else min(left[sort], self.cells[piece])
                    found.append((piece, n))
                    left[sort] -= n
        return found

    def combinations(self, binders: tuple[tuple[ir.Var, ir.Set], ...], env: Env) -> list[Env]:
        found = [env]
        for var, domain in binders:
            found = [inside | {var: v} for inside in found for v in self.each(domain, inside)]
        return found

    def ordered(self, items: list[Item], var: ir.Var, keys: tuple[tuple[ir.Exp, bool], ...], env: Env) -> list[Item]:
        made = list(items)
        for key, highest in reversed(keys):  # sorting keeps the order of equals
            rated = [(self.value(key, bound(env, var, v)), (v, n)) for v, n in made]
            rated.sort(key=lambda pair: -pair[0] if highest else pair[0])
            made = [item for _, item in rated]
        return made

    def combos(self, inner: ir.Combos, env: Env) -> list[list[int]]:
        """Every way to take so many, alike ones not told apart; more of the earlier ones come later."""
        items = self.items(inner.set, env)

        def ways(at: int, left: int) -> list[list[int]]:
            if not left:
                return [[]]
            found: list[list[int]] = []
            for k in range(at, len(items)):
                value, there = items[k]
                for used in range(1, min(left, there) + 1):
                    found += [[value] * used + rest for rest in ways(k + 1, left - used)]
            return found

        return ways(0, inner.amount)

    # ----------------------------------------------------------------------------------------- words

    def spelled(self, value: Any, kind: Kind) -> str:
        """A value as it stands in a key."""
        if isinstance(value, list):
            return "+".join(self.spelled(v, kind.of or kind) for v in value)
        if kind.form in ("thing", "piece") and value >= FIRST_THING:
            thing = self.world.thing(value)
            return (self.world.sorts[thing.sort].key if thing.sort >= 0 else "") or thing.name
        if kind.form == "piece" and value >= 0:
            sort = self.world.sorts[self.sort_of_cell[value]]
            return sort.key or sort.full_name
        if kind.form == "zone":
            return self.zone_members[value].name
        return self.world.name_of(value, kind)


OPERATIONS: dict[str, Callable[..., int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "neg": lambda a: -a,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "not": lambda a: not a,
    "/down": lambda a, b: a // b,
    "/up": lambda a, b: a // b + (1 if a % b else 0),
    "min": min,
    "max": max,
    "power": lambda a, b: 0 if b < 0 else a**b,
    "even": lambda a: a % 2 == 0,
    "abs": abs,
}

SETS = (
    ir.Listed, ir.Span_, ir.SeatsFrom, ir.Pieces, ir.Rows, ir.Filtered, ir.Mapped, ir.FlatMapped, ir.Joined,
    ir.Ordered, ir.Best, ir.Chosen, ir.Kept, ir.Combos, ir.Unpacked,
)  # fmt: skip
