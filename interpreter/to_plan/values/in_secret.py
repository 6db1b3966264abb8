"""Answers that were given in secret."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ZERO, compare, logic
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.values.lookups import told


def who_was_asked(c: Context, var: ir.Var, seat: ir.Exp) -> p.Exp:
    """The seat whose answer in secret is looked at; where others were asked or it may be nobody, that is a fault."""
    whose = lower(c, seat)
    if var in c.secrets.all_asked and not seat.kind.optional:
        return whose
    what = told(c, f"this seat was not asked for `{var.name}`")
    there = [compare(whose, ">=", ZERO)] if seat.kind.optional else []
    asked = logic("and", [*there, say("S[{}] >> {} & 1", c.secrets.asked[var], whose)])
    last = c.world.config.seats - 1
    return say("place_in({} if {} else -1, 0, 0, {}, FAULTS[{}])", whose, asked, last, what)
