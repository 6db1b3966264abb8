"""Claims about what is kept between runs: whole files, only so many, and none where that is switched off."""

import os
import pickle
import stat
from collections.abc import Callable
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest

from ichiba import load
from ichiba.dsl.files import disk_cache, writing

Tally = Callable[..., None]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ICHIBA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != disk_cache.KEY)


def test_what_is_kept_is_found_again_and_only_so_many_stay(folder: Path) -> None:
    disk_cache.keep("other.game", b"of another kind", most=1)
    for number in range(5):
        disk_cache.keep(f"{number}.grammar", bytes([number]), most=3)
        os.utime(folder / f"{number}.grammar", (number, number))
    assert names(folder) == ["2.grammar", "3.grammar", "4.grammar", "other.game"]
    assert (disk_cache.fetch("4.grammar"), disk_cache.fetch("0.grammar")) == (bytes([4]), None)


def test_what_is_used_stays_longest(folder: Path) -> None:
    for number in range(2):
        disk_cache.keep(f"{number}.grammar", b"", most=2)
        os.utime(folder / f"{number}.grammar", (number, number))
    assert disk_cache.fetch("0.grammar") is not None
    disk_cache.keep("2.grammar", b"", most=2)
    assert names(folder) == ["0.grammar", "2.grammar"]


def test_nothing_is_kept_where_that_is_switched_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_cache.keep("1.grammar", b"", most=3)
    monkeypatch.setenv("ICHIBA_CACHE", "off")
    assert disk_cache.place() is None and disk_cache.fetch("1.grammar") is None
    disk_cache.keep("2.grammar", b"", most=3)
    assert names(folder) == ["1.grammar"]


def test_a_folder_that_cannot_be_written_is_no_trouble(folder: Path) -> None:
    folder.write_text("a file stands here")
    disk_cache.keep("1.grammar", b"", most=3)
    assert disk_cache.fetch("1.grammar") is None


# --- whose it is


def test_it_is_the_users_alone_whatever_the_umask(folder: Path) -> None:
    before = os.umask(0)
    try:
        disk_cache.keep("1.game", b"x", most=3)
        disk_cache.keep_library("lib", b"y", ".so", most=3)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_can_write_holds_nothing(folder: Path, mode: int) -> None:
    disk_cache.keep("1.game", b"x", most=3)
    disk_cache.keep_library("lib", b"y", ".so", most=3)
    folder.chmod(mode)
    assert disk_cache.fetch("1.game") is None and disk_cache.library("lib", ".so") is None
    disk_cache.keep("2.game", b"x", most=3)
    assert "2.game" not in names(folder)


def test_nor_does_one_that_is_somebody_elses(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_cache.keep("1.game", b"x", most=3)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert disk_cache.fetch("1.game") is None


def test_nor_one_that_is_a_link(folder: Path, tmp_path: Path) -> None:
    disk_cache.keep("1.game", b"x", most=3)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert disk_cache.fetch("1.game") is None


@pytest.mark.parametrize("name", ["ICHIBA_CACHE", "XDG_CACHE_HOME"])
def test_a_place_that_hangs_on_where_we_stand_is_no_place(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ICHIBA_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv(name, "here")
    monkeypatch.chdir(tmp_path)
    disk_cache.keep("1.game", b"x", most=3)
    assert not (tmp_path / "here").exists()
    assert disk_cache.place() in (None, tmp_path / "home" / ".cache" / "ichiba")


# --- what is damaged, or was put there by somebody else, is not there


def test_a_key_that_others_can_read_is_no_key(folder: Path) -> None:
    disk_cache.keep("1.game", b"x", most=3)
    (folder / disk_cache.KEY).chmod(0o644)
    assert disk_cache.fetch("1.game") is None
    disk_cache.keep("2.game", b"x", most=3)
    assert disk_cache.fetch("2.game") == b"x" and disk_cache.fetch("1.game") is None


def test_what_stands_under_another_name_is_not_there(folder: Path) -> None:
    disk_cache.keep("1.game", b"one", most=3)
    (folder / "2.game").write_bytes((folder / "1.game").read_bytes())
    assert disk_cache.fetch("2.game") is None


def test_what_another_key_has_sealed_is_not_there(folder: Path) -> None:
    disk_cache.keep("1.game", b"one", most=3)
    (folder / disk_cache.KEY).write_bytes(bytes(32))
    assert disk_cache.fetch("1.game") is None


def test_a_link_or_a_pipe_in_its_place_is_not_followed_and_not_waited_for(folder: Path, tmp_path: Path) -> None:
    disk_cache.keep("1.game", b"one", most=3)
    (folder / "1.game").rename(tmp_path / "real")
    (folder / "1.game").symlink_to(tmp_path / "real")
    os.mkfifo(folder / "2.game")
    assert disk_cache.fetch("1.game") is None and disk_cache.fetch("2.game") is None


def damaged(content: bytes, random: Random) -> bytes:
    """Torn, cut, flipped, doubled or something else altogether."""
    at = random.randrange(len(content))
    match random.randrange(6):
        case 0:
            return content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]
        case 1:
            return content[:at]
        case 2:
            return content[:at] + random.randbytes(random.randrange(1, 40)) + content[at:]
        case 3:
            return content[:at] + bytes(len(content) - at)
        case 4:
            return content + content[at:]
        case _:
            return random.choice([b"", b"{}", b"[]", b"null", b"\0", random.randbytes(64), pickle.dumps({}), pickle.dumps([])])


def broken(folder: Path, times: int) -> int:
    """So many damages to each of three kinds of kept files; how many changed something."""
    content = random_bytes(3_000)
    disk_cache.keep("1.game", content, most=3)
    disk_cache.keep_library("lib", content, ".so", most=3)
    files = [folder / "1.game", disk_cache.library("lib", ".so"), folder / disk_cache.KEY]
    count = 0
    random = Random(times)
    for path in files:
        assert path is not None
        whole = path.read_bytes()
        for _ in range(times):
            odd = damaged(whole, random)
            if odd == whole:
                continue
            path.write_bytes(odd)
            count += 1
            if path.name == disk_cache.KEY:
                assert disk_cache.fetch("1.game") is None and disk_cache.library("lib", ".so") is None
            elif path.suffix == ".game":
                assert disk_cache.fetch("1.game") is None
            else:
                assert disk_cache.library("lib", ".so") is None
        path.write_bytes(whole)
        assert disk_cache.fetch("1.game") == content and disk_cache.library("lib", ".so") is not None
    return count


def random_bytes(many: int) -> bytes:
    return Random(0).randbytes(many)


def test_damage_of_any_kind_is_a_miss(folder: Path, tally: Tally) -> None:
    tally(damaged_cache_files=broken(folder, 120))


@pytest.mark.soak
def test_damage_of_any_kind_is_a_miss_many_times(folder: Path, tally: Tally) -> None:
    tally(damaged_cache_files=broken(folder, 2_000))


def test_a_damaged_game_is_made_again(folder: Path) -> None:
    game = load("no_thanks", 3)
    (path,) = folder.glob("*.game")
    whole = path.read_bytes()
    for at in range(0, len(whole), len(whole) // 12):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        assert load("no_thanks", 3).playout(1, lambda table: 0).state == game.playout(1, lambda table: 0).state
    assert path.read_bytes()[:32] != bytes(32)


@pytest.mark.parametrize("content", [{}, [], None, {"game": {}}, 7])
def test_what_we_have_sealed_ourselves_in_another_form_is_a_miss_too(content: object, folder: Path) -> None:
    load("no_thanks", 3)
    (path,) = folder.glob("*.game")
    disk_cache.keep(path.name, pickle.dumps(content), most=3)
    assert load("no_thanks", 3).start(1).codes


def test_a_full_disk_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_cache.keep("1.game", b"old", most=3)
    monkeypatch.setattr(writing.Disk, "write", Mock(side_effect=OSError(28, "No space left on device")))
    disk_cache.keep("1.game", b"new", most=3)
    assert disk_cache.fetch("1.game") == b"old" and names(folder) == ["1.game"]
