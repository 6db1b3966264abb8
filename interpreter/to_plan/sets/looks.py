"""Things that could look alike."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.analysis.likeness import individuals_of
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.names import new_name


def look_of(c: Context, inner: ir.Set) -> str:
    """The functions that say how a thing of this set looks, if two of them could look alike."""
    sorts = individuals_of(inner, c.world)
    if not sorts:
        return ""
    if sorts not in c.mentioned.looks:
        c.mentioned.looks[sorts] = new_name(c, "look")
    return c.mentioned.looks[sorts]
