"""What is done where something is performed or taken: its own text, with the rules before, after and instead of it put in place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ichiba.dsl.syntax import tree as t
from tests.reference.modules import Hook
from tests.reference.trees import PARTS, nodes
from tests.reference.triggers import Triggers


def says_original(node: Any) -> bool:
    return any(isinstance(inner, t.Name) and inner.name == "original" for inner in nodes(node))


def with_original(node: Any, original: t.Block) -> Any:
    """The same with what it stands instead of in place of `original`."""
    if isinstance(node, tuple):
        return tuple(with_original(part, original) for part in node)
    if not isinstance(node, t.Node) or not says_original(node):
        return node
    if isinstance(node, t.Do):
        return t.If(node.span, ((t.Name(node.span, "true"), original),), None)
    names = PARTS[type(node)]
    return replace(node, **{name: with_original(getattr(node, name), original) for name in names})


class Bodies(Triggers):
    """Puts together what is done, as text, for those who read what hangs on it."""

    _whole: dict[Any, Any]  # what was put together, for as long as the rules: it is known by where it lies

    def whole_body(self, own: t.Block, hooks: Iterable[Hook]) -> t.Block:
        hooks = list(hooks)
        key = id(own), *(id(hook) for hook in hooks)
        if key not in self._whole:
            self._whole[key] = self.put_together(own, hooks)
        found: t.Block = self._whole[key]
        return found

    def put_together(self, own: t.Block, hooks: list[Hook]) -> t.Block:
        before: list[Any] = []
        after: list[Any] = []
        for hook in hooks:
            rule = hook.rule
            if rule.moment.what == "instead_of":
                body = with_original(rule.body, own)
                condition = rule.moment.condition
                own = body if condition is None else self.block_of(t.If(rule.span, ((condition, body),), own))
            else:
                (before if rule.moment.what == "before" else after).append(self.standing_around(rule))
        return own if not before + after else t.Block(own.span, own.doc, (*before, *own.body, *after))

    def standing_around(self, rule: t.Rule) -> Any:
        """For each of its set, where its `when` holds."""
        made: Any = t.If(rule.span, ((rule.moment.condition or t.Name(rule.span, "true"), rule.body),), None)
        return made if rule.binder is None else t.ForEach(rule.span, rule.binder, (), False, self.block_of(made))

    def block_of(self, statement: Any) -> t.Block:
        return t.Block(statement.span, None, (statement,))

    def whole_option(self, option: t.Option, address: str) -> t.Option:
        """With what restricts it, and the rules around it."""
        restricts = [restrict for restrict, _ in self.rules.restricts.get(address, ())]
        hooks = self.rules.hooks.get(address, [])
        if not restricts and not hooks:
            return option
        key = id(option), address
        if key not in self._whole:
            body = self.whole_body(option.body, hooks)
            first = [
                t.If(r.span, ((r.when or t.Name(r.span, "true"), t.Block(r.span, None, r.requires)),), None) for r in restricts
            ]
            self._whole[key] = replace(option, body=t.Block(body.span, None, (*first, *body.body)))
        found: t.Option = self._whole[key]
        return found


__all__ = ["Bodies", "says_original"]
