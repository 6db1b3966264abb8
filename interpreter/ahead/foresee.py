"""What can be said of an option before it is taken: the requirements that its body will meet, looked for in advance.

An option whose body can fail must be tried before it is offered. Trying costs a copy of the state; but most bodies fail
only for reasons that are already plain: nothing that is done before a requirement writes what it reads. Such a
requirement becomes one more test of the option, a question without `otherwise` becomes "there is an answer to it", and
an option of which everything is foreseen need not be tried at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, assert_never, cast

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import ANY_ZONE, PLACES, Reads, effect_of, moved_sorts
from ichiba.dsl.rules.extent import LARGEST, Extents
from ichiba.dsl.rules.walks import procedures_of, steps, walk
from ichiba.dsl.world.kinds import FLAG, NUMBER, Kind
from ichiba.dsl.world.world import Member
from ichiba.interpreter.ahead.assured import Assured, asked_first
from ichiba.interpreter.ahead.failing import Failing, empties
from ichiba.interpreter.ahead.growing import Growing
from ichiba.interpreter.analysis.simplify import folded, inlined
from ichiba.interpreter.analysis.variables import renamed, replaced, variables_in

DEEPEST = 8  # procedures performed by each other
LONG_VALUE = 60  # parts of a value that is remembered
LONGEST = 1_000  # parts of all that is foreseen of one option; what is longer is found out by trying

Found = TypeVar("Found")


@dataclass(frozen=True)
class Change:
    """What was written: into which places of a member (None: all), and what, or how much more."""

    member: Member
    at: tuple[ir.Exp, ...] | None
    value: ir.Exp
    adds: bool
    each: ir.Var | None = None  # for each seat, called so


@dataclass(frozen=True)
class Foreseen:
    """What can be said of an option's body beforehand."""

    tests: tuple[ir.Require, ...] = ()  # it cannot go on without these
    whole: bool = True  # nothing else can go wrong in it
    sure: ir.Exp | None = None  # where something else can: when this holds it does not
    by_way: bool = False  # whether the one way to pay leads on where another does not


@dataclass
class Path:
    """What has happened on the way through a body, as far as it is known."""

    known: dict[ir.Var, ir.Exp] = field(default_factory=dict)  # variables whose value can be said as it was before
    lost: set[ir.Var] = field(default_factory=set)  # variables that got another value
    written: set[Member] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)  # sorts of which pieces have changed places
    certain: bool = True  # whether control is sure to come here
    over: bool = False  # whether it never comes any further
    past: bool = False  # whether others have answered: that is as far as one looks
    kept: list[Change] = field(default_factory=list)  # what was written and can be said, in order
    whole: bool = True  # whether everything that could fail is foreseen
    tests: list[ir.Require] = field(default_factory=list)  # what must hold
    sure: list[ir.Exp] | None = field(default_factory=list)  # what is enough; None: nothing is known to be

    def fork(self) -> Path:
        """From here on another way; what is required on it is its own."""
        return Path(
            dict(self.known),
            set(self.lost),
            set(self.written),
            set(self.moved),
            self.certain,
            self.over,
            self.past,
            list(self.kept),
        )

    def need(self, said: ir.Exp | None, span: Span | None, whole: bool = True, enough: ir.Exp | None = None) -> None:
        """Here something is required: what it comes to, as far as that can be said. Where that is not all there is
        to it (not `whole`), perhaps something is known that would be enough."""
        if said is not None and self.certain:
            self.tests.append(ir.Require(said, None, "foreseen", span))
        self.whole = self.whole and whole and said is not None and self.certain
        enough = said if whole else enough
        self.sure = None if self.sure is None or enough is None else [*self.sure, enough]

    def give_up(self) -> None:
        """Something may fail that can only be found out by trying."""
        self.whole, self.sure = False, None

    def join(self, others: Iterable[Path]) -> None:
        """After ways that meet again: what any of them has done has perhaps been done."""
        others = list(others)
        for other in others:
            self.lost |= other.lost | {v for v, e in other.known.items() if self.known.get(v, e) is not e}
            self.lost |= set(other.known) - set(self.known)
            self.written |= other.written
            self.moved |= other.moved
            for change in other.kept:
                if change not in self.kept:
                    self.written.add(change.member)
            self.whole = self.whole and other.whole
            self.certain = self.certain and other.certain and not other.over and not other.past
        self.over = bool(others) and all(other.over for other in others)
        self.past = self.past or bool(others) and all(other.past for other in others)


@dataclass
class Done:
    """What statements may do to the state."""

    written: set[Member] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)  # sorts of which pieces change places

    def add(self, other: Done) -> None:
        self.written |= other.written
        self.moved |= other.moved


def _variables_of(e: ir.Exp) -> frozenset[ir.Var]:
    return frozenset(variables_in([e]))


class Foresight:
    """Looks ahead into the options of a program."""

    def __init__(self, program: ir.Program, assured: Assured):
        self.program = program
        self.world = program.world
        self.assured = assured
        self.failing = Failing(assured)
        self.reads = Reads()
        self.extents = Extents(program.world)
        self.growing = Growing(self.extents)
        self.assumed: set[int] = set()  # questions of which something else says when they have an answer
        self.done: dict[ir.Procedure, Done] = {}
        self.found: dict[tuple[str, int], tuple[object, object]] = {}

    def of(self, decide: ir.Decide, option: ir.Option, known: dict[ir.Var, ir.Exp] | None = None) -> Foreseen:
        """What an option's body will require; `known`: for these values of its binders."""
        self.seat = decide.seat
        self.payments: list[ir.Decide] = []
        self.paid: tuple[ir.Decide, int] | None = None
        path = self._path(option, known)
        if not path.whole and len(self.payments) == 1:
            return self._each_way(option, known, path)
        again = len({id(payment) for payment in self.payments}) < len(self.payments)  # one cost twice, each time in its own way
        return replace(self._found(path), by_way=again and not path.whole)

    def _path(self, option: ir.Option, known: dict[ir.Var, ir.Exp] | None) -> Path:
        path = Path(dict(known or {}))
        self._block(option.body, path, 0, first=True)
        return path

    def _each_way(self, option: ir.Option, known: dict[ir.Var, ir.Exp] | None, path: Path) -> Foreseen:
        """What follows depends on how one has paid: each way is looked at by itself."""
        (payment,) = self.payments
        ways: list[Path] = []
        for number in range(len(payment.options)):
            self.paid = payment, number
            ways.append(self._path(option, known))
        self.paid = None
        path.whole = all(way.whole for way in ways)
        path.tests = [ir.Require(_one_of([_all(way.tests) for way in ways]), None, "foreseen", option.span)]
        sure = [_all(way.sure) for way in ways if way.sure is not None]
        path.sure = [_one_of(sure)] if sure else None
        more = any(len(way.tests) > len(paid.tests) for way, paid in zip(ways, payment.options, strict=True))
        return replace(self._found(path), by_way=more or not path.whole)

    def _found(self, path: Path) -> Foreseen:
        sure = None if path.sure is None else _all(path.sure)
        if sum(1 for test in path.tests for _ in walk(test.test)) > LONGEST:
            return Foreseen((), False, None)
        if path.whole or sure is not None and sum(1 for _ in walk(sure)) > LONGEST:
            sure = None
        return Foreseen(tuple(path.tests), path.whole, sure)

    # ---------------------------------------------------------------------------------------- statements

    def _block(self, block: ir.Block, path: Path, depth: int, first: bool = False) -> None:
        paying = first
        for s in block.body:
            if path.over or path.past:
                return
            if isinstance(s, ir.Decide) and s.paying and self.paid is not None and self.paid[0] is s:
                self._pay(s.options[self.paid[1]], path, depth)
            elif paying and isinstance(s, ir.Decide) and s.paying:
                self.payments.append(s)
                self._done(s, path)  # that it can be paid is one of the tests already
            else:
                self._statement(s, path, depth)
            paying = paying and isinstance(s, ir.Write)

    def _pay(self, way: ir.Option, path: Path, depth: int) -> None:
        """It is paid in this way."""
        for test in way.tests:
            self._require(test.test, path, test.span)
        path.lost.update(bind.var for bind in way.binds)
        self._block(way.body, path, depth)

    def _statement(self, s: ir.Stm, path: Path, depth: int) -> None:
        match s:
            case ir.Block():
                self._block(s, path, depth)
            case ir.Named(body=body):
                self._named(s.name, body, path, depth)
            case ir.Require():
                self._require(s.test, path, s.span)
            case ir.Pay():
                self._transfer(s, path)
            case ir.Write():
                self._write(s, path)
            case ir.Reset(member=member):
                self._reset(member, path)
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
            case ir.Leave() | ir.GiveBack():
                path.over = True
            case ir.Decide():
                self._decide(s, path, depth)
            case ir.Offer():
                self._offer(s, path, depth)
            case ir.ChooseSome():
                self._choose_bag(s, path)
            case ir.Secret():
                path.past = True
                self._done(s, path)
            case ir.Draw() | ir.Pick() | ir.Shuffle() | ir.Watch():
                if isinstance(s, ir.Watch) and self._watch_may_fail(s):
                    path.give_up()
                self._done(s, path)
            case (
                ir.MoveSome() | ir.MovePiece() | ir.MoveSet() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal() | ir.Hush()
            ):
                self._done(s, path)
            case _:
                assert_never(s)

    def _named(self, name: str, body: ir.Block, path: Path, depth: int) -> None:
        """A block that may be left: from there on nothing in it is sure to happen, behind it everything is again."""
        if name not in self._once("left", body, self._left_by):
            self._block(body, path, depth)
            return
        inside = path.fork()
        inside.certain = False
        self._block(body, inside, depth)
        inside.over = inside.past = False
        certain = path.certain
        path.tests += inside.tests
        path.sure = _both(path.sure, inside.sure)
        path.join([inside])
        path.certain = certain

    def _assign(self, var: ir.Var, value: ir.Exp | None, path: Path) -> None:
        said = None if value is None else self._before(value, path)
        if said is None or var in path.known or var in path.lost:
            path.lost.add(var)
            path.known.pop(var, None)
        else:
            path.known[var] = said

    def _transfer(self, s: ir.Pay, path: Path) -> None:
        if (
            s.tail == "in_full"
            and s.span is not None
            and isinstance(s.source, ir.PurseAt)
            and not s.source.member.unlimited
        ):
            held = ir.Read(s.source.member, s.source.at, s.source.member.kind)
            if not empties(s):
                said = self._before(ir.Op(">=", (held, s.amount), FLAG), path)
                most = self.extents.value(s.amount)[1]  # whatever it will come to, it is no more than this
                enough = self._before(ir.Op(">=", (held, ir.Const(most, s.amount.kind)), FLAG), path) if most < LARGEST else None
                path.need(said, s.span, said is not None, enough)
        elif s.tail == "in_full" and not isinstance(s.source, ir.PurseAt):
            path.give_up()
        amount = None if s.tail == "as_far" else self._before(s.amount, path)
        for purse, sign in ((s.source, "neg"), (s.target, "")):
            if isinstance(purse, ir.PurseAt) and purse.member.unlimited:
                continue
            said = self._before(purse, path) if isinstance(purse, ir.PurseAt) else None
            if isinstance(said, ir.PurseAt) and amount is not None:
                value = ir.Op("neg", (amount,), amount.kind) if sign else amount
                path.kept.append(Change(said.member, said.at, folded(value), True))
            else:
                path.written |= {n.member for n in walk(purse) if isinstance(n, ir.PurseAt)}

    def _write(self, s: ir.Write, path: Path) -> None:
        place, value = self._before(s.place, path, reading=False), self._before(self._in_range(s), path)
        if isinstance(place, ir.Read) and value is not None and _weight(value) < LONG_VALUE:
            path.kept.append(Change(place.member, place.at, value, False))
        else:
            path.written.add(s.place.member)

    def _in_range(self, s: ir.Write) -> ir.Exp:
        """What is written: a counter that `stops at the ends` stops there."""
        member = s.place.member
        if "stops" not in member.words or member.low is None or member.high is None:
            return s.value
        least = ir.Op("max", (s.value, ir.Const(member.low, member.kind)), member.kind)
        return ir.Op("min", (least, ir.Const(member.high, member.kind)), member.kind)

    def _reset(self, member: Member, path: Path) -> None:
        if member.form in ("flag", "counter") and member.start is None and (member.low or 0) <= 0:
            path.kept.append(Change(member, None, ir.Const(0, member.kind), False))
        else:
            path.written.add(member)

    def _require(self, test: ir.Exp, path: Path, span: Span | None) -> None:
        path.need(self._before(test, path), span)

    def _if(self, s: ir.If, path: Path, depth: int) -> None:
        test = self._before(s.test, path)
        if isinstance(test, ir.Const):
            self._block(s.yes if test.value else s.no, path, depth)
            return
        yes, no = path.fork(), path.fork()
        self._block(s.yes, yes, depth)
        self._block(s.no, no, depth)
        if yes.tests or no.tests or not yes.whole or not no.whole:
            said = enough = None
            if test is not None:
                said = ir.Cond(test, _all(yes.tests), _all(no.tests), FLAG)
            if yes.sure is not None and no.sure is not None:
                enough = _all([*yes.sure, *no.sure])
                if test is not None:
                    enough = ir.Cond(test, _all(yes.sure), _all(no.sure), FLAG)
            path.need(said, s.span, test is not None and yes.whole and no.whole, enough)
        path.join([yes, no])

    def _loop(self, s: ir.For | ir.Repeat | ir.Turns, path: Path, depth: int) -> None:
        """What a loop does is perhaps done already when its body begins."""
        if self._for_each_seat(s, path):
            return
        asked = asked_first(s.body) if isinstance(s, ir.Repeat) else None
        when = None if asked is None else self._assured_when(asked)
        enough = None if when is None else self._before(when, path)
        self._done(s, path)
        inside = path.fork()
        inside.certain = False
        if when is not None:
            self.assumed.add(id(asked))
        self._block(s.body, inside, depth)
        self.assumed.discard(id(asked))
        certain = path.certain and not self._once("left", s.body, self._left_by)
        if inside.tests or not inside.whole:
            path.whole = False
            # what a loop requires is said of its first pass only
            path.sure = None
        elif when is not None:
            path.need(None, s.span, False, enough)
        path.certain = certain

    def _for_each_seat(self, s: ir.For | ir.Repeat | ir.Turns, path: Path) -> bool:
        """`for each s in seats: s gains …`: every purse has that much more."""
        if not isinstance(s, ir.For) or s.random or len(s.body.body) != 1 or not self._all_seats(s.set):
            return False
        gain = s.body.body[0]
        if not isinstance(gain, ir.Pay) or gain.tail == "as_far" or not isinstance(gain.target, ir.PurseAt):
            return False
        at, member = gain.target.at, gain.target.member
        theirs = len(at) == 1 and isinstance(at[0], ir.Use) and at[0].var is s.var
        if not theirs or not isinstance(gain.source, ir.PurseAt) or not gain.source.member.unlimited:
            return False
        said = self._before(gain.amount, path)
        if said is None or member in self.reads.of(gain.amount):
            return False
        path.kept.append(Change(member, None, said, True, s.var))
        return True

    def _all_seats(self, inner: ir.Set) -> bool:
        match inner:
            case ir.SeatsFrom(others=others):
                return not others
            case ir.Listed(items=items):
                every = range(self.world.config.seats)
                return sorted(i.value for i in items if isinstance(i, ir.Const)) == list(every)
            case _:  # any other: some may be missing
                return False

    def _perform(self, s: ir.Perform, path: Path, depth: int) -> None:
        ref = s.procedure
        path.lost.update(s.results)
        if depth >= DEEPEST:
            if self._once("fails", s, self.failing.may_fail):
                path.give_up()
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
            if not way.whole:
                path.give_up()
            elif way.tests:
                said = None
                if chooser is not None:
                    other = ir.Op("!=", (chooser, ir.Const(value, chooser.kind)), FLAG)
                    said = ir.Op("or", (other, _all(way.tests)), FLAG)
                path.need(said, s.span)
        rest = path.fork()
        if ref.default is not None:
            self._enter(ref.default, s.args, rest, depth)
            if rest.tests or not rest.whole:
                path.give_up()
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
        if path.over and not inside_over and "" in self._once("left", procedure.body, self._left_by):
            path.over = False  # it has only come back early
        if path.past and self._once("early", procedure.body, _comes_back_early):
            path.past, path.certain = False, False  # perhaps before others have answered

    # ----------------------------------------------------------------------------------------- questions

    def _decide(self, s: ir.Decide, path: Path, depth: int) -> None:
        if not self._same_seat(s.seat, path):
            # as far as one looks, if it is another's; if it is not, it is found out by trying
            if not self.failing.answered(s) or any(self._once("fails", o.body, self.failing.may_fail) for o in s.options):
                path.give_up()
            self._done(s, path)
            return
        if s.otherwise is not None:
            if self._once("fails", s.otherwise, self.failing.may_fail):
                path.give_up()
        elif not self.failing.answered(s) and id(s) not in self.assumed:
            if s.paying:
                self.payments.append(s)
            said, whole, enough = self._some(s.options, path, depth)
            path.need(said, s.span, whole, enough)
        self._done(s, path)
        if any(self._once("left", o.body, self._left_by) for o in s.options):
            path.certain = False

    def _offer(self, s: ir.Offer, path: Path, depth: int) -> None:
        options = s.decide.options
        if s.times == "at_least_once":
            options = [o for o in options if not o.ends]
        path.known[s.taken] = ir.Const(0, NUMBER)
        path.lost.discard(s.taken)
        if not self._same_seat(s.decide.seat, path):
            path.give_up()
        elif s.decide.otherwise is not None:
            if self._once("fails", s.decide.otherwise, self.failing.may_fail):
                path.give_up()
        elif s.times in ("once", "until_done", "at_least_once"):
            counting = [o for o in options if o.counts or o.ends]
            if not self.failing.always(counting):
                said, whole, enough = self._some(counting, path, depth)
                free, _, _ = self._some([o for o in options if o not in counting], path, depth)
                if not isinstance(free, ir.Const) or free.value:  # after a free action it is asked again: only what counts is enough
                    whole, enough = False, said if whole else enough
                    said = None if said is None or free is None else _one_of([said, free])
                if s.condition is not None and said is not None:
                    going = self._before(s.condition, path)
                    said = None if going is None else folded(ir.Op("or", (ir.Op("not", (going,), FLAG), said), FLAG))
                path.need(said, s.decide.span, whole and said is not None, enough)
            if s.times != "once" and not any(o.ends and _only_after_the_first(o, s.taken) for o in s.decide.options):
                path.give_up()  # who could begin must be able to end
        else:
            path.give_up()
        del path.known[s.taken]
        path.lost.add(s.taken)
        self._done(s, path)
        if any(self._once("left", o.body, self._left_by) for o in options):
            path.certain = False

    def _choose_bag(self, s: ir.ChooseSome, path: Path) -> None:
        """There must be as many as are wanted at least."""
        if s.otherwise is not None:
            if self._once("fails", s.otherwise, self.failing.may_fail):
                path.give_up()
        elif not self._same_seat(s.seat, path):
            path.give_up()
        else:
            plain = s.step is None and s.different is None and s.worth is None
            least = s.least if s.least is not None else ir.Const(0, NUMBER)
            if not plain or not (isinstance(least, ir.Const) and least.value == 0):
                any_piece = ir.Var("piece", s.set.kind.of or NUMBER)
                count = ir.Aggregate("count", s.set, any_piece, None, NUMBER)
                enough: ir.Exp = ir.Op(">=", (count, least), FLAG)
                if s.worth_least is not None:  # nothing is worth nothing
                    free = ir.Op("<=", (s.worth_least, ir.Const(0, NUMBER)), FLAG)
                    some = ir.Op(">", (count, ir.Const(0, NUMBER)), FLAG)
                    enough = ir.Op("and", (enough, ir.Op("or", (free, some), FLAG)), FLAG)
                whole = plain and (s.most is None or isinstance(s.most, ir.Const) and isinstance(least, ir.Const))
                everything = None if whole else self._everything_fits(s, count, least)
                sure = None if everything is None else self._before(everything, path)
                if sure is not None and self._more_is_better(s):  # if anything will do, all there is will
                    path.need(sure, s.span, True, None)
                else:
                    path.need(self._before(enough, path), s.span, whole, sure)
        self._done(s, path)

    def _everything_fits(self, s: ir.ChooseSome, count: ir.Exp, least: ir.Exp) -> ir.Exp | None:
        """That all there is would be a lot that may be chosen: then there is one."""
        if s.step is not None or s.different is not None or not isinstance(s.set, ir.Pieces) or s.set.sorts.one is not None:
            return None
        tests: list[ir.Exp] = [ir.Op(">=", (count, least), FLAG)]
        if s.most is not None:
            tests.append(ir.Op("<=", (count, s.most), FLAG))
        if s.worth is not None:
            kind = Kind("sort", s.set.kind.of.name if s.set.kind.of is not None else "")
            sort = ir.Var("sort", kind)
            held = ir.CountIn(s.set.zones, ir.SortSet(s.set.sorts.sorts, ir.Use(sort, kind)), NUMBER)
            sorts: ir.Set = ir.Listed(tuple(ir.Const(one, kind) for one in s.set.sorts.sorts), Kind("set", of=kind))
            sorts = ir.Filtered(sorts, sort, ir.Op(">", (held, ir.Const(0, NUMBER)), FLAG), sorts.kind)
            worth = ir.Aggregate("sum", sorts, sort, s.worth_of(held, ir.Use(sort, kind)), NUMBER)
            if s.worth_least is not None:
                tests.append(ir.Op(">=", (worth, s.worth_least), FLAG))
            if s.worth_most is not None:
                tests.append(ir.Op("<=", (worth, s.worth_most), FLAG))
        return _all(tests)

    def _more_is_better(self, s: ir.ChooseSome) -> bool:
        """Whether nothing is asked of a lot but that there be enough of it."""
        if s.most is not None or s.worth_most is not None or s.step is not None or s.different is not None:
            return False
        if s.worth is None:
            return True
        count, sort = ir.Var("n", NUMBER), ir.Var("sort", Kind("sort"))
        return self.growing.grows(s.worth_of(ir.Use(count, NUMBER), ir.Use(sort, sort.kind)), frozenset((count,)))

    def _some(self, options: list[ir.Option], path: Path, depth: int) -> tuple[ir.Exp | None, bool, ir.Exp | None]:
        """That one of these could be answered, as far as it can be said beforehand; whether that is all that is to be
        said; and what would be enough."""
        ways: list[ir.Exp | None] = []
        sure: list[ir.Exp] = []
        whole = True
        for option in options:
            own = path.fork()
            own.certain, own.over = True, False
            fresh = {bind.var: ir.Var(bind.var.name, bind.var.kind) for bind in option.binds}
            for var, new in fresh.items():
                own.known[var] = ir.Use(new, new.kind)
                own.lost.discard(var)
            start = own.fork()
            tests = [self._before(d.test, start) for d in option.tests]
            if any(isinstance(t, ir.Const) and not t.value for t in tests):
                continue
            self._block(option.body, own, depth, first=True)
            sets = [self._before(cast(ir.Exp, bind.set), start) for bind in option.binds]
            wheres = [self._before(b.test, start) if b.test is not None else _YES for b in option.binds]
            vars = list(fresh.values())
            if None in sets:
                ways.append(None)
                whole = False
                continue
            domains = cast("list[ir.Set]", sets)
            required = [t for t in (*wheres, *tests) if t is not None]
            ways.append(_any_of(vars, domains, [*required, *(d.test for d in own.tests)]))
            if None in tests or None in wheres:
                whole = False
            elif own.whole:
                sure.append(cast(ir.Exp, ways[-1]))
            else:
                whole = False
                if own.sure is not None:
                    sure.append(_any_of(vars, domains, [*required, *own.sure]))
        said = None if None in ways else _one_of(cast("list[ir.Exp]", ways))
        return said, whole, None if whole or not sure else _one_of(sure)

    def _same_seat(self, seat: ir.Exp, path: Path) -> bool:
        return self._before(seat, path) == self.seat

    # ------------------------------------------------------------------------------- what was before

    def _before(self, e: ir.Exp, path: Path, reading: bool = True) -> ir.Exp | None:
        """The same, said of the state before the option is taken; None when that cannot be said."""
        mentioned = self._once("variables", e, _variables_of)
        if not mentioned.isdisjoint(path.lost):
            return None
        said = e if mentioned.isdisjoint(path.known) else renamed(e, path.known)
        if path.kept:
            said = self._as_it_was(said, path, reading)
        if said is not e:
            said = folded(said)
        if said is not e and not _variables_of(said).isdisjoint(path.known):
            return None  # a set that a variable holds has no other name
        reads = self._once("reads", e, self.reads.of) if said is e else self.reads.of(said)
        if self._changed(reads, path) or not reading and said is not e and self._changed(self.reads.of(e), path):
            return None
        return said

    def _as_it_was(self, e: Any, path: Path, reading: bool) -> Any:
        """What is read of places that have been written is what was written."""
        changed = {change.member for change in path.kept}

        def put(node: Any) -> Any:
            if isinstance(node, ir.CallValue) and changed & self.reads.of(node):
                inner = inlined(node, small=False)
                if inner is not node:
                    return replaced(inner, put)
            if isinstance(node, ir.Read) and node.member in changed:
                at = tuple(replaced(a, put) for a in node.at)
                made: ir.Exp = replace(node, at=at)
                for change in path.kept:
                    if change.member is node.member:
                        made = _changed_by(made, change, at)
                return made
            return None

        if not reading and isinstance(e, ir.Read):  # the place itself, not what is there
            return replace(e, at=tuple(replaced(a, put) for a in e.at))
        return replaced(e, put)

    def _changed(self, reads: frozenset[Member], path: Path) -> bool:
        if reads & path.written:
            return True
        if not path.moved:
            return False
        if any(m.form == "zone" and path.moved.intersection(m.sorts) for m in reads):
            return True
        return PLACES in reads and not any(m.form == "zone" for m in reads)

    # ------------------------------------------------------------------------------------- what is done

    def _done(self, s: object, path: Path) -> None:
        """All of this has perhaps happened."""
        done, changed = self._once("done", s, self._effects)
        path.written |= done.written
        path.moved |= done.moved
        path.lost |= changed

    def _once(self, what: str, node: Any, look: Callable[[Any], Found]) -> Found:
        """What is found out about a part of the rules, which stays as it is."""
        key = what, id(node)
        if key not in self.found:
            self.found[key] = look(node), node  # kept, so that no other takes its place
        return cast(Found, self.found[key][0])

    def _effects(self, s: object) -> tuple[Done, set[ir.Var]]:
        """What is done to the state, and the variables that get another value."""
        changed: set[ir.Var] = set()
        for node in walk(s):
            changed.update(effect_of(node).names)
        return self._writes(s), changed

    def _left_by(self, body: ir.Block) -> frozenset[str]:
        """The names of the blocks that are left somewhere in this one; `""`: a rule is."""
        return frozenset(
            n.name if isinstance(n, ir.Leave) else "" for n in steps(body) if isinstance(n, ir.Leave | ir.GiveBack)
        )

    def _writes(self, s: object) -> Done:
        """Members that are written, and sorts that are moved; procedures and triggers entered."""
        done = Done()
        for node in steps(s):
            effect = effect_of(node)
            for procedure in procedures_of(effect.performs) if effect.performs is not None else ():
                done.add(self._writes_of(procedure))
            watchers = self.program.watchers
            for known in watchers.values() if effect.wakes_at_end else [watchers[name] for name in effect.wakes]:
                done.add(self._writes_of(known.procedure))
                done.written.add(known.state)
                if known.pending is not None:
                    done.written.add(known.pending)
            done.written |= effect.written_in(self.world) - {PLACES, ANY_ZONE}
            if effect.moves is not None:
                done.moved |= set(range(len(self.world.sorts))) if effect.turns else moved_sorts(node, self.world)
        return done

    def _writes_of(self, procedure: ir.Procedure) -> Done:
        if procedure not in self.done:
            self.done[procedure] = Done()  # nothing performs itself
            if procedure.body is not None:
                self.done[procedure] = self._writes(procedure.body)
        return self.done[procedure]

    def _assured_when(self, asked: ir.Decide) -> ir.Exp | None:
        """When a question surely has an answer, if it has not always one."""
        found = self.assured.get(asked)
        return None if isinstance(found, ir.Const) else found

    def _watch_may_fail(self, s: ir.Watch) -> bool:
        watchers = self.program.watchers
        known = [watchers[name] for name in s.rules if name in watchers] or list(watchers.values())
        return any(w.procedure.body is not None and self._once("fails", w.procedure.body, self.failing.may_fail) for w in known)


def _changed_by(before: ir.Exp, change: Change, at: tuple[ir.Exp, ...]) -> ir.Exp:
    """What stands in a place after something was written, perhaps into another one."""
    value, same = change.value, None
    if change.each is not None:
        value = renamed(value, {change.each: at[0]})
    elif change.at is not None:
        for mine, other in zip(at, change.at, strict=True):
            if mine != other:
                equal = ir.Op("=", (mine, other), FLAG)
                same = equal if same is None else ir.Op("and", (same, equal), FLAG)
    after: ir.Exp = ir.Op("+", (before, value), before.kind) if change.adds else value
    return after if same is None else ir.Cond(same, after, before, before.kind)


def _comes_back_early(body: ir.Block) -> bool:
    """Whether something is given back elsewhere than at the very end."""
    *before, last = body.body or (None,)
    if any(isinstance(n, ir.GiveBack) for s in before for n in steps(s)):
        return True
    if isinstance(last, ir.Block):
        return _comes_back_early(last)
    if isinstance(last, ir.Named):
        return _comes_back_early(last.body)
    return not isinstance(last, ir.GiveBack) and any(isinstance(n, ir.GiveBack) for n in steps(last))


def _weight(e: ir.Exp) -> int:
    return sum(1 for _ in walk(e))


def _any_of(vars: list[ir.Var], sets: list[ir.Set], tests: list[ir.Exp]) -> ir.Exp:
    """For some values of the variables all of this holds. Every test stands as far out as it can."""
    later = set(vars)
    rest = list(tests)

    def take() -> list[ir.Exp]:
        nonlocal rest
        now = [t for t in rest if not later.intersection(variables_in([t]))]
        rest = [t for t in rest if t not in now]
        return now

    layers: list[tuple[ir.Var | None, ir.Set | None, list[ir.Exp]]] = [(None, None, take())]
    for var, inner in zip(vars, sets, strict=True):
        later.discard(var)
        layers.append((var, inner, take()))
    made: ir.Exp | None = None
    for layer, domain, here in reversed(layers):
        test = _all([*here, *([made] if made is not None else [])])
        if layer is None or domain is None:
            made = test
        elif made is not None and layer not in variables_in([made]):  # it does not matter which of these it is
            some = ir.Aggregate("any", domain, layer, None if _all(here) == _YES else _all(here), FLAG)
            made = ir.Op("and", (some, made), FLAG)
        else:
            made = ir.Aggregate("any", domain, layer, None if test == _YES else test, FLAG)
    assert made is not None
    return made


_YES = ir.Const(1, FLAG)


def _all(tests: list[ir.Exp] | list[ir.Require]) -> ir.Exp:
    made: ir.Exp = _YES
    for test in tests:
        one = test.test if isinstance(test, ir.Require) else test
        if one != _YES:
            made = one if made == _YES else ir.Op("and", (made, one), FLAG)
    return made


def _only_after_the_first(option: ir.Option, taken: ir.Var) -> bool:
    """Whether nothing else is required than that something has been done."""
    return all(isinstance(t.test, ir.Op) and ir.Use(taken, NUMBER) in t.test.args for t in option.tests)


def _one_of(ways: list[ir.Exp]) -> ir.Exp:
    made: ir.Exp = ir.Const(0, FLAG)
    for way in ways:
        made = way if isinstance(made, ir.Const) and not made.value else ir.Op("or", (made, way), FLAG)
    return made


def _both(one: list[ir.Exp] | None, other: list[ir.Exp] | None) -> list[ir.Exp] | None:
    return None if one is None or other is None else [*one, *other]
