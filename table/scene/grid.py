"""A grid drawn from a seat's view: rows and columns with a sign for what is at each place, and the same signs in words.

The signs are letters, digits and marks, so that nothing hangs on colours: the plain form of the screen draws it alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from ichiba.dsl.world.world import Grid, Member, Thing
from ichiba.interpreter.sight.views import HIDDEN
from ichiba.table.scene.look import SectionLook
from ichiba.table.scene.spelling import FAINT, Cell, FiguresOf, Speller, dull, ink, joined, key_of, words_of

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game

EMPTY, MARKED, UNSEEN = "·", "#", "?"
PIECES, REMEMBERED, NUMBERS, FLAGS = range(4)  # what is drawn before what
_LETTER_AND_NUMBER = re.compile(r"([a-z]{1,2})(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Square:
    """What is drawn of a place; what that sign stands for; and what else is there, which one sign cannot say."""

    sign: Cell
    meaning: Cell = ()
    more: Cell = ()
    thing: str = ""  # as the view names it


@dataclass(frozen=True, slots=True)
class GridPicture:
    """The places of a grid by rows, with what stands beside rows and above columns."""

    rows: tuple[tuple[Square | None, ...], ...]
    row_heads: tuple[str, ...]
    column_heads: tuple[str, ...]
    shifted: bool = False  # every second row stands half a place to the right

    def signs(self) -> Cell:
        """What the signs stand for, each once."""
        found = {words_of(square.sign): square for row in self.rows for square in row if square is not None and square.meaning}
        return joined([(*one.sign, *ink(" "), *one.meaning) for _, one in sorted(found.items())], " · ")

    def more(self) -> list[Cell]:
        return [square.more for row in self.rows for square in row if square is not None and square.more]


def picture_of(game: Game, grid: Grid, things: Mapping[str, Any], look: SectionLook, speller: Speller, figures: FiguresOf) -> GridPicture:
    """The grid as the view has it."""
    drawer = _Drawer(game, look, speller, figures)
    rows = tuple(
        tuple(drawer.square(grid.cells.get((row, column)), things) for column in range(1, grid.columns + 1)) for row in range(1, grid.rows + 1)
    )
    return GridPicture(rows, *_heads(game, grid), grid.hex)


def _heads(game: Game, grid: Grid) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """`c4` stands in the row `c` and the column `4`; places with other names are counted."""
    named = {at: _LETTER_AND_NUMBER.fullmatch(game.world.thing(id).name) for at, id in grid.cells.items()}
    letters = {row: name[1] for (row, _), name in named.items() if name is not None and None not in named.values()}
    numbers = {column: name[2] for (_, column), name in named.items() if name is not None and letters}
    rows, columns = range(1, grid.rows + 1), range(1, grid.columns + 1)
    return tuple(letters.get(row, str(row)) for row in rows), tuple(numbers.get(column, str(column)) for column in columns)


@dataclass(frozen=True, slots=True)
class _Told:
    """One thing that is at a place: its sign, what that stands for, all of it in words, and whether these say more."""

    weight: int
    sign: Cell
    meaning: Cell
    words: Cell
    several: bool = False


class _Drawer:
    def __init__(self, game: Game, look: SectionLook, speller: Speller, figures: FiguresOf):
        self.game, self.look, self.speller, self.figures = game, look, speller, figures

    def square(self, id: int | None, things: Mapping[str, Any]) -> Square | None:
        if id is None:
            return None
        thing = self.game.world.thing(id)
        told = sorted(self._told(thing, things.get(key_of(thing), {})), key=lambda one: one.weight)
        if not told:
            return Square(ink(EMPTY, FAINT), thing=key_of(thing))
        first, *others = told
        others = [one for one in others if one.weight == first.weight or one.weight < FLAGS]
        more = (*ink(f"{thing.name}: ", FAINT), *joined([one.words for one in (first, *others)], ", "))
        return Square(first.sign, first.meaning, more if others or first.several else (), key_of(thing))

    def _told(self, thing: Thing, raw: Mapping[str, Any]) -> Iterable[_Told]:
        """What is there: pieces, what it remembers, numbers, and marks."""
        for name, member in self.speller.members(thing).items():
            one = raw.get(name)
            if one is None or member.index or self.look.show and name not in self.look.show or name in self.look.hide:
                continue
            if dull(self.game, member, (thing.id,), one) or one is False:
                continue
            words, called = self.speller.value(member, one), ink(self.speller.name(name))
            if isinstance(one, dict):
                sign, meaning = self._lying(next(iter(one)))
                yield _Told(PIECES, sign, meaning, words, list(one.values()) != [1])
            elif one is True:
                yield _Told(FLAGS, ink(MARKED), called, called)
            elif isinstance(one, int) and member.kind.form != "seat":
                yield _Told(NUMBERS, ink(str(one)), (), (*called, *ink(" "), *words))
            elif one == HIDDEN:
                yield _Told(REMEMBERED, ink(UNSEEN), ink("hidden"), (*called, *ink(" "), *words))
            else:
                yield _Told(REMEMBERED, self._sign(str(one), member), words, (*called, *ink(" "), *words))
        for label, cell in self.figures(thing):
            yield _Told(NUMBERS, cell, (), (*ink(label + " "), *cell))

    def _lying(self, piece: str) -> tuple[Cell, Cell]:
        """The sign of the first piece that lies there, and what it stands for."""
        if piece == "hidden":
            return ink(UNSEEN), ink("hidden")
        return self._sign(piece), self._words(piece)

    def _sign(self, name: str, member: Member | None = None) -> Cell:
        """Its glyph, else how its name begins; a piece of a seat says whose it is, and a seat is its number."""
        name, _, owner = name.partition("/")
        if member is not None and member.kind.form == "seat":
            return self._coloured(name, int(name))
        glyph = self.speller.look.glyphs.get(name)
        sign = glyph.sign if glyph is not None and glyph.sign else name[:2].capitalize()
        return self._coloured(sign + owner, int(owner)) if owner.isdigit() else ink(sign, glyph.colour if glyph is not None else "")

    def _words(self, name: str) -> Cell:
        plain, _, owner = name.partition("/")
        return (*ink(self.speller.name(plain)), *(ink(f" of {words_of(self.speller.seat(int(owner)))}") if owner.isdigit() else ()))

    def _coloured(self, sign: str, seat: int) -> Cell:
        own = self.speller.seat(seat)
        return ink(sign, own[0][1] if own else "")


def drawn_grid(picture: GridPicture) -> list[Cell]:
    """The lines of a grid."""
    squares = [square for row in picture.rows for square in row if square is not None]
    wide = max((cell_len(words_of(square.sign)) for square in squares), default=1)
    wide = max([wide, *map(len, picture.column_heads)])
    margin = max(map(len, picture.row_heads))
    lines: list[Cell] = [ink(" " * (margin + 1) + " ".join(head.ljust(wide) for head in picture.column_heads).rstrip(), FAINT)]
    for number, (head, row) in enumerate(zip(picture.row_heads, picture.rows, strict=True)):
        half = " " * ((wide + 1) // 2) if picture.shifted and number % 2 else ""
        line: list[tuple[str, str]] = [*ink(head.rjust(margin) + " " + half, FAINT)]
        for square in row:
            sign = square.sign if square is not None else ink(" ")
            line += [*sign, *ink(" " * (wide - cell_len(words_of(sign)) + 1))]
        lines.append(tuple(line[:-1]))
    return lines
