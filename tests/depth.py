"""How far a test goes: `make soak` looks at everything, a usual run at a slice of it that hangs on nothing but its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

import pytest

T = TypeVar("T")


class AFew(Protocol):
    """`a_few(range(30), 6)`: so many of them, spread over the whole; in `make soak` all."""

    def __call__(self, whole: Sequence[T], number: int) -> Sequence[T]: ...


def spread(whole: Sequence[T], number: int) -> Sequence[T]:
    """So many of them, at the same distance from each other."""
    return whole[:: max(1, len(whole) // number)][:number]


def everything(whole: Sequence[T], number: int) -> Sequence[T]:
    return whole


def in_soak(config: pytest.Config) -> bool:
    """Whether long tests are run as well."""
    return "soak" in str(config.getoption("markexpr")).replace("not soak", "")


def seldom(cases: Iterable[Any]) -> list[Any]:
    """Cases of a test, for `make soak` only."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.soak) for case in cases]


def mostly_seldom(cases: Sequence[Any], number: int) -> list[Any]:
    """Cases of a test of which a usual run looks at so many."""
    usual = spread(range(len(cases)), number)
    return [case if at in usual else seldom([case])[0] for at, case in enumerate(cases)]
