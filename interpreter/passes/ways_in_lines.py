"""In a function that may change something, what a line asks of a search for each of many is searched for once.

                                                  known = None
    S[8] = sum(1 for c in range(60)               S[8] = sum(1 for c in range(60)
               if ways_3(S)[c] < 9)        ->                if (known if known is not None else (known := ways_3(S)))[c] < 9)
"""

from __future__ import annotations

from collections.abc import Iterable

from ichiba.interpreter.passes.body import Body, Edits, Line
from ichiba.interpreter.passes.ways_found import goes_through, kept_in, searches_in
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import NONE


def find_once_in_lines(body: Body) -> None:
    """In any function: what a line asks for each of many."""
    asked: dict[tuple[int, ...], tuple[Line, dict[p.Call, None]]] = {}
    for line, search in searches_in(body):
        bound = {name.name for part in line.parts if isinstance(part, p.Each) for name in part.targets}
        bound |= {param for part in line.parts if isinstance(part, p.Lambda) for param in part.params}
        bound |= {part.name.name for part in line.parts if isinstance(part, p.NamedExp)}
        if goes_through(line) and not bound & {arg.name for arg in search.args if isinstance(arg, p.Name)}:
            asked.setdefault(line.path, (line, {}))[1][search] = None
    edits: Edits = {}
    for path, (line, searches) in asked.items():
        if not any(isinstance(part, p.Call) and p.C in part.args for part in line.parts):  # that may change something
            edits[path] = _line_kept(body, line.statement, searches)
    if edits:
        body.rewrite(edits)


def _line_kept(body: Body, statement: p.Stm, searches: Iterable[p.Call]) -> tuple[tuple[p.Stm, ...], p.Stm]:
    before: list[p.Stm] = []
    for search in searches:
        name = p.Name(body.new_name("known"), "list")
        made = kept_in(statement, search, name)
        if made != statement:
            before.append(p.Set((name,), NONE))
            statement = made
    return tuple(before), statement
