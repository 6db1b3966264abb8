"""Claims about whoever is killed while writing to a store: nothing that was acknowledged is lost, nothing is there twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Tally
from tests.table.store.recorded import ROOT
from tests.table.store.server import Server


def kills(where: str, times: int, seed: int) -> int:
    """How many acknowledged pieces of work they had behind them."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.table.store.killing", where, str(times), str(seed)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def test_whoever_is_killed_has_all_that_was_acknowledged(tmp_path: Path, tally: Tally) -> None:
    told = kills(str(tmp_path), 60, 1)
    tally(kills=60, acknowledged=told)
    assert told > 60


def test_with_postgres_too(postgres: Server, tally: Tally) -> None:
    told = kills(postgres.url(), 30, 1)
    tally(kills=30, acknowledged=told)
    assert told > 30


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_so_it_is_ten_thousand_times(seed: int, tmp_path: Path, tally: Tally) -> None:
    tally(kills=1_000, acknowledged=kills(str(tmp_path), 1_000, 100 + seed))


@pytest.mark.soak
def test_with_postgres_so_it_is_a_thousand_times(postgres: Server, tally: Tally) -> None:
    tally(kills=1_000, acknowledged=kills(postgres.url(), 1_000, 200))
