"""A fixed place that is read more than twice is read once.

    if S[40] > x: return S[41]            s40 = S[40]
    return S[40] + S[40]           ->     if s40 > x: return S[41]
                                          return s40 + s40
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ichiba.interpreter.passes.body import Body, Found
from ichiba.interpreter.plan import tree as p


def read_places_once(body: Body) -> None:
    names: dict[Hashable, tuple[Found, p.Exp]] = {}
    for at, place in body.found(p.Cell, _fixed_place).items():
        if place.times > 2 and place.surely_read():
            name = p.Name(f"s{at}")
            names[at] = place, name
            body.known.append(name.name)
            body.before.insert(0, p.Set((name,), place.tree))
    body.put(names, _fixed_place, p.Cell)


def _fixed_place(cell: Any) -> int | None:
    return cell.at.value if isinstance(cell.at, p.Num) else None
