"""What the names of a plan are, where its makers do not say it: numbers, lists, and little else.

It goes when every `Name` of a plan says its kind. Where one says more than "number", it is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.walk import below, statements, within
from ichiba.interpreter.to_c.known.kinds import element_of, kind_of, merged
from ichiba.interpreter.to_c.known.program import Function, Kind, Program, Unsupported, functions_called, passed

Clue = p.Set | p.Change | p.For | p.Return | p.NamedExp | p.Each | p.Call | p.Method


def infer(program: Program) -> None:
    """Look at all functions until nothing new is found out."""
    clues = {name: list(_clues(function)) for name, function in program.functions.items() if function.body is not None}
    for function in program.functions.values():
        for name in function.params:
            function.kinds.setdefault(name, "number")
    waiting = list(clues)
    callers = _callers(program, clues)
    while waiting:
        again: dict[str, None] = {}
        for name in waiting:
            function = program.functions[name]
            if function.why:
                continue
            before = function.gives, dict(function.kinds), dict(function.entries)
            try:
                for changed in [other for clue in clues[name] for other in _look(program, function, clue)]:
                    again[changed] = None
            except Unsupported as reason:
                function.why = str(reason)
            if before != (function.gives, function.kinds, function.entries):
                again.update(dict.fromkeys([name, *(callers.get(name, ()) if before[0] != function.gives else ())]))
        waiting = [name for name in again if name in clues]


def _clues(function: Function) -> Iterator[Clue]:
    """The places that say what a name is; what is kept by key is noted at once."""
    for s in statements(function.body or ()):
        match s:
            case p.Set(targets=(p.Name(name=name),), value=p.Pairs()):
                function.kinds[name] = "keyed"
            case p.Set() | p.Change() | p.For() | p.Return():
                yield s
            case p.Do() | p.If() | p.Raise() | p.Jump() | p.Try() | p.Function():
                pass
            case _:
                assert_never(s)
        for e in within(s):
            for part in below(e):
                if isinstance(part, p.NamedExp | p.Call | p.Method):
                    yield part
                elif isinstance(part, p.Comp):
                    yield from part.clauses
                elif isinstance(part, p.Compare) and isinstance(part.first, p.NamedExp):
                    seen = part.rest[0][1]
                    if isinstance(seen, p.Name) and function.kinds.get(seen.name) == "keyed":
                        function.keys.add(part.first.name.name)


def _callers(program: Program, clues: dict[str, list[Clue]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, several in clues.items():
        for clue in several:
            if isinstance(clue, p.Call):
                for called in functions_called(program, clue.function):
                    found.setdefault(called.name, set()).add(name)
    return found


def _look(program: Program, function: Function, clue: Clue) -> list[str]:
    """Note what one place says; the other functions of which something new is known now."""

    def is_(target: p.Name, kind: Kind | None) -> None:
        if target.kind != "number" and target.kind != "other":
            kind = target.kind
        found = merged(function.kinds.get(target.name), kind)
        if found is not None:
            function.kinds[target.name] = found

    match clue:
        case p.Set(targets=(p.Name() as target,), value=value):
            if target.name not in function.appends:
                is_(target, kind_of(program, function, value))
        case p.Set(targets=(p.Entry(of=p.Name(name=name)),), value=value) if function.kinds.get(name) == "keyed":
            _keeps(program, function, name, value)
        case p.Method(of=p.Name(name=name), name="setdefault", args=(_, value)):
            _keeps(program, function, name, value)
        case p.Change(target=p.Name() as target, value=value):
            is_(target, kind_of(program, function, value))
        case p.NamedExp(name=target, value=value):
            # what something looks like is a list of numbers in C, also where it is one number
            is_(target, "list" if target.name in function.keys else kind_of(program, function, value))
        case p.For(targets=(target,), source=source) | p.Each(targets=(target,), source=source):
            is_(target, element_of(program, function, source))
        case p.For(targets=targets) | p.Each(targets=targets):
            for target in targets:
                is_(target, "number")
        case p.Return() if function.nested:
            pass
        case p.Return(value=value):
            given = "nothing" if value is None else kind_of(program, function, value)
            function.gives = merged(function.gives, given)
        case p.Call():
            return list(_pass_on(program, function, clue))
        case p.Set() | p.Change() | p.Method():
            pass
    return []


def _keeps(program: Program, function: Function, name: str, value: p.Exp) -> None:
    """Under a key of `name` this is kept."""
    found = merged(function.entries.get(name), kind_of(program, function, value))
    if found is not None:
        function.entries[name] = found


def _pass_on(program: Program, function: Function, call: p.Call) -> Iterator[str]:
    """What is more than a number is so in the function that gets it, and in all others of the same cases."""
    called = functions_called(program, call.function)
    if not called:
        return
    for at, arg in enumerate(passed(call.args)):
        kind = kind_of(program, function, arg)
        if kind in ("packed", "list", "lists"):
            for other in called:
                if at < len(other.params) and other.kinds.get(name := other.params[at]) != kind:
                    other.kinds[name] = kind
                    yield other.name
