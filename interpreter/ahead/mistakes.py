"""Whether rules can go wrong in play, as far as that can be told from them: a counter that leaves its range, pieces that are not
there, an index without an entry. What is bounded between two decisions is none of it: it stops the game wherever it happens."""

from __future__ import annotations

from typing import Union, assert_never

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import effect_of
from ichiba.dsl.rules.extent import LARGEST, Extents, Range, has_holes
from ichiba.dsl.rules.walks import functions_of, procedures_of, walk
from ichiba.dsl.world.kinds import FLAG, NUMBER
from ichiba.dsl.world.world import Member
from ichiba.interpreter.ahead.joining import YES, all_of

DoneAtOnce = Union[ir.Write, ir.Pay, ir.MoveSome, ir.MovePiece, ir.MoveSet]


class Mistakes:
    """Looks into expressions and statements of one program. In doubt they can go wrong."""

    def __init__(self, program: ir.Program, extents: Extents):
        self.program, self.world, self.extents = program, program.world, extents
        self.known: dict[ir.Procedure, bool] = {}
        self.worked_out: dict[tuple[ir.Function, tuple[Range | None, ...]], bool] = {}

    def anywhere(self, *parts: ir.Node | None) -> bool:
        """Whether something in here can, or in what it calls and performs."""
        return any(self._itself(node) for part in parts for node in walk(part))

    def _itself(self, node: ir.Node) -> bool:
        for var, among in effect_of(node).given:
            if isinstance(among, ir.SET_CLASSES):
                self.extents.note(var, among)
        if isinstance(node, ir.Write | ir.Pay | ir.MoveSome | ir.MovePiece | ir.MoveSet):
            return self.sound(node) != YES
        match node:
            case ir.Op(op=op):
                return self._operation(op, node)
            case ir.Lookup():
                return self._lookup(node)
            case ir.Search(cost=cost, net=net):
                low, high = (0, 1) if cost is None else self.extents.value(cost)
                return low < 0 or high * net.size > LARGEST
            case ir.SecretOf() | ir.Combos():  # it was not asked; there are too many ways
                return True
            case ir.CallValue(function=ref, args=args):
                return any(self._called(function, args) for function in functions_of(ref))
            case _:  # any other: what it performs, and what that wakes
                return isinstance(node, ir.Pick) or self._goes_on(node)  # there may be nothing to pick from

    def _operation(self, op: str, e: ir.Op) -> bool:
        low, high = self.extents.value(e)
        match op:
            case "/up" | "/down":
                least, most = self.extents.value(e.args[1])
                return least <= 0 <= most
            case "power":
                return low < 0 or high >= LARGEST
            case "*":
                return low < -LARGEST or high > LARGEST
            case "owed":
                return self.extents.value(e.args[0])[0] < 0
            case _:  # any other: it has always a value
                return False

    def _lookup(self, e: ir.Lookup) -> bool:
        if e.span is not None and has_holes(e):
            return True
        return any(at.kind.form == "number" and not self.extents.inside(e, place) for place, at in enumerate(e.at))

    def _goes_on(self, node: ir.Node) -> bool:
        effect, watchers = effect_of(node), self.program.watchers
        woken = watchers.values() if effect.wakes_at_end else [watchers[name] for name in effect.wakes if name in watchers]
        called = [watcher.procedure for watcher in woken]
        called += procedures_of(effect.performs) if effect.performs is not None else ()
        return any(self._inside(one) for one in called)

    def _inside(self, procedure: ir.Procedure) -> bool:
        if procedure not in self.known:
            self.known[procedure] = False  # nothing performs itself
            if procedure.body is not None:
                self.extents.learn(procedure.body)
            self.known[procedure] = self.anywhere(procedure.body)
        return self.known[procedure]

    def _called(self, function: ir.Function, args: tuple[ir.Exp, ...]) -> bool:
        """With these arguments: as far as they may go."""
        spans = tuple(self.extents.value(arg) if arg.kind.form == "number" else None for arg in args)
        key = function, spans
        if key not in self.worked_out:
            self.worked_out[key] = False
            given = {param: span for param, span in zip(function.params, spans, strict=False) if span is not None}
            self.extents.spans |= given
            if isinstance(function.body, ir.Block):
                self.extents.learn(function.body)
            self.worked_out[key] = self.anywhere(function.body)
            for param in given:
                del self.extents.spans[param]
        return self.worked_out[key]

    # ------------------------------------------------------------------------------------ what must hold

    def sound(self, s: DoneAtOnce) -> ir.Exp | None:
        """When this is no mistake, beside what its parts are; None where that has no words."""
        match s:
            case ir.Write(span=None):  # the engine's own
                return YES
            case ir.Write(place=place):
                return None if _of_nobody(place.at) else self._in_range(place.member, s.value)
            case ir.Pay(source=source, target=target, amount=amount):
                purses = [purse for purse in (source, target) if isinstance(purse, ir.PurseAt)]
                if s.tail == "promised" or any(_of_nobody(purse.at) for purse in purses):
                    return None
                return self._at_least(amount, 0)
            case ir.MoveSome(amount=None, target=target):
                return None if self._holds_some(target) else YES
            case ir.MoveSome(amount=amount, target=target, sources=sources, sorts=sorts):
                if amount is None or self._holds_some(target):
                    return None
                there = ir.CountIn(sources, sorts, NUMBER)
                return ir.Op(">=", (there, amount), FLAG)
            case ir.MovePiece(piece=piece):
                return self.arrives(s) if piece.kind.form == "thing" or self._one_by_one(piece) else None
            case ir.MoveSet(set=inner, target=target):
                return YES if isinstance(inner, ir.Pieces | ir.Filtered) and not self._holds_some(target) else None
            case _:
                assert_never(s)

    def arrives(self, s: ir.MovePiece) -> ir.Exp | None:
        """The same of one that is there: that there is one, and that it can lie where it goes."""
        return None if s.piece.kind.optional or self._holds_some(s.target) else YES

    def _in_range(self, member: Member, value: ir.Exp) -> ir.Exp | None:
        if member.form != "counter" or "stops" in member.words:
            return YES
        if member.low is None or member.high is None:
            return None
        low, high = self.extents.value(value)
        most = YES if high <= member.high else ir.Op("<=", (value, ir.Const(member.high, value.kind)), FLAG)
        return all_of([self._at_least(value, member.low, low), most])

    def _at_least(self, value: ir.Exp, least: int, low: int | None = None) -> ir.Exp:
        low = self.extents.value(value)[0] if low is None else low
        return YES if low >= least else ir.Op(">=", (value, ir.Const(least, value.kind)), FLAG)

    def _holds_some(self, zone: ir.Exp) -> bool:
        """Whether a zone may turn out to be one that cannot hold all of that kind."""
        return not isinstance(zone, ir.ZoneAt) or zone.member.owner_at is not None

    def _one_by_one(self, piece: ir.Exp) -> bool:
        sorts = self.world.categories.get(piece.kind.name, range(len(self.world.sorts)))
        return all(self.world.sorts[sort].individual for sort in sorts)


def _of_nobody(at: tuple[ir.Exp, ...]) -> bool:
    """Whether it may be asked for something of nobody."""
    return any(owner.kind.optional and owner.kind.form in ("seat", "thing", "piece") for owner in at)


__all__ = ["DoneAtOnce", "Mistakes"]
