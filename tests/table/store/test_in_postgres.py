"""Claims about the store in PostgreSQL: a connection that is lost, a server that is killed, databases in which nothing should be
kept; and no password is ever told."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from ichiba.table.store.schema import VERSION
from ichiba.table.store.store import Entry, NameTaken, Place, Repeated, Request, Store, StoreFault, Taken, open_store
from tests.conftest import Tally
from tests.table.store.conftest import RULES, begun, secret, table
from tests.table.store.server import Server

ASKED = Request("1", "first", "digest")


@pytest.fixture
def bare(server: Server) -> Iterator[Server]:
    """Without even a store, before and afterwards."""
    server.bare()
    yield server
    server.bare()


@pytest.fixture
def kept(postgres: Server) -> Iterator[Store]:
    store = begun(open_store(postgres.url()))
    yield store
    store.close()


def refused(url: str) -> str:
    with pytest.raises(StoreFault) as told:
        open_store(url)
    assert "\n" not in str(told.value)
    return str(told.value)


# --- a connection that is lost


class Losing:
    """A connection that is lost at a statement, before the database has done it or after."""

    def __init__(self, real: Any, at: str, after: bool, server: Server):
        self.real, self.at, self.after, self.server, self.info = real, at, after, server, real.info

    def execute(self, statement: str, *given: Any) -> Any:
        if not statement.startswith(self.at):
            return self.real.execute(statement, *given)
        if self.after:
            self.real.execute(statement, *given)
        self.server.does(f"SELECT pg_terminate_backend({self.real.info.backend_pid}, 10000)")
        return self.real.execute("SELECT 1")

    def close(self) -> None:
        self.real.close()


@pytest.fixture(params=[("COMMIT", True), ("COMMIT", False), ("INSERT", True), ("INSERT", False), ("BEGIN", False)], ids=str)
def losing(request: pytest.FixtureRequest, kept: Store, postgres: Server, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The first connection that is made from now on is lost there, as a rule in the middle of what it does."""
    at, after = request.param
    database: Any = kept.database
    connect = database.pool.connect
    lost: list[Any] = []

    def connected() -> Any:
        real = connect()
        if lost:
            return real
        lost.append(real)
        return Losing(real, at, after, postgres)

    database.pool.drop()
    monkeypatch.setattr(database.pool, "connect", connected)
    return kept


def test_entries_are_there_once_when_the_connection_is_lost(losing: Store) -> None:
    losing.append("t", 1, [("answer", {"n": 1}), ("answer", {"n": 2})])
    assert losing.entries("t") == [Entry(1, "answer", {"n": 1}), Entry(2, "answer", {"n": 2})]
    with pytest.raises(Taken):
        losing.append("t", 1, [("answer", {"n": 1})])


def test_a_request_is_answered_once_when_the_connection_is_lost(losing: Store) -> None:
    losing.append("t", 1, [("answer", {})], ASKED, {"n": 1})
    with pytest.raises(Repeated):
        losing.append("t", 2, [("answer", {})], ASKED, {"n": 2})
    assert losing.asked_before("t", ASKED) == {"n": 1} and len(losing.entries("t")) == 1


def test_a_request_without_an_entry_too(losing: Store) -> None:
    losing.append("t", 1, [], ASKED, {"n": 1})
    assert losing.asked_before("t", ASKED) == {"n": 1} and losing.entries("t") == []


def test_a_table_is_made_once_when_the_connection_is_lost(losing: Store) -> None:
    rules = losing.table("t")
    assert rules is not None
    losing.create(table("u", rules.rules))
    with pytest.raises(NameTaken):
        losing.create(table("u", rules.rules))
    assert losing.count() == 2


def test_a_place_and_rules_too(losing: Store) -> None:
    losing.add_place("t", Place("2", (2,), secret("two")))
    losing.change_place_secret("t", "2", secret("new"))
    assert losing.find_place("t", "2") == Place("2", (2,), secret("new"))
    assert losing.rules(losing.keep_rules(RULES | {"more": b""})) == RULES | {"more": b""}


def played_while_killed(store: Store, server: Server, kills: int) -> None:
    """A process of the server dies each time, so it ends all others and starts anew."""
    there: list[int] = []

    def play() -> None:
        for number in range(1, 10 * kills + 6):
            store.append("t", number, [("answer", {"n": number})], Request("1", str(number), "d"), {"n": number})
            there.append(number)

    playing = threading.Thread(target=play)
    playing.start()
    for kill in range(kills):
        while len(there) < 10 * kill + 5 and playing.is_alive():
            time.sleep(0.001)
        with suppress(Exception):  # it may be on its way up again
            for (backend,) in server.does("SELECT pid FROM pg_stat_activity WHERE application_name = 'ichiba' LIMIT 1"):
                os.kill(backend, signal.SIGKILL)
    playing.join()
    assert there == list(range(1, 10 * kills + 6))
    assert [entry.body["n"] for entry in store.entries("t")] == there


def test_whoever_waits_goes_on_when_the_server_was_killed_and_is_there_again(kept: Store, postgres: Server, tally: Tally) -> None:
    """Nothing acknowledged is lost, nothing is doubled."""
    played_while_killed(kept, postgres, 1)
    tally(kills=1)


@pytest.mark.soak
def test_so_it_is_a_hundred_times(kept: Store, postgres: Server, tally: Tally) -> None:
    played_while_killed(kept, postgres, 100)
    tally(kills=100)


def test_a_server_that_stays_away_is_told(server: Server) -> None:
    said = refused(f"postgresql://ichiba:very_secret@/postgres?host={server.folder}/nowhere")
    assert said.startswith(f"postgresql://ichiba@{server.folder}/nowhere/postgres: it cannot be reached: ")


# --- what is told


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ichiba:very_secret@host/name?nothing=known", "postgresql://ichiba:very_secret@host:port/name",
        "postgresql://ichiba:very_secret@[host/name", "postgres://ichiba:very_secret@127.0.0.1:1/name",
        "postgresql://ichiba:very_secret@/nowhere?host=SERVER",
    ],
)  # fmt: skip
def test_no_password_is_told(url: str, server: Server) -> None:
    said = refused(url.replace("SERVER", str(server.folder)))
    assert "very_secret" not in said and said.startswith(("postgresql://ichiba@", "the address of the database should be"))


def test_a_database_that_is_not_there_is_named(server: Server) -> None:
    said = refused(server.url("nowhere"))
    assert said.startswith(f"postgresql://ichiba@{server.folder}/nowhere: it cannot be reached: ")
    assert 'database "nowhere" does not exist' in said


def test_a_user_who_may_do_nothing_there_is_told(bare: Server) -> None:
    bare.does("CREATE ROLE guest LOGIN")
    try:
        assert refused(bare.url().replace("user=ichiba", "user=guest")).endswith(": this user may not do that")
    finally:
        bare.does("DROP ROLE guest")


def test_a_database_that_may_only_be_read_is_told(bare: Server) -> None:
    assert refused(bare.url() + "&options=-cdefault_transaction_read_only%3Don").endswith(": it may only be read")


# --- what is no place to keep anything


def test_where_fsync_is_off_nothing_is_kept(server: Server) -> None:
    server.does("ALTER SYSTEM SET fsync = off")
    server.does("SELECT pg_reload_conf(), pg_sleep(0.2)")
    try:
        assert refused(server.url()).endswith(
            ": fsync is off there, and a power cut would take what was acknowledged; switch it on"
        )
    finally:
        server.does("ALTER SYSTEM RESET fsync")
        server.does("SELECT pg_reload_conf(), pg_sleep(0.2)")


def test_where_others_do_not_wait_for_the_disk_the_store_does(postgres: Server) -> None:
    store = open_store(postgres.url() + "&options=-csynchronous_commit%3Doff")
    assert store.database.reading(lambda run: run("SELECT current_setting('synchronous_commit')")) == [("on",)]
    store.close()


def test_a_database_that_does_not_keep_every_text_is_told(server: Server) -> None:
    server.does("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    try:
        assert refused(server.url("latin")).endswith("make it with UTF8: createdb -E UTF8 -T template0 NAME")
    finally:
        server.does("DROP DATABASE latin")


def test_a_postgres_that_is_too_old_is_told(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    monkeypatch.setattr("ichiba.table.store.postgres.OLDEST", 99)
    assert refused(server.url()).endswith("is too old: the store needs 99")


def test_a_schema_of_another_program_is_told_and_left_as_it_is(bare: Server) -> None:
    bare.does("CREATE SCHEMA ichiba CREATE TABLE entries (number integer)")
    assert refused(bare.url()).endswith("/postgres has a schema ichiba of another program; name another database")
    assert bare.does("SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('ichiba')") == [("entries",)]


def test_an_empty_schema_that_somebody_has_made_is_taken(bare: Server) -> None:
    bare.does("CREATE SCHEMA ichiba")
    begun(open_store(bare.url())).close()


def test_a_store_of_another_version_says_so_and_what_to_do(bare: Server) -> None:
    open_store(bare.url()).close()
    bare.does(f"UPDATE ichiba.about SET version = {VERSION + 1}")
    assert refused(bare.url()).endswith(
        f"holds a store of version {VERSION + 1}, and this Ichiba knows version {VERSION}; "
        "open it with the Ichiba that has made it, or name another database"
    )


def test_who_is_kept_waiting_for_too_long_is_told(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    monkeypatch.setattr("ichiba.table.store.postgres.SETTINGS", {"search_path": "ichiba", "statement_timeout": "200ms"})
    store = begun(open_store(postgres.url()))
    with psycopg.connect(postgres.url()) as other:
        other.execute("SELECT 1 FROM ichiba.tables FOR UPDATE")
        with pytest.raises(StoreFault, match="somebody else has been writing for 30 seconds$"):
            store.append("t", 1, [("answer", {})])
        assert store.entries("t") == []  # reading waits for nobody
    store.append("t", 1, [("answer", {})])
    store.close()


def test_nothing_is_cut_off_all_at_once(kept: Store, postgres: Server) -> None:
    import psycopg

    for name in ("entries", "requests", "tables CASCADE"):
        with pytest.raises(psycopg.errors.RaiseException):
            postgres.does(f"TRUNCATE ichiba.{name}")
    assert kept.count() == 1
