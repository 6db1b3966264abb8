"""Games on a Dask cluster: the same rows, whoever dies there; and when it goes away, what came back is counted once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ichiba.table.refusal import FAULT
from tests.table.door import ichiba

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'ichiba[cluster]'")

CLUSTER = """
import os, sys
from distributed import Client, LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            print(cluster.scheduler_address, *client.run(os.getpid).values(), flush=True)
            sys.stdin.readline()
"""
PATIENCE = 120  # a last resort
GAME = ("simulate", "lantern_coast", "--seats", "2", "--seed", "9", "--python")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[int], subprocess.Popen[str]]]:
    """Its address, its two workers, and the process in which all of it began."""
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    process = subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=tmp_path,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    address, *workers = process.stdout.readline().split()
    yield address, list(map(int, workers)), process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def begun(place: Path, address: str, games: int) -> subprocess.Popen[str]:
    """A run on the cluster of which some games have come back."""
    command = [sys.executable, "-m", "ichiba.table", *GAME, "--games", str(games), "--on", address, "--out", str(place)]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + PATIENCE
    while lines(place) < 40 and run.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    assert run.poll() is None, run.communicate()
    return run


def lines(place: Path) -> int:
    path = place / "games.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def same(one: Path, other: Path) -> bool:
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in ("games.jsonl", "courses.jsonl"))


def test_rows_are_the_same_on_a_cluster_also_when_a_worker_is_killed(
    cluster: tuple[str, list[int], subprocess.Popen[str]], tmp_path: Path
) -> None:
    address, workers, _ = cluster
    run = begun(tmp_path / "there", address, 600)
    os.kill(workers[0], signal.SIGKILL)
    said = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, said
    assert ichiba(*GAME, "--games", "600", "--jobs", "1", "--out", tmp_path / "here").code == 0
    assert same(tmp_path / "there", tmp_path / "here")


def test_a_cluster_that_goes_away_is_told_and_the_run_goes_on_here(
    cluster: tuple[str, list[int], subprocess.Popen[str]], tmp_path: Path
) -> None:
    address, _, process = cluster
    run = begun(tmp_path / "there", address, 3000)
    os.killpg(process.pid, signal.SIGKILL)
    _, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == FAULT, err
    (words,) = err.splitlines()  # and none of the library's own
    assert words.startswith(f"ichiba simulate: the cluster at {address} has gone away") and "the same command goes on" in words
    there = lines(tmp_path / "there")
    assert 40 <= there < 3000
    on = ichiba(*GAME, "--games", str(there + 20), "--jobs", "1", "--out", tmp_path / "there")
    assert on.code == 0 and f"{there} games are there already" in on.out
    assert ichiba(*GAME, "--games", str(there + 20), "--jobs", "1", "--out", tmp_path / "here").code == 0
    assert same(tmp_path / "there", tmp_path / "here")


def test_where_no_cluster_answers_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ichiba.table.simulation.cluster.ANSWERS", 1)
    said = ichiba(*GAME, "--games", "3", "--on", "tcp://127.0.0.1:9", "--out", tmp_path / "run")
    assert said.code == 2 and "no Dask cluster answers at tcp://127.0.0.1:9" in said.err


def test_without_dask_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = ichiba(*GAME, "--games", "3", "--on", "tcp://127.0.0.1:9")
    assert said.code == 2 and said.err == "ichiba simulate: --on needs Dask: pip install 'ichiba[cluster]'\n"
