"""The tables of the store, for both databases, and what the database itself sees to: rows are added and stay; what belongs to
a table goes with it, all at once."""

from __future__ import annotations

from ichiba.table.store.records import LARGEST_BODY, LARGEST_SETUP, MOST_ENTRIES
from ichiba.table.store.sealing import LARGEST_FILE, LONGEST_PATH

VERSION = 1  # another one is refused by name
SCHEMA = "ichiba"  # of PostgreSQL, where other programs may have tables as well
NAMES = ("rules", "files", "tables", "places", "entries", "requests")

TABLES = f"""
CREATE TABLE rules (
    hash TEXT NOT NULL PRIMARY KEY CHECK (length(hash) = 64),
    used WHOLE NOT NULL
) STRICT;

CREATE TABLE files (
    rules TEXT NOT NULL REFERENCES rules (hash) ON DELETE CASCADE,
    path TEXT NOT NULL CHECK (length(path) BETWEEN 1 AND {LONGEST_PATH}),
    content BYTES NOT NULL CHECK (length(content) <= {LARGEST_FILE}),
    PRIMARY KEY (rules, path)
) STRICT;

CREATE TABLE tables (
    name TEXT NOT NULL PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 100),
    setup TEXT NOT NULL CHECK (length(setup) <= {LARGEST_SETUP}),
    rules TEXT NOT NULL REFERENCES rules (hash),
    version TEXT NOT NULL CHECK (length(version) BETWEEN 1 AND 200),
    made WHOLE NOT NULL,
    mark BYTES NOT NULL CHECK (length(mark) = 16),
    seal BYTES NOT NULL CHECK (length(seal) = 16)
) STRICT;

CREATE INDEX tables_by_rules ON tables (rules);

CREATE TABLE places (
    of_table TEXT NOT NULL REFERENCES tables (name) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    seats TEXT NOT NULL,
    secret BYTES NOT NULL CHECK (length(secret) = 32),
    changed WHOLE NOT NULL,
    seal BYTES NOT NULL CHECK (length(seal) = 16),
    PRIMARY KEY (of_table, name)
) CLUSTERED;

CREATE TABLE entries (
    of_table TEXT NOT NULL REFERENCES tables (name) ON DELETE CASCADE,
    number WHOLE NOT NULL CHECK (number BETWEEN 1 AND {MOST_ENTRIES}),
    kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 200),
    body TEXT NOT NULL CHECK (length(body) <= {LARGEST_BODY}),
    written WHOLE NOT NULL,
    mark BYTES NOT NULL CHECK (length(mark) = 16),
    seal BYTES NOT NULL CHECK (length(seal) = 16),
    PRIMARY KEY (of_table, number)
) CLUSTERED;

CREATE TABLE requests (
    of_table TEXT NOT NULL REFERENCES tables (name) ON DELETE CASCADE,
    place TEXT NOT NULL CHECK (length(place) BETWEEN 1 AND 200),
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    digest TEXT NOT NULL CHECK (length(digest) BETWEEN 1 AND 200),
    answer TEXT NOT NULL CHECK (length(answer) <= {LARGEST_BODY}),
    mark BYTES NOT NULL CHECK (length(mark) = 16),
    seal BYTES NOT NULL CHECK (length(seal) = 16),
    PRIMARY KEY (of_table, place, name)
) CLUSTERED;
"""

WORDS_OF_SQLITE = {"WHOLE": "INTEGER", "BYTES": "BLOB", "CLUSTERED": "STRICT, WITHOUT ROWID"}
WORDS_OF_POSTGRES = {"WHOLE": "BIGINT", "BYTES": "BYTEA", " STRICT;": ";", " CLUSTERED;": ";"}

# What may not be changed, by table; and to what a row belongs that goes with it.
FIXED = {"rules": "hash", "places": "of_table, name, seats", "files": "", "tables": "", "entries": "", "requests": ""}
OWNERS = {"files": ("rules", "hash", "rules")} | {
    name: ("tables", "name", "of_table") for name in ("places", "entries", "requests")
}
WITHOUT_GAPS = "NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM {}entries WHERE of_table = NEW.of_table)"


def statements_of_sqlite() -> list[str]:
    """All that makes a store of an empty file."""
    made = [_said(one, WORDS_OF_SQLITE) for one in TABLES.split(";\n") if one.strip()]
    for name, columns in FIXED.items():
        of = f" OF {columns}" if columns else ""
        made.append(
            f"CREATE TRIGGER {name}_stay BEFORE UPDATE{of} ON {name} BEGIN SELECT RAISE(ABORT, '{name} stay as they are'); END"
        )
    for name, (owner, key, column) in OWNERS.items():
        made.append(
            f"CREATE TRIGGER {name}_go_with_{owner} BEFORE DELETE ON {name} "
            f"WHEN EXISTS (SELECT 1 FROM {owner} WHERE {key} = OLD.{column}) "
            f"BEGIN SELECT RAISE(ABORT, '{name} go only with all of it'); END"
        )
    made.append(
        f"CREATE TRIGGER entries_without_gaps BEFORE INSERT ON entries WHEN {WITHOUT_GAPS.format('')} "
        "BEGIN SELECT RAISE(ABORT, 'entries have no gaps'); END"
    )
    return made


def statements_of_postgres() -> list[str]:
    """All that makes a store of an empty database."""
    made = [f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}", f"SET LOCAL search_path = {SCHEMA}"]
    made += [_said(one, WORDS_OF_POSTGRES) for one in TABLES.split(";\n") if one.strip()]
    for name, columns in FIXED.items():
        made += _trigger(f"{name}_stay", f"BEFORE UPDATE{f' OF {columns}' if columns else ''} ON {name}", "true", "it stays as it is")
        made.append(f"CREATE TRIGGER {name}_stay_all BEFORE TRUNCATE ON {name} EXECUTE FUNCTION {name}_stay()")
    for name, (owner, key, column) in OWNERS.items():
        there = f"EXISTS (SELECT 1 FROM {SCHEMA}.{owner} WHERE {key} = OLD.{column})"
        made += _trigger(f"{name}_go_with_{owner}", f"BEFORE DELETE ON {name}", there, "it goes only with all of it", "OLD")
    gaps = WITHOUT_GAPS.format(f"{SCHEMA}.")
    made += _trigger("entries_without_gaps", "BEFORE INSERT ON entries", gaps, "entries have no gaps")
    return [*made, "CREATE TABLE about (version BIGINT NOT NULL)", f"INSERT INTO about (version) VALUES ({VERSION})"]


def _trigger(name: str, moment: str, refused: str, why: str, row: str = "NEW") -> list[str]:
    return [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN IF {refused} THEN RAISE EXCEPTION '{why}'; END IF; RETURN {row}; END $$",
        f"CREATE TRIGGER {name} {moment} FOR EACH ROW EXECUTE FUNCTION {name}()",
    ]


def _said(statement: str, words: dict[str, str]) -> str:
    statement = statement.strip() + ";"
    for word, meant in words.items():
        statement = statement.replace(word, meant)
    return statement.removesuffix(";")
