"""What the pages say around a game, in the languages there are. What a game says itself comes from its ruleset."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import yaml

from ichiba.table.sitting.refused import Seats, Sentence

USUAL = "en"


class Words:
    """The words of one language; what one lacks is said in English."""

    def __init__(self, lang: str):
        self.lang = lang if lang in languages() else USUAL

    def __call__(self, key: str, **named: object) -> str:
        text = _catalogue(self.lang).get(key) or _catalogue(USUAL)[key]
        return text.format(**named) if named else text


    def refusal(self, words: str) -> str:
        """A sentence with which something was refused; in English where this language does not have it."""
        form = words.form if isinstance(words, Sentence) else words
        known = _refusals().get(form, {}).get(self.lang)
        if known is None:
            return str(words)
        return known.format(**{name: self._filled(value) for name, value in words.named.items()}) if isinstance(words, Sentence) else known

    def _filled(self, value: object) -> object:
        if isinstance(value, Seats):
            return ", ".join(self("seat", seat=seat) for seat in value)
        return self.refusal(value) if isinstance(value, str) else value


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
def _refusals() -> dict[str, dict[str, str]]:
    text = files("ichiba.table.web.shown").joinpath("refusals.yaml").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = yaml.safe_load(text)
    return found


@cache
def _catalogue(lang: str) -> dict[str, str]:
    text = files("ichiba.table.web.shown").joinpath("words", f"{lang}.yaml").read_text(encoding="utf-8")
    return {str(key): str(value) for key, value in yaml.safe_load(text).items()}
