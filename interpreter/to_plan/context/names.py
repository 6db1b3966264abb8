"""What variables are called, for as long as they are."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.to_plan.context.context import Context, lower


def new_name(c: Context, hint: str = "v") -> str:
    c.fresh += 1
    clean = "".join(x if x.isalnum() and x.isascii() else "_" for x in hint)
    return f"{clean}_{c.fresh}"


def name_of(c: Context, var: ir.Var) -> p.Exp:
    return c.names[var] if var in c.names else p.Cell(p.Num(c.layout.slot(var)))


def own_names(c: Context, variables: list[ir.Var]) -> dict[ir.Var, p.Exp | None]:
    saved: dict[ir.Var, p.Exp | None] = {}
    for var in variables:
        saved[var] = c.names.get(var)
        c.names[var] = p.Name(new_name(c, var.name))
    return saved


def restore_all(c: Context, saved: dict[ir.Var, p.Exp | None]) -> None:
    for var, name in saved.items():
        if name is None:
            c.names.pop(var, None)
        else:
            c.names[var] = name


def restore(c: Context, var: ir.Var, saved: p.Exp | None) -> None:
    if saved is None:
        c.names.pop(var, None)
    else:
        c.names[var] = saved


def with_name(c: Context, var: ir.Var, name: p.Exp, e: ir.Exp) -> p.Exp:
    saved = c.names.get(var)
    c.names[var] = name
    made = lower(c, e)
    if saved is None:
        del c.names[var]
    else:
        c.names[var] = saved
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
