"""The course of the game: each procedure with its sentence, what it asks, and the rules that come before, after or instead of it."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.dsl.syntax import tree as t
from ichiba.table.rulebook.blocks import Block, Heading, Item, Listing, Paragraph, Written, sentence
from ichiba.table.rulebook.gathered import Gathered, Own, menu_name
from ichiba.table.rulebook.options import Options
from ichiba.table.rulebook.rules import as_written
from ichiba.table.scene.spelling import FAINT, ink

MOMENTS = {"before": "Before this", "after": "After this", "instead_of": "Instead of this"}


class Course:
    """Tells the procedures of one game, each once, in the order in which they are come by."""

    def __init__(self, options: Options, rules: Gathered):
        self.options, self.rules = options, rules
        self.told: set[str] = set()

    def chapter(self, name: str) -> Iterator[Block]:
        """A procedure and all that it performs."""
        own = self.rules.procedures.get(name)
        if own is None or name in self.told:
            return
        self.told.add(name)
        procedure = own.item
        assert isinstance(procedure, t.Procedure)
        yield from self._section(own, procedure)
        for called in self._called(procedure.body):
            yield from self.chapter(called)
        for moment in MOMENTS:
            for rule in self.rules.moments.get((moment, name), []):
                assert isinstance(rule.item, t.Rule)
                for called in self._called(rule.item.body):
                    yield from self.chapter(called)

    def _called(self, body: t.Block) -> list[str]:
        """The procedures that are performed in a body or by the options of its menus, in the order in which they are written."""
        found: list[str] = []
        for node in sorted(t.walk(body), key=lambda node: node.span.start):
            if isinstance(node, t.Do):
                found.append(_name(node.call))
            elif isinstance(node, t.Call) and _name(node) in self.rules.procedures:  # `let winner = auction(lot)`
                found.append(_name(node))
            elif isinstance(node, t.Menu):
                for own in self.rules.menus.get(menu_name(node), []):
                    if isinstance(own.item, t.Option) and not own.board and node.body is None:
                        found += self._called(own.item.body)
        return list(dict.fromkeys(filter(None, found)))

    def _section(self, own: Own, procedure: t.Procedure) -> Iterator[Block]:
        known = self.options.binders.of_params(procedure.params)
        doc = procedure.body.doc
        self.options.seen.clear()
        asked = tuple(self.options.asked(procedure.body, known))
        rules = [*self.moments(procedure.name)]
        if doc is None and not asked and not rules and not _does(procedure.body):
            return
        if not procedure.main:
            yield Heading(3, sentence(procedure.name.replace("_", " ")).rstrip("."), f"rule-{procedure.name}", self.options.mark(own))
        if doc is not None:
            yield Paragraph(ink(sentence(self.options.phrases.words(doc, known))))
        elif not asked and _does(procedure.body):
            yield Written(as_written(procedure.span))
        if asked:
            yield Listing(asked)
        if rules:
            yield Listing(tuple(rules))

    def moments(self, name: str) -> Iterator[Item]:
        """Rules that stand before, after or instead of it."""
        for moment, head in MOMENTS.items():
            for own in self.rules.moments.get((moment, name), []):
                if not own.board:
                    yield self.rule(own, head)

    def rule(self, own: Own, head: str = "") -> Item:
        """A rule with a moment of its own, in its sentence."""
        rule = own.item
        assert isinstance(rule, t.Rule)
        known = self.options.binders.of_params(tuple(t.Param(rule.span, name, None) for name in rule.moment.names))
        if rule.binder is not None:
            known |= self.options.binders.of_binder(rule.binder.name, rule.binder.domain)
        if rule.body.doc is not None:
            words = sentence(self.options.phrases.words(rule.body.doc, known))
        else:
            words = sentence(rule.name.replace("_", " "))
        return Item((*ink(f"{head}: " if head else "", FAINT), *ink(words), *self.options.marked(own)), tuple(self.options.asked(rule.body, known)))


def when(moment: t.Moment) -> str:
    """`Before come ashore`, `As soon as it is so`."""
    head = {"before": "Before", "after": "After", "instead_of": "Instead of"}.get(moment.what)
    return f"{head} {(moment.path or '').rpartition('.')[2].replace('_', ' ')}" if head is not None else "As soon as it is so"


def _does(body: t.Block) -> bool:
    """Whether it does anything by itself, besides performing others."""
    return any(not isinstance(one, t.Do | t.Nothing) for one in body.body)


def _name(call: t.Expr) -> str:
    match call:
        case t.Name(name=name) | t.Member(name=name):
            return name
        case t.Call(what=what):
            return _name(what)
        case _:
            return ""
