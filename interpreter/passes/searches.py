"""A search that several conditions ask for is made when the first of them asks.

    if search_3(S): add(1)                            known = None
    if search_3(S) and S[4]: add(2)         ->        if known if known is not None else (known := search_3(S)): add(1)
                                                      if (known if … else …) and S[4]: add(2)
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ichiba.interpreter.passes.body import Body, head_changed
from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.build import NONE
from ichiba.interpreter.plan.parts import children
from ichiba.interpreter.plan.saying import say


def search_once(body: Body) -> None:
    def is_search(part: Any) -> bool:
        if not isinstance(part, p.Call) or not isinstance(part.function, p.Name) or part.function.name not in body.searches:
            return False
        return part.args[:1] == (p.S,) and all(map(never_changes, part.args[1:]))

    def never_changes(given: p.Exp) -> bool:
        return isinstance(given, p.Name) and given.name in body.known or isinstance(given, p.Cell) and isinstance(given.at, p.Num)

    if not any(is_search(part) for line, part in body.of(p.Call)):
        return
    times: Counter[Any] = Counter()
    for line in body.lines:
        if isinstance(line.statement, p.If):
            times.update(part for part in _before_loops((line.statement.test,)) if is_search(part))
    for search, many in times.items():
        if many > 1:
            name = body.new_name("known")
            once = say("{} if {} is not None else ({} := {})", name, name, name, search)

            def change(part: Any, search: Any = search, once: Any = once) -> Any:
                return part if isinstance(part, p.Each) else once if part == search else None

            body.rewrite({line.path: ((), head_changed(line.statement, change)) for line in body.lines if line.is_if})
            body.before.append(p.Set((p.Name(name),), NONE))


def _before_loops(trees: Any) -> Any:
    """The parts of a condition that stand in no clause of a comprehension."""
    for tree in trees:
        if not isinstance(tree, p.Each):
            yield tree
            yield from _before_loops(children(tree))
