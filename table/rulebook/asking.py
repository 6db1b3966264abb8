"""What a rule asks, in sentences: choices, what one may do, and menus with their options."""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.dsl.syntax import tree as t
from ichiba.table.rulebook.blocks import Item, emphatic, told
from ichiba.table.rulebook.gathered import Own, menu_name
from ichiba.table.rulebook.options import Limit, Options, plain_item
from ichiba.table.scene.phrases import Known
from ichiba.table.scene.spelling import FAINT, Cell, ink, joined

MOMENTS = {"before": "Before this", "after": "After this", "instead_of": "Instead of this"}
BAGS = {
    "least": "at least {number}", "most": "at most {number}", "steps": "in steps of {number}", "different": "all different",
    "worth": "worth at least {number}", "worth_most": "worth at most {number}",
}  # fmt: skip
TIMES = {"until_done": "As often as you like:", "at_least_once": "At least once:", "up_to": "Up to {number} times:", "exactly": "{number} times:"}


class Asking:
    """Says the questions of one game."""

    def __init__(self, options: Options):
        self.options, self.phrases, self.frame, self.rules = options, options.phrases, options.frame, options.rules
        self.game, self.binders = options.game, options.binders
        self.told: set[str] = set()  # rules with a moment of their own
        self.inline: set[int] = set()  # options that were told with the rule that asks them
        self.seen: set[str] = set()  # menus of the rule that is being told: their options are listed once

    def option(self, own: Own, around: Known | None = None) -> Item:
        """An option with what it asks further."""
        cell, known = self.options.words(own, around)
        assert isinstance(own.item, t.Option)
        return Item(cell, (*self.asked(own.item.body, known), *self.moments(f"{own.path.rpartition('.')[2]}.{own.item.name}")))

    def moments(self, name: str) -> Iterator[Item]:
        """Rules that stand before, after or instead of a procedure or an option."""
        for moment, head in MOMENTS.items():
            for own in self.rules.moments.get((moment, name), []):
                if not own.board:
                    yield self.rule(own, self.frame(head))

    def rule(self, own: Own, head: str = "") -> Item:
        """A rule with a moment of its own, in its sentence; of one without, what it is called."""
        rule = own.item
        assert isinstance(rule, t.Rule)
        self.told.add(rule.name)
        known: Known = self._named_by(rule.moment)
        if rule.binder is not None:
            known = {**known, **self.binders.of_binder(rule.binder.name, rule.binder.domain)}
        words = self.options.sentence(own, known) or told(ink(self.options.heading(rule.name)))
        cell = joined([ink(f"{head}:", FAINT) if head else (), words], " ") if head else words
        return Item((*cell, *self.options.marked(own)), tuple(self.asked(rule.body, known)))

    def _named_by(self, moment: t.Moment) -> Known:
        """What the things are that its moment is about: of the kinds that the procedure says, in the same order."""
        procedure = self.rules.procedures.get((moment.path or "").rpartition(".")[2])
        declared = procedure.item.params if procedure is not None and isinstance(procedure.item, t.Procedure) else ()
        plain = self.binders.of_params(tuple(t.Param(moment.span, name, None) for name in moment.names))
        return {**plain, **dict(zip(moment.names, self.binders.of_params(declared).values(), strict=False))}

    def asked(self, body: t.Block, known: Known) -> Iterator[Item]:
        """Choices within an option or a rule, and the menus it opens, in their order."""
        for statement in body.body:
            yield from self._statement(statement, known)

    def _statement(self, statement: t.Statement, known: Known) -> Iterator[Item]:
        match statement:
            case t.ChooseOne(name=name, domain=domain, ask=ask, body=inner, otherwise=otherwise):
                yield self._choice(ask, name, known)
                yield from self._blocks((inner, otherwise), {**known, **self.binders.of_binder(name, domain)})
            case t.ChooseNumber(name=name, ask=ask, body=inner, otherwise=otherwise):
                yield self._choice(ask, name, known, self._span(statement, known))
                yield from self._blocks((inner, otherwise), known)
            case t.ChooseSome(name=name, ask=ask, body=inner, otherwise=otherwise):
                yield self._choice(ask, name, known, self._lot(statement, known))
                yield from self._blocks((inner, otherwise), known)
            case t.Secretly(name=name, seats=seats, body=inner):
                yield plain_item(self._who_secretly(seats), tuple(self.asked(inner, {**known, name: self.binders.player})))
            case t.AsSeat(seat=seat, body=inner):
                found = tuple(self.asked(inner, known))
                if found:
                    yield plain_item(self._asked_is(seat, known), found)
            case t.May():
                yield self._may(statement, known)
            case t.Menu():
                yield from self.menu(statement, known)
            case t.Race(menu=name, body=inner, otherwise=otherwise):
                listed = self.rules.menus.get(name) or [Own(one, path=name) for one in inner.options]
                yield plain_item(self.frame("Whoever is first:"), tuple(self.option(own, known) for own in listed))
                yield from self._blocks((otherwise,), known)
            case t.If(branches=branches, otherwise=otherwise):
                yield from self._blocks((*(inner for _, inner in branches), otherwise), known)
            case t.ForEach(binder=binder, body=inner):
                yield from self._blocks((inner,), {**known, **self.binders.of_binder(binder.name, binder.domain)})
            case t.Repeat(body=inner) | t.TakeTurns(body=inner) | t.OneTurnEach(body=inner) | t.ScoreFor(body=inner):
                yield from self._blocks((inner,), known)
            case _:
                return

    def _asked_is(self, seat: t.Expr, known: Known) -> str:
        """`The bidder is asked:`; what has no better name than a letter, or its kind, is that player."""
        who = None
        if isinstance(seat, t.Name):
            own = known.get(seat.name, seat.name)
            who = self.phrases.said(seat, known) if len(own) > 1 and own != self.binders.player else self.frame("that player")
        said = self.frame("{player} is asked:", player=who) if who else self.frame("Another player is asked:")
        return said[0].upper() + said[1:]

    def _blocks(self, blocks: tuple[t.Block | None, ...], known: Known) -> Iterator[Item]:
        for block in blocks:
            if block is None:
                continue
            if block.doc is not None:
                yield Item(self.options.nested(block.doc, known))
            yield from self.asked(block, known)

    # ------------------------------------------------------------------------------------------- choices

    def _choice(self, ask: t.Ask, name: str, known: Known, limits: str = "") -> Item:
        usual = ink(self.frame("Choose: {what}", what=self.options.speller.name(name)))
        words = self.phrases.words(ask.words, known, self.game.text(f"prompt.{name}")) if ask.words is not None else usual
        return Item((*emphatic(told(words)), *(ink(" ") if limits else ()), *told(ink(limits))))

    def _span(self, choice: t.ChooseNumber, known: Known) -> str:
        """`From ¥0 to ¥5,000 in steps of ¥100`; nothing where one end has no phrase."""
        low, high = self.phrases.said(choice.low, known), self.phrases.said(choice.high, known)
        if low is None or high is None:
            return ""
        step = self.phrases.said(choice.step, known) if choice.step is not None else None
        words = self.frame("from {low} to {high}", low=low, high=high)
        return f"{words} {self.frame('in steps of {number}', number=step)}" if step is not None else words

    def _lot(self, choice: t.ChooseSome, known: Known) -> str:
        """`From your tokens, worth at least 2 R, all different`."""
        said = self.phrases.said(choice.domain, known)
        told = [self.frame("from {place}", place=said)] if said is not None else []
        numbers = {word.what: self.phrases.said(word.arg, known) if word.arg is not None else "" for word in choice.words}
        if numbers.get("least") is not None and numbers.get("least") == numbers.get("most"):
            told.append(self.frame("exactly {number}", number=numbers["least"]))
            numbers.pop("least"), numbers.pop("most")
        told += [self.frame(BAGS[what], number=number) for what, number in numbers.items() if number is not None]
        return ", ".join(told)

    def _who_secretly(self, seats: t.Expr) -> str:
        who = {"seats": "all players", "others": "all other players"}.get(seats.name if isinstance(seats, t.Name) else "", "all who take part")
        return self.frame("In secret, and at the same time: {players}", players=self.frame(who))

    def _may(self, may: t.May, known: Known) -> Item:
        own = Own(t.Option(may.span, may.name, may.ask, (), None, None, None, (), may.body))
        name = ink(self.options.speller.name(may.name))
        words = self.phrases.words(may.ask.words, known, self.game.text(f"prompt.{may.name}")) if may.ask.words is not None else name
        cells: list[Cell] = [emphatic(told((*ink(self.frame("You may:") + " "), *words)))]
        if may.body.doc is not None:
            cells.append(self.options.nested(may.body.doc, known))
        if may.cost is not None:
            cost, given = self.options.looked_up(may.cost, known)
            cells.append(told(ink(self.frame("Costs {cost}", cost=self.phrases.cost(cost, given)))))
        limits: list[Limit] = list(self.options.condition(may.when, known, own)) if may.when is not None else []
        return Item(joined([*cells, *self.options.together(limits)], " "), tuple(self.asked(may.body, known)))

    # ------------------------------------------------------------------------------------------- menus

    def menu(self, menu: t.Menu, known: Known) -> Iterator[Item]:
        """A menu with its options, once in a rule. Those that boards bring stand with the boards."""
        name = menu_name(menu)
        written = menu.body.options if menu.body is not None else ()
        options = [own for own in self.rules.menus.get(name, []) if not own.board or own.item in written]
        self.inline |= {id(own.item) for own in options}
        again = name in self.seen and bool(options)
        self.seen.add(name)
        if not again and self.rules.menus.get(name):  # without any option nobody is asked
            heads = [self._prompt(name, known), *self.elsewhere(name, options), self._times(menu, known)]
            shown = [cell for cell in heads if cell] or [ink(self.frame("One of:"))]
            yield Item(joined(shown, " "), tuple(self.option(own, known) for own in options))
        yield from self._blocks((menu.otherwise,), known)

    def _prompt(self, name: str, known: Known) -> Cell:
        prompt, other = self.rules.prompts.get(name), self.game.text(f"prompt.{name}")
        if prompt is not None:
            return told(self.phrases.words(prompt, known, other))
        return told(ink(other or ""))

    def elsewhere(self, name: str, here: list[Own]) -> list[Cell]:
        if not any(own.board and own not in here for own in self.rules.menus.get(name, [])):
            return []
        return [ink(self.frame("More options stand with the boards." if here else "What can be done stands with each board."))]

    def _times(self, menu: t.Menu, known: Known) -> Cell:
        words = TIMES.get(menu.times, "")
        number = self.phrases.said(menu.count, known) if menu.count is not None else None
        if not words or "{" in words and number is None:
            return ()
        return ink(self.frame(words, number=number))
