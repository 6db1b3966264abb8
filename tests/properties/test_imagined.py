"""What a seat imagines agrees with all it has seen, differs where it cannot know, and can be played on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from itertools import count, product
from random import Random

import pytest

import ichiba
from ichiba.interpreter.saves.records import load_save
from ichiba.interpreter.sight.imagine import Imagination, imagined
from tests.conftest import Tally
from tests.properties.pairs import differ
from tests.properties.tables import HEAVY, Setting, chosen, every, loaded, moments, plain, sampled, slice_of, whole
from tests.properties.test_conservation import Count

# Of a hundred imagined tables in the middle of a game so many differ at least. Games that are missing here hide
# nothing that could be otherwise: what nobody knows in them is decided when it is seen.
OFTEN = {
    "first_price_auction": 50,
    "goofspiel": 15,
    "leduc_poker": 30,
    "liars_dice": 20,
    "oshi_zumo": 10,
    "shinjuku": 60,
    "tsukiji": 20,
}


def seen_by(table: ichiba.Table, seat: int) -> bytes:
    return json.dumps([table.view(seat), table.view()], ensure_ascii=False).encode()


def check_imagined(game: ichiba.Game, seed: int, most: int, every_nth: int) -> tuple[int, int, int]:
    """Imagined tables along a random game: how many, how many are others, how many came by changing places."""
    random, conserved, seeds = Random(seed), Count(game), count()
    made = others = swapped = 0
    for number, table in enumerate(moments(game, seed, most)):
        if number and random.random() * every_nth >= 1 and not table.over:
            continue
        seat = random.randint(1, game.seats)
        imagination = Imagination(table, seat)
        before = table.state[:]
        for _ in range(2):
            other = imagination.table(next(seeds))
            made += 1
            others += differ((table, other), seat)
            assert seen_by(other, seat) == seen_by(table, seat)
            assert seen_by(other, seat) == seen_by(other.copy(), seat)
            conserved.check(other.state, "in an imagined table")
            play_on(other, random)
        assert table.state == before
        swapped += imagination.swapped
    return made, others, swapped


def play_on(table: ichiba.Table, random: Random) -> None:
    """An imagined table is a table like any other."""
    log, state = table.log, table.state[:]
    for _ in range(3):
        if not table.over:
            seat, place = chosen(table, random)
            table.play(place, seat=seat)
    assert table.log[: len(log)] == log or table.over
    while table.state != state:
        table.undo()
    assert table.log == log


@every(sampled("imagined"))
def test_imagined_tables_look_the_same_to_the_seat(setting: Setting, tally: Tally) -> None:
    made, _, _ = check_imagined(loaded(setting), 3, slice_of(setting, 40), 12)
    assert made
    tally(imagined_tables=made, games=1)


def often(settings: list[Setting], seeds: Iterable[int], every_nth: int, tally: Tally) -> None:
    """Of the imagined tables enough are others, and few of them had to be made from the true one."""
    made = others = swapped = 0
    for setting, seed in product(settings, seeds):
        found = check_imagined(loaded(setting), seed, slice_of(setting), every_nth)
        made, others, swapped = (a + b for a, b in zip((made, others, swapped), found))
    assert others * 100 >= OFTEN[settings[0].ruleset] * made, f"{others} of {made}"
    assert swapped * 4 <= made, f"{swapped} of {made} could only be made from the true game"
    tally(imagined_tables=made, other_tables=others)


@pytest.mark.parametrize("ruleset", OFTEN)
def test_imagined_tables_differ_often_enough(ruleset: str, tally: Tally) -> None:
    heavy = ruleset in HEAVY or ruleset == "tsukiji"
    settings = [s for s in plain() if s.ruleset == ruleset]
    often(settings[:1] if heavy else settings[:3], [4] if heavy else [4, 5, 6], 8 if ruleset in HEAVY else 3, tally)


@pytest.mark.soak
@pytest.mark.parametrize("ruleset", OFTEN)
def test_imagined_tables_differ_often_enough_in_many_games(ruleset: str, tally: Tally) -> None:
    settings = [s for s in plain() if s.ruleset == ruleset]
    often(settings, range(30, 32 if ruleset in HEAVY else 50), 3, tally)


@pytest.mark.soak
@every(whole())
def test_whole_games_can_be_imagined(setting: Setting, tally: Tally) -> None:
    for seed in range(6, 7 if setting.ruleset in HEAVY else 12):
        made, others, _ = check_imagined(loaded(setting), seed, 10**9, 25 if setting.ruleset in HEAVY else 5)
        tally(imagined_tables=made, other_tables=others, games=1)


@every(sampled("depends", heavy=1))
def test_what_is_imagined_depends_on_nothing_but_what_was_seen(setting: Setting) -> None:
    """Two tables that a seat cannot tell apart make it imagine the same ones."""
    random, seeds = Random(9), count()
    for number, table in enumerate(moments(loaded(setting), 9, slice_of(setting, 30))):
        if number % 9:
            continue
        seat = random.randint(1, setting.seats)
        other = imagined(table, seat, next(seeds))
        here, there = Imagination(table, seat), Imagination(other, seat)
        for seed in range(2):
            one, two = here.table(seed), there.table(seed)
            if not here.swapped and not there.swapped:
                assert (one.state, one.seed) == (two.state, two.seed)


def test_a_card_that_nobody_has_seen_is_every_card_alike_often() -> None:
    """Leduc poker: of the five other cards each is as likely in the other hand, before and after the open card."""
    game = ichiba.load("leduc_poker", seats=2)
    table = game.start(seed=5)
    table.play("call")
    table.play("call")
    hand = game.world.seat["hand"]
    own = [game.layout.sort_at[c] for c in range(hand.base, hand.base + hand.width) if table.state[c]]
    shown = str(table.ask("open_card"))
    imagination = Imagination(table, 1)
    found: Counter[int] = Counter()
    for seed in range(2000):
        state = imagination.table(seed).state
        first = hand.place((1,))
        found.update(game.layout.sort_at[c] for c in range(first, first + hand.width) if state[c])
    assert len(found) == 4 and not set(own) & set(found)
    assert shown not in {game.world.sorts[sort].name for sort in found}
    assert all(400 < n < 600 for n in found.values()), found


def test_the_future_of_an_imagined_table_is_its_own() -> None:
    game = ichiba.load("no_thanks", seats=3)
    table = game.start(seed=1)
    seen = set()
    for seed in range(20):
        other = imagined(table, 1, seed)
        other.play("take")
        seen.add(str(other.log[-1]["key"]))
    assert len(seen) > 10


def test_an_imagined_table_can_be_saved(tmp_path: object) -> None:
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    game = ichiba.load("goofspiel", seats=3)
    *_, table = moments(game, 2, 10)
    other = imagined(table, 2, 7)
    other.save(tmp_path / "imagined.json")
    again = load_save(tmp_path / "imagined.json", lambda *args, **named: game)
    assert (again.state, again.log) == (other.state, other.log)


def test_only_seats_of_the_game_imagine() -> None:
    table = ichiba.load("no_thanks", seats=3).start(seed=1)
    with pytest.raises(ValueError, match="there are seats 1 to 3; 4 is none of them"):
        imagined(table, 4)
