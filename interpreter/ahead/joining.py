"""Conditions put together: all of them, one of them, some values for which they hold."""

from __future__ import annotations

from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import FLAG
from ichiba.interpreter.analysis.variables import variables_in

YES = ir.Const(1, FLAG)


def all_of(tests: list[ir.Exp] | list[ir.Require]) -> ir.Exp:
    made: ir.Exp = YES
    for test in tests:
        one = test.test if isinstance(test, ir.Require) else test
        if one != YES:
            made = one if made == YES else ir.Op("and", (made, one), FLAG)
    return made


def one_of(ways: list[ir.Exp]) -> ir.Exp:
    made: ir.Exp = ir.Const(0, FLAG)
    for way in ways:
        made = way if isinstance(made, ir.Const) and not made.value else ir.Op("or", (made, way), FLAG)
    return made


def both(one: list[ir.Exp] | None, other: list[ir.Exp] | None) -> list[ir.Exp] | None:
    return None if one is None or other is None else [*one, *other]


def any_of(vars: list[ir.Var], sets: list[ir.Set], tests: list[ir.Exp]) -> ir.Exp:
    """For some values of the variables all of this holds. Every test stands as far out as it can."""
    later = set(vars)
    rest = list(tests)

    def take() -> list[ir.Exp]:
        nonlocal rest
        now = [t for t in rest if not later.intersection(variables_in([t]))]
        rest = [t for t in rest if t not in now]
        return now

    layers: list[tuple[ir.Var | None, ir.Set | None, list[ir.Exp]]] = [(None, None, take())]
    for var, inner in zip(vars, sets, strict=True):
        later.discard(var)
        layers.append((var, inner, take()))
    made: ir.Exp | None = None
    for layer, domain, here in reversed(layers):
        test = all_of([*here, *([made] if made is not None else [])])
        if layer is None or domain is None:
            made = test
        elif made is not None and layer not in variables_in([made]):  # it does not matter which of these it is
            some = ir.Aggregate("any", domain, layer, None if all_of(here) == YES else all_of(here), FLAG)
            made = ir.Op("and", (some, made), FLAG)
        else:
            made = ir.Aggregate("any", domain, layer, None if test == YES else test, FLAG)
    assert made is not None
    return made
