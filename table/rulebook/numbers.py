"""The numbers of the game: by how many play, what everybody begins with, choices, tables, and where each comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ichiba.dsl.faults.fault import Faults
from ichiba.dsl.syntax.parse import parse_expression
from ichiba.dsl.world.kinds import Kind
from ichiba.dsl.world.world import Table
from ichiba.dsl.yaml.declarations import Fact, PieceDecl
from ichiba.dsl.yaml.reading import Map, Scalar, Seq
from ichiba.table.rulebook.assumed import assumptions_of
from ichiba.table.rulebook.blocks import Block, Item, Listing, Paragraph, Rows, plain, sentence
from ichiba.table.rulebook.options import Options
from ichiba.table.scene.cards import in_language
from ichiba.table.scene.spelling import FAINT, Cell, ink

MOST_COLUMNS, MOST_VALUES = 8, 24  # of a table; of a list of values


class Numbers:
    """Tells the numbers of one game."""

    def __init__(self, options: Options):
        self.options, self.game, self.frame, self.speller = options, options.game, options.frame, options.speller
        self.world, self.box = options.game.world, options.game.box

    def by_seats(self) -> Iterator[Block]:
        """What depends on how many play, for each number of players."""
        low, high = self.box.seats
        counts = range(low, high + 1)
        rows: list[tuple[Cell, ...]] = []
        for fact in self.box.tables:
            if fact.index[:1] == ("seats",):
                rows.append((ink(self.speller.name(fact.name)), *(ink(_at(fact, n)) for n in counts)))
        for piece in self.box.pieces:
            if by := _by_number(piece):
                rows.append((ink(self.speller.name(piece.name)), *(ink(self._of_each(piece, by[n]) if n in by else "") for n in counts)))
        if rows:
            heads = tuple(self.frame("{seats} players", seats=n) for n in counts)
            yield Rows(("", *heads), tuple(rows), self.frame("by the number of players"))

    def _of_each(self, piece: PieceDecl, count: str) -> str:
        """`9 of each`, where there are several sorts of it."""
        return self.frame("{count} of each", count=count) if piece.sorts_for or len(piece.items or ()) > 1 else count

    def starts(self) -> Iterator[Block]:
        """What lies in everybody's purses."""
        rows = []
        for member in self.world.seat.values():
            said = self.options.phrases.said(member.start) if member.start is not None and member.form == "purse" else None
            if said is not None:
                rows.append((ink(self.speller.name(member.name)), ink(said)))
        if rows:
            yield Rows((self.frame("each player begins with"), ""), tuple(rows))

    def choices(self) -> Iterator[Block]:
        rows = []
        for option in self.box.options:
            value, kind = self.world.options[option.name]
            if isinstance(value, tuple):
                chosen = ", ".join(self.speller.name(str(one)) for one in value)
            elif value == -1:
                chosen = self.frame("random") if kind.form == "seat" else ""
            else:
                chosen = self._shown(option.name, int(str(value)), kind)
            title = self.game.text(f"option.{option.name}") or in_language(option.title, self.game.lang) or self.speller.name(option.name)
            rows.append((ink(title), ink(chosen[:1].upper() + chosen[1:] or "–")))
        if rows:
            yield Rows((self.frame("choice"), self.frame("here")), tuple(rows))

    def _shown(self, option: str, value: int, kind: Kind) -> str:
        return self.frame("yes" if value else "no") if kind.form == "flag" else self.speller.choice(option, value, kind)

    # ------------------------------------------------------------------------------------------- tables

    def numbers(self) -> Iterator[Block]:
        rows: list[tuple[Cell, ...]] = []
        for fact in self.box.numbers:
            if fact.name in self.world.numbers:
                value, kind = self.world.numbers[fact.name]
                if value == 0 and not (isinstance(fact.value, Scalar) and str(fact.value.value) == "0"):
                    continue  # a module does without
                rows.append((ink(self.speller.name(fact.name)), ink(self.game.words.show(value, kind)), ink(_whence(fact), FAINT)))
        if rows:
            yield Rows(tuple(map(self.frame, ("what", "how many", "where it comes from"))), tuple(rows))
        for fact in self.box.tables:
            table = self.world.tables.get(fact.name)
            if table is not None and table.rows:
                yield from self._table(fact, table)

    def _table(self, fact: Fact, table: Table) -> Iterator[Block]:
        """One index: a row of values; several: a row for each value of the first ones. A long row is told as a list."""
        rows, kind = table.rows, table.kind
        columns = sorted({key[-1] for key in rows})
        whence = ". ".join(filter(None, [sentence(self.speller.name(fact.name)).rstrip("."), _whence(fact)]))
        if len(columns) > MOST_COLUMNS and len(fact.index) < 2:
            yield Paragraph(ink(whence, FAINT), quiet=True)
            yield plain(self._in_a_row(fact, rows, kind))
            return
        firsts = sorted({key[:-1] for key in rows})
        asked = " · ".join(self.frame("players") if name == "seats" else self.speller.name(name) for name in fact.index)
        heads = (asked, *(self._index(table, -1, one) for one in columns))
        told = []
        for first in firsts:
            names = " · ".join(self._index(table, at, one) for at, one in enumerate(first))
            told.append((ink(names), *(ink(self._value(rows.get((*first, one)), kind)) for one in columns)))
        yield Rows(heads, tuple(told), whence)

    def _index(self, table: Table, at: int, value: int) -> str:
        """What an entry is asked with: a number, or what has that number."""
        names = table.names[at] if table.names else ()
        return self.speller.name(names[value - 1]) if names and 1 <= value <= len(names) else str(value)

    def _in_a_row(self, fact: Fact, rows: dict[tuple[int, ...], int], kind: Kind) -> str:
        """`1: 3 · 2: 2; then 0`: as many as are written, or as fit."""
        written = len(fact.value.items) if isinstance(fact.value, Seq) else len(rows)
        shown = sorted(rows.items())[: min(written, MOST_VALUES)]
        values = " · ".join(f"{key[-1]}: {self._value(value, kind)}" for key, value in shown)
        then = self._then(fact)
        more = f"; {self.frame('then')} {then}" if then else " …" if len(shown) < len(rows) else ""
        return values + more

    def _then(self, fact: Fact) -> str:
        """How it goes on, as a formula of the number."""
        if not isinstance(fact.then, Scalar):
            return ""
        exp = parse_expression(fact.then.text, Faults())
        return (self.options.phrases.said(exp, {"n": "n"}) or "…") if exp is not None else "…"

    def _value(self, value: int | None, kind: Kind) -> str:
        return "" if value is None else signed(self.game.words.show(value, kind))

    # ------------------------------------------------------------------------------------------- where they come from

    def assumed(self) -> Iterator[Block]:
        """What each assumption covers, by its name: the values stand where they belong."""
        items = []
        for one in assumptions_of(self.game):
            covers = one["covers"]
            assert isinstance(covers, list)
            names = dict.fromkeys(" ".join(self._covered(str(cover["what"]), str(cover["name"]))) for cover in covers)
            words = " ".join(filter(None, (sentence(", ".join(names)), sentence(str(one["why"])))))
            items.append(Item((*ink(f"{one['id']}: ", "bold"), *ink(words))))
        if items:
            yield plain(self.frame("No source gives these numbers. They can be chosen otherwise."))
            yield Listing(tuple(items))

    def _covered(self, what: str, name: str) -> Iterator[str]:
        board, _, field = name.partition(".")
        title = next((self.speller.thing_words(thing) for thing in self.world.things if thing.name == board), None) if what == "board" else None
        yield title or self.speller.name(board)
        if what == "pieces":
            yield f"({self.frame('number')})"
        if field:
            yield f"({self.frame('pieces') if field == 'pieces' else self.speller.name(field)})"

    def sources(self) -> Iterator[Block]:
        boards = [board.source for board in self.box.boards if board.source]
        found = dict.fromkeys([source for source in (self.box.source, *boards) if source])
        if found:
            yield Listing(tuple(Item(ink(sentence(source))) for source in found))


def _whence(fact: Fact) -> str:
    return "; ".join(filter(None, [fact.source, fact.assumption, fact.why]))


def signed(words: str) -> str:
    """With a minus, where a hyphen is one."""
    return re.sub(r"(?<![\w.])-(?=\d)", "−", words)


def _by_number(piece: PieceDecl) -> dict[int, str]:
    """`{2: 9, 3: 12}`, as it is written."""
    node = piece.number
    if not isinstance(node, Map):
        return {}
    return {int(str(key.value)): value.span.text for key, value in node.entries if isinstance(value, Scalar) and str(key.value).isdigit()}


def _at(fact: Fact, seats: int) -> str:
    """What a table says for so many players, as it is written."""
    if not isinstance(fact.value, Map):
        return ""
    return next((signed(" ".join(value.span.text.split()).strip("[]")) for key, value in fact.value.entries if str(key.value) == str(seats)), "")


__all__ = ["Numbers"]
