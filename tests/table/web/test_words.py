"""What pages say around a game, in each language: the same sentences, with the same places to fill in."""

from __future__ import annotations

import ast
from string import Formatter

import pytest
import yaml

from ichiba.table.sitting.refused import Seats, said
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


def refusals() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = yaml.safe_load((SHOWN / "refusals.yaml").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("form", refusals())
def test_a_refusal_is_said_in_every_language_with_the_same_places(form: str) -> None:
    told = refusals()[form]
    assert list(told) == [lang for lang in languages() if lang != "en"]
    assert {lang: places(text) for lang, text in told.items()} == dict.fromkeys(told, places(form))


def said_by(*files: str) -> set[str]:
    """What stands in calls of `Refused` and `said`, and in names for it."""
    found = set()
    for file in files:
        for node in ast.walk(ast.parse((ROOT / "table" / file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Refused", "said"):
                found |= {one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)}
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                found.add(node.value.value)
    return found


def test_whatever_a_table_refuses_its_people_is_there_and_nothing_else() -> None:
    assert {one for one in said_by("sitting/live.py") if " " in one} <= set(refusals())
    code = "".join(path.read_text(encoding="utf-8") for part in ("sitting", "web") for path in (ROOT / "table" / part).glob("*.py"))
    assert [form for form in refusals() if f'"{form}"' not in code] == []


def test_a_refusal_is_put_together_in_another_language() -> None:
    dutch = Words("nl")
    waits = said("it is not your turn: the table waits for {seats}", seats=Seats((1, 3)))
    assert waits == "it is not your turn: the table waits for seat 1, seat 3"
    assert dutch.refusal(waits) == "je bent niet aan de beurt: er wordt gewacht op Plaats 1, Plaats 3"
    ask = said("{why}; the others can be asked", why="something was drawn or shown since")
    assert dutch.refusal(ask) == "er is sindsdien iets getrokken of getoond; je kunt het de anderen vragen"
    assert dutch.refusal("a sentence of the rules") == "a sentence of the rules"
