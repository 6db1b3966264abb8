"""Claims about commands whose workers are killed, that run twice at once, and that find odd results or a full disk: nothing
that was said to be there is lost, and no process stays behind."""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from ichiba import load, resume
from ichiba.table.refusal import Refusal
from ichiba.table.simulation.store import Store
from ichiba.table.simulation.workers import Workers, told_of_death
from tests.table.door import ichiba
from tests.table.test_killed import SAVING

PATIENCE = 1200  # seconds, for what takes one: a test that waits for ever tells nothing
pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="this system does not tell who began whom")


def begun(*words: str | Path, **more: object) -> subprocess.Popen[str]:
    """A command in a process of its own."""
    command = [sys.executable, "-m", "ichiba.table", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)  # type: ignore[call-overload,no-any-return]


def children(process: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(what: Callable[[], object], why: str) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, why
        time.sleep(0.01)


@pytest.fixture
def simulation(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Very many games, in two processes, which have begun."""
    process = begun("simulate", "no_thanks", "--games", "1000000", "--jobs", "2", "--seed", "1", "--python", "--out", tmp_path / "run")
    rows = tmp_path / "run" / "games.jsonl"
    until(lambda: rows.is_file() and rows.read_bytes().count(b"\n") > 2 and len(children(process.pid)) >= 2, "it never began")
    yield process
    for one in [process.pid, *children(process.pid)]:
        if alive(one):
            os.kill(one, signal.SIGKILL)
    process.communicate()


def test_workers_end_with_the_command_that_began_them(simulation: subprocess.Popen[str]) -> None:
    began = children(simulation.pid)
    simulation.send_signal(signal.SIGKILL)
    simulation.wait()
    until(lambda: not any(map(alive, began)), "a worker goes on for nobody")


def test_a_worker_that_is_killed_is_told_of_and_what_was_played_is_kept(simulation: subprocess.Popen[str], tmp_path: Path) -> None:
    os.kill(children(simulation.pid)[-1], signal.SIGKILL)
    _, said = simulation.communicate(timeout=PATIENCE)
    assert simulation.returncode == 1
    assert said.startswith("ichiba simulate: a process that shared the work was ended from outside, perhaps for lack of memory;")
    assert rows_of(tmp_path / "run") == rows_alone(tmp_path, len(rows_of(tmp_path / "run")))


def ended(work: int) -> int:
    """One of many pieces of work is the last of whoever does it, while the others take long."""
    if work >= 5:
        time.sleep(0.2 if work == 5 else 600)
        os.kill(os.getpid(), signal.SIGKILL)
    return work


def long_message(work: int) -> bytes:
    """More than a connection holds. Whoever makes the last one is killed while it is on its way, and others would go on."""
    if work == 5:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL)).start()
        return bytes(1 << 28)
    return bytes(1 << 20)


def death_at_the_sign(work: int) -> int:
    """Killed between one piece of work and the next, at any moment of asking for it."""
    if work == 5:
        threading.Timer(0.0001, os.kill, (os.getpid(), signal.SIGKILL)).start()
    return work


@pytest.mark.parametrize("work", [ended, long_message, death_at_the_sign], ids=["at work", "telling", "asking"])
def test_whenever_one_is_killed_it_is_told_and_the_others_end(work: Callable[[int], object]) -> None:
    before = set(children(os.getpid()))
    with (
        pytest.raises(Refusal, match="a process that shared the work was ended from outside"),
        told_of_death("this", "again"),
        Workers(2, gc.freeze) as workers,
    ):
        for _ in workers.in_order(work, range(100_000), 50):
            pass
    assert set(children(os.getpid())) <= before


def test_what_was_shared_comes_back_in_order() -> None:
    with Workers(2, gc.freeze) as workers:
        assert list(workers.in_order(abs, range(-50, 0), 3)) == list(range(50, 0, -1))
        assert list(workers.in_order(abs, [], 3)) == []
        assert sorted(workers.each(abs, range(-50, 0))) == [(number, 50 - number) for number in range(50)]


def refused(work: int) -> None:
    raise Refusal(f"not {work}", 3)


@pytest.mark.parametrize(("begin", "work"), [(gc.freeze, refused), (partial(refused, 7), abs)], ids=["at work", "beginning"])
def test_a_fault_of_a_worker_is_raised_where_the_work_was_asked_for(begin: Callable[..., None], work: Callable[[int], object]) -> None:
    with Workers(2, begin) as workers, pytest.raises(Refusal, match="not 7"):
        list(workers.in_order(work, [7], 3))


def rows_of(folder: Path) -> list[dict[str, object]]:
    """The whole lines."""
    return [json.loads(line) for line in (folder / "games.jsonl").read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def rows_alone(tmp_path: Path, games: int) -> list[dict[str, object]]:
    """The same games, played without trouble."""
    place = tmp_path / f"alone{games}"
    ichiba("simulate", "no_thanks", "--games", str(games), "--jobs", "1", "--seed", "1", "--python", "--out", place)
    return rows_of(place)


# --- at once


def test_two_who_save_to_one_file_are_never_seen_half_done(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    load("no_thanks", 3).start(1).save(path)
    both = [subprocess.Popen([sys.executable, "-c", SAVING, str(path)], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    try:
        for process in both:
            assert process.stdout is not None
            process.stdout.readline()
        for _ in range(400):
            content = json.loads(path.read_bytes())
            assert content["game"] == "no_thanks" and path.read_bytes().endswith(b"}\n")
    finally:
        for process in both:
            process.kill()
            process.communicate()
    assert resume(path).game.name == "no_thanks"


def test_two_runs_do_not_write_into_one_folder(tmp_path: Path) -> None:
    with Store.at(str(tmp_path / "run")).held():
        said = ichiba("simulate", "no_thanks", "--games", "2", "--jobs", "1", "--out", tmp_path / "run")
        assert (said.code, said.err) == (2, f"ichiba simulate: another command is writing to {tmp_path / 'run'} just now\n")
    assert ichiba("simulate", "no_thanks", "--games", "2", "--jobs", "1", "--out", tmp_path / "run").code == 0


def test_whoever_is_refused_leaves_nothing_there(tmp_path: Path) -> None:
    assert ichiba("simulate", "no_thanks", "--policy", "nobody", "--out", tmp_path / "run").code == 2
    assert list((tmp_path / "run").iterdir()) == []


# --- rows that are none

ODD = {
    "a list": "[]", "a number": "7", "no scores": '{"game": 2}', "text for scores": '{"game": 2, "scores": {"1": "x"}}', "no text": "\x00",
    "nested without end": "[" * 100_000, "another number": '{"game": 5, "scores": {"1": 2}, "ranking": [[1]]}',
    "seats that are not there": '{"game": 2, "scores": {"1": 2}, "ranking": [[9]]}',
}  # fmt: skip


@pytest.mark.parametrize("line", ODD.values(), ids=ODD)
def test_a_line_that_is_no_game_is_told_with_its_number(line: str, tmp_path: Path) -> None:
    words = ("simulate", "no_thanks", "--games", "3", "--jobs", "1", "--seed", "1", "--out", tmp_path / "run")
    ichiba(*words)
    rows = tmp_path / "run" / "games.jsonl"
    lines = rows.read_text().splitlines()
    rows.write_text("\n".join([lines[0], line, lines[2]]) + "\n")
    said = ichiba(*words)
    assert said.code == 1 and said.err.startswith(f"ichiba simulate: line 2 of {rows} is no game of this run: ")
    assert "inside" not in said.err and rows.read_text().splitlines()[0] == lines[0]


@pytest.mark.parametrize("about", ["[]", "{", "null", '{"ichiba": "run"}', '{"ichiba": "run", "seed": [1]}'])
def test_what_does_not_say_which_run_it_is_is_none(about: str, tmp_path: Path) -> None:
    words = ("simulate", "no_thanks", "--games", "1", "--jobs", "1", "--out", tmp_path / "run")
    ichiba(*words)
    (tmp_path / "run" / "run.json").write_text(about)
    said = ichiba(*words)
    assert (said.code, said.err) == (2, f"ichiba simulate: {tmp_path / 'run'} holds something that is no run; --force replaces it\n")


# --- a full disk


def test_results_on_a_full_disk_are_whole_lines_and_the_run_goes_on_later(tmp_path: Path) -> None:
    words = ("simulate", "no_thanks", "--games", "40", "--jobs", "1", "--seed", "1", "--python", "--courses", "0", "--out", tmp_path / "run")
    process = begun(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, 3_000)))
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert said == (
        f"ichiba simulate: {tmp_path / 'run' / 'games.jsonl'}: file too large; the games before it are kept, "
        "and the same command goes on\n"
    )
    assert (tmp_path / "run" / "games.jsonl").read_bytes().endswith(b"}\n")
    assert ichiba(*words).code == 0
    assert rows_of(tmp_path / "run") == rows_alone(tmp_path, 40)
