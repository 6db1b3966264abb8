"""A tree for people: its classes and their parts, one under the other, or in one line where they are short.

Raise(place: Member(of: Name(board), name: marker), by: Int(2))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from ichiba.dsl.faults.printing import Line
from ichiba.dsl.syntax import tree as t

WIDTH = 88  # of what stands in one line


def lines_of(node: t.Node) -> Iterator[Line]:
    """A sentence and all that it is made of; what is not said in it is left out."""
    yield from _lines("", node, 0)


def _lines(label: str, value: object, depth: int) -> Iterator[Line]:
    span = value.span if isinstance(value, t.Node) else None
    flat = _flat(value)
    if len(label) + len(flat) + 2 * depth <= WIDTH:
        yield Line(depth, label + flat, span)
    elif isinstance(value, t.Node) and len(said := list(_said(value))) > 1:
        yield Line(depth, label + type(value).__name__, span)
        for name, part in said:
            yield from _lines(f"{name}: ", part, depth + 1)
    elif isinstance(value, t.Node):
        yield Line(depth, label + type(value).__name__, span)
        yield from _lines("", said[0][1], depth + 1)
    elif isinstance(value, tuple):
        if label:
            yield Line(depth, label.rstrip(), None)
        for part in value:
            yield from _lines("- ", part, depth + bool(label))
    else:
        yield Line(depth, label + flat, None)


def _flat(value: object) -> str:
    match value:
        case t.Text(text=text) if _is_plain(value):
            return f"Text({_quoted(text)})"
        case t.Node():
            said = list(_said(value))
            inner = _flat(said[0][1]) if len(said) == 1 else ", ".join(f"{name}: {_flat(part)}" for name, part in said)
            return f"{type(value).__name__}({inner})" if said else type(value).__name__
        case tuple():
            return f"[{', '.join(map(_flat, value))}]"
        case bool():
            return "yes" if value else "no"
        case str():
            return value if value.replace("_", "").replace(".", "").isalnum() else _quoted(value)
        case _:  # any other: a number, or nothing
            return str(value)


def _quoted(text: str) -> str:
    return f'"{text}"'


def _said(node: t.Node) -> Iterator[tuple[str, object]]:
    """The parts of a sentence that it does have; its place in the file is none."""
    for part in fields(node):
        value = getattr(node, part.name)
        if part.compare and value is not None and value is not False and value != () and value != "":
            yield part.name, value
            if isinstance(node, t.Text) and _is_plain(node):
                return


def _is_plain(text: t.Text) -> bool:
    """Whether no value of the language stands in it: its only part is its words."""
    return all(isinstance(part, str) for part in text.parts)
