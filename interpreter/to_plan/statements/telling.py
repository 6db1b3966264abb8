"""`tell` and `record`: what they say is worked out by whoever listens, and by nobody else.

Each value is handed over as a function: what cannot be worked out is no fault of the game, which would be another one where
nobody listens.
"""

from __future__ import annotations

from collections.abc import Iterable

from ichiba.dsl.rules import ir
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import NONE, row
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.sets.sets import list_of


def tell(c: Context, s: ir.Tell) -> None:
    """A line of the log."""
    if not c.trace:
        c.out.line("pass")
        return
    c.numbered.tells.append(s)
    values = [_value(c, part) for part in s.label.parts if not isinstance(part, str)]
    audience = NONE if s.audience is None else list_of(c, s.audience, each=True)
    c.out.line("C.tell({}, {}, {})", len(c.numbered.tells) - 1, _later(values), p.Lambda((), audience))


def record(c: Context, s: ir.Record) -> None:
    """A row for whoever counts; or its numbers alone, where games are played without anybody who listens."""
    if not c.trace and not c.records:
        c.out.line("pass")
        return
    number, values = len(c.numbered.records), (lower(c, part) for part in (s.value, *s.of))
    c.numbered.records.append(s)
    if c.trace:
        c.out.line("C.record({}, {})", number, _later(values))
    else:
        c.out.line("noted(S, C, {}, {})", number, p.Row("list", tuple(values)))


def turn(c: Context, me: p.Exp) -> None:
    """A turn begins that stands in no other; -1: it is nobody's any longer."""
    if c.trace:
        c.out.line("C.turn({})", me)
    elif c.records:
        c.out.line("turn_begins(S, C, {})", me)


def _value(c: Context, part: ir.Exp) -> p.Exp:
    """A value of a sentence; of a set the list of them."""
    return list_of(c, part.set, each=True) if isinstance(part, ir.Aggregate) and part.how == "list" else lower(c, part)


def _later(values: Iterable[p.Exp]) -> p.Exp:
    return row([p.Lambda((), value) for value in values])
