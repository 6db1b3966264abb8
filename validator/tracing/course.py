"""The course of a game as the rules tell it: every statement in order, and what is known when it comes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, assert_never

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import writes_of
from ichiba.dsl.rules.walks import procedures_of
from ichiba.dsl.rules.whence import Whence
from ichiba.dsl.world.kinds import SEAT
from ichiba.validator.tracing.followed import Changed, Followed
from ichiba.validator.tracing.meanings import Meanings, conjuncts
from ichiba.validator.tracing.sight import Covered, Shown, ShownPlace

SHOWN_AT_ONCE = 16  # places that have been revealed: whether they are known still is asked at each sentence
_ELSEWHERE = ir.Const(-8, SEAT)  # the seat that answers in secret, where a procedure has no name for it


@dataclass(frozen=True, slots=True)
class Late:
    """Since when nothing can be taken back, and why."""

    why: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class Here:
    """A point in the course of a game."""

    shown: Shown = frozenset()
    option: ir.Option | None = None  # which somebody has taken, and which is still being carried out
    seat: ir.Exp | None = None  # who has taken it, where that is known
    late: Late | None = None  # chance or somebody else has had a say since
    chosen: Late | None = None  # the seat itself has answered another question since
    tests: tuple[ir.Exp, ...] = ()  # what surely holds
    on: tuple[object, ...] = ()  # what it hangs on whether one comes here, since the option was taken
    changed: int = 0  # since then: which of those that were followed
    secret: ir.Exp | None = None  # the seat of a secret block
    trigger: bool = False


class Judge(Protocol):
    """Whoever wants to see the course of a game."""

    def meets(self, s: ir.Stm, here: Here) -> None:
        """A statement that asks nothing."""

    def asks(self, s: ir.Decide | ir.ChooseSome, here: Here) -> None:
        """A question."""


class Course:
    """Goes through a program as play does, and shows it to judges."""

    def __init__(self, program: ir.Program, meanings: Meanings, judges: list[Judge], followed: Followed):
        self.program, self.meanings, self.judges, self.followed = program, meanings, judges, followed
        self.known: dict[tuple[object, ...], Here] = {}
        self.changes: dict[tuple[object, ...], tuple[object, int]] = {}

    @cached_property
    def whence(self) -> Whence:
        return Whence(self.program)

    def meets(self, s: ir.Stm, here: Here) -> None:
        for judge in self.judges:
            judge.meets(s, here)

    def asks(self, s: ir.Decide | ir.ChooseSome, here: Here) -> None:
        for judge in self.judges:
            judge.asks(s, here)

    def run(self) -> None:
        here = Here()
        for procedure in (self.program.setup, self.program.play, self.program.scoring):
            here = self.block(procedure.body, here)
        for watcher in self.program.watchers.values():
            self.block(watcher.procedure.body, Here(trigger=True))

    # ---------------------------------------------------------------------------------------- statements

    def block(self, block: ir.Block | None, here: Here) -> Here:
        for statement in block.body if block is not None else ():
            here = self.statement(statement, here)
        return here

    def statement(self, s: ir.Stm, here: Here) -> Here:
        self.followed.step(1 + len(here.shown) // SHOWN_AT_ONCE)
        match s:
            case ir.Block():
                return self.block(s, here)
            case ir.Named(body=body):
                return replace(self.block(body, here), tests=here.tests)
            case ir.If(test=test, yes=yes, no=no):
                self.meets(s, here)
                before, here = here, _hanging(here, test)
                first = self.block(yes, replace(here, tests=(*here.tests, *conjuncts(test))))
                return _joined(first, self.block(no, here), before)
            case ir.For(random=by_chance, span=span):
                self.meets(s, here)
                inside = _late(here, "a random order", span) if by_chance else _hanging(here, s.set)
                return replace(self.again(s.body, inside), on=here.on)
            case ir.Repeat(test=test):
                self.meets(s, here)
                tests = conjuncts(test) if test is not None else []
                inside = _hanging(replace(here, tests=(*here.tests, *tests)), s.times, test)
                return replace(self.again(s.body, inside), tests=here.tests, on=here.on)
            case ir.Turns(body=body):
                self.meets(s, here)
                return self.again(body, here)
            case ir.Perform():
                self.meets(s, here)
                return self.perform(s, here)
            case ir.Decide():
                return self.decide(s, here)
            case ir.Offer(decide=decide):
                after = self.decide(decide, here)
                return _joined(self.decide(decide, replace(here, shown=after.shown & here.shown)), after, here)
            case ir.ChooseSome(otherwise=otherwise):
                self.asks(s, here)
                after = _answered(here, s.seat, s.span, self.meanings)
                return _joined(self.block(otherwise, here), after, here) if otherwise is not None else after
            case ir.Secret(me=me, body=body, span=span):
                seat = ir.Use(me, me.kind)
                covered = frozenset(Covered(member) for member in self.whence.written_in(body))
                inside = self.block(body, Here(shown=here.shown | covered, secret=seat, tests=here.tests))
                return _late(replace(here, shown=inside.shown & here.shown), "what others answer", span)
            case ir.Reveal():
                self.meets(s, here)
                return replace(here, shown=here.shown | _shown_by(s))
            case ir.Draw(ordered=False, span=span) | ir.Pick(span=span) | ir.Shuffle(span=span):
                self.meets(s, here)
                return _late(self.forget(s, here), "chance", span)
            case (
                ir.Assign() | ir.KeepSet() | ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet()
                | ir.Draw() | ir.Require() | ir.Leave() | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reset()
                | ir.Watch() | ir.Hush()
            ):  # their names, if they bring some, hold inside of them only
                self.meets(s, here)
                return self.noted(s, self.forget(s, here))
            case _:
                assert_never(s)

    def forget(self, s: ir.Stm, here: Here) -> Here:
        """What was revealed is known until it changes; so is what was tested."""
        written, named = writes_of(s), _names(s)
        lost = {k for k in here.shown if k in written or isinstance(k, ShownPlace) and (k.member in written or k.named & named)}
        return replace(here, shown=here.shown - lost) if lost else here

    def noted(self, s: ir.Stm, here: Here) -> Here:
        """What an option changes may be required behind it, as long as it is only tried."""
        if here.option is None or here.late is not None or here.chosen is not None:
            return here
        key = id(s), here.seat, *map(id, here.on)
        if key not in self.changes:
            members, by = self.whence.changed(s)
            digit = self.followed.note(Changed(members, (*by, *here.on), here.seat))
            self.changes[key] = (s, here.on), digit  # kept, so that ids stay their own
        changed = here.changed | self.changes[key][1]
        return here if changed == here.changed else replace(here, changed=changed)

    def again(self, body: ir.Block, here: Here) -> Here:
        """A body that may be gone through several times, or not at all."""
        once = self.block(body, here)
        start = _joined(once, here, here)
        return _joined(self.block(body, start), start, here) if start != here else start

    def perform(self, s: ir.Perform, here: Here) -> Here:
        after: Here | None = None
        for callee in procedures_of(s.procedure):
            seat = self.renamed(here.seat, s, callee)
            secret = None if here.secret is None else self.renamed(here.secret, s, callee) or _ELSEWHERE
            inside = replace(here, seat=seat, secret=secret, tests=())
            key = (callee, seat.var if isinstance(seat, ir.Use) else seat, here.shown, id(here.option), here.late is None,
                   here.chosen is None, here.trigger, here.changed, tuple(map(id, here.on)),
                   secret.var if isinstance(secret, ir.Use) else secret)  # fmt: skip
            if key not in self.known:
                self.known[key] = inside  # in case it comes round to itself
                self.known[key] = self.block(callee.body, inside)
            known = self.known[key]
            done = replace(here, shown=_seen_outside(known.shown, s, callee), late=here.late or known.late,
                           chosen=here.chosen or known.chosen, changed=known.changed)  # fmt: skip
            after = done if after is None else _joined(after, done, here)
        return after if after is not None else here

    def renamed(self, seat: ir.Exp | None, s: ir.Perform, callee: ir.Procedure) -> ir.Exp | None:
        """What a seat is called inside of a procedure."""
        if seat is None:
            return None
        for param, arg in zip(callee.params, s.args, strict=False):
            if self.meanings.alike(arg, seat):
                return ir.Use(param, param.kind)
        return None

    # ----------------------------------------------------------------------------------------- questions

    def decide(self, s: ir.Decide, here: Here) -> Here:
        self.asks(s, here)
        after: Here | None = None
        for option in s.options:
            holds = [part for test in option.tests for part in conjuncts(test.test)]
            for bind in option.binds:
                holds += conjuncts(bind.test) if bind.test is not None else []
            inside = replace(here, option=option, seat=s.seat, late=None, chosen=None, tests=tuple(holds), on=(), changed=0)
            done = self.block(option.body, inside)
            late = here.late or (done.late if option.body.body else None)
            left = replace(here, shown=done.shown, late=late)
            after = left if after is None else _joined(after, left, here)
        after = _answered(after or here, s.seat, s.span, self.meanings)
        return _joined(self.block(s.otherwise, here), after, here) if s.otherwise is not None else after


def _shown_by(s: ir.Reveal) -> Shown:
    """What a `reveal` lets everybody know."""
    if s.member is None:
        return frozenset() if s.var is None else frozenset({s.var})
    if s.places is None:
        return frozenset({s.member})
    return frozenset(ShownPlace(s.member, at) for at in s.places)


def _names(s: ir.Stm) -> frozenset[ir.Var]:
    """The names that stand for something else after a statement."""
    match s:
        case ir.Assign(var=var) | ir.KeepSet(var=var) | ir.Pick(var=var) | ir.Draw(var=ir.Var() as var):
            return frozenset({var})
        case (
            ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet() | ir.Draw() | ir.Shuffle()
            | ir.Require() | ir.Block() | ir.If() | ir.For() | ir.Repeat() | ir.Turns() | ir.Perform() | ir.Named()
            | ir.Leave() | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush()
            | ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret()
        ):  # no question, and nothing by chance
            return frozenset()
        case _:
            assert_never(s)


def _seen_outside(shown: Shown, s: ir.Perform, callee: ir.Procedure) -> Shown:
    """What a procedure has revealed, as its caller calls it; what only the procedure has a name for is let go."""
    given = dict(zip(callee.params, s.args, strict=False))
    return frozenset(k.renamed(given) if isinstance(k, ShownPlace) else k for k in shown)


def _late(here: Here, why: str, span: Span | None) -> Here:
    return here if here.late is not None else replace(here, late=Late(why, span))


def _answered(here: Here, seat: ir.Exp, span: Span | None, meanings: Meanings) -> Here:
    """After an answer: somebody else's can no longer be foreseen, the own one was chosen among several."""
    if here.option is None:
        return here
    if here.seat is not None and not meanings.alike(seat, here.seat):
        return _late(here, "somebody else's answer", span)
    return here if here.chosen is not None else replace(here, chosen=Late("another choice", span))


def _joined(a: Here, b: Here, here: Here) -> Here:
    """Either way may have been gone."""
    return replace(here, shown=a.shown & b.shown, late=a.late or b.late, chosen=a.chosen or b.chosen, changed=a.changed | b.changed)


def _hanging(here: Here, *on: object) -> Here:
    """In an option: what is done here is done only if that is so."""
    return here if here.option is None else replace(here, on=(*here.on, *(part for part in on if part is not None)))


__all__ = ["Course", "Here", "Judge", "Late"]
