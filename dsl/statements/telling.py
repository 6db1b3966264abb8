"""`tell` and `record`: what is said to people, and what is written down for whoever counts."""

from __future__ import annotations

from ichiba.dsl.meaning.labels import label_of
from ichiba.dsl.meaning.wanted import as_set, exp
from ichiba.dsl.names.compatible import mismatch
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import Env
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import NUMBER, SEAT, UNKNOWN, Kind

_SPELLED = ("number", "flag", "seat", "enum", "thing", "sort", "piece")  # what stands for itself in a key


def told(c: Context, node: t.Tell, env: Env) -> list[ir.Stm]:
    """Without an audience everybody hears it."""
    words = label_of(c, node.words, env)
    if node.audience is None:
        return [ir.Tell(words, None, node.span)]
    audience = _seats(c, node.audience, env)
    return [ir.Tell(words, audience, node.span)] if audience is not None else []


def _seats(c: Context, node: t.Expr, env: Env) -> ir.Set | None:
    """A seat, or several of them; nobody in the place of one hears nothing."""
    found = as_set(c, c.meaning(c, node, env, SEAT), node, SEAT, one_too=True)
    if found is None:
        return None
    of = found.kind.of or UNKNOWN
    if of.form != "seat" and of != UNKNOWN:
        mismatch(c, node, of, SEAT)
        return None
    return found


def recorded(c: Context, node: t.Record, env: Env) -> list[ir.Stm]:
    """An amount under a name, and of what it is."""
    if not node.name.text.strip() or any(not isinstance(part, str) for part in node.name.parts):
        label = 'for example `record "price" …`; of what it is stands behind `for`'
        c.faults.add("E103", node.name.span, "what is recorded has one name, without braces", label=label)
        return []
    value = exp(c, node.value, env)
    if value.kind.form != "number" and value.kind != UNKNOWN:
        mismatch(c, node.value, value.kind, NUMBER)
    return [ir.Record(node.name.text, value, tuple(_of(c, one, env) for one in node.of), node.span)]


def _of(c: Context, node: t.Expr, env: Env) -> ir.Exp:
    """What an amount is of: anything that has a key."""
    value = exp(c, node, env)
    if value.kind.form not in _SPELLED and value.kind != UNKNOWN:
        label = "name a seat, a sort, a thing, a piece, a word or a number"
        c.fault("E301", node, f"this is {value.kind}, which has no key", label=label)
        return ir.Const(0, Kind("number"))
    return value
