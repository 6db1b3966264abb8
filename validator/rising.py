"""Counters that are raised more often than they have room: a counter `0 .. 10` that every one of up to 100 rounds raises."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import Reads
from ichiba.dsl.rules.extent import Extents
from ichiba.dsl.rules.walks import steps, walk
from ichiba.dsl.world.constant import CannotWorkOut, evaluate, scope_of
from ichiba.dsl.world.world import Member


@dataclass(slots=True)
class Raised:
    """How much a counter is raised by, all in all, if nothing ends the game earlier; and where first."""

    by: int = 0
    span: Span | None = None
    guarded: bool = False  # a loop around it ends by what it says


MOST_PERFORMED = 5_000  # procedures that are gone into: what is not counted behind them is a warning less, never one too many


@dataclass(slots=True)
class Way:
    """The loops that lead to a statement: how often it happens, how often for each seat, and what they end by."""

    times: int = 1
    each_seat: int = 1
    turns_of: ir.Var | None = None
    ends_by: frozenset[Member] = field(default_factory=frozenset)


class Rising:
    """Goes from `play` along everything that happens without a condition."""

    def __init__(self, program: ir.Program, faults: Faults):
        self.program, self.faults, self.world = program, faults, program.world
        self.extents, self.reads = Extents(program.world), Reads()
        self.raised: dict[Member, Raised] = {}
        self.left = MOST_PERFORMED

    def judge(self) -> None:
        if self.program.play.body is not None:
            self._block(self.program.play.body, Way())
        changed = self._changed_otherwise()
        for member, found in self.raised.items():
            room = self._room(member)
            if found.guarded or member in changed or room is None or found.by <= room:
                continue
            self.faults.add(
                "W614",
                found.span,
                f"`{member.name}` can be raised by {found.by:,} in all, but has room for {room:,}",
                label="give it a higher end, or say that it `stops at the ends`",
                second=(member.span, "declared here") if member.span is not None else None,
            )

    def _room(self, member: Member) -> int | None:
        """How far it is from where a counter begins to its end; None where that is no matter."""
        if member.form != "counter" or member.high is None or {"stops", "resets"} & set(member.words):
            return None
        try:
            start = evaluate(member.start, scope_of(self.world), member.kind.name) if member.start is not None else max(0, member.low or 0)
        except CannotWorkOut:
            return None
        return member.high - start

    def _changed_otherwise(self) -> set[Member]:
        """Counters that are also lowered or set, or that end something early."""
        found: set[Member] = set()
        for procedure in self.program.procedures:
            for node in steps(procedure.body) if procedure.body is not None else ():
                if isinstance(node, ir.Write) and self._amount(node) is None:
                    found.add(node.place.member)
                if isinstance(node, ir.Reset):
                    found.add(node.member)
                if isinstance(node, ir.If) and any(isinstance(inner, ir.Leave) for inner in walk(node)):
                    found |= self.reads.of(node.test)
        return found

    def _amount(self, write: ir.Write) -> int | None:
        """By how much a counter is raised; None when it may become less."""
        match write.value:
            case ir.Op(op="+", args=(ir.Read() as before, more)) if before == write.place:
                least = self.extents.value(more)[0]
                return least if least >= 0 else None
            case _:  # any other: it may become less
                return None

    # ---------------------------------------------------------------------------------- what always happens

    def _block(self, block: ir.Block, way: Way) -> None:
        for statement in block.body:
            self._statement(statement, way)

    def _statement(self, s: ir.Stm, way: Way) -> None:
        match s:
            case ir.Named(body=body):
                self._block(body, way)
            case ir.Perform(procedure=ref, args=args) if ref.default is not None and not ref.cases:
                self._perform(ref.default, args, way)
            case ir.Repeat(times=times, test=test, body=body):
                often = self._fixed(times)
                self._block(body, self._within(way, way.times * often, way.each_seat * often, way.turns_of, test))
            case ir.For(set=ir.Listed(items=items), body=body):
                often = len(items)
                self._block(body, self._within(way, way.times * often, way.each_seat * often, way.turns_of, None))
            case ir.Turns(me=me, most=most, until=until, body=body):
                often, seats = self._fixed(most), self.world.config.seats
                self._block(body, self._within(way, way.times * often, way.times * -(-often // seats), me, until))
            case ir.Write():
                self._write(s, way)
            case (
                ir.Assign() | ir.KeepSet() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet() | ir.Draw()
                | ir.Pick() | ir.Shuffle() | ir.Require() | ir.Block() | ir.If() | ir.For() | ir.Perform()
                | ir.Leave() | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush()
                | ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret()
            ):  # these are no loop, or come about on a condition
                pass
            case _:
                assert_never(s)

    def _perform(self, procedure: ir.Procedure, args: tuple[ir.Exp, ...], way: Way) -> None:
        """The seat whose turn it is goes by another name inside."""
        same = bool(args) and isinstance(args[0], ir.Use) and args[0].var is way.turns_of and way.turns_of is not None
        self.left -= 1
        if procedure.body is not None and self.left > 0:
            me = procedure.params[0] if same else None
            self._block(procedure.body, Way(way.times, way.each_seat, me, way.ends_by))

    def _within(self, way: Way, times: int, each_seat: int, me: ir.Var | None, test: ir.Exp | None) -> Way:
        ends_by = self.reads.of(test) if test is not None else frozenset()
        return Way(times, each_seat, me, way.ends_by | ends_by)

    def _fixed(self, times: ir.Exp) -> int:
        """A number of rounds that is fixed; of others the fewest."""
        return max(0, self.extents.value(times)[0])

    def _write(self, s: ir.Write, way: Way) -> None:
        amount = self._amount(s)
        if not amount:
            return
        match s.place.at:
            case ():
                often = way.times
            case (ir.Use(var=var),) if s.place.member.owner == "seat" and var is way.turns_of:
                often = way.each_seat
            case _:  # any other: of whom it is, hangs on more
                return
        found = self.raised.setdefault(s.place.member, Raised(span=s.span))
        found.by += often * amount
        found.guarded |= s.place.member in way.ends_by
