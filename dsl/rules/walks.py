"""The parts of rules: a node and everything in it, the moves of a block, what a call can mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import count
from operator import is_
from typing import Any, cast, get_args

from ichiba.dsl.faults.source import Span
from ichiba.dsl.rules import ir
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Member, Net

_LEAVES = (Member, Net, Span, Kind, str, int, ir.Var, ir.ValueRef, ir.ProcRef)
_LEAF_WORDS = {"None", "bool", "tuple", "list", "dict", "Entry", *(leaf.__name__ for leaf in _LEAVES)}  # in the types of fields
_PARTS = {"Exp", "Set", "Stm", *(kind.__name__ for kind in get_args(ir.Node))}
_IDLE_PARTS = (*get_args(ir.Exp), *get_args(ir.Set), ir.SortSet, ir.Search, ir.Label, ir.Bind, ir.Require)
_IDLE = {"Exp", "Set", "Notes", *(kind.__name__ for kind in _IDLE_PARTS)}
# By how a field is declared: what stands in a list for the parts in it. Anything else is taken apart entry by entry.
_TAKEN = (
    (re.compile(r"(\w+)"), "node.{}"),
    (re.compile(r"(\w+) \| None"), "*([] if node.{0} is None else [node.{0}])"),
    (re.compile(r"(?:tuple\[(\w+), \.\.\.\]|list\[\w+\])"), "*node.{}"),
)
OFTEN = 16  # so often nodes of a class are made anew before a function of its own is worth it

Taker = Callable[[Any], "Sequence[Any]"]
Change = Callable[[Any], Any]
Maker = Callable[[Any, Change], Any]


def _flat(value: object) -> list[object]:
    """The parts that stand somewhere in this."""
    if isinstance(value, tuple | list):
        return [part for inner in value for part in _flat(inner)]
    return [value] if not isinstance(value, _LEAVES) and is_dataclass(value) else []


_NAMES: dict[type, tuple[str, ...] | None] = {}
_TAKERS: dict[type, Taker] = {}
_MOVES: dict[type, Taker] = {}
_MAKERS: dict[type, Maker] = {}


def part_names(node: type) -> tuple[str, ...] | None:
    """The fields of a class that may hold parts: those that are declared as more than leaves. None for what is no move and
    no expression."""
    if node not in _NAMES:
        leaf = issubclass(node, _LEAVES) or not is_dataclass(node)
        _NAMES[node] = None if leaf else tuple(name for name, said in _declared(node) if not _words(said) <= _LEAF_WORDS)
    return _NAMES[node]


def _declared(node: type) -> list[tuple[str, str]]:
    return [(item.name, item.type if isinstance(item.type, str) else item.type.__name__) for item in fields(cast(Any, node))]


def _words(said: str) -> set[str]:
    return set(re.findall(r"\w+", said))


def _taker(node: type, known: dict[type, Taker]) -> Taker:
    """The function that gives the parts of a class, or the moves among them: `lambda node: [node.set, node.test]`. Such are
    called very often."""
    said = dict(_declared(node)) if part_names(node) else {}
    names = [name for name in part_names(node) or () if known is _TAKERS or not _words(said[name]) <= _LEAF_WORDS | _IDLE]
    taken = ", ".join(_taken(said[name], known is _MOVES).format(name) for name in names)
    words = {"flat": _flat, "moves": get_args(ir.Move), "Require": ir.Require}
    made: Taker = eval(f"lambda node: [{taken}]" if taken else "lambda node: ()", words)  # noqa: S307
    return known.setdefault(node, made)


def _taken(said: str, moves: bool) -> str:
    if moves and said == "tuple[Stm, ...]":
        return "*[one for one in node.{} if one.__class__ is not Require]"
    for form, words in _TAKEN:
        if form.fullmatch(said) and _words(said) - {"tuple", "list", "None"} <= _PARTS:
            return words
    return "*[one for one in flat(node.{}) if isinstance(one, moves)]" if moves else "*flat(node.{})"


def _maker(node: type) -> Maker:
    """The function that makes a node of a class anew with other parts, if there are any."""
    names, times = part_names(node) or (), count(1)

    def made(before: Any, change: Change) -> Any:
        if next(times) == OFTEN:
            _MAKERS[node] = _quick_maker(node)
        new = {name: anew(getattr(before, name), change) for name in names}
        return replace(before, **new) if any(part is not getattr(before, name) for name, part in new.items()) else before

    return _MAKERS.setdefault(node, made)


def _quick_maker(node: type) -> Maker:
    """The same for a class of which very many are made anew:
    `lambda node, change: node if ((_0 := change(node.test)) is node.test) else kind(_0, node.kind)`."""
    changed, values = [], []
    for at, (name, said) in enumerate(_declared(node) if part_names(node) else ()):
        if name in (part_names(node) or ()):
            changed.append(f"((_{at} := {_anew(said).format(f'node.{name}')}) is node.{name})")
        values.append(f"_{at}" if name in (part_names(node) or ()) else f"node.{name}")
    said = f"lambda node, change: node if {' & '.join(changed)} else kind({', '.join(values)})" if changed else "lambda node, change: node"
    made: Maker = eval(said, {"kind": node, "all_anew": _all_anew, "anew": anew})  # noqa: S307
    return made


def _anew(said: str) -> str:
    """By how a field is declared: what stands in it, made anew."""
    if _words(said) - {"tuple", "None"} <= _PARTS:
        for form, words in ((r"\w+", "change({0})"), (r"\w+ \| None", "({0} and change({0}))"), (r"tuple\[\w+, \.\.\.\]", "all_anew({0}, change)")):
            if re.fullmatch(form, said):
                return words
    return "anew({0}, change)"


def _all_anew(values: tuple[Any, ...], change: Change) -> tuple[Any, ...]:
    made = tuple([change(value) for value in values])
    return values if all(map(is_, made, values)) else made


def anew(value: Any, change: Change) -> Any:
    """What stands in a field, or in a tuple of them, with `change` done to each part that stands there."""
    if isinstance(value, tuple):
        made = tuple([anew(part, change) for part in value])
        return value if all(map(is_, made, value)) else made
    return value if part_names(type(value)) is None else change(value)


def with_parts(node: Any, change: Change) -> Any:
    """The same node with `change` done to each of the parts that it is made of; itself where they all stay what they are."""
    kind = type(node)
    return (_MAKERS.get(kind) or _maker(kind))(node, change)


def children(node: object) -> Sequence[ir.Node]:
    """What a move or an expression is made of; functions and procedures are not entered."""
    return (_TAKERS.get(type(node)) or _taker(type(node), _TAKERS))(node)


def moves_in(node: object) -> Sequence[ir.Move]:
    """The moves that a move is directly made of, in their order; requirements left out."""
    return (_MOVES.get(type(node)) or _taker(type(node), _MOVES))(node)


def walk(node: object) -> Iterator[ir.Node]:
    """A node and everything in it; of nothing, nothing."""
    todo: list[Any] = [] if node is None else [node]
    while todo:
        current = todo.pop()
        yield current
        kind = type(current)
        todo.extend((_TAKERS.get(kind) or _taker(kind, _TAKERS))(current))


def steps(node: object) -> Iterator[ir.Move]:
    """A block and the moves in it, the options of its questions among them; of nothing, nothing. Expressions do nothing,
    so they are not looked into; requirements neither."""
    todo: list[Any] = [] if node is None else [node]
    while todo:
        current = todo.pop()
        yield current
        kind = type(current)
        todo.extend((_MOVES.get(kind) or _taker(kind, _MOVES))(current))


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
