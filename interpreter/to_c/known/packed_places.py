"""Where packed lists may lie, so that all other places are known to hold numbers that are near.

    S[1942] = pack([x for x in others if S[x]])      1942 is one of them, and a place that gets its number from there

A number read at any other place needs no check. None: they may lie anywhere."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.walk import statements
from ichiba.interpreter.to_c.known.kinds import kind_of
from ichiba.interpreter.to_c.known.program import Function, Program, Unsupported
from ichiba.interpreter.to_c.known.scope import NEAR

Move = tuple[int | None, int | None]  # to where, from where; None: that is known in play only


def find_packed_places(program: Program) -> frozenset[int] | None:
    found: set[int] = set()
    moves: list[Move] = []
    for function in program.functions.values():
        answers = function.name in program.switches.get("ANSWERS", ())
        for target, value in _writes(function):
            at = _fixed(target)
            if isinstance(value, p.Cell):
                moves.append((at, _fixed(value)))
            elif _may_be_packed(program, function, value):
                if at is None:
                    return None
                found.add(at)
            elif answers and at is not None and not isinstance(value, p.Num):
                found.add(at)  # an option's number can hold a whole list
        if found and any(isinstance(s, p.Set) and _moves_neighbours(s) for s in statements(function.body or ())):
            return None
    return _spread(found, moves)


def _spread(found: set[int], moves: list[Move]) -> frozenset[int] | None:
    """With all places that get what lies there."""
    before = -1
    while before != len(found):
        before = len(found)
        for to, came_from in moves:
            if came_from in found and to is None:
                return None
            if came_from in found and to is not None:
                found.add(to)
    return frozenset(found)


def _writes(function: Function) -> Iterator[tuple[p.Cell, p.Exp]]:
    for s in statements(function.body or ()):
        match s:
            case p.Set(targets=(p.Cell() as target,), value=value):
                yield target, value
            case p.Set(targets=targets, value=p.Row(items=values)) if len(targets) == len(values):
                yield from ((target, value) for target, value in zip(targets, values, strict=True) if isinstance(target, p.Cell))
            case _:
                pass


def _fixed(cell: p.Cell) -> int | None:
    return cell.at.value if isinstance(cell.at, p.Num) else None


def _may_be_packed(program: Program, function: Function, value: p.Exp) -> bool:
    if isinstance(value, p.Num):
        return abs(value.value) > NEAR
    try:
        return kind_of(program, function, value) == "packed"
    except Unsupported:  # then all of the function stays in Python
        return False


def _moves_neighbours(s: p.Set) -> bool:
    return any(isinstance(target, p.Slice) for target in s.targets) and isinstance(s.value, p.Slice)
