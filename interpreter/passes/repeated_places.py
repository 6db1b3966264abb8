"""A fixed place that is read more than twice is read once.

    if S[40] > x: return S[41]            s40 = S[40]
    return S[40] + S[40]           ->     if s40 > x: return S[41]
                                          return s40 + s40
"""

from __future__ import annotations

from typing import Any

from ichiba.interpreter.passes.body import Body
from ichiba.interpreter.plan import tree as p


def read_places_once(body: Body) -> None:
    names: dict[object, p.Name] = {}
    for at, place in body.found(_fixed_place).items():
        if place.times > 2 and place.surely_read():
            names[at] = name = p.Name(f"s{at}")
            body.known.append(name.name)
            body.before.insert(0, p.Set((name,), place.tree))
    if names:
        body.everywhere(lambda part: names.get(_fixed_place(part)))


def _fixed_place(part: Any) -> int | None:
    return part.at.value if isinstance(part, p.Cell) and isinstance(part.at, p.Num) else None
