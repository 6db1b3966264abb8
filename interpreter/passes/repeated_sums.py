"""What is worked out again and again from what is known at the beginning has a name: products, then places.

    for c in range(x * 8 + 2, x * 8 + 6):            x_8 = x * 8
        if S[x * 8 + c]: return True          ->     for c in range(x_8 + 2, x_8 + 6):
                                                         if S[x_8 + c]: return True
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from ichiba.interpreter.passes.body import Body, Found
from ichiba.interpreter.plan import tree as p

Called = tuple[str, str]  # the name in it, and how it is called


def add_up_once(body: Body) -> None:
    _named(body, p.Op, _product, 2)
    _named(body, p.Cell, _place, 1)


def _named(body: Body, kind: type, called: Callable[[Any], Called | None], depth: int) -> None:
    known = set(body.known)
    names: dict[Hashable, tuple[Found, p.Exp]] = {}
    for key, found in body.found(kind, called).items():
        assert isinstance(key, tuple)
        if key[0] in known and found.times > 2 and found.surely_read(depth):
            name = p.Name(key[1])
            names[key] = found, name
            body.known.append(name.name)
            body.before.append(p.Set((name,), found.tree))
    body.put(names, called, kind)


def _product(part: Any) -> Called | None:
    """`x * 8`"""
    match part:
        case p.Op(op="*", left=p.Name(name=name), right=p.Num(value=times)) if times >= 0:
            return name, f"{name}_{times}"
        case _:
            return None


def _place(part: Any) -> Called | None:
    """`S[x + 8]`"""
    match part:
        case p.Cell(at=p.Sum(terms=(p.Name(name=name),), fixed=fixed)) if fixed:
            pass
        case p.Cell(at=p.Op(op="+" | "-" as op, left=p.Name(name=name), right=p.Num(value=number))):
            fixed = number if op == "+" else -number
        case _:
            return None
    return name, f"at_{name}_{fixed}" if fixed > 0 else f"at_{name}_less_{-fixed}"
