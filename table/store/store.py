"""The store: tables, who may sit there, what was done. It knows text, numbers and bytes; what they mean it does not know.

    store = open_store("tables.sqlite")
    store.append(table, number, [("answer", {...})], request, answer)    # there for good, or it raises
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ichiba.dsl.faults.fault import echoed, quote
from ichiba.table.store.database import Database, Rows, Run
from ichiba.table.store.records import (
    LARGEST_BODY,
    LARGEST_SETUP,
    MOST_AT_ONCE,
    MOST_ENTRIES,
    MOST_PLACES,
    Body,
    Entry,
    NameTaken,
    NewTable,
    NoSuchTable,
    Place,
    Repeated,
    Request,
    Reused,
    StoredTable,
    StoreFault,
    Taken,
    Unfit,
    hashed,
    is_hash,
    is_name,
    short,
)
from ichiba.table.store.rows import (
    SEALED,
    add_place_to,
    first_answer,
    last_of,
    mark_of,
    places_of,
    seats_of,
    sound,
    start_of,
)
from ichiba.table.store.sealing import as_kept, fitting, hash_of, read, seal, written

DAY = 86_400
AT_A_TIME = 50  # tables that are forgotten in one piece of work, so that others need not wait


class Store:
    """May be called from any thread. What a method has written is there for good when it returns."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time):
        self.database = database
        self.clock = clock

    def close(self) -> None:
        self.database.close()

    # -------------------------------------------------------------------------------------------------------- rules

    def keep_rules(self, content: Mapping[str, bytes]) -> str:
        """Files by their path; the hash under which they are kept, the same content once. Raises `Unfit`."""
        fitting(content)
        hash, now = hash_of(content), int(self.clock())

        def work(run: Run) -> None:
            new = run("INSERT INTO rules (hash, used) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING RETURNING 1", hash, now)
            if not new:  # whoever keeps it now will need it: it is not forgotten before that
                run("UPDATE rules SET used = ? WHERE hash = ?", now, hash)
            for path, one in sorted(content.items()) if new else ():
                run("INSERT INTO files (rules, path, content) VALUES (?, ?, ?)", hash, path, one)

        self.database.writing(work)
        return hash

    def rules(self, hash: str) -> dict[str, bytes]:
        """As they were kept: whole, unchanged, and with no path that leads out of a folder. `StoreFault` otherwise."""
        if not is_hash(hash):
            raise StoreFault(f"{quote(hash)} names no rules")
        rows = self.database.reading(lambda run: run("SELECT path, content FROM files WHERE rules = ? ORDER BY path", hash))
        if not rows:
            raise StoreFault(f"the rules {hash[:12]} are not in the store")
        files = {path: content for path, content in rows if isinstance(path, str) and isinstance(content, bytes)}
        as_kept(hash, files)
        return files

    # ------------------------------------------------------------------------------------------------------- tables

    def create(self, table: NewTable) -> None:
        """Whole or not at all. Raises `NameTaken`."""
        setup, now, mark = written("a setup", table.setup, LARGEST_SETUP), int(self.clock()), secrets.token_bytes(16)

        def work(run: Run) -> None:
            if found := run("SELECT mark FROM tables WHERE name = ?", table.name):
                if found[0][0] == mark:  # a second try, and the first has succeeded
                    return
                raise NameTaken(table.name)
            if not run(f"SELECT 1 FROM rules WHERE hash = ?{self.database.locking}", table.rules):
                raise StoreFault(f"the rules {table.rules[:12]} are not in the store")
            row = (table.name, setup, table.rules, table.version, now, mark)
            new = run(
                "INSERT INTO tables (name, setup, rules, version, made, mark, seal) VALUES (?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (name) DO NOTHING RETURNING 1", *row, seal("table", *row),
            )  # fmt: skip
            if not new:
                raise NameTaken(table.name)
            for place in table.places:
                add_place_to(run, table.name, place, now)

        self.database.writing(work)

    def table(self, name: str) -> StoredTable | None:
        def work(run: Run) -> StoredTable | None:
            found = run(f"SELECT {SEALED['table']}, seal FROM tables WHERE name = ?", name)
            if not found:
                return None
            [(*row, sealed)] = found
            sound("table", row, sealed, name)
            _, setup, rules, version, made, _ = row
            return StoredTable(name, read(setup), rules, version, tuple(places_of(run, name)), made)

        return self.database.reading(work) if is_name(name) else None

    def count(self) -> int:
        [(tables,)] = self.database.reading(lambda run: run("SELECT count(*) FROM tables"))
        return int(tables)

    def recent(self, days: float) -> list[str]:
        """Tables that somebody has touched within so many days: those that a server wakes when it starts again."""
        since = int(self.clock() - days * DAY)
        rows = self.database.reading(lambda run: run(f"SELECT name FROM tables WHERE NOT {OLD}", *[since] * 3))
        return sorted(str(name) for (name,) in rows)

    def forget(self, older_than_days: float) -> int:
        """Tables that nobody has touched for so many days, all that belongs to them, and rules that no table needs any more.
        How many tables that were."""
        before = int(self.clock() - older_than_days * DAY)
        locking, gone = self.database.locking, 0

        def some(run: Run) -> int:
            names = run(f"SELECT name FROM tables WHERE {OLD} LIMIT {AT_A_TIME}{locking}", *[before] * 3)
            return sum(bool(run(f"DELETE FROM tables WHERE name = ? AND {OLD} RETURNING 1", *name, *[before] * 3)) for name in names)

        def unused(run: Run) -> int:
            rules = run(f"SELECT hash FROM rules WHERE {UNUSED}{locking}", before)
            return sum(bool(run(f"DELETE FROM rules WHERE hash = ? AND {UNUSED} RETURNING 1", *hash, before)) for hash in rules)

        while step := self.database.writing(some):
            gone += step
        if self.database.writing(unused) or gone:
            self.database.tidy()
        return gone

    def check(self) -> int:
        """Reads all there is, also what nobody asks for and would not be found by its name any more; `StoreFault` if anything
        is damaged. How many entries there are."""

        def work(run: Run) -> tuple[list[str], list[str]]:
            for what, columns in SEALED.items():
                for *row, sealed in run(f"SELECT {columns}, seal FROM {what}s"):
                    sound(what, row, sealed, row[0])
            for rows, column, owners, key in (("entries", "of_table", "tables", "name"), ("files", "rules", "rules", "hash")):
                if run(f"SELECT 1 FROM {rows} WHERE {column} NOT IN (SELECT {key} FROM {owners}) LIMIT 1"):
                    raise StoreFault(f"{rows} are damaged: nobody knows what they belong to")
            return [name for (name,) in run("SELECT name FROM tables")], [hash for (hash,) in run("SELECT hash FROM rules")]

        tables, rules = self.database.reading(work)
        for hash in rules:
            self.rules(hash)
        return sum(len(self.entries(name)) for name in tables)

    # ------------------------------------------------------------------------------------------------------- places

    def find_place(self, name: str, place: str) -> Place | None:
        if not is_name(name) or not is_name(place):
            return None
        found = self.database.reading(lambda run: places_of(run, name, place))
        return found[0] if found else None

    def add_place(self, name: str, place: Place) -> None:
        """Raises `NameTaken`, `NoSuchTable`."""
        now = int(self.clock())

        def work(run: Run) -> None:
            self._held(run, name)
            there = places_of(run, name)
            if place in there:  # a second try, and the first has succeeded
                return
            if place.name in {one.name for one in there}:
                raise NameTaken(place.name)
            if len(there) >= MOST_PLACES:
                raise Unfit(f"a table has at most {MOST_PLACES} places")
            add_place_to(run, name, place, now)

        self.database.writing(work)

    def change_place_secret(self, name: str, place: str, secret: bytes) -> None:
        """A new link for a place: the old one is worth nothing any more. Raises `NoSuchTable`, also where there is no such place."""
        hashed(secret)
        now = int(self.clock())

        def work(run: Run) -> None:
            self._held(run, name)
            found = places_of(run, name, place) if is_name(place) else []
            if not found:
                raise NoSuchTable("this table has no such place")
            row = (name, place, seats_of(found[0]), secret, now)
            run(
                "UPDATE places SET secret = ?, changed = ?, seal = ? WHERE of_table = ? AND name = ?",
                secret, now, seal("place", *row), name, place,
            )  # fmt: skip

        self.database.writing(work)

    # ------------------------------------------------------------------------------------------------------ entries

    def entries(self, name: str, since: int = 0) -> list[Entry]:
        """Those behind number `since`, in order. `StoreFault` if one is damaged or missing."""
        if not is_name(name):
            return []

        def work(run: Run) -> Rows:
            return run(
                "SELECT number, kind, body, written, mark, seal FROM entries WHERE of_table = ? AND number >= ? ORDER BY number",
                name, since,
            )  # fmt: skip

        rows = self.database.reading(work)
        before, found = start_of(name), []
        for at, (number, kind, body, when, mark, sealed) in enumerate(rows, since or 1):
            if number != at:
                raise StoreFault(f"entry {at} is missing")
            if at > since:
                sound("entry", (before, number, kind, body, when, mark), sealed, number)
                found.append(Entry(at, kind, read(body)))
            before = sealed
        return found

    def append(
        self,
        name: str,
        number: int,
        entries: Sequence[tuple[str, Body]],
        request: Request | None = None,
        answer: Body | None = None,
    ) -> None:
        """All of them, from `number` on, or none; with a request its answer as well. Raises `Taken`, `Repeated`, `Reused`,
        `NoSuchTable`."""
        if (request is None) != (answer is None) or not (entries or request):
            raise Unfit("entries, or a request and its answer, or all of them")
        if len(entries) > MOST_AT_ONCE or not 1 <= number <= MOST_ENTRIES - len(entries) + 1:
            raise Unfit(f"a table has at most {MOST_ENTRIES:,} entries, and at most {MOST_AT_ONCE:,} come at once")
        rows = [(kind, written("an entry", body, LARGEST_BODY)) for kind, body in entries]
        for kind, _ in rows:
            short("kind", kind)
        said = "" if answer is None else written("an answer", answer, LARGEST_BODY)
        now, mark = int(self.clock()), secrets.token_bytes(16)

        def work(run: Run) -> None:
            self._held(run, name)
            if mark == mark_of(run, name, number, request):  # a second try, and the first has succeeded
                return
            if request and (first := first_answer(run, name, request)) is not None:
                raise Repeated(first)
            there, before = last_of(run, name)
            if there >= number:
                raise Taken(number)
            if there < number - 1:
                raise StoreFault(f"entry {number} cannot be written: there are {there}, fewer than were read before")
            for at, (kind, body) in enumerate(rows, number):
                row = (at, kind, body, now, mark)
                before = seal("entry", before, *row)
                run(
                    "INSERT INTO entries (of_table, number, kind, body, written, mark, seal) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    name, *row, before,
                )  # fmt: skip
            if request:
                asked = (name, request.place, request.name, request.digest, said, mark)
                run(
                    "INSERT INTO requests (of_table, place, name, digest, answer, mark, seal) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    *asked, seal("request", *asked),
                )  # fmt: skip

        self.database.writing(work)

    def asked_before(self, name: str, request: Request) -> Body | None:
        """The first answer to a request; None if it is new. Raises `Reused`."""
        return self.database.reading(lambda run: first_answer(run, name, request)) if is_name(name) else None

    def _held(self, run: Run, name: str) -> None:
        """From here on nobody else writes to this table until we have."""
        if not is_name(name) or not run(f"SELECT 1 FROM tables WHERE name = ?{self.database.locking}", name):
            raise NoSuchTable("there is no such table, or it was forgotten")


OLD = (  # before a moment, which is given three times
    "(made < ? AND NOT EXISTS (SELECT 1 FROM places WHERE of_table = tables.name AND changed >= ?) AND "
    "coalesce((SELECT written FROM entries WHERE of_table = tables.name ORDER BY number DESC LIMIT 1), 0) < ?)"
)
UNUSED = "used < ? AND NOT EXISTS (SELECT 1 FROM tables WHERE tables.rules = rules.hash)"


def open_store(place: str, clock: Callable[[], float] = time.time) -> Store:
    """`tables.sqlite`, `sqlite:tables.sqlite` or `postgresql://user@host/name`; made if it is not there. Raises `StoreFault`."""
    kind, _, rest = place.partition(":")
    if kind in ("postgresql", "postgres"):
        try:
            from ichiba.table.store.postgres import Postgres
        except ImportError:
            raise StoreFault('PostgreSQL needs the extra "postgres": pip install "ichiba[postgres]"') from None
        return Store(Postgres(place), clock)
    if re.match(r"(?!sqlite:)[a-z][a-z0-9+.-]*://", place):
        raise StoreFault(f"{echoed(place)}: the store is a file or postgresql://…")
    from ichiba.table.store.sqlite import Sqlite

    path = (rest.removeprefix("//") if kind == "sqlite" else place).strip()
    if not path:
        raise StoreFault("the store has to be named: a file or postgresql://…")
    return Store(Sqlite(Path(path).expanduser()), clock)


__all__ = [
    "Body", "Entry", "NameTaken", "NewTable", "NoSuchTable", "Place", "Repeated", "Request", "Reused", "Store", "StoreFault",
    "StoredTable", "Taken", "Unfit", "open_store",
]  # fmt: skip
