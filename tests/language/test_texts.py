"""Texts in other languages: said where they exist, in English where not, and judged as a whole."""

from pathlib import Path

import pytest

import ichiba
from ichiba.dsl.faults import Faults, render_all
from ichiba.dsl.texts import judge_texts
from tests.language.tiny import ruleset

RULES = """\
add to seat:
    counter luck: 0 .. 9

setup:
    for each s in seats: s gains $7 from bank

phase turn:
    take one turn each from seat(1):
        choose st in stalls where open_(st) "Which stall, with {my.cash}?": mark st.closed
        menu actions:
            "What now?"
            option buy "Buy {g} for {price(1)}" for g in {red, green} costs price(1) coin to bank: nothing
            option rest "Rest": nothing

guard open_(st: stall) "stall {number of st} is closed": not st.closed

scoring:
    score for each seat: score "Cash in hand" my.cash
"""

NL = """\
title: Klein
name.red: rood
name.green: groen
name.blue: blauw
unit.coin: "{} munten"
prompt.st: Welke kraam, met {my.cash}?
prompt.actions: Wat nu?
menu.actions.buy: Voor {price(1)} koop je {g}
menu.actions.rest: Rust
guard.open_: kraam {number of st} is dicht
score.cash_in_hand: Geld
"""


@pytest.fixture(autouse=True)
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own little rulesets need no process of their own."""
    monkeypatch.setenv("ICHIBA_TRUST", "1")


def tiny(folder: Path, nl: str = NL, game: str = "title: Tiny\n") -> Path:
    return ruleset(folder, {"game.yaml": game, "play.rules": RULES, "texts/nl.yaml": nl})


def told(folder: Path, nl: str) -> str:
    faults = Faults()
    judge_texts(tiny(folder, nl), faults)
    return render_all(faults.all)


def test_prompts_options_names_units_reasons_and_scores_are_said_in_the_language(tmp_path: Path) -> None:
    game = ichiba.load(tiny(tmp_path), seats=2, lang="nl")
    table = game.start(1)
    assert table.decision is not None
    assert table.decision.prompt == "Welke kraam, met 7 munten?"
    table.play("st/2")
    assert [option.label for option in table.decision.options][:2] == ["Voor 2 koop je rood", "Voor 2 koop je groen"]
    assert table.decision.prompt == "Wat nu?"
    table.play("rest")
    assert table.why_not("st/2") == "kraam 2 is dicht"
    table.play("st/1")
    table.play("rest")
    assert [item["what"] for item in table.log if item["event"] == "score"] == ["Geld", "Geld"]
    assert game.box.title["nl"] == "Klein"


def test_what_a_language_lacks_is_said_in_english(tmp_path: Path) -> None:
    table = ichiba.load(tiny(tmp_path, "prompt.actions: Wat nu?\n"), seats=2, lang="nl").start(1)
    assert table.decision is not None
    assert table.decision.prompt == "Which stall, with $7?"
    table.play("st/1")
    assert table.decision.prompt == "Wat nu?"
    assert table.decision.options[0].label == "Buy red for 2"


def test_a_language_without_texts_is_english(tmp_path: Path) -> None:
    table = ichiba.load(tiny(tmp_path), seats=2, lang="fr").start(1)
    assert table.decision is not None and table.decision.prompt == "Which stall, with $7?"


def test_whole_texts_have_no_faults(tmp_path: Path) -> None:
    assert told(tmp_path, NL) == "no faults"


def test_a_missing_text_is_a_warning(tmp_path: Path) -> None:
    assert told(tmp_path, NL.replace("name.blue: blauw\n", "").replace("prompt.actions: Wat nu?\n", "")) == """\
warning[E102]: texts/nl.yaml has no `name.blue`
  ┌─ tiny/texts/nl.yaml:1:1
 1│ title: Klein
  │ ^ in English: blue

warning[E102]: texts/nl.yaml has no `prompt.actions`
  ┌─ tiny/texts/nl.yaml:1:1
 1│ title: Klein
  │ ^ in English: What now?

2 warnings"""


def test_a_text_for_nothing_is_an_error(tmp_path: Path) -> None:
    assert "error[E101]: nothing here is called `menu.actions.byu`" in told(
        tmp_path, NL.replace("menu.actions.buy", "menu.actions.byu")
    )
    assert "did you mean `menu.actions.buy`?" in told(tmp_path / "2", NL.replace("actions.buy", "actions.byu"))


def test_a_value_that_the_english_text_does_not_have_is_an_error(tmp_path: Path) -> None:
    text = told(tmp_path, NL.replace("koop je {g}", "koop je {gg}"))
    assert "error[E205]: `menu.actions.buy` has no value `gg`" in text
    assert "in English: Buy {g} for {price(1)}" in text


def test_texts_are_a_plain_map(tmp_path: Path) -> None:
    assert "error[E103]: texts are a map from the names of constructs to words" in told(tmp_path, "[1]\n")
    assert "error[E103]: `title` must be a text" in told(tmp_path / "2", "title: [1]\n")
