"""Statements of the plan that a deciding rule needs between its moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ichiba.dsl.rules import ir


class Raw:
    """Made into statements, or into a test, when the places of variables are known; says which variables and parts it mentions."""

    __slots__ = ("make", "parts", "variables")

    def __init__(self, make: Callable[[Any], Sequence[Any]], *variables: ir.Var | None, parts: tuple[ir.Node, ...] = ()):
        self.make = make
        self.variables = tuple(v for v in variables if v is not None)
        self.parts = parts
