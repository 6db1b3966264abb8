"""What is done at once on a way through a body, written, paid or moved, and what comes of it for the rest of the way."""

from __future__ import annotations

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.extent import LARGEST, Extents
from ichiba.dsl.rules.walks import children, steps, walk
from ichiba.dsl.world.kinds import FLAG
from ichiba.dsl.world.world import Member, World
from ichiba.interpreter.ahead.before import Before
from ichiba.interpreter.ahead.failing import empties
from ichiba.interpreter.ahead.mistakes import DoneAtOnce, Mistakes
from ichiba.interpreter.ahead.path import Change, Path
from ichiba.interpreter.analysis.folding import folded
from ichiba.interpreter.analysis.simplify import parts_of, weight

LONG_VALUE = 60  # parts of a value that is remembered


class AtOnce:
    """Notes it on the way."""

    world: World
    extents: Extents
    before: Before
    mistakes: Mistakes

    def _need(
        self, path: Path, said: ir.Exp | None, span: Span | None, whole: bool = True, enough: ir.Exp | None = None
    ) -> None:
        """What could go wrong itself is only looked at where it is tried: there it is no requirement."""
        if enough is not None and self.mistakes.anywhere(enough):
            enough = None
        if said is not None and self.mistakes.anywhere(said):
            said, whole = None, False
        path.need(said, span, whole, enough)

    def _may_go_wrong(self, path: Path, *parts: ir.Node | None) -> None:
        """Something may that is done or worked out in here."""
        if path.sound is not None and self.mistakes.anywhere(*parts):
            path.doubt(None)

    def _goes_wrong(self, s: DoneAtOnce, path: Path) -> None:
        """The same for what is done at once, where it can often be said when."""
        if path.sound is None:
            return
        sound = self.mistakes.sound(s)
        if isinstance(s, ir.MovePiece) and sound is None and self._is_there(s.piece, path):
            sound = self.mistakes.arrives(s)
        said = None if sound is None or self.mistakes.anywhere(*children(s)) else self.before.said(sound, path)
        path.doubt(None if said is None or weight(said) > LONG_VALUE else folded(said))

    def _is_there(self, piece: ir.Exp, path: Path) -> bool:
        """Whether a piece still lies where it lay when it got its name."""
        sorts = self.world.categories.get(piece.kind.name, range(len(self.world.sorts)))
        return path.moved.isdisjoint(sorts) and self.before.said(piece, path) in path.there

    def _paid(self, ways: list[ir.Option], path: Path) -> None:
        """What is paid is there: it has been looked at. But what is done `by` a rule with what is paid may go wrong."""
        performed = [n for way in ways for n in steps(way.body) if isinstance(n, ir.Perform | ir.Watch)]
        self._may_go_wrong(path, *performed)

    def _bind(self, option: ir.Option, path: Path) -> None:
        """What its names stand for is there when it is taken."""
        for bind in option.binds:
            said = path.known.get(bind.var, ir.Use(bind.var, bind.var.kind))
            if isinstance(said, ir.Use):
                self.extents.note(said.var, bind.set)
            if isinstance(parts_of(bind.set)[0], ir.Pieces) and not path.moved:
                path.there.add(said)

    def _assign(self, var: ir.Var, value: ir.Exp | None, path: Path) -> None:
        said = None if value is None else self.before.said(value, path)
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
                said = self.before.said(ir.Op(">=", (held, s.amount), FLAG), path)
                most = self.extents.value(s.amount)[1]  # whatever it will come to, it is no more than this
                enough = (
                    self.before.said(ir.Op(">=", (held, ir.Const(most, s.amount.kind)), FLAG), path)
                    if most < LARGEST
                    else None
                )
                self._need(path, said, s.span, said is not None, enough)
        elif s.tail == "in_full" and not isinstance(s.source, ir.PurseAt):
            path.give_up()
        amount = None if s.tail == "as_far" else self.before.said(s.amount, path)
        for purse, sign in ((s.source, "neg"), (s.target, "")):
            if isinstance(purse, ir.PurseAt) and purse.member.unlimited:
                continue
            said = self.before.said(purse, path) if isinstance(purse, ir.PurseAt) else None
            if isinstance(said, ir.PurseAt) and amount is not None:
                value = ir.Op("neg", (amount,), amount.kind) if sign else amount
                path.kept.append(Change(said.member, said.at, folded(value), True))
            else:
                path.write(n.member for n in walk(purse) if isinstance(n, ir.PurseAt))

    def _write(self, s: ir.Write, path: Path) -> None:
        place, value = self.before.said(s.place, path, reading=False), self.before.said(self._in_range(s), path)
        if isinstance(place, ir.Read) and value is not None and weight(value) < LONG_VALUE:
            path.kept.append(Change(place.member, place.at, value, False))
        else:
            path.write((s.place.member,))

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
            path.write((member,))

    def _require(self, test: ir.Exp, path: Path, span: Span | None) -> None:
        self._need(path, self.before.said(test, path), span)
