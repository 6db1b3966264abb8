"""Functions of the plan, each from its head to its end, and faults in them."""

from __future__ import annotations

from functools import partial

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.interpreter.analysis.busy import MANY_STEPS, is_small, worth
from ichiba.interpreter.passes.reading import once, once_in_lines
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import call, one
from ichiba.interpreter.plan.saying import do
from ichiba.interpreter.plan.writing import OPEN
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.names import new_name


def define(c: Context, name: str, params: list[p.Exp], note: str = "") -> None:
    """What is written from here on, up to its `end`, is this function."""
    c.out.depth = 0
    c.params = tuple(param for param in params if isinstance(param, p.Name))
    c.out.put(p.Function(name, c.params, OPEN, note))
    c.beginning = len(c.out.lines)
    c.out.depth = 1


def end(c: Context, said_once: bool = False) -> None:
    """`said_once`: the function changes nothing, so what it says several times is worked out once."""
    if c.mentioned.ways and not said_once and len(c.out.lines) > c.beginning:
        body = once_in_lines(c.out.finished(c.beginning), partial(new_name, c), c.mentioned.ways.values())
        c.out.lines += [(1, statement) for statement in body]
    if said_once and len(c.out.lines) > c.beginning:
        known = c.mentioned
        body = once(c.out.finished(c.beginning), c.params, known.searches.values(), partial(new_name, c), known.ways.values())
        c.out.lines += [(1, statement) for statement in body]
    c.out.depth = 0


def fault(c: Context, message: str, span: Span | None) -> p.Stm:
    """What stops the game with a fault of the rules; where it was written is told with it."""
    c.numbered.faults.append((message, span))
    at = len(c.numbered.faults) - 1
    return one(do("raise RuleFault(FAULTS[{}], {})", at, at))


def meter(c: Context, *parts: ir.Node | None, most: int = MANY_STEPS) -> int:
    """Whether the steps of what is now written must be counted while it runs. Gives what was said before."""
    before = c.metered
    if c.world.closely:
        c.metered = 0 if is_small(c.extents, *parts) else worth(c.extents, *parts)
    else:
        c.metered = sum(c.extents.steps(part) for part in parts) > most
    return before


def meter_within(c: Context, *parts: ir.Node | None) -> int:
    """Where everything is counted, a step through a loop is worth what stands in it, not what stands around it."""
    before = c.metered
    if before and c.world.closely:
        meter(c, *parts)
    return before


def a_step(c: Context) -> p.Exp:
    """A step is counted."""
    c.has_steps = True
    return call("tick") if c.metered <= 1 else call("spend", c.metered)


def count_passes(c: Context) -> None:
    """A pass of a loop, where there may be very many."""
    if c.metered:
        c.out.put(p.Do(a_step(c)))


def count_closely(c: Context, *parts: ir.Node | None) -> None:
    """What is now gone through once, where everything is counted. Of little there are no more than `STEPS` in a row."""
    if c.world.closely and (many := worth(c.extents, *parts)) > 1:
        c.has_steps = True
        c.out.put(p.Do(call("spend", many)))


def write_mark(c: Context, number: int | None) -> None:
    """A point of the rules is told that it was reached, where nothing is only tried."""
    if number is not None:
        c.out.line("saw({}, True)" if c.in_value else "if not C.dry: saw({}, True)", number)
