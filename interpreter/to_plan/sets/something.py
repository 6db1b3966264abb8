"""Fixed values of which each has a place that says whether it counts."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import walk
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import place, split
from ichiba.interpreter.plan.parts import parts_of as trees_in
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.names import with_name
from ichiba.interpreter.to_plan.sets.indexes import narrowed_set, quick_first
from ichiba.interpreter.to_plan.sets.loops import FEW, Clauses, each


def those_with_something(
    c: Context, inner: ir.Set, var: ir.Var, name: str, test: ir.Exp
) -> tuple[Clauses, list[ir.Exp]] | None:
    """Fixed values that follow each other, of which a place each says whether they count: as clauses, with the rest
    of the condition."""
    inner = narrowed_set(c, inner)
    if not isinstance(inner, ir.Listed) or len(inner.items) < FEW or c.metered:
        return None
    values = [i.value for i in inner.items if isinstance(i, ir.Const)]
    if values != list(range(values[0], values[0] + len(inner.items))):
        return None
    parts = quick_first(c, "and", (test,))
    own = p.Name(name)
    for at, part in enumerate(parts):
        if var not in (n.var for n in walk(part) if isinstance(n, ir.Use)):
            continue
        found = _something(with_name(c, var, own, part))
        if found is None or found[1] and not (isinstance(part, ir.Op) and c.extents.value(part.args[0])[0] >= 0):
            continue  # below nothing there would be something too
        terms, fixed = split(found[0])
        others = [term for term in terms if term != own]
        if len(others) != len(terms) - 1 or own in trees_in(tuple(others)):
            continue
        low, high = (place([*others, fixed + end]) for end in (values[0], values[-1] + 1))
        source = say("compress(range({}, {}), S[{}:{}])", values[0], values[-1] + 1, low, high)
        return each(name, source), parts[:at] + parts[at + 1 :]
    return None


def _something(e: p.Exp) -> tuple[p.Exp, bool] | None:
    """A condition that says that there is something in a place: which place; and whether it says `more than nothing`."""
    match e:
        case p.Cell(at=at):
            return at, False
        case p.Compare(first=p.Cell(at=at), rest=((">", p.Num(value=0)),)):
            return at, True
        case p.Unary(op="not", of=p.Compare(first=p.Cell(at=at), rest=(("==", p.Num(value=0)),))):
            return at, False
        case _:
            return None
