"""What is declared can be: it begins within its range, is hidden under a condition, holds pieces, and is of the kind that it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.tiny import rules

SEAT = {
    "counter heat: 0 .. 9 start 12": "`heat` begins outside of its range",
    "counter heat: 3 .. 9 start 2": "this is 2, and it goes from 3 to 9",
    "counter heat: 0 .. 9, hidden from others when 3": "a condition is needed",
    "counter heat: 0 .. 9, hidden from others when rounds": "a condition is needed",
    "counter heat: 0 .. 9, hidden from others when closd": "a condition is needed",
    "zone shed of gem, screened when rounds": "a condition is needed",
    "purse debts: coin start -3": "a purse never begins with less than nothing",
    "zone shed of stall": "no pieces are called `stall`",
    "zone shed of gem, at most 0": "nothing could ever lie there",
    "zone shed of gem, at most -1": "nothing could ever lie there",
    "field size: number": "a seat has no fields",
    "note used: flag": "only pieces have notes; this is a seat",
}
KIND = {
    "note used: flag": "only pieces have notes; this is a inn",
    "field whose: seat = 1": "a seat is needed: `seat(1)`",
    "field whose: flag = 3": "a condition is needed",
    "field whose: stall = 3": "a stall is needed",
    "field whose: cost = 3": "a plain number is no cost",
}
BOX = {
    "numbers": ("{rounds: 3, few: true}", "a number is expected here"),
    "tables": ("{price: {index: number, values: [2, true]}}", "a number is expected here"),
    "things": ("{stall: {count: true}}", "a number is expected here"),
    "options": ("{quick: {flag: 3}}", "true or false is expected here"),
    "options, of a range": ("{few: {from: 3, to: 1}}", "there is no number from 3 to 1"),
    "options, outside": ("{few: {from: 1, to: 3, otherwise: 9}}", "9 is not from 1 to 3"),
    "units": ('{coin: {write: "${}", step: 0}, hour: {}}', "a step is at least 1"),
}
POLICY = "    menu act:\n        option a: nothing\n        option b: nothing\n\npolicy sensible:\n    prefer \"a\" by "
TAKEN = (
    "counter heat: 0 .. 9 start 9", "counter heat: -3 .. 0 start -3", "counter heat: 0 .. 9, hidden from others when quick",
    "zone shed of gem, screened when not quick and rounds > 2", "zone shed of board", "zone shed of gem, at most 2 * rounds",
    "purse debts: coin start 0", "zone shed of piece",
)  # fmt: skip


@pytest.mark.parametrize(("member", "says"), SEAT.items(), ids=SEAT)
def test_a_member_of_a_seat_is_refused(member: str, says: str, tmp_path: Path) -> None:
    found = rules(tmp_path, f"seat:\n    {member}\n").text
    assert says in found and "play.rules:2" in found and "1 error" in found, found


@pytest.mark.parametrize(("member", "says"), KIND.items(), ids=KIND)
def test_a_member_of_a_kind_of_things_is_refused(member: str, says: str, tmp_path: Path) -> None:
    found = rules(tmp_path, f"kind inn is thing:\n    {member}\n", things="{stall: {count: 3}, inn: {each: {bell: {}}}}").text
    assert says in found and "play.rules:2" in found and "1 error" in found, found


@pytest.mark.parametrize(("key", "said"), BOX.items(), ids=BOX)
def test_what_stands_in_the_box_is_refused(key: str, said: tuple[str, str], tmp_path: Path) -> None:
    text, says = said
    found = rules(tmp_path, "procedure turn: nothing\n", None, **{key.split(",")[0]: text}).text
    assert says in found and "game.yaml:1" in found, found


@pytest.mark.parametrize("weight", ["me", "my.hand is empty"])
def test_what_a_policy_weighs_by_is_a_number(weight: str, tmp_path: Path) -> None:
    assert "a number is needed" in rules(tmp_path, f"procedure turn:\n{POLICY}{weight}\n").text


@pytest.mark.parametrize("member", TAKEN)
def test_it_may_be_declared(member: str, tmp_path: Path) -> None:
    assert rules(tmp_path, f"seat:\n    {member}\n", options="{quick: {flag: false}}").text == "no faults"
