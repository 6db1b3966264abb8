"""Whatever the config gives for an assumption: it is refused by the assumption's name, or the game plays on to its end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

import ichiba
from ichiba.dsl.faults.fault import Fault, Faults, RulesetFaults
from ichiba.dsl.parts import parts_of
from ichiba.dsl.ruleset import read_box
from ichiba.dsl.yaml.declarations import Box
from ichiba.dsl.yaml.reading import plain
from ichiba.interpreter.api import rulesets
from tests.conftest import Tally

HUGE = 10**9
EVERY = {"tokyo_tsukiji_market": 121}  # of a game's odd values only each so-manieth, but in the long tests
ODD: tuple[object, ...] = (0, 1, -1, HUGE, "two", True, None, [], {}, [1], {"1": 1}, 2.5)
Odd = tuple[str, str, str, object]  # game, assumption, what of it, the value


def odd_like(own: object) -> Iterator[object]:
    """Values of the right form: shorter, longer, huge, none, as JSON has them."""
    if isinstance(own, list):
        yield from (own[:-1], [*own, *own[-1:]], [HUGE] * len(own), [-1] * len(own), [0] * len(own), own[1:])
    if isinstance(own, dict):
        yield json.loads(json.dumps(own))
        for value in (0, -1, HUGE):
            yield {str(key): [value] * len(row) if isinstance(row, list) else value for key, row in own.items()}
        yield {key: row[:-1] if isinstance(row, list) else row for key, row in own.items()}
        yield {key: [*row, *row[-1:]] if isinstance(row, list) else row for key, row in own.items()}
        yield dict(list(own.items())[1:])


def covered(box: Box) -> Iterator[tuple[str, str, object]]:
    """Each thing that an assumption covers, and what the file says of it."""
    for fact in (*box.numbers, *box.tables):
        yield fact.assumption, fact.name, plain(fact.value)
    for decl in box.pieces:
        yield decl.assumption, decl.name, plain(decl.number) if decl.number is not None else numbers(box, decl.name, "")
    for things in box.things:
        yield things.assumption, things.kind, [{name: plain(node) for name, node in item.fields} for item in things.items]
    for board in box.boards:
        for field, id in board.assumptions:
            own: object = next((plain(node) for name, node in board.fields if name == field), None)
            yield id, f"{board.name}.{field}", own if field != "pieces" else numbers(box, "", board.name)


def numbers(box: Box, family: str, board: str) -> dict[str, object]:
    items = [item for decl in box.pieces if family in ("", decl.name) and decl.board == board for item in decl.items or ()]
    return {item.name: next((plain(node) for name, node in item.fields if name == "number"), 1) for item in items}


@cache
def setting(game: str) -> tuple[int, list[str]]:
    """As few as can play, but two, with all modules."""
    folder = rulesets()[game]
    modules = [name for name, part in parts_of(folder).items() if part.what == "module"]
    return max(2, read_box(folder, (), Faults()).seats[0]), modules


def all_odd() -> list[Odd]:
    found: list[Odd] = []
    for game, folder in rulesets().items():
        for id, name, own in covered(read_box(folder, tuple(setting(game)[1]), Faults())):
            found += [(game, id, name, value) for value in (*ODD, *odd_like(own)) if id]
    return found


CASES = all_odd()
QUICK = [case for n, case in enumerate(CASES) if n % EVERY.get(case[0], 6) == 0]


def names_it(fault: Fault, id: str) -> bool:
    words = " ".join((fault.message, fault.label, *fault.notes))
    return id in words or fault.span is not None and id in fault.span.source.path


def refused_or_played(case: Odd, tally: Tally) -> None:
    game, id, name, value = case
    seats, modules = setting(game)
    try:
        loaded = ichiba.load(game, seats, modules=modules, assumptions={id: {name: value}}, trust=True)
    except RulesetFaults as found:
        assert all(names_it(fault, id) for fault in found.faults if fault.severity == "error"), str(found)
        tally(refused=1)
        return
    for seed in range(2):
        random, table = Random(seed), loaded.start(seed)
        while table.codes and len(table.history) < 5000:
            table.step(random.randrange(len(table.codes)))
        tally(games=1)


@pytest.mark.parametrize("case", QUICK, ids=lambda case: f"{case[1]}-{case[2]}")
def test_an_odd_override_is_refused_by_name_or_played(case: Odd, tally: Tally) -> None:
    refused_or_played(case, tally)


@pytest.mark.soak
@pytest.mark.parametrize("case", [case for case in CASES if case not in QUICK], ids=lambda case: f"{case[1]}-{case[2]}")
def test_so_is_every_other(case: Odd, tally: Tally) -> None:
    refused_or_played(case, tally)


@pytest.mark.parametrize("given", [{"product": 7, "takusan": 9, "yakuza": 12}, {"product": {"2": 20}, "yakuza": {"2": 30}}])
def test_more_cards_of_the_yakuza_can_all_be_taken(given: dict[str, object]) -> None:
    game = ichiba.load("tsukiji", 2, assumptions={"A-TSU-01": given}, trust=True)
    for seed in range(10):
        random, table = Random(seed), game.start(seed)
        while table.codes:
            table.step(random.randrange(len(table.codes)))


def test_an_option_that_the_game_does_not_bear_is_named_by_what_follows_from_it() -> None:
    """What goes wrong further on says from which choice it follows, and what the game has otherwise."""
    with pytest.raises(RulesetFaults) as caught:
        ichiba.load("tsukiji", 2, assumptions={"A-TSU-01": {"product": -1}, "A-TSU-03": {1: 3}}, trust=True)
    assert str(caught.value).startswith("error[E106]: there cannot be -1 of a piece\n")
    note = "it follows from the assumption A-TSU-01: {'product': -1}; the game has product: {2: 9, 3: 12, 4: 15}"
    assert all(note in fault.notes[-1] and "A-TSU-03" not in fault.notes[-1] for fault in caught.value.faults)
