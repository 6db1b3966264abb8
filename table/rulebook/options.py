"""A decision in sentences: what can be done, what it costs, when it cannot be done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from ichiba.dsl.program.sentences import key_of, sentence_of
from ichiba.dsl.program.texts import refused_key
from ichiba.dsl.syntax import tree as t
from ichiba.table.rulebook.blocks import Item, emphatic, told
from ichiba.table.rulebook.gathered import Binders, Gathered, Own
from ichiba.table.scene.frame import ENGLISH, Frame
from ichiba.table.scene.phrases import Known, Phrases
from ichiba.table.scene.spelling import FAINT, Cell, Speller, ink, joined, words_of

if TYPE_CHECKING:
    from ichiba.dsl.faults.source import Span
    from ichiba.interpreter.run.game import Game

_BROKEN = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])[ \t]*\n[ \t]*(?=[\u3000-\u9fff\uff00-\uffef\d「（])")  # a line that ends in such a script

# what a condition comes to: what must hold, what one is told when it does not, or a sentence about both
Limit = tuple[Literal["only", "refused", "sentence"], Cell]


class Options:
    """Says the options of one game. What neither a sentence nor a phrase says is kept in `unsaid`."""

    def __init__(self, game: Game, speller: Speller, rules: Gathered):
        self.game, self.speller, self.rules = game, speller, rules
        self.frame = Frame(game.lang)
        self.phrases, self.binders = Phrases(game, speller, self.frame), Binders(game, speller)
        self.modules = {name: file.title.get(game.lang) or file.title.get("en") or speller.name(name) for name, file in game.box.modules.items()}
        self.unsaid: dict[str, Span] = {}
        self.said: set[str] = set()  # sentences that the book tells, by their keys
        self.foreign: set[str] = set()  # those of them that the language of the game has no words for

    # ------------------------------------------------------------------------------------------- sentences

    def sentence(self, own: Own, known: Known | None = None) -> Cell:
        """What stands below a heading, or what the texts of the language have in its place."""
        text = sentence_of(own.item)
        other = self.in_language(own.key, text is not None)
        if text is not None:
            return told(self.phrases.words(text, known, other))
        return told(ink(other)) if other else ()

    def nested(self, text: t.Text, known: Known) -> Cell:
        """A sentence further down in a rule."""
        return told(self.phrases.words(text, known, self.in_language(self.rules.nested.get(id(text), ""), True)))

    def in_language(self, key: str, there: bool) -> str | None:
        """What the texts say under a key; kept in mind when it is in English, in the rules (`there`) or in `texts/en.yaml`, and not in the
        language of the game."""
        found = self.text(key)
        if found or there and found is None:
            self.said.add(key)
            if self.game.lang != ENGLISH and key not in self.game.own_texts:
                self.foreign.add(key)
        return found

    def text(self, key: str) -> str | None:
        """What the texts say, on one line; scripts without spaces between words need none where a line ends."""
        found = self.game.text(key)
        return " ".join(_BROKEN.sub("", found).split()) if found is not None else None

    def heading(self, name: str) -> str:
        """What the book calls a rule."""
        return self.game.text(f"heading.{name}") or words_of(told(ink(self.speller.name(name)))).rstrip(".")

    def mark(self, own: Own) -> str:
        """`Expansion`; `Expansion, in place of the game's own`."""
        if not own.home or own.home.startswith("library"):
            return ""
        name = self.modules.get(own.home, self.speller.name(own.home))
        return self.frame("{module}, in place of the game's own", module=name) if own.replaced else name

    def marked(self, own: Own) -> Cell:
        mark = self.mark(own)
        return ink(f" [{mark}]", FAINT) if mark else ()

    # ------------------------------------------------------------------------------------------- one option

    def words(self, own: Own, around: Known | None = None) -> tuple[Cell, Known]:
        """`Buy boat, side port`: its label, sentence, cost, limits; and what its names stand for, besides those around it."""
        option = own.item
        assert isinstance(option, t.Option)
        known: Known = {**(around or {}), **self.binders.of_option(option)}
        parts = [emphatic(told(self.label(option, own, known))), doc := self.sentence(own, known)]
        if option.cost is not None:
            parts.append(told(ink(self._cost(option.cost, known, bool(doc), own))))
        if option.once_per is not None:
            parts.append(told(ink(self.frame("Once per {time}", time=self.speller.name(option.once_per)))))
        parts += self.limits(option, own, known, bool(doc))
        return (*joined([part for part in parts if part], " "), *self.marked(own)), known

    def label(self, option: t.Option, own: Own, known: Known) -> Cell:
        """In the language of the game, where that has words for it."""
        if option.ask.words is None:
            return ink(self.speller.name(option.name))
        homes = [f"{whose}.{own.path}" for whose in (own.board, own.kind) if whose]
        paths = [*homes, own.path.rpartition(".")[2], own.path]
        other = next(filter(None, (self.game.text(f"menu.{path}.{option.name}") for path in paths if path)), None)
        return self.phrases.words(option.ask.words, known, other)

    def _cost(self, cost: t.Cost, known: Known, told_already: bool, own: Own) -> str:
        """`Costs 1 card from your hand`; nothing where only the option's own sentence can say it."""
        if other := self._named_cost(cost):
            return self.frame("Costs {cost}", cost=other)
        cost, known = self.looked_up(cost, known)
        whole = self.phrases.whole_cost(cost, known)
        if whole is None and told_already:
            return ""
        if whole is None:
            self.cannot_say(own)
        return self.frame("Costs {cost}", cost=whole or self.phrases.cost(cost, known))

    def _named_cost(self, cost: t.Cost) -> str | None:
        """What the texts say of a cost with a name of its own: `rule.fare`."""
        match cost.ways:
            case (t.CostWay(items=(t.CostItem(what=t.Call(what=t.Name(name=name))),)),) if name in self.rules.costs:
                return self.text(key_of(self.rules.costs[name]))
            case _:
                return None

    def looked_up(self, cost: t.Cost, known: Known) -> tuple[t.Cost, Known]:
        """A cost with a name of its own stands for what is written there."""
        match cost.ways:
            case (t.CostWay(items=(t.CostItem(what=t.Call(what=t.Name(name=name), args=args)),)),) if name in self.rules.costs:
                rule = self.rules.costs[name]
                given = {param.name: said for param, arg in zip(rule.params or (), args, strict=False) if (said := self.phrases.said(arg, known))}
                return rule.cost, {**known, **given}
            case _:
                return cost, known

    def cannot_say(self, own: Own) -> None:
        self.unsaid.setdefault(own.key, own.item.span)

    # ------------------------------------------------------------------------------------------- limits

    def limits(self, option: t.Option, own: Own, known: Known, told_already: bool) -> list[Cell]:
        """What guards say of it, `Only if …`, and what is refused, in the order in which it is looked at. An option with a sentence of its
        own says there what must hold: put together by a machine the same would read worse."""
        conditions = [binder.where for binder in option.binders if binder.where is not None]
        conditions += [option.when] if option.when is not None else []
        found = [limit for condition in conditions for limit in self.condition(condition, known, None if told_already else own)]
        requires = [one for one in option.body.body if isinstance(one, t.Require)]
        found += [limit for one in (*requires, *self._restrictions(option)) for limit in self.required(one, known, None if told_already else own)]
        return self.together([limit for limit in found if limit[0] != "only" or not told_already])

    def together(self, found: list[Limit]) -> list[Cell]:
        """As sentences: each thing that must hold, and what one would be told otherwise."""
        kinds = {head: list(dict.fromkeys(cell for kind, cell in found if kind == head)) for head in ("sentence", "only", "refused")}
        cells = kinds["sentence"]
        if kinds["only"]:
            cells.append(told((*ink(self.frame("Only if") + " "), *joined(kinds["only"], f"; {self.frame('only if')} "))))
        if kinds["refused"]:
            cells.append((*ink(self.frame("Refused:") + " ", FAINT), *told(joined(kinds["refused"], "; "))))
        return cells

    def _restrictions(self, option: t.Option) -> list[t.Require]:
        """What other rules require of it, in the order in which they are looked at."""
        tests = self.binders.tests.get((option.span.source.path, option.span.line), set())
        found = [one for listed in self.rules.restricted.values() for restrict, _ in listed for one in restrict.requires]
        return [one for one in found if (one.span.source.path, one.span.start) in tests]

    def required(self, one: t.Require, known: Known, own: Own | None = None) -> Iterator[Limit]:
        if one.reason is not None:
            yield "refused", self.phrases.words(one.reason, known, self.in_language(refused_key(one.reason.text), True))
        else:
            yield from self.condition(one.condition, known, own)

    def condition(self, exp: t.Expr, known: Known, own: Own | None = None) -> Iterator[Limit]:
        """Of a guard, what it says when it does not hold; of all else, what must hold. `own` has no sentence that could say it."""
        match exp:
            case t.Operation(op="and", args=args):
                for arg in args:
                    yield from self.condition(arg, known, own)
            case t.Name(name=name) if name in self.rules.guards:
                yield from self._guard(name, (), known, own)
            case t.Call(what=t.Name(name=name), args=args) if name in self.rules.guards:
                yield from self._guard(name, args, known, own)
            case _:
                said = self.phrases.holds(exp, known)
                if said is not None:
                    yield "only", ink(said)
                elif own is not None:
                    self.cannot_say(own)

    def _guard(self, name: str, args: tuple[t.Expr, ...], known: Known, own: Own | None) -> Iterator[Limit]:
        """Its sentence, and its reason; one that only joins others says theirs, which say more. What the texts say nothing of (`""`) is
        no matter for people, who know two alike pieces for alike."""
        rule = self.rules.guards[name]
        if self.text(rule.key) == "":
            return
        guard = rule.item
        assert isinstance(guard, t.Guard)
        given = {**known, **self.given(guard, args, known)}
        sentence = self.sentence(rule, given)
        if sentence:
            yield "sentence", sentence
        inner = _worked_out(guard)
        parts = inner.args if isinstance(inner, t.Operation) and inner.op == "and" else ()
        if parts and all(self._has_reason(part) for part in parts):
            for part in parts:
                yield from self.condition(part, given, own)
        elif guard.reason is not None:
            yield "refused", self.phrases.words(guard.reason, given, self.in_language(f"guard.{name}", True))
        elif inner is not None:
            yield from self.condition(inner, given, None if sentence else own)

    def given(self, guard: t.Guard, args: tuple[t.Expr, ...], known: Known) -> Known:
        """What its parameters stand for where it is asked; what has no name there keeps its kind's."""
        own = self.binders.of_params(guard.params)
        return own | {p.name: known[a.name] for p, a in zip(guard.params or (), args, strict=False) if isinstance(a, t.Name) and a.name in known}

    def _has_reason(self, exp: t.Expr) -> bool:
        called = exp.what if isinstance(exp, t.Call) else exp
        guard = self.rules.guards.get(called.name) if isinstance(called, t.Name) else None
        return guard is not None and isinstance(guard.item, t.Guard) and (guard.item.reason is not None or sentence_of(guard.item) is not None)


def _worked_out(guard: t.Guard) -> t.Expr | None:
    """What it comes to, where that is a single expression."""
    if not isinstance(guard.body, t.Block):
        return guard.body
    match guard.body.body:
        case (t.Give() as give,):
            return give.values[0] if len(give.values) == 1 else None
        case _:
            return None


def plain_item(words: str, more: tuple[Item, ...] = ()) -> Item:
    return Item(told(ink(words)), more)
