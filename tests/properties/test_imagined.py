"""What a seat imagines agrees with all it has seen, differs where it cannot know, and can be played on."""

from __future__ import annotations

import json
from collections import Counter
from itertools import count
from random import Random

import pytest

import ichiba
from ichiba.interpreter.imagine import Imagination, imagined
from ichiba.interpreter.records import load_save
from tests.properties.pairs import differ
from tests.properties.tables import Setting, chosen, every, loaded, moments, paired, plain, slice_of
from tests.properties.test_conservation import Count

# Of a hundred imagined tables in the middle of a game so many differ at least. Games that are missing here hide
# nothing that could be otherwise: what nobody knows in them is decided when it is seen.
OFTEN = {"first_price_auction": 50, "goofspiel": 10, "leduc_poker": 30, "liars_dice": 20, "shinjuku": 60, "tsukiji": 10}


def seen_by(table: ichiba.Table, seat: int) -> bytes:
    return json.dumps([table.view(seat), table.view()], ensure_ascii=False).encode()


def check_imagined(game: ichiba.Game, seed: int, most: int, every_nth: int) -> tuple[int, int, int]:
    """Imagined tables along a random game: how many, how many are others, how many came by changing places."""
    random, conserved, seeds = Random(seed), Count(game), count()
    made = others = swapped = 0
    for number, table in enumerate(moments(game, seed, most)):
        if number % every_nth and not table.over:
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


@every(plain())
def test_imagined_tables_look_the_same_to_the_seat(setting: Setting) -> None:
    made, _, _ = check_imagined(loaded(setting), 3, slice_of(setting, 60), 12)
    assert made


@pytest.mark.parametrize("ruleset", OFTEN)
def test_imagined_tables_differ_often_enough(ruleset: str) -> None:
    made = others = swapped = 0
    for setting in [s for s in plain() if s.ruleset == ruleset][:3]:
        most = slice_of(setting)
        found = check_imagined(loaded(setting), 4, most, 3 if most > 100 else 6)
        made, others, swapped = (a + b for a, b in zip((made, others, swapped), found))
    assert others * 100 >= OFTEN[ruleset] * made, f"{others} of {made}"
    assert swapped * 4 <= made, f"{swapped} of {made} could only be made from the true game"


@pytest.mark.soak
@every(paired())
def test_whole_games_can_be_imagined_whatever_is_switched_on(setting: Setting) -> None:
    check_imagined(loaded(setting), 5, 10**9, 25)


@pytest.mark.soak
@every(plain())
def test_whole_games_can_be_imagined(setting: Setting) -> None:
    for seed in range(6, 9):
        check_imagined(loaded(setting), seed, 10**9, 20)


@every(plain())
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
