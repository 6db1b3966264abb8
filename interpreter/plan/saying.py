"""Sentences of the plan, written as they will be printed, with holes: `say("S[{}] + 1", place)`.

A sentence is read once; after that filling its holes is as quick as making the tree by hand. A hole is filled by a tree, by a
number, by a name, or, where `{*}` stands, by several of them. The sentences are ours: nothing that was made is ever read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import count
from typing import Any, Union

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.reading import expression_of, statements_of

Hole = Union[p.Exp, p.Stm, int, str, Sequence["Hole"]]
HOLE = re.compile(r"\{(\*?)\}|\{\{|\}\}")
MARK, MANY = "hole_", "holes_"
OFTEN = 8  # so often a sentence is filled part by part; after that it is worth a function of its own


def say(sentence: str, *holes: Hole) -> p.Exp:
    """An expression."""
    made: p.Exp = _value(sentence).filled(holes)
    return made


def do(sentence: str, *holes: Hole) -> tuple[p.Stm, ...]:
    """Statements: one, or several in one line."""
    made: tuple[p.Stm, ...] = lines_said(sentence).filled(holes)
    return made


def lift(hole: Hole) -> Any:
    """What stands in a hole, as a tree."""
    if isinstance(hole, str):
        return p.Name(hole)
    if isinstance(hole, int):
        return p.Num(int(hole))
    return hole


def exps(holes: Iterable[Hole]) -> tuple[p.Exp, ...]:
    return tuple([lift(hole) for hole in holes])


def statement(made: Any) -> p.Stm:
    """What stands alone in a line: a hole may be filled by a statement."""
    return p.Do(made) if isinstance(made, p.EXP_CLASSES) else made


class Sentence:
    """A sentence that has been read. One that is said often becomes a function that fills its holes."""

    __slots__ = ("tree", "said", "quick")

    def __init__(self, tree: Any):
        self.tree, self.said = tree, 0
        self.quick: Callable[[Sequence[Hole]], Any] | None = None

    def filled(self, holes: Sequence[Hole]) -> Any:
        if self.quick is not None:
            return self.quick(holes)
        self.said += 1
        if self.said == OFTEN:
            self.quick = _function(self.tree)
        return _filled(self.tree, holes)


@cache
def _value(sentence: str) -> Sentence:
    return Sentence(expression_of(_marked(sentence)))


@cache
def lines_said(sentence: str) -> Sentence:
    """A sentence of statements, which is read once."""
    return Sentence(statements_of(_marked(sentence)))


def _marked(sentence: str) -> str:
    """A sentence with a name for each hole."""
    numbers = count()

    def marked(found: re.Match[str]) -> str:
        if found[0] in ("{{", "}}"):
            return found[0][0]
        return f"*{MANY}{next(numbers)}" if found[1] else f"{MARK}{next(numbers)}"

    return HOLE.sub(marked, sentence)


def _hole(node: object) -> int | None:
    """The number of the hole that a node is."""
    if isinstance(node, p.Name) and node.name.startswith(MARK):
        return int(node.name.removeprefix(MARK))
    return None


def _hole_for_many(node: object) -> int | None:
    """The number of the hole for several that a node is."""
    if isinstance(node, p.Spread) and isinstance(node.of, p.Name) and node.of.name.startswith(MANY):
        return int(node.of.name.removeprefix(MANY))
    return None


def _filled(node: Any, holes: Sequence[Hole]) -> Any:
    """A tree with its holes filled."""
    if isinstance(node, tuple):
        made: list[Any] = []
        for part in node:
            many = _hole_for_many(part)
            made += (_filled(part, holes),) if many is None else exps(holes[many])  # type: ignore[arg-type]
        return tuple(made)
    number = _hole(node)
    if number is not None:
        return lift(holes[number])
    if isinstance(node, p.Do):
        return statement(_filled(node.what, holes))
    if not isinstance(node, p.CLASSES):
        return node
    return type(node)(*[_filled(getattr(node, name), holes) for name in node.__slots__])


def _function(tree: object) -> Callable[[Sequence[Hole]], Any]:
    """A function that makes a tree of what its holes are filled with; what has no hole is made beforehand."""
    fixed: list[object] = []
    source = _source(tree, fixed) or _kept(tree, fixed)
    made = eval(f"lambda h: {source}", {"p": p, "F": fixed, "lift": lift, "exps": exps, "statement": statement})  # noqa: S307
    return made  # type: ignore[no-any-return]


def _source(node: object, fixed: list[object]) -> str:
    """The making of a node, as an expression of Python over `h`, the holes, and `F`, what is fixed; `""` if it has no hole."""
    if isinstance(node, tuple):
        many = [_hole_for_many(part) for part in node]
        said = [_source(part, fixed) if hole is None else f"*exps(h[{hole}])" for part, hole in zip(node, many, strict=True)]
        return f"({''.join(f'{one or _kept(part, fixed)}, ' for one, part in zip(said, node, strict=True))})" if any(said) else ""
    number = _hole(node)
    if number is not None:
        return f"lift(h[{number}])"
    if not isinstance(node, p.CLASSES):
        return ""
    parts = [getattr(node, name) for name in node.__slots__]
    said = [_source(part, fixed) for part in parts]
    if not any(said):
        return ""
    if isinstance(node, p.Do):
        return f"statement({said[0]})" if _hole(node.what) is not None else f"p.Do({said[0]})"
    return f"p.{type(node).__name__}({', '.join(one or _kept(part, fixed) for one, part in zip(said, parts, strict=True))})"


def _kept(node: object, fixed: list[object]) -> str:
    """What has no hole."""
    fixed.append(node)
    return f"F[{len(fixed) - 1}]"
