"""What a variable stands for where it is used: traced back through names, parameters and results."""

from __future__ import annotations

from typing import assert_never

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import procedures_of, steps


class Meanings:
    """Every place of a program that gives a variable its value."""

    def __init__(self, program: ir.Program):
        self.values: dict[ir.Var, list[ir.Exp]] = {}  # of names, parameters and results
        self.assigned: dict[ir.Var, list[object]] = {}  # of names alone: values and sets
        self.drawn: dict[ir.Var, ir.Exp] = {}  # pieces that were drawn, and into which zone
        self.answers: dict[ir.Var, ir.Exp] = {}  # the highest number that a question takes
        for procedure in program.procedures:
            if procedure.body is not None:
                self._read(procedure.body)

    def _read(self, body: ir.Block) -> None:
        for node in steps(body):
            match node:
                case ir.Assign(var=var, value=value, at=None):
                    self.values.setdefault(var, []).append(value)
                    self.assigned.setdefault(var, []).append(value)
                case ir.KeepSet(var=var, value=kept):
                    self.assigned.setdefault(var, []).append(kept)
                case ir.Draw(var=ir.Var() as var, target=target):
                    self.drawn[var] = target
                case ir.Perform(procedure=ref, args=args, results=results):
                    for callee in procedures_of(ref):
                        for param, arg in zip(callee.params, args, strict=False):
                            self.values.setdefault(param, []).append(arg)
                        for at, var in enumerate(results):
                            self.values.setdefault(var, []).extend(_given(callee, at))
                case ir.Option(binds=binds):
                    for bind in binds:
                        if isinstance(bind.set, ir.Span_):
                            self.answers[bind.var] = bind.set.high
                case (
                    ir.Assign() | ir.Write() | ir.Pay() | ir.MoveSome() | ir.MovePiece() | ir.MoveSet() | ir.Draw()
                    | ir.Pick() | ir.Shuffle() | ir.Require() | ir.Block() | ir.If() | ir.For() | ir.Repeat()
                    | ir.Turns() | ir.Named() | ir.Leave() | ir.GiveBack() | ir.Score() | ir.EndAs() | ir.Tell() | ir.Record() | ir.Reveal()
                    | ir.Reset() | ir.Watch() | ir.Hush() | ir.Decide() | ir.Offer() | ir.ChooseSome() | ir.Secret()
                ):  # no name gets its value here
                    pass
                case _:
                    assert_never(node)

    def trace(self, e: ir.Exp) -> ir.Exp:
        """Follow names as long as they can only stand for one thing."""
        seen: set[ir.Var] = set()
        while isinstance(e, ir.Use) and e.at is None and e.var not in seen:
            seen.add(e.var)
            known = self.values.get(e.var, [])
            if not known or any(not same(other, known[0]) for other in known[1:]):
                return e
            e = known[0]
        return e

    def alike(self, a: ir.Exp, b: ir.Exp) -> bool:
        """Whether two expressions surely mean the same."""
        return same(a, b) or same(self.trace(a), self.trace(b))


def _given(procedure: ir.Procedure, at: int) -> list[ir.Exp]:
    """What a procedure gives back: in its `give`s, else in the variable of its result."""
    given = [n.values[at] for n in steps(procedure.body) if isinstance(n, ir.GiveBack)]
    if given or at >= len(procedure.results):
        return given
    result = procedure.results[at]
    return [ir.Use(result, result.kind)]


def same(a: object, b: object) -> bool:
    """Equal as written. What is known of the kind of a name at one place and not at the other makes no difference."""
    if isinstance(a, ir.Use) and isinstance(b, ir.Use):
        return a.var is b.var and (a.at is b.at or same(a.at, b.at))
    if isinstance(a, ir.Const) and isinstance(b, ir.Const):
        return a.value == b.value
    if isinstance(a, ir.Read) and isinstance(b, ir.Read):
        return a.member is b.member and len(a.at) == len(b.at) and all(map(same, a.at, b.at))
    return a == b


def conjuncts(test: ir.Exp) -> list[ir.Exp]:
    """`a and b and c` as a list."""
    if isinstance(test, ir.Op) and test.op == "and":
        return [part for arg in test.args for part in conjuncts(arg)]
    return [test]


def names_of(label: ir.Label) -> list[ir.Exp]:
    return [part for part in label.parts if not isinstance(part, str)]


__all__ = ["Meanings", "conjuncts", "names_of", "same"]
