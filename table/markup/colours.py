"""Colours that can be read on light paper, in the dark and in print: by class, each worked out from what a look says.

A look says `red`, `bright_blue` or `#ff8c00`, as terminals know them. What has that colour must stand out from the paper (4.5 to 1):
by day it is darkened, by night lightened, as far as that needs and no further. `f-ff8c00` fills with it, `s-ff8c00` draws lines in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

NAMED = {
    "black": "#444444", "red": "#c62828", "green": "#2e7d32", "yellow": "#8a6d00", "blue": "#1e5bc6", "magenta": "#a21caf", "cyan": "#0e7490",
    "white": "#606060", "bright_black": "#6b6b6b", "bright_red": "#e53935", "bright_green": "#43a047", "bright_yellow": "#b58900",
    "bright_blue": "#4285f4", "bright_magenta": "#d63fd6", "bright_cyan": "#00acc1", "bright_white": "#808080",
}  # fmt: skip
DAY, NIGHT = "#eef0f3", "#2a2f36"  # the darkest and the lightest paper on which anything is written
READABLE = 4.5
_RGB = re.compile(r"#[0-9a-fA-F]{6}")
_CLASS = re.compile(r"([fs])-([0-9a-f]{6})")

Rgb = tuple[int, int, int]


def class_of(colour: str, use: str = "f") -> str:
    """The class that fills (`f`) or draws lines (`s`) in this colour; nothing for what no look could say."""
    known = NAMED.get(colour, colour)
    return f"{use}-{known[1:].lower()}" if _RGB.fullmatch(known) else ""


def rgb(colour: str) -> Rgb:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _hex(colour: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _light(colour: Rgb) -> float:
    """How much light it gives back, as eyes see it: the relative luminance of WCAG 2."""
    r, g, b = (part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    """From 1, no difference, to 21, black on white."""
    low, high = sorted((_light(rgb(one)), _light(rgb(other))))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)
def readable(colour: str, paper: str, least: float = READABLE) -> str:
    """The nearest to this colour that stands out from the paper, on the way to black or to white."""
    end = 0 if _light(rgb(paper)) > 0.18 else 255
    for step in range(0, 101):
        r, g, b = (round(part + (end - part) * step / 100) for part in rgb(colour))
        if contrast(_hex((r, g, b)), paper) >= least:
            return _hex((r, g, b))
    return _hex((end, end, end))


def palette(classes: Iterable[str], night: bool = False) -> str:
    """What the classes of colours mean: `.f-ff8c00{fill:#a85c00}`."""
    found = sorted({(match[1], match[2]) for name in classes if (match := _CLASS.fullmatch(name)) is not None})
    shades = {colour: readable("#" + colour, NIGHT if night else DAY) for _, colour in found}
    return "".join(f".{use}-{colour}{{{'fill' if use == 'f' else 'stroke'}:{shades[colour]}}}" for use, colour in found)
