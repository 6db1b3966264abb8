"""Going through a plan: what stands directly within each of its parts, and all that stands below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from ichiba.interpreter.plan import tree as p


def parts(e: p.Exp) -> Sequence[p.Exp]:
    """The expressions directly within one, in the order in which they are worked out."""
    match e:
        case p.Name() | p.Num() | p.Nothing() | p.Truth() | p.Word():
            return ()
        case p.Cell(at=at):
            return (at,)
        case p.Op(left=left, right=right):
            return left, right
        case p.Sum(terms=terms):
            return terms
        case p.Compare(first=first, rest=rest):
            return first, *(other for _, other in rest)
        case p.Logic(parts=several):
            return several
        case p.Choice(test=test, yes=yes, no=no):
            return test, yes, no
        case p.Entry(of=of, at=at):
            return of, at
        case p.Call(function=function, args=args):
            return function, *args
        case p.Method(of=of, args=args):
            return of, *args
        case p.Unary(of=of) | p.Attribute(of=of) | p.Spread(of=of):
            return (of,)
        case p.Slice(of=of, low=low, high=high):
            return of, *(end for end in (low, high) if end is not None)
        case p.Row(items=items):
            return items
        case p.Keyword(value=value):
            return (value,)
        case p.Pairs(items=pairs):
            return tuple(one for pair in pairs for one in pair)
        case p.Comp(item=item, clauses=clauses):
            return *(one for clause in clauses for one in (*clause.targets, clause.source, *clause.tests)), item
        case p.NamedExp(name=name, value=value):
            return value, name
        case p.Lambda(body=body):
            return (body,)
        case _:
            assert_never(e)


def within(s: p.Stm) -> Sequence[p.Exp]:
    """The expressions directly within a statement."""
    match s:
        case p.Set(targets=targets, value=value):
            return value, *targets
        case p.Change(target=target, value=value):
            return value, target
        case p.Do(what=what) | p.Raise(what=what):
            return (what,)
        case p.If(test=test):
            return (test,)
        case p.For(targets=targets, source=source):
            return source, *targets
        case p.Return(value=value):
            return () if value is None else (value,)
        case p.Jump() | p.Try() | p.Function():
            return ()
        case _:
            assert_never(s)


def blocks(s: p.Stm) -> Sequence[Sequence[p.Stm]]:
    """The blocks of statements directly within a statement."""
    match s:
        case p.If(yes=yes, no=no):
            return yes, no
        case p.For(body=body, otherwise=otherwise):
            return body, otherwise
        case p.Try(body=body, then=then):
            return body, then
        case p.Function(body=body):
            return (body,)
        case p.Set() | p.Change() | p.Do() | p.Return() | p.Raise() | p.Jump():
            return ()
        case _:
            assert_never(s)


def below(e: p.Exp) -> Iterator[p.Exp]:
    """An expression and everything within it."""
    yield e
    for part in parts(e):
        yield from below(part)


def statements(block: Iterable[p.Stm]) -> Iterator[p.Stm]:
    """All statements of a block, and of the blocks within."""
    for s in block:
        yield s
        for inner in blocks(s):
            yield from statements(inner)


def expressions(block: Iterable[p.Stm]) -> Iterator[p.Exp]:
    """All expressions of a block, and of the blocks within."""
    for s in statements(block):
        for e in within(s):
            yield from below(e)
