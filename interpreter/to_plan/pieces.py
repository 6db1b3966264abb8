"""The pieces of rules that ask, each a function that says which comes next."""

from __future__ import annotations

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import procedures_of
from ichiba.interpreter import layout as places
from ichiba.interpreter.analysis.raw import Raw
from ichiba.interpreter.flow.flow import (
    Ask,
    Branch,
    Call,
    Enter,
    Finish,
    Goto,
    Piece,
    Return,
    SecretDone,
)
from ichiba.interpreter.flow.mentions import (
    pieces_within,
)
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import row
from ichiba.interpreter.to_plan.places import Places

INLINE = 40  # moves that may be written again instead of jumping


class Pieces(Places):
    """Writes pieces and the ways between them."""

    def piece_number(self, piece: Piece) -> int:
        """The number of a piece that control can come to."""
        if piece not in self.numbers:
            self.numbers[piece] = len(self.flow.sites) + len(self.numbers)
            self.piece_queue.append(piece)
        return self.numbers[piece]

    def _piece(self, piece: Piece) -> None:
        self.define(f"b{self.numbers[piece]}", [p.S, p.C], piece.home)
        self.homes[f"b{self.numbers[piece]}"] = (piece.home, self._span_of(piece.home))
        self._chain(piece, ())
        self.end()

    def _span_of(self, procedure: str) -> Span | None:
        return next((one.span for one in self.program.procedures if one.name == procedure), None)

    def _chain(self, piece: Piece, path: tuple[Piece, ...]) -> None:
        """A piece and what follows, written out as long as it is short and does not come round."""
        for move in piece.moves:
            before = self.meter(*(move.parts if isinstance(move, Raw) else (move,)))
            self.statement(move)
            self.metered = before
        path = (*path, piece)
        match piece.end:
            case Goto(piece=after):
                self._go(after, path)
            case Branch(test=test, yes=yes, no=no):
                before = self.meter(*(test.parts if isinstance(test, Raw) else (test,)))
                made = test.make(self)[0] if isinstance(test, Raw) else self.ex(test)
                self.metered = before
                self.line("if {}:", made)
                self.depth += 1
                self._go(yes, path)
                self.depth -= 1
                self._go(no, path)
            case Ask(site=site):
                self.line("return {}", site.number)
            case Call():
                self._call_piece(piece.end, path)
            case Return() | None:
                owner = self._owner_of(piece)
                sole = self.flow.sole_calls.get(owner)
                if sole is not None:
                    self._go(self._landing_piece(sole), path)
                else:
                    self.line("return S[{}]", self.layout.slot(self.flow.returns[owner]))
            case Enter(secret=secret):
                self.line("return {}(S, C)", f"enter_{secret.site.number}")
            case SecretDone():
                self.line("return {}", places.SECRET_END)
            case Finish():
                self.line("return {}", places.OVER)

    def _owner_of(self, piece: Piece) -> ir.Procedure:
        """The rule that a piece is part of."""
        if not self.owners:
            for owner, entry in self.flow.entries.items():
                for found in pieces_within(entry, self.flow):
                    self.owners[found] = owner
        return self.owners[piece]

    def _go(self, piece: Piece, path: tuple[Piece, ...]) -> None:
        moves = sum(len(one.moves) for one in path)
        if (
            piece in path
            or piece.head
            and moves > 4
            or moves + len(piece.moves) > INLINE
            or len(path) > 12
            or self.depth > 14
        ):
            self.line("return {}", self.piece_number(piece))
        else:
            self._chain(piece, path)

    def _call_piece(self, call: Call, path: tuple[Piece, ...]) -> None:
        """Hand over the arguments, say where to come back to, and go."""
        perform = call.perform
        ref = perform.procedure
        known = all(one in self.flow.sole_calls for one in procedures_of(ref)) and (ref.default is not None or ref.by is None)
        back = -1 if known else self._landing(call)
        if ref.by is not None and ref.cases:
            chooser = perform.args[ref.by]
            if isinstance(chooser, ir.Const):
                procedure = ref.cases.get(chooser.value, ref.default)
                self._enter(perform, procedure, back, path)  # type: ignore[arg-type]
                return
            which = self.ex(chooser)
            for value, procedure in ref.cases.items():
                self.line("if {} == {}:", which, value)
                self.depth += 1
                self._enter(perform, procedure, back, path)
                self.depth -= 1
            if ref.default is not None:
                self._enter(perform, ref.default, back, path)
            else:
                self.line("return {}", back)
            return
        assert ref.default is not None
        self._enter(perform, ref.default, back, path)

    def _landing(self, call: Call) -> int:
        """Where control comes back to: first the results are taken over."""
        number = self.piece_number(self._landing_piece(call))
        self.landings.append((number, *self.calls[id(call)]))
        return number

    def _landing_piece(self, call: Call) -> Piece:
        perform = call.perform
        if not perform.results:
            return call.after
        if call.landing is not None:
            return call.landing
        landing = call.landing = Piece(home=call.after.home)
        source = next(one for one in (perform.procedure.default, *perform.procedure.cases.values()) if one is not None)
        for mine, theirs in zip(perform.results, source.results, strict=True):
            landing.moves.append(ir.Assign(mine, ir.Use(theirs, theirs.kind), perform.span))
        landing.end = Goto(call.after)
        return landing

    def _enter(self, perform: ir.Perform, procedure: ir.Procedure, back: int, path: tuple[Piece, ...]) -> None:
        targets, values = [], []
        for param, arg in zip(procedure.params, perform.args, strict=True):
            targets.append(self.var(param))
            values.append(self.number(arg))
        pairs = [(a, b) for a, b in zip(targets, values, strict=True) if a != b]
        if pairs:
            made = pairs[0][1] if len(pairs) == 1 else row(b for _, b in pairs)
            self.out.put(p.Set(tuple(a for a, _ in pairs), made))
        if procedure not in self.flow.sole_calls:
            self.line("S[{}] = {}", self.layout.slot(self.flow.returns[procedure]), back)
        self._go(self.flow.entries[procedure], path)
