"""Names that an expression binds: `for c in my.cards where c.face > 2 by highest c.face`.

For each a variable, the set it runs over, narrowed by its `where`, and how that set is ordered."""

from __future__ import annotations

from dataclasses import replace

from ichiba.dsl.meaning.arithmetic import fold, same_unit, unit_step
from ichiba.dsl.meaning.wanted import a_number, cond, elements, exp
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.meanings import Env, Meaning
from ichiba.dsl.names.narrowing import narrow
from ichiba.dsl.rules import ir
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.lexer import word_fault
from ichiba.dsl.syntax.parse import reserved_words
from ichiba.dsl.world.kinds import NUMBER, Kind, set_of


def bind_name(c: Context, binder: t.Binder, env: Env) -> tuple[ir.Var, ir.Set, Env]:
    """A binder with its `where`: the variable, its set, and the names known afterwards."""
    if binder.top is not None:
        domain: ir.Set = range_of(c, binder.domain, binder.top, binder.step, env)
    else:
        domain = elements(c, binder.domain, env)
    var = ir.Var(binder.name, domain.kind.of or NUMBER)
    inside = env.over(var, domain)
    if binder.where is not None:
        test = cond(c, binder.where, inside)
        domain = ir.Filtered(domain, var, test, domain.kind)
        narrow(c.world, binder.where, inside)
    return var, domain, inside


def range_of(c: Context, low: t.Expr, high: t.Expr, step: t.Expr | None, env: Env) -> ir.Span_:
    """`¥0 .. my.cash step ¥100`; without `step`, that of the unit."""
    bottom = a_number(c, low, env)
    top = a_number(c, high, env)
    same_unit(c, low, bottom, high, top)
    by = a_number(c, step, env) if step is not None else ir.Const(unit_step(c, top.kind), top.kind)
    if step is not None:
        same_unit(c, high, top, step, by)
        if isinstance(by, ir.Const) and by.value < 1:
            c.fault("E106", step, "with such steps one never arrives", label="a step is at least 1")
        by = fold(c, ir.Op("max", (by, ir.Const(1, by.kind)), by.kind))
    return ir.Span_(bottom, top, by, set_of(top.kind.plain))


def selection_of(c: Context, node: t.Expr, env: Env) -> tuple[ir.Set, ir.Var, Env]:
    """`x in S` as the head of a selection: the set, its variable, and the names with it."""
    if isinstance(node, t.Within) and isinstance(node.what, t.Name):
        inner = elements(c, node.where, env)
        if node.what.name in reserved_words():
            message, label = word_fault(node.what.name)
            c.fault("E104", node.what, message, label=label)
        var = ir.Var(node.what.name, inner.kind.of or NUMBER)
        return inner, var, env.over(var, inner)
    c.fault("E203", node, "a selection begins with a name", label="like `(x in markets where …)`")
    var = ir.Var("it", NUMBER)
    return ir.Listed((), set_of(NUMBER)), var, env


def kind_of_those(c: Context, inner: ir.Set, item: Meaning | None) -> Kind:
    """`(p in spots where p is inn)` is a set of inns."""
    narrower = item.kind if isinstance(item, ir.Use) else None
    return inner.kind if narrower is None or narrower == inner.kind.of else replace(inner.kind, of=narrower)


def order_key(c: Context, key: t.OrderKey, env: Env) -> ir.Exp:
    """What things are ordered by: a number, or a condition, where no is less than yes."""
    value = exp(c, key.key, env)
    if value.kind.form not in ("number", "flag"):
        c.fault("E301", key.key, f"{value.kind} has no order", label="a number is needed")
    return value


def ordered(c: Context, inner: ir.Set, var: ir.Var, keys: tuple[t.OrderKey, ...], env: Env) -> ir.Set:
    """The set in the order of its keys: `by highest c.face then lowest position of c`."""
    made = tuple((order_key(c, key, env), key.direction == "highest") for key in keys)
    return ir.Ordered(inner, var, made, inner.kind)
