"""Whether `choose some lot from my.tokens, at least 2` surely has an answer: conditions under which some lot is allowed.

A lot is what is chosen together: some pieces of a set."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import FLAG, NUMBER, Kind
from ichiba.interpreter.ahead.joining import all_of


def everything_fits(s: ir.ChooseSome, count: ir.Exp, least: ir.Exp) -> ir.Exp | None:
    """The condition that the whole set is an allowed lot, or None where that cannot be said. With `count` pieces in the set
    and `at least 2, at most 5` it is `count >= 2 and count <= 5`. Where it holds, the choice has an answer."""
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
    return all_of(tests)
