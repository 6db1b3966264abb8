"""The course of the game: each procedure with its sentence, what it asks, and the rules that come before, after or instead of it."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.dsl.syntax import tree as t
from ichiba.table.rulebook.asking import MOMENTS, Asking
from ichiba.table.rulebook.blocks import Block, Heading, Listing, Paragraph, Written
from ichiba.table.rulebook.blocks import sentence as as_sentence
from ichiba.table.rulebook.gathered import Own, menu_name
from ichiba.table.rulebook.rules import as_written
from ichiba.table.scene.spelling import ink

WHEN = {"before": "Before “{rule}”", "after": "After “{rule}”", "instead_of": "Instead of “{rule}”"}


class Course:
    """Tells the procedures of one game, each once, in the order in which they are come by."""

    def __init__(self, asking: Asking):
        self.asking, self.options, self.rules, self.frame = asking, asking.options, asking.rules, asking.frame
        self.told: set[str] = set()
        self.under = ""  # whose heading was written last

    def chapter(self, name: str, caller: str = "") -> Iterator[Block]:
        """A procedure and all that it performs. `caller` is under whose heading it is performed, if that matters."""
        own = self.rules.procedures.get(name)
        if own is None or name in self.told:
            return
        self.told.add(name)
        procedure = own.item
        assert isinstance(procedure, t.Procedure)
        yield from self._section(own, procedure, caller or self.under)
        here = self.under if self.under == name else caller
        for called in self.performed(procedure.body):
            yield from self.chapter(called, here)
        for moment in MOMENTS:
            for rule in self.rules.moments.get((moment, name), []):
                assert isinstance(rule.item, t.Rule)
                if not rule.board:
                    for called in self.performed(rule.item.body):
                        yield from self.chapter(called, here)

    def performed(self, body: t.Block) -> list[str]:
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
                        found += self.performed(own.item.body)
        return list(dict.fromkeys(filter(None, found)))

    def all_performed(self, body: t.Block) -> set[str]:
        """The same with what these perform in turn."""
        found: set[str] = set()
        waiting = self.performed(body)
        while waiting:
            name = waiting.pop()
            own = self.rules.procedures.get(name)
            if name not in found and own is not None and isinstance(own.item, t.Procedure):
                waiting += self.performed(own.item.body)
            found.add(name)
        return found

    def _section(self, own: Own, procedure: t.Procedure, caller: str) -> Iterator[Block]:
        """A heading and what stands below it. What only says a sentence needs no more than a line that begins with its name, unless it
        would stand below a heading that it has nothing to do with; what does nothing is there for others, who say what they do."""
        known = self.options.binders.of_params(procedure.params)
        sentence = self.options.sentence(own, known)
        self.asking.seen.clear()
        asked = tuple(self.asking.asked(procedure.body, known))
        rules = tuple(self.asking.moments(procedure.name))
        heading = self.options.heading(procedure.name)
        idle = all(map(self.idle, procedure.body.body))
        if idle and not rules and not asked or not sentence and not asked and not rules and not _does(procedure.body):
            return
        if sentence and not asked and not rules and not procedure.main and self.under == caller:
            yield Paragraph((*ink(f"{as_sentence(heading)} ", "bold"), *sentence, *self.options.marked(own)))
            return
        self.under = procedure.name
        if not procedure.main:
            yield Heading(3, heading, f"rule-{procedure.name}", self.options.mark(own))
        if sentence:
            yield Paragraph(sentence)
        elif not asked and _does(procedure.body):
            yield Written(as_written(procedure.span))
        if asked:
            yield Listing(asked)
        if rules:
            yield Listing(rules)

    def idle(self, one: t.Statement) -> bool:
        """It does nothing here: a module that is off would have it do something."""
        match one:
            case t.Nothing():
                return True
            case t.Menu(otherwise=None):
                return not self.rules.menus.get(menu_name(one))
            case _:
                return False

    def when(self, moment: t.Moment) -> str:
        """`Before “Come ashore”`, `At once, whenever it happens`."""
        head = WHEN.get(moment.what)
        if head is None:
            return self.frame("At once, whenever it happens")
        return self.frame(head, rule=self.options.heading((moment.path or "").rpartition(".")[2]))


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
