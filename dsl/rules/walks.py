"""The parts of rules: a node and everything in it, the moves of a block, what a call can mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import Any, cast, get_args

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Member

_LEAVES = (Member, Span, Kind, str, int, ir.Var, ir.ValueRef, ir.ProcRef)
_IDLE = (*get_args(ir.Exp), *get_args(ir.Set), ir.SortSet, ir.Label, ir.Bind, ir.Require)
_PART, _LIST, _LEAF = 1, 2, 0
_PLAIN = ("None", "bool", "tuple", "list", "dict", "Entry")  # in the types of fields: nothing to take apart, or what holds it


def taking_apart(leaves: tuple[type, ...], without: tuple[str, ...] = ()) -> Callable[[object], list[object]]:
    """A function that gives the parts of a node. What a class has, and is, is looked up once: it is asked very often."""
    fields_of: dict[type, Callable[[object], tuple[object, ...]] | None] = {}
    leaf_words = {*_PLAIN, *(leaf.__name__ for leaf in leaves)}
    forms: dict[type, int] = {type(None): _LEAF}

    def form_of(value: object) -> int:
        if isinstance(value, tuple | list):
            form = _LIST
        else:
            form = _PART if not isinstance(value, leaves) and is_dataclass(value) else _LEAF
        forms[type(value)] = form
        return form

    def flatten(values: Iterable[object], found: list[object]) -> None:
        for value in values:
            form = forms.get(type(value))
            if form is None:
                form = form_of(value)
            if form == _PART:
                found.append(value)
            elif form == _LIST:
                flatten(cast("Iterable[object]", value), found)

    def parts(node: object) -> list[object]:
        kind = type(node)
        found: list[object] = []
        if kind not in fields_of:
            fields_of[kind] = _getter(_may_have_parts(kind, leaf_words, without) if is_dataclass(node) else ())
        get = fields_of[kind]
        if get is not None:
            flatten(get(node), found)
        return found

    return parts


def _getter(names: Iterable[str]) -> Callable[[object], tuple[object, ...]] | None:
    """All these fields of a node at once."""
    match tuple(names):
        case ():
            return None
        case (only,):
            get = attrgetter(only)
            return lambda node: (get(node),)
        case several:
            return attrgetter(*several)


def _may_have_parts(node: type, leaf_words: set[str], without: tuple[str, ...]) -> Iterator[str]:
    """The fields of a class that can hold something to be taken apart: those that are declared as more than leaves."""
    for item in fields(cast(Any, node)):
        words = set(re.findall(r"\w+", item.type if isinstance(item.type, str) else item.type.__name__))
        if item.name not in without and not words <= leaf_words:
            yield item.name


_NAMES: dict[type, tuple[str, ...] | None] = {}


def part_names(node: type) -> tuple[str, ...] | None:
    """The fields of a class that may hold parts; None for what is no move and no expression."""
    if node not in _NAMES:
        leaf = issubclass(node, _LEAVES) or not is_dataclass(node)
        _NAMES[node] = None if leaf else tuple(_may_have_parts(node, {*_PLAIN, *(leaf.__name__ for leaf in _LEAVES)}, ()))
    return _NAMES[node]


children = cast("Callable[[object], list[ir.Node]]", taking_apart(_LEAVES))  # of a move or an expression, functions and procedures not entered


def walk(node: object) -> Iterator[ir.Node]:
    """A node and everything in it; of nothing, nothing."""
    todo: list[Any] = [] if node is None else [node]
    while todo:
        current = todo.pop()
        yield current
        todo.extend(children(current))


def steps(node: object) -> Iterator[ir.Move]:
    """A block and the moves in it, the options of its questions among them; of nothing, nothing. Expressions do nothing,
    so they are not looked into; requirements neither."""
    todo: list[Any] = [] if node is None else [node]
    while todo:
        current = todo.pop()
        yield current
        todo.extend(child for child in children(current) if not isinstance(child, _IDLE))


def performed(block: object) -> Iterator[ir.ProcRef]:
    """The procedures a block performs directly."""
    for node in steps(block):
        if isinstance(node, ir.Perform):
            yield node.procedure


def procedures_of(ref: ir.ProcRef) -> Iterator[ir.Procedure]:
    if ref.default is not None:
        yield ref.default
    yield from ref.cases.values()


def functions_of(ref: ir.ValueRef) -> Iterator[ir.Function]:
    if ref.default is not None:
        yield ref.default
    yield from ref.cases.values()


def junction(op: str, args: tuple[ir.Exp, ...]) -> list[ir.Exp]:
    """All that `and` or `or` joins, without brackets."""
    found: list[ir.Exp] = []
    for arg in args:
        found.extend(junction(op, arg.args) if isinstance(arg, ir.Op) and arg.op == op else [arg])
    return found


def reached_procedures(program: ir.Program) -> dict[ir.Procedure, None]:
    """All that is performed in some game, by way of the setup, the play, the scoring and the triggers; always in the same
    order, since faults are told in it."""
    todo = [program.setup, program.play, program.scoring]
    todo += [watcher.procedure for watcher in program.watchers.values()]
    reached = dict.fromkeys(todo)
    while todo:
        body = todo.pop().body
        for ref in performed(body) if body is not None else ():
            new = [procedure for procedure in procedures_of(ref) if procedure not in reached]
            reached.update(dict.fromkeys(new))
            todo.extend(new)
    return reached


def span_of(node: object) -> Span | None:
    """Where a part of the rules is written, if it is one that knows."""
    return cast(ir.Write, node).span if type(node) in _WITH_SPAN else None


_WITH_SPAN = {
    kind for kind in vars(ir).values() if isinstance(kind, type) and is_dataclass(kind) and "span" in {f.name for f in fields(kind)}
}
