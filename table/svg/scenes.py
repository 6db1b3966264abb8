"""A scene as one picture: its sections one below the other, each drawn as its look or what it holds asks for.

    director = Director(game, look, as_cards=True)
    scene = director.scene(view_of(table, seat, log=False))
    svg(picture(scene_panel(scene, WIDTH), title))
"""

from __future__ import annotations

from collections.abc import Iterator

from ichiba.table.scene.sections import Scene, Section
from ichiba.table.scene.spelling import ink
from ichiba.table.svg.cards import WIDE, board
from ichiba.table.svg.charts import chart
from ichiba.table.svg.drawing import HEAD, Panel, below, in_columns, padded, paragraph
from ichiba.table.svg.grids import columns, grid, listed, table, track

PHONE = 390.0
EDGE = 16.0
WIDEST_MAP = 720.0


def scene_panel(scene: Scene, wide: float = PHONE, title: str = "") -> Panel:
    """The whole scene on paper of its own."""
    room = wide - 2 * EDGE
    head = [paragraph(ink(title), room, HEAD, bold=True)] if title else []
    inside = below([*head, *(one for section in scene.sections for one in _titled(section, room))], 14)
    return padded(Panel(room, inside.height, inside.parts), EDGE, "paper")


def _titled(section: Section, room: float) -> Iterator[Panel]:
    panel = section_panel(section, room)
    if panel.height > 1:
        yield below([paragraph(ink(section.title), room, 14, bold=True, usual="soft"), panel], 4) if section.title else panel


def section_panel(section: Section, room: float) -> Panel:
    """One section: boards as cards, maps, grids and tracks as such, all else as it is laid out on a screen."""
    if section.boards:
        return in_columns([board(card, min(WIDE, room)) for card in section.boards], room)
    if section.chart is not None:
        return chart(section.chart, min(room, WIDEST_MAP))
    if section.grid is not None:
        return grid(section.grid, room)
    if section.track is not None:
        return track(section.track, room)
    match section.layout or _fitting(section):
        case "columns":
            return columns(section, room)
        case "table":
            return table(section, room)
        case _:
            return listed(section, room)


def _fitting(section: Section) -> str:
    return "table" if section.name == "seats" or len(section.labels) > 1 else "list"


def drawn_sections(scene: Scene) -> list[Section]:
    """The sections that are pictures of their own: maps, grids, tracks, columns."""
    return [section for section in scene.sections if section.chart or section.grid or section.track or section.layout == "columns"]
