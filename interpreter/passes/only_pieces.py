"""Where the test of an `if` first looks up the only piece of a zone, it is looked up once and named for all that stands there.

    if T[only] == 2:                      if T[(only_3 := only)] == 2:
        return S[only + 4]         ->         return S[only_3 + 4]

`only` stands for `S.index(1, a, b) if S[n] == 1 else first_of(S, a, b) if S[n] else -1`, the same each time.
"""

from __future__ import annotations

from typing import Any

from ichiba.interpreter.passes.body import Body
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.parts import all_changed, changed, parts_of


def name_only_pieces(body: Body) -> None:
    if any(_is_lookup(part) for _, part in body.of(p.Choice)):
        body.now(tuple(_with_names(body, statement) for statement in body.statements))


def _with_names(body: Body, statement: p.Stm) -> p.Stm:
    """The statement with such lookups named, in it and in its blocks."""
    match statement:
        case p.If(test=test, yes=yes, no=no):
            only = _first_lookup(test)
            if only is not None and sum(part == only for part in parts_of((test, *yes))) > 1:
                name = p.Name(body.new_name("only"))
                rest = changed(test, lambda part: name if part == only else None)
                test = _set_at_first_use(rest, name, only)
                yes = all_changed(yes, lambda part: name if part == only else None)
            return p.If(test, tuple(_with_names(body, one) for one in yes), tuple(_with_names(body, one) for one in no))
        case p.For(targets=targets, source=source, body=inner, otherwise=otherwise):
            return p.For(
                targets,
                source,
                tuple(_with_names(body, one) for one in inner),
                tuple(_with_names(body, one) for one in otherwise),
            )
        case _:
            return statement


def _is_lookup(e: Any) -> bool:
    """Whether this looks up the only piece of a zone."""
    match e:
        case p.Choice(yes=p.Method(name="index"), no=p.Choice(yes=p.Call(function=p.Name(name="first_of")))):
            return True
        case _:
            return False


def _first_lookup(e: Any) -> p.Exp | None:
    """What a test works out before all else, if it is the lookup of an only piece: `only` in `T[only] == 2`."""
    while not _is_lookup(e):
        e = _worked_out_first(e)
        if e is None:
            return None
    made: p.Exp = e
    return made


def _worked_out_first(e: Any) -> Any:
    """The part of an expression that is worked out before its others: `a` of `a + b`; None where none is known."""
    match e:
        case p.Op(left=first) | p.Compare(first=first) | p.Cell(at=first):
            return first
        case p.Entry(of=p.Name(), at=first):
            return first
        case p.Logic(parts=(first, *_)) | p.Call(function=p.Name(), args=(first, *_)) | p.Sum(terms=(first, *_)):
            return first
        case _:
            return None


def _set_at_first_use(e: Any, name: p.Name, only: p.Exp) -> Any:
    """The test with the lookup in place of the first use of the name: `T[only_3] == 2` becomes `T[(only_3 := only)] == 2`."""
    way, at = [], e
    while at != name:
        way.append(at)
        at = _worked_out_first(at)
    made: Any = p.NamedExp(name, only)
    for outer in reversed(way):
        before = _worked_out_first(outer)
        done: list[bool] = []

        def put(part: Any, before: Any = before, made: Any = made, done: list[bool] = done) -> Any:
            if part is before and not done:
                done.append(True)
                return made
            return None

        made = type(outer)(*(_replaced(getattr(outer, field), put) for field in outer.__dataclass_fields__))
    return made


def _replaced(value: Any, put: Any) -> Any:
    """A field of an expression, a tuple part by part, with what `put` gives in place of each part that it takes."""
    if isinstance(value, tuple):
        return tuple(_replaced(part, put) for part in value)
    made = put(value)
    return value if made is None else made
