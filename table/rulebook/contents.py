"""What is in the box: pieces, boards, places, how many there are of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ichiba.dsl.syntax.plurals import plural
from ichiba.table.rulebook.blocks import Block, Rows
from ichiba.table.rulebook.options import Options
from ichiba.table.scene.frame import ENGLISH
from ichiba.table.scene.spelling import Cell, ink, joined
from ichiba.table.svg.gallery import Gallery
from ichiba.table.svg.pieces import Piece

if TYPE_CHECKING:
    from ichiba.dsl.world.world import Component
    from ichiba.interpreter.run.game import Game

FEW = 4  # connections that are named one by one


class Contents:
    """Lists the box of one game."""

    def __init__(self, game: Game, gallery: Gallery, options: Options):
        self.game, self.world, self.gallery, self.options = game, game.world, gallery, options
        self.speller, self.frame = options.speller, options.frame
        self.members = {*self.world.seat, *self.world.table, *(name for kind in self.world.kinds.values() for name in kind.members)}

    def rows(self) -> Iterator[Block]:
        rows: list[tuple[Cell, ...]] = []
        families: dict[str, list[Piece]] = {}
        for piece in self.gallery.pieces():
            families.setdefault(piece.family, []).append(piece)
        families |= {self.speller.name(component.name): self._as_pieces(component) for component in self.world.components}
        keys = {self.speller.name(name): name for name in (*self.world.families, *(component.name for component in self.world.components))}
        for name, pieces in families.items():
            count = sum(piece.count for piece in pieces)
            rows.append((ink(str(count)), ink(self._many(keys[name], name, count)), self._listed(pieces)))
        kinds: dict[str, list[str]] = {}
        for thing in self.world.things:
            if self.world.kinds[thing.kind].root != "piece" and thing.id not in self.world.groups:  # a board's own places stand on it
                kinds.setdefault(thing.kind, []).append(self.speller.thing_words(thing))
        for kind, names in kinds.items():
            several = self._many(kind, self.options.binders.kind(kind), len(names))
            rows.append((ink(str(len(names))), ink(several), ink(self._named(kind, names))))
        if rows:
            heads = tuple(map(self.frame, ("number", "what", "which")))
            yield Rows(heads, tuple(rows), self.frame("for {seats} players", seats=self.game.seats))

    def _listed(self, pieces: list[Piece]) -> Cell:
        """`✿ rose × 3, ◇ iris × 2`; how many there are once, where that is the same of all: `1, 2, 3: 4 of each`. What every player has
        is told once; of a family of one sort its name stands there already."""
        numbers = {piece.count for piece in pieces}
        each = self.frame("for each player") if pieces[0].owner else ""
        sorts = {(*piece.sign, *ink(piece.name if not piece.sign else f"\u00a0{piece.name}")): piece for piece in pieces}
        [count, *others] = numbers
        if len(sorts) == 1 and pieces[0].name == pieces[0].family:
            return joined([cell for cell in (pieces[0].sign, ink(f"{count} {each}" if each else "")) if cell], " ")
        if len(sorts) == 1 or others:
            return joined([(*cell, *ink(" ".join(filter(None, (f" × {piece.count}", each))))) for cell, piece in sorts.items()], ", ")
        said = self.frame("{count} of each", count=count) if count > 1 or each else ""
        return (*joined(list(sorts), ", "), *ink(f": {' '.join(filter(None, (said, each)))}" if said else ""))

    def _as_pieces(self, component: Component) -> list[Piece]:
        """What no rule names is listed as pieces are."""
        name, owner = self.speller.name(component.name), ink(self.frame("for each player")) if component.per_seat else ()
        sorts = [Piece(name, self.speller.name(sort) if sort else name, (), (), count, "token", owner) for sort, count in component.sorts]
        return sorts * (self.game.seats if component.per_seat else 1)

    def _many(self, key: str, name: str, count: int) -> str:
        """`2 Buyers`, `1 Dragon`; in other languages as the texts call several of them."""
        if count == 1:
            return name
        several = plural(key)
        said = self.game.text(f"many.{key}") or (None if several in self.members else self.game.text(f"name.{several}"))
        return said or (plural(name) if self.game.lang == ENGLISH else name)

    def _named(self, kind: str, names: list[str]) -> str:
        """All of them; of many connections, that the map shows them."""
        if self.world.kinds[kind].root != "edge" or len(names) <= FEW:
            return ", ".join(names)
        return self.frame("see the map")


__all__ = ["Contents"]
