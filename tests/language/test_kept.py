"""Claims about what is kept between runs: whole files, only so many, and none where that is switched off."""

import os
from pathlib import Path

import pytest

from ichiba.dsl import kept


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_what_is_kept_is_found_again_and_only_so_many_stay(folder: Path) -> None:
    kept.keep("other.game", b"of another kind", most=1)
    for number in range(5):
        kept.keep(f"{number}.grammar", bytes([number]), most=3)
        os.utime(folder / f"{number}.grammar", (number, number))
    assert sorted(path.name for path in folder.iterdir()) == ["2.grammar", "3.grammar", "4.grammar", "other.game"]
    assert (kept.fetch("4.grammar"), kept.fetch("0.grammar")) == (bytes([4]), None)


def test_what_is_used_stays_longest(folder: Path) -> None:
    for number in range(2):
        kept.keep(f"{number}.grammar", b"", most=2)
        os.utime(folder / f"{number}.grammar", (number, number))
    assert kept.fetch("0.grammar") is not None
    kept.keep("2.grammar", b"", most=2)
    assert sorted(path.name for path in folder.iterdir()) == ["0.grammar", "2.grammar"]


def test_nothing_is_kept_where_that_is_switched_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.keep("1.grammar", b"", most=3)
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    assert kept.place() is None and kept.fetch("1.grammar") is None
    kept.keep("2.grammar", b"", most=3)
    assert [path.name for path in folder.iterdir()] == ["1.grammar"]


def test_a_folder_that_cannot_be_written_is_no_trouble(folder: Path) -> None:
    folder.write_text("a file stands here")
    kept.keep("1.grammar", b"", most=3)
    assert kept.fetch("1.grammar") is None
