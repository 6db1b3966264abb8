"""Sentences of the plan, written as they will be printed, with holes: `say("S[{}] + 1", place)`.

A sentence is read once; after that filling its holes is as quick as making the tree by hand. A hole is filled by a tree, by a
number, by a name, or, where `{*}` stands, by several of them. The sentences are ours: nothing that was made is ever read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Union

from ichiba.interpreter.plan import tree as p
from ichiba.interpreter.plan.reading import expression_of, statements_of

Hole = Union[p.Exp, p.Stm, int, str, Sequence["Hole"]]
HOLE = re.compile(r"\{(\*?)\}|\{\{|\}\}")
MARK, MANY = "hole_", "holes_"


def say(sentence: str, *holes: Hole) -> p.Exp:
    """An expression."""
    made: p.Exp = _filler(sentence, True)(holes)
    return made


def do(sentence: str, *holes: Hole) -> tuple[p.Stm, ...]:
    """Statements: one, or several in one line."""
    made: tuple[p.Stm, ...] = _filler(sentence, False)(holes)
    return made


def lift(hole: Hole) -> Any:
    """What stands in a hole, as a tree."""
    if isinstance(hole, str):
        return p.Name(hole)
    if isinstance(hole, int):
        return p.Num(int(hole))
    return hole


def exps(holes: Iterable[Hole]) -> tuple[p.Exp, ...]:
    return tuple(lift(hole) for hole in holes)


def statement(made: Any) -> p.Stm:
    """What stands alone in a line: a hole may be filled by a statement."""
    return p.Do(made) if isinstance(made, p.EXP_CLASSES) else made


@cache
def _filler(sentence: str, value: bool) -> Callable[[Sequence[Hole]], Any]:
    """How a sentence is filled: a function that makes its tree, what has no hole made beforehand."""
    count = 0

    def marked(found: re.Match[str]) -> str:
        nonlocal count
        if found[0] in ("{{", "}}"):
            return found[0][0]
        count += 1
        return f"*{MANY}{count - 1}" if found[1] else f"{MARK}{count - 1}"

    text = HOLE.sub(marked, sentence)
    tree = expression_of(text) if value else statements_of(text)
    fixed: list[object] = []
    source = _source(tree, fixed)
    made = eval(f"lambda h: {source}", {"p": p, "F": fixed, "lift": lift, "exps": exps, "statement": statement})  # noqa: S307
    return made  # type: ignore[no-any-return]


def _hole(node: object) -> int | None:
    """The number of the hole that a node is."""
    if isinstance(node, p.Name) and node.name.startswith(MARK):
        return int(node.name.removeprefix(MARK))
    return None


def _is_many(node: object) -> bool:
    """Whether it is a hole for several."""
    return isinstance(node, p.Spread) and isinstance(node.of, p.Name) and node.of.name.startswith(MANY)


def _source(node: object, fixed: list[object]) -> str:
    """The making of a node, as an expression of Python over `h`, the holes, and `F`, what is fixed."""
    if isinstance(node, tuple):
        return f"({''.join(f'{_item(part, fixed)}, ' for part in node)})"
    number = _hole(node)
    if number is not None:
        return f"lift(h[{number}])"
    match node:
        case p.Do(what=what) if _hole(what) is not None:
            return f"statement(lift(h[{_hole(what)}]))"
        case _ if _has_holes(node):
            parts = ", ".join(_source(getattr(node, name), fixed) for name in node.__dataclass_fields__)  # type: ignore[attr-defined]
            return f"p.{type(node).__name__}({parts})"
    fixed.append(node)
    return f"F[{len(fixed) - 1}]"


def _item(part: object, fixed: list[object]) -> str:
    """One of several: a hole that stands for many is put in as many."""
    if _is_many(part):
        return f"*exps(h[{part.of.name.removeprefix(MANY)}])"  # type: ignore[attr-defined]
    return _source(part, fixed)


def _has_holes(node: object) -> bool:
    if isinstance(node, tuple):
        return any(_has_holes(part) for part in node)
    if _hole(node) is not None or _is_many(node):
        return True
    return is_dataclass(node) and any(_has_holes(getattr(node, one.name)) for one in fields(node))
