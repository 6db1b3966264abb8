"""What goes on between questions and no rule says, in the plan."""

from __future__ import annotations

from typing import assert_never

from ichiba.interpreter.flow.between import (
    Add,
    Asked,
    Begin,
    Between,
    CountBelow,
    Mark,
    NewTurn,
    Next,
    NextSeat,
    PackUp,
    StillPacked,
    Stop,
    Unpack,
)
from ichiba.interpreter.flow.pieces import horizon
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import compare, place, row
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.names import name_of
from ichiba.interpreter.to_plan.context.tables import fixed_table
from ichiba.interpreter.to_plan.context.writing import write_mark
from ichiba.interpreter.to_plan.sets.sets import list_of
from ichiba.interpreter.to_plan.statements.chance import in_random_order
from ichiba.interpreter.to_plan.statements.telling import turn


def write_between(c: Context, one: Between) -> None:
    """One of the moves that the flow has put between those of the rules."""
    match one:
        case Begin(count=count):
            c.out.line("{} = 0", name_of(c, count))
        case Add(count=count, by=by):
            c.out.line("{} += {}" if by > 0 else "{} -= {}", name_of(c, count), abs(by))
        case PackUp(rest=rest, set=through):
            listed = list_of(c, through, each=True)
            if one.random:
                listed = in_random_order(c, listed, through.kind.of, one.what)
            c.out.line("{} = pack({})", name_of(c, rest), listed)
        case Unpack(var=var, rest=rest):
            c.out.line("{} = ({} & MASK) - 2; {} >>= BITS", name_of(c, var), name_of(c, rest), name_of(c, rest))
        case Next():
            _write_next(c, one)
        case NextSeat(me=me):
            c.out.line("{} = ({} + 1) % {}", name_of(c, me), name_of(c, me), c.world.config.seats)
        case NewTurn(me=me):
            turn(c, p.Num(-1) if me is None else name_of(c, me))
        case Stop(options=options):
            ends = [horizon(site, number) for site, number in options]
            of_these = compare(
                p.Attribute(p.C, "dry"), *(("==", p.Num(ends[0])) if len(ends) == 1 else ("in", row(ends)))
            )
            c.out.line("if {}: raise Stop", of_these)
        case Mark(number=number):
            write_mark(c, number)
        case _:
            assert_never(one)


def _write_next(c: Context, one: Next) -> None:
    """The next of fixed values: worked out where they follow each other, looked up otherwise."""
    if not one.values:
        c.out.line("pass")
        return
    var, count, low = name_of(c, one.var), name_of(c, one.count), one.values[0]
    if one.values == tuple(range(low, low + len(one.values))):
        c.out.line("{} = {}; {} += 1", var, place([count, low]), count)
    else:
        c.out.line("{} = {}[{}]", var, fixed_table(c, one.values, "values"), count)
        c.out.line("{} += 1", count)


def ask_between(c: Context, one: Asked) -> p.Exp:
    """What the flow asks before a loop goes on."""
    match one:
        case StillPacked(rest=rest):
            return name_of(c, rest)
        case CountBelow(count=count, limit=limit):
            return compare(name_of(c, count), "<", p.Num(limit))
        case _:
            assert_never(one)
