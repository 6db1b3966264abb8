"""Which windows can be open in a menu, told from the text of the rules: whoever performs a procedure can be asked there."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.bodies import Bodies
from tests.reference.modules import WindowEntry
from tests.reference.trees import parts_of_node


class Windows(Bodies):
    """Knows by the procedure of a window where the menus stand that come up while it runs."""

    _come_up: dict[str | None, set[Any]]

    def windows_of(self, s: t.Menu) -> list[tuple[str, WindowEntry]]:
        """By their names; a menu that only a free action opens has none."""
        return [] if s.windows == "none" else [found for found in self.rules.windows.items() if s.span in self.come_up(found[1].during)]

    def come_up(self, during: str | None) -> set[Any]:
        """The places of all menus that come up while this procedure runs, without one in the whole game; free actions are not looked into."""
        if during not in self._come_up:
            self._come_up[during] = found = set()
            todo: list[Any] = self.performed_by(during) if during is not None else self.begun()
            performed: set[str] = set()
            while todo:
                node = todo.pop()
                if isinstance(node, t.Menu) and node.span not in found:
                    found.add(node.span)
                    todo += self.options_of_menu(node)
                name = self.performed_in(node)
                if name is not None and name not in performed:
                    performed.add(name)
                    todo += self.performed_by(name)
                if isinstance(node, t.Node):
                    todo += parts_of_node(node)
                elif isinstance(node, tuple):
                    todo += node
        return self._come_up[during]

    def begun(self) -> list[Any]:
        """What is done without being performed: setups, that of boards too, the course of the game, and scoring."""
        scorings = [scoring.body for scoring, _ in self.rules.scorings]
        around = [hook.rule.body for hook in self.rules.hooks.get("scoring", [])]
        return [*self.performed_by("setup"), *self.performed_by("play"), *scorings, *around]

    def performed_in(self, node: Any) -> str | None:
        """The name of what a statement performs, or a cost paid in pieces."""
        match node:
            case t.CostItem(by=by):
                return by
            case t.Do(call=call) | t.Let(value=call):
                name = call.what if isinstance(call, t.Call) else call
                return name.name if isinstance(name, t.Name | t.Member) else None
        return None

    @abstractmethod
    def performed_by(self, name: str) -> list[t.Block]:
        ...

    @abstractmethod
    def options_of_menu(self, s: t.Menu) -> list[t.Option]:
        ...


__all__ = ["Windows"]
