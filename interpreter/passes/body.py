"""The body of one function, as passes look at it: line by line, each with its depth and with what it says itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.parts import changed, parts_but

Path = tuple[int, ...]  # to a statement: its number among its neighbours, and 0 for `yes` or the body, 1 for `no`, in turn
Edits = dict[Path, tuple[tuple[p.Stm, ...], p.Stm]]  # what is put before a statement, and what stands in its place
PLAIN = frozenset((p.Name, p.Num, p.Truth, p.Nothing, p.Word))  # no pass looks for these
AGAIN_AND_AGAIN = 5  # so often in one line is worth reading it once


@dataclass(slots=True, eq=False)
class Line:
    """One line: a whole statement, or the head of one that holds others."""

    depth: int
    path: Path
    statement: p.Stm
    in_loop: bool
    parts: list[Any]  # all that stands in the line itself, names and numbers left out

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
    """The statements of a function, and those that have been put before all others. What stands in them is looked for once, and
    again after it has changed."""

    def __init__(
        self,
        statements: tuple[p.Stm, ...],
        params: Sequence[p.Name],
        searches: Collection[str],
        new_name: Callable[[str], str],
        ways: Collection[str] = (),
    ):
        self.before: list[p.Stm] = []
        self.searches, self.ways = searches, ways
        self.new_name = new_name
        self.now(statements)
        given = {name for line in self.lines for name in _names_given(line)}
        self.known = [param.name for param in params if param.name not in given]  # what never changes

    def now(self, statements: tuple[p.Stm, ...]) -> None:
        """The statements as a pass has made them."""
        self.statements = statements
        self._lines: list[Line] | None = None
        self._by_class: dict[type, list[tuple[Line, Any]]] | None = None

    @property
    def lines(self) -> list[Line]:
        if self._lines is None:
            self._lines = []
            _note_lines(self.statements, 1, (), False, self._lines)
        return self._lines

    def of(self, kind: type) -> Sequence[tuple[Line, Any]]:
        """All trees of a class, in the order of the text, with the lines in which they stand."""
        if self._by_class is None:
            self._by_class = {}
            for line in self.lines:
                for part in line.parts:
                    self._by_class.setdefault(type(part), []).append((line, part))
        return self._by_class.get(kind, ())

    def found(self, kind: type, key_of: Callable[[Any], Hashable | None]) -> dict[Hashable, Found]:
        """By key, in the order of the text: all trees of a class that have one."""
        found: dict[Hashable, Found] = {}
        for line, part in self.of(kind):
            key = key_of(part)
            if key is not None:
                one = found.setdefault(key, Found(part, []))
                if one.lines and one.lines[-1][0] is line:
                    one.lines[-1] = (line, one.lines[-1][1] + 1)
                else:
                    one.lines.append((line, 1))
        return found

    def put(self, instead: Mapping[Hashable, tuple[Found, p.Exp]], key_of: Callable[[Any], Hashable | None], kind: type) -> None:
        """By key: what stands from now on in the place of what was found."""
        if not instead:
            return

        def change(part: Any) -> Any:
            if type(part) is not kind:
                return None
            known = instead.get(key_of(part))
            return None if known is None else known[1]

        lines = {line.path: line for found, _ in instead.values() for line, _ in found.lines}
        self.rewrite({path: ((), head_changed(line.statement, change)) for path, line in lines.items()})

    def rewrite(self, edits: Edits) -> None:
        """Of a statement that holds others only its head is taken."""
        above = {path[:length] for path in edits for length in range(1, len(path), 2)}
        self.now(_rewritten(self.statements, (), edits, above))


def head_changed(statement: p.Stm, change: Callable[[Any], Any]) -> p.Stm:
    """A statement with its own line changed, and what it holds left alone."""
    match statement:
        case p.If(test=test, yes=yes, no=no):
            return p.If(changed(test, change), yes, no)
        case p.For(targets=targets, source=source, body=body, otherwise=otherwise):
            return p.For(targets, changed(source, change), body, otherwise)
        case p.Try() | p.Function():
            return statement
        case _:
            made: p.Stm = changed(statement, change)
            return made


def _note_lines(statements: tuple[p.Stm, ...], depth: int, path: Path, in_loop: bool, lines: list[Line]) -> None:
    """Every line of some statements, and of those that stand in them."""
    for at, statement in enumerate(statements):
        here = (*path, at)
        match statement:
            case p.If(test=test, yes=yes, no=no):
                lines.append(Line(depth, here, statement, in_loop, parts_but(test, PLAIN)))
                _note_lines(yes, depth + 1, (*here, 0), in_loop, lines)
                if no:
                    _note_lines(no, depth + 1, (*here, 1), in_loop, lines)
            case p.For(source=source, body=body, otherwise=otherwise):
                lines.append(Line(depth, here, statement, in_loop, parts_but(source, PLAIN)))
                _note_lines(body, depth + 1, (*here, 0), True, lines)
                _note_lines(otherwise, depth + 1, (*here, 1), in_loop, lines)
            case p.Try(body=body, then=then):
                lines.append(Line(depth, here, statement, in_loop, []))
                _note_lines(body, depth + 1, (*here, 0), in_loop, lines)
                _note_lines(then, depth + 1, (*here, 1), in_loop, lines)
            case _:
                lines.append(Line(depth, here, statement, in_loop, parts_but(statement, PLAIN)))


def _rewritten(statements: tuple[p.Stm, ...], path: Path, edits: Edits, above: Collection[Path]) -> tuple[p.Stm, ...]:
    """`above`: the statements in which something else is rewritten."""
    made: list[p.Stm] = []
    for at, statement in enumerate(statements):
        here = (*path, at)
        first, other = edits.get(here, ((), statement))
        made += first
        made.append(_blocks_rewritten(other, here, edits, above) if here in above else other)
    return tuple(made)


def _blocks_rewritten(statement: p.Stm, here: Path, edits: Edits, above: Collection[Path]) -> p.Stm:
    def block(number: int, inner: tuple[p.Stm, ...]) -> tuple[p.Stm, ...]:
        return _rewritten(inner, (*here, number), edits, above)

    match statement:
        case p.If(test=test, yes=yes, no=no):
            return p.If(test, block(0, yes), block(1, no))
        case p.For(targets=targets, source=source, body=body, otherwise=otherwise):
            return p.For(targets, source, block(0, body), block(1, otherwise))
        case p.Try(body=body, left=left, then=then):
            return p.Try(block(0, body), left, block(1, then))
        case _:  # any other holds no statements
            return statement


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
        if isinstance(part, p.NamedExp):
            yield part.name.name
        elif isinstance(part, p.Each):
            yield from (name.name for name in part.targets)
