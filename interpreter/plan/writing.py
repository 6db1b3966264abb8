"""Functions of the plan, written line by line: a line that ends with a colon holds those that stand deeper after it.

    with w.under("for {} in {}:", cell, cells):
        w.line("S[{}] -= 1", cell)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, Union

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.saying import Hole, Sentence, do, lines_said


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


Form = Literal["statement", "else", "elif", "try"]


@cache
def _read(sentence: str) -> tuple[Sentence, Form]:
    """What is said by a line, and as what it belongs to the lines before it."""
    if sentence == "try:":
        return lines_said(""), "try"
    if sentence.startswith("else:"):
        return lines_said(sentence.removeprefix("else:").strip()), "else"
    if sentence.startswith("elif "):
        return lines_said(f"{sentence.removeprefix('el')} pass"), "elif"
    return lines_said(f"{sentence} pass" if sentence.endswith(":") else sentence), "statement"


class Deeper:
    """While this holds, what is written stands a step deeper."""

    __slots__ = ("writing",)

    def __init__(self, writing: Writing):
        self.writing = writing

    def __enter__(self) -> None:
        self.writing.depth += 1

    def __exit__(self, *_: object) -> None:
        self.writing.depth -= 1


class Writing:
    """Lines of the function that is being written, each with its depth."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, Line]] = []
        self.depth = 0

    def line(self, sentence: str, *holes: Hole) -> None:
        """One line. `else:` and `elif` belong to what stands before them at the same depth."""
        here = self.depth
        said, form = _read(sentence)
        match form:
            case "statement":
                self.lines += [(here, one) for one in said.filled(holes)]
            case "elif":
                [found] = said.filled(holes)
                self.lines.append((here, Elif(found.test)))
            case "else":
                self.lines.append((here, Else()))
                self.lines += [(here + 1, one) for one in said.filled(holes)]
            case "try":
                self.lines.append((here, p.Try(OPEN, "", ())))

    def under(self, sentence: str, *holes: Hole) -> Deeper:
        """One line that ends with a colon; what is written meanwhile stands deeper."""
        self.line(sentence, *holes)
        return Deeper(self)

    def put(self, statement: Line) -> None:
        self.lines.append((self.depth, statement))

    def before(self, at: int, depth: int, sentence: str, *holes: Hole) -> None:
        """A line put in before another."""
        self.lines[at:at] = [(depth, one) for one in do(sentence, *holes)]

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
    end = len(lines)
    while at < end and lines[at][0] >= depth:
        deep, one = lines[at]
        assert deep == depth, "a line stands deeper than what it could belong to"
        inner: tuple[p.Stm, ...] = ()
        at += 1
        if at < end and lines[at][0] > depth:
            inner, at = _block(lines, at, lines[at][0])
        if isinstance(one, p.STM_CLASSES):
            found.append(_with_body(one, inner) if inner else one)
        elif isinstance(one, Else):
            found[-1] = _with_else(found[-1], inner)
        elif isinstance(one, Elif):
            found[-1] = _with_else(found[-1], (p.If(one.test, inner or OPEN),))
        else:
            before = found[-1]
            assert isinstance(before, p.Try)
            found[-1] = p.Try(before.body, one.name, inner or OPEN)
    return tuple(found), at


def _with_body(one: p.Stm, inner: tuple[p.Stm, ...]) -> p.Stm:
    """A line that ends with a colon, and what stands deeper after it."""
    match one:
        case p.If(test=test, no=no):
            return p.If(test, inner, no)
        case p.For(targets=targets, source=source, otherwise=otherwise):
            return p.For(targets, source, inner, otherwise)
        case p.Function(name=name, params=params, note=note):
            return p.Function(name, params, inner, note)
        case p.Try(left=left, then=then):
            return p.Try(inner, left, then)
        case _:
            raise AssertionError(f"nothing can stand deeper than {one}")


def _with_else(before: p.Stm, inner: tuple[p.Stm, ...]) -> p.Stm:
    match before:
        case p.If(test=test, yes=yes, no=()):
            return p.If(test, yes, inner)
        case p.If(test=test, yes=yes, no=(p.If() as last,)):
            return p.If(test, yes, (_with_else(last, inner),))
        case p.For(targets=targets, source=source, body=body):
            return p.For(targets, source, body, inner)
        case _:
            raise AssertionError("`else` without an `if`")
