"""Claims about the store in a file: who may read it, what is not taken for one, and what is said when the disk cannot."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest

from ichiba.dsl.files import writing
from ichiba.table.store import sqlite
from ichiba.table.store.schema import VERSION
from ichiba.table.store.store import Request, Store, StoreFault, open_store
from tests.conftest import Tally
from tests.table.store.conftest import RULES, Clock, begun, secret

ASKED = Request("1", "first", "digest")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "all.sqlite"


def closed(path: Path, entries: int = 3) -> Path:
    """A store with a table, closed again."""
    store = begun(open_store(str(path)))
    for number in range(1, entries + 1):
        store.append("t", number, [("answer", {"n": number})], Request("1", str(number), "d"), {"n": number})
    store.close()
    return path


def refused(place: str | Path) -> str:
    with pytest.raises(StoreFault) as told:
        open_store(str(place))
    said = str(told.value)
    assert "\n" not in said and "Traceback" not in said
    return said.replace(str(place), "FILE")


# --- the file


def test_nobody_else_may_read_it_and_its_name_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(writing.Disk, "sync_folder", lambda disk, folder: synced.append(folder))
    os.umask(before := os.umask(0))
    os.umask(0)
    try:
        store = begun(open_store(str(tmp_path / "a" / "b" / "all.sqlite")))
        files = sorted((tmp_path / "a" / "b").iterdir())
        assert [file.name for file in files] == ["all.sqlite", "all.sqlite-shm", "all.sqlite-wal"]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    finally:
        os.umask(before)
    assert synced == [tmp_path, tmp_path / "a", tmp_path / "a" / "b"]
    store.close()
    assert [file.name for file in (tmp_path / "a" / "b").iterdir()] == ["all.sqlite"]


@pytest.mark.parametrize("form", ["{}", "sqlite:{}", "sqlite://{}"])
def test_it_is_named_by_its_path(form: str, path: Path) -> None:
    closed(path)
    store = open_store(form.format(path))
    assert len(store.entries("t")) == 3
    store.close()


def test_each_commit_is_on_the_disk_before_it_is_told(path: Path) -> None:
    """What the tests of power cuts lean on."""
    store = open_store(str(path))
    set_to = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "recursive_triggers": 1}
    assert store.database.reading(lambda run: {name: run(f"PRAGMA {name}")[0][0] for name in set_to}) == set_to
    store.close()


def test_no_secret_stands_in_it(path: Path) -> None:
    store = begun(open_store(str(path)))
    store.change_place_secret("t", "1", secret("a very secret word"))
    content = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert secret("a very secret word") in content and b"a very secret word" not in content
    store.close()


def test_what_was_forgotten_stands_in_it_no_more(path: Path, clock: Clock) -> None:
    store = begun(open_store(str(path), clock))
    store.append("t", 1, [("answer", {"text": "what nobody should remember" * 400})])
    clock.days_pass(2)
    held = path.stat().st_size + path.with_name("all.sqlite-wal").stat().st_size
    assert store.forget(1) == 1
    content = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"nobody should remember" not in content
    assert path.stat().st_size + path.with_name("all.sqlite-wal").stat().st_size < held
    store.close()


def test_who_opens_it_twice_still_holds_it_against_other_processes(path: Path) -> None:
    """A system forgets all that a process has locked of a file when it closes that file anywhere. Who came then would take the
    log away, as the last one does who closes."""
    store = begun(open_store(str(path)))
    open_store(str(path)).close()
    other = f"import sqlite3; c = sqlite3.connect({str(path)!r}); c.execute('SELECT * FROM tables').fetchall(); c.close()"
    subprocess.run([sys.executable, "-c", other], check=True)
    assert path.with_name("all.sqlite-wal").exists()
    store.append("t", 1, [("answer", {})])
    store.close()
    store = open_store(str(path))
    assert len(store.entries("t")) == 1
    store.close()


# --- what is no store


def test_a_folder_is_none(tmp_path: Path) -> None:
    assert refused(tmp_path) == "FILE is a folder; the store is a file"


def test_neither_a_pipe_nor_a_device_is_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe") == refused("/dev/null") == "FILE is no regular file"


def test_a_file_in_the_place_of_a_folder_is_told(path: Path) -> None:
    path.touch()
    assert refused(path / "below") == "FILE: a file stands where its folder should be"


def test_a_link_that_leads_nowhere_is_not_followed(path: Path) -> None:
    path.symlink_to(path.with_name("nothing"))
    assert refused(path) == "FILE: no such file or directory"
    assert not path.with_name("nothing").exists()


@pytest.mark.parametrize("content", [b"a text\n", b"SQLite format 3\x00", b"\x00" * 8192, b"SQLite format 3\x00" + b"\xff" * 8192])
def test_what_is_no_database_is_told_and_left_as_it_is(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    assert refused(path) == "FILE: it is no database, or it is damaged"
    assert path.read_bytes() == content


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.touch()
    closed(path)


def foreign(path: Path, *statements: str) -> bytes:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path.read_bytes()


def test_the_database_of_another_program_is_told_and_left_as_it_is(path: Path) -> None:
    content = foreign(path, "CREATE TABLE entries (number INTEGER)")
    assert refused(path) == "FILE is the database of another program; name another file"
    assert path.read_bytes() == content and list(path.parent.iterdir()) == [path]


def test_a_store_of_another_version_says_so_and_what_to_do(path: Path) -> None:
    foreign(closed(path), f"PRAGMA user_version = {VERSION + 1}")
    content = path.read_bytes()
    assert refused(path) == (
        f"FILE is a store of version {VERSION + 1}, and this Ichiba knows version {VERSION}; "
        "open it with the Ichiba that has made it, or name another file"
    )
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "statement", ["DROP TRIGGER entries_stay", "DROP TABLE entries", "DROP INDEX tables_by_rules", "CREATE TABLE more (a)"]
)
def test_a_store_whose_tables_were_changed_is_none_any_more(statement: str, path: Path) -> None:
    foreign(closed(path), statement)
    assert refused(path) == "FILE: it is damaged: its tables are not those of a store"


@pytest.mark.parametrize("place", ["mysql://host/name", "https://host/all.sqlite"])
def test_other_kinds_of_databases_are_not_known(place: str) -> None:
    assert refused(place) == "FILE: the store is a file or postgresql://…"


@pytest.mark.parametrize("place", ["", " ", "sqlite:", "sqlite://"])
def test_it_has_to_be_named(place: str) -> None:
    with pytest.raises(StoreFault, match=r"^the store has to be named: a file or postgresql://…$"):
        open_store(place)


def test_an_sqlite_that_is_too_old_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
    assert "is too old: the store needs 3.37.0" in refused(path)


def test_without_the_extra_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ichiba.table.store.postgres", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert refused("postgresql://host/name") == 'PostgreSQL needs the extra "postgres": pip install "ichiba[postgres]"'


# --- what happens to it while it is open


@pytest.mark.parametrize("what", ["taken away", "replaced"])
def test_nothing_is_written_into_a_file_that_is_not_there_any_more(what: str, path: Path) -> None:
    store = begun(open_store(str(path)))
    path.unlink()
    if what == "replaced":
        closed(path.with_name("other")).rename(path)
    for work in (lambda: store.append("t", 1, [("answer", {})]), lambda: store.entries("t")):
        with pytest.raises(StoreFault, match="was taken away or replaced while it was open; start again$"):
            work()


def test_who_may_not_write_it_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed(path).chmod(0o400)
    monkeypatch.setattr(os, "access", lambda path, mode: bool(os.stat(path).st_mode & 0o200))  # root may do everything
    assert refused(path) == "FILE may not be written"


def test_who_is_kept_waiting_for_too_long_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed(path)
    monkeypatch.setattr(sqlite, "PATIENCE", 0.01)
    store = open_store(str(path))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreFault, match="somebody else has been writing to it for 30 seconds$"):
        store.append("t", 4, [("answer", {})])
    assert len(store.entries("t")) == 3  # reading waits for nobody
    other.close()
    store.append("t", 4, [("answer", {})])
    store.close()


def test_an_error_inside_a_piece_of_work_takes_back_what_it_has_written(path: Path) -> None:
    store = begun(open_store(str(path)))
    run = Mock(side_effect=MemoryError)
    with pytest.raises(MemoryError):
        store.database.writing(lambda real: (real("DELETE FROM tables"), run()))
    assert store.count() == 1
    store.append("t", 1, [("answer", {})])
    store.close()


# --- a disk that is full, or may be written no more


SIZE = 2**21


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    try:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "ichiba-test", str(place)], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nobody may mount a small disk here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def filled(store: Store, number: int = 1) -> int:
    """How many entries there are when no more goes in."""
    while True:
        try:
            store.append("t", number, [("answer", {"text": "x" * 20_000})] * 3, Request("1", str(number), "d"), {"n": number})
        except StoreFault as fault:
            assert str(fault).endswith(": the disk is full") or str(fault).endswith(": the disk has failed"), str(fault)
            return number - 1
        number += 3


def test_on_a_full_disk_what_was_acknowledged_stays_and_with_room_it_goes_on(small: Path) -> None:
    (small / "filler").write_bytes(bytes(SIZE // 2))
    store = begun(open_store(str(small / "all.sqlite")))
    there = filled(store)
    assert there and len(store.entries("t")) == there == filled(store, there + 1)
    store.close()
    (small / "filler").unlink()
    store = open_store(str(small / "all.sqlite"))
    assert len(store.entries("t")) == there
    store.append("t", there + 1, [("answer", {})])
    assert filled(store, there + 2) > there + 1
    assert [entry.number for entry in store.entries("t")] == list(range(1, len(store.entries("t")) + 1))
    store.close()


def test_on_a_disk_without_any_room_no_store_is_made(small: Path) -> None:
    with pytest.raises(OSError):
        (small / "filler").write_bytes(bytes(2 * SIZE))
    assert refused(small / "all.sqlite") in (
        "FILE: no space left on device", "FILE: the disk is full", "FILE: the disk has failed",
    )  # fmt: skip


def test_on_a_disk_that_may_only_be_read_it_is_said_so(small: Path) -> None:
    path = closed(small / "all.sqlite")
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    assert refused(path) == "FILE may not be written"


# --- a file that a disk has changed


def found(path: Path) -> object:
    """All that can be read of it."""
    store = open_store(str(path))
    try:
        assert store.check() == 25
        table = store.table("t")
        rules = store.rules(table.rules) if table else {}
        asked = [store.asked_before("t", Request("1", str(number), "d")) for number in range(30)]
        return table, rules, store.entries("t"), asked, store.find_place("t", "1"), store.count()
    finally:
        store.close()


def damaged(folder: Path, times: int, random: Random) -> tuple[int, int]:
    """How often bytes were changed, and how often that was told."""
    path = closed(folder / "sound.sqlite", 25)
    content, sound = path.read_bytes(), found(path)
    told = 0
    for _ in range(times):
        changed = bytearray(content)
        if random.random() < 0.2:
            del changed[random.randrange(1, len(content)) :]
        for _ in range(random.choice((1, 1, 4))):
            changed[random.randrange(len(changed))] = random.randrange(256)
        other = folder / "changed.sqlite"
        for name in (other, folder / "changed.sqlite-wal", folder / "changed.sqlite-shm"):
            name.unlink(missing_ok=True)
        other.write_bytes(changed)
        try:
            assert found(other) == sound
        except StoreFault as fault:
            assert "\n" not in str(fault)
            told += 1
    return times, told


def test_of_a_file_whose_bytes_were_changed_what_was_written_is_read_or_nothing(tmp_path: Path, tally: Tally) -> None:
    times, told = damaged(tmp_path, 150, Random(1))
    tally(damaged_files=times)
    assert told > times // 4


@pytest.mark.soak
def test_so_it_is_of_ten_thousand(tmp_path: Path, tally: Tally) -> None:
    times, told = damaged(tmp_path, 10_000, Random(2))
    tally(damaged_files=times)
    assert told > times // 4


def test_rules_that_were_changed_are_not_played(path: Path) -> None:
    content = closed(path).read_bytes()
    assert content.count(RULES["game.yaml"]) == 1
    path.write_bytes(content.replace(RULES["game.yaml"], b"name: 0rchard\n"))
    store = open_store(str(path))
    table = store.table("t")
    assert table is not None
    with pytest.raises(StoreFault, match="are damaged: they are not those that were kept under this name$"):
        store.rules(table.rules)
    store.close()
