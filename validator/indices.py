"""Indices stay inside of what they point into: tables, seats by their number, things by theirs.

    price(round)                            # E306 where `round` goes from 0 to 9 and the table from 1 to 3
    if round in 1 .. 3: gain price(round)   # fine: asked before

What is declared bounds an index (a counter, the pieces there are, a range that is gone through), and so does whatever has
been asked on the way to it. Where nothing bounds it on one side, the game tells in play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import Reads, effect_of, touches
from ichiba.dsl.rules.extent import LARGEST, Extents, Range, bounds
from ichiba.dsl.rules.walks import children, functions_of, procedures_of, steps
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Member, World

Known = dict[ir.Exp | ir.Var, Range]  # what has been asked on the way: between what a value is
UNBOUND = LARGEST // 2  # so far goes what nothing bounds
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_DENIED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}


def _of_the_library(home: str) -> bool:
    """A shared mechanism takes whatever table it is given: what that lacks is told in play, and never in a file of ours."""
    return home.startswith("library")


class Asked(Extents):
    """Bounds of values, narrowed by what has been asked before."""

    def __init__(self, world: World):
        super().__init__(world)
        self.known: Known = {}

    def value(self, e: ir.Exp) -> Range:
        low, high = super().value(e)
        if isinstance(e, ir.Op) and e.op == "+":
            high = min(high, self.highest(e))
        asked = self.known.get(e.var if isinstance(e, ir.Use) and e.at is None else e)
        return (low, high) if asked is None else _both((low, high), asked)

    def of_kind(self, kind: Kind) -> Range:
        """A seat, thing, sort or word is one of them; only what may be none can be none."""
        domain = None if kind.optional or kind.form == "number" else self.world.domain(kind)
        return (domain[0], domain[0] + domain[1] - 1) if domain is not None and domain[1] else super().of_kind(kind)

    def highest(self, e: ir.Op) -> int:
        """`a + min(b, 4 - a)` is at most 4, whatever `a` and `b` are."""
        found = UNBOUND * 2
        for one, other in (e.args, e.args[::-1]):
            smaller = self.meant.get(other.var) if isinstance(other, ir.Use) and other.at is None else other
            if isinstance(smaller, ir.Op) and smaller.op == "min":
                for part in smaller.args:
                    if isinstance(part, ir.Op) and part.op == "-" and part.args[1] == one:
                        found = min(found, self.value(part.args[0])[1])
        return found

    meant: dict[ir.Var, ir.Exp] = {}

    def _result(self, function: ir.Function) -> Range:
        """What a value gives hangs on nothing that its caller knows."""
        mine, self.known = self.known, {}
        try:
            return super()._result(function)
        finally:
            self.known = mine


class Indices:
    """Goes through all rules in their order, with what is known at each place."""

    def __init__(self, program: ir.Program, faults: Faults):
        self.program, self.faults = program, faults
        self.extents = Asked(program.world)
        self.reads = Reads()
        self.changes: dict[int, frozenset[Member]] = {}
        self.seen: set[ir.Function] = set()
        self.todo: list[ir.Function] = []
        self.kept: list[object] = []

    def judge(self) -> None:
        for procedure in self.program.procedures:
            if procedure.body is not None and not _of_the_library(procedure.home):
                self.extents.meant = {s.var: s.value for s in steps(procedure.body) if isinstance(s, ir.Assign) and s.at is None}
                self.block(procedure.body, {})
        for watcher in self.program.watchers.values():
            self.exp(watcher.test, self.inside(watcher.set, {}) if watcher.set is not None else {})
        for preferences in self.program.policies.values():
            for preference in preferences:
                known = self.binders(preference.binders, {})
                if preference.when is not None:
                    self.exp(preference.when, known)
                    known = self.narrowed(preference.when, True, known)
                self.exp(preference.weight, known)
                if preference.nearest is not None:
                    self.exp(preference.nearest, known)
        self.todo += [*self.program.invariants, *(function for function, _ in self.program.ranking)]
        while self.todo:
            self.function(self.todo.pop())

    def function(self, function: ir.Function) -> None:
        if function in self.seen or _of_the_library(function.home):
            return
        self.seen.add(function)
        if isinstance(function.body, ir.Block):
            self.extents.meant = {s.var: s.value for s in steps(function.body) if isinstance(s, ir.Assign) and s.at is None}
            self.block(function.body, {})
        else:
            self.any(function.body, {})

    # -------------------------------------------------------------------------------------- expressions

    def any(self, node: object, known: Known) -> None:
        if isinstance(node, ir.EXP_CLASSES):
            self.exp(node, known)
        elif isinstance(node, ir.SET_CLASSES):
            self.inside(node, known)
        elif isinstance(node, ir.Search):
            self.any(node.sources, known)
            if node.test is not None:
                self.exp(node.test, known)
                known = self.narrowed(node.test, True, known)
            self.any(node.cost, known)
        elif node is not None:
            for part in children(node):
                self.any(part, known)

    def exp(self, e: ir.Exp, known: Known) -> None:
        match e:
            case ir.Op(op="and" | "or" as op, args=args):
                for arg in args:
                    self.exp(arg, known)
                    known = self.narrowed(arg, op == "and", known)
            case ir.Cond(test=test, yes=yes, no=no):
                self.exp(test, known)
                self.exp(yes, self.narrowed(test, True, known))
                self.exp(no, self.narrowed(test, False, known))
            case ir.Aggregate(set=inner, var=var, value=value):
                within = self.inside(inner, known, var)
                if value is not None:
                    self.exp(value, within)
            case ir.CallValue(function=ref, args=args):
                self.todo.extend(functions_of(ref))
                for given in args:
                    self.any(given, known)
            case ir.Lookup(at=at):
                for index in at:
                    self.exp(index, known)
                self.lookup(e, known)
            case _:  # any other: its parts are looked at one after another
                for part in children(e):
                    self.any(part, known)

    def inside(self, inner: ir.Set, known: Known, var: ir.Var | None = None) -> Known:
        """Looks at a set, and says what is known of its members by the name that they go by."""
        match inner:
            case ir.Filtered(set=outer, var=own, test=test):
                within = self.inside(outer, known, own)
                self.exp(test, within)
                known = self.narrowed(test, True, within)
                own_range = known.get(own)
                if var is not None and var is not own and own_range is not None:
                    return known | {var: own_range}
                return known
            case ir.Ordered(set=outer, var=own, keys=keys):
                within = self.inside(outer, known, own)
                for key, _ in keys:
                    self.exp(key, within)
            case ir.Best(set=outer, var=own, key=key):
                self.exp(key, self.inside(outer, known, own))
            case ir.Mapped(binders=binders, value=value):
                self.exp(value, self.binders(binders, known))
            case ir.FlatMapped(set=outer, var=own, inner=last):
                self.inside(last, self.inside(outer, known, own))
            case _:  # any other: its parts are looked at one after another
                for part in children(inner):
                    self.any(part, known)
        if var is None:
            return known
        self.extents.known = known
        return known | {var: self.extents.element(inner)}

    def binders(self, binders: Iterable[tuple[ir.Var, ir.Set]], known: Known) -> Known:
        for var, domain in binders:
            known = self.inside(domain, known, var)
        return known

    def narrowed(self, test: ir.Exp, holds: bool, known: Known) -> Known:
        """What is known besides where a condition holds, or where it does not."""
        match test:
            case ir.Op(op="not", args=(inner,)):
                return self.narrowed(inner, not holds, known)
            case ir.Op(op="and" | "or" as op, args=args) if (op == "and") == holds:
                for arg in args:
                    known = self.narrowed(arg, holds, known)
                return known
            case ir.Op(op=op, args=(one, other)) if op in _TURNED:
                said = op if holds else _DENIED[op]
                return self.compared(_TURNED[said], other, one, self.compared(said, one, other, known))
            case ir.Contains(set=ir.Span_(low=low, high=high), item=item) if holds:
                self.extents.known = known
                return self.between(item, (self.extents.value(low)[0], self.extents.value(high)[1]), known)
            case _:  # any other: nothing more is known
                return known

    def compared(self, op: str, one: ir.Exp, other: ir.Exp, known: Known) -> Known:
        if one.kind.form != "number" or isinstance(one, ir.Const):
            return known
        self.extents.known = known
        (low, high), (a, b) = self.extents.value(one), self.extents.value(other)
        match op:
            case "<":
                high = min(high, b - 1)
            case "<=":
                high = min(high, b)
            case ">":
                low = max(low, a + 1)
            case ">=":
                low = max(low, a)
            case "=":
                low, high = max(low, a), min(high, b)
            case "!=" if a == b:
                low, high = low + (low == a), high - (high == a)
        return self.between(one, (low, high), known)

    def between(self, e: ir.Exp, found: Range, known: Known) -> Known:
        if found[0] > found[1]:
            return known  # it never comes to this
        known = known | {e.var if isinstance(e, ir.Use) and e.at is None else e: found}
        match e:
            case ir.Op(op="+", args=(inner, ir.Const(value=n))):
                return self.between(inner, (found[0] - n, found[1] - n), known)
            case ir.Op(op="-", args=(inner, ir.Const(value=n))):
                return self.between(inner, (found[0] + n, found[1] + n), known)
            case _:  # any other: nothing follows from it
                return known

    # --------------------------------------------------------------------------------------- statements

    def block(self, block: ir.Block, known: Known) -> Known:
        for statement in block.body:
            known = self.statement(statement, known)
        return known

    def statement(self, s: ir.Stm, known: Known) -> Known:
        match s:
            case ir.Assign(var=var, value=value, at=None):
                self.exp(value, known)
                self.extents.known = known
                return self.without(known, var) | {var: self.extents.value(value)}
            case ir.Write(place=place, value=value):
                self.any(place, known)
                self.exp(value, known)
                self.extents.known = known
                low, high = _both(self.extents.value(value), self.extents.of_place(place))
                known = self.after(s, known)
                return known | {place: (low, high)} if low <= high and place.kind.form == "number" else known
            case ir.Require(test=test, reason=reason):
                self.exp(test, known)
                self.any(reason, known)
                return self.narrowed(test, True, known)
            case ir.Block():
                return self.block(s, known)
            case ir.Named(body=body):
                self.block(body, known)
                return self.after(s, known)
            case ir.If(test=test, yes=yes, no=no):
                return self.branches(s, test, yes, no, known)
            case ir.For(var=var, set=inner, body=body):
                again = self.after(s, known)
                self.inside(inner, known)
                self.block(body, self.inside(inner, again, var))
                return again
            case ir.Repeat(times=times, test=test, body=body):
                self.exp(times, known)
                known = self.after(s, known)
                if test is not None:
                    self.exp(test, known)
                self.block(body, known if test is None else self.narrowed(test, True, known))
                return known
            case ir.Turns(first=first, until=until, most=most, body=body):
                self.any((first, most), known)
                known = self.after(s, known)
                self.any(until, known)
                self.block(body, known if until is None else self.narrowed(until, False, known))
                return known
            case ir.Secret(seats=seats, body=body):
                self.inside(seats, known)
                known = self.after(s, known)
                self.block(body, known)
                return known
            case ir.Decide():
                return self.decide(s, known)
            case ir.Offer(decide=decide, count=count, condition=condition):
                self.any(count, known)
                known = self.after(s, known)
                self.any(condition, known)
                self.decide(decide, known if condition is None else self.narrowed(condition, True, known))
                return known
            case (
                ir.Assign() | ir.KeepSet() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet() | ir.Draw()
                | ir.Pick() | ir.Shuffle() | ir.Perform() | ir.Leave() | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record()
                | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush() | ir.ChooseSome()
            ):  # fmt: skip
                for part in children(s):
                    self.any(part, known)
                return self.after(s, self.picked(s, known))
            case _:
                assert_never(s)

    def picked(self, s: ir.Stm, known: Known) -> Known:
        """A name for one of a set."""
        if isinstance(s, ir.Pick):
            self.extents.known = known
            return self.without(known, s.var) | {s.var: self.extents.element(s.set)}
        if isinstance(s, ir.Perform):
            for var in s.results:
                known = self.without(known, var)
        return known

    def branches(self, s: ir.If, test: ir.Exp, yes: ir.Block, no: ir.Block, known: Known) -> Known:
        self.exp(test, known)
        self.block(yes, self.narrowed(test, True, known))
        self.block(no, self.narrowed(test, False, known))
        behind = self.after(s, known)
        if _leaves(yes):
            return self.after(s, self.narrowed(test, False, known))
        if _leaves(no):
            return self.after(s, self.narrowed(test, True, known))
        return behind

    def decide(self, s: ir.Decide, known: Known) -> Known:
        self.any((s.seat, s.prompt), known)
        for option in s.options:
            within = known
            for bind in option.binds:
                within = self.inside(bind.set, within, bind.var)
                if bind.test is not None:
                    self.exp(bind.test, within)
                    within = self.narrowed(bind.test, True, within)
            for demand in option.tests:
                self.any(demand, within)
                within = self.narrowed(demand.test, True, within)
            self.any((option.label, option.keys), within)
            self.block(option.body, within)
        if s.otherwise is not None:
            self.block(s.otherwise, known)
        if len(s.options) == 1 and s.otherwise is None:
            known = within
        return self.after(s, known)

    # --------------------------------------------------------------------------------- what stays known

    def after(self, s: ir.Stm, known: Known) -> Known:
        """What is still known when this has been done, however often."""
        written = self.written(s)
        names = {n.var for n in steps(s) if isinstance(n, ir.Assign | ir.Pick | ir.Bind)} if written is not None else set()
        if isinstance(s, ir.Pick):
            names = set()
        return {
            e: found
            for e, found in known.items()
            if not (e in names if isinstance(e, ir.Var) else touches(written, self.reads.of(e)) or names & _variables(e))
        }

    def without(self, known: Known, var: ir.Var) -> Known:
        return {e: found for e, found in known.items() if not (e is var if isinstance(e, ir.Var) else var in _variables(e))}

    def written(self, s: object) -> frozenset[Member]:
        """All that a move writes, and what it performs, and the rules that watch."""
        if id(s) not in self.changes:
            self.changes[id(s)] = frozenset()
            self.kept.append(s)
            found: set[Member] = set()
            for node in steps(s):
                effect = effect_of(node)
                found |= effect.writes
                woken = (self.program.watchers[rule].procedure for rule in effect.wakes if rule in self.program.watchers)
                done = procedures_of(effect.performs) if effect.performs is not None else ()
                for procedure in (*woken, *done):
                    found |= self.written(procedure.body) if procedure.body is not None else set()
            self.changes[id(s)] = frozenset(found)
        return self.changes[id(s)]

    # ------------------------------------------------------------------------------------------- judging

    def lookup(self, e: ir.Lookup, known: Known) -> None:
        if e.span is None:
            return
        self.extents.known = known
        for position, index in enumerate(e.at):
            if index.kind.form == "number":
                least, most = bounds(e, position)
                self.hold(e, e.span, self.extents.value(index), (least, most), position)

    def hold(self, e: ir.Lookup, span: Span, found: Range, entries: Range, position: int) -> None:
        (low, high), (least, most) = found, entries
        below, above = -UNBOUND < low < least, most < high < UNBOUND
        if not below and not above:
            return
        said = [f"down to {low}" if below else "", f"up to {high}" if above else ""]
        if low > -UNBOUND and high < UNBOUND:
            said = [f"from {low} to {high}" if low < high else f"to {low}"]
        which = "this index" if len(e.at) == 1 else f"index {position + 1}"
        clip = f"max({least}, …)" if below and not above else f"min({most}, …)" if above and not below else "`min` and `max`"
        label = f"ask before whether it is in {least} .. {most}, or clip it" + (f": `{clip}`" if "…" in clip else f" with {clip}")
        self.faults.add("E306", span, f"{which} goes {' and '.join(filter(None, said))}, but {_where(e)} from {least} to {most}", label=label)


def _where(e: ir.Lookup) -> str:
    match e.kind.form:
        case "seat":
            return "the seats go"
        case "thing":
            return f"the {plural(e.kind.name)} go"
        case _:
            return f"the entries of the table `{e.name}` go"


def _both(a: Range, b: Range) -> Range:
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else a


def _leaves(block: ir.Block) -> bool:
    return bool(block.body) and isinstance(block.body[-1], ir.Leave | ir.GiveBack)


def _variables(e: object) -> set[ir.Var]:
    found, todo = set(), [e]
    while todo:
        node = todo.pop()
        if isinstance(node, ir.Use):
            found.add(node.var)
        todo.extend(children(node))
    return found


__all__ = ["Indices"]
