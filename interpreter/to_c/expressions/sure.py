"""Expressions that C can work out beforehand, whatever the state: nothing in them is checked, called or written.

Where a list is made of those of many places that something holds of, a branch on each is one that nobody can foresee, and costs more
than the numbers it saves. Of what is sure every place is asked, one like the other, and it counts or not."""

from __future__ import annotations

from collections.abc import Sequence

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_c.expressions.ordering import is_place, may_be_packed
from ichiba.interpreter.to_c.expressions.values import calculated, has_gaps, is_checked
from ichiba.interpreter.to_c.known.kinds import kind_of_table
from ichiba.interpreter.to_c.known.scope import Scope, Value

SIGNS = frozenset({"==", "!=", "<", "<=", ">", ">="})
CALCULATED = frozenset({"+", "-", "*", "&", "|"})


def is_sure(w: Scope, e: p.Exp) -> bool:
    """Whether it is such an expression, by what is known now: a condition that comes before it must not have told more."""
    match e:
        case p.Num() | p.Truth():
            return True
        case p.Name(name=name):
            if name in w.set_inside:  # a later test may set it
                return False
            return w.function.kinds.get(name, "number" if name in w.program.constants else None) == "number"
        case p.Cell(at=at):
            return is_sure(w, at) and is_place(w, w.number(at)) and not may_be_packed(w, w.number(at))
        case p.Sum(terms=terms, fixed=fixed):
            return all(is_sure(w, term) for term in terms) and _all_fit(w, "+", [*map(w.number, terms), w.number(p.Num(fixed))])
        case p.Op(op=op, left=left, right=right) if op in CALCULATED:
            return is_sure(w, left) and is_sure(w, right) and _all_fit(w, op, [w.number(left), w.number(right)])
        case p.Unary(op="not" | "-", of=of):
            return is_sure(w, of)
        case p.Compare(first=first, rest=((sign, other),)) if sign in SIGNS:
            return w.kind(first) == w.kind(other) == "number" and is_sure(w, first) and is_sure(w, other)
        case p.Logic(parts=parts_):
            return all(is_sure(w, part) for part in parts_)
        case p.Entry(of=p.Name(name=name), at=at) if name not in w.function.kinds:
            table = w.program.tables.get(name)
            if not isinstance(table, tuple | list) or kind_of_table(table) != "list" or has_gaps(table):
                return False
            return is_sure(w, at) and w.number(at).within(0, len(table) - 1)
        case _:
            return False


def _all_fit(w: Scope, op: str, values: Sequence[Value]) -> bool:
    """Whether nothing is checked while these are put together."""
    made = values[0]
    for value in values[1:]:
        if op in "+-*" and is_checked(op, made, value):
            return False
        made = calculated(op, made, value)
    return True


def sure_truth(w: Scope, e: p.Exp) -> str:
    """Whether something sure counts as true, as 0 or 1, without a branch."""
    match e:
        case p.Logic(op=op, parts=parts_):
            return "(" + (" & " if op == "and" else " | ").join(sure_truth(w, part) for part in parts_) + ")"
        case p.Unary(op="not", of=of):
            return f"(!{sure_truth(w, of)})"
        case _:
            return w.truth(e)
