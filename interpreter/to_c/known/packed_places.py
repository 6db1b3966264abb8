"""Where packed lists may lie, so that all other places are known to hold numbers that are near.

    S[1942] = pack([x for x in others if S[x]])      1942 is one of them, and a place that gets its number from there

A number read at any other place needs no check. None: they may lie anywhere."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.walk import expressions, statements
from ichiba.interpreter.to_c.known.kinds import kind_of
from ichiba.interpreter.to_c.known.program import Function, Program, Unsupported, functions_called
from ichiba.interpreter.to_c.known.scope import NEAR

Ends = tuple[int, int] | None  # of neighbouring places; None: they are known in play only
Move = tuple[int | None, int | None]  # to where, from where; None: that is known in play only


def find_packed_places(program: Program) -> frozenset[int] | None:
    found: set[int] = set()
    moves: list[Move] = []
    slices: list[tuple[Ends, Ends]] = []
    for function in program.functions.values():
        answers = function.name in program.wide_answers
        slices += _slices_moved(function)
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
    spread = _spread(found, moves)
    return None if spread is None or any(_may_move(spread, *one) for one in slices) else spread


def find_wide_answers(program: Program) -> frozenset[str]:
    """The functions whose answer can be a whole list in one number: of questions that put such numbers among their options."""
    rows = zip(program.switches.get("OPTIONS", ()), program.switches.get("ANSWERS", ()), strict=True)
    return frozenset(answer for options, answer in rows if options and answer and _packs(program, options, set()))


def _packs(program: Program, name: str, seen: set[str]) -> bool:
    seen.add(name)
    for e in expressions(program.functions[name].body or ()):
        if isinstance(e, p.Call):
            if isinstance(e.function, p.Name) and e.function.name in ("pack", "combos", "unlike"):
                return True
            for other in functions_called(program, e.function):
                if other.name not in seen and other.body is not None and _packs(program, other.name, seen):
                    return True
    return False


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


def _slices_moved(function: Function) -> Iterator[tuple[Ends, Ends]]:
    for s in statements(function.body or ()):
        match s:
            case p.Set(targets=(p.Slice() as to,), value=p.Slice() as came_from):
                yield _ends(to), _ends(came_from)
            case _:
                pass


def _ends(e: p.Slice) -> Ends:
    match e:
        case p.Slice(low=p.Num(value=low), high=p.Num(value=high)):
            return low, high
        case _:
            return None


def _may_move(packed: frozenset[int], to: Ends, came_from: Ends) -> bool:
    """Whether such a list may come to lie where it is not known to."""
    if came_from is None:  # it lies only where something of known ends has put it
        return bool(packed) and to is None
    return any(came_from[0] <= place < came_from[1] for place in packed)
