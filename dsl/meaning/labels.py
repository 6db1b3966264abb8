"""Words with values in them."""

from __future__ import annotations

from ichiba.dsl.meaning.wanted import as_exp
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import Env, Zones
from ichiba.dsl.names.sorts import holds_one
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.wording import spelled
from ichiba.dsl.world.kinds import NUMBER, maybe


def label_of(c: Context, text: t.Text, env: Env) -> ir.Label:
    """Words with values in them."""
    parts: list[str | ir.Exp] = []
    names: list[str] = []
    for part in text.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        value = _shown(c, part, env)
        if value is not None:
            parts.append(value)
            names.append(spelled(part.span.text))
    return ir.Label(tuple(parts), tuple(names))


def _shown(c: Context, part: t.Expr, env: Env) -> ir.Exp | None:
    """A value in a text; of a set all its members."""
    found = c.meaning(c, part, env)
    if isinstance(found, Zones) and len(found.zones) == 1 and holds_one(c, found.zones[0]):
        return ir.Only(found.zones[0], maybe(c.world.element(found.kind.name)))
    if isinstance(found, Zones) and len(found.zones) == 1 and isinstance(found.zones[0], ir.ZoneAt):
        said = spelled(part.span.text)
        label = f"several may lie there: what lies there is `{{(x for x in {said})}}`, how many `{{count of {said}}}`"
        c.faults.add("W616", part.span, f"`{{{said}}}` says what the zone is called", label=label)
    if isinstance(found, ir.SET_CLASSES):
        return ir.Aggregate("list", found, ir.Var("it", NUMBER), None, found.kind)
    return as_exp(c, found, part, env, None)


def plain_label(c: Context, text: str) -> ir.Label:
    return ir.Label((text,))
