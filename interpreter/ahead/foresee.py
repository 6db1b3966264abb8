"""What can be said of an option before it is taken: the requirements that its body will meet, looked for in advance.

An option whose body can fail must be tried before it is offered. Trying costs a copy of the state; but most bodies fail
only for reasons that are already plain: nothing that is done before a requirement writes what it reads. Such a
requirement becomes one more test of the option, a question without `otherwise` becomes "there is an answer to it", and
an option of which everything is foreseen need not be tried at all."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never, cast

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.extent import Extents
from ichiba.dsl.rules.walks import walk
from ichiba.dsl.world.kinds import FLAG, NUMBER
from ichiba.interpreter.ahead.assured import Assured, asked_first
from ichiba.interpreter.ahead.at_once import AtOnce
from ichiba.interpreter.ahead.before import Before
from ichiba.interpreter.ahead.doings import Doings, comes_back_early
from ichiba.interpreter.ahead.failing import Failing
from ichiba.interpreter.ahead.joining import YES, all_of, any_of, both, one_of
from ichiba.interpreter.ahead.lots import everything_fits
from ichiba.interpreter.ahead.mistakes import Mistakes
from ichiba.interpreter.ahead.path import Change, Foreseen, Path
from ichiba.interpreter.analysis.folding import folded

DEEPEST = 8  # procedures performed by each other
LONGEST = 1_000  # parts of all that is foreseen of one option; what is longer is found out by trying


class Foresight(AtOnce):
    """Looks ahead into the options of a program."""

    def __init__(self, program: ir.Program, assured: Assured):
        self.program = program
        self.world = program.world
        self.assured = assured
        self.failing = Failing(assured)
        self.doings = Doings(program)
        self.before = Before(self.doings)
        self.extents = Extents(program.world)
        self.mistakes = Mistakes(program, self.extents)
        self.assumed: set[int] = set()  # questions of which something else says when they have an answer

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
        self._bind(option, path)
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
        path.tests = [ir.Require(one_of([all_of(way.tests) for way in ways]), None, "foreseen", option.span)]
        sure = [all_of(way.sure) for way in ways if way.sure is not None]
        path.sure = [one_of(sure)] if sure else None
        more = any(len(way.tests) > len(paid.tests) for way, paid in zip(ways, payment.options, strict=True))
        return replace(self._found(path), by_way=more or not path.whole)

    def _found(self, path: Path) -> Foreseen:
        sure = None if path.sure is None else all_of(path.sure)
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
                self._paid(s.options, path)
                self.doings.note(s, path)  # that it can be paid is one of the tests already
            else:
                self._statement(s, path, depth)
            paying = paying and isinstance(s, ir.Write)

    def _pay(self, way: ir.Option, path: Path, depth: int) -> None:
        """It is paid in this way."""
        for test in way.tests:
            self._require(test.test, path, test.span)
        path.lost.update(bind.var for bind in way.binds)
        before = None if path.sound is None else [*path.sound]
        self._block(way.body, path, depth)
        path.sound = before
        self._paid([way], path)

    def _statement(self, s: ir.Stm, path: Path, depth: int) -> None:
        match s:
            case ir.Block():
                self._block(s, path, depth)
            case ir.Named(body=body):
                self._named(s.name, body, path, depth)
            case ir.Require():
                self._require(s.test, path, s.span)
                self._may_go_wrong(path, s.test)
            case ir.Pay():
                self._goes_wrong(s, path)
                self._transfer(s, path)
            case ir.Write():
                self._goes_wrong(s, path)
                self._write(s, path)
            case ir.Reset(member=member):
                self._reset(member, path)
            case ir.Assign(var=var, value=value, at=at):
                self._may_go_wrong(path, s)
                self._assign(var, value if at is None and var.width == 1 else None, path)
            case ir.KeepSet(var=var):
                self._may_go_wrong(path, s)
                path.lost.add(var)
            case ir.If():
                self._may_go_wrong(path, s.test)
                self._if(s, path, depth)
            case ir.For() | ir.Repeat() | ir.Turns():
                self._may_go_wrong(path, s)
                self._loop(s, path, depth)
            case ir.Perform():
                self._may_go_wrong(path, *s.args)
                self._perform(s, path, depth)
            case ir.Leave() | ir.GiveBack():
                self._may_go_wrong(path, s)
                path.over = True
            case ir.Decide():
                self._decide(s, path, depth)
            case ir.Offer():
                self._offer(s, path, depth)
            case ir.ChooseSome():
                self._choose_bag(s, path)
            case ir.Secret():
                path.past = True
                self.doings.note(s, path)
            case ir.Draw() | ir.Pick() | ir.Shuffle() | ir.Watch():
                if isinstance(s, ir.Watch) and self._watch_may_fail(s):
                    path.give_up()
                self._may_go_wrong(path, s)
                self.doings.note(s, path)
            case ir.MoveSome() | ir.MovePiece() | ir.MoveSet():
                self._goes_wrong(s, path)
                self.doings.note(s, path)
            case ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal() | ir.Hush():
                self.doings.note(s, path)
            case _:
                assert_never(s)

    def _named(self, name: str, body: ir.Block, path: Path, depth: int) -> None:
        """A block that may be left: from there on nothing in it is sure to happen, behind it everything is again."""
        if name not in self.doings.once("left", body, self.doings.left_by):
            self._block(body, path, depth)
            return
        inside = path.fork()
        inside.certain = False
        self._block(body, inside, depth)
        inside.over = inside.past = False
        certain = path.certain
        path.tests += inside.tests
        path.sure = both(path.sure, inside.sure)
        path.join([inside])
        path.certain = certain

    def _if(self, s: ir.If, path: Path, depth: int) -> None:
        test = self.before.said(s.test, path)
        if isinstance(test, ir.Const):
            self._block(s.yes if test.value else s.no, path, depth)
            return
        yes, no = path.fork(), path.fork()
        self._block(s.yes, yes, depth)
        self._block(s.no, no, depth)
        if yes.tests or no.tests or not yes.whole or not no.whole:
            said = enough = None
            if test is not None:
                said = ir.Cond(test, all_of(yes.tests), all_of(no.tests), FLAG)
            if yes.sure is not None and no.sure is not None:
                enough = all_of([*yes.sure, *no.sure])
                if test is not None:
                    enough = ir.Cond(test, all_of(yes.sure), all_of(no.sure), FLAG)
            self._need(path, said, s.span, test is not None and yes.whole and no.whole, enough)
        path.join([yes, no])

    def _loop(self, s: ir.For | ir.Repeat | ir.Turns, path: Path, depth: int) -> None:
        """What a loop does is perhaps done already when its body begins."""
        if self._for_each_seat(s, path):
            return
        asked = asked_first(s.body) if isinstance(s, ir.Repeat) else None
        when = None if asked is None else self._assured_when(asked)
        enough = None if when is None else self.before.said(when, path)
        self.doings.note(s, path)
        inside = path.fork()
        inside.certain = False
        if when is not None:
            self.assumed.add(id(asked))
        self._block(s.body, inside, depth)
        self.assumed.discard(id(asked))
        certain = path.certain and not self.doings.once("left", s.body, self.doings.left_by)
        if inside.tests or not inside.whole:
            path.whole = False
            # what a loop requires is said of its first pass only
            path.sure = None
        elif when is not None:
            self._need(path, None, s.span, False, enough)
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
        said = self.before.said(gain.amount, path)
        if said is None or member in self.before.reads.of(gain.amount):
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
            if self.doings.once("fails", s, self.failing.may_fail):
                path.give_up()
            self._may_go_wrong(path, s)
            self.doings.note(s, path)
            return
        if ref.by is None or not ref.cases:
            if ref.default is not None:
                self._enter(ref.default, s.args, path, depth)
            return
        chooser = self.before.said(s.args[ref.by], path)
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
                    said = ir.Op("or", (other, all_of(way.tests)), FLAG)
                self._need(path, said, s.span)
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
            said = self.before.said(arg, path)
            if said is None:
                path.lost.add(param)
            else:
                path.known[param] = said
        inside_over = path.over
        self._block(procedure.body, path, depth + 1)
        if path.over and not inside_over and "" in self.doings.once("left", procedure.body, self.doings.left_by):
            path.over = False  # it has only come back early
        if path.past and self.doings.once("early", procedure.body, comes_back_early):
            path.past, path.certain = False, False  # perhaps before others have answered

    # ----------------------------------------------------------------------------------------- questions

    def _decide(self, s: ir.Decide, path: Path, depth: int) -> None:
        if not self._same_seat(s.seat, path):
            # as far as one looks, if it is another's; if it is not, it is found out by trying
            if not self.failing.answered(s) or any(self.doings.once("fails", o.body, self.failing.may_fail) for o in s.options):
                path.give_up()
            self.doings.note(s, path)
            return
        if s.otherwise is not None:
            if self.doings.once("fails", s.otherwise, self.failing.may_fail):
                path.give_up()
        elif not self.failing.answered(s) and id(s) not in self.assumed:
            if s.paying:
                self.payments.append(s)
            said, whole, enough = self._some(s.options, path, depth)
            self._need(path, said, s.span, whole, enough)
        self._may_go_wrong(path, s)
        self.doings.note(s, path)
        if any(self.doings.once("left", o.body, self.doings.left_by) for o in s.options):
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
            if self.doings.once("fails", s.decide.otherwise, self.failing.may_fail):
                path.give_up()
        elif s.times in ("once", "until_done", "at_least_once"):
            counting = [o for o in options if o.counts or o.ends]
            if not self.failing.always(counting):
                said, whole, enough = self._some(counting, path, depth)
                free, _, _ = self._some([o for o in options if o not in counting], path, depth)
                if not isinstance(free, ir.Const) or free.value:  # after a free action it is asked again: only what counts is enough
                    whole, enough = False, said if whole else enough
                    said = None if said is None or free is None else one_of([said, free])
                if s.condition is not None and said is not None:
                    going = self.before.said(s.condition, path)
                    said = None if going is None else folded(ir.Op("or", (ir.Op("not", (going,), FLAG), said), FLAG))
                self._need(path, said, s.decide.span, whole and said is not None, enough)
            if s.times != "once" and not any(o.ends and _only_after_the_first(o, s.taken) for o in s.decide.options):
                path.give_up()  # who could begin must be able to end
        else:
            path.give_up()
        del path.known[s.taken]
        path.lost.add(s.taken)
        self._may_go_wrong(path, s)
        self.doings.note(s, path)
        if any(self.doings.once("left", o.body, self.doings.left_by) for o in options):
            path.certain = False

    def _choose_bag(self, s: ir.ChooseSome, path: Path) -> None:
        """There must be as many as are wanted at least."""
        if s.otherwise is not None:
            if self.doings.once("fails", s.otherwise, self.failing.may_fail):
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
                everything = None if whole else everything_fits(s, count, least)
                sure = None if everything is None else self.before.said(everything, path)
                self._need(path, self.before.said(enough, path), s.span, whole, sure)
        self._may_go_wrong(path, s)
        self.doings.note(s, path)

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
            self._bind(option, own)
            start = own.fork()
            tests = [self.before.said(d.test, start) for d in option.tests]
            if any(isinstance(t, ir.Const) and not t.value for t in tests):
                continue
            self._block(option.body, own, depth, first=True)
            sets = [self.before.said(cast(ir.Exp, bind.set), start) for bind in option.binds]
            wheres = [self.before.said(b.test, start) if b.test is not None else YES for b in option.binds]
            vars = list(fresh.values())
            if None in sets:
                ways.append(None)
                whole = False
                continue
            domains = cast("list[ir.Set]", sets)
            required = [t for t in (*wheres, *tests) if t is not None]
            ways.append(any_of(vars, domains, [*required, *(d.test for d in own.tests)]))
            if None in tests or None in wheres:
                whole = False
            elif own.whole:
                sure.append(cast(ir.Exp, ways[-1]))
            else:
                whole = False
                if own.sure is not None:
                    sure.append(any_of(vars, domains, [*required, *own.sure]))
        said = None if None in ways else one_of(cast("list[ir.Exp]", ways))
        return said, whole, None if whole or not sure else one_of(sure)

    def _same_seat(self, seat: ir.Exp, path: Path) -> bool:
        return self.before.said(seat, path) == self.seat

    def _assured_when(self, asked: ir.Decide) -> ir.Exp | None:
        """When a question surely has an answer, if it has not always one."""
        found = self.assured.get(asked)
        return None if isinstance(found, ir.Const) else found

    def _watch_may_fail(self, s: ir.Watch) -> bool:
        watchers = self.program.watchers
        known = [watchers[name] for name in s.rules if name in watchers] or list(watchers.values())
        return any(w.procedure.body is not None and self.doings.once("fails", w.procedure.body, self.failing.may_fail) for w in known)


def _only_after_the_first(option: ir.Option, taken: ir.Var) -> bool:
    """Whether nothing else is required than that something has been done."""
    return all(isinstance(t.test, ir.Op) and ir.Use(taken, NUMBER) in t.test.args for t in option.tests)
