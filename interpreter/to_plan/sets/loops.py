"""Clauses of comprehensions: `for … in … if …`."""

from __future__ import annotations

from dataclasses import replace

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import row

Clauses = tuple[p.Each, ...]
FEW = 4  # so many are looked through sooner than found in a table


def each(name: str, source: p.Exp, *tests: p.Exp) -> Clauses:
    """`for name in source if …`"""
    return (p.Each((p.Name(name),), source, tests),)


def tested(clauses: Clauses, *tests: p.Exp) -> Clauses:
    """The same clauses with more tests at their end."""
    *first, last = clauses
    return (*first, replace(last, tests=last.tests + tests))


def literal(value: object) -> p.Exp:
    """A fixed number, or fixed numbers in a row."""
    if isinstance(value, tuple):
        return row(literal(one) for one in value)
    assert isinstance(value, int)
    return p.Num(value)
