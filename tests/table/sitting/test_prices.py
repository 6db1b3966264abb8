"""What options cost stands beside them: in money or points, as boards state it, in each language; and nothing where it would say nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ichiba.interpreter.api import load
from ichiba.interpreter.run.table import Table
from ichiba.table.scene.telling.prices import price_of
from ichiba.table.sitting.course import Course
from ichiba.table.sitting.questions import Question, question_of
from ichiba.table.sitting.setup import Setup


def asked(table: Table) -> Question:
    return question_of("t", Course(table.game, Setup(table.game.name, table.game.seats, 0)), table.pending[0])


def market(lang: str = "en") -> Table:
    chosen = {"fish": ["eel", "squid"], "external": ["aquarium", "trading"]}
    return load("tokyo_tsukiji_market", 3, options=chosen, lang=lang).start(1)


@pytest.mark.parametrize(
    ("lang", "prices"),
    [
        ("en", {"fish": "1 ap", "visit/eel": "1 ap", "open_port": "¥500"}),
        ("es", {"fish": "1 PA", "visit/eel": "1 PA", "open_port": "¥500"}),
    ],
)
def test_what_an_option_costs_stands_beside_it(lang: str, prices: dict[str, str]) -> None:
    told = {choice.key: choice.price for choice in asked(market(lang)).choices}
    assert {key: told[key] for key in prices} == prices
    assert told["return_licence/mackerel"] == ""


def test_what_a_board_states_is_told_and_so_is_what_is_worked_out() -> None:
    table = market()
    table.play("visit/squid")
    assert {choice.label: choice.price for choice in asked(table).choices}["Buy a licence of Squid"] == "¥300"
    table = market()
    table.play("open_port")
    table.play("visit/ships")
    prices = {choice.label.split(" Ship")[0]: choice.price for choice in asked(table).choices}
    assert prices["Buy One-slot"] == "¥500" and prices["Buy Three-slot"] == "¥1,500"


def until(table: Table, found: Callable[[Question], bool]) -> Question:
    while not found(question := asked(table)):
        table.play(len(table.pending[0].codes) - 1 if len(table.history) % 3 else 0)
    return question


def test_a_price_that_the_label_tells_is_told_once() -> None:
    table = load("salt_flats", 3).start(1)
    question = until(table, lambda asked: any(one.key.startswith("buy/") for one in asked.choices))
    assert [one.price for one in question.choices if one.key.startswith("buy/")] == [""] * sum(one.key.startswith("buy/") for one in question.choices)
    assert any(price_of(table.pending[0], one.code) for one in table.pending[0].options)


def test_what_is_free_has_no_price() -> None:
    table = load("tokyo_tsukiji_market", 3, options={"fish": ["salmon", "squid"]}).start(1)
    told = {choice.key: choice.price for choice in asked(table).choices}
    assert told["visit/salmon"] == "" and told["visit/squid"] == "1 ap"
