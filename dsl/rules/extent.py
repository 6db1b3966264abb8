"""How large a value can become, and how many a set can hold: bounds that are never too narrow, but may be too wide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import assert_never

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import children, functions_of, moves_in, procedures_of, walk
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import FIRST_THING, World

LARGEST = 10**12
MANY = 10**12  # so many that nobody counts them
Range = tuple[int, int]
ANYTHING: Range = (-LARGEST, LARGEST)
FLAGS = ("=", "!=", "<", "<=", ">", ">=", "and", "or", "not", "even")


class Extents:
    """Bounds of the values, sets and loops of one program. Each function is looked at once."""

    def __init__(self, world: World):
        self.world = world
        self.ranges: dict[ir.Function, Range] = {}
        self.work: dict[ir.Function | ir.Procedure, int] = {}
        self.least_known: dict[int, int] = {}
        self.kept: list[object] = []  # so that nothing else gets their ids
        self.spans: dict[ir.Var, Range] = {}  # what a binder ranges over, where that has been met
        self.news = 0  # how often something new has been met
        self.steps_known: dict[int, tuple[int, int, object]] = {}  # by identity: as of which news, and how many

    # --------------------------------------------------------------------------------------------- values

    def value(self, e: ir.Exp) -> Range:
        """The lowest and the highest value an expression can have."""
        match e:
            case ir.Const(value=value):
                return value, value
            case ir.Read(member=member) if member.low is not None and member.high is not None:
                return member.low, member.high
            case ir.Read(member=member) if member.form == "purse" or member.kind.form == "number":
                return ANYTHING
            case ir.Use(var=var) if var in self.spans:
                return self.spans[var]
            case ir.Lookup(rows=rows, other=other) if _is_full(rows):
                found = [*_numbers(rows), other]
                return min(found), max(found)
            case ir.Lookup(rows=rows, at=at) if _numbers(rows) and all(i.kind.form == "number" for i in at) and not has_holes(e):
                return min(_numbers(rows)), max(_numbers(rows))  # where there is no entry it is a fault, and no value
            case ir.Lookup():
                return ANYTHING
            case ir.Op(op="-", args=(whole, ir.Op(op="min", args=parts))) if whole in parts:  # so much of it, and no more
                low, high = self._operation("-", [self.value(whole), self.value(e.args[1])])
                return max(low, 0), max(high, 0)
            case ir.Op(op=op, args=args):
                return self._operation(op, [self.value(a) for a in args])
            case ir.Cond(yes=yes, no=no):
                return _union([self.value(yes), self.value(no)])
            case ir.CallValue(function=ref):
                return _union([self._result(f) for f in functions_of(ref)])
            case ir.Aggregate():
                return self._aggregate(e)
            case ir.Way(search=search, other=other):
                return _union([(0, max(0, search.net.size - 1) if search.cost is None else LARGEST), self.value(other)])
            case ir.CountIn(sorts=sorts):
                return 0, self._pieces(sorts.sorts)
            case ir.BagCount(sorts=sorts):
                return 0, self._pieces(sorts.sorts)
            case _:  # any other: whatever is of that kind
                return self.of_kind(e.kind)

    def of_place(self, place: ir.Read) -> Range:
        """What a counter can be at all."""
        low, high = place.member.low, place.member.high
        return (low, high) if low is not None and high is not None else ANYTHING

    def inside(self, e: ir.Lookup, position: int = 0) -> bool:
        """Whether an index of a table surely has an entry there."""
        least, most = bounds(e, position)
        low, high = self.value(e.at[position])
        return least <= low and high <= most and not _has_holes(e.rows, position)

    def of_kind(self, kind: Kind) -> Range:
        """What a value of this kind can be at all."""
        match kind.form:
            case "number":
                return ANYTHING
            case "flag":
                return 0, 1
            case "seat":
                return -1, self.world.config.seats - 1
            case _:
                return -1, FIRST_THING + len(self.world.things) + 10 * len(self.world.sorts) + 10**6

    def _result(self, function: ir.Function) -> Range:
        if function not in self.ranges:
            self.ranges[function] = self.of_kind(function.kind)  # in case it comes round to itself
            body = function.body
            if isinstance(body, ir.Block):
                self.learn(body)
                given = [v for n in walk(body) if isinstance(n, ir.GiveBack) for v in n.values]
                self.ranges[function] = _kept(_union([self.value(v) for v in given])) if given else ANYTHING
            elif isinstance(body, ir.EXP_CLASSES):
                self.ranges[function] = _kept(self.value(body))
        return self.ranges[function]

    def _operation(self, op: str, args: list[Range]) -> Range:
        if op in FLAGS:
            return 0, 1
        (a, b), (c, d) = args[0], args[1] if len(args) > 1 else (0, 0)
        match op:
            case "+":
                return a + c, b + d
            case "-":
                return a - d, b - c
            case "*":
                corners = [a * c, a * d, b * c, b * d]
                return min(corners), max(corners)
            case "neg":
                return -b, -a
            case "owed":
                return max(a, 0), max(b, 0)
            case "abs":
                return (0 if a <= 0 <= b else min(abs(a), abs(b))), max(abs(a), abs(b))
            case "min":
                return min(r[0] for r in args), min(r[1] for r in args)
            case "max":
                return max(r[0] for r in args), max(r[1] for r in args)
            case "/up" | "/down" if c > 0:
                corners = [a // c, a // d, b // c, b // d]
                return min(corners), max(corners) + 1
            case "power" if a >= 0 and c >= 0 and d <= 60 and b**d <= LARGEST:
                return 0, max(1, b**d)
            case _:
                return ANYTHING

    def _aggregate(self, e: ir.Aggregate) -> Range:
        least, most = self.size(e.set)
        match e.how:
            case "count":
                return least, most
            case "any" | "no":
                return 0, 1
            case "sum":
                low, high = self._each(e)
                return min(low * most, low * least), max(high * most, high * least)
            case "highest" | "lowest":
                return _union([(0, 0), self._each(e)])
            case _:
                return self.of_kind(e.kind)

    def _each(self, e: ir.Aggregate) -> Range:
        self.note(e.var, e.set)
        return self.value(e.value) if e.value is not None else self.element(e.set)

    def note(self, var: ir.Var, inner: ir.Set) -> None:
        """A binder ranges over this set."""
        self._meet(var, self.element(inner))

    def _meet(self, var: ir.Var, span: Range) -> None:
        if self.spans.get(var) != span:
            self.spans[var] = span
            self.news += 1

    def learn(self, body: ir.Block, but: tuple[ir.Var, ...] = ()) -> None:
        """What the names of a rule can stand for that are given a value once."""
        given = [s for s in _in_order(body) if isinstance(s, ir.Assign) and s.at is None]
        times = Counter(s.var for s in given)
        for s in given:
            if times[s.var] == 1 and s.var not in but and s.var.width == 1 and s.var.kind.form == "number":
                self._meet(s.var, _kept(self.value(s.value)))

    def element(self, inner: ir.Set) -> Range:
        """What the members of a set can be."""
        match inner:
            case ir.Listed(items=items) if items:
                return _union([self.value(i) for i in items])
            case ir.Span_(low=low, high=high):
                return self.value(low)[0], max(self.value(low)[0], self.value(high)[1])
            case ir.Filtered(set=outer) | ir.Ordered(set=outer) | ir.Best(set=outer):
                return self.element(outer)
            case ir.Joined(sets=sets):
                return _union([self.element(s) for s in sets])
            case ir.Mapped(binders=binders, value=value):
                for var, domain in binders:
                    self.note(var, domain)
                return self.value(value)
            case _:  # any other: whatever is of that kind
                return self.of_kind(inner.kind.of or inner.kind)

    # ----------------------------------------------------------------------------------------------- sets

    def size(self, inner: ir.Set) -> Range:
        """The least and the most a set can hold."""
        match inner:
            case ir.Listed(items=items):
                return len(items), len(items)
            case ir.Span_(low=low, high=high, step=step):
                (a, b), (c, d), (e, f) = self.value(low), self.value(high), self.value(step)
                return max(0, (c - b) // max(1, f) + 1), max(0, (d - a) // max(1, e) + 1)
            case ir.SeatsFrom(others=others):
                seats = self.world.config.seats - others
                return seats, seats
            case ir.Pieces(sorts=sorts):
                return 0, self._pieces(sorts.sorts)
            case ir.Rows(rows=rows):
                return min(map(len, rows), default=0), max(map(len, rows), default=0)
            case ir.Filtered(set=outer) | ir.Best(set=outer):
                return 0, self.size(outer)[1]
            case ir.Ordered(set=outer):
                return self.size(outer)
            case ir.Mapped(binders=binders):
                return self._product([domain for _, domain in binders])
            case ir.FlatMapped(set=outer, inner=last):
                return self._product([outer, last])
            case ir.Joined(sets=sets):
                sizes = [self.size(s) for s in sets]
                return sum(s[0] for s in sizes), sum(s[1] for s in sizes)
            case ir.Combos(amount=amount, set=outer):
                most = self._ways(self.size(outer)[1], self.value(amount)[1])
                return 0, most
            case ir.Unpacked() | ir.Kept() | ir.Chosen():
                return 0, self._at_most(inner.kind.of)
            case ir.Connected(search=search):
                return min(1, self.size(search.sources)[0]), search.net.size
            case ir.Steps(search=search):
                return 0, max(0, search.net.size - 1)
            case _:
                assert_never(inner)

    def _product(self, sets: list[ir.Set]) -> Range:
        least, most = 1, 1
        for inner in sets:
            a, b = self.size(inner)
            least, most = min(MANY, least * a), min(MANY, most * b)
        return least, most

    def _pieces(self, sorts: tuple[int, ...]) -> int:
        """How many pieces of these sorts there are in the whole game; a side that none shows counts as its other."""
        families = {self.world.sorts[s].family for s in sorts}
        return sum(sort.number for sort in self.world.sorts if sort.family in families)

    def _at_most(self, kind: Kind | None) -> int:
        if kind is None:
            return MANY
        match kind.form:
            case "seat":
                return self.world.config.seats
            case "thing" | "sort" | "enum" | "flag":
                return max(len(self.world.values(kind)), 1)
            case "piece":
                return self._pieces(tuple(self.world.categories.get(kind.name, range(len(self.world.sorts)))))
            case _:
                return MANY

    def _ways(self, most: int, amount: int) -> int:
        """Alike ones may be taken several times: of what is counted no set says how many kinds there are."""
        ways = 1
        for n in range(min(amount, most)):
            ways = ways * (most + n) // (n + 1)
            if ways >= MANY:
                return MANY
        return ways

    # ----------------------------------------------------------------------------------------------- work

    def steps(self, node: ir.Node | None) -> int:
        """At most so many steps to work something out, or to do it; questions and what they lead to not counted."""
        known = self.steps_known.get(id(node))
        if known is not None and known[0] == self.news:
            return known[1]
        before = self.news
        found = min(MANY, self._steps(node))
        if self.news == before:
            self.steps_known[id(node)] = before, found, node  # kept, so that no other takes its place
        return found

    def _steps(self, node: ir.Node | None) -> int:
        match node:
            case ir.Const() | ir.Use(at=None):
                return 1
            case ir.Aggregate(set=inner, var=var, value=value):
                self.note(var, inner)
                return self.steps(inner) + self.size(inner)[1] * (1 + (self.steps(value) if value is not None else 0))
            case ir.Filtered(set=outer, var=var, test=test):
                self.note(var, outer)
                return self.steps(outer) + self.size(outer)[1] * (1 + self.steps(test))
            case ir.Ordered(set=outer, var=var, keys=keys):
                self.note(var, outer)
                return self.steps(outer) + self.size(outer)[1] * (1 + sum(self.steps(key) for key, _ in keys))
            case ir.Best(set=outer, var=var, key=key):
                self.note(var, outer)
                return self.steps(outer) + self.size(outer)[1] * (1 + self.steps(key))
            case ir.Mapped(binders=binders, value=value):
                return self._nested(binders, self.steps(value))
            case ir.FlatMapped(set=outer, var=var, inner=last):
                self.note(var, outer)
                return self.steps(outer) + self.size(outer)[1] * (1 + self.steps(last))
            case ir.Span_() | ir.Rows() | ir.Combos() | ir.SeatsFrom() | ir.Unpacked() | ir.Kept() | ir.Chosen():
                return 1 + sum(map(self.steps, children(node))) + self.size(node)[1]
            case ir.CallValue(function=ref, args=args):
                return 1 + sum(map(self.steps, args)) + max((self._function(f) for f in functions_of(ref)), default=0)
            case ir.For(var=var, set=inner, body=body):
                self.note(var, inner)
                return self.steps(inner) + self.size(inner)[1] * (1 + self.steps(body))
            case ir.Repeat(times=times, test=test, body=body):
                return max(0, self.value(times)[1]) * (1 + self.steps(test) + self.steps(body))
            case ir.Turns(most=most, until=until, body=body):
                return max(0, self.value(most)[1]) * (1 + self.steps(until) + self.steps(body))
            case ir.Perform(procedure=ref, args=args):
                return 1 + sum(map(self.steps, args)) + max((self._procedure(p) for p in procedures_of(ref)), default=0)
            case ir.Search(sources=sources, net=net, test=test, cost=cost):
                each = 2 + self.steps(test) + self.steps(cost)
                return self.steps(sources) + self.size(sources)[1] + net.size + len(net.steps) * each
            case ir.Option() | None:
                return 0
            case (
                ir.Const() | ir.Use() | ir.Read() | ir.ZoneAt() | ir.PurseAt() | ir.Lookup() | ir.SortOf()
                | ir.PlaceOf() | ir.Only() | ir.Op() | ir.Cond() | ir.CountIn() | ir.Contains() | ir.BagCount()
                | ir.SecretOf() | ir.Listed() | ir.Pieces() | ir.Joined() | ir.SortSet() | ir.Assign()
                | ir.KeepSet() | ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet() | ir.Draw()
                | ir.Pick() | ir.Shuffle() | ir.Require() | ir.Block() | ir.If() | ir.Named() | ir.Leave()
                | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush() | ir.Decide()
                | ir.Offer() | ir.ChooseSome() | ir.Secret() | ir.Label() | ir.Bind() | ir.Way() | ir.Connected() | ir.Steps()
            ):  # as often as they stand there: once
                return 1 + sum(map(self.steps, children(node)))
            case _:
                assert_never(node)

    def _nested(self, binders: tuple[tuple[ir.Var, ir.Set], ...], inside: int) -> int:
        work = 1 + inside
        for var, domain in binders:
            self.note(var, domain)
        for _, domain in reversed(binders):
            work = self.steps(domain) + self.size(domain)[1] * (1 + work)
        return work

    def least(self, node: ir.Node | None) -> int:
        """At least so many passes of loops, whatever the position."""
        if id(node) not in self.least_known:
            self.least_known[id(node)] = 0
            self.least_known[id(node)] = min(MANY, self._least(node))
            self.kept.append(node)
        return self.least_known[id(node)]

    def _least(self, node: ir.Node | None) -> int:
        match node:
            case ir.Aggregate(how="any" | "no" | "first", set=inner):
                return 0 if isinstance(inner, ir.Filtered | ir.Mapped | ir.Span_) else self.least(inner)
            case ir.Aggregate(set=inner, var=var, value=value):
                self.note(var, inner)
                return self.least(inner) + self.size(inner)[0] * (1 + self.least(value))
            case ir.Filtered(set=outer, var=var, test=part) | ir.Best(set=outer, var=var, key=part):
                self.note(var, outer)
                return self.least(outer) + self.size(outer)[0] * (1 + self.least(part))
            case ir.Mapped(binders=binders, value=value):
                work = self.least(value)
                for var, domain in binders:
                    self.note(var, domain)
                for _, domain in reversed(binders):
                    work = self.least(domain) + self.size(domain)[0] * (1 + work)
                return work
            case ir.FlatMapped(set=outer, var=var, inner=last):
                self.note(var, outer)
                return self.least(outer) + self.size(outer)[0] * (1 + self.least(last))
            case ir.Op(op="and" | "or", args=args):
                return self.least(args[0])
            case ir.Cond(test=test, yes=yes, no=no) | ir.If(test=test, yes=yes, no=no):
                return self.least(test) + min(self.least(yes), self.least(no))
            case ir.CallValue(function=ref, args=args):
                return sum(map(self.least, args)) + min((self.least(f.body) for f in functions_of(ref)), default=0)
            case ir.For(var=var, set=inner, body=body):
                self.note(var, inner)
                return self.least(inner) + self.size(inner)[0] * (1 + self.least(body))
            case ir.Repeat(times=times, test=None, body=body):
                return max(0, self.value(times)[0]) * (1 + self.least(body))
            case ir.Perform(procedure=ref):
                return min((self.least(p.body) for p in procedures_of(ref)), default=0)
            case ir.Repeat() | ir.Turns() | ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret() | ir.Leave() | None:
                return 0
            case ir.Search():  # it may be known from before
                return 0
            case (
                ir.Const() | ir.Use() | ir.Read() | ir.ZoneAt() | ir.PurseAt() | ir.Lookup() | ir.SortOf()
                | ir.PlaceOf() | ir.Only() | ir.Op() | ir.CountIn() | ir.Contains() | ir.BagCount() | ir.SecretOf()
                | ir.Listed() | ir.Span_() | ir.SeatsFrom() | ir.Pieces() | ir.Rows() | ir.Joined() | ir.Ordered()
                | ir.Chosen() | ir.Kept() | ir.Combos() | ir.Unpacked() | ir.SortSet() | ir.Assign() | ir.KeepSet()
                | ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet() | ir.Draw() | ir.Pick()
                | ir.Shuffle() | ir.Require() | ir.Block() | ir.Named() | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record()
                | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush() | ir.Label() | ir.Bind() | ir.Option()
                | ir.Way() | ir.Connected() | ir.Steps()
            ):  # their parts, once
                return sum(self.least(part) for part in children(node))
            case _:
                assert_never(node)

    def options(self, option: ir.Option) -> int:
        """At most so many steps to make one option for all that it ranges over."""
        for bind in option.binds:
            self.note(bind.var, bind.set)
        work = 1 + sum(self.steps(demand.test) for demand in option.tests)
        for bind in reversed(option.binds):
            work = self.steps(bind.set) + self.size(bind.set)[1] * (1 + self.steps(bind.test) + work)
        return min(MANY, work)

    def _function(self, function: ir.Function) -> int:
        if function not in self.work:
            self.work[function] = 0
            self.work[function] = self.steps(function.body)
        return self.work[function]

    def _procedure(self, procedure: ir.Procedure) -> int:
        if procedure not in self.work:
            self.work[procedure] = 0
            self.work[procedure] = self.steps(procedure.body)
        return self.work[procedure]


def _in_order(node: ir.Node) -> Iterator[ir.Node]:
    """A block and the moves in it, as they are written."""
    yield node
    for move in moves_in(node):
        yield from _in_order(move)


def bounds(e: ir.Lookup, position: int = 0) -> Range:
    """The first and the last index of a table that has an entry, in this place of its indexes."""
    least, most = _bounds(e.rows, position)
    return (least + e.low[position], most + e.low[position]) if least <= most else (0, -1)


@lru_cache(1024)
def _bounds(rows: tuple[object, ...], position: int) -> Range:
    found = [n for row in _rows_at(rows, position) for n, entry in enumerate(row) if entry not in (None, ())]
    return (min(found), max(found)) if found else (0, -1)


def _rows_at(rows: object, position: int) -> list[tuple[object, ...]]:
    """All rows of one index."""
    found = [rows] if isinstance(rows, tuple) else []
    for _ in range(position):
        found = [row for outer in found for row in outer if isinstance(row, tuple)]
    return found


@lru_cache(1024)
def _has_holes(rows: tuple[object, ...], position: int) -> bool:
    """Whether some row lacks an entry that another has, or one in its middle."""
    least, most = _bounds(rows, position)
    there = [row for row in _rows_at(rows, position) if row]
    return any(n >= len(row) or row[n] in (None, ()) for row in there for n in range(least, most + 1))


def has_holes(e: ir.Lookup) -> bool:
    """Whether a table lacks entries between others, or some of its rows are shorter: then its bounds do not tell what is there."""
    return any(_has_holes(e.rows, position) for position in range(len(e.at)))


def no_entry(e: ir.Lookup, position: int = 0) -> str:
    """What is said where an index, to be put in the place of `{}`, has no entry."""
    least, most = bounds(e, position)
    what = {"seat": "there is no seat {}", "thing": f"there is no {e.kind.name} {{}}"}
    if e.kind.form in what:
        return what[e.kind.form] + f": they go from {least} to {most}"
    which = f" in place {position + 1}" if len(e.at) > 1 else ""
    return f"the table `{e.name}` has no entry for {{}}{which}: its entries go from {least} to {most}"


def _numbers(rows: object) -> list[int]:
    if isinstance(rows, int):
        return [rows]
    if isinstance(rows, tuple):
        return [n for row in rows for n in _numbers(row)]
    return []


def _is_full(rows: object) -> bool:
    """Whether a table has all its entries; what becomes of one that is missing is found out while it runs."""
    return all(map(_is_full, rows)) if isinstance(rows, tuple) else rows is not None


def _union(ranges: list[Range]) -> Range:
    if not ranges:
        return 0, 1
    return min(r[0] for r in ranges), max(r[1] for r in ranges)


def _kept(found: Range) -> Range:
    """What is worked out is looked at when it is kept or given back: nothing larger goes on."""
    return max(found[0], -LARGEST), min(found[1], LARGEST)
