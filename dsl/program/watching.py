"""Puts a look at the triggers behind every single effect that could have made one of them true.

The setup, a board's coming into play and what is done in secret are one effect each: the look comes behind all of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, assert_never, cast

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import ANY_ZONE, NOTHING, PLACES, Reads, moved_sorts, writes_of
from ichiba.dsl.rules.walks import performed, procedures_of, steps
from ichiba.dsl.statements.entering import ENTRY
from ichiba.dsl.world.kinds import NUMBER, SEAT, set_of
from ichiba.dsl.world.world import Member, World

NOTHING_MOVED: frozenset[int] = frozenset()


def watch(program: ir.Program) -> None:
    """Rewrites the bodies of all procedures."""
    if program.watchers:
        Watching(program).rewrite()


class Readers:
    """Which rules look at what, found by what is written: a text may have thousands of both."""

    def __init__(self, reads: dict[str, frozenset[Member]]):
        self.names = list(reads)
        self.by_member: defaultdict[Member, list[int]] = defaultdict(list)  # the places of rules in that order
        self.by_sort: defaultdict[int, list[int]] = defaultdict(list)
        self.of_places: list[int] = []  # they ask where pieces lie, and of no zone
        self.known: dict[tuple[frozenset[Member], frozenset[int]], tuple[str, ...]] = {}
        for at, found in enumerate(reads.values()):
            zones = {member for member in found if member.form == "zone"}
            for member in found - {PLACES}:
                self.by_member[member].append(at)
            for sort in sorted({sort for zone in zones for sort in zone.sorts}):
                self.by_sort[sort].append(at)
            if PLACES in found and not zones:
                self.of_places.append(at)

    def of(self, writes: frozenset[Member], moved: frozenset[int]) -> tuple[str, ...]:
        """The rules that could become true when this is written, or pieces of these sorts leave a zone unknown to us."""
        if (writes, moved) not in self.known:
            found = {at for member in writes for at in self.by_member.get(member, ())}
            found.update(at for sort in moved for at in self.by_sort.get(sort, ()))
            if PLACES in writes and ANY_ZONE not in writes:
                found.update(self.of_places)
            self.known[writes, moved] = tuple(self.names[at] for at in sorted(found))
        return self.known[writes, moved]


class Watching:
    def __init__(self, program: ir.Program):
        self.program = program
        self.world: World = program.world
        reads = Reads()
        self.readers = Readers({
            name: reads.of(watcher.test) | (reads.of(watcher.set) if watcher.set is not None else NOTHING)
            for name, watcher in program.watchers.items()
        })

    def rewrite(self) -> None:
        setups = set(self._setups())
        for procedure in self.program.procedures:
            if procedure.body is not None and procedure not in setups:
                procedure.body = self.block(procedure.body)
        self._watch_from_setup_on()

    def _watch_from_setup_on(self) -> None:
        """What is true when all is set up is found then, by every trigger."""
        laid_out = self.program.setup
        perform = ir.Perform(ir.ProcRef(laid_out.name, laid_out), (ir.Const(0, SEAT),) * len(laid_out.params), (), None)
        body = ir.Block(tuple(self.as_one(perform)))
        self.program.setup = ir.Procedure(laid_out.name, laid_out.params, (), body)
        self.program.procedures.append(self.program.setup)

    def as_one(self, s: ir.Stm) -> list[ir.Stm]:
        """However much is done there, in procedures too, it is looked at once."""
        return [ir.Hush(1), s, ir.Hush(-1), ir.Watch(tuple(self.readers.names))]

    def _setups(self) -> Iterator[ir.Procedure]:
        """What is performed when a board comes into play: the look comes after all of it."""
        for procedure in self.program.procedures:
            for node in steps(procedure.body) if procedure.body is not None else ():
                if isinstance(node, ir.Named) and node.name == ENTRY:
                    for ref in performed(node):
                        yield from procedures_of(ref)

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Stm] = []
        for statement in block.body:
            made.extend(self.statement(statement))
        return ir.Block(tuple(made))

    def statement(self, s: ir.Stm) -> list[ir.Stm]:
        if isinstance(s, ir.Secret) or isinstance(s, ir.Named) and s.name == ENTRY:
            return self.as_one(s)
        rules = self.rules_of(s)
        if not rules:
            return [cast(ir.Stm, self.inside(s))]
        look = ir.Watch(rules)
        match s:
            case ir.MoveSome(amount=amount) if not (isinstance(amount, ir.Const) and amount.value == 1):
                return self._one_by_one(s, look)
            case ir.MoveSet(set=inner):
                piece = ir.Var("piece", inner.kind.of or NUMBER)
                one = ir.MovePiece(ir.Use(piece, piece.kind), s.target, s.side, s.notes, s.span)
                if isinstance(inner, ir.Chosen):
                    inner = ir.Kept(inner.picked, inner.kind)
                return [ir.For(piece, inner, False, ir.Block((one, look)), s.span)]
            case ir.Draw(amount=amount) if not (isinstance(amount, ir.Const) and amount.value == 1):
                one_draw = replace(s, amount=ir.Const(1, NUMBER))
                return [ir.Repeat(amount, None, ir.Block((one_draw, look)), s.span)]
            case (
                ir.Assign() | ir.KeepSet() | ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.Draw()
                | ir.Pick() | ir.Shuffle() | ir.Require() | ir.Block() | ir.If() | ir.For() | ir.Repeat()
                | ir.Turns() | ir.Perform() | ir.Named() | ir.Leave() | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record()
                | ir.Reveal() | ir.Reset() | ir.Watch() | ir.Hush() | ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret()
            ):  # one effect
                return [s, look]
            case _:
                assert_never(s)

    def _one_by_one(self, s: ir.MoveSome, look: ir.Watch) -> list[ir.Stm]:
        """`move 3` is three effects."""
        if s.amount is not None:
            one = replace(s, amount=ir.Const(1, NUMBER))
            return [ir.Repeat(s.amount, None, ir.Block((one, look)), s.span)]
        element = self.world.element(s.sources[0].kind.name if s.sources else s.target.kind.name)
        piece = ir.Var("piece", element)
        move = ir.MovePiece(ir.Use(piece, element), s.target, s.side, s.notes, s.span)
        return [ir.For(piece, ir.Pieces(s.sources, s.sorts, set_of(element)), False, ir.Block((move, look)), s.span)]

    def rules_of(self, s: ir.Stm) -> tuple[str, ...]:
        writes = writes_of(s)
        if not writes or any(m.internal in ("rule", "waiting") for m in writes):
            return ()
        moved = frozenset(moved_sorts(s, self.world)) if ANY_ZONE in writes else NOTHING_MOVED
        return self.readers.of(writes, moved)

    def inside(self, node: Any) -> Any:
        """The same statement with the blocks inside it rewritten."""
        if isinstance(node, ir.Block):
            return self.block(node)
        if isinstance(node, ir.Decide):
            node.options[:] = [self.inside(option) for option in node.options]
            if node.otherwise is not None:
                node.otherwise = self.block(node.otherwise)
            return node
        if isinstance(node, ir.Offer):
            self.inside(node.decide)
            return node
        if not is_dataclass(node) or not any(
            isinstance(n, ir.Block | ir.Decide | ir.Offer) for n in steps(node) if n is not node
        ):
            return node
        changes = {}
        for item in fields(node):
            value = getattr(node, item.name)
            if isinstance(value, ir.Block | ir.Decide | ir.Offer | ir.Option):
                changes[item.name] = self.inside(value)
        return replace(cast(Any, node), **changes) if changes else node
