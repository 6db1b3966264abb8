"""Words that no game has, in other languages: `or` on a card, the book's chapter titles, `Costs {cost}`. `frame.yaml` has them by their English."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import cast

ENGLISH = "en"


@cache
def _entries() -> dict[str, dict[str, str]]:
    import yaml

    text = files("ichiba.table.scene").joinpath("frame.yaml").read_text(encoding="utf-8")
    return cast(dict[str, dict[str, str]], yaml.load(text, Loader=yaml.CSafeLoader))


def spoken() -> list[str]:
    """The languages that the frame has, English first."""
    return [ENGLISH, *sorted({lang for entry in _entries().values() for lang in entry})]


class Frame:
    """Says the book's own words in one language; in English where it has none of that."""

    def __init__(self, lang: str):
        self.lang = lang.partition("-")[0]

    @property
    def known(self) -> bool:
        return self.lang in spoken()

    def __call__(self, english: str, **values: object) -> str:
        words = english if self.lang == ENGLISH else _entries().get(english, {}).get(self.lang, english)
        return words.format(**values) if values else words


__all__ = ["ENGLISH", "Frame", "spoken"]
