"""Expressions said as of before an option is taken, whatever has been done on the way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import PLACES, Reads
from ichiba.dsl.world.kinds import FLAG
from ichiba.dsl.world.world import Member
from ichiba.interpreter.ahead.doings import Doings
from ichiba.interpreter.ahead.path import Change, Path
from ichiba.interpreter.analysis.folding import folded
from ichiba.interpreter.analysis.simplify import inlined
from ichiba.interpreter.analysis.variables import renamed, replaced, variables_in


class Before:
    """Says what an expression is as of before the option is taken."""

    def __init__(self, doings: Doings):
        self.doings, self.reads = doings, Reads()

    def said(self, e: ir.Exp, path: Path, reading: bool = True) -> ir.Exp | None:
        """The same, said of the state before the option is taken; None when that cannot be said."""
        mentioned = self.doings.once("variables", e, variables_of)
        if not mentioned.isdisjoint(path.lost):
            return None
        said = e if mentioned.isdisjoint(path.known) else renamed(e, path.known)
        if path.kept:
            said = self._as_it_was(said, path, reading)
        if said is not e:
            said = folded(said)
        if said is not e and not variables_of(said).isdisjoint(path.known):
            return None  # a set that a variable holds has no other name
        reads = self.doings.once("reads", e, self.reads.of) if said is e else self.reads.of(said)
        if self._changed(reads, path) or not reading and said is not e and self._changed(self.reads.of(e), path):
            return None
        return said

    def _as_it_was(self, e: Any, path: Path, reading: bool) -> Any:
        """What is read of places that have been written is what was written."""
        changed = {change.member for change in path.kept}

        def put(node: Any) -> Any:
            if isinstance(node, ir.CallValue) and changed & self.reads.of(node):
                inner = inlined(node, small=False)
                if inner is not node:
                    return replaced(inner, put)
            if isinstance(node, ir.Read) and node.member in changed:
                at = tuple(replaced(a, put) for a in node.at)
                made: ir.Exp = replace(node, at=at)
                for change in path.kept:
                    if change.member is node.member:
                        made = changed_by(made, change, at)
                return made
            return None

        if not reading and isinstance(e, ir.Read):  # the place itself, not what is there
            return replace(e, at=tuple(replaced(a, put) for a in e.at))
        return replaced(e, put)

    def _changed(self, reads: frozenset[Member], path: Path) -> bool:
        if reads & path.written:
            return True
        if not path.moved:
            return False
        if any(m.form == "zone" and path.moved.intersection(m.sorts) for m in reads):
            return True
        return PLACES in reads and not any(m.form == "zone" for m in reads)


def variables_of(e: ir.Exp) -> frozenset[ir.Var]:
    return frozenset(variables_in([e]))


def changed_by(before: ir.Exp, change: Change, at: tuple[ir.Exp, ...]) -> ir.Exp:
    """What stands in a place after something was written, perhaps into another one."""
    value, same = change.value, None
    if change.each is not None:
        value = renamed(value, {change.each: at[0]})
    elif change.at is not None:
        for mine, other in zip(at, change.at, strict=True):
            if mine != other:
                equal = ir.Op("=", (mine, other), FLAG)
                same = equal if same is None else ir.Op("and", (same, equal), FLAG)
    after: ir.Exp = ir.Op("+", (before, value), before.kind) if change.adds else value
    return after if same is None else ir.Cond(same, after, before, before.kind)
