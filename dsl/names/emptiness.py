"""Whether a set surely holds something: by what it is, or by what a condition has said of it.

    if board.stock is not empty:
        move first of board.stock to my.tokens      # fine: asked before
    move first of board.stock to my.tokens          # E315: there may be none

What a condition said holds until something is done that may change it. What procedures do is known only when all
rules are written, so that such claims are looked at once more at the end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import chain

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.names.meanings import Env, Said
from ichiba.dsl.rules import ir
from ichiba.dsl.rules.effects import Reads, touches, writes_of
from ichiba.dsl.rules.walks import procedures_of, span_of, steps
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.constant import OPERATIONS, operate
from ichiba.dsl.world.world import Member

_COUNTS = {">": lambda n: n >= 0, ">=": lambda n: n >= 1, "=": lambda n: n >= 1, "!=": lambda n: n == 0}
_OTHERWISE = {"<=": ">", "<": ">=", "!=": "=", "=": "!="}  # `not (count of x <= 0)` is `count of x > 0`
_TURNED = {"<": ">", "<=": ">=", "=": "=", "!=": "!="}  # `0 < count of x`


# ------------------------------------------------------------------------------------ what conditions say


def learn(condition: t.Expr, env: Env, holds: bool = True) -> None:
    """Notes in `env` of which sets this condition says that they are not empty."""
    match condition:
        case t.Operation(op="and", args=(a, b)) if holds:
            learn(a, env)
            learn(b, env)
        case t.Operation(op="or", args=(a, b)) if not holds:
            learn(a, env, False)
            learn(b, env, False)
        case t.Operation(op="not", args=(a,)):
            learn(a, env, not holds)
        case t.IsEmpty(what=what, negated=negated) if negated == holds:
            _note(what, env)
        case t.Aggregate(how="any" | "no" as how, what=what) if (how == "any") == holds:
            _note(what, env)
        case t.Within(what=what, where=where) if holds:
            _note(t.Within(condition.span, what.what, where) if isinstance(what, t.Some) else condition, env)
            _note(where, env)
        case t.Operation(op=op, args=(t.Aggregate(how="count", what=what), t.Int(value=n))):
            _count(op, n, what, env, holds)
        case t.Operation(op=op, args=(t.Int(value=n), t.Aggregate(how="count", what=what))) if op in _TURNED:
            _count(_TURNED[op], n, what, env, holds)
        case _:  # any other: it says nothing of a set
            pass


def _count(op: str, n: int, what: t.Expr, env: Env, holds: bool) -> None:
    said = op if holds else _OTHERWISE.get(op, "")
    if said in _COUNTS and _COUNTS[said](n):
        _note(what, env)


def _note(what: t.Expr, env: Env) -> None:
    env.there[what] = said_now(what, env)


def said_now(what: t.Expr, env: Env) -> Said:
    return Said(len(env.done), tuple((name, _bound(name, env)) for name in sorted(_names_in(what))))


def means_the_same(said: Said, env: Env) -> bool:
    """Whether the names in what was said still stand for the same."""
    return all(_bound(name, env) is bound or _bound(name, env) == bound for name, bound in said.names)


def _bound(name: str, env: Env) -> object:
    """What a name stands for, as far as that can change."""
    if name in ("me", "my", "others"):
        return env.me
    found = env.board if name == "board" else env.names.get(name)
    return found.var if isinstance(found, ir.Use) else found


@lru_cache(maxsize=10_000)
def _names_in(node: object) -> frozenset[str]:
    """The names in an expression."""
    found: set[str] = set()
    if isinstance(node, t.Name):
        found.add(node.name)
    for part in parts_of(node):
        found |= _names_in(part)
    return frozenset(found)


def parts_of(node: object) -> Iterable[object]:
    """What a sentence is made of."""
    if isinstance(node, tuple):
        return node
    if isinstance(node, t.Node):
        return [getattr(node, each.name) for each in fields(node) if each.name != "span"]
    return ()


def enter_loop(env: Env) -> list[ir.Stm]:
    """What was said before a loop holds in it only if nothing that the loop does changes it; gives back the place
    where that is to be noted."""
    again: list[ir.Stm] = []
    env.there = {what: replace(said, again=(*said.again, again)) for what, said in env.there.items()}
    env.kinds = {}
    return again


# ----------------------------------------------------------------------------------------- what is known


@dataclass(frozen=True, slots=True)
class Claim:
    """Something was there when it was asked; all that has been done since must not have changed it."""

    node: t.Expr
    inner: ir.Set
    since: tuple[ir.Stm, ...]
    again: tuple[list[ir.Stm], ...]  # what loops do, filled in when they are written
    names: tuple[ir.Var, ...]


def surely_some(node: t.Expr, inner: ir.Set, env: Env) -> bool | Claim:
    """Whether a set holds something: surely (True), surely if nothing has changed since it was asked, or not surely."""
    if some(inner):
        return True
    said = _said(node, env)
    if said is None:
        return False
    since = tuple(env.done[said.at :])
    names = tuple(bound for _, bound in said.names if isinstance(bound, ir.Var))
    return Claim(node, inner, since, said.again, names) if since or said.again else True


def _said(node: t.Expr, env: Env) -> Said | None:
    """What was said of this set, of the one it is chosen from, or of one of those it is joined from."""
    said = env.there.get(node)
    if said is not None and means_the_same(said, env):
        return said
    match node:
        case t.Sorted(selection=t.Within(where=where)) | t.BestOf(selection=t.Within(where=where)):
            return _said(where, env)
        case t.Sorted(selection=t.Those() as those) | t.BestOf(selection=t.Those() as those):
            return _said(those, env)
        case t.SetOf(items=items):
            return next((found for item in items if (found := _said(item, env)) is not None), None)
        case _:  # any other: nothing was said of it
            return None


def some(inner: ir.Set) -> bool:
    """Whether there is something in it in every game."""
    match inner:
        case ir.Listed(items=items):
            return bool(items)
        case ir.SeatsFrom(others=others):
            return not others
        case ir.Ordered(set=outer) | ir.Best(set=outer):
            return some(outer)
        case ir.Joined(sets=sets):
            return any(map(some, sets))
        case ir.Rows(rows=rows):
            return bool(rows) and all(rows)
        case ir.Span_(low=ir.Const(value=low), high=ir.Const(value=high)):
            return low <= high
        case ir.Filtered(set=outer, var=var, test=test):
            return any(_holds(test, var, value) == 1 for value in _constants(outer))
        case ir.Mapped(binders=binders):
            return all(some(domain) for _, domain in binders)
        case ir.FlatMapped(set=outer, inner=last):
            return some(outer) and some(last)
        case ir.Connected(search=search):
            return some(search.sources)
        case _:  # any other: it may be empty
            return False


def _constants(inner: ir.Set) -> list[int]:
    match inner:
        case ir.Listed(items=items):
            return [item.value for item in items if isinstance(item, ir.Const)]
        case ir.Filtered(set=outer, var=var, test=test):
            return [value for value in _constants(outer) if _holds(test, var, value) == 1]
        case _:  # any other: its members are only known in play
            return []


def _holds(test: ir.Exp, var: ir.Var, value: int) -> int | None:
    """What a condition comes to for one value, where it hangs on nothing else."""
    match test:
        case ir.Const(value=fixed):
            return fixed
        case ir.Use(var=used, at=None) if used is var:
            return value
        case ir.Lookup(rows=rows, at=(at,), low=(low,), other=other):
            index = _holds(at, var, value)
            if index is None:
                return None
            row = rows[index - low] if 0 <= index - low < len(rows) else other
            return row if isinstance(row, int) else None
        case ir.Op(op=op, args=args) if op in OPERATIONS and not op.startswith("/"):
            known = [_holds(arg, var, value) for arg in args]
            return None if None in known else operate(op, [n for n in known if n is not None], None)
        case _:  # any other: it hangs on more
            return None


# ------------------------------------------------------------------------------------------- at the end


def check_claims(claims: Iterable[Claim], faults: Faults) -> None:
    """What was there when it was asked: nothing that was done since can have taken it away."""
    reads, written = Reads(), _Written()
    for claim in claims:
        seen = reads.of(claim.inner)
        for done in (*claim.since, *chain.from_iterable(claim.again)):
            if touches(written.by(done), seen) or any(
                isinstance(move, ir.Assign) and move.var in claim.names for move in steps(done)
            ):
                place = span_of(done)
                may_be_empty(claim.node, faults, f"line {place.line} may have taken it away" if place else "")
                break


class _Written:
    """The members that a statement writes, with all the procedures it performs."""

    def __init__(self) -> None:
        self.known: dict[ir.Procedure, frozenset[Member]] = {}

    def by(self, node: object) -> frozenset[Member]:
        found: frozenset[Member] = frozenset()
        for move in steps(node):
            found |= writes_of(move)
            if isinstance(move, ir.Perform):
                for procedure in procedures_of(move.procedure):
                    found |= self._of_procedure(procedure)
        return found

    def _of_procedure(self, procedure: ir.Procedure) -> frozenset[Member]:
        if procedure not in self.known:
            self.known[procedure] = frozenset()
            self.known[procedure] = self.by(procedure.body) if procedure.body is not None else frozenset()
        return self.known[procedure]


def may_be_empty(node: t.Expr, faults: Faults, why: str = "") -> None:
    notes = (
        "ask first: `if … is not empty:`, `where … is not empty`, `when any (…)`",
        "or say what then: `let x = first of …`, and `if x is none:`; in braces, what else: `first of {…, …}`",
    )
    faults.add("E315", node.span, "there may be nothing here to take the first of", label=why, notes=notes)
