"""A function that changes nothing, in which what is said several times is worked out once: the passes, in their order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ichiba.interpreter.passes.body import Body
from ichiba.interpreter.passes.only_pieces import name_only_pieces
from ichiba.interpreter.passes.repeated_places import read_places_once
from ichiba.interpreter.passes.repeated_sums import add_up_once
from ichiba.interpreter.passes.searches import search_once
from ichiba.interpreter.passes.things_lying import look_once
from ichiba.interpreter.passes.ways_found import find_once
from ichiba.interpreter.passes.ways_in_lines import find_once_in_lines
from ichiba.interpreter.plan import tree as p

PASSES: tuple[Callable[[Body], None], ...] = (name_only_pieces, read_places_once, add_up_once, look_once, search_once, find_once, find_once_in_lines)


def once(
    statements: Sequence[p.Stm],
    params: Sequence[p.Name],
    searches: Collection[str],
    new_name: Callable[[str], str],
    ways: Collection[str] = (),
) -> tuple[p.Stm, ...]:
    """`searches`: the functions of the state alone that go through much; `ways`: those that search a map or grid."""
    body = Body(tuple(statements), params, searches, new_name, ways)
    for one in PASSES:
        one(body)
    return (*body.before, *body.statements)


def once_in_lines(statements: Sequence[p.Stm], new_name: Callable[[str], str], ways: Collection[str]) -> tuple[p.Stm, ...]:
    """A function that may change something: what each line by itself would search for again and again."""
    body = Body(tuple(statements), (), (), new_name, ways)
    find_once_in_lines(body)
    return body.statements
