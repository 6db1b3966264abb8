"""Arguments by name: `auction(lot, judge: me)` in the order in which `auction` declares what it takes."""

from __future__ import annotations

from ichiba.dsl.faults.fault import nearest, quote
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.hints import meant, written
from ichiba.dsl.names.meanings import Definition
from ichiba.dsl.syntax import tree as t


def in_order(c: Context, node: t.Node, definition: Definition, args: tuple[t.Expr, ...], given: int = 0) -> tuple[t.Expr, ...] | None:
    """The arguments of a call as they are declared; None after a fault. `given`: so many are known already.

    Names are those of the first declaration: who replaces it may call them otherwise, and those who call it need not know."""
    names = node.names if isinstance(node, t.Call) else ()
    if not names:
        return args
    declared = first_declared(definition)
    params = [param.name for param in declared.item.params or ()][given:]
    behind = len(args) - len(names)
    found = dict(zip(params, args[:behind], strict=False))
    for called, arg in zip(names, args[behind:], strict=True):
        if called.name not in params or called.name in found:
            _no_such(c, called, declared, [name for name in params if name not in found], called.name in found)
            return None
        found[called.name] = arg
    missing = [name for name in params if name not in found]
    if missing:
        _missing(c, node, declared, missing)
        return None
    return tuple(found[name] for name in params)


def first_declared(definition: Definition) -> Definition:
    while definition.original is not None:
        definition = definition.original
    return definition


def takes_no_names(c: Context, node: t.Node, name: str) -> bool:
    """Only what declares names can be given arguments by them."""
    if not isinstance(node, t.Call) or not node.names:
        return False
    label = "leave the names out; what stands in its brackets goes by its order"
    c.fault("E330", node.names[0], f"`{name}` takes nothing by its name", label=label)
    return True


def _no_such(c: Context, called: t.Called, declared: Definition, left: list[str], twice: bool) -> None:
    hint = None if twice else nearest(called.name, left)
    message = f"`{called.name}` is given twice" if twice else f"`{declared.name}` takes nothing that is called `{called.name}`"
    label = meant(hint) or f"it is {quote(written(declared))}"
    notes = (f"it is {quote(written(declared))}",) if hint else ()
    c.fault("E330", called, message, label=label, notes=notes, second=(declared.span, "declared here"))


def _missing(c: Context, node: t.Node, declared: Definition, missing: list[str]) -> None:
    several = [f"`{name}`" for name in missing]
    said = several[0] if len(several) == 1 else f"{', '.join(several[:-1])} and {several[-1]}"
    message = f"{said} of `{declared.name}` {'is' if len(several) == 1 else 'are'} not given"
    c.fault("E330", node, message, label=f"it is {quote(written(declared))}", second=(declared.span, "declared here"))
