"""Claims about habits of other languages: each is known where it is written, and none hides what is right."""

from pathlib import Path

import pytest

from ichiba.dsl.faults.fault import Faults, nearest
from ichiba.dsl.faults.source import Embedded, Source
from ichiba.dsl.syntax.habits import CALLS, HABITS, NAMES, SIGNS, Habit
from ichiba.dsl.syntax.parse import keywords, parse_items
from tests.language.tiny import read, rules

EXAMPLES = {
    "<word>": "here", "<path>": "here.size", "<int>": "3", "<3>": "000", "<money>": "¥3", "<text>": '"so"', "<rest>": "4",
}  # fmt: skip


def written(habit: Habit) -> str:
    """Rules with that habit in them."""
    text = ""
    for part in habit.pattern.split():
        if part == "~":
            text = text.rstrip()
        elif part not in ("^", "^^"):
            text += EXAMPLES.get(part, part) + ("" if part in "+-*/=<>:!." else " ")
    if text.strip().isalpha() and not habit.at:
        text += " here: 3"  # by itself it would be a procedure
    text = text.strip() + {"to": " 3 to me", "": "", ".end": "", "-": ""}[habit.at]
    if habit.at == "-":
        return f"value {text} -> number: 3\n"
    if habit.pattern.startswith("^^"):
        return f"{text}\n"
    return f"procedure p:\n    {text}\n" if habit.pattern.startswith("^") or "gain" in text or "pay" in text else f"value v: {text}\n"


def told(rules: str) -> list[str]:
    faults = Faults()
    parse_items(Embedded.whole(Source("play.rules", rules)), faults)
    return [f"{fault.message}: {fault.label}" for fault in faults.all]


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.pattern)
def test_every_habit_is_known_where_it_is_written(habit: Habit) -> None:
    (said,) = told(written(habit))
    assert said.startswith(habit.says.split("{")[0])
    assert habit.instead.split("{")[0] in said and "{" not in said


@pytest.mark.parametrize("sign", [sign for sign in SIGNS if sign not in "“”„‟«»『』「」〝〞\t"])
def test_every_sign_that_there_is_not_is_told_with_what_to_write(sign: str) -> None:
    (said,) = told(f"value v: here {sign} there\n")
    assert f"`{sign}`" in said and said.endswith(SIGNS[sign])


@pytest.mark.parametrize("word", CALLS)
def test_words_that_do_something_elsewhere_are_told_with_what_does_it_here(word: str, tmp_path: Path) -> None:
    if word in keywords():
        return
    tiny = read(tmp_path, {"play.rules": f"procedure turn: {word}\n"})
    assert [fault.label for fault in tiny.faults] == [CALLS[word]]


@pytest.mark.parametrize("word", NAMES)
def test_words_that_are_something_elsewhere_are_told_with_what_it_is_called_here(word: str, tmp_path: Path) -> None:
    tiny = read(tmp_path, {"play.rules": f"value v: {word} = 3\n"})
    assert [fault.label for fault in tiny.faults] == [NAMES[word]]


def test_whoever_declares_such_a_word_can_use_it(tmp_path: Path) -> None:
    rules = "".join(f"procedure {word}: nothing\n" for word in CALLS if word not in keywords())
    rules += "procedure turn:\n" + "".join(f"    {word}\n" for word in CALLS if word not in keywords())
    rules += "".join(f"value {word}: 3\n" for word in NAMES) + "value v: " + " + ".join(NAMES) + "\n"
    assert [fault for fault in read(tmp_path, {"play.rules": rules}).faults if fault.severity == "error"] == []


def test_nobody_is_asked_whether_they_meant_what_they_wrote() -> None:
    assert nearest("size", ["size"]) is None
    assert nearest("size", ["size", "sise"], ["size"]) == "sise"


def test_a_name_of_the_kind_that_is_wanted_comes_first() -> None:
    assert nearest("frsh", ["fish", "fresh"]) == "fish"
    assert nearest("frsh", ["fish", "fresh"], ["fresh", "aged"]) == "fresh"


def test_what_a_zone_keeps_is_said_by_what_it_forgets(tmp_path: Path) -> None:
    found = rules(tmp_path, "kind gem is piece:\n    note price: coin\n\nadd to table:\n    zone shop of gem keeps price, at most 4\n")
    assert found.text == """\
error[E203]: a piece keeps its notes
  ┌─ tiny/play.rules:5:5
 5│     zone shop of gem keeps price, at most 4
  │     ^^^^^^^^^^^^^^^^^^^^^^ leave `keeps price, at most 4` out; where they are lost a zone says `forgets …`

1 error"""
