"""The pictures of a game: one of each board, of each map, grid, track, of the whole table, and a sheet with all boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ichiba.dsl.faults.fault import Faults
from ichiba.interpreter.sight.figures import Figures
from ichiba.interpreter.sight.views import view_of
from ichiba.table.scene.boards import BoardCard
from ichiba.table.scene.cards import in_language
from ichiba.table.scene.look import look_of
from ichiba.table.scene.scene import Director
from ichiba.table.svg.cards import WIDE, board
from ichiba.table.svg.drawing import Panel, in_columns, padded
from ichiba.table.svg.pieces import Piece, pieces_of
from ichiba.table.svg.scenes import EDGE, drawn_sections, scene_panel, section_panel

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.interpreter.run.table import Table

SHEET, TABLE = "all_boards", "table"
COLUMNS = 4  # of cards on the sheet


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture with what it is called and what it shows."""

    name: str
    title: str
    panel: Panel


class Gallery:
    """Draws one game."""

    def __init__(self, game: Game):
        faults = Faults()
        self.game, look = game, look_of(game, faults)
        faults.raise_if_errors()
        self.director = Director(game, look, as_cards=True)
        assert self.director.boards is not None
        self.boards = self.director.boards
        self.title = in_language(game.box.title, game.lang) or game.name

    def cards(self) -> list[BoardCard]:
        return self.boards.cards()

    def pieces(self) -> list[Piece]:
        return pieces_of(self.game, self.boards)

    def printed(self) -> list[Drawn]:
        """Each board as it is printed, and each map, grid and track as it lies there when the game begins."""
        found = [Drawn(card.name, card.title, board(card)) for card in self.cards()]
        begun = self.game.start(1)
        scene = self.director.scene(view_of(begun, None, log=False), figures=Figures(begun, None))
        for section in drawn_sections(scene):
            found.append(Drawn(section.name, section.title or section.name, padded(section_panel(section, WIDE), EDGE, "paper")))
        return found

    def sheet(self) -> Drawn | None:
        """All boards on one."""
        panels = [board(card) for card in self.cards()]
        return Drawn(SHEET, self.title, padded(in_columns(panels, COLUMNS * (WIDE + 12)), EDGE, "paper")) if panels else None

    def table(self, table: Table, seat: int | None, wide: float) -> Drawn:
        """The whole table, as one seat sees it, or as somebody who looks on."""
        scene = self.director.scene(view_of(table, seat, log=False), figures=Figures(table, seat))
        return Drawn(TABLE, self.title, scene_panel(scene, wide, self.title))

