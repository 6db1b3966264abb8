"""What pages say around a game, in each language: the same sentences, with the same places to fill in."""

from __future__ import annotations

from string import Formatter

import pytest
import yaml

from ichiba.table.web.shown.words import Words, languages
from tests.house.test_rooms import ROOT

SHOWN = ROOT / "table" / "web" / "shown"


def sentences(lang: str) -> dict[str, str]:
    found: dict[str, str] = yaml.safe_load((SHOWN / "words" / f"{lang}.yaml").read_text(encoding="utf-8"))
    return found


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_pages_speak_four_languages_english_first() -> None:
    assert languages() == ("en", "es", "ja", "nl")


@pytest.mark.parametrize("lang", ["es", "ja", "nl"])
def test_a_language_has_every_sentence_with_the_same_places(lang: str) -> None:
    english, own = sentences("en"), sentences(lang)
    assert list(own) == list(english)
    assert {key: places(text) for key, text in own.items()} == {key: places(text) for key, text in english.items()}


def test_no_sentence_is_there_for_nothing() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in SHOWN.glob("*.py"))
    assert [key for key in sentences("en") if f'"{key}"' not in code and f"'{key}'" not in code] == []


def test_a_language_that_we_do_not_speak_is_english() -> None:
    assert Words("tlh").lang == "en" and Words("nl").lang == "nl"
