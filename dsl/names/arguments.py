"""What is handed over: the parameters that are declared, arguments by their names, and what a replacement takes in their place."""

from __future__ import annotations

from ichiba.dsl.faults.fault import nearest, quote
from ichiba.dsl.faults.source import Span
from ichiba.dsl.names.compatible import fits
from ichiba.dsl.names.context import Context
from ichiba.dsl.names.hints import meant, written
from ichiba.dsl.names.meanings import Definition
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.opening.members import type_of
from ichiba.dsl.world.world import kind_named


def params_of(c: Context, definition: Definition) -> tuple[t.Param, ...]:
    return definition.item.params or ()


def param_kind(c: Context, param: t.Param) -> Kind:
    """Without a type, the name of a parameter is its type, or the singular of a set's."""
    if param.type is not None:
        return type_of(c.world, param.type, c.faults)
    found = kind_named(c.world, param.name)
    if found is not None:
        return found
    return type_of(c.world, t.Type(param.span, param.name), c.faults)


def takes_the_same(c: Context, definition: Definition) -> None:
    """Who calls it does not know that it has been replaced: a replacement takes what is handed over, and gives what is awaited."""
    old = definition.original
    if old is None:
        return
    for own, was in zip(params_of(c, definition), params_of(c, old), strict=False):
        if own.type is not None or not definition.board:
            _is_taken(c, definition, own, was)
    item, declared = definition.item, first_declared(definition).item
    if isinstance(item, t.Procedure) and isinstance(declared, t.Procedure) and (item.results or not definition.board):
        _gives_the_same(c, definition, [(r.span, param_kind(c, r)) for r in item.results], [param_kind(c, r) for r in declared.results])
    if isinstance(item, t.Value) and isinstance(declared, t.Value) and item.gives is not None and declared.gives is not None:
        said = type_of(c.world, item.gives, c.faults)
        _gives_the_same(c, definition, [(item.gives.span, said)], [type_of(c.world, declared.gives, c.faults)])


def _is_taken(c: Context, definition: Definition, own: t.Param, was: t.Param) -> None:
    kind, given = param_kind(c, own), param_kind(c, was)
    if not fits(c, given, kind) or given.optional and not kind.optional:
        message = f"`{own.name}` is {kind} here, but `{definition.name}` takes {given}"
        c.faults.add("E301", own.span, message, label=f"{given} is needed", second=(was.span, "declared here"))


def _gives_the_same(c: Context, definition: Definition, gives: list[tuple[Span, Kind]], awaited: list[Kind]) -> None:
    second = first_declared(definition).span, "declared here"
    if len(gives) != len(awaited):
        span = gives[0][0] if gives else definition.span
        c.faults.add("E211", span, f"`{definition.name}` gives {len(awaited)} back, {len(gives)} here", second=second)
        return
    for (span, kind), wanted in zip(gives, awaited, strict=True):
        if not fits(c, kind, wanted) or kind.optional and not wanted.optional:
            c.faults.add("E301", span, f"this is {kind}, but `{definition.name}` gives {wanted}", label=f"{wanted} is needed", second=second)


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
