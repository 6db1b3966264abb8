"""What variables are called, for as long as they are."""

from __future__ import annotations

from functools import cache

from ichiba.dsl.rules import ir
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_plan.context.context import Context, lower


@cache
def plain(hint: str) -> str:
    """Words of an author's as part of a name in Python."""
    return "".join(x if x.isalnum() and x.isascii() else "_" for x in hint)


def new_name(c: Context, hint: str = "v") -> str:
    """A name that nothing else has."""
    c.fresh += 1
    return f"{plain(hint)}_{c.fresh}"


def name_of(c: Context, var: ir.Var) -> p.Exp:
    """What a variable is called; or its place in the state."""
    return c.names[var] if var in c.names else p.Cell(p.Num(c.layout.slot(var)))


def own_names(c: Context, variables: list[ir.Var]) -> dict[ir.Var, p.Exp | None]:
    """Names of their own for variables; what they were called before."""
    saved: dict[ir.Var, p.Exp | None] = {}
    for var in variables:
        saved[var] = c.names.get(var)
        c.names[var] = p.Name(new_name(c, var.name))
    return saved


def restore_all(c: Context, saved: dict[ir.Var, p.Exp | None]) -> None:
    """Variables are called again as they were before."""
    for var, name in saved.items():
        restore(c, var, name)


def restore(c: Context, var: ir.Var, saved: p.Exp | None) -> None:
    """A variable is called again as it was before."""
    if saved is None:
        c.names.pop(var, None)
    else:
        c.names[var] = saved


def with_name(c: Context, var: ir.Var, name: p.Exp, e: ir.Exp) -> p.Exp:
    """An expression in which a variable is called so."""
    saved = c.names.get(var)
    c.names[var] = name
    made = lower(c, e)
    restore(c, var, saved)
    return made


def local_name(c: Context, var: ir.Var) -> p.Exp:
    """A name for a variable of straight-line code, unless it lives in the state."""
    if var not in c.names and var not in c.layout.slots:
        c.names[var] = p.Name(new_name(c, var.name))
    return name_of(c, var)


def forget(c: Context, var: ir.Var) -> None:
    """After its options are made a binder is again what its rule knows."""
    if var in c.layout.slots:
        c.names.pop(var, None)
    else:
        c.names[var] = p.Name(c.own_names.setdefault(var, new_name(c, var.name)))
