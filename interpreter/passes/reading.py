"""A function that changes nothing, in which what is said several times is worked out once: the passes, in their order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ichiba.interpreter.passes.body import Body
from ichiba.interpreter.passes.only_pieces import name_only_pieces
from ichiba.interpreter.passes.repeated_places import read_places_once
from ichiba.interpreter.passes.repeated_sums import add_up_once
from ichiba.interpreter.passes.searches import search_once
from ichiba.interpreter.passes.things_lying import look_once
from ichiba.interpreter.plan import tree as p

PASSES: tuple[Callable[[Body], None], ...] = (name_only_pieces, read_places_once, add_up_once, look_once, search_once)


def once(
    statements: Sequence[p.Stm], params: Sequence[p.Name], searches: Collection[str], new_name: Callable[[str], str]
) -> tuple[p.Stm, ...]:
    """`searches`: the functions of the state alone that go through much."""
    body = Body(tuple(statements), params, searches, new_name)
    for one in PASSES:
        one(body)
    return (*body.before, *body.statements)
