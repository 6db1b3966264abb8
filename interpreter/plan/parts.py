"""Trees of the plan gone through, and made anew where something in them changes."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from operator import is_
from typing import Any

from ichiba.interpreter.plan import tree as p

NO_PARTS: tuple[Any, ...] = ()
# What each tree is made of, in the order in which it is printed.
PARTS: dict[type, Callable[[Any], Sequence[Any]]] = {
    p.Num: lambda e: NO_PARTS,
    p.Truth: lambda e: NO_PARTS,
    p.Word: lambda e: NO_PARTS,
    p.Nothing: lambda e: NO_PARTS,
    p.Name: lambda e: NO_PARTS,
    p.Cell: lambda e: (e.at,),
    p.Sum: lambda e: e.terms,
    p.Op: lambda e: (e.left, e.right),
    p.Unary: lambda e: (e.of,),
    p.Compare: lambda e: (e.first, *(other for _, other in e.rest)),
    p.Logic: lambda e: e.parts,
    p.Choice: lambda e: (e.yes, e.test, e.no),
    p.Entry: lambda e: (e.of, e.at),
    p.Slice: lambda e: tuple(end for end in (e.of, e.low, e.high) if end is not None),
    p.Call: lambda e: (e.function, *e.args),
    p.Method: lambda e: (e.of, *e.args),
    p.Attribute: lambda e: (e.of,),
    p.Row: lambda e: e.items,
    p.Spread: lambda e: (e.of,),
    p.Keyword: lambda e: (e.value,),
    p.Pairs: lambda e: tuple(part for pair in e.items for part in pair),
    p.Each: lambda e: (*e.targets, e.source, *e.tests),
    p.Comp: lambda e: (e.item, *e.clauses),
    p.NamedExp: lambda e: (e.name, e.value),
    p.Lambda: lambda e: (e.body,),
    p.Set: lambda s: (*s.targets, s.value),
    p.Change: lambda s: (s.target, s.value),
    p.Do: lambda s: (s.what,),
    p.If: lambda s: (s.test, *s.yes, *s.no),
    p.For: lambda s: (*s.targets, s.source, *s.body, *s.otherwise),
    p.Return: lambda s: NO_PARTS if s.value is None else (s.value,),
    p.Raise: lambda s: (s.what,),
    p.Jump: lambda s: NO_PARTS,
    p.Try: lambda s: (*s.body, *s.then),
    p.Function: lambda s: (*s.params, *s.body),
}


def children(node: Any) -> Sequence[Any]:
    """The trees that a tree is made of, in the order in which they are printed."""
    return PARTS[type(node)](node)


def parts_of(node: Any) -> list[Any]:
    """A tree and all that it is made of, from the outside in and in the order in which it is printed; or of several."""
    return _gathered(node, ())


def parts_but(node: Any, left_out: Container[type]) -> list[Any]:
    """The same without trees of some classes, which are not gone into."""
    return _gathered(node, left_out)


def _gathered(node: Any, left_out: Container[type]) -> list[Any]:
    found: list[Any] = []
    todo = [*reversed(node)] if isinstance(node, tuple) else [node]
    while todo:
        one = todo.pop()
        kind = type(one)
        if kind not in left_out:
            found.append(one)
            parts = PARTS[kind](one)
            if parts:
                todo.extend(parts[::-1])
    return found


def changed(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with what `change` puts in the place of its parts; `None` leaves a part to be gone into."""
    other = change(node)
    if other is not None:
        return other
    parts = PARTS[type(node)](node)
    if not parts:
        return node
    made = [changed(part, change) for part in parts]
    return node if all(map(is_, made, parts)) else _with(node, {id(part): other for part, other in zip(parts, made, strict=True)})


def all_changed(nodes: tuple[Any, ...], change: Callable[[Any], Any]) -> tuple[Any, ...]:
    return tuple([changed(node, change) for node in nodes])


def _with(node: Any, new: dict[int, Any]) -> Any:
    """The same tree with other parts, each in the place of the one of that identity."""

    def value(before: Any) -> Any:
        return tuple([value(part) for part in before]) if isinstance(before, tuple) else new.get(id(before), before)

    return type(node)(*[value(getattr(node, name)) for name in node.__slots__])
