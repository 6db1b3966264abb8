"""The one piece of a zone, where an `if` begins with it, has a name for the rest of the `if` and all that stands in it.

    if T[only] == 2:                      if T[(only_3 := only)] == 2:
        return S[only + 4]         ->         return S[only_3 + 4]

`only` being `S.index(1, a, b) if S[n] == 1 else first_of(S, a, b) if S[n] else -1`.
"""

from __future__ import annotations

from typing import Any

from ichiba.interpreter.passes.body import Body
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.parts import all_changed, changed, parts_of


def name_only_pieces(body: Body) -> None:
    if any(_is_only(part) for _, part in body.of(p.Choice)):
        body.now(tuple(_named(body, statement) for statement in body.statements))


def _named(body: Body, statement: p.Stm) -> p.Stm:
    match statement:
        case p.If(test=test, yes=yes, no=no):
            only = _first(test)
            if only is not None and sum(part == only for part in parts_of((test, *yes))) > 1:
                name = p.Name(body.new_name("only"))
                rest = changed(test, lambda part: name if part == only else None)
                test = _kept(rest, name, only)
                yes = all_changed(yes, lambda part: name if part == only else None)
            return p.If(test, tuple(_named(body, one) for one in yes), tuple(_named(body, one) for one in no))
        case p.For(targets=targets, source=source, body=inner, otherwise=otherwise):
            return p.For(
                targets, source, tuple(_named(body, one) for one in inner), tuple(_named(body, one) for one in otherwise)
            )
        case _:
            return statement


def _is_only(e: Any) -> bool:
    match e:
        case p.Choice(yes=p.Method(name="index"), no=p.Choice(yes=p.Call(function=p.Name(name="first_of")))):
            return True
        case _:
            return False


def _first(e: Any) -> p.Exp | None:
    """What is worked out before all else in a condition, if it is such a piece."""
    while not _is_only(e):
        e = _leftmost(e)
        if e is None:
            return None
    made: p.Exp = e
    return made


def _leftmost(e: Any) -> Any:
    match e:
        case p.Op(left=first) | p.Compare(first=first) | p.Cell(at=first):
            return first
        case p.Entry(of=p.Name(), at=first):
            return first
        case p.Logic(parts=(first, *_)) | p.Call(function=p.Name(), args=(first, *_)) | p.Sum(terms=(first, *_)):
            return first
        case _:
            return None


def _kept(e: Any, name: p.Name, only: p.Exp) -> Any:
    """The first time that the name stands in a condition, it gets its value."""
    way, at = [], e
    while at != name:
        way.append(at)
        at = _leftmost(at)
    made: Any = p.Keep(name, only)
    for outer in reversed(way):
        before = _leftmost(outer)
        done: list[bool] = []

        def put(part: Any, before: Any = before, made: Any = made, done: list[bool] = done) -> Any:
            if part is before and not done:
                done.append(True)
                return made
            return None

        made = type(outer)(*(_put_first(getattr(outer, field), put) for field in outer.__dataclass_fields__))
    return made


def _put_first(value: Any, put: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_put_first(part, put) for part in value)
    made = put(value)
    return value if made is None else made
