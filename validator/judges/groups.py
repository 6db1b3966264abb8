"""Which of very many things lead to each other: in groups, each thing in one, looked at once whatever leads where."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def groups(roots: Iterable[Node], leads_to: Callable[[Node], Iterable[Node]]) -> Iterator[list[Node]]:
    """All that can be reached, in groups of what leads there and back (Tarjan's algorithm). A thing that nothing leads back to is alone
    in its group."""
    number: dict[Node, int] = {}
    low: dict[Node, int] = {}
    inside: dict[Node, None] = {}  # in the order in which they were come to
    todo: list[tuple[Node, Iterator[Node]]] = []

    def enter(node: Node) -> None:
        number[node] = low[node] = len(number)
        inside[node] = None
        todo.append((node, iter(leads_to(node))))

    for root in roots:
        if root not in number:
            enter(root)
        while todo:
            node, others = todo[-1]
            for other in others:
                if other not in number:
                    enter(other)
                    break
                if other in inside:
                    low[node] = min(low[node], number[other])
            else:
                todo.pop()
                if todo:
                    low[todo[-1][0]] = min(low[todo[-1][0]], low[node])
                if low[node] == number[node]:
                    group: list[Node] = []
                    while not group or group[-1] is not node:
                        group.append(inside.popitem()[0])
                    yield group


__all__ = ["groups"]
