"""A table that C steps by itself: on every attribute what Python's own `step` leaves there, whatever it is given."""

from __future__ import annotations

import copy
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.interpreter.layout import CHANCE
from ichiba.interpreter.run import table as in_python
from ichiba.interpreter.run.table import Table
from ichiba.interpreter.runtime.chance import told_seed
from ichiba.interpreter.runtime.runtime import RuleFault
from tests.conftest import Tally

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

GAMES = ("tsukiji", "no_thanks", "liars_dice", "caravan_yard", "goofspiel")


def plain_step(table: Table, place: int) -> None:
    """As the class says it in Python, whoever steps the table otherwise."""
    Table.step(table, place)


def all_of(table: Table) -> tuple[object, ...]:
    return list(table.state), list(table.legal()), list(table.codes), list(table.history), table.fault


@pytest.mark.parametrize("name", GAMES)
def test_c_leaves_what_python_leaves(name: str, tally: Tally) -> None:
    game = ichiba.load(name, native=True)
    for seed in range(4):
        one, other, random = game.start(seed), game.start(seed), Random(seed)
        assert type(one).step is not Table.step, "C steps it"
        while one.legal():
            place = random.randrange(len(one.legal()))
            one.step(place)
            plain_step(other, place)
            assert all_of(one) == all_of(other)
            tally(decisions=1)
        assert one.scores == other.scores and one.log == other.log


@pytest.mark.parametrize("copied", [Table.copy, copy.copy])
def test_copies_and_undo_go_on_in_c(copied: Callable[[Table], Table]) -> None:
    table = ichiba.load("tsukiji", native=True).start(3)
    for _ in range(10):
        table.step(0)
    again = copied(table.copy())
    assert type(again) is type(table)
    table.step(1)
    again.step(1)
    assert all_of(table) == all_of(again)
    again.undo(4)
    again.step(0)
    assert len(again.history) == 8


@pytest.mark.parametrize("place", [99, 10**30, -99, "0", None, 1.0])
def test_what_is_no_place_is_refused_as_python_refuses_it(place: object) -> None:
    game = ichiba.load("no_thanks", native=True)
    table, other = game.start(1), game.start(1)
    with pytest.raises((IndexError, TypeError)) as by_c:
        table.step(place)  # type: ignore[arg-type]
    with pytest.raises((IndexError, TypeError)) as by_python:
        plain_step(other, place)  # type: ignore[arg-type]
    assert type(by_c.value) is type(by_python.value)
    assert all_of(table) == all_of(other) and table.history == []


def test_places_from_the_end_are_places() -> None:
    game = ichiba.load("no_thanks", native=True)
    one, other = game.start(1), game.start(1)
    one.step(-1)
    plain_step(other, -1)
    assert all_of(one) == all_of(other)


def test_a_game_that_is_over_takes_no_more() -> None:
    table = ichiba.load("no_thanks", native=True).start(1)
    while table.legal():
        table.step(0)
    with pytest.raises(IndexError):
        table.step(0)


def test_whoever_listens_is_told_by_python() -> None:
    table = ichiba.load("no_thanks", native=True).start(1)
    table.step(0)
    from ichiba.interpreter.saves.records import Teller

    teller = Teller(table.game, table.game.chance_words(table.seed))
    table.listen(teller)
    other = table.game.start(1)
    other.step(0)
    table.step(0)
    other.step(0)
    assert list(table.state) == list(other.state) and table.history == other.history


def test_as_many_decisions_as_a_game_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_python, "MOST_DECISIONS", 3)  # C leaves the last ones of 100,000 to Python: it is this that is looked at
    table = ichiba.load("no_thanks", native=True).start(1)
    table.history.extend([(-1, 0)] * (100_000 - 1))
    table.step(0)
    assert table.fault is not None and "at most 3 decisions" in str(table.fault)


def test_a_fault_leaves_the_table_as_it_was(odd: Path) -> None:
    said = []
    for native in (True, False):
        table = ichiba.load(odd, trust=True, native=native).start(1)
        assert table.game.native is native
        before = all_of(table)
        with pytest.raises(RuleFault) as fault:
            for _ in range(9):
                before = all_of(table)
                table.step(0)
        assert all_of(table)[:-1] == before[:-1] and table.fault is fault.value
        with pytest.raises(RuleFault):
            table.step(1)
        assert all_of(table)[:-1] == before[:-1]
        said.append((str(fault.value), table.log))
    assert said[0] == said[1]


@pytest.mark.parametrize("seed", [7, "told 00000001 x", told_seed([3] * 20, "told"), "a word"])
@pytest.mark.parametrize("name", ["tsukiji", "liars_dice"])
def test_words_of_chance_are_those_of_python_told_or_not(name: str, seed: int | str) -> None:
    """Also when chance goes another way in the middle, and where Python has already made words that C needs next."""
    played = []
    for native in (False, True):
        table, random = ichiba.load(name, native=native).start(seed), Random(1)
        for number in range(90):
            if number == 30:
                table.rekey("elsewhere")
            if number == 50:
                table.context.words.more(table.state[CHANCE] + 20)
            if not table.codes:
                break
            table.step(random.randrange(len(table.codes)))
        played.append((list(table.state), table.history, table.log))
    assert played[0] == played[1]


def test_what_makes_the_words_of_a_table_is_made_once() -> None:
    """Copies have it in common, also where they stand at different words; what is stored elsewhere makes it again."""
    game, random = ichiba.load("tsukiji", native=True), Random(5)
    table = game.start(5)
    words = table.context.words
    maker = words.in_c
    assert maker is not None
    behind = table.copy()
    while table.legal():
        table.step(random.randrange(len(table.legal())))
    assert words.in_c is behind.context.words.in_c is maker
    random = Random(5)
    while behind.legal():
        behind.step(random.randrange(len(behind.legal())))
    assert words.in_c is maker and all_of(behind) == all_of(table)
    for elsewhere in (pickle.loads(pickle.dumps(words)), copy.deepcopy(words)):
        assert elsewhere.in_c is None and elsewhere.key == words.key


def test_what_another_game_has_left_with_the_words_is_not_taken() -> None:
    """Each library knows its own only."""
    first, second = ichiba.load("tsukiji", native=True), ichiba.load("tsukiji", seats=3, native=True)
    one, other, alone = first.start(8), second.start(8), second.start(8)
    other.context = one.context
    while one.legal() and other.legal():
        one.step(0)
        other.step(0)
        alone.step(0)
    assert all_of(other)[:4] == all_of(alone)[:4]
