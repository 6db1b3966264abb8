"""A decision in sentences: what can be done, what it costs, when it cannot be done, what else it asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ichiba.dsl.syntax import tree as t
from ichiba.table.rulebook.blocks import Item, sentence
from ichiba.table.rulebook.gathered import Binders, Gathered, Own, menu_name
from ichiba.table.scene.phrases import Known, Phrases
from ichiba.table.scene.spelling import FAINT, Cell, Speller, ink

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game


class Options:
    """Says the options of one game."""

    def __init__(self, game: Game, speller: Speller, rules: Gathered):
        self.game, self.speller, self.rules = game, speller, rules
        self.seen: set[str] = set()  # menus of the rule that is being told: their options are listed once
        self.phrases, self.binders = Phrases(game, speller), Binders(game, speller)
        self.modules = {name: file.title.get(game.lang) or file.title.get("en") or name for name, file in game.box.modules.items()}

    def mark(self, own: Own) -> str:
        """`Expansion`; `Expansion, in place of the game's own`."""
        if not own.home or own.home.startswith("library"):
            return ""
        name = self.modules.get(own.home, self.speller.name(own.home))
        return f"{name}, in place of the game's own" if own.replaced else name

    def marked(self, own: Own) -> Cell:
        mark = self.mark(own)
        return ink(f" [{mark}]", FAINT) if mark else ()

    # ------------------------------------------------------------------------------------------- one option

    def item(self, own: Own) -> Item:
        """`Buy a boat, side port`: its label, sentence, cost, limits; below it what it asks."""
        option = own.item
        assert isinstance(option, t.Option)
        known = self.binders.of_option(option)
        label = self.label(option, own.path, known)
        words: list[str] = []
        if option.body.doc is not None:
            words.append(sentence(self.phrases.words(option.body.doc, known)))
        if option.cost is not None:
            words.append(sentence(f"Costs {self.cost(option.cost, known)}"))
        if option.once_per is not None:
            words.append(sentence(f"Once per {self.speller.name(option.once_per)}"))
        words += self.limits(option, own, known)
        cell = (*ink(sentence(label), "bold"), *ink(f" {' '.join(words)}" if words else ""), *self.marked(own))
        return Item(cell, tuple(self.asked(option.body, known)))

    def label(self, option: t.Option, path: str, known: Known) -> str:
        """In the language of the game, where that has words for it."""
        if option.ask.words is None:
            return self.speller.name(option.name)
        other = self.game.text(f"menu.{path.rpartition('.')[2]}.{option.name}") or self.game.text(f"menu.{path}.{option.name}")
        return self.phrases.words(option.ask.words, known, other)

    def cost(self, cost: t.Cost, known: Known) -> str:
        """What is paid; a cost with a name of its own is looked up."""
        match cost.ways:
            case (t.CostWay(items=(t.CostItem(what=t.Call(what=t.Name(name=name), args=args)),)),) if name in self.rules.costs:
                rule = self.rules.costs[name]
                given = {param.name: self.phrases.said(arg, known) for param, arg in zip(rule.params or (), args, strict=False)}
                return self.phrases.cost(rule.cost, {**known, **given})
            case _:
                return self.phrases.cost(cost, known)

    # ------------------------------------------------------------------------------------------- limits

    def limits(self, option: t.Option, own: Own, known: Known) -> list[str]:
        """`Not if …` and `Only if …`, in the order in which they are looked at."""
        conditions = [binder.where for binder in option.binders if binder.where is not None]
        conditions += [option.when] if option.when is not None else []
        found = [told for condition in conditions for told in self.condition(condition, known)]
        requires = [one for one in option.body.body if isinstance(one, t.Require)]
        found += [told for one in requires for told in self.required(one, known)]
        for one in self.restrictions(option):
            found += self.required(one, known)
        nots = [words for head, words in found if head == "not"]
        only = [words for head, words in found if head == "only"]
        told = [sentence("Only if " + "; only if ".join(dict.fromkeys(only)))] if only else []
        return [*told, *([sentence("Not if " + "; not if ".join(dict.fromkeys(nots)))] if nots else [])]

    def restrictions(self, option: t.Option) -> list[t.Require]:
        """What other rules require of it, in the order in which they are looked at."""
        tests = self.binders.tests.get((option.span.source.path, option.span.line), set())
        found = [one for listed in self.rules.restricted.values() for restrict, _ in listed for one in restrict.requires]
        return [one for one in found if (one.span.source.path, one.span.start) in tests]

    def required(self, one: t.Require, known: Known) -> Iterator[tuple[str, str]]:
        if one.reason is not None:
            yield "not", self.phrases.words(one.reason, known)
        else:
            yield from self.condition(one.condition, known)

    def condition(self, exp: t.Expr, known: Known) -> Iterator[tuple[str, str]]:
        """Of a guard, what it says when it does not hold; of all else, what must hold."""
        match exp:
            case t.Operation(op="and", args=args):
                for arg in args:
                    yield from self.condition(arg, known)
            case t.Name(name=name) if name in self.rules.guards:
                yield from self._guard(name, (), known)
            case t.Call(what=t.Name(name=name), args=args) if name in self.rules.guards:
                yield from self._guard(name, args, known)
            case _:
                yield "only", self.phrases.said(exp, known)

    def _guard(self, name: str, args: tuple[t.Expr, ...], known: Known) -> Iterator[tuple[str, str]]:
        guard = self.rules.guards[name].item
        assert isinstance(guard, t.Guard)
        given = {param.name: self.phrases.said(arg, known) for param, arg in zip(guard.params or (), args, strict=False)}
        if guard.reason is not None:
            other = self.game.text(f"guard.{name}")
            yield "not", self.phrases.words(guard.reason, {**known, **given}, other)
        elif not isinstance(guard.body, t.Block):
            yield from self.condition(guard.body, {**known, **given})

    # ------------------------------------------------------------------------------------------- what it asks

    def asked(self, body: t.Block, known: Known) -> Iterator[Item]:
        """Choices within an option or a rule, and the menus it opens, in their order."""
        for statement in body.body:
            yield from self._statement(statement, known)

    def _statement(self, statement: t.Statement, known: Known) -> Iterator[Item]:
        match statement:
            case t.ChooseOne(name=name, domain=domain, ask=ask, body=inner, otherwise=otherwise):
                inside = {**known, **self.binders.of_binder(name, domain)}
                yield self._choice(ask, f"Choose {name.replace('_', ' ')}", known)
                yield from self._blocks((inner, otherwise), inside)
            case t.ChooseNumber(name=name, low=low, high=high, step=step, ask=ask, body=inner, otherwise=otherwise):
                span = f"from {self.phrases.said(low, known)} to {self.phrases.said(high, known)}"
                by = f" in steps of {self.phrases.said(step, known)}" if step is not None else ""
                yield self._choice(ask, f"Choose {name.replace('_', ' ')}", known, f"{span}{by}")
                yield from self._blocks((inner, otherwise), known)
            case t.ChooseSome(name=name, domain=domain, words=words, ask=ask, body=inner, otherwise=otherwise):
                limits = [f"{word.what} {self.phrases.said(word.arg, known)}" if word.arg is not None else word.what for word in words]
                from_where = f"from {self.phrases.said(domain, known)}"
                yield self._choice(ask, f"Choose {name.replace('_', ' ')}", known, ", ".join([from_where, *limits]))
                yield from self._blocks((inner, otherwise), known)
            case t.Secretly(name=name, seats=seats, body=inner):
                who = "everybody" if isinstance(seats, t.Name) and seats.name == "seats" else self.phrases.said(seats, known)
                yield Item(ink(sentence(f"In secret, and at the same time: {who}")), tuple(self.asked(inner, {**known, name: "player"})))
            case t.AsSeat(seat=seat, body=inner):
                found = tuple(self.asked(inner, known))
                if found:
                    yield Item(ink(sentence(f"Asked is {self.phrases.said(seat, known)}")), found)
            case t.May():
                yield self._may(statement, known)
            case t.Menu():
                yield from self.menu(statement, known)
            case t.Race(menu=name, body=inner, otherwise=otherwise):
                listed = self.rules.menus.get(name) or [Own(one, path=name) for one in inner.options]
                yield Item(ink("Whoever is first:"), tuple(map(self.item, listed)))
                yield from self._blocks((otherwise,), known)
            case t.If(branches=branches, otherwise=otherwise):
                yield from self._blocks((*(inner for _, inner in branches), otherwise), known)
            case t.ForEach(binder=binder, body=inner):
                yield from self._blocks((inner,), {**known, **self.binders.of_binder(binder.name, binder.domain)})
            case t.Repeat(body=inner) | t.TakeTurns(body=inner) | t.OneTurnEach(body=inner) | t.ScoreFor(body=inner):
                yield from self._blocks((inner,), known)
            case _:
                return

    def _blocks(self, blocks: tuple[t.Block | None, ...], known: Known) -> Iterator[Item]:
        for block in blocks:
            if block is None:
                continue
            if block.doc is not None:
                yield Item(ink(sentence(self.phrases.words(block.doc, known))))
            yield from self.asked(block, known)

    def _choice(self, ask: t.Ask, usual: str, known: Known, limits: str = "") -> Item:
        words = self.phrases.words(ask.words, known) if ask.words is not None else usual
        return Item((*ink(sentence(words), "bold"), *ink(f" {sentence(limits)}" if limits else "")))

    def _may(self, may: t.May, known: Known) -> Item:
        words = self.phrases.words(may.ask.words, known) if may.ask.words is not None else self.speller.name(may.name)
        told = [sentence(self.phrases.words(may.body.doc, known))] if may.body.doc is not None else []
        told += [sentence(f"Costs {self.cost(may.cost, known)}")] if may.cost is not None else []
        conditions = self.condition(may.when, known) if may.when is not None else ()
        told += [sentence(f"{'Only' if head == 'only' else 'Not'} if {words}") for head, words in conditions]
        return Item((*ink(sentence(f"You may: {words}"), "bold"), *ink(" " + " ".join(told))), tuple(self.asked(may.body, known)))

    def menu(self, menu: t.Menu, known: Known) -> Iterator[Item]:
        """A menu with its options. Those that boards bring stand with the boards."""
        name = menu_name(menu)
        options = [own for own in self.rules.menus.get(name, []) if not own.board]
        prompt = self.rules.prompts.get(name)
        head = sentence(self.phrases.words(prompt, known)) if prompt is not None else ""
        times = {"until_done": "As often as you like:", "at_least_once": "At least once:"}.get(menu.times, "")
        if menu.times in ("up_to", "exactly") and menu.count is not None:
            times = sentence(f"{menu.times.replace('_', ' ')} {self.phrases.said(menu.count, known)} times")
        elsewhere = any(own.board for own in self.rules.menus.get(name, []))
        more = "More options stand with the boards." if elsewhere and options else "What can be done stands with each board." if elsewhere else ""
        cell = ink(" ".join(filter(None, [head, more, times or ("" if head else "One of:")])))
        again = name in self.seen and bool(options)
        self.seen.add(name)
        yield Item((*cell, *ink(" The same options as above." if again else "")), () if again else tuple(self.item(own) for own in options))
        if menu.otherwise is not None:
            yield from self._blocks((menu.otherwise,), known)
