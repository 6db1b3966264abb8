"""Of a search over a map that is asked again and again what it has found is kept: nothing changes meanwhile.

                                               known = None
    for c in range(5, 65):                     for c in range(5, 65):
        if ways_3(S, me)[c - 5] < S[4]:   ->       if (known if known is not None else (known := ways_3(S, me)))[c - 5] < S[4]:
            add(c)                                     add(c)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ichiba.interpreter.passes.body import Body, Line, head_changed
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import NONE
from ichiba.interpreter.plan.parts import changed


def find_once(body: Body) -> None:
    """In a function that changes nothing."""
    asked: dict[p.Call, list[Line]] = {}
    for line, search in searches_in(body):
        if all(arg.name in body.known for arg in search.args[1:] if isinstance(arg, p.Name)):
            asked.setdefault(search, []).append(line)
    for search, lines in asked.items():
        if len(lines) > 1 or lines[0].in_loop or goes_through(lines[0]):
            name = p.Name(body.new_name("known"), "list")
            paths = {line.path for line in lines}
            body.rewrite({line.path: ((), kept_in(line.statement, search, name)) for line in body.lines if line.path in paths})
            if any(part.name == name for _, part in body.of(p.NamedExp)):
                body.before.append(p.Set((name,), NONE))


def searches_in(body: Body) -> Iterable[tuple[Line, p.Call]]:
    """All searches that are asked with plain names."""
    for line, part in body.of(p.Call) if body.ways else ():
        if isinstance(part.function, p.Name) and part.function.name in body.ways:
            if part.args[:1] == (p.S,) and all(isinstance(arg, p.Name) for arg in part.args):
                yield line, part


def goes_through(line: Line) -> bool:
    return any(isinstance(part, p.Comp) for part in line.parts)


def kept_in(statement: p.Stm, search: p.Call, name: p.Name) -> p.Stm:
    """A line in which the search is made when it is first asked for."""
    once = p.Choice(p.Compare(name, (("is not", NONE),)), name, p.NamedExp(name, search))

    def change(part: Any) -> Any:
        match part:
            case p.Lambda():  # a name that is given there is not ours
                return part
            case p.Each(targets=targets, source=source, tests=tests):  # Python gives no names in what a clause goes through
                return p.Each(targets, source, tuple(changed(test, change) for test in tests))
            case _:
                return once if part == search else None

    return head_changed(statement, change)
