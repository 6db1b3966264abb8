"""What a typed line means."""

from __future__ import annotations

import pytest

from ichiba.table.terminal.answers import Answers, amount_of
from ichiba.table.terminal.asking import read

TICKETS = [f"ticket/{n}" for n in (0, 1, 3, 4)] + ["ticket/cancel", "ticket/plus6", "ticket/double"]
MENU = ["fish", "visit/eel", "visit/mole", "visit/seal", "sell/eel", "end"]
BIDS = [f"bid/{n}" for n in range(0, 4100, 100)]


def numbers(keys: list[str]) -> dict[str, int | None]:
    return {entry.words: entry.number for entry in Answers.from_keys(keys).entries}


def meant(keys: list[str], typed: str) -> str | tuple[str, ...] | None:
    found = Answers.from_keys(keys).find(typed)
    if found.range is not None:
        return "range " + found.range.words
    return keys[found.place] if found.place is not None else found.several or None


def test_options_are_counted_from_1() -> None:
    assert list(numbers(MENU).values()) == [1, 2, 3, 4, 5, 6]


def test_options_that_carry_numbers_go_by_them_and_the_others_by_name() -> None:
    assert list(numbers(TICKETS).values()) == [0, 1, 3, 4, None, None, None]
    assert numbers(["buy/2", "buy/3", "refuse"]) == {"buy/2": 2, "buy/3": 3, "refuse": None}


def test_a_number_never_changes_its_meaning_while_a_row_is_used_up() -> None:
    for used in range(1, 4):
        keys = TICKETS[used:]
        assert meant(keys, "4") == "ticket/4"
        assert meant(keys, "1") == ("ticket/1" if "ticket/1" in keys else None)


def test_a_few_numbers_beside_many_names_are_counted_like_the_rest() -> None:
    assert list(numbers([*MENU, "sell/3"]).values()) == [1, 2, 3, 4, 5, 6, 7]


def test_two_rows_of_numbers_are_counted_like_the_rest() -> None:
    assert numbers(["buy/2", "buy/3", "sell/2"]) == {"buy/2": 1, "buy/3": 2, "sell/2": 3}


def test_a_long_row_of_numbers_is_a_range() -> None:
    assert numbers([*BIDS, "pass"]) == {"bid/0 … bid/4000 in steps of 100": None, "pass": None}
    assert numbers([f"bid/{n}" for n in range(9)]) == {"bid/0 … bid/8": None}
    assert len(numbers([f"bid/{n}" for n in range(8)])) == 8


@pytest.mark.parametrize(
    ("keys", "typed", "key"),
    [
        (MENU, "2", "visit/eel"),
        (MENU, "visit/eel", "visit/eel"),
        (MENU, "VISIT/EEL", "visit/eel"),
        (MENU, "mo", "visit/mole"),
        (MENU, "visit/m", "visit/mole"),
        (MENU, "mole", "visit/mole"),
        (MENU, "eel", ("visit/eel", "sell/eel")),
        (MENU, "visit", ("visit/eel", "visit/mole", "visit/seal")),
        (MENU, "e", "end"),
        (MENU, "7", None),
        (MENU, "cow", None),
        (MENU, "", None),
        (TICKETS, "3", "ticket/3"),
        (TICKETS, "2", None),
        (TICKETS, "can", "ticket/cancel"),
        (TICKETS, "plus 6", None),
        (TICKETS, "plus", "ticket/plus6"),
        (BIDS, "300", "bid/300"),
        (BIDS, "¥1,200", "bid/1200"),
        (BIDS, "bid/300", "bid/300"),
        (BIDS, "350", None),
        (BIDS, "bid", "range bid/0 … bid/4000 in steps of 100"),
        ([*BIDS, "pass"], "p", "pass"),
        ([*BIDS, "pass"], "0", "bid/0"),
        ([*BIDS, *(key.replace("bid", "ask") for key in BIDS)], "2", "range ask/0 … ask/4000 in steps of 100"),
        ([*BIDS, *(key.replace("bid", "ask") for key in BIDS)], "2 300", "ask/300"),
        ([*BIDS, *(key.replace("bid", "ask") for key in BIDS)], "ask 300", "ask/300"),
        (["move/left_bank/red", "move/right_bank/red"], "right bank", "move/right_bank/red"),
    ],
)
def test_what_is_typed_means(keys: list[str], typed: str, key: str | tuple[str, ...] | None) -> None:
    assert meant(keys, typed) == key


def test_numbers_may_be_written_as_people_write_them() -> None:
    assert [amount_of(words) for words in ("7", "¥300", "1,200", "7 R", "-3", "p6", "6th")] == [
        7,
        300,
        1200,
        7,
        -3,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("line", "command", "words"),
    [
        ("u", "undo", ""),
        ("undo it", None, "undo it"),
        ("s", "save", ""),
        ("save friday.json", "save", "friday.json"),
        ("? buy/2", "help", "buy/2"),
        ("?buy/2", "help", "buy/2"),
        ("l all", "log", "all"),
        ("q", "quit", ""),
        ("v", None, "v"),
        ("se", None, "se"),
    ],
)
def test_a_line_is_a_command_unless_it_is_a_key(line: str, command: str | None, words: str) -> None:
    asked = read(line, Answers.from_keys(["v", "sell"]))
    assert (asked.command, asked.words) == (command, words)
