"""The rulebook of a game as blocks: what is in the box, setup, play, boards, scoring, choices, and where every number comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ichiba.dsl.syntax import tree as t
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.yaml.declarations import Fact as Declared
from ichiba.dsl.yaml.declarations import Title
from ichiba.table.rulebook.assumed import assumptions_of
from ichiba.table.rulebook.blocks import Block, Heading, Item, Listing, Paragraph, Picture, Rows, plain, sentence
from ichiba.table.rulebook.course import Course, when
from ichiba.table.rulebook.gathered import Gathered, Own, gathered
from ichiba.table.rulebook.options import Options
from ichiba.table.scene.boards import BoardCard
from ichiba.table.scene.cards import in_language
from ichiba.table.scene.spelling import FAINT, Cell, ink, joined
from ichiba.table.svg.cards import board
from ichiba.table.svg.gallery import Gallery

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game


MOST_COLUMNS, MOST_VALUES = 8, 24  # of a table; of a list of values


class Book:
    """Writes the rulebook of one game."""

    def __init__(self, game: Game):
        self.game, self.world, self.gallery = game, game.world, Gallery(game)
        self.speller = self.gallery.director.speller
        self.rules: Gathered = gathered(game)
        self.options = Options(game, self.speller, self.rules)
        self.course = Course(self.options, self.rules)
        self.title = self.gallery.title

    def blocks(self) -> list[Block]:
        """Every chapter that has something to say."""
        found: list[Block] = [*self._opening()]
        chapters = (
            ("What is in the box", self._components()), ("Setup", self._setup()), ("Play", self._play()), ("Boards", self._boards()),
            ("Pictures", self._pictures()), ("End and scoring", self._scoring()), ("How things are reckoned", self._reckoned()),
            ("Choices before the game", self._choices()), ("Modules and variants", self._parts()), ("Numbers", self._numbers()),
            ("Assumptions", self._assumed()), ("Sources", self._sources()),
        )  # fmt: skip
        for title, blocks in chapters:
            inside = list(blocks)
            if inside:
                found += [Heading(2, title, title.lower().replace(" ", "-")), *inside]
        return found

    def _words(self, title: Title) -> str:
        return in_language(title, self.game.lang)

    # ------------------------------------------------------------------------------------------- the lid

    def _opening(self) -> Iterator[Block]:
        box, config = self.game.box, self.game.config
        yield Heading(1, self.title, "top")
        about = self.game.text("about") or self._words(box.about)
        if about:
            yield plain(about)
        low, high = box.seats
        told = f"For {low} to {high} players" if low != high else f"For {low} player{'s' if low > 1 else ''}"
        yield plain(f"{told}. Numbers that hang on how many play are those for {config.seats}, unless all are told.")
        on = [self.options.modules.get(name, name) for name in config.parts]
        if on:
            yield plain(f"With {', '.join(on)}. What comes from there has its name in brackets.")

    # ------------------------------------------------------------------------------------------- components

    def _components(self) -> Iterator[Block]:
        rows: list[tuple[Cell, ...]] = []
        families: dict[str, dict[Cell, None]] = {}  # what each player has is told once
        totals: dict[str, int] = {}
        for piece in self.gallery.pieces():
            sign = (*piece.sign, *ink(" ")) if piece.sign else ()
            told = (*sign, *ink(f"{piece.name} × {piece.count}"), *ink(" for each" if piece.owner else ""))
            families.setdefault(piece.family, {})[told] = None
            totals[piece.family] = totals.get(piece.family, 0) + piece.count
        rows += [(ink(f"{totals[name]}"), ink(name), joined(list(cells), ", ")) for name, cells in families.items()]
        kinds: dict[str, list[str]] = {}
        for thing in self.world.things:
            if self.world.kinds[thing.kind].root != "piece":
                kinds.setdefault(thing.kind, []).append(self.speller.thing_words(thing))
        rows += [(ink(str(len(names))), ink(self.options.binders.kind(kind)), ink(self._named(kind, names))) for kind, names in kinds.items()]
        if rows:
            yield Rows(("number", "what", "which"), tuple(rows), f"for {self.game.seats} players")

    def _named(self, kind: str, names: list[str]) -> str:
        """All of them, but for connections, which the map shows."""
        return "" if self.world.kinds[kind].root == "edge" else ", ".join(names)

    # ------------------------------------------------------------------------------------------- setup

    def _setup(self) -> Iterator[Block]:
        yield from self.course.chapter("setup")
        for kind, own in self.rules.setups:
            assert isinstance(own.item, t.Procedure)
            if own.item.body.doc is not None:
                words = sentence(self.options.phrases.words(own.item.body.doc))
                yield Paragraph((*ink(f"{sentence(kind.replace('_', ' ')).rstrip('.')}: ", "bold"), *ink(words), *self.options.marked(own)))
        by_seats = [fact for fact in self.game.box.tables if fact.index[:1] == ("seats",)]
        counts = self.game.box.seats
        heads = tuple(f"{n} players" for n in range(counts[0], counts[1] + 1))
        rows = [(ink(self.speller.name(fact.name)), *(ink(_at(fact, n)) for n in range(counts[0], counts[1] + 1))) for fact in by_seats]
        for piece in self.game.box.pieces:
            if piece.number is not None and (by := _by_number(piece.number)):
                rows.append((ink(self.speller.name(piece.name)), *(ink(by.get(n, "")) for n in range(counts[0], counts[1] + 1))))
        if rows:
            yield Rows(("", *heads), tuple(rows), "by the number of players")
        starts = [
            (ink(self.speller.name(member.name)), ink(self._start(member.start)))
            for member in self.world.seat.values() if member.start is not None and not member.internal and member.form in ("purse", "counter")
        ]  # fmt: skip
        if starts:
            yield Rows(("each player begins with", ""), tuple(starts))

    def _start(self, exp: t.Expr) -> str:
        return self.options.phrases.said(exp)

    # ------------------------------------------------------------------------------------------- play

    def _play(self) -> Iterator[Block]:
        yield from self.course.chapter("play")
        for name, window in self.rules.windows.items():
            options = [own for own in self.rules.menus.get(name, []) if not own.board]
            yield Heading(3, sentence(name.replace("_", " ")).rstrip("."), f"window-{name}")
            if window.body.doc is not None:
                yield plain(sentence(self.options.phrases.words(window.body.doc)))
            if options:
                yield Listing(tuple(self.options.item(own) for own in options))
            for own in options:
                assert isinstance(own.item, t.Option)
                for node in t.walk(own.item.body):
                    if isinstance(node, t.Do) and isinstance(node.call, t.Call | t.Name):
                        called = node.call.what if isinstance(node.call, t.Call) else node.call
                        yield from self.course.chapter(called.name if isinstance(called, t.Name) else "")
        triggers = [self.course.rule(own) for own in self.rules.triggers if not own.board]
        if triggers:
            yield Heading(3, "As soon as it is so", "triggers")
            yield Listing(tuple(triggers))
        for name, own in self.rules.procedures.items():  # what only boards and things perform
            if not own.board:
                yield from self.course.chapter(name)

    # ------------------------------------------------------------------------------------------- boards

    def _boards(self) -> Iterator[Block]:
        for card in self.gallery.cards():
            thing = next(one for one in self.world.things if one.name == card.name)
            home = f"{self.options.modules.get(thing.home, thing.home)}" if thing.home else ""
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
                if own.board == card.name:
                    yield self.options.item(own)
        for own in self.rules.of_board[card.name]:
            match own.item:
                case t.Rule(moment=moment):
                    yield self.course.rule(own, when(moment))
                case t.Procedure(body=t.Block(doc=doc), params=params, main=main) if doc is not None:
                    words = ("Setup: " if main else "") + sentence(self.options.phrases.words(doc, self.options.binders.of_params(params)))
                    yield Item((*ink(words), *self.options.marked(own)), tuple(self.options.asked(own.item.body, {})))
                case t.Value(doc=doc) | t.ValueCase(doc=doc) if doc is not None:
                    yield Item((*ink(sentence(self.options.phrases.words(doc))), *self.options.marked(own)))
                case _:
                    pass

    def _pictures(self) -> Iterator[Block]:
        """Maps, grids and tracks."""
        boards = {card.name for card in self.gallery.cards()}
        for drawn in self.gallery.printed():
            if drawn.name not in boards:
                yield Heading(3, sentence(drawn.title).rstrip("."), f"picture-{drawn.name}")
                yield Picture(drawn.panel, drawn.title)

    # ------------------------------------------------------------------------------------------- scoring

    def _scoring(self) -> Iterator[Block]:
        for own in self.rules.scoring:
            assert isinstance(own.item, t.Scoring)
            body = own.item.body
            if body.doc is not None:
                yield Paragraph((*ink(sentence(self.options.phrases.words(body.doc))), *self.options.marked(own)))
            lines = [Item(self._score(node, own)) for node in sorted(t.walk(body), key=lambda node: node.span.start) if isinstance(node, t.Score)]
            if lines:
                yield plain("Each player scores:")
                yield Listing(tuple(lines))
        for name in ("scoring",):
            rules = [*self.course.moments(name)]
            if rules:
                yield Listing(tuple(rules))
        for own in self.rules.scoring:
            assert isinstance(own.item, t.Scoring)
            for node in sorted(t.walk(own.item.body), key=lambda node: node.span.start):
                if isinstance(node, t.Do) and isinstance(node.call, t.Name | t.Call):
                    called = node.call if isinstance(node.call, t.Name) else node.call.what
                    yield from self.course.chapter(called.name if isinstance(called, t.Name) else "")
        if self.rules.ranking is not None and isinstance(self.rules.ranking.item, t.Ranking):
            keys = [f"the {key.direction} {self.options.phrases.said(key.key).removeprefix('the ')}" for key in self.rules.ranking.item.keys]
            words = sentence(f"First is who has {', then '.join(keys)}; else the place is shared")
            yield Paragraph((*ink(words), *self.options.marked(self.rules.ranking)))
        titles = (self.game.text(f"ending.{name}") or self._words(title) for name, title in self.game.box.endings.items())
        endings = [Item(ink(sentence(title))) for title in titles]
        if endings:
            yield plain("How the game can end:")
            yield Listing(tuple(endings))

    def _score(self, score: t.Score, own: Own) -> Cell:
        known: dict[str, str] = {}
        for node in t.walk(own.item):
            if isinstance(node, t.ForEach):
                known |= self.options.binders.of_binder(node.binder.name, node.binder.domain)
        value = score.value
        called = value.what if isinstance(value, t.Call) else value
        function = self.rules.values.get(called.name) if isinstance(called, t.Name) else None
        doc = function.item.doc if function is not None and isinstance(function.item, t.Value) else None
        words = sentence(self.options.phrases.words(doc)) if doc is not None else sentence(self.options.phrases.said(value, known))
        return (*ink(f"{self.options.phrases.words(score.label, known)}: ", "bold"), *ink(words))

    def _reckoned(self) -> Iterator[Block]:
        """Values with a sentence of their own."""
        items = []
        for name, own in self.rules.values.items():
            doc = own.item.doc if isinstance(own.item, t.Value | t.ValueCase) else None
            if doc is not None and not own.board:
                words = sentence(self.options.phrases.words(doc))
                items.append(Item((*ink(f"{sentence(name.replace('_', ' ')).rstrip('.')}: ", "bold"), *ink(words), *self.options.marked(own))))
        if items:
            yield Listing(tuple(items))

    # ------------------------------------------------------------------------------------------- choices

    def _choices(self) -> Iterator[Block]:
        rows = []
        for option in self.game.box.options:
            value, kind = self.world.options[option.name]
            if isinstance(value, tuple):
                chosen = ", ".join(map(str, value))
            else:
                chosen = "random" if value == -1 else self.game.words.show(int(str(value)), kind)
            title = self.game.text(f"option.{option.name}") or self._words(option.title) or self.speller.name(option.name)
            rows.append((ink(title), ink(chosen or "–"), ink(option.name, FAINT)))
        if rows:
            yield Rows(("choice", "here", "name"), tuple(rows))
        told = [Item(ink(sentence(f"Refused: {one.because}"))) for one in self.game.box.refusals]
        if told:
            yield Listing(tuple(told))

    def _parts(self) -> Iterator[Block]:
        """What is switched on says what it is; what could be, that it is there."""
        on = set(self.game.config.parts)
        for name, file in self.game.box.modules.items():
            if name in on:
                title = self.game.text(f"{file.what}.{name}") or self._words(file.title) or name
                yield Heading(3, title, f"part-{name}", f"{file.what}, switched on")
                about = self._words(file.about)
                if about:
                    yield plain(sentence(about))
                changes = self._changes_of(name)
                if changes:
                    yield Listing(tuple(changes))
        others = sorted(name for name in self.game.box.off if name not in on)
        if others:
            yield plain("There are more, which are off here: " + ", ".join(name.replace("_", " ") for name in others) + ".")

    def _changes_of(self, name: str) -> list[Item]:
        """The rules of the game in whose place a module has its own."""
        groups = (self.rules.procedures, self.rules.values, self.rules.guards)
        found = [rule for group in groups for rule, own in group.items() if own.home == name and own.replaced]
        return [Item(ink(sentence(f"Has its own rule for: {rule.replace('_', ' ')}"))) for rule in found]

    # ------------------------------------------------------------------------------------------- numbers

    def _numbers(self) -> Iterator[Block]:
        rows = []
        for fact in self.game.box.numbers:
            if fact.name in self.world.numbers:
                value, kind = self.world.numbers[fact.name]
                rows.append((ink(self.speller.name(fact.name)), ink(self.game.words.show(value, kind)), ink(_whence(fact), FAINT)))
        if rows:
            yield Rows(("what", "how many", "where it comes from"), tuple(rows))
        for fact in self.game.box.tables:
            table = self.world.tables.get(fact.name)
            if table is not None and table.rows:
                yield from self._table(fact, table.rows, table.kind)

    def _table(self, fact: Declared, rows: dict[tuple[int, ...], int], kind: Kind) -> Iterator[Block]:
        """One index: a row of values; several: a row for each value of the first ones. A long row is told as a list."""
        columns = sorted({key[-1] for key in rows})
        whence = ". ".join(filter(None, [sentence(self.speller.name(fact.name)).rstrip("."), _whence(fact)]))
        if len(columns) > MOST_COLUMNS:
            values = [f"{key[-1]}: {self._value(value, kind)}" for key, value in sorted(rows.items())]
            then = f"; then {fact.then.span.text}" if fact.then is not None else ""
            yield Paragraph(ink(whence, FAINT))
            yield plain(" · ".join(values[:MOST_VALUES]) + (" …" if len(values) > MOST_VALUES else "") + then)
            return
        firsts = sorted({key[:-1] for key in rows})
        heads = (" · ".join(map(self.speller.name, fact.index)), *map(str, columns))
        told = [(ink(" · ".join(map(str, first))), *(ink(self._value(rows.get((*first, one)), kind)) for one in columns)) for first in firsts]
        yield Rows(heads, tuple(told), whence)

    def _value(self, value: int | None, kind: Kind) -> str:
        return "" if value is None else self.game.words.show(value, kind)

    def _assumed(self) -> Iterator[Block]:
        items = []
        for one in assumptions_of(self.game):
            covers = one["covers"]
            assert isinstance(covers, list)
            told = tuple(Item(ink(f"{cover['what']} {str(cover['name']).replace('_', ' ')}: {cover['value']}")) for cover in covers)
            items.append(Item((*ink(f"{one['id']} ", "bold"), *ink(sentence(str(one["why"])))), told))
        if items:
            yield plain("No source gives these numbers. They can be chosen otherwise.")
            yield Listing(tuple(items))

    def _sources(self) -> Iterator[Block]:
        boards = [board.source for board in self.game.box.boards if board.source]
        found = dict.fromkeys([source for source in (self.game.box.source, *boards) if source])
        if found:
            yield Listing(tuple(Item(ink(sentence(source))) for source in found))


def _whence(fact: Declared) -> str:
    return "; ".join(filter(None, [fact.source, fact.assumption, fact.why]))


def _by_number(node: object) -> dict[int, str]:
    """`{2: 9, 3: 12}`, as it is written."""
    from ichiba.dsl.yaml.reading import Map, Scalar

    if not isinstance(node, Map):
        return {}
    return {int(str(key.value)): value.span.text for key, value in node.entries if isinstance(value, Scalar) and str(key.value).isdigit()}


def _at(fact: Declared, seats: int) -> str:
    """What a table says for so many players, as it is written."""
    from ichiba.dsl.yaml.reading import Map

    if not isinstance(fact.value, Map):
        return ""
    return next((" ".join(value.span.text.split()).strip("[]") for key, value in fact.value.entries if str(key.value) == str(seats)), "")
