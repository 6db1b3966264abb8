"""What policies may say: `nearest`, `let`, and the names of the procedure that asks; also as the reference reads it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.lab.policies import Preferring
from tests.language.tiny import check
from tests.reference.lockstep import LockStep
from tests.validator.small import ruleset

AUCTION = """\
procedure turn:
    auction(1)
    auction(2)

procedure auction(lot: number):
    let least = $1
    choose bid from least to $5 "Your bid for {lot}"
    menu after_all:
        option keep: nothing
        option sell: nothing
"""


def game(place: Path, policy: str, turn: str = AUCTION) -> ichiba.Game:
    rules = f"{turn}\npolicy keen:\n" + "".join(f"    {line}\n" for line in policy.strip().splitlines())
    return ichiba.load(ruleset(place, {"turn.rules": rules}), 2, trust=True)


def weights(made: ichiba.Game, *answers: str) -> dict[str, int]:
    """What speaks for each answer to the question to which these lead."""
    table = made.start(seed=1)
    for answer in answers:
        table.play(answer)
    decision = table.decision
    assert decision is not None
    found = Preferring(made, "keen", Random(1)).weights(decision)
    return dict(zip(decision.keys(), found, strict=True))


def test_the_nearest_has_all_the_weight(tmp_path: Path) -> None:
    made = game(tmp_path, 'prefer "bid/*" nearest 3 by 10')
    assert weights(made) == {"bid/1": 8, "bid/2": 9, "bid/3": 10, "bid/4": 9, "bid/5": 8}
    LockStep(made, 1, "keen").play(6)


def test_of_what_lies_beyond_the_outermost_is_nearest(tmp_path: Path) -> None:
    assert weights(game(tmp_path, 'prefer "bid/*" nearest -$9')) == {"bid/1": 1, "bid/2": 0, "bid/3": -1, "bid/4": -2, "bid/5": -3}


def test_where_no_number_stands_nothing_is_near(tmp_path: Path) -> None:
    made = game(tmp_path, 'prefer "*" nearest 3\nprefer "ke*" nearest 3\nprefer "keep" by 2')
    assert set(weights(made).values()) == {0} and weights(made, "bid/1") == {"keep": 2, "sell": 0}
    LockStep(made, 1, "keen").play(6)


def test_a_let_stands_for_what_it_says(tmp_path: Path) -> None:
    policy = """\
let rich = my.cash > $3
let fair = if rich then $4 else $1
let some = (s in seats where s.cash > $3)
prefer "bid/*" nearest fair when rich and count of some = 2
let never = number(my.cash) / (number(my.cash) - number(my.cash)) rounded down
prefer "none/*" by never
"""
    made = game(tmp_path, policy)
    assert weights(made) == {"bid/1": -2, "bid/2": -1, "bid/3": 0, "bid/4": 1, "bid/5": 0}
    LockStep(made, 1, "keen").play(6)


def test_names_of_the_procedure_that_asks_are_known(tmp_path: Path) -> None:
    policy = """\
let fair = (if lot = 1 then $3 else $1) + least
prefer "bid/*" nearest fair
prefer "keep" when least = $1 and lot = 1 by 7
prefer "sell" by number(bid)
"""
    made = game(tmp_path, policy)
    assert weights(made) == {"bid/1": -2, "bid/2": -1, "bid/3": 0, "bid/4": 1, "bid/5": 0}
    assert weights(made, "bid/3") == {"keep": 7, "sell": 3}
    assert weights(made, "bid/3", "keep") == {"bid/1": 0, "bid/2": 1, "bid/3": 0, "bid/4": -1, "bid/5": -2}
    assert weights(made, "bid/3", "keep", "bid/5") == {"keep": 0, "sell": 5}
    LockStep(made, 1, "keen").play(12)


def test_one_question_of_several_knows_the_name(tmp_path: Path) -> None:
    turn = """\
procedure turn:
    choose bid from $1 to $2 "Freely"
    other($2)

procedure other(price: coin):
    choose bid from $1 to $2 "At a price"
"""
    made = game(tmp_path, 'prefer "bid/*" nearest price', turn)
    assert set(weights(made).values()) == {0} and weights(made, "bid/1") == {"bid/1": 0, "bid/2": 1}
    LockStep(made, 1, "keen").play(6)


def test_it_is_so_after_a_save_and_in_machine_code(tmp_path: Path) -> None:
    made = game(tmp_path, 'prefer "bid/*" nearest (if lot = 1 then $3 else $1) by 5')
    table = made.start(seed=2)
    table.play("bid/2")
    table.play("keep")
    table.save(tmp_path / "kept.json")
    ichiba.load(tmp_path / "small", 2, trust=True, native=True)
    decision = ichiba.resume(tmp_path / "kept.json").decision
    assert decision is not None
    again = decision.table.game
    assert Preferring(again, "keen", Random(1)).weights(decision) == [5, 4, 3, 2, 1]


# --- what is wrong


@pytest.mark.parametrize(
    "policy",
    [
        'prefer "bid" nearest 3                      ### E340: there are none',
        'prefer "*/*" nearest 3                      ### E340: there are 2',
        'prefer "bid/*" nearest me                   ### E340: `nearest` wants a number or an amount; this is a seat',
        'prefer "bid/*" nearest prise                ### E205: nothing is called `prise`',
        'prefer "bid/{b}"                            ### E205: nothing is called `b` in `bid/{b}`',
        'prefer "bid/{me.cash}"                      ### E205: `{me.cash}` in `bid/{me.cash}` is no name',
        'prefer "sell" by number(secret_price)       ### E205',
        "let never = nobody                          ### E205\n    prefer \"bid/*\"",
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(policy: str, tmp_path: Path) -> None:
    check(tmp_path, f"""\
procedure turn:
    choose bid from 1 to 3 "Bid"

procedure elsewhere:
    let secret_price = 3
    choose bid from 1 to secret_price "Bid"

play:
    as seat(1):
        turn
        elsewhere

policy keen:
    {policy}
""")


def test_what_a_procedure_knows_and_the_seat_may_not_is_told(tmp_path: Path) -> None:
    turn = """\
add to seat:
    counter kept: 0 .. 9, hidden

procedure turn:
    let held = seat(2).kept
    let mine = my.kept
    choose bid from 1 to 3 "Bid"
    lower my.kept by mine + 0 * held
"""
    with pytest.raises(ichiba.RulesetFaults) as caught:
        game(tmp_path, 'prefer "bid/*" nearest held', turn)
    assert "error[E532]: the policy `keen` reads `kept` of others, which its seat may not see" in str(caught.value)
    assert weights(game(tmp_path, 'prefer "bid/*" nearest mine', turn)) == {"bid/1": 1, "bid/2": 0, "bid/3": -1}
