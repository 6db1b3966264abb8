"""What is handed over in brackets: by its place, or by the name of what it is for."""

from __future__ import annotations

from ichiba.dsl.syntax import tree as t
from tests.reference.modules import Definition
from tests.reference.values import RulesWrong


def in_order(call: t.Expr, definition: Definition, given: int = 0) -> tuple[t.Expr, ...]:
    """The arguments of a call in the order in which what is called was declared at first, those with names where these say."""
    if not isinstance(call, t.Call):
        return ()
    if not call.names:
        return call.args
    while definition.original is not None:
        definition = definition.original
    params = [param.name for param in definition.params][given:]
    plain = len(call.args) - len(call.names)
    found = dict(zip(params, call.args[:plain])) | dict(zip((called.name for called in call.names), call.args[plain:], strict=True))
    if set(found) != set(params) or len(found) < len(call.args):
        raise RulesWrong(f"`{definition.name}` takes {', '.join(params)}")
    return tuple(found[name] for name in params)


def argument_at(call: t.Call, at: int, name: str) -> tuple[t.Expr, ...]:
    """What is handed over for a parameter, by its place or its name; nothing where the call does not say."""
    plain = len(call.args) - len(call.names)
    named = [arg for called, arg in zip(call.names, call.args[plain:], strict=True) if called.name == name]
    return tuple(named or call.args[:plain][at : at + 1])
