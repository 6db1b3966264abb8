"""The same seed and the same answers are the same game: played again, resumed, copied, undone, in another process."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.layout import CHANCE
from ichiba.interpreter.saves.records import load_save, told
from ichiba.interpreter.sight.views import view_of
from tests.conftest import Tally
from tests.properties.tables import HEAVY, Setting, chosen, every, loaded, moments, sampled, slice_of, whole

WHOLE = 10**9  # decisions: all there are


def bytes_of(table: ichiba.Table) -> bytes:
    """All that is told of a table, to every seat and to everybody."""
    views = [table.view(seat) for seat in (None, *range(1, table.game.seats + 1))]
    return json.dumps([list(table.state), table.log, views, table.scores, table.ranking], ensure_ascii=False).encode()


def goes_on(table: ichiba.Table, seed: int, most: int = WHOLE) -> bytes:
    """How a table plays on, decision after decision, and what it is at the end."""
    random, table = Random(seed), table.copy()
    steps = hashlib.sha256()
    for _ in range(most):
        steps.update(repr([(d.seat, d.path, d.keys()) for d in table.pending]).encode())
        if table.over:
            break
        seat, place = chosen(table, random)
        table.play(place, seat=seat)
    views = [view_of(table, seat, log=False) for seat in (None, *range(1, table.game.seats + 1))]
    steps.update(json.dumps([list(table.state), table.log, views]).encode())
    return steps.digest()


# ------------------------------------------------------------------------------------- in this process


def copies(setting: Setting, seed: int, most: int, every_nth: int) -> int:
    """What is done to a copy changes nothing at the table it was copied from; how many copies there were."""
    made = 0
    for number, table in enumerate(moments(loaded(setting), seed, most)):
        if number % every_nth:
            continue
        before = (table.state[:], table.history[:], list(table.codes))
        copy, random = table.copy(), Random(number)
        for _ in range(4):
            if not copy.over:
                seat, place = chosen(copy, random)
                copy.play(place, seat=seat)
        assert (table.state, table.history, list(table.codes)) == before
        assert goes_on(table.copy(), number, 5) == goes_on(table, number, 5)
        made += 1
    return made


def undone(setting: Setting, seed: int, most: int) -> int:
    """A game is taken back to its start, some answers at a time; how many there were."""
    game = loaded(setting)
    seen = [(t.state[:], list(t.codes)) for t in moments(game, seed, most)]
    *_, table = moments(game, seed, most)
    random, answers = Random(seed), len(table.history)
    while table.history:
        table.undo(random.randint(1, min(5, len(table.history))))
        assert (table.state, list(table.codes)) == seen[len(table.history)]
    assert table.state == game.start(seed=seed).state
    with pytest.raises(ichiba.IllegalMove):
        table.undo()
    return answers


@every(sampled("copy"))
def test_a_copy_goes_its_own_way(setting: Setting, tally: Tally) -> None:
    tally(copies=copies(setting, 5, slice_of(setting, 40), 5))


@every(sampled("undo"))
def test_undo_leads_back_to_the_start(setting: Setting, tally: Tally) -> None:
    tally(games=1, undone_answers=undone(setting, 6, slice_of(setting)))


@pytest.mark.soak
@every(whole())
def test_copies_and_undo_in_whole_games(setting: Setting, tally: Tally) -> None:
    for seed in range(60, 61 if setting.ruleset in HEAVY else 70):
        tally(games=1, undone_answers=undone(setting, seed, WHOLE))
        tally(copies=copies(setting, seed, WHOLE, 20 if setting.ruleset in HEAVY else 1))


def replays(setting: Setting, seed: int, most: int) -> None:
    """A game is played again from its answers and from its keys."""
    game = loaded(setting)
    *_, table = moments(game, seed, most)
    assert told(table).state == table.state
    by_key = game.start(seed=seed)
    for item in table.log:
        if item["event"] == "decision" and not item.get("forced"):
            by_key.play(str(item["key"]), seat=int(str(item["seat"])))
    assert bytes_of(by_key) == bytes_of(table)


@every(sampled("replay"))
def test_a_game_played_again_from_its_answers_is_the_same(setting: Setting, tally: Tally) -> None:
    replays(setting, 7, slice_of(setting, 60))
    tally(games=1)


@pytest.mark.soak
@every(whole())
def test_whole_games_played_again_are_the_same(setting: Setting, tally: Tally) -> None:
    for seed in range(70, 72 if setting.ruleset in HEAVY else 90):
        replays(setting, seed, WHOLE)
        tally(games=1)


@every(sampled("quick"))
def test_the_quick_path_is_the_same_game(setting: Setting) -> None:
    """Steps by number ask the lowest seat first; so do these answers."""
    game, random = loaded(setting), Random(8)
    quick, slow = game.start(seed=8), game.start(seed=8)
    for _ in range(slice_of(setting, 200)):
        if quick.over:
            break
        decision = slow.decision
        assert decision is not None and list(decision.codes) == list(quick.legal())
        place = random.randrange(len(quick.legal()))
        quick.step(place)
        slow.play(place, seat=decision.seat)
        assert quick.state == slow.state


@every(sampled("script"))
def test_a_scripted_game_is_the_same_copied_and_undone(setting: Setting) -> None:
    """The chance events of a game, given as a script with another seed."""
    game = loaded(setting)
    *_, table = moments(game, 9, slice_of(setting, 30))
    script = tuple(str(item["key"]) for item in table.log if item["event"] == "chance")
    if not script or len(script) != table.state[CHANCE]:
        return
    again = game.start(seed=10, chance=script)
    for seat, code in table.history:
        place = list(again.pending[[d.seat_index for d in again.pending].index(seat)].codes).index(code)
        copy = again.copy()
        again.play(place, seat=seat + 1)
        copy.play(place, seat=seat + 1)
        assert copy.state == again.state
    assert again.state == table.state
    if again.history:
        again.undo(len(again.history))
    for seat, code in table.history:
        place = list(again.pending[[d.seat_index for d in again.pending].index(seat)].codes).index(code)
        again.play(place, seat=seat + 1)
    assert again.state == table.state


@every(sampled("key"))
def test_a_new_key_changes_the_future_and_nothing_else(setting: Setting) -> None:
    for number, table in enumerate(moments(loaded(setting), 11, slice_of(setting, 40))):
        if number % 8:
            continue
        before, log = table.state[:], table.log
        other = table.copy()
        other.rekey("another")
        assert other.state == before and other.log == log and table.seed != other.seed
        if not other.over:
            end = goes_on(other, 1, 5)
            seat, place = chosen(other, Random(1))
            other.play(place, seat=seat)
            other.undo()
            assert other.state == before and other.log == log and goes_on(other, 1, 5) == end


def saves(setting: Setting, seed: int, most: int, every_nth: int, path: Path) -> int:
    """Saves along a game go on as the game does; how many there were."""
    game, made = loaded(setting), 0
    for number, table in enumerate(moments(game, seed, most)):
        if number % every_nth and not table.over:
            continue
        table.save(path)
        again = load_save(path, lambda *args, **named: game)
        assert (again.state, list(again.codes), again.seed) == (table.state, list(table.codes), table.seed)
        assert told(again).state == table.state
        assert goes_on(again, number, 10) == goes_on(table, number, 10)
        made += 1
    return made


@every(sampled("save"))
def test_a_save_of_any_moment_goes_on_the_same(setting: Setting, tmp_path: Path, tally: Tally) -> None:
    tally(
        saves=saves(setting, 12, slice_of(setting, 25), 10 if setting.ruleset in HEAVY else 3, tmp_path / "game.json")
    )


@pytest.mark.soak
@every(whole())
def test_saves_of_whole_games_go_on_the_same(setting: Setting, tmp_path: Path, tally: Tally) -> None:
    tally(saves=saves(setting, 16, WHOLE, 25 if setting.ruleset in HEAVY else 1, tmp_path / "game.json"), games=1)


# --------------------------------------------------------------------------------- in other processes

STORY = """
import hashlib, json, sys
import ichiba
from tests.properties.tables import Setting
from tests.properties.test_same_again import goes_on, story
what, orders = json.load(sys.stdin)
for order in orders:
    if what == "play":
        ruleset, seats, parts, options, seeds, most = order
        print(story(Setting(ruleset, seats, tuple(parts), tuple(map(tuple, options))), seeds, most))
    else:
        print(goes_on(ichiba.resume(order), 13, 20).hex())
"""
ROOT = Path(__file__).resolve().parents[2]
DIFFERENT: dict[str, tuple[tuple[str, ...], str]] = {  # processes that differ in all that must not matter
    "a process with hashes of its own": (("-O",), "random"),
    "one with known hashes": ((), "0"),
    "one with other known hashes": (("-OO",), "1"),
}


def story(setting: Setting, seeds: Sequence[int], most: int) -> str:
    """The Python that was written for a game, where everything lies, and some games of it: as one word."""
    game = loaded(setting)
    whole = hashlib.sha256(repr([game.emitted.text, sorted(game.layout.slot_names.items())]).encode())
    for seed in seeds:
        *_, table = moments(game, seed, most)
        whole.update(bytes_of(table))
    return whole.hexdigest()


def elsewhere(what: str, orders: Sequence[object], *flags: str, **environment: str) -> list[str]:
    """What another process comes to."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "_checkout"), os.environ.get("PYTHONPATH", "")])
    told = subprocess.run(
        [sys.executable, *flags, "-c", STORY],
        input=json.dumps([what, orders]).encode(),
        env=os.environ | {"PYTHONPATH": path} | environment,
        cwd=ROOT,
        capture_output=True,
        timeout=3600,
    )
    assert told.returncode == 0, told.stderr.decode()
    return told.stdout.decode().split()


def stories_agree(settings: Sequence[Setting], seeds: Sequence[int], most: int, process: str, tally: Tally) -> None:
    """Another process, which uses nothing that was kept, comes to the same logs, views and Python, byte for byte."""
    flags, hashes = DIFFERENT[process]
    slices = [most if most == WHOLE else slice_of(setting, most) for setting in settings]
    orders = [[s.ruleset, s.seats, s.parts, s.options, seeds, n] for s, n in zip(settings, slices)]
    theirs = elsewhere("play", orders, *flags, PYTHONHASHSEED=hashes, ICHIBA_CACHE="off")
    ours = [story(setting, seeds, n) for setting, n in zip(settings, slices)]
    assert dict(zip(map(str, settings), theirs)) == dict(zip(map(str, settings), ours))
    tally(games=len(settings) * len(seeds))


@pytest.mark.parametrize("process", [*DIFFERENT][:2])
def test_games_are_the_same_in_every_process(process: str, tally: Tally) -> None:
    settings = [s for s in sampled(process, heavy=1) if s.parts or s.options][::3]
    stories_agree(settings, [14], 40, process, tally)


@pytest.mark.soak
@pytest.mark.parametrize("process", DIFFERENT)
@pytest.mark.parametrize("ruleset", rulesets())
def test_whole_games_are_the_same_in_every_process(ruleset: str, process: str, tally: Tally) -> None:
    settings = [setting for setting in whole() if setting.ruleset == ruleset]
    stories_agree(settings, [15] if ruleset in HEAVY else list(range(30, 60)), WHOLE, process, tally)


def saved_elsewhere(settings: Sequence[Setting], folder: Path, most: int, share: float, tally: Tally) -> None:
    """Saves of many moments, resumed in another process, go on as they do here."""
    random, here = Random(13), {}
    for setting in settings:
        for number, table in enumerate(moments(loaded(setting), 13, most)):
            if random.random() < share or table.over:
                path = str(folder / f"{setting}-{number}.json")
                table.save(path)
                here[path] = goes_on(table, 13, 20).hex()
    there = elsewhere("resume", list(here), PYTHONHASHSEED="random")
    assert dict(zip(here, there)) == here
    tally(saves=len(here))


def test_saves_go_on_the_same_in_another_process(tmp_path: Path, tally: Tally) -> None:
    saved_elsewhere(sampled("elsewhere", heavy=1)[::3], tmp_path, 24, 0.15, tally)


@pytest.mark.soak
@every(whole())
def test_saves_of_whole_games_go_on_the_same_in_another_process(setting: Setting, tmp_path: Path, tally: Tally) -> None:
    saved_elsewhere([setting], tmp_path, WHOLE, 0.05 if setting.ruleset in HEAVY else 1, tally)
    tally(games=1)
