"""Two tables that a seat cannot tell apart tell it the same, byte for byte; and a leak that is planted is caught."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, cycle
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.dsl.program import program
from ichiba.interpreter.runtime.runtime import RuleFault
from ichiba.interpreter.saves import records, teller
from ichiba.interpreter.sight import effects, views
from tests.conftest import Tally
from tests.properties import whispers
from tests.properties.pairs import Pair, differences, pairs_of
from tests.properties.tables import HEAVY, Setting, every, few, loaded, moments, plain, slice_of, whole
from tests.properties.test_imagined import OFTEN

# ----------------------------------------------------------------------------------- nothing leaks


def leaks(game: ichiba.Game, seed: int, most: int, every_nth: int) -> tuple[int, list[str]]:
    """How many pairs there were along a random game, and where they were told apart."""
    random, seeds = Random(seed), count(seed * 1000)
    compared, found = 0, []
    for number, table in enumerate(moments(game, seed, most)):
        if random.random() * every_nth >= 1 and not table.over:
            continue
        seat = (
            random.choice([d.seat for d in table.pending] or [1])
            if random.random() < 0.7
            else random.randint(1, game.seats)
        )
        for pair in pairs_of(table, seat, seeds, 2):
            compared += 1
            found += [f"{where} after {number} decisions, seat {seat}" for where in differences(pair, seat, random)]
    return compared, found


def none_leaks(setting: Setting, seeds: Iterable[int], most: int, every_nth: int, tally: Tally) -> int:
    """Along random games nobody is told what they must not know; how many pairs of tables were compared."""
    compared = 0
    for seed in seeds:
        pairs, found = leaks(loaded(setting), seed, most, every_nth)
        assert not found
        compared += pairs
        tally(games=1)
    tally(pairs=compared)
    return compared


@pytest.mark.parametrize("ruleset", OFTEN)
def test_tables_that_a_seat_cannot_tell_apart_tell_it_the_same(ruleset: str, tally: Tally) -> None:
    compared = 0
    heavy = ruleset in HEAVY or ruleset == "tsukiji"
    for setting in [s for s in plain() if s.ruleset == ruleset][-1:]:
        compared += none_leaks(setting, range(21, 22 if heavy else 27), slice_of(setting), 6 if heavy else 3, tally)
    assert compared >= 5, f"only {compared} pairs"


SWITCHED_ON = [setting for ruleset in OFTEN for setting in few(ruleset)[:1]]


@every(SWITCHED_ON)
def test_nothing_leaks_with_something_switched_on(setting: Setting, tally: Tally) -> None:
    none_leaks(setting, [20], slice_of(setting, 40), 8, tally)


@pytest.mark.soak
@every(whole())
def test_nothing_that_can_be_switched_on_leaks(setting: Setting, tally: Tally) -> None:
    heavy = setting.ruleset in HEAVY
    none_leaks(setting, range(2 if heavy else 10), 10**9, 25 if heavy else 3, tally)


MANY = {"shinjuku": 400, "tsukiji": 3_000}  # pairs of a ruleset; of the quick ones 10,000


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", OFTEN)
def test_no_ruleset_leaks_in_many_games(ruleset: str, tally: Tally) -> None:
    compared = 0
    settings = cycle([setting for setting in whole() if setting.ruleset == ruleset])
    for seed in range(100, 10_000):
        compared += none_leaks(next(settings), [seed], 10**9, 10 if ruleset in HEAVY else 2, tally)
        if compared >= MANY.get(ruleset, 10_000):
            return
    raise AssertionError(f"only {compared} pairs")


# --------------------------------------------------------------------------------- planted leaks


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[int, Pair]]:
    """Seats, and tables of the sound game that they cannot tell apart."""
    game, seeds, random = whispers.made(tmp_path_factory.mktemp("sound")), count(), Random(1)
    found: list[tuple[int, Pair]] = []
    for seed in range(10):
        for table in moments(game, seed):
            seat = random.randint(1, 3)
            found += [(seat, pair) for pair in pairs_of(table.copy(), seat, seeds, 1)]
    assert len(found) >= 100
    return found


def transplanted(table: ichiba.Table, game: ichiba.Game) -> ichiba.Table | None:
    """The same game at another ruleset's table: the same chance, the same answers by their keys, as far as it asks."""
    new = game.start(seed=table.seed)
    for item in table.log:
        if item["event"] != "decision" or item.get("forced"):
            continue
        seat, key = int(str(item["seat"])), str(item["key"])
        asked = next((d for d in new.pending if d.seat == seat), None)
        if asked is not None and key in asked.keys():  # noqa: SIM118
            new.play(key, seat=seat)
        elif asked is not None and asked.path == item["path"] and asked.name == key.split("/")[0]:
            return None  # what was answered cannot be answered here
    return new


def caught(pairs: list[tuple[int, Pair]], game: ichiba.Game) -> Iterator[str]:
    """Where the two tables of a pair are told apart in another ruleset."""
    random = Random(2)
    for seat, (one, other) in pairs:
        try:
            new = transplanted(one, game), transplanted(other, game)
        except RuleFault:
            continue
        if new[0] is not None and new[1] is not None:
            yield from differences((new[0], new[1]), seat, random)
        elif new[0] is not new[1]:
            yield "an answer that only one of them takes"


def test_the_sound_game_tells_nothing(pairs: list[tuple[int, Pair]], tmp_path: Path) -> None:
    assert not list(caught(pairs, whispers.made(tmp_path)))


@pytest.mark.parametrize("plant", whispers.PLANTS, ids=str)
def test_a_planted_leak_is_caught(
    plant: whispers.Plant,
    pairs: list[tuple[int, Pair]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tally: Tally,
) -> None:
    break_engine(plant, monkeypatch)
    assert any(caught(pairs, whispers.made(tmp_path, plant)))
    tally(planted_leaks_caught=1)


def break_engine(plant: whispers.Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine tells what it must not."""
    match plant.engine:
        case "skip":
            monkeypatch.setattr(program, "mark_hiding_questions", lambda program: None)
        case "chance":
            monkeypatch.setattr(records.Teller, "_audience", lambda self, S, target: "all")
        case "answers":
            kept = teller.decision_item
            monkeypatch.setattr(
                teller, "decision_item", lambda *args, **named: kept(*args, **named) | {"audience": "all"}
            )
        case "effects":
            monkeypatch.setattr(effects.Places, "_audience", lambda self, readers: "all")
        case "pieces":
            monkeypatch.setattr(effects.Places, "level", lambda self, state, zone, reader: effects.ALL)
        case "options":
            monkeypatch.setattr(views.Viewer, "_pending", lambda self: [[d.seat, d.keys()] for d in self.table.pending])
        case "gaps":
            monkeypatch.setattr(
                views.Viewer, "view", lambda self, log=True: [i for i in self.table.log if views.visible(i, self.seat)]
            )
