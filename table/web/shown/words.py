"""What the pages say around a game, in the languages there are. What a game says itself comes from its ruleset."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import yaml

USUAL = "en"


class Words:
    """The words of one language; what one lacks is said in English."""

    def __init__(self, lang: str):
        self.lang = lang if lang in languages() else USUAL

    def __call__(self, key: str, **named: object) -> str:
        text = _catalogue(self.lang).get(key) or _catalogue(USUAL)[key]
        return text.format(**named) if named else text


@cache
def languages() -> tuple[str, ...]:
    """Those there are, English first."""
    found = sorted(
        one.name.removesuffix(".yaml")
        for one in files("ichiba.table.web.shown").joinpath("words").iterdir()
        if one.name.endswith(".yaml")
    )
    return (USUAL, *(lang for lang in found if lang != USUAL))


@cache
def _catalogue(lang: str) -> dict[str, str]:
    text = files("ichiba.table.web.shown").joinpath("words", f"{lang}.yaml").read_text(encoding="utf-8")
    return {str(key): str(value) for key, value in yaml.safe_load(text).items()}
