"""Rules with `whenever` that make each other true, for ever. They are found by way of what they change and what they look
at: of very many that all look at one counter no list of pairs is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ichiba.validator.judges.groups import groups

Signs = frozenset[object]


class Waking:
    """Which rules wake which: a rule gives signs, and is woken by signs (which are no texts, as the names of rules are)."""

    def __init__(self, gives: Mapping[str, Signs], woken_by: Mapping[str, Signs]):
        self.gives, self.woken_by = gives, woken_by
        self.order = {name: number for number, name in enumerate(gives)}
        self.listening: dict[object, list[str]] = {}
        for name, signs in woken_by.items():
            for sign in signs:
                self.listening.setdefault(sign, []).append(name)

    def circles(self) -> Iterator[list[str]]:
        """Of all rules that lead to each other the shortest circle through the first of them."""
        components = [sorted(together, key=self.order.__getitem__) for together in self._components() if len(together) > 1]
        for together in sorted(components, key=lambda names: self.order[names[0]]):
            yield self._circle(together[0], set(together))

    def _circle(self, first: str, within: set[str]) -> list[str]:
        """The shortest way from a rule back to itself."""
        came, todo, heard = {first: ""}, [first], set[object]()
        for here in todo:  # which grows
            if here != first and self.gives[here] & self.woken_by[first]:
                way = [here]
                while came[way[-1]]:
                    way.append(came[way[-1]])
                return way[::-1]
            fresh = self.gives[here] - heard
            heard |= fresh
            woken = {name for sign in fresh for name in self.listening.get(sign, ()) if name in within and name not in came}
            for name in sorted(woken, key=self.order.__getitem__):
                came[name] = here
                todo.append(name)
        raise AssertionError(f"{first} leads back to itself")

    def _components(self) -> Iterator[set[str]]:
        """The rules that lead to each other, by way of their signs."""
        roots: list[object] = [*self.order]
        for group in groups(roots, self._next):
            yield {node for node in group if isinstance(node, str)}

    def _next(self, node: object) -> Signs | list[str]:
        return self.gives[node] if isinstance(node, str) else self.listening.get(node, [])


__all__ = ["Waking"]
