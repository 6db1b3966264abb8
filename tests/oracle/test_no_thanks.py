"""No Thanks! against the hand-written engine: the same chance, the same answers, the same game."""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

import ichiba
from tests.twins.base import ScriptedChance
from tests.twins.no_thanks import NoThanks

Choice = Callable[[Random, list[str]], str]
Moment = tuple[dict[str, object], list[str], str]  # the table before, what could be answered, what was


def anything(random: Random, keys: list[str]) -> str:
    return random.choice(keys)


def spender(random: Random, keys: list[str]) -> str:
    """Pays as long as there are chips, so that seats run out of them."""
    return "pay" if "pay" in keys and random.random() < 0.95 else "take"


@cache
def game_for(seats: int) -> ichiba.Game:
    return ichiba.load("no_thanks", seats=seats)


def number(table: ichiba.Table, expression: str) -> int:
    found = table.ask(expression)
    assert isinstance(found, int)
    return found


def cards(table: ichiba.Table, seat: int) -> list[int]:
    found = table.ask(f"seat({seat}).cards")
    assert isinstance(found, list)
    return [int(name) for name in found]


def facts(table: ichiba.Table) -> dict[str, object]:
    """The table in the words of the twin's `facts()`."""
    decision, offer = table.decision, table.ask("offer")
    seats = range(1, table.game.seats + 1)
    return {
        "seat": decision.seat if decision else 0,
        "over": table.over,
        "card": None if offer is None else int(str(offer)),
        "pot": number(table, "pot"),
        "to_come": 24 - number(table, "turned"),
        "chips": {str(s): number(table, f"seat({s}).chips") for s in seats},
        "cards": {str(s): sorted(cards(table, s)) for s in seats},
    }


def played(seats: int, seed: int, choice: Choice) -> tuple[ichiba.Table, list[Moment]]:
    """A whole game of the rules engine."""
    random = Random(seed)
    table = game_for(seats).start(seed=seed)
    moments: list[Moment] = []
    while (decision := table.decision) is not None:
        keys = decision.keys()
        key = choice(random, keys)
        moments.append((facts(table), keys, key))
        table.play(key)
    return table, moments


def compare(seats: int, seed: int, choice: Choice) -> None:
    table, moments = played(seats, seed, choice)
    chance = ScriptedChance(str(item["key"]).split("/")[1] for item in table.log if item["event"] == "chance")
    twin = NoThanks(seats, chance, start_player=0)
    for before, keys, key in moments:
        assert twin.facts() == before
        assert twin.options() == keys
        twin.play(key)
    assert twin.facts() == facts(table)
    assert chance.left == []
    assert twin.scores == table.scores
    assert twin.ranking == table.ranking


@pytest.mark.parametrize("choice", [anything, spender])
@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_the_rules_and_the_twin_play_the_same_game(seats: int, choice: Choice) -> None:
    for seed in range(10):
        compare(seats, seed, choice)


@pytest.mark.soak
@pytest.mark.parametrize("choice", [anything, spender])
@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_the_rules_and_the_twin_play_the_same_games(seats: int, choice: Choice) -> None:
    for seed in range(1000):
        compare(seats, seed, choice)
