"""Claims about refused answers: the reason says which requirement fails, or which part of a key stands for nothing."""

from pathlib import Path

import pytest

from ichiba import load
from ichiba.interpreter.run.table import Table
from tests.validator.small import ruleset

RULES = """\
kind lot is thing:
    counter rank: 0 .. 3

procedure turn:
    menu actions:
        option buy "Buy {l}" for l in lots where l.rank = 1 and round > 0
                costs $2 to bank or 1 of my.hand to heap as gems or 2 of my.hand to heap as pair:
            raise round by 1
        option up for l in lots: raise l.rank by 1
        option rest: nothing
"""


@pytest.fixture
def table(tmp_path: Path) -> Table:
    files = {"game.yaml": "things: {lot: {count: 3}}\n", "play.rules": RULES}
    return load(ruleset(tmp_path, files), trust=True).start(1)


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("buy/1", "lot 1 does not fit `buy`: it needs `l.rank = 1 and round > 0`"),
        ("buy/4", "`buy/4` is no answer to this question: `4` is not among 1, 2, 3"),
        ("buy", "`buy` is no answer to this question: `buy` goes on after this: 1, 2, 3"),
        ("rest/1", "`rest/1` is no answer to this question: nothing follows after `rest`; did you mean `rest`?"),
        ("pay/gems", "`pay/gems` is no answer to this question: nothing is to be paid here; there are: up/1, up/2, up/3, rest"),
    ],
)
def test_in_a_menu(key: str, reason: str, table: Table) -> None:
    assert table.why_not(key) == reason


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("pay/pair/red+red", "`red+red` is not among red+green; did you mean `pay/pair/red+green`?"),
        ("pay/gems/blue", "`blue` is not among red, green; did you mean `pay/gems/red`?"),
        ("pay/gems", "`pay/gems` goes on after this: red, green"),
        ("pay/coin/3", "nothing follows after `pay/coin`; did you mean `pay/coin`?"),
    ],
)
def test_among_ways_to_pay(key: str, reason: str, table: Table) -> None:
    table.play("up/1")
    table.play("buy/1")
    assert table.why_not(key) == f"`{key}` is no answer to this question: {reason}"


def test_a_way_to_pay_that_is_not_there_lists_those_that_are(table: Table) -> None:
    table.play("up/1")
    table.play("buy/1")
    assert table.why_not("pay/gold") == (
        "`pay/gold` is no answer to this question; there are: pay/coin, pay/gems/red, pay/gems/green, pay/pair/red+green"
    )


NESTED = """\
kind lot is thing:
    counter rank: 0 .. 3

guard may_buy(l: lot) "lot {l} cannot be bought":
    "Two things must be so."
    give begun and low(l)

guard begun "nothing is for sale in the first round": round > 1

guard low(other: lot) "lot {other} is too high": other.rank < 2

procedure turn:
    menu actions:
        option buy "Buy {l}" for l in lots where may_buy(l): raise l.rank by 1
        option on: raise round by 1
        option rest: nothing
"""


def test_of_guards_within_guards_the_innermost_says_why(tmp_path: Path) -> None:
    files = {"game.yaml": "things: {lot: {count: 3}}\n", "play.rules": NESTED}
    table = load(ruleset(tmp_path, files), trust=True).start(1)
    assert table.why_not("buy/1") == "nothing is for sale in the first round"
    for key in ("on", "buy/2", "on", "buy/2"):
        table.play(key)
    assert table.why_not("buy/2") == "lot 2 is too high"


PAID = """\
procedure turn:
    menu actions:
        option buy: pay $8 to bank
        option more:
            gain $3 from bank
            pay $9 to bank
        option some for n in 1 .. 3: pay n * 4 coins to bank
        option later:
            let n = 7 + count of my.hand * 0
            pay n * 1 coins to bank
        option promise: set aside $6 as stake
        option all:
            for each s in seats: s pays $8 to bank
        option rest: nothing
        option stay: nothing
"""


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("buy", "there is not enough to pay $8: only $5 is there"),
        ("more", "there is not enough to pay $9: only $8 is there"),
        ("some/2", "there is not enough to pay $8: only $5 is there"),
        ("later", "there is not enough to pay …: only $5 is there"),
        ("promise", "there is not enough to pay $6: only $5 is there"),
        ("all", "there is not enough to pay $8"),
    ],
)
def test_a_payment_in_a_body_is_refused_with_its_figures(key: str, reason: str, tmp_path: Path) -> None:
    """As they are where it fails; of what has no name outside of the rule only what is known."""
    assert load(ruleset(tmp_path, {"play.rules": PAID}), trust=True).start(1).why_not(key) == reason
