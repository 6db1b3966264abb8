"""Judges that `me` is used only where a seat has its turn: `play: gain $5 from bank` is a fault, for who would be paid?"""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.walks import children, procedures_of, span_of

Found = tuple[ir.Procedure, Span | None]


def check_me_has_turn(program: ir.Program, faults: Faults) -> None:
    """`setup`, `play`, `scoring` and rules with `whenever` belong to no seat: what they say, and what the procedures say
    that they perform themselves, must not use `me`."""
    roots = [(program.setup, "the setup"), (program.play, "`play`"), (program.scoring, "`scoring`")]
    roots += [(watcher.procedure, f"the rule `{name}`") for name, watcher in program.watchers.items()]
    told: set[ir.Procedure] = set()
    for root, called in roots:
        for procedure, span in _using_me(root):
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


def _using_me(root: ir.Procedure) -> Iterator[Found]:
    """The procedures that a root reaches without a seat and that use `me`, each with the first sentence that does."""
    todo, seen = [root], {root}
    while todo:
        procedure = todo.pop(0)
        me = procedure.params[0] if procedure.params and procedure.params[0].name == "me" else None
        first: Span | None = None
        found = False
        for node, span in _nodes(procedure.body, procedure.span):
            if isinstance(node, ir.Perform) and node.args and _is_seatless(node.args[0], me):
                for callee in procedures_of(node.procedure):
                    if callee not in seen and callee.params and callee.params[0].name == "me":
                        seen.add(callee)
                        todo.append(callee)
            elif isinstance(node, ir.Use) and node.var is me and not found:
                first, found = span, True
        if found:
            yield procedure, first


def _is_seatless(given: object, me: ir.Var | None) -> bool:
    """Whether the argument given for `me` is no seat with a turn: a constant, or the `me` of the seatless caller."""
    return isinstance(given, ir.Const) or isinstance(given, ir.Use) and given.var is me


def _nodes(node: object, span: Span | None) -> Iterator[tuple[object, Span | None]]:
    """Every node of a body, with the nearest sentence around it; without the `me` that is only passed on to a procedure."""
    own = span_of(node) or span
    yield node, own
    for child in children(node):
        if isinstance(node, ir.Perform) and node.args and child is node.args[0]:
            continue
        yield from _nodes(child, own)


__all__ = ["check_me_has_turn"]
