"""The setup, reckoned through without chance: whether it deals or moves more pieces than there are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.world.constant import OPERATIONS, operate, scope_of
from ichiba.dsl.world.starting import start_of
from ichiba.dsl.world.world import Member

PATIENCE = 20_000  # statements
Place = tuple[Member, tuple[int, ...]]


class NobodyKnows(Exception):
    """From here on it depends on chance or on somebody's choice."""


class _Left(Exception):
    def __init__(self, name: str):
        super().__init__(name)
        self.name = name


@dataclass(slots=True)
class Heap:
    """What lies in one zone: at least and at most so many of each sort, and at most so many in all."""

    least: dict[int, int] = field(default_factory=dict)
    most: dict[int, int] = field(default_factory=dict)
    total: int = 0

    def of(self, sorts: tuple[int, ...]) -> int:
        """At most so many of these sorts."""
        return min(self.total, sum(self.most.get(sort, 0) for sort in sorts))

    def sure(self, sorts: tuple[int, ...]) -> int | None:
        """Exactly so many, where that is certain."""
        least, most = sum(self.least.get(s, 0) for s in sorts), self.of(sorts)
        return most if least == most else None


class Dealing:
    """Performs the setup on heaps. It stops where it can no longer tell."""

    def __init__(self, program: ir.Program, faults: Faults):
        self.program, self.world, self.faults = program, program.world, faults
        self.heaps: dict[Place, Heap] = {}
        self.values: dict[Place, int | None] = {}
        self.names: dict[ir.Var, object] = {}
        self.patience = PATIENCE
        self.scope = scope_of(self.world)
        self.who = "the setup"
        self._begin()

    def judge(self) -> None:
        try:
            self.perform(self.program.setup, [0])
            self.who = "the beginning of play"
            self.perform(self.program.play, [0])
        except (NobodyKnows, _Left, RecursionError):
            return

    def _begin(self) -> None:
        """All pieces where they begin."""
        world = self.world
        there = {thing.sort for thing in world.things}
        for sort in world.sorts:
            if not sort.number or sort.individual and sort.id not in there:
                continue
            name = world.starts.get(sort.id, "box")
            at: tuple[int, ...] = ()
            member = world.table.get(name) or world.table.get("box")
            if sort.owner is not None and name in world.seat:
                member, at = world.seat[name], (sort.owner,)
            if member is not None and member.form == "zone":
                heap = self.heap((member, at))
                self.put(heap, sort.id, sort.number, sort.number)
                heap.total += sort.number

    def heap(self, place: Place) -> Heap:
        return self.heaps.setdefault(place, Heap())

    def put(self, heap: Heap, sort: int, least: int, most: int) -> None:
        heap.least[sort] = heap.least.get(sort, 0) + least
        heap.most[sort] = heap.most.get(sort, 0) + most

    # ---------------------------------------------------------------------------------------- statements

    def perform(self, procedure: ir.Procedure, args: list[object]) -> None:
        self.names.update(zip(procedure.params, args, strict=False))
        if procedure.body is not None:
            self.block(procedure.body)

    def block(self, block: ir.Block) -> None:
        for s in block.body:
            self.patience -= 1
            if not self.patience:
                raise NobodyKnows
            self.statement(s)

    def statement(self, s: ir.Stm) -> None:
        match s:
            case ir.Block():
                self.block(s)
            case ir.Assign(var=var, value=value, at=None):
                self.names[var] = self.value(value)
            case ir.Assign(var=var):
                self.names[var] = None
            case ir.KeepSet(var=var, value=kept):
                self.names[var] = self.listed(kept)
            case ir.Write(place=place, value=value):
                self.write(place, value)
            case ir.MoveSome():
                self.move(s)
            case ir.MovePiece(piece=piece, target=target):
                self.move_piece(self.value(piece), target)
            case ir.MoveSet(set=inner, target=target):
                for one in self.listed(inner):
                    self.move_piece(one, target)
            case ir.Draw():
                self.draw(s)
            case ir.Pick(var=var):
                self.names[var] = None
            case ir.If(test=test, yes=yes, no=no):
                holds = self.value(test)
                if holds is None:
                    raise NobodyKnows
                self.block(yes if holds else no)
            case ir.For(var=var, set=inner, body=body):
                for item in self.listed(inner):
                    self.names[var] = item
                    self.block(body)
            case ir.Repeat(times=times, test=test, body=body):
                for _ in range(self.number(times)):
                    if test is not None and not self.number(test):
                        break
                    self.block(body)
            case ir.Named(name=name, body=body):
                try:
                    self.block(body)
                except _Left as left:
                    if left.name != name:
                        raise
            case ir.Leave(name=name):
                raise _Left(name)
            case ir.Perform():
                self.call(s)
            case ir.Require() | ir.Score() | ir.EndAs() | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush() | ir.Shuffle() | ir.Pay():
                pass
            case _:
                raise NobodyKnows

    def call(self, s: ir.Perform) -> None:
        if s.results:
            raise NobodyKnows
        ref = s.procedure
        procedure = ref.default
        if ref.by is not None and ref.cases:
            procedure = ref.cases.get(self.number(s.args[ref.by]), ref.default)
        if procedure is not None:
            self.perform(procedure, [self.argument(arg) for arg in s.args])

    def argument(self, arg: object) -> object:
        if isinstance(arg, ir.ZoneAt):
            return self.place(arg)
        return self.value(arg) if not _is_set(arg) else self.listed(arg)  # type: ignore[arg-type]

    def write(self, place: ir.Read, value: ir.Exp) -> None:
        at = tuple(self.value(i) for i in place.at)
        if any(not isinstance(i, int) for i in at):
            raise NobodyKnows
        self.values[(place.member, at)] = self.value(value)  # type: ignore[index]

    # -------------------------------------------------------------------------------------------- pieces

    def place(self, zone: ir.Exp) -> Place:
        match zone:
            case ir.ZoneAt(member=member, at=at):
                return member, tuple(self.number(i) for i in at)
            case ir.Cond(test=test, yes=yes, no=no):
                return self.place(yes if self.number(test) else no)
            case ir.Use(var=var) if isinstance(self.names.get(var), tuple):
                return self.names[var]  # type: ignore[return-value]
            case _:  # any other: which zone it is, is only known in play
                raise NobodyKnows

    def sorts(self, given: ir.SortSet) -> tuple[int, ...]:
        """Which sorts are meant; none of them where that is none."""
        one = None if given.one is None else self.number(given.one)
        return given.sorts if one is None else (one,) if one >= 0 else ()

    def move(self, s: ir.MoveSome) -> None:
        if s.side is not None:
            raise NobodyKnows
        sources = [self.place(z) for z in s.sources]
        target, sorts = self.heap(self.place(s.target)), self.sorts(s.sorts)
        there = sum(self.heap(place).of(sorts) for place in sources)
        amount = there if s.amount is None else self.number(s.amount)
        if amount > there:
            self.tell(amount, there, sources, sorts, "moves", s.span)
            raise NobodyKnows
        exact = there == amount or len(sorts) == 1 and len(sources) == 1
        for place in sources:
            heap = self.heap(place)
            taken = min(amount, heap.of(sorts))
            for sort in sorts:
                self.pass_on(heap, target, sort, min(taken, heap.most.get(sort, 0)), exact)
            heap.total -= taken
            target.total += taken
            amount -= taken

    def pass_on(self, heap: Heap, target: Heap, sort: int, most: int, exact: bool) -> None:
        """So many at most go over; when it is all there is, or one sort alone, it is known how many."""
        if not most:
            return
        certain = heap.least.get(sort, 0) == heap.most.get(sort, 0)
        sure = exact and certain or len([n for n in heap.most.values() if n]) == 1
        self.put(target, sort, most if sure else 0, most)
        if sure:
            heap.most[sort] -= most
        heap.least[sort] = max(0, heap.least.get(sort, 0) - most)

    def move_piece(self, piece: object, target: ir.Exp) -> None:
        if not isinstance(piece, int) or piece < ir.FIRST_THING:
            raise NobodyKnows
        sort = self.world.thing(piece).sort
        holds = [heap for heap in self.heaps.values() if heap.most.get(sort, 0)]
        if len(holds) != 1:
            raise NobodyKnows
        heap = holds[0]
        heap.most[sort] -= 1
        heap.least[sort] = max(0, heap.least[sort] - 1)
        heap.total -= 1
        self.put(self.heap(self.place(target)), sort, 1, 1)
        self.heap(self.place(target)).total += 1

    def draw(self, s: ir.Draw) -> None:
        source, target = self.heap(self.place(s.source)), self.heap(self.place(s.target))
        sorts, amount = self.sorts(s.sorts), self.number(s.amount)
        if s.refill is not None and amount > source.of(sorts):
            raise NobodyKnows
        there = source.of(sorts)
        if amount > there:
            self.tell(amount, there, [self.place(s.source)], sorts, "draws", s.span)
            raise NobodyKnows
        for sort in sorts:
            most = min(amount, source.most.get(sort, 0))
            if most:
                self.pass_on(source, target, sort, most, amount == there)
        source.total -= amount
        target.total += amount
        if s.var is not None:
            self.names[s.var] = None

    def tell(self, amount: int, there: int, sources: list[Place], sorts: tuple[int, ...], does: str, span: Span | None) -> None:
        families = list(dict.fromkeys(self.world.sorts[s].family for s in sorts))
        if len(sorts) == 1:
            families = [self.world.sorts[sorts[0]].full_name]
        what = families[0] if len(families) == 1 else "pieces"
        where = " and ".join(f"`{member.name}`" for member, _ in sources)
        holds = f"{there or 'none'} {'is' if there <= 1 else 'are'} left"
        seats = self.world.config.seats
        self.faults.add(
            "E525", span, f"{self.who} {does} {amount} {what} out of {where}, where {holds}",
            label=f"with {seats} seat{'s' if seats > 1 else ''}",
        )  # fmt: skip

    # -------------------------------------------------------------------------------------------- values

    def number(self, e: ir.Exp) -> int:
        found = self.value(e)
        if not isinstance(found, int):
            raise NobodyKnows
        return found

    def value(self, e: ir.Exp) -> int | None:
        match e:
            case ir.Const(value=value):
                return value
            case ir.Use(var=var, at=None):
                known = self.names.get(var)
                return known if isinstance(known, int) else None
            case ir.Read(member=member, at=at):
                return self.read(member, [self.value(i) for i in at])
            case ir.Op(op=op, args=args):
                return self.operation(op, [self.value(a) for a in args])
            case ir.Cond(test=test, yes=yes, no=no):
                holds = self.value(test)
                return None if holds is None else self.value(yes if holds else no)
            case ir.CountIn(zones=zones, sorts=sorts):
                return self.counted(zones, sorts)
            case ir.Lookup(rows=rows, at=at, low=low, other=other):
                return self.looked_up(rows, [self.value(i) for i in at], low, other)
            case ir.CallValue(function=ref, args=args):
                return self.called(ref, args)
            case ir.Aggregate(how="count", set=ir.Pieces(zones=zones, sorts=sorts), value=None):
                return self.counted(zones, sorts)
            case ir.Aggregate(how="first", set=inner):
                try:
                    return next(iter(self.listed(inner)), -1)
                except NobodyKnows:
                    return None
            case _:  # any other: what it comes to is not known
                return None

    def read(self, member: Member, at: list[int | None]) -> int | None:
        known = tuple(i for i in at if i is not None)
        if len(known) < len(at) or member.form == "purse":
            return None
        if (member, known) not in self.values:
            self.values[(member, known)] = start_of(member, self.scope, Faults())
        return self.values[(member, known)]

    def operation(self, op: str, args: list[int | None]) -> int | None:
        known = [a for a in args if a is not None]
        if op == "and" and 0 in args:
            return 0
        if op == "or" and any(known):
            return 1
        if len(known) < len(args):
            return None
        return operate(op, known, None) if op in OPERATIONS and not (op[0] == "/" and not known[1]) else None

    def counted(self, zones: tuple[ir.Exp, ...], sorts: ir.SortSet) -> int | None:
        try:
            found = [self.heap(self.place(z)).sure(self.sorts(sorts)) for z in zones]
        except NobodyKnows:
            return None
        return None if None in found else sum(n for n in found if n is not None)

    def looked_up(self, rows: object, at: list[int | None], low: tuple[int, ...], other: int) -> int | None:
        for index, first in zip(at, low, strict=True):
            if index is None or not isinstance(rows, tuple):
                return None
            if not 0 <= index - first < len(rows):
                return other
            rows = rows[index - first]
        return rows if isinstance(rows, int) else None

    def called(self, ref: ir.ValueRef, args: tuple[ir.Exp, ...]) -> int | None:
        function = ref.default
        given = [self.value(a) if not _is_set(a) and not isinstance(a, ir.ZoneAt) else None for a in args]
        if ref.by is not None and ref.cases:
            owner = given[ref.by]
            if owner is None:
                return None
            function = ref.cases.get(owner, ref.default)
        if function is None or function.body is None or isinstance(function.body, ir.Block) or _is_set(function.body):
            return None
        self.names.update(zip(function.params, given, strict=False))
        return self.value(function.body)  # type: ignore[arg-type]

    def listed(self, inner: object) -> list[int]:
        match inner:
            case ir.Listed(items=items):
                return [self.number(i) for i in items]
            case ir.Span_(low=low, high=high, step=step):
                span = range(self.number(low), self.number(high) + 1, max(1, self.number(step)))
                if len(span) > PATIENCE:
                    raise NobodyKnows
                return list(span)
            case ir.SeatsFrom(seat=seat, others=others):
                # whoever begins: all seats are alike before the first turn
                first, seats = self.value(seat) or 0, self.world.config.seats
                return [(first + n) % seats for n in range(1 if others else 0, seats)]
            case ir.Filtered(set=outer, var=var, test=test):
                kept = []
                for value in self.listed(outer):
                    self.names[var] = value
                    if self.number(test):
                        kept.append(value)
                return kept
            case ir.Ordered(set=outer):
                return self.listed(outer)
            case ir.Kept(var=var) if isinstance(self.names.get(var), list):
                return [int(v) for v in cast("list[int]", self.names[var])]
            case ir.Rows(rows=rows, at=at, low=low):
                index = self.number(at) - low
                return list(rows[index]) if 0 <= index < len(rows) else []
            case _:  # any other: what is in it is not known
                raise NobodyKnows


def _is_set(node: object) -> bool:
    return isinstance(node, ir.SET_CLASSES)


__all__ = ["Dealing"]
