"""Games are kept where the tests can find them, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.table.orchard import write


@pytest.fixture(autouse=True)
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "saves"
    monkeypatch.setenv("ICHIBA_SAVES", str(folder))
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # the tests' own ruleset needs no process of its own
    monkeypatch.delenv("ICHIBA_TRACEBACK", raising=False)
    return folder


@pytest.fixture
def orchard(tmp_path: Path) -> Path:
    return write(tmp_path)
