"""The rulebook of a game as blocks: what is in the box, setup, play, boards, scoring, choices, and where every number comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ichiba.dsl.program.texts import score_key
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.plurals import plural
from ichiba.interpreter.sight.figures import field_of
from ichiba.table.rulebook.asking import Asking
from ichiba.table.rulebook.blocks import (
    Block,
    Heading,
    Item,
    Listing,
    Paragraph,
    Picture,
    Rows,
    emphatic,
    plain,
    sentence,
    told,
)
from ichiba.table.rulebook.contents import Contents
from ichiba.table.rulebook.course import Course
from ichiba.table.rulebook.gathered import Gathered, Own, gathered, own_rules
from ichiba.table.rulebook.numbers import Numbers
from ichiba.table.rulebook.options import Options
from ichiba.table.scene.boards import BoardCard
from ichiba.table.scene.cards import in_language
from ichiba.table.scene.spelling import HOLE, Cell, ink, joined, words_of
from ichiba.table.svg.cards import board
from ichiba.table.svg.gallery import Gallery

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game


class Book:
    """Writes the rulebook of one game."""

    def __init__(self, game: Game):
        self.game, self.world, self.gallery = game, game.world, Gallery(game)
        self.speller = self.gallery.director.speller
        self.rules: Gathered = gathered(game)
        self.options = Options(game, self.speller, self.rules)
        self.frame = self.options.frame
        self.asking = Asking(self.options)
        self.course = Course(self.asking)
        self.numbers = Numbers(self.options)
        self.title = self.gallery.title
        self.contents = Contents(game, self.gallery, self.options)
        self.told_in_scoring: set[str] = set()  # values whose sentence stands with a line of the score

    def blocks(self) -> list[Block]:
        """Every chapter that has something to say."""
        found: list[Block] = [*self._opening()]
        chapters = (
            ("What is in the box", self.contents.rows()), ("Setup", self._setup()), ("Play", self._play()), ("Boards", self._boards()),
            ("Pictures", self._pictures()), ("End and scoring", self._scoring()), ("How things are reckoned", self._reckoned()),
            ("Choices before the game", self.numbers.choices()), ("Modules and variants", self._parts()), ("Numbers", self.numbers.numbers()),
            ("Assumptions", self.numbers.assumed()), ("Sources", self.numbers.sources()),
        )  # fmt: skip
        for title, blocks in chapters:
            inside = list(blocks)
            if inside:
                found += [Heading(2, self.frame(title), title.lower().replace(" ", "-")), *inside]
        return found

    def notes(self) -> list[str]:
        """What a reader would stumble over: options that neither a sentence nor a phrase says whole, sentences and the book's own words
        that are not there in the language of the game."""
        self.blocks()
        found = [
            f"{span.source.path}:{span.line}: the book cannot say all that this needs or costs; give it a sentence, here or as `{key}` in texts/"
            for key, span in self.options.unsaid.items()
        ]
        lacking = len(self.options.foreign)
        if lacking:
            found.append(f"{lacking} of the {len(self.options.said)} sentences of this book are not there in `{self.game.lang}`; they are in English")
        if not self.frame.known:
            found.append(f"the book's own words are not there in `{self.game.lang}`; they are in English")
        return found

    # ------------------------------------------------------------------------------------------- the lid

    def _opening(self) -> Iterator[Block]:
        box, config = self.game.box, self.game.config
        yield Heading(1, self.title, "top")
        about = self.game.text("about") or in_language(box.about, self.game.lang)
        if about:
            yield plain(about)
        low, high = box.seats
        counts = "For {low} to {high} players." if low != high else "For {low} players." if low > 1 else "For one player."
        words = self.frame(counts, low=low, high=high)
        if low != high:
            words += " " + self.frame("Numbers that depend on how many play are those for {seats}, unless all are told.", seats=config.seats)
        yield plain(words)
        told = self.frame("stand for what it is at the table. What is refused is told with the reason that the game gives.")
        yield Paragraph((*ink(self.frame("Words in italics"), HOLE), *ink(f" {told}")), quiet=True)
        on = [self.options.modules.get(name, name) for name in config.parts]
        if on:
            yield plain(self.frame("With {modules}. What comes from there has its name in brackets.", modules=", ".join(on)))

    # ------------------------------------------------------------------------------------------- setup and play

    def _setup(self) -> Iterator[Block]:
        yield from self.course.chapter("setup")
        for kind, own in self.rules.setups:
            words = self.options.sentence(own)
            if words:
                name = sentence(self.options.binders.kind(kind)).rstrip(".")
                if self.course.under == "setup":
                    yield Paragraph((*ink(f"{name}: ", "bold"), *words, *self.options.marked(own)))
                else:
                    yield Heading(3, name, f"setup-{kind}", self.options.mark(own))
                    yield Paragraph(words)
                    self.course.under = kind
        yield from self.numbers.by_seats()
        yield from self.numbers.starts()

    def _play(self) -> Iterator[Block]:
        yield from self.course.chapter("play")
        for name, window in self.rules.windows.items():
            options = [own for own in self.rules.menus.get(name, []) if not own.board]
            yield Heading(3, self.options.heading(name), f"window-{name}")
            self.course.under = name
            words = self.options.sentence(Own(window, path=name))
            if words:
                yield Paragraph(joined([words, *self.asking.elsewhere(name, options)], " "))
            if options:
                yield Listing(tuple(map(self.asking.option, options)))
            for own in options:
                assert isinstance(own.item, t.Option)
                for called in self.course.performed(own.item.body):
                    yield from self.course.chapter(called, name)
        triggers = [self.asking.rule(own) for own in self.rules.triggers if not own.board]
        if triggers:
            yield Heading(3, self.frame("At once, whenever it happens"), "triggers")
            self.course.under = "triggers"
            yield Listing(tuple(triggers))
        at_the_end = {name for own in self.rules.scoring if isinstance(own.item, t.Scoring) for name in self.course.all_performed(own.item.body)}
        for name, own in self.rules.procedures.items():  # what only boards and things perform
            if not own.board and name not in at_the_end and name in self.rules.asked:
                yield from self.course.chapter(name, "triggers")
        yield from self._at_other_moments()

    def _at_other_moments(self) -> Iterator[Block]:
        """Rules whose moment has no place of its own in the book."""
        rest = [own for own in own_rules(self.rules) if not own.board and isinstance(own.item, t.Rule) and own.item.name not in self.asking.told]
        items = [self.asking.rule(own, self.course.when(own.item.moment)) for own in rest if isinstance(own.item, t.Rule) and not _of_scoring(own)]
        if items:
            yield Heading(3, self.frame("At other moments"), "other-moments")
            yield Listing(tuple(items))

    # ------------------------------------------------------------------------------------------- boards

    def _boards(self) -> Iterator[Block]:
        for card in self.gallery.cards():
            thing = next(one for one in self.world.things if one.name == card.name)
            home = self.options.modules.get(thing.home, thing.home) if thing.home else ""
            yield Heading(3, card.title, f"board-{card.name}", home)
            yield Picture(board(replace(card, about="")), card.title)
            if card.about:
                yield plain(card.about)
            items = [*self._board_items(card)]
            if items:
                yield Listing(tuple(items))

    def _board_items(self, card: BoardCard) -> Iterator[Item]:
        for menu in self.rules.menus.values():
            for own in menu:
                if own.board == card.name and id(own.item) not in self.asking.inline:
                    yield self.asking.option(own)
        for own in self.rules.of_board[card.name]:
            match own.item:
                case t.Rule(moment=moment):
                    yield self.asking.rule(own, self.course.when(moment))
                case t.Procedure(body=t.Block() as body, params=params, main=main):
                    known = self.options.binders.of_params(params)
                    words = self.options.sentence(own, known)
                    if words:
                        head = ink(self.frame("Setup") + ": ") if main else ()
                        yield Item((*head, *words, *self.options.marked(own)), tuple(self.asking.asked(body, known)))
                case t.Value(name=name) | t.ValueCase(name=name) if name in self.rules.asked:
                    words = self.options.sentence(own)
                    if words:
                        yield Item((*words, *self.options.marked(own)))
                case _:
                    pass

    def _pictures(self) -> Iterator[Block]:
        """Maps, grids and tracks."""
        boards = {card.name for card in self.gallery.cards()}
        for drawn in self.gallery.printed():
            if drawn.name not in boards:
                yield Heading(3, sentence(drawn.title).rstrip("."), f"picture-{drawn.name}")
                yield Picture(drawn.panel, drawn.title, large=self._is_map(drawn.name))
                yield from self._parts_of_map(drawn.name)
        yield from self._neighbours()

    def _is_map(self, kind: str) -> bool:
        return kind in self.world.kinds and self.world.kinds[kind].root == "node"

    def _parts_of_map(self, kind: str) -> Iterator[Block]:
        """To which part of a map each place belongs, where the look says that places belong to parts."""
        look = self.gallery.director.look.sections.get(kind)
        if look is None or not look.within or kind not in self.world.kinds:
            return
        found: dict[int, list[Cell]] = {}
        for place in map(self.world.thing, self.world.kinds[kind].things):
            field = field_of(self.world, place, look.within)
            if field is not None and isinstance(field.raw, int):
                signs = [f" {sign}" for name, sign in look.signs if (flag := field_of(self.world, place, name)) is not None and flag.raw]
                found.setdefault(field.raw, []).append(ink(self.speller.thing_words(place) + "".join(signs)))
        rows = tuple((ink(self.speller.thing_words(self.world.thing(part))), joined(names, ", ")) for part, names in sorted(found.items()))
        if rows:
            yield Rows((self.speller.name(look.within), self.speller.name(plural(kind))), rows)

    def _neighbours(self) -> Iterator[Block]:
        """What things of a kind have to do with others of it, where a rule asks for that: the places next to each place."""
        for name, kind in self.world.kinds.items():
            for field in kind.fields.values():
                of = field.kind.of if field.kind.form == "set" else None
                if of is None or (of.form, of.name) != ("thing", name) or field.name not in self.rules.asked:
                    continue
                told = [(one, others) for one, others in sorted(field.values.items()) if isinstance(others, tuple) and others]
                rows = tuple((ink(self._thing(one)), ink(", ".join(map(self._thing, others)))) for one, others in told)
                if rows:
                    yield Rows((self.options.binders.kind(name), self.speller.name(field.name)), rows)

    def _thing(self, id: int) -> str:
        return self.speller.thing_words(self.world.thing(id))

    # ------------------------------------------------------------------------------------------- scoring

    def _scoring(self) -> Iterator[Block]:
        for own in self.rules.scoring:
            assert isinstance(own.item, t.Scoring)
            words = self.options.sentence(own)
            if words:
                yield Paragraph((*words, *self.options.marked(own)))
            nodes = sorted(t.walk(own.item.body), key=lambda node: node.span.start)
            scores = [node for node in nodes if isinstance(node, t.Score)]
            told_above = all(self._says_it(words, score) for score in scores)
            lines = [] if told_above else [Item(self._score(score, own)) for score in scores]
            if lines:
                yield Paragraph((*ink(self.frame("Each player scores:")), *(() if words else self.options.marked(own))))
                yield Listing(tuple(lines))
        rules = [*self.asking.moments("scoring")]
        if rules:
            yield Listing(tuple(rules))
        for own in self.rules.scoring:
            assert isinstance(own.item, t.Scoring)
            for called in self.course.performed(own.item.body):
                yield from self.course.chapter(called)
        yield from self._ranking()
        titles = (self.game.text(f"ending.{name}") or in_language(title, self.game.lang) for name, title in self.game.box.endings.items())
        endings = [Item(ink(sentence(title))) for title in titles]
        if endings:
            yield plain(self.frame("How the game can end:"))
            yield Listing(tuple(endings))

    def _says_it(self, sentence: Cell, score: t.Score) -> bool:
        """Whether the sentence above names the line already, which scores a fixed number."""
        label = words_of(self.options.phrases.words(score.label, {}, self.game.text(score_key(score.label.text))))
        fixed = isinstance(score.value, t.Int | t.Money) or isinstance(score.value, t.Name) and score.value.name in self.world.numbers
        return fixed and label.casefold() in words_of(sentence).casefold()

    def _score(self, score: t.Score, own: Own) -> Cell:
        known: dict[str, str] = {}
        for node in t.walk(own.item):
            if isinstance(node, t.ForEach):
                known |= self.options.binders.of_binder(node.binder.name, node.binder.domain)
        value = score.value
        called = value.what if isinstance(value, t.Call) else value
        function = self.rules.values.get(called.name) if isinstance(called, t.Name) else None
        words = self.options.sentence(function) if function is not None else ()
        if words and isinstance(called, t.Name):
            self.told_in_scoring.add(called.name)
        if not words:
            words = told(ink(self.options.phrases.said(value, known) or ""))
        if not words:
            self.options.cannot_say(own)
        label = emphatic(self.options.phrases.words(score.label, known, self.game.text(score_key(score.label.text))))
        return (*label, *(*ink(": ", "bold"), *words)) if words else label

    def _ranking(self) -> Iterator[Block]:
        own = self.rules.ranking
        if own is None or not isinstance(own.item, t.Ranking):
            return
        words = self.options.sentence(own)
        if not words:
            if any(self._key(key) is None for key in own.item.keys):
                self.options.cannot_say(own)
            then = f", {self.frame('then')} ".join(self._key(key) or "…" for key in own.item.keys)
            words = told(ink(self.frame("First is who has {keys}; else the place is shared", keys=then)))
        yield Paragraph((*words, *self.options.marked(own)))

    def _key(self, order: t.OrderKey) -> str | None:
        """`the highest total`, `the lowest number of your debts`"""
        total = isinstance(order.key, t.Name) and order.key.name == "total"
        what = self.frame("total") if total else self.options.phrases.said(order.key)
        if what is None:
            return None
        return self.frame("the highest {what}" if order.direction == "highest" else "the lowest {what}", what=what.removeprefix("the "))

    def _reckoned(self) -> Iterator[Block]:
        """Values with a sentence of their own that rules ask for, but for those that the scoring has told already."""
        items = []
        for name, last in self.rules.values.items():
            if name not in self.rules.asked or name in self.told_in_scoring:
                continue
            for own in (*self.rules.extended[name], last):
                words = () if own.board else self.options.sentence(own)
                if words:
                    items.append(Item((*ink(f"{self.options.heading(name)}: ", "bold"), *words, *self.options.marked(own))))
        if items:
            yield Listing(tuple(items))

    # ------------------------------------------------------------------------------------------- modules

    def _parts(self) -> Iterator[Block]:
        """What is switched on says what it is; what could be, that it is there."""
        on = set(self.game.config.parts)
        for name, file in self.game.box.modules.items():
            if name in on:
                title = self.game.text(f"{file.what}.{name}") or in_language(file.title, self.game.lang) or self.speller.name(name)
                yield Heading(3, title, f"part-{name}", self.frame(f"{file.what}, switched on"))
                about = in_language(file.about, self.game.lang)
                changes = self._changes_of(name)
                if about or not changes:
                    yield plain(sentence(about or self.frame("what it says stands where it belongs, with its name in brackets")))
                if changes:
                    yield Listing(tuple(changes))
        others = sorted((name, what) for name, (what, _) in self.game.box.off.items() if name not in on)
        if others:
            names = ", ".join(self.game.text(f"{what}.{name}") or self.speller.name(name) for name, what in others)
            yield plain(self.frame("There are more, which are off here: {names}.", names=names))

    def _changes_of(self, name: str) -> list[Item]:
        """The rules of the game in whose place a module has its own."""
        groups = (self.rules.procedures, self.rules.values, self.rules.guards)
        found = [rule for group in groups for rule, own in group.items() if own.home == name and own.replaced and self.options.sentence(own)]
        return [Item(ink(sentence(self.frame("Has its own rule for: {rule}", rule=self.options.heading(rule))))) for rule in found]


def _of_scoring(own: Own) -> bool:
    """It stands with the scoring."""
    return isinstance(own.item, t.Rule) and own.item.moment.path == "scoring"
