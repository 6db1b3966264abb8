"""Who is `me` where nobody has a turn: a rule that begins without a seat must not lead to one that asks for it."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import children, procedures_of, span_of

Found = tuple[ir.Procedure, Span | None]


def check_nobody(program: ir.Program, faults: Faults) -> None:
    """`setup`, `play`, `scoring` and rules with `whenever` belong to no seat. Before: `play: gain $5 from bank` would have
    been paid to seat 1. After: it is a fault, and so is a procedure with such a sentence that `play` performs itself."""
    roots = [(program.setup, "the setup"), (program.play, "`play`"), (program.scoring, "`scoring`")]
    roots += [(watcher.procedure, f"the rule `{name}`") for name, watcher in program.watchers.items()]
    told: set[ir.Procedure] = set()
    for root, called in roots:
        for procedure, span in _asking(root):
            if procedure in told:
                continue
            told.add(procedure)
            where = "here" if procedure is root else f"in `{procedure.name}`, as {called} performs it"
            faults.add(
                "E209",
                span or procedure.span,
                f"nobody is `me` {where}",
                label="say whose turn it is: `take turns from …` or `as seat(1): …` around it",
            )


def _asking(root: ir.Procedure) -> Iterator[Found]:
    """The procedures that a root leads to without a seat and that ask for one, each with the first such sentence."""
    todo, seen = [root], {root}
    while todo:
        procedure = todo.pop(0)
        me = procedure.params[0] if procedure.params and procedure.params[0].name == "me" else None
        asks: Span | None = None
        found = False
        for node, span in _nodes(procedure.body, procedure.span):
            if isinstance(node, ir.Perform) and node.args and _nobody(node.args[0], me):
                for callee in procedures_of(node.procedure):
                    if callee not in seen and callee.params and callee.params[0].name == "me":
                        seen.add(callee)
                        todo.append(callee)
            elif isinstance(node, ir.Use) and node.var is me and not found:
                asks, found = span, True
        if found:
            yield procedure, asks


def _nobody(given: object, me: ir.Var | None) -> bool:
    """Whether what is handed on for `me` is no seat of a turn."""
    return isinstance(given, ir.Const) or isinstance(given, ir.Use) and given.var is me


def _nodes(node: object, span: Span | None) -> Iterator[tuple[object, Span | None]]:
    """Everything in a body, with the nearest sentence that it is part of; what a procedure is only handed on is left out."""
    own = span_of(node) or span
    yield node, own
    for child in children(node):
        if isinstance(node, ir.Perform) and node.args and child is node.args[0]:
            continue
        yield from _nodes(child, own)


__all__ = ["check_nobody"]
