"""For a playtest on paper: pages of A4 with boards, cards, tickets and tokens to cut out, at their real size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ichiba.table.markup.colours import class_of
from ichiba.table.markup.elements import Element, element
from ichiba.table.scene.boards import BoardCard
from ichiba.table.scene.spelling import FAINT, ink
from ichiba.table.svg.cards import board
from ichiba.table.svg.drawing import SMALL, TEXT, Panel, below, line, moved, paragraph
from ichiba.table.svg.measure import cut, width, width_of
from ichiba.table.svg.pieces import Piece

MM = 96 / 25.4
PAGE = (210 * MM, 297 * MM)
MARGIN = 12 * MM
ROOM = (PAGE[0] - 2 * MARGIN, PAGE[1] - 2 * MARGIN)
SIZES = {"card": (59.0 * MM, 86.0 * MM), "ticket": (59.0 * MM, 28.0 * MM), "token": (24.0 * MM, 24.0 * MM)}
MOST_PIECES = 3_000
SHEETS = (  # the style of a page with them: each on paper of its own
    "@page{size:A4;margin:0}.paper-sheets{max-width:none;padding:0}.sheet{margin:0 0 1rem}"
    ".sheet .pic{display:block}@media print{.sheet{margin:0;break-after:page}.sheet:last-child{break-after:auto}"
    ".sheet .pic{width:210mm;height:296mm;max-width:none}}"
)


class TooMany(Exception):
    """Nobody cuts out so many pieces."""


def pages(boards: Iterable[BoardCard], pieces: Sequence[Piece]) -> list[Panel]:
    """All pages: boards first, then the pieces, the largest first."""
    total = sum(piece.count for piece in pieces)
    if total > MOST_PIECES:
        raise TooMany(f"{total:,} pieces are too many to print; {MOST_PIECES:,} are cut out in a day")
    made = list(_boards([board(card, (ROOM[0] - 10) / 2) for card in boards]))
    for form, (wide, high) in SIZES.items():
        faces = [_face(piece, wide, high) for piece in pieces if piece.form == form for _ in range(piece.count)]
        made += _grid(faces, wide, high)
    return made


def page_picture(panel: Panel) -> Panel:
    """A page with its margins and nothing else on it."""
    ground = element("rect", x=0, y=0, width=PAGE[0], height=PAGE[1], class_="paper")
    return Panel(*PAGE, (ground, moved(panel, MARGIN, MARGIN)))


def _grid(faces: Sequence[Panel], wide: float, high: float) -> Iterator[Panel]:
    across, down = int(ROOM[0] // wide), int(ROOM[1] // high)
    for start in range(0, len(faces), across * down):
        some = faces[start : start + across * down]
        yield Panel(*ROOM, tuple(moved(one, n % across * wide, n // across * high) for n, one in enumerate(some)))


def _boards(panels: Sequence[Panel]) -> Iterator[Panel]:
    """Two columns on a page; what is longer than a page is made smaller."""
    wide, parts, ends = (ROOM[0] - 10) / 2, list[Element](), [0.0, 0.0]
    for panel in sorted(panels, key=lambda one: -one.height):
        if panel.height > ROOM[1]:
            panel = _smaller(panel, ROOM[1] / panel.height)
        at = ends.index(min(ends))
        if ends[at] + panel.height > ROOM[1]:
            yield Panel(*ROOM, tuple(parts))
            parts, ends, at = [], [0.0, 0.0], 0
        parts.append(moved(panel, at * (wide + 10), ends[at]))
        ends[at] += panel.height + 10
    if parts:
        yield Panel(*ROOM, tuple(parts))


def _smaller(panel: Panel, by: float) -> Panel:
    return Panel(panel.width * by, panel.height * by, (element("g", *panel.parts, transform=f"scale({by:.3f})"),))


def _face(piece: Piece, wide: float, high: float) -> Panel:
    """One piece: its sign, its name, what is printed on it, whose it is."""
    room = wide - 12
    frame = element("rect", x=0.5, y=0.5, width=wide - 1, height=high - 1, rx=5, class_="paper firm dots")
    inside: list[Panel] = []
    if piece.sign:
        size = min(high * 0.3, room / max(0.1, width_of(piece.sign, 1)))
        inside.append(Panel(room, size * 1.2, (line(piece.sign, room / 2, size, size, True, "middle"),)))
    size = 22 if piece.form == "card" else TEXT if piece.form == "ticket" else 9
    longest = max(piece.name.split() or [""], key=len)
    size = min(size, size * room / max(room, width(longest, size, True)))
    inside.append(paragraph(ink(piece.name, piece.colour), room, size, bold=True, anchor="middle"))
    small = 9 if piece.form == "token" else SMALL
    told = [*((*ink(f"{fact.label} " if fact.label else "", FAINT), *fact.cell) for fact in piece.facts), *([piece.owner] if piece.owner else [])]
    inside += [paragraph(cell, room, small, anchor="middle") for cell in told]
    if piece.form != "token":
        inside.append(paragraph(ink(cut(piece.family, SMALL, room), FAINT), room, SMALL, anchor="middle"))
    whole = below(inside, 1)
    if whole.height > high - 6:
        whole = _smaller(whole, (high - 6) / whole.height)
    edge = element("rect", x=3, y=3, width=wide - 6, height=3, class_=class_of(piece.colour) or "deep")
    return Panel(wide, high, (frame, edge, moved(whole, (wide - whole.width) / 2, max(4, (high - whole.height) / 2))))
