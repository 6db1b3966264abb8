"""Claims about what is told at a table: only the last lines are held, and whoever asks for earlier ones gets the same story."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from ichiba.interpreter.api import load
from ichiba.interpreter.run.game import Game
from ichiba.interpreter.run.table import Table
from ichiba.table.scene.telling.story import Story, lines
from ichiba.table.sitting import ears
from ichiba.table.sitting.course import Course
from ichiba.table.sitting.ears import HELD, Ears
from ichiba.table.sitting.setup import Setup
from tests.properties import outcry, whispers

GAMES = ["tsukiji", "no_thanks", "goofspiel", "tokyo_tsukiji_market"]


def whole(table: Table, seat: int | None) -> list[str]:
    """The story at once, from its beginning."""
    return [line.words for line in lines(table.game, Story(table).items(seat), scores=False)]


def told(hearing: Ears, seat: int | None) -> list[str]:
    """The story from page to page, from its end."""
    heard = hearing.lines(seat)
    first, found = heard.gone, [line.words for line in heard.lines]
    assert len(found) <= HELD + 1
    while first:
        first, page = hearing.earlier(seat, first)
        found = [line.words for line in page] + found
    return found


def hears_all(table: Table, random: Random) -> None:
    """Some listen at every moment, others seldom; all are told the same as whoever comes at the end."""
    seats = (None, *range(1, table.game.seats + 1))
    hearing = Ears(table)
    number = 0
    while not table.over and number < 260:
        decision = random.choice(table.pending)
        table.play(random.choice(decision.keys()), decision.seat)
        number += 1
        if random.random() < 0.05:
            table.undo(random.randint(1, min(4, len(table.history))))
        for seat in seats:
            if random.random() < (0.6 if seat != 2 else 0.02):
                hearing.lines(seat)
        if number % 40 == 0:
            for seat in seats:
                assert told(hearing, seat) == whole(table, seat)
    for seat in seats:
        assert told(hearing, seat) == whole(table, seat)
        fresh = Ears(table)
        assert fresh.lines(seat).lines[-1:] == hearing.lines(seat).lines[-1:]
        assert fresh.since(seat) == hearing.since(seat)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_told_page_by_page_is_the_whole_story(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ears, "MOST_UNHEARD", 60)
    hears_all(load(game, 3 if game != "goofspiel" else 2).start(5), Random(game))


@pytest.mark.parametrize("make", [whispers.made, outcry.made], ids=["sealed_bids", "races"])
def test_also_where_much_is_secret(make: Callable[[Path], Game], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ears, "MOST_UNHEARD", 20)
    game = make(tmp_path)
    for seed in range(3):
        hears_all(game.start(seed), Random(seed))


def test_of_a_long_game_little_is_held() -> None:
    table = load("tokyo_tsukiji_market", 3).start(1)
    hearing, random = Ears(table), Random(1)
    while not table.over and len(table.history) < 300:
        table.step(random.randrange(len(table.legal())))
        hearing.lines(1)
        assert len(hearing.story.replay.teller.items) < 400
    assert hearing.story.happened > 300 and len(hearing.story.replay.teller.items) < 60


def test_moments_that_can_be_looked_back_to_are_those_a_fresh_look_finds() -> None:
    setup = Setup("goofspiel", 3, 4)
    course = Course(setup.load(), setup)
    hearing, random = Ears(course.table), Random(2)
    while not course.table.over:
        decision = random.choice(course.table.pending)
        course.apply("answer", {"seat": decision.seat, "key": random.choice(decision.keys())})
        if random.random() < 0.1:
            course.apply("undo", {"to": random.randrange(len(course.given))})
        for seat in (None, 1, 2, 3):
            assert hearing.steps(seat, course.given) == Ears(course.table).steps(seat, course.given)
