"""Scenarios are played in games of which only the build that tells everything was made: they are the games that people play."""

from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.interpreter.api import folder_of
from ichiba.interpreter.run import cache
from ichiba.interpreter.run.game import Game, dump, undump
from ichiba.lab.coverage import marked
from ichiba.lab.scenarios import Games, Setting
from tests.conftest import Tally
from tests.properties.tables import Setting as Ways
from tests.properties.tables import every, loaded, sampled

MOST = 60  # decisions


def story(game: Game, seed: int) -> list[object]:
    """A game at random, with all that can be asked of a table on the way."""
    table, random, told = game.start(seed), Random(seed), list[object]()
    while table.codes and len(told) < MOST:
        decision = table.decision
        assert decision is not None
        told.append((decision.seat, decision.keys(), table.why_not("nothing/of/this/name")))
        table.play(random.choice(decision.keys()), decision.seat)
    return [*told, table.log, [table.view(seat) for seat in (None, *range(1, game.seats + 1))], table.scores]


def nothing_is_made_now(key: str, game: Game) -> None:
    raise AssertionError(f"{game} has been made once more")


@every(sampled("telling"))
def test_it_is_played_told_and_seen_as_the_other_is(setting: Ways, tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    game = loaded(setting)
    monkeypatch.setenv("ICHIBA_CACHE", "off")  # where the whole game might be
    told = Games(folder_of(setting.ruleset))(
        Setting(game.seats, game.config.modules, game.config.variants, game.config.options, game.config.assumptions)
    )
    assert told.telling and not game.telling
    for seed in range(2):
        assert story(told, seed) == story(game, seed)
    tally(games=2)


def test_it_is_kept_and_taken_out_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path))
    folder = folder_of("no_thanks")
    made = Games(folder)(Setting(3))
    whole = ichiba.load(folder, seats=4)
    monkeypatch.setattr(cache, "keep", nothing_is_made_now)
    again = Games(folder)(Setting(3))
    assert again is not made and again.telling
    assert story(again, 7) == story(made, 7)
    assert Games(folder)(Setting(4)).telling is whole.telling is False


def test_the_build_that_tells_is_kept_with_the_game_as_soon_as_somebody_has_asked_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path))
    made = ichiba.load("no_thanks", seats=3)
    assert ichiba.load("no_thanks", seats=3).worked_out.traced_text is None
    told = story(made, 7)
    again = ichiba.load("no_thanks", seats=3)
    assert again.worked_out.traced_text is not None and not again.telling
    monkeypatch.setattr(cache, "keep", nothing_is_made_now)
    assert story(again, 7) == told


def test_marks_are_kept_out_of_the_usual_build() -> None:
    game = ichiba.load("no_thanks", seats=3)
    other = marked(game)
    assert other.telling and "saw(" in other.emitted.text and "saw(" not in game.emitted.text
    assert story(other, 3) == story(game, 3)


def test_what_was_put_to_sleep_wakes_up_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    game = Games(folder_of("no_thanks"))(Setting(3))
    assert story(undump(dump(game)), 4) == story(game, 4)
