"""The body of one function, as passes look at it: line by line, each with its depth and with what it says itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.parts import all_changed, changed, parts_of

Path = tuple[int, ...]  # to a statement: its number among its neighbours, and 0 for `yes` or the body, 1 for `no`, in turn
Edits = dict[Path, tuple[tuple[p.Stm, ...], p.Stm]]  # what is put before a statement, and what stands in its place
AGAIN_AND_AGAIN = 5  # so often in one line is worth reading it once


@dataclass(slots=True, eq=False)
class Line:
    """One line: a whole statement, or the head of one that holds others."""

    depth: int
    path: Path
    statement: p.Stm
    in_loop: bool
    parts: list[Any]  # all that stands in the line itself

    @property
    def is_if(self) -> bool:
        return isinstance(self.statement, p.If)


@dataclass(slots=True, eq=False)
class Found:
    """Something that is said in several places: the tree, and the lines in which it stands with how often it does."""

    tree: Any
    lines: list[tuple[Line, int]]

    @property
    def times(self) -> int:
        return sum(times for _, times in self.lines)

    def surely_read(self, depth: int = 2) -> bool:
        """Whether it stands where nothing, or almost nothing, keeps it from being worked out. Where it could go wrong
        that must be nothing: a condition may see to it that it does not."""
        return any(line.depth <= depth or depth > 1 and times >= AGAIN_AND_AGAIN for line, times in self.lines)


class Body:
    """The statements of a function, and those that have been put before all others."""

    def __init__(
        self,
        statements: tuple[p.Stm, ...],
        params: Sequence[p.Name],
        searches: Collection[str],
        new_name: Callable[[str], str],
    ):
        self.before: list[p.Stm] = []
        self.searches = searches
        self.new_name = new_name
        self.now(statements)
        given = {name for line in self.lines for name in _names_given(line)}
        self.known = [param.name for param in params if param.name not in given]  # what never changes

    def now(self, statements: tuple[p.Stm, ...]) -> None:
        """The statements as a pass has made them."""
        self.statements = statements
        self.lines = list(_lines(statements, 1, (), False))

    def found(self, key_of: Callable[[Any], Hashable | None]) -> dict[Hashable, Found]:
        """By key, in the order of the text: all trees that have one."""
        found: dict[Hashable, Found] = {}
        for line in self.lines:
            for part in line.parts:
                key = key_of(part)
                if key is not None:
                    one = found.setdefault(key, Found(part, []))
                    if one.lines and one.lines[-1][0] is line:
                        one.lines[-1] = (line, one.lines[-1][1] + 1)
                    else:
                        one.lines.append((line, 1))
        return found

    def everywhere(self, change: Callable[[Any], Any]) -> None:
        """Changes what stands in any line."""
        self.now(all_changed(self.statements, change))

    def rewrite(self, edits: Edits) -> None:
        """Of a statement that holds others only its head is taken."""
        self.now(_rewritten(self.statements, (), edits))


def head_changed(statement: p.Stm, change: Callable[[Any], Any]) -> p.Stm:
    """A statement with its own line changed, and what it holds left alone."""
    match statement:
        case p.If(test=test):
            return replace(statement, test=changed(test, change))
        case p.For(source=source):
            return replace(statement, source=changed(source, change))
        case p.Try() | p.Function():
            return statement
        case _:
            made: p.Stm = changed(statement, change)
            return made


def _lines(statements: tuple[p.Stm, ...], depth: int, path: Path, in_loop: bool) -> Iterator[Line]:
    for at, statement in enumerate(statements):
        here = (*path, at)
        match statement:
            case p.If(test=test, yes=yes, no=no):
                yield Line(depth, here, statement, in_loop, parts_of(test))
                yield from _lines(yes, depth + 1, (*here, 0), in_loop)
                yield from _lines(no, depth + 1, (*here, 1), in_loop)
            case p.For(targets=targets, source=source, body=body, otherwise=otherwise):
                yield Line(depth, here, statement, in_loop, parts_of((*targets, source)))
                yield from _lines(body, depth + 1, (*here, 0), True)
                yield from _lines(otherwise, depth + 1, (*here, 1), in_loop)
            case p.Try(body=body, then=then):
                yield Line(depth, here, statement, in_loop, [])
                yield from _lines(body, depth + 1, (*here, 0), in_loop)
                yield from _lines(then, depth + 1, (*here, 1), in_loop)
            case _:
                yield Line(depth, here, statement, in_loop, parts_of(statement))


def _rewritten(statements: tuple[p.Stm, ...], path: Path, edits: Edits) -> tuple[p.Stm, ...]:
    made: list[p.Stm] = []
    for at, statement in enumerate(statements):
        here = (*path, at)
        first, other = edits.get(here, ((), statement))
        made += first
        match other, statement:
            case p.If(), p.If(yes=yes, no=no):
                made.append(replace(other, yes=_rewritten(yes, (*here, 0), edits), no=_rewritten(no, (*here, 1), edits)))
            case p.For(), p.For(body=body, otherwise=no):
                made.append(replace(other, body=_rewritten(body, (*here, 0), edits), otherwise=_rewritten(no, (*here, 1), edits)))
            case p.Try(), p.Try(body=body, then=then):
                made.append(replace(other, body=_rewritten(body, (*here, 0), edits), then=_rewritten(then, (*here, 1), edits)))
            case _:
                made.append(other)
    return tuple(made)


def _names_given(line: Line) -> Iterator[str]:
    """The names that get a value in a line."""
    match line.statement:
        case p.For(targets=targets):
            yield from (name.name for name in targets)
        case p.Set(targets=targets_):
            yield from (name.name for name in targets_ if isinstance(name, p.Name))
        case p.Change(target=p.Name(name=name)):
            yield name
    for part in line.parts:
        if isinstance(part, p.Keep):
            yield part.name.name
        elif isinstance(part, p.Each):
            yield from (name.name for name in part.targets)
