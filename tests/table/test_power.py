"""Claims about a power cut at whatever step of the writing of saves, results and what is kept: what was acknowledged is there,
and nothing half-written is taken for whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from ichiba import Table, load, resume
from ichiba.dsl.files import disk_cache, writing
from ichiba.table.saves import write
from ichiba.table.simulation.store import Row, Store
from tests.conftest import Tally
from tests.table.power import DAMAGES, Failing, PowerCut

each_damage = pytest.mark.parametrize("damage", DAMAGES)


@pytest.fixture(autouse=True)
def the_disk_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "disk", writing.Disk())


def cut(work: Callable[[], object], at: int, damage: str) -> Failing | None:
    """Something is done, and the power fails at that step; the disk, if all was done before."""
    usual, writing.disk = writing.disk, Failing(at, damage)
    try:
        work()
        return writing.disk
    except PowerCut:
        return None
    finally:
        writing.disk = usual


# --- saves


def played(table: Table) -> Table:
    table.step(len(table.codes) // 2)
    return table


def saves_cut_off(folder: Path, damage: str, rounds: int) -> int:
    """At every step of every save the power fails; what is then found is the save before, or this one."""
    path, points = folder / "game.json", 0
    table = load("goofspiel", 2).start(3)
    for _ in range(rounds):
        if len(table.history) > 12:
            table = load("goofspiel", 2).start(points)
        table.save(path)
        before = path.read_bytes()
        played(table)
        at = 1
        while (disk := cut(partial(table.save, path), at, damage)) is None:
            assert path.read_bytes() == before or len(resume(path).history) == len(table.history)
            path.write_bytes(before)
            points, at = points + 1, at + 1
        after = path.read_bytes()
        disk.lose()  # what was acknowledged stays
        assert path.read_bytes() == after != before
        for left in folder.glob(".*.part"):
            left.unlink()
    return points


@each_damage
def test_whenever_the_power_fails_the_save_before_or_this_one_is_there(damage: str, tmp_path: Path, tally: Tally) -> None:
    tally(sync_points=saves_cut_off(tmp_path, damage, 3))


@pytest.mark.soak
@each_damage
def test_so_it_is_at_five_hundred_points(damage: str, tmp_path: Path, tally: Tally) -> None:
    points = saves_cut_off(tmp_path, damage, 60)
    tally(sync_points=points)
    assert points >= 500


def test_the_folders_in_which_something_lies_are_on_the_disk_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that were not there, from the highest; the last one when the file has its name."""
    synced: list[Path] = []
    monkeypatch.setattr(writing.Disk, "sync_folder", lambda disk, folder: synced.append(folder))
    write(load("goofspiel", 2).start(3), tmp_path / "a" / "b" / "game.json", {})
    assert synced == [tmp_path, tmp_path / "a", tmp_path / "a" / "b"]
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        writing.make_folder(tmp_path / "file")


# --- results


def rows(seed: int, most: int) -> list[Row]:
    return [{"game": n, "scores": {"1": seed * 1_000 + n, "2": 0}, "ranking": [[1], [2]]} for n in range(1, most + 1)]


def recorded(seed: int, game: int) -> list[Row]:
    """What a game records; some record nothing."""
    return [{"game": game, "name": "price", "value": seed * 1_000 + n} for n in range((game + 1) % 3)]


def records_of(seed: int, games: int) -> str:
    return "".join(json.dumps(row) + "\n" for game in range(1, games + 1) for row in recorded(seed, game))


def about(seed: int) -> Row:
    return {"ichiba": "run", "seed": seed}


def simulated(place: Path, seed: int, games: int, force: bool = False) -> None:
    """What `ichiba simulate` writes."""
    with Store.at(str(place)).held() as store:
        if force or store.known() != about(seed):
            assert force or not store.exists()
            store.begin(about(seed))
            there = []
        else:
            there = list(store.done())
            store.keep_only(len(there))
        for row in rows(seed, games)[len(there) :]:
            store.add_beside(store.records, recorded(seed, row["game"]))
            store.add([json.dumps(row) + "\n"])
        store.settle()


def found(place: Path) -> tuple[int, list[Row]]:
    """Which run lies there, and its games."""
    with Store.at(str(place)).held() as store:
        known = store.known()
        assert known is not None
        return known["seed"], list(store.done())


def recorded_in(place: Path) -> str:
    path = Store.at(str(place)).records
    return path.read_text(encoding="utf-8") if path.exists() else ""


def results_cut_off(folder: Path, damage: str, rounds: int) -> int:
    """At every step of a run that goes on, and of one that replaces it, the power fails."""
    points = 0
    for number in range(rounds):
        for seed, games, force in ((1, 4 + number % 3, False), (2, 2 + number % 2, True)):
            at, done = 1, False
            while not done:
                place = folder / f"run{points}-{at}-{seed}"
                simulated(place, 1, 3)
                disk = cut(partial(simulated, place, seed, games, force), at, damage)
                done = disk is not None
                if disk is not None:
                    disk.lose()
                who, there = found(place)
                assert who == seed if done else who in (1, seed)
                assert there == rows(who, len(there))
                assert len(there) == games if done else force or len(there) >= 3
                assert recorded_in(place).startswith(records_of(who, len(there))), "no game has a line and has lost its records"
                simulated(place, seed, games, force)
                assert found(place) == (seed, rows(seed, games))
                assert recorded_in(place) == records_of(seed, games)
                at += 1
            points += at - 1
    return points


@each_damage
def test_whenever_the_power_fails_games_that_were_told_are_there_and_are_of_the_run_that_is_named(
    damage: str, tmp_path: Path, tally: Tally
) -> None:
    tally(sync_points=results_cut_off(tmp_path, damage, 1))


@pytest.mark.soak
@each_damage
def test_so_it_is_for_results_at_five_hundred_points(damage: str, tmp_path: Path, tally: Tally) -> None:
    points = results_cut_off(tmp_path, damage, 24)
    tally(sync_points=points)
    assert points >= 500


def test_nobody_who_is_killed_while_replacing_a_run_finds_its_games_under_another_name(tmp_path: Path) -> None:
    """The order of the two files is enough: nothing is lost here, the second step is never taken."""
    simulated(tmp_path / "run", 1, 3)
    with pytest.MonkeyPatch.context() as patch, Store.at(str(tmp_path / "run")).held() as store:
        patch.setattr(writing.Disk, "create", Mock(side_effect=PowerCut))
        with pytest.raises(PowerCut):
            store.begin(about(2))
    assert found(tmp_path / "run") == (1, [])


# --- what is kept


def kept_cut_off(folder: Path, damage: str, rounds: int) -> int:
    """Whatever is found afterwards is what was put there, before or now; and it can be put there again."""
    points = 0
    for number in range(rounds):
        cache = folder / str(number)
        old, new = f"old {number}".encode() * 99, f"new {number}".encode() * 100

        def keep(content: bytes) -> None:
            disk_cache.keep("1.game", content, most=3)
            disk_cache.keep_library("lib", content, ".so", most=3)

        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ICHIBA_CACHE", str(cache))
            if number % 2:  # else the key is made as well
                keep(old)
            at, done = 1, False
            while not done:
                done = cut(partial(keep, new), at, damage) is not None
                assert disk_cache.fetch("1.game") in (None, old, new)
                library = disk_cache.library("lib", ".so")
                assert library is None or library.read_bytes() in (old, new)
                points, at = points + (not done), at + 1
            keep(new)
            library = disk_cache.library("lib", ".so")
            assert disk_cache.fetch("1.game") == new and library is not None and library.read_bytes() == new
    return points


@each_damage
def test_whenever_the_power_fails_what_is_kept_is_whole_or_not_there(damage: str, tmp_path: Path, tally: Tally) -> None:
    tally(sync_points=kept_cut_off(tmp_path, damage, 2))


@pytest.mark.soak
@each_damage
def test_so_it_is_for_what_is_kept_at_five_hundred_points(damage: str, tmp_path: Path, tally: Tally) -> None:
    points = kept_cut_off(tmp_path, damage, 60)
    tally(sync_points=points)
    assert points >= 500
