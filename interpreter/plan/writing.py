"""Functions of the plan, written line by line: a line that ends with a colon holds those that stand deeper after it.

    with w.under("for {} in {}:", cell, cells):
        w.line("S[{}] -= 1", cell)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Union

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.saying import Hole, do


@dataclass(frozen=True, slots=True)
class Else:
    """What is done otherwise: of the `if` or the loop that stands before it."""


@dataclass(frozen=True, slots=True)
class Elif:
    """What is done otherwise, if this holds."""

    test: p.Exp


@dataclass(frozen=True, slots=True)
class Left:
    """What is done when the block of this name was left."""

    name: str


Line = Union[p.Stm, Else, Elif, Left]
OPEN: tuple[p.Stm, ...] = (p.Jump("pass"),)  # the body of a line to which nothing deeper has been written yet


class Writing:
    """Lines of the function that is being written, each with its depth."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, Line]] = []
        self.depth = 0

    def line(self, sentence: str, *holes: Hole) -> None:
        """One line. `else:` and `elif` belong to what stands before them at the same depth."""
        self.lines += self._said(sentence, holes)

    @contextmanager
    def under(self, sentence: str, *holes: Hole) -> Iterator[None]:
        """One line that ends with a colon; what is written meanwhile stands deeper."""
        self.line(sentence, *holes)
        self.depth += 1
        yield
        self.depth -= 1

    def put(self, statement: Line) -> None:
        self.lines.append((self.depth, statement))

    def before(self, at: int, depth: int, sentence: str, *holes: Hole) -> None:
        """A line put in before another."""
        self.lines[at:at] = [(depth, one) for one in do(sentence, *holes)]

    def _said(self, sentence: str, holes: Sequence[Hole]) -> list[tuple[int, Line]]:
        here = self.depth
        if sentence == "else:":
            return [(here, Else())]
        if sentence.startswith("else: "):
            return [(here, Else()), *((here + 1, one) for one in do(sentence.removeprefix("else: "), *holes))]
        if sentence == "try:":
            return [(here, p.Try(OPEN, "", ()))]
        if sentence.startswith("elif "):
            [found] = do(f"{sentence.removeprefix('el')} pass", *holes)
            assert isinstance(found, p.If)
            return [(here, Elif(found.test))]
        return [(here, one) for one in do(f"{sentence} pass" if sentence.endswith(":") else sentence, *holes)]

    def finished(self, first: int = 0) -> tuple[p.Stm, ...]:
        """The lines from there on as statements; they are taken off."""
        lines = self.lines[first:]
        del self.lines[first:]
        made, rest = _block(lines, 0, lines[0][0] if lines else 0)
        assert rest == len(lines), "a line stands less deep than the first"
        return made


def _block(lines: Sequence[tuple[int, Line]], at: int, depth: int) -> tuple[tuple[p.Stm, ...], int]:
    """The statements that stand at this depth from here on, each with what stands deeper after it."""
    found: list[p.Stm] = []
    while at < len(lines) and lines[at][0] >= depth:
        deep, one = lines[at]
        assert deep == depth, "a line stands deeper than what it could belong to"
        inner: tuple[p.Stm, ...] = ()
        at += 1
        if at < len(lines) and lines[at][0] > depth:
            inner, at = _block(lines, at, lines[at][0])
        if isinstance(one, Else):
            found[-1] = _with_else(found[-1], inner)
        elif isinstance(one, Elif):
            found[-1] = _with_else(found[-1], (p.If(one.test, inner or OPEN),))
        elif isinstance(one, Left):
            before = found[-1]
            assert isinstance(before, p.Try)
            found[-1] = replace(before, left=one.name, then=inner or (p.Jump("pass"),))
        else:
            found.append(_with_body(one, inner) if inner else one)
    return tuple(found), at


def _with_body(one: p.Stm, inner: tuple[p.Stm, ...]) -> p.Stm:
    """A line that ends with a colon, and what stands deeper after it."""
    match one:
        case p.If():
            return replace(one, yes=inner)
        case p.For() | p.Try() | p.Function():
            return replace(one, body=inner)
        case _:
            raise AssertionError(f"nothing can stand deeper than {one}")


def _with_else(before: p.Stm, inner: tuple[p.Stm, ...]) -> p.Stm:
    match before:
        case p.If(no=()):
            return replace(before, no=inner)
        case p.If(no=(p.If() as last,)):
            return replace(before, no=(_with_else(last, inner),))
        case p.For():
            return replace(before, otherwise=inner)
        case _:
            raise AssertionError("`else` without an `if`")
