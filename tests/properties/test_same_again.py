"""The same seed and the same answers are the same game: played again, resumed, copied, undone, in another process."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import ichiba
from ichiba.interpreter.api import rulesets
from ichiba.interpreter.layout import CHANCE
from ichiba.interpreter.records import load_save, told
from tests.properties.tables import (
    HEAVY,
    Setting,
    chosen,
    every,
    loaded,
    loads,
    moments,
    paired,
    paired_of,
    plain,
    slice_of,
)

LIGHT = [setting for setting in plain() if setting.ruleset not in HEAVY]


def bytes_of(table: ichiba.Table) -> bytes:
    """All that is told of a table, to every seat and to everybody."""
    views = [table.view(seat) for seat in (None, *range(1, table.game.seats + 1))]
    return json.dumps([table.state, table.log, views, table.scores, table.ranking], ensure_ascii=False).encode()


def goes_on(table: ichiba.Table, seed: int, most: int = 10**9) -> bytes:
    """How a table plays on, decision after decision, and what it is at the end."""
    random, table = Random(seed), table.copy()
    steps = hashlib.sha256()
    for _ in range(most):
        steps.update(repr([(d.seat, d.path, d.keys()) for d in table.pending]).encode())
        if table.over:
            break
        seat, place = chosen(table, random)
        table.play(place, seat=seat)
    steps.update(bytes_of(table))
    return steps.digest()


# ------------------------------------------------------------------------------------- in this process


@every(plain())
def test_a_copy_goes_its_own_way(setting: Setting) -> None:
    for number, table in enumerate(moments(loaded(setting), 5, slice_of(setting))):
        if number % 3:
            continue
        before = (table.state[:], table.history[:], list(table.codes))
        copy, random = table.copy(), Random(number)
        for _ in range(4):
            if not copy.over:
                seat, place = chosen(copy, random)
                copy.play(place, seat=seat)
        assert (table.state, table.history, list(table.codes)) == before
        again = table.copy()
        assert goes_on(again, number, 5) == goes_on(table, number, 5)


@every(plain())
def test_undo_leads_back_to_the_start(setting: Setting) -> None:
    game = loaded(setting)
    seen = [(t.state[:], list(t.codes)) for t in moments(game, 6, slice_of(setting))]
    *_, table = moments(game, 6, slice_of(setting))
    random = Random(6)
    while table.history:
        table.undo(random.randint(1, min(5, len(table.history))))
        assert (table.state, list(table.codes)) == seen[len(table.history)]
    assert table.state == game.start(seed=6).state
    with pytest.raises(ichiba.IllegalMove):
        table.undo()


@every(plain())
def test_a_game_played_again_from_its_answers_is_the_same(setting: Setting) -> None:
    game = loaded(setting)
    *_, table = moments(game, 7, slice_of(setting, 60))
    assert told(table).state == table.state
    by_key = game.start(seed=7)
    for item in table.log:
        if item["event"] == "decision" and not item.get("forced"):
            by_key.play(str(item["key"]), seat=int(str(item["seat"])))
    assert bytes_of(by_key) == bytes_of(table)


@every(plain())
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


@every(plain())
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


@every(plain())
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


@every(plain())
def test_a_save_of_every_moment_goes_on_the_same(setting: Setting, tmp_path: Path) -> None:
    game = loaded(setting)
    path = tmp_path / "game.json"
    most = slice_of(setting, 25)
    for number, table in enumerate(moments(game, 12, most)):
        if number % 5 and setting.ruleset in HEAVY:
            continue
        table.save(path)
        again = load_save(path, lambda *args, **named: game)
        assert (again.state, list(again.codes), again.seed) == (table.state, list(table.codes), table.seed)
        assert goes_on(again, number, 10) == goes_on(table, number, 10)


# --------------------------------------------------------------------------------- in other processes

STORY = """
import hashlib, json, sys
from random import Random
from pathlib import Path
import ichiba
from tests.properties.tables import Setting, loaded, moments
from tests.properties.test_same_again import bytes_of, goes_on
what, *rest = json.loads(sys.argv[1])
if what == "play":
    ruleset, seats, parts, options, seed, most = rest
    game = loaded(Setting(ruleset, seats, tuple(parts), tuple(map(tuple, options))))
    *_, table = moments(game, seed, most)
    print(hashlib.sha256(game.emitted.text.encode()).hexdigest())
    print(hashlib.sha256(repr(sorted(game.layout.slot_names.items())).encode()).hexdigest())
    sys.stdout.flush()
    sys.stdout.buffer.write(bytes_of(table))
else:
    for path in rest:
        print(goes_on(ichiba.resume(path), 13, 20).hex())
"""
ROOT = Path(__file__).resolve().parents[2]


def elsewhere(order: list[object], *flags: str, **environment: str) -> bytes:
    """What another process prints."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "_checkout"), os.environ.get("PYTHONPATH", "")])
    told = subprocess.run(
        [sys.executable, *flags, "-c", STORY, json.dumps(order)],
        env=os.environ | {"PYTHONPATH": path} | environment,
        cwd=ROOT,
        capture_output=True,
        timeout=600,
    )
    assert told.returncode == 0, told.stderr.decode()
    return told.stdout


def everywhere(setting: Setting, seed: int, most: int) -> Iterator[bytes]:
    """The same game in processes that differ in all that must not matter; nobody uses what another worked out."""
    order = ["play", setting.ruleset, setting.seats, setting.parts, setting.options, seed, most]
    for flags, seed_of_hashes in (((), "0"), ((), "1"), (("-O",), "random"), (("-OO",), "0")):
        yield elsewhere(order, *flags, PYTHONHASHSEED=seed_of_hashes, ICHIBA_CACHE="off")


def fullest(ruleset: str) -> Setting:
    """As much of a ruleset switched on as goes together."""
    settings = sorted(paired_of(ruleset), key=lambda setting: -len(setting.parts))
    return next((s for s in settings if loads(s)), settings[0])


@pytest.mark.parametrize("ruleset", [name for name in rulesets() if name not in HEAVY])
def test_a_game_is_the_same_in_every_process(ruleset: str) -> None:
    setting = fullest(ruleset)
    loaded(setting)
    assert len(set(everywhere(setting, 14, 40))) == 1


@pytest.mark.soak
@every(plain())
def test_whole_games_are_the_same_in_every_process(setting: Setting) -> None:
    loaded(setting)
    assert len(set(everywhere(setting, 15, 10**9))) == 1


@every(LIGHT[::4])
def test_a_save_goes_on_the_same_in_another_process(setting: Setting, tmp_path: Path) -> None:
    saved_elsewhere(setting, tmp_path, 30)


@pytest.mark.soak
@every(plain())
def test_saves_go_on_the_same_in_another_process(setting: Setting, tmp_path: Path) -> None:
    saved_elsewhere(setting, tmp_path, 10**9)


def saved_elsewhere(setting: Setting, folder: Path, most: int) -> None:
    random, here, paths = Random(13), [], []
    for number, table in enumerate(moments(loaded(setting), 13, most)):
        if random.random() < 0.1 or table.over:
            paths.append(str(folder / f"{number}.json"))
            table.save(paths[-1])
            here.append(goes_on(table, 13, 20).hex())
    assert elsewhere(["resume", *paths]).decode().split() == here


@pytest.mark.soak
@every(paired())
def test_with_anything_switched_on_saves_and_undo_agree(setting: Setting, tmp_path: Path) -> None:
    game, path = loaded(setting), tmp_path / "game.json"
    random = Random(16)
    for table in moments(game, 16):
        if random.random() > 0.03 and not table.over:
            continue
        table.save(path)
        again = load_save(path, lambda *args, **named: game)
        assert again.state == table.state and told(again).state == table.state
        back = random.randint(0, min(9, len(again.history)))
        kept = again.history[len(again.history) - back :]
        again.undo(back)
        for seat, code in kept:
            decision = next(d for d in again.pending if d.seat_index == seat)
            again.play(list(decision.codes).index(code), seat=seat + 1)
        assert again.state == table.state
