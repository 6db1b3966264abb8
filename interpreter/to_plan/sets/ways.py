"""What is asked of ways from place to place. Each search is a function of its own, which answers for all ends."""

from __future__ import annotations

from functools import lru_cache

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import Net
from ichiba.interpreter.analysis.simplify import cheap
from ichiba.interpreter.analysis.variables import free_variables, shape
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import ZERO, call, compare
from ichiba.interpreter.to_plan.context.context import Context, lower
from ichiba.interpreter.to_plan.context.names import new_name
from ichiba.interpreter.to_plan.context.tables import fixed_table
from ichiba.interpreter.to_plan.values.places import offset

PASSES_AT_ONCE, FEWER_AT_ONCE = 64, 8  # of what a search goes through count as one; where everything is counted


def way(c: Context, e: ir.Way) -> p.Exp:
    """What stands for the end; what is said for no way is worked out only then, where that could be told."""
    cost = p.Entry(_found(c, "ways", e.search), offset(c, e.end, e.search.net.low))
    if cheap(e.other):
        return call("or_else", cost, lower(c, e.other))
    return p.Choice(compare(cost, ">=", ZERO), cost, lower(c, e.other))


def connected(c: Context, e: ir.Connected) -> p.Exp:
    return _found(c, "flood", e.search)


def steps(c: Context, e: ir.Steps) -> p.Exp:
    low, laid = e.search.net.low, in_order(e.search.net)
    come_from = tuple(here - low for here, _, _ in laid)
    names = tuple(over if e.over else there for _, over, there in laid)
    tables = fixed_table(c, come_from, "come_from"), fixed_table(c, names, "steps")
    return call("steps_to", _found(c, "ways", e.search), offset(c, e.end, low), *tables)


@lru_cache(64)
def in_order(net: Net) -> tuple[tuple[int, int, int], ...]:
    """The single steps: by the place from which they lead, then by connection."""
    return tuple(sorted(net.steps))


def _found(c: Context, word: str, search: ir.Search) -> p.Exp:
    """The function of a search, called. Where steps are counted, it counts the same whether it searches or remembers."""
    params = [var for var in free_variables([search]) if var in c.names]
    said = word, tuple(var in c.lists for var in params), shape(search, params)
    name = c.mentioned.ways.get(said)
    if name is None:
        name = c.mentioned.ways[said] = c.prefix + new_name(c, word)
        c.queue.ways.append((name, word, search, tuple(params)))
    made = call(name, p.S, *(c.names[param] for param in params))
    if not c.metered:
        return made
    c.has_steps = True
    passes = FEWER_AT_ONCE if c.world.closely else PASSES_AT_ONCE
    return p.Choice(call("spend", 1 + c.extents.steps(search) // passes), made, p.Row("list"))
