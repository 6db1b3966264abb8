"""The store in a file: SQLite with a log in front (WAL) that is on the disk before anything is acknowledged."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock

from ichiba.dsl.faults.fault import LONG, echoed
from ichiba.dsl.files import writing
from ichiba.table.store.database import Pool, Rows, Run, T
from ichiba.table.store.records import StoreFault
from ichiba.table.store.schema import VERSION, statements_of_sqlite

OURS = 0x49434842  # "ICHB", in the head of the file
PATIENCE = 30.0  # seconds, for other processes that write
READERS = 8  # connections at most
OLDEST = (3, 37, 0)  # of SQLite: the first that holds columns to their types
SETTINGS: tuple[str, ...] = (
    "synchronous = FULL",  # in a log, less than that loses what was acknowledged in a power cut
    "fullfsync = ON",
    "checkpoint_fullfsync = ON",
    "foreign_keys = ON",
    "recursive_triggers = ON",  # what is replaced is deleted, and that is seen
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "secure_delete = ON",  # what is forgotten is not left on free pages
    "journal_size_limit = 4194304",
    "cache_size = -256",  # kB of each connection: what a table needs of it is read once
)
WORDS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it may not be written",
    sqlite3.SQLITE_PERM: "it may not be written",
    sqlite3.SQLITE_CANTOPEN: "it, or what lies beside it, cannot be opened",
    sqlite3.SQLITE_NOTADB: "it is no database, or it is damaged",
    sqlite3.SQLITE_CORRUPT: "it is damaged",
    sqlite3.SQLITE_CONSTRAINT: "it is damaged: a row is there that should not be, or is missing",
    sqlite3.SQLITE_BUSY: f"somebody else has been writing to it for {PATIENCE:.0f} seconds",
    sqlite3.SQLITE_LOCKED: f"somebody else has been writing to it for {PATIENCE:.0f} seconds",
    sqlite3.SQLITE_IOERR: "the disk has failed",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
}


# A system forgets what a process has locked of a file when it closes that file anywhere: so we open it for nothing but to make
# it, and not while another thread may be opening it as a database.
_MAKING = Lock()


class Sqlite:
    """Threads write one after the other; reading waits for nobody."""

    locking = ""  # who writes is alone anyway

    def __init__(self, path: Path):
        if sqlite3.sqlite_version_info < OLDEST:
            raise StoreFault(f"SQLite {sqlite3.sqlite_version} is too old: the store needs {'.'.join(map(str, OLDEST))}")
        self.path = path.absolute()
        self.said = echoed(str(path), LONG)
        self.turn = Lock()  # SQLite lets writers of one process try again and again; here they stand in a line
        self.pool = Pool(self._connected, READERS)
        self.file = self._made()
        with self._told(), closing(self._connected()) as connection:
            self._prepared(connection)

    # ------------------------------------------------------------------------------------------------------ pieces of work

    def reading(self, work: Callable[[Run], T]) -> T:
        self._still_there()
        with self._told(), self.pool.lent() as connection:
            return self._whole(connection, "BEGIN", work)

    def writing(self, work: Callable[[Run], T]) -> T:
        with self._told(), self.turn:
            self._still_there()
            with self.pool.lent() as connection:
                return self._whole(connection, "BEGIN IMMEDIATE", work)

    def _whole(self, connection: sqlite3.Connection, begin: str, work: Callable[[Run], T]) -> T:
        def run(statement: str, *given: str | int | bytes) -> Rows:
            return connection.execute(statement, given).fetchall()

        connection.execute(begin)
        try:
            result = work(run)
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            raise
        return result

    def tidy(self) -> None:
        """The file becomes smaller, and what was forgotten stands in the log no more."""
        with self._told(), self.turn, self.pool.lent() as connection:
            connection.execute("PRAGMA incremental_vacuum").fetchall()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        with self._told():
            self.pool.close()

    # ------------------------------------------------------------------------------------------------------------ the file

    def _made(self) -> tuple[int, int]:
        """The file, for nobody else to read, and its name are on the disk. Which file it is."""
        try:
            with _MAKING:
                if not self.path.exists():
                    writing.make_folder(self.path.parent)
                    with suppress(FileExistsError):
                        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
                        writing.disk.sync_folder(self.path.parent)
            found = os.stat(self.path)
            if stat.S_ISDIR(found.st_mode):
                raise StoreFault(f"{self.said} is a folder; the store is a file")
            if not stat.S_ISREG(found.st_mode):
                raise StoreFault(f"{self.said} is no regular file")
            if not os.access(self.path, os.R_OK | os.W_OK):
                raise StoreFault(f"{self.said} may not be written")
        except (FileExistsError, NotADirectoryError):
            raise StoreFault(f"{self.said}: a file stands where its folder should be") from None
        except OSError as fault:
            raise StoreFault(f"{self.said}: {(fault.strerror or 'it cannot be opened').lower()}") from None
        return found.st_dev, found.st_ino

    def _still_there(self) -> None:
        """What is written into a file that was taken away would be lost."""
        try:
            found = os.stat(self.path)
        except OSError:
            found = None
        if found is None or (found.st_dev, found.st_ino) != self.file:
            raise StoreFault(f"{self.said} was taken away or replaced while it was open; start again")

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self.path.as_uri()}?mode=rw",  # a file that was taken away is not made anew
            uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False,
        )  # fmt: skip
        try:
            for setting in SETTINGS:
                connection.execute(f"PRAGMA {setting}").fetchall()
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepared(self, connection: sqlite3.Connection) -> None:
        """A store of this version, made of an empty file if need be; another's file stays as it is."""
        if not self._is_empty(connection):
            self._known(connection)
        else:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            self._logged(connection)
            connection.execute("BEGIN IMMEDIATE")
            if self._is_empty(connection):
                for statement in statements_of_sqlite():
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {VERSION}")
                connection.execute(f"PRAGMA application_id = {OURS}")
            connection.execute("COMMIT")
            self._known(connection)
        self._logged(connection)

    def _is_empty(self, connection: sqlite3.Connection) -> bool:
        [(things,)] = connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        return not things and not _number(connection, "application_id") and not _number(connection, "user_version")

    def _known(self, connection: sqlite3.Connection) -> None:
        if _number(connection, "application_id") != OURS:
            raise StoreFault(f"{self.said} is the database of another program; name another file")
        if (version := _number(connection, "user_version")) != VERSION:
            raise StoreFault(
                f"{self.said} is a store of version {version}, and this Ichiba knows version {VERSION}; "
                "open it with the Ichiba that has made it, or name another file"
            )
        there = [text for (text,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]
        if sorted(there) != sorted(statements_of_sqlite()):
            raise StoreFault(f"{self.said}: it is damaged: its tables are not those of a store")
        [(first,)] = connection.execute("PRAGMA quick_check(1)").fetchall()
        if first != "ok":
            raise StoreFault(f"{self.said}: it is damaged")

    def _logged(self, connection: sqlite3.Connection) -> None:
        """Who opens an empty file at the same moment is waited for."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                [(mode,)] = connection.execute("PRAGMA journal_mode = WAL").fetchall()
                break
            except sqlite3.OperationalError as fault:
                if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(0.01)
        if mode != "wal":
            raise StoreFault(f"{self.said}: this disk allows no log in front of the database; name a file on another one")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What SQLite says, in a sentence."""
        try:
            yield
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.Error as fault:
            raise StoreFault(f"{self.said}: {_why(fault)}") from None
        except UnicodeDecodeError:  # a message that repeats what stands in the file
            raise StoreFault(f"{self.said}: it is damaged") from None


def _why(fault: sqlite3.Error) -> str:
    try:
        code = fault.sqlite_errorcode & 0xFF
    except AttributeError:  # Python's own part has said it
        return "it is damaged"
    return WORDS.get(code, f"SQLite says {fault.sqlite_errorname}")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    [(number,)] = connection.execute(f"PRAGMA {pragma}").fetchall()
    return int(number)
