"""Pictures as PNG, for chats and documents that take no SVG. Needs the extra `pictures` (resvg)."""

from __future__ import annotations

from ichiba.table.markup.elements import Element
from ichiba.table.markup.writing import svg
from ichiba.table.svg.setting import set_apart

SHARP = 2  # dots for each unit of a picture
MOST_DOTS = 8_000  # on a side


class NoPainter(Exception):
    """What paints PNG is not installed."""


def png(drawn: Element) -> bytes:
    """The picture by day, twice as large as it says."""
    try:
        import resvg_py
    except ImportError:
        raise NoPainter("PNG needs resvg: pip install 'ichiba[pictures]'") from None
    size = dict(drawn.attributes)
    largest = max(float(size["width"]), float(size["height"]))
    return bytes(resvg_py.svg_to_bytes(svg_string=svg(set_apart(drawn)), zoom=max(1, min(SHARP, int(MOST_DOTS / largest)))))
