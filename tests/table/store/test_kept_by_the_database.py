"""Claims about what each database sees to by itself, and about rows that a disk has changed: nothing is rewritten, nothing goes
alone, and what is not as it was written is never given out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ichiba.table.store.schema import NAMES
from ichiba.table.store.store import Request, Store, StoreFault, Taken
from tests.table.store.conftest import RULES, begun

ASKED = Request("1", "first", "digest")
DAMAGED = "it is damaged: a row is there that should not be, or is missing$"


@pytest.fixture
def played(store: Store) -> Store:
    """With something in each table."""
    begun(store).append("t", 1, [("answer", {"n": 1}), ("answer", {"n": 2}), ("undo", {})], ASKED, {"said": "yes"})
    return store


def does(store: Store, statement: str, *given: str | int | bytes) -> list[tuple[Any, ...]]:
    return store.database.writing(lambda run: run(statement, *given))


def entry(table: str = "t", number: int = 4, kind: str = "answer", mark: str = "mark") -> str:
    return f"INSERT INTO entries SELECT '{table}', {number}, '{kind}', '{{}}', 0, {mark}, seal FROM entries LIMIT 1"


REFUSED = [
    "UPDATE entries SET body = '{}'",
    "UPDATE entries SET number = number + 1 WHERE number = 3",
    "UPDATE requests SET answer = '{}'",
    "UPDATE tables SET setup = '{}'",
    "UPDATE tables SET rules = rules",
    "UPDATE rules SET hash = hash",
    "UPDATE files SET content = ?",
    "UPDATE places SET seats = '1 2'",
    "UPDATE places SET of_table = 't'",
    "DELETE FROM entries WHERE number = 3",
    "DELETE FROM requests",
    "DELETE FROM places",
    "DELETE FROM files",
    "DELETE FROM rules",
    entry(number=9),
    entry(number=0),
    entry(number=3),
    entry(table="nobody", number=1),
    entry(kind=""),
    entry(mark="''"),
]


@pytest.mark.parametrize("statement", REFUSED, ids=range(len(REFUSED)))
def test_what_was_written_is_not_written_again_and_does_not_go_alone(statement: str, played: Store) -> None:
    before = {name: sorted(map(repr, does(played, f"SELECT * FROM {name}"))) for name in NAMES}
    with pytest.raises(StoreFault, match=DAMAGED):
        does(played, statement, *[b""] * statement.count("?"))
    assert {name: sorted(map(repr, does(played, f"SELECT * FROM {name}"))) for name in NAMES} == before


READS: dict[str, Callable[[Store], object]] = {
    "rules": lambda store: store.rules(store.keep_rules(RULES)),
    "tables": lambda store: store.table("t"),
    "places": lambda store: (store.table("t"), store.find_place("t", "1")),
    "entries": lambda store: [store.entries("t", since) for since in range(3)],
    "requests": lambda store: store.asked_before("t", ASKED),
}
CHANGES = [
    ("files", "content", b"name: orchard 2\n"), ("files", "path", "../../etc/passwd"), ("files", "path", "other"),
    ("tables", "setup", '{"seats":3}'), ("tables", "version", "2"), ("tables", "made", 7),
    ("places", "seats", "2"), ("places", "seats", "none"), ("places", "secret", bytes(32)), ("places", "changed", 7),
    ("entries", "body", '{"n":7}'), ("entries", "body", "{"), ("entries", "kind", "vote"), ("entries", "written", 7),
    ("entries", "mark", bytes(16)), ("entries", "seal", bytes(16)),
    ("requests", "answer", "{}"), ("requests", "digest", "other"), ("requests", "mark", bytes(16)), ("requests", "seal", bytes(16)),
]  # fmt: skip


def without_its_guards(store: Store) -> Store:
    """Whoever changes a disk asks no trigger."""
    if store.database.locking:
        for name in NAMES:
            does(store, f"ALTER TABLE {name} DISABLE TRIGGER USER")
    else:
        for (name,) in does(store, "SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            does(store, f"DROP TRIGGER {name}")
    return store


@pytest.fixture
def unguarded(played: Store, request: pytest.FixtureRequest) -> Store:
    if played.database.locking:
        server = request.getfixturevalue("server")
        request.addfinalizer(server.bare)
    return without_its_guards(played)


@pytest.mark.parametrize(("name", "column", "value"), CHANGES)
def test_a_row_that_was_changed_behind_our_back_is_told(name: str, column: str, value: str | int | bytes, unguarded: Store) -> None:
    one = " AND number = 2" if name == "entries" else f" AND path = '{min(RULES)}'" if name == "files" else ""
    does(unguarded, f"UPDATE {name} SET {column} = ? WHERE 1 = 1{one}", value)
    if name == "requests" and column == "digest":
        with pytest.raises(StoreFault, match="^request first is damaged$"):
            unguarded.append("t", 4, [("answer", {})], ASKED, {})
    with pytest.raises(StoreFault, match="damaged"):
        READS["rules" if name == "files" else name](unguarded)
    with pytest.raises(StoreFault, match="damaged"):
        unguarded.check()


@pytest.mark.parametrize("number", [1, 2])
def test_an_entry_that_is_missing_is_told(number: int, unguarded: Store) -> None:
    does(unguarded, "DELETE FROM entries WHERE number = ?", number)
    with pytest.raises(StoreFault, match=f"^entry {number} is missing$"):
        unguarded.entries("t")
    with pytest.raises(Taken):
        unguarded.append("t", number, [("answer", {})])


@pytest.mark.parametrize("name", ["requests", "places"])
def test_what_is_not_found_by_its_name_any_more_is_told_by_who_reads_everything(name: str, unguarded: Store) -> None:
    assert unguarded.check() == 3
    does(unguarded, f"UPDATE {name} SET name = 'other'")
    with pytest.raises(StoreFault, match="is damaged$"):
        unguarded.check()


def test_entries_that_have_changed_places_are_told(unguarded: Store) -> None:
    for old, new in ((1, 1_000), (2, 1), (1_000, 2)):  # each is sound by itself
        does(unguarded, "UPDATE entries SET number = ? WHERE number = ?", new, old)
    with pytest.raises(StoreFault, match="damaged|missing"):
        unguarded.entries("t")
