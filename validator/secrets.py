"""Nobody learns from a question, a text or an open place what they may not see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import assert_never

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import Reads, effect_of
from ichiba.dsl.rules.walks import span_of, steps, walk
from ichiba.dsl.rules.whence import Home, Whence, places_of
from ichiba.dsl.world.kinds import NUMBER, SEAT
from ichiba.dsl.world.world import owner_position
from ichiba.validator.tracing.course import Here
from ichiba.validator.tracing.followed import Followed
from ichiba.validator.tracing.meanings import Meanings, names_of
from ichiba.validator.tracing.payments import Payments
from ichiba.validator.tracing.sight import Look, Sight

_NOBODY = ir.Const(-9, SEAT)  # somebody who sees only what all see


class Secrets:
    """Judges every question and every open place that is set."""

    def __init__(self, program: ir.Program, sight: Sight, meanings: Meanings, faults: Faults, followed: Followed):
        self.program, self.sight, self.meanings, self.faults, self.followed = program, sight, meanings, faults, followed
        self.payments, self.reads = Payments(meanings), Reads()

    # ----------------------------------------------------------------------------------------- questions

    def asks(self, s: ir.Decide | ir.ChooseSome, here: Here) -> None:
        if here.secret is not None and not self.meanings.alike(s.seat, here.secret):
            self.faults.add(
                "E524", s.span, "another seat is asked in secret than the one that answers", label="ask it before or behind the block"
            )
        self.words(s.prompt, "this question", s.seat, here, s.span)
        if isinstance(s, ir.ChooseSome):
            for part in (s.set, s.least, s.most, s.step, s.worth_least, s.worth_most, *s.worth_args):
                self.guard(part, f"`{s.name}`", s.seat, here, s.span)
            if s.worth is not None:
                one = ir.Const(1, NUMBER)
                self.guard(s.worth_of(one, one), f"`{s.name}`", s.seat, here, s.span)
            return
        for option in s.options:
            what = f"the option `{option.name}`" if s.menu else f"`{s.name}`"
            for bind in option.binds:
                self.guard(bind.set, what, s.seat, here, option.span)
                self.guard(bind.test, what, s.seat, here, option.span)
                self.told(self.sight.reasons(bind.test, s.seat, here.shown), f"the reason against {what}", option.span)
            for demand in option.tests:
                self.guard(demand.test, what, s.seat, here, demand.span or option.span)
                self.reason(demand, f"the reason against {what}", s.seat, here, demand.span or option.span)
            self.words(option.label, what, s.seat, here, option.span)
            self.key(option, what, s, here)

    def key(self, option: ir.Option, what: str, s: ir.Decide, here: Here) -> None:
        """A key that is said in other words than by what was chosen is read by all, unless it is an answer in secret."""
        reader = s.seat if s.secret or here.secret is not None else _NOBODY
        for look in _first(look for part in option.keys or () for look in self.sight.looks(part, reader, here.shown)):
            self.faults.add(
                "E522",
                option.span,
                f"the key of {what} tells {look.what.removesuffix(' of others')}, which not all may see: keys stand in the log",
                label="say after `keyed by` only what all may know",
                second=(look.place, "hidden here") if look.place is not None else None,
                notes=(f"read by way of {look.path}",) if look.way else (),
            )

    def guard(self, part: object, what: str, seat: ir.Exp, here: Here, span: Span | None) -> None:
        """Whether it is offered tells what is read for it."""
        if part is None:
            return
        for look in _first([*self.sight.looks(part, seat, here.shown), *self.by_way_of_changes(part, here)]):
            self.faults.add(
                "E521",
                span,
                f"whether {what} is offered depends on {look.what}, which the one who is asked may not see",
                label="reveal it first, or ask something else",
                second=(look.place, "hidden here") if look.place is not None else None,
                notes=(f"read by way of {look.path}",) if look.way else (),
            )

    def by_way_of_changes(self, part: object, here: Here) -> Iterator[Look]:
        """What an option has changed by the time that something is required of it tells what it was changed by."""
        todo, left = [part], here.changed
        while todo and left:
            found, changes = self.followed.made(left, self.reads.of(todo.pop()))
            left ^= found
            for change in changes:
                self.followed.step(1 + len(change.by))
                todo += change.by
                for by in change.by:
                    yield from self.sight.looks(by, change.seat, here.shown)

    def reason(self, demand: ir.Require, what: str, seat: ir.Exp, here: Here, span: Span | None) -> None:
        """Why not: in words of its own, else in those of the guards that it asks."""
        if demand.reason is None:
            self.told(self.sight.reasons(demand.test, seat, here.shown), what, span)
        elif demand.name != "cost":
            self.words(demand.reason, what, seat, here, span)
            self.told((look for part in names_of(demand.reason) for look in self.by_way_of_changes(part, here)), what, span)

    def words(self, label: ir.Label, what: str, seat: ir.Exp, here: Here, span: Span | None) -> None:
        self.told((look for part in names_of(label) for look in self.sight.looks(part, seat, here.shown)), what, span)

    def told(self, looks: Iterable[Look], what: str, span: Span | None) -> None:
        for look in _first(looks):
            self.faults.add(
                "E522",
                span,
                f"the words of {what} tell {look.what}, which the one who reads them may not see",
                second=(look.place, "hidden here") if look.place is not None else None,
                notes=(f"read by way of {look.path}",) if look.way else (),
            )

    # ---------------------------------------------------------------------------------------- statements

    def meets(self, s: ir.Stm, here: Here) -> None:
        if here.secret is not None:
            self.by_itself(s)
            self.changes_its_own(s, here.secret)
        match s:
            case ir.Require() if here.option is not None and here.seat is not None and here.late is None:
                self.guard(s.test, f"the option `{here.option.name}`", here.seat, here, s.span)
                self.reason(s, f"the reason against `{here.option.name}`", here.seat, here, s.span)
            case ir.Pay(tail="in_full", source=source) if here.option is not None and here.seat is not None:
                if here.late is None and not self.payments.safe(s, here.tests):
                    self.purse(source, here, s.span)
            case ir.Write(place=place, value=value) if here.secret is None and s.span is not None:
                self.set_openly(place, value, here, s.span)
            case ir.Tell():
                self.line(s, here)
            case (
                ir.Assign() | ir.KeepSet() | ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet()
                | ir.Draw() | ir.Pick() | ir.Shuffle() | ir.Require() | ir.Block() | ir.If() | ir.For()
                | ir.Repeat() | ir.Turns() | ir.Perform() | ir.Named() | ir.Leave() | ir.GiveBack() | ir.Score()
                | ir.EndAs() | ir.Record() | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush() | ir.Decide() | ir.Offer() | ir.ChooseSome()
                | ir.Secret()
            ):  # nobody learns anything from these but what is told where they are judged
                pass
            case _:
                assert_never(s)

    def purse(self, source: ir.Exp, here: Here, span: Span | None) -> None:
        """Whether somebody else can pay is known only to those who see their money."""
        if not isinstance(source, ir.PurseAt) or here.option is None:
            return
        held = ir.Read(source.member, source.at, source.member.kind)
        self.guard(held, f"the option `{here.option.name}`", here.seat or ir.Const(0, source.kind), here, span)

    def set_openly(self, place: ir.Read, value: ir.Exp, here: Here, span: Span) -> None:
        """What all see is set from what some may not see."""
        member = place.member
        if member in self.sight.hidden or member.internal or member.form == "note":
            return
        for look in _first(self.sight.looks(value, _NOBODY, here.shown)):  # whoever it is: others see the place
            self.faults.add(
                "W602",
                span,
                f"`{member.name}` is open to all, and is set from something hidden: {look.what.removesuffix(' of others')}",
                label=f"declare `{member.name}` hidden, or reveal what it is set from",
                second=(look.place, "hidden here") if look.place is not None else None,
                notes=(f"read by way of {look.path.removesuffix(' of others')}",) if look.way else (),
            )

    def line(self, s: ir.Tell, here: Here) -> None:
        """A line of the log says what each of its readers may see. Who they are, all of them may know."""
        alone = isinstance(s.audience, ir.Listed) and len(s.audience.items) == 1
        reader = s.audience.items[0] if isinstance(s.audience, ir.Listed) and alone else _NOBODY
        if here.secret is not None and not (alone and self.meanings.alike(reader, here.secret)):
            self.faults.add(
                "E524", s.span, "what is told in secret would tell others that somebody has answered",
                label="tell it behind the block, or `to` the seat that answers",
            )  # fmt: skip
        readers = s.audience.items if isinstance(s.audience, ir.Listed) else (_NOBODY,)
        looks = [look for seat in readers for part in names_of(s.label) for look in self.sight.looks(part, seat, here.shown)]
        if not alone and s.audience is not None:
            looks += self.sight.looks(s.audience, _NOBODY, here.shown)
        for look in _first(looks):
            self.faults.add(
                "E522",
                s.span,
                f"this line of the log tells {look.what}, which not all who read it may see",
                label="`reveal` it first, or tell it `to` whoever may see it",
                second=(look.place, "hidden here") if look.place is not None else None,
                notes=(f"read by way of {look.path}",) if look.way else (),
            )

    # ---------------------------------------------------------------------------------------- policies

    def policies(self) -> None:
        """A policy decides as whoever sits there would: by what this seat may see, and by nothing else."""
        for name, preferences in self.program.policies.items():
            for wish in preferences:
                seat = ir.Use(wish.me, wish.me.kind) if wish.at is None else wish.at.seat
                parts = [*(domain for _, domain in wish.binders), wish.when, wish.weight, wish.nearest]
                for look in _first(look for part in parts if part is not None for look in self.sight.looks(part, seat)):
                    self.faults.add(
                        "E532",
                        wish.span,
                        f"the policy `{name}` reads {look.what}, which its seat may not see",
                        label="go by what `me` may see, or by how many pieces lie there",
                        second=(look.place, "hidden here") if look.place is not None else None,
                        notes=(f"read by way of {look.path}",) if look.way else (),
                    )

    # ------------------------------------------------------------------------------------ secret answers

    def never_revealed(self) -> None:
        """Answers that are given in secret and used, but never shown to anybody."""
        shown, used, secrets = set(), set(), []
        for procedure in self.program.procedures:
            for node in steps(procedure.body) if procedure.body is not None else ():
                if isinstance(node, ir.Reveal):
                    shown.add(node.var if node.var is not None else node.member)
                elif isinstance(node, ir.Secret):
                    secrets.append(node)
        if not secrets:
            return
        for procedure in self.program.procedures:
            used |= {n.var for n in walk(procedure.body) if isinstance(n, ir.SecretOf)} if procedure.body is not None else set()
        for functions in (self.program.invariants, [f for f, _ in self.program.ranking]):
            used |= {n.var for f in functions for n in walk(f.body) if isinstance(n, ir.SecretOf)}
        for secret in secrets:
            for part in walk(secret.body):
                if isinstance(part, ir.Bind) and part.var.per_seat and part.var in used and part.var not in shown:
                    name = part.var.name
                    self.faults.add(
                        "W612", secret.span, f"what everybody answers in secret as `{name}` is used, but never revealed",
                        label=f"`reveal {name}` behind the block",
                    )  # fmt: skip

    # -------------------------------------------------------------------------------- changed in secret

    @cached_property
    def whence(self) -> Whence:
        return Whence(self.program)

    def by_itself(self, s: ir.Stm) -> None:
        """A seat that answers in secret is by itself: what chance brings would hang on who answers first, and all would hear of it."""
        if effect_of(s).draws:
            self.faults.add(
                "E524", span_of(s), "chance has no say in secret, where the seats answer in any order", label="say it before or behind the block"
            )

    def changes_its_own(self, s: ir.Stm, me: ir.Exp) -> None:
        """A seat that answers in secret changes only what is its own."""
        span = span_of(s)
        match s:
            case ir.Write(place=place):
                homes = {Home(place.member, place.at)}
            case ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet():
                homes = self.whence.homes(*places_of(s))
            case (
                ir.Assign() | ir.KeepSet() | ir.Draw() | ir.Pick() | ir.Shuffle() | ir.Require() | ir.Block()
                | ir.If() | ir.For() | ir.Repeat() | ir.Turns() | ir.Perform() | ir.Named() | ir.Leave()
                | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal() | ir.Reset() | ir.Watch()
                | ir.Hush() | ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret()
            ):  # chance has been refused, and the others change nothing that belongs to a seat
                return
            case _:
                assert_never(s)
        others = {home.member.name for home in homes if not self.is_its_own(home, me)}
        if others and span is not None:
            self.faults.add(
                "E524", span, f"`{min(others)}` is changed in secret, and belongs to more than the seat that answers",
                label="change it after `reveal`",
            )  # fmt: skip

    def is_its_own(self, home: Home, me: ir.Exp) -> bool:
        """What takes and gives without end is nobody's and never changes."""
        owner = owner_position(home.member)
        if owner is None:
            return home.member.unlimited
        return home.at is None or self.meanings.alike(home.at[owner], me)


def _first(looks: Iterable[Look]) -> list[Look]:
    """One is enough."""
    return next(([look] for look in looks), [])


__all__ = ["Secrets"]
