"""Whether rules can fail once they have begun, and whether a question has an answer whatever has happened."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import effect_of
from ichiba.dsl.rules.walks import children, procedures_of
from ichiba.interpreter.ahead.assured import Assured
from ichiba.interpreter.analysis.folding import folded


class Failing:
    """Looks into rules; `assured`: the questions of which it is known when they surely have an answer."""

    def __init__(self, assured: Assured):
        self.assured = assured

    def may_fail(self, block: ir.Node, looked_into: set[ir.Procedure] | None = None) -> bool:
        """Whether an option's body could meet a requirement before chance; then it must be known beforehand that it will not.

        `looked_into`: procedures that cannot, as far as has been seen; something within a body hands on a set."""
        paid = _payment(block) if looked_into is None else None
        looked_into = looked_into if looked_into is not None else set()
        for node in _moves(block):
            effect = effect_of(node)
            if effect.refuses and not self._is_sure(node, paid):
                return True
            for procedure in procedures_of(effect.performs) if effect.performs is not None else ():
                if procedure.body is not None and procedure not in looked_into:
                    looked_into.add(procedure)
                    if self.may_fail(procedure.body, looked_into):
                        return True
        return False

    def _is_sure(self, node: ir.Node, paid: ir.Decide | None) -> bool:
        """Whether what may be refused will not be: more is known of it than of others of its kind."""
        if isinstance(node, ir.Pay):
            return node.span is None or not isinstance(node.source, ir.PurseAt) or empties(node)
        if isinstance(node, ir.Decide):
            return not node.options or node is paid or self.answered(node)
        return False

    def answered(self, decide: ir.Decide) -> bool:
        """Whether a question has an answer whatever has happened."""
        return isinstance(self.assured.get(decide), ir.Const) or self.always(decide.options)

    def always(self, options: list[ir.Option]) -> bool:
        """Whether one of these can be answered whatever has happened."""
        for option in options:
            if option.tests or self.may_fail(option.body):
                continue
            if all(never_empty(bind.set) and bind.test is None for bind in option.binds):
                return True
        return False


def _moves(block: ir.Node) -> Iterator[ir.Node]:
    """A block and everything in it but the requirements of its options: those are met when options are made."""
    todo: list[ir.Node] = [block]
    while todo:
        node = todo.pop()
        yield node
        todo.extend([node.body] if isinstance(node, ir.Option) else children(node))


def _payment(block: object) -> ir.Decide | None:
    """The question how to pay with which an option begins: its cost is one of the requirements, so it has an answer."""
    for statement in block.body if isinstance(block, ir.Block) else ():
        if not isinstance(statement, ir.Write):
            return statement if isinstance(statement, ir.Decide) and statement.paying else None
    return None


def empties(s: ir.Pay) -> bool:
    """`gain pot from pot`: just what is there cannot be too much."""
    amount, source = s.amount, s.source
    return (
        isinstance(amount, ir.Read)
        and isinstance(source, ir.PurseAt)
        and amount.member is source.member
        and amount.at == source.at
    )


def never_empty(inner: ir.Set) -> bool:
    match inner:
        case ir.Listed(items=items):
            return bool(items)
        case ir.Span_(low=low, high=high) if isinstance(first := folded(low), ir.Const) and isinstance(
            last := folded(high), ir.Const
        ):
            return first.value <= last.value
        case ir.Span_(low=ir.Const(value=0), high=ir.Read(member=member)):
            return member.form == "purse"
        case ir.Best():
            return True
        case _:  # any other: it may be empty
            return False
