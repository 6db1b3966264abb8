"""Things that are alike: only the first of them goes on."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.world import FIRST_THING
from ichiba.interpreter.analysis.likeness import Likeness, individuals_of
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import NONE, ZERO, row
from ichiba.interpreter.plan.saying import say
from ichiba.interpreter.to_plan.context.context import Context
from ichiba.interpreter.to_plan.context.tables import fixed_table
from ichiba.interpreter.to_plan.context.writing import define, end


def _likeness_of(c: Context) -> Likeness:
    things = fixed_table(c, tuple(t.sort for t in c.world.things), "sort_of_thing")
    ordered = frozenset(first for first, zone in c.layout.zones.items() if "ordered" in zone.words)
    table = fixed_table(c, ordered, "ordered") if ordered else ""
    return Likeness(c.world, lambda x: say("{}[{} - {}]", things, x, FIRST_THING), c.layout.totals, table)


def write_looks(c: Context) -> None:
    """How things look that could be alike: what is quickly compared, and what of it lies deeper."""
    likeness, x = _likeness_of(c), p.Name("x")
    for sorts, name in c.mentioned.looks.items():
        deep = likeness.deep(sorts, x)
        define(c, f"{name}_plain", [p.S, x])
        c.out.line("return {}", row(likeness.plain(sorts, x)))
        end(c)
        if deep:
            define(c, f"{name}_deep", [p.S, x])
            c.out.line("return {}", row(deep))
            end(c)
        c.out.line("{} = {}, {}", name, f"{name}_plain", p.Name(f"{name}_deep") if deep else NONE)


def first_of_alike(c: Context, inner: ir.Set, name: p.Name, look: str) -> None:
    """Of things that are alike only the first goes on from here."""
    sorts = individuals_of(inner, c.world)
    while isinstance(inner, ir.Filtered):
        inner = inner.set
    assert isinstance(inner, ir.Pieces)
    seen = p.Name(f"seen_{name.name}", "keyed")
    if len(sorts) < len(inner.sorts.sorts):  # some are counted, and never alike
        c.out.line("if alike(S, {}, {}, *{}): continue", seen, name, look)
        return
    zones = inner.zones
    zone = zones[0].member if len(zones) == 1 and isinstance(zones[0], ir.ZoneAt) else None
    likeness = _likeness_of(c)
    parts = likeness.plain(sorts, name, zone)
    key = row(parts) if len(parts) > 1 else parts[0] if parts else ZERO
    if likeness.deep(sorts, name):
        with c.out.under("if (k := {}) in {}:", key, seen):
            c.out.line("if not apart(S, {}[k], {}, {}): continue", seen, name, f"{look}_deep")
        c.out.line("else: {}[k] = [{}]", seen, name)
    else:
        c.out.line("if (k := {}) in {}: continue", key, seen)
        c.out.line("{}[k] = {}", seen, name)
