"""What can be said of an option before it is taken: the requirements that its body will meet, looked for in advance.

An option whose body can fail must be tried before it is offered. Trying costs a copy of the state; but most bodies fail
only for reasons that are already plain: nothing that is done before a requirement writes what it reads. Such a
requirement becomes one more test of the option, a question without `otherwise` becomes "there is an answer to it", and
an option of which everything is foreseen need not be tried at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from ichiba.dsl import ir
from ichiba.dsl.effects import ANY_ZONE, PLACES, Reads, procedures_of, walk, writes_of
from ichiba.dsl.kinds import FLAG, Kind
from ichiba.dsl.source import Span
from ichiba.dsl.world import Member
from ichiba.interpreter.variables import variables_in

DEEPEST = 8  # procedures performed by each other
LONGEST = 400  # parts of all that is foreseen of one option; what is longer is found out by trying

Node = TypeVar("Node")


@dataclass
class Path:
    """What has happened on the way through a body, as far as it is known."""

    known: dict[ir.Var, ir.Exp] = field(default_factory=dict)  # variables whose value can be said as it was before
    lost: set[ir.Var] = field(default_factory=set)  # variables that got another value
    written: set[Member] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)  # sorts of which pieces have changed places
    certain: bool = True  # whether control is sure to come here
    over: bool = False  # whether it never comes any further
    whole: bool = True  # whether everything that could fail is foreseen
    tests: list[ir.Demand] = field(default_factory=list)

    def fork(self) -> Path:
        return Path(
            dict(self.known), set(self.lost), set(self.written), set(self.moved), self.certain, self.over, self.whole
        )

    def join(self, others: Iterable[Path]) -> None:
        """After ways that meet again: what any of them has done has perhaps been done."""
        others = list(others)
        for other in others:
            self.lost |= other.lost | {v for v, e in other.known.items() if self.known.get(v, e) is not e}
            self.lost |= set(other.known) - set(self.known)
            self.written |= other.written
            self.moved |= other.moved
            self.whole = self.whole and other.whole
            self.certain = self.certain and other.certain and not other.over
        self.over = bool(others) and all(other.over for other in others)


class Foresight:
    """Looks ahead into the options of a program."""

    def __init__(self, program: ir.Program):
        self.program = program
        self.world = program.world
        self.reads = Reads()
        self.done: dict[ir.Procedure, tuple[frozenset[Member], frozenset[int]]] = {}
        self.notes = frozenset(
            m for kind in self.world.kinds.values() for m in kind.members.values() if m.form == "note" and m.size
        )

    def of(self, decide: ir.Decide, option: ir.Option) -> tuple[tuple[ir.Demand, ...], bool]:
        """What an option's body will require, said beforehand; and whether nothing else can go wrong in it."""
        path = Path()
        self.seat = decide.seat
        self._block(option.body, path, 0, first=True)
        tests = tuple(path.tests)
        if sum(1 for test in tests for _ in walk(test.test)) > LONGEST:
            return (), False
        return tests, path.whole

    # ---------------------------------------------------------------------------------------- statements

    def _block(self, block: ir.Block, path: Path, depth: int, first: bool = False) -> None:
        paying = first
        for s in block.body:
            if path.over:
                return
            if paying and isinstance(s, ir.Decide) and s.name == "pay":
                self._done(s, path)  # that it can be paid is one of the tests already
            else:
                self._statement(s, path, depth)
            paying = paying and isinstance(s, ir.Write)

    def _statement(self, s: ir.Stm, path: Path, depth: int) -> None:
        match s:
            case ir.Block():
                self._block(s, path, depth)
            case ir.Named(body=body):
                self._named(s.name, body, path, depth)
            case ir.Demand():
                self._require(s.test, path, s)
            case ir.Transfer():
                self._transfer(s, path)
            case ir.Assign(var=var, value=value, at=at):
                self._assign(var, value if at is None and var.width == 1 else None, path)
            case ir.KeepSet(var=var):
                path.lost.add(var)
            case ir.If():
                self._if(s, path, depth)
            case ir.For() | ir.Repeat() | ir.Turns():
                self._loop(s, path, depth)
            case ir.Perform():
                self._perform(s, path, depth)
            case ir.LeaveTo() | ir.GiveBack():
                path.over = True
            case ir.Decide():
                self._decide(s, path, depth)
            case ir.Offer():
                self._offer(s, path, depth)
            case ir.ChooseBag(otherwise=otherwise):
                path.whole = path.whole and otherwise is not None
                self._done(s, path)
            case ir.Secret():
                path.over = path.certain  # others answer: as far as one looks
                self._done(s, path)
            case ir.DrawSome() | ir.PickRandom() | ir.ShuffleZone() | ir.Watch():
                if isinstance(s, ir.Watch) and self._watch_may_fail(s):
                    path.whole = False
                self._done(s, path)
            case _:
                self._done(s, path)

    def _named(self, name: str, body: ir.Block, path: Path, depth: int) -> None:
        """A block that may be left: from there on nothing in it is sure to happen, behind it everything is again."""
        leaves = any(isinstance(n, ir.LeaveTo) and n.name == name for n in walk(body))
        if not leaves:
            self._block(body, path, depth)
            return
        inside = path.fork()
        inside.certain = False
        self._block(body, inside, depth)
        inside.over = False
        certain = path.certain
        path.join([inside])
        path.certain = certain

    def _assign(self, var: ir.Var, value: ir.Exp | None, path: Path) -> None:
        said = None if value is None else self._before(value, path)
        if said is None or var in path.known or var in path.lost:
            path.lost.add(var)
            path.known.pop(var, None)
        else:
            path.known[var] = said

    def _transfer(self, s: ir.Transfer, path: Path) -> None:
        if s.tail == "in_full" and s.span is not None and isinstance(s.source, ir.PurseAt) and not s.source.member.unlimited:
            held = ir.Read(s.source.member, s.source.at, s.source.member.kind)
            if not (isinstance(s.amount, ir.Read) and s.amount == held):
                test = ir.Op(">=", (held, s.amount), FLAG)
                self._require(test, path, ir.Demand(test, None, "derived", s.span))
        elif s.tail == "in_full" and not isinstance(s.source, ir.PurseAt):
            path.whole = False
        self._done(s, path)

    def _require(self, test: ir.Exp, path: Path, demand: ir.Demand | None) -> None:
        said = self._before(test, path) if path.certain else None
        if said is None:
            path.whole = False
        else:
            span: Span | None = demand.span if demand is not None else None
            path.tests.append(ir.Demand(said, None, "foreseen", span))

    def _if(self, s: ir.If, path: Path, depth: int) -> None:
        yes, no = path.fork(), path.fork()
        self._block(s.yes, yes, depth)
        self._block(s.no, no, depth)
        if yes.tests or no.tests:
            test = self._before(s.test, path)
            if test is None or not path.certain:
                path.whole = False
            else:
                both = ir.Cond(test, _all(yes.tests), _all(no.tests), FLAG)
                path.tests.append(ir.Demand(both, None, "foreseen", s.span))
        path.join([yes, no])

    def _loop(self, s: ir.For | ir.Repeat | ir.Turns, path: Path, depth: int) -> None:
        """What a loop does is perhaps done already when its body begins."""
        self._done(s, path)
        inside = path.fork()
        inside.certain = False
        self._block(s.body, inside, depth)
        certain = path.certain and not any(isinstance(n, ir.LeaveTo | ir.GiveBack) for n in walk(s.body))
        path.whole = path.whole and inside.whole
        path.certain = certain

    def _perform(self, s: ir.Perform, path: Path, depth: int) -> None:
        ref = s.procedure
        path.lost.update(s.results)
        if depth >= DEEPEST:
            path.whole = path.whole and not _may_fail_at_all(s)
            self._done(s, path)
            return
        if ref.by is None or not ref.cases:
            if ref.default is not None:
                self._enter(ref.default, s.args, path, depth)
            return
        chooser = self._before(s.args[ref.by], path)
        if isinstance(chooser, ir.Const):
            chosen = ref.cases.get(chooser.value, ref.default)
            if chosen is not None:
                self._enter(chosen, s.args, path, depth)
            return
        ways: list[Path] = []
        for value, procedure in ref.cases.items():
            way = path.fork()
            self._enter(procedure, s.args, way, depth)
            ways.append(way)
            if way.tests:
                if chooser is None or not path.certain:
                    path.whole = False
                    continue
                other = ir.Op("!=", (chooser, ir.Const(value, chooser.kind)), FLAG)
                path.tests.append(ir.Demand(ir.Op("or", (other, _all(way.tests)), FLAG), None, "foreseen", s.span))
        rest = path.fork()
        if ref.default is not None:
            self._enter(ref.default, s.args, rest, depth)
            if rest.tests:
                path.whole = False
        path.join([*ways, rest])

    def _enter(self, procedure: ir.Procedure, args: tuple[ir.Exp, ...], path: Path, depth: int) -> None:
        if procedure.body is None:
            return
        for param, arg in zip(procedure.params, args, strict=True):
            path.known.pop(param, None)
            path.lost.discard(param)
            said = self._before(arg, path)
            if said is None:
                path.lost.add(param)
            else:
                path.known[param] = said
        inside_over = path.over
        self._block(procedure.body, path, depth + 1)
        if path.over and not inside_over and _gives_back(procedure.body):
            path.over = False  # it has only come back early

    # ----------------------------------------------------------------------------------------- questions

    def _decide(self, s: ir.Decide, path: Path, depth: int) -> None:
        if not self._same_seat(s.seat, path):
            # as far as one looks, if it is another's; if it is not, it is found out by trying
            path.whole = path.whole and always(s.options) and not any(_may_fail_at_all(o.body) for o in s.options)
            self._done(s, path)
            return
        if s.otherwise is not None:
            rest = path.fork()
            rest.certain = False
            self._block(s.otherwise, rest, depth)
            path.whole = path.whole and rest.whole
        elif not always(s.options):
            there = self._some(s.options, path, depth)
            if there is None or not path.certain:
                path.whole = False
            else:
                path.tests.append(ir.Demand(there, None, "foreseen", s.span))
        self._done(s, path)
        if any(isinstance(n, ir.LeaveTo | ir.GiveBack) for o in s.options for n in walk(o.body)):
            path.certain = False

    def _offer(self, s: ir.Offer, path: Path, depth: int) -> None:
        options = s.decide.options
        if s.times == "at_least_once":
            options = [o for o in options if not o.ends]
        if not self._same_seat(s.decide.seat, path):
            path.whole = False
        elif s.decide.otherwise is not None:
            path.whole = path.whole and not _may_fail_at_all(s.decide.otherwise)
        elif s.times in ("once", "until_done", "at_least_once"):
            if not always(options):
                there = self._some(options, path, depth)
                if there is not None and s.condition is not None:
                    going = self._before(s.condition, path)
                    there = None if going is None else ir.Op("or", (ir.Op("not", (going,), FLAG), there), FLAG)
                if there is None or not path.certain:
                    path.whole = False
                else:
                    path.tests.append(ir.Demand(there, None, "foreseen", s.decide.span))
            if s.times != "once" and not any(o.ends and not o.tests for o in s.decide.options):
                path.whole = False  # who could begin must be able to end
        else:
            path.whole = False
        self._done(s, path)
        if any(isinstance(n, ir.LeaveTo | ir.GiveBack) for o in options for n in walk(o.body)):
            path.certain = False

    def _some(self, options: list[ir.Option], path: Path, depth: int) -> ir.Exp | None:
        """That one of these could be answered, as it can be said beforehand."""
        ways: list[ir.Exp] = []
        for option in options:
            own = path.fork()
            for bind in option.binds:
                own.known.pop(bind.var, None)
                own.lost.discard(bind.var)
            own.certain = True
            own.whole = True
            self._block(option.body, own, depth, first=True)
            if not own.whole:
                return None
            fresh = {bind.var: ir.Var(bind.var.name, bind.var.kind) for bind in option.binds}
            held = dict(path.known)
            path.known.update({var: ir.Use(new, new.kind) for var, new in fresh.items()})
            tests = [self._before(d.test, path) for d in option.tests]
            # what the body requires has been said in terms of the binders themselves
            inner = [renamed(d.test, {v: ir.Use(n, n.kind) for v, n in fresh.items()}) for d in own.tests]
            sets = [self._before(cast(ir.Exp, bind.set), path) for bind in option.binds]
            wheres = [None if b.test is None else self._before(b.test, path) for b in option.binds]
            path.known = held
            if any(t is None for t in tests) or any(s is None for s in sets):
                return None
            if any(w is None and b.test is not None for w, b in zip(wheres, option.binds, strict=True)):
                return None
            ways.append(_any_of(option, fresh, cast(Any, sets), wheres, [*cast("list[ir.Exp]", tests), *inner]))
        made = ways[0] if ways else ir.Const(0, FLAG)
        for way in ways[1:]:
            made = ir.Op("or", (made, way), FLAG)
        return made

    def _same_seat(self, seat: ir.Exp, path: Path) -> bool:
        return self._before(seat, path) == self.seat

    # ------------------------------------------------------------------------------- what was before

    def _before(self, e: ir.Exp, path: Path) -> ir.Exp | None:
        """The same, said of the state before the option is taken; None when that is not the same."""
        for var in variables_in([e]):
            if var in path.lost:
                return None
        said = renamed(e, path.known)
        if any(var in path.known for var in variables_in([said])):
            return None  # a set that a variable holds has no other name
        return None if self._changed(said, path) else said

    def _changed(self, e: ir.Exp, path: Path) -> bool:
        if not path.written and not path.moved:
            return False
        reads = self.reads.of(e)
        if reads & path.written:
            return True
        if not path.moved:
            return False
        if any(m.form == "zone" and path.moved.intersection(m.sorts) for m in reads):
            return True
        return PLACES in reads and not any(m.form == "zone" for m in reads) or bool(reads & self.notes)

    # ------------------------------------------------------------------------------------- what is done

    def _done(self, s: object, path: Path) -> None:
        written, moved = self._writes(s)
        path.written |= written
        path.moved |= moved
        for node in walk(s):
            match node:
                case ir.Assign(var=var) | ir.KeepSet(var=var) | ir.PickRandom(var=var) | ir.For(var=var):
                    path.lost.add(var)
                case ir.DrawSome(var=drawn) if drawn is not None:
                    path.lost.add(drawn)
                case ir.Turns(me=me):
                    path.lost.add(me)
                case ir.Perform(results=results):
                    path.lost.update(results)
                case ir.Option(binds=binds):
                    path.lost.update(bind.var for bind in binds)
                case ir.ChooseBag(bag=bag):
                    path.lost.add(bag)

    def _writes(self, s: object) -> tuple[set[Member], set[int]]:
        """Members that are written, and sorts that are moved; procedures and triggers entered."""
        written: set[Member] = set()
        moved: set[int] = set()
        for node in walk(s):
            match node:
                case ir.Perform(procedure=ref):
                    for procedure in procedures_of(ref):
                        more, sorts = self._writes_of(procedure)
                        written |= more
                        moved |= sorts
                case ir.Watch(rules=rules):
                    for name in rules:
                        watcher = self.program.watchers.get(name)
                        for known in [watcher] if watcher is not None else self.program.watchers.values():
                            more, sorts = self._writes_of(known.procedure)
                            written |= more | {known.state}
                            if known.pending is not None:
                                written.add(known.pending)
                            moved |= sorts
                case (
                    ir.Write()
                    | ir.Transfer()
                    | ir.MoveSome()
                    | ir.MovePiece()
                    | ir.MoveSet()
                    | ir.DrawSome()
                    | ir.ShuffleZone()
                    | ir.Reset()
                ):
                    written |= writes_of(node) - {PLACES, ANY_ZONE}
                    moved |= self._sorts(node)
                case ir.ScoreLine():
                    written.add(self.world.seat["score"])
                case ir.EndAs():
                    written.add(self.world.table["ending"])
        return written, moved

    def _writes_of(self, procedure: ir.Procedure) -> tuple[frozenset[Member], frozenset[int]]:
        if procedure not in self.done:
            self.done[procedure] = frozenset(), frozenset()  # nothing performs itself
            if procedure.body is not None:
                written, moved = self._writes(procedure.body)
                self.done[procedure] = frozenset(written), frozenset(moved)
        return self.done[procedure]

    def _sorts(self, s: object) -> set[int]:
        """What a move can take with it."""
        match s:
            case ir.MoveSome(sorts=sorts) | ir.DrawSome(sorts=sorts):
                found = set(sorts.sorts)
            case ir.MovePiece(piece=piece):
                found = self._of_kind(piece.kind)
            case ir.MoveSet(set=inner):
                found = self._of_kind(inner.kind.of)
            case ir.ShuffleZone(zone=zone):
                found = self._of_kind(self.world.element(zone.kind.name))
            case _:
                return set()
        side = getattr(s, "side", None)
        return set(range(len(self.world.sorts))) if side is not None else found

    def _of_kind(self, kind: Kind | None) -> set[int]:
        if kind is None or kind.name not in self.world.categories:
            return set(range(len(self.world.sorts)))
        return set(self.world.categories[kind.name])

    def _watch_may_fail(self, s: ir.Watch) -> bool:
        watchers = self.program.watchers
        known = [watchers[name] for name in s.rules if name in watchers] or list(watchers.values())
        return any(w.procedure.body is not None and _may_fail_at_all(w.procedure.body) for w in known)


def _any_of(
    option: ir.Option,
    fresh: dict[ir.Var, ir.Var],
    sets: list[ir.Set],
    wheres: list[ir.Exp | None],
    tests: list[ir.Exp],
) -> ir.Exp:
    """For some values of the option's binders all of this holds. Every test stands as far out as it can."""
    later = set(fresh.values())
    rest = list(tests)

    def take() -> list[ir.Exp]:
        nonlocal rest
        now = [t for t in rest if not later.intersection(variables_in([t]))]
        rest = [t for t in rest if t not in now]
        return now

    layers: list[tuple[ir.Var | None, ir.Set | None, list[ir.Exp]]] = [(None, None, take())]
    for bind, inner, where in zip(option.binds, sets, wheres, strict=True):
        var = fresh[bind.var]
        later.discard(var)
        layers.append((var, inner, [*([where] if where is not None else []), *take()]))
    made: ir.Exp | None = None
    for var, inner, here in reversed(layers):
        parts = [*here, *([made] if made is not None else [])]
        test: ir.Exp | None = None
        for part in parts:
            test = part if test is None else ir.Op("and", (test, part), FLAG)
        if var is None or inner is None:
            made = test
        else:
            made = ir.Aggregate("any", inner, var, test, FLAG)
    return made if made is not None else ir.Const(1, FLAG)


def _all(tests: list[ir.Demand]) -> ir.Exp:
    made: ir.Exp = ir.Const(1, FLAG)
    for test in tests:
        made = test.test if isinstance(made, ir.Const) else ir.Op("and", (made, test.test), FLAG)
    return made


def renamed(node: Node, known: dict[ir.Var, ir.Exp]) -> Node:
    """The same expression with values put in for variables."""
    if not known:
        return node
    return cast(Node, _renamed(node, known))


def _renamed(node: Any, known: dict[ir.Var, ir.Exp]) -> Any:
    if isinstance(node, tuple):
        made = tuple(_renamed(part, known) for part in node)
        return node if all(a is b for a, b in zip(made, node, strict=True)) else made
    if isinstance(node, ir.Use) and node.at is None:
        return known.get(node.var, node)
    if isinstance(node, ir.Var | Member | Span | ir.ValueRef | ir.ProcRef | Kind) or not is_dataclass(node):
        return node
    changes = {}
    for item in fields(node):
        value = getattr(node, item.name)
        made = _renamed(value, known)
        if made is not value:
            changes[item.name] = made
    return replace(cast(Any, node), **changes) if changes else node


def _may_fail_at_all(node: object) -> bool:
    from ichiba.interpreter.flow import may_fail

    return may_fail(node if isinstance(node, ir.Block) else ir.Block((cast(Any, node),)))


def _gives_back(block: ir.Block) -> bool:
    return any(isinstance(n, ir.GiveBack) for n in walk(block))


def always(options: list[ir.Option]) -> bool:
    """Whether one of these can be answered whatever has happened."""
    for option in options:
        if option.tests or _may_fail_at_all(option.body):
            continue
        if all(never_empty(bind.set) and bind.test is None for bind in option.binds):
            return True
    return False


def never_empty(inner: ir.Set) -> bool:
    match inner:
        case ir.Listed(items=items):
            return bool(items)
        case ir.Span_(low=ir.Const(value=low), high=ir.Const(value=high)):
            return low <= high
        case ir.Span_(low=ir.Const(value=0), high=ir.Read(member=member)):
            return member.form == "purse"
        case ir.Best():
            return True
        case _:
            return False
