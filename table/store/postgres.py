"""The store in PostgreSQL, by URL; needs the extra `postgres`. Several servers may use one database."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

import psycopg
from psycopg.conninfo import conninfo_to_dict

from ichiba.dsl.faults.fault import LONG, echoed
from ichiba.table.store.database import Pool, Rows, Run, T
from ichiba.table.store.records import StoreFault
from ichiba.table.store.schema import SCHEMA, VERSION, statements_of_postgres

OURS = 0x49434842  # of the lock under which a store is made
OLDEST = 12
CONNECTIONS = 8  # at most, of one process
PAUSES = (0.05, 0.2, 0.5, 1.0, 2.0, 4.0)  # seconds before it is tried again: a database that starts anew is back by then
PATIENCE = 30  # seconds, for whoever else writes to the same table
USUAL = {  # unless the URL says otherwise; a network that has died is noticed
    "connect_timeout": "10", "keepalives_idle": "20", "keepalives_interval": "5", "keepalives_count": "4",
    "tcp_user_timeout": "30000", "application_name": "ichiba",
}  # fmt: skip
SETTINGS = {
    "search_path": SCHEMA,
    "statement_timeout": f"{PATIENCE}s",
    "idle_in_transaction_session_timeout": f"{2 * PATIENCE}s",
}
LOST = ("08", "57P01", "57P02", "57P03")  # how the states begin in which there is no connection any more
AGAIN = ("40001", "40P01")  # two were in each other's way
WORDS = {
    "53100": "its disk is full",
    "53200": "it has not enough memory",
    "25006": "it may only be read",
    "42501": "this user may not do that",
    "57014": f"somebody else has been writing for {PATIENCE} seconds",
    "55P03": f"somebody else has been writing for {PATIENCE} seconds",
    "58030": "its disk has failed",
    "XX001": "it is damaged",
    "XX002": "it is damaged",
}


class Postgres:
    """Who writes to a table holds its row, so that others wait for it and then see what was written."""

    locking = " FOR UPDATE"

    def __init__(self, url: str):
        try:
            self.where = USUAL | {key: str(value) for key, value in conninfo_to_dict(url).items()}
        except psycopg.Error:  # not told in its words, which may hold the password
            raise StoreFault("the address of the database should be postgresql://USER@HOST:PORT/NAME") from None
        self.said = _without_password(self.where)
        self.pool: Pool[Any] = Pool(self._connected, CONNECTIONS)
        try:
            with self.pool.lent() as connection:
                _whole(connection, "BEGIN", self._prepared)
        except psycopg.Error as fault:
            self._refuse(fault)

    # ------------------------------------------------------------------------------------------------------ pieces of work

    def reading(self, work: Callable[[Run], T]) -> T:
        return self._tried("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", work)

    def writing(self, work: Callable[[Run], T]) -> T:
        return self._tried("BEGIN ISOLATION LEVEL READ COMMITTED", work)

    def _tried(self, begin: str, work: Callable[[Run], T]) -> T:
        """Again where the connection was lost or two were in each other's way. Whether what was lost had lasted, `work` sees."""
        for pause in PAUSES:
            try:
                with self.pool.lent() as connection:
                    return _whole(connection, begin, work)
            except psycopg.Error as fault:
                if _is_lost(fault):
                    self.pool.drop()
                elif fault.sqlstate not in AGAIN:
                    self._refuse(fault)
            time.sleep(pause)
        try:
            with self.pool.lent() as connection:
                return _whole(connection, begin, work)
        except psycopg.Error as fault:
            self._refuse(fault)

    def tidy(self) -> None:
        """The database sees to it by itself."""

    def close(self) -> None:
        self.pool.close()

    # -------------------------------------------------------------------------------------------------------- the database

    def _connected(self) -> Any:
        connection = psycopg.connect("", autocommit=True, prepare_threshold=None, client_encoding="UTF8", **self.where)
        try:
            run = _run_by(connection)
            self._fit_for_keeping(run, connection.info.server_version)
            for name, value in SETTINGS.items():
                run("SELECT set_config(?, ?, false)", name, value)
        except BaseException:
            connection.close()
            raise
        return connection

    def _fit_for_keeping(self, run: Run, version: int) -> None:
        """Its settings may be such that what was acknowledged is lost in a power cut: then it is no place to keep anything."""
        if version < OLDEST * 10_000:
            raise StoreFault(f"{self.said}: PostgreSQL {version // 10_000} is too old: the store needs {OLDEST}")
        names = ("fsync", "synchronous_commit", "server_encoding")
        sync, commit, encoding = (run("SELECT current_setting(?)", name)[0][0] for name in names)
        if sync != "on":
            raise StoreFault(f"{self.said}: fsync is off there, and a power cut would take what was acknowledged; switch it on")
        if encoding != "UTF8":
            raise StoreFault(f"{self.said}: it does not keep every text; make it with UTF8: createdb -E UTF8 -T template0 NAME")
        if commit == "off":  # for others that may be good enough
            run("SELECT set_config('synchronous_commit', 'on', false)")

    def _prepared(self, run: Run) -> None:
        """A store of this version, made if there is none; two that come at the same moment make one."""
        run("SELECT pg_advisory_xact_lock(?)", OURS)
        there = {name for (name,) in run("SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace(?)", SCHEMA)}
        if "about" in there:
            [(version,)] = run(f"SELECT version FROM {SCHEMA}.about")
            if version != VERSION:
                raise StoreFault(
                    f"{self.said} holds a store of version {version}, and this Ichiba knows version {VERSION}; "
                    "open it with the Ichiba that has made it, or name another database"
                )
        elif there:
            raise StoreFault(f"{self.said} has a schema {SCHEMA} of another program; name another database")
        else:
            for statement in statements_of_postgres():
                run(statement)

    def _refuse(self, fault: psycopg.Error) -> NoReturn:
        """What the database says, in a sentence."""
        if fault.sqlstate is None:
            lines = str(fault).strip().splitlines() or ["the connection was lost"]
            why = f"it cannot be reached: {echoed(lines[0], 300)}"
        elif fault.sqlstate.startswith("23") or fault.sqlstate == "P0001":
            why = "it is damaged: a row is there that should not be, or is missing"
        else:
            why = WORDS.get(fault.sqlstate, f"PostgreSQL says {fault.sqlstate}, {type(fault).__name__}")
        raise StoreFault(f"{self.said}: {why}") from None


def _run_by(connection: Any) -> Run:
    def run(statement: str, *given: str | int | bytes) -> Rows:
        cursor = connection.execute(statement.replace("?", "%s"), given or None)
        return list(cursor.fetchall()) if cursor.description else []

    return run


def _whole(connection: Any, begin: str, work: Callable[[Run], T]) -> T:
    connection.execute(begin)
    try:
        result = work(_run_by(connection))
        connection.execute("COMMIT")
    except BaseException:
        with suppress(psycopg.Error):
            connection.execute("ROLLBACK")
        raise
    return result


def _is_lost(fault: psycopg.Error) -> bool:
    state: str | None = fault.sqlstate
    if state is None:  # said on this side of the connection
        return isinstance(fault, psycopg.OperationalError)
    return state.startswith(LOST)


def _without_password(where: dict[str, str]) -> str:
    user, host, port, name = (where.get(key, "") for key in ("user", "host", "port", "dbname"))
    said = f"postgresql://{f'{user}@' if user else ''}{host}{f':{port}' if port else ''}/{name}"
    return echoed(said, LONG)
