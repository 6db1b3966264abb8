"""A process that works with a store on a disk that fails for a while: python -m tests.table.store.failing FOLDER SEED

It says how often it was told so."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from ichiba.table.store.store import NameTaken, Repeated, Request, Store, StoreFault, open_store
from tests.table.store.conftest import RULES, table

ENTRIES = 40


def stubborn(place: str, random: Random) -> int:
    """Asks again, with the same request, until it is answered; and opens it again now and then."""
    store: Store | None = None
    told = number = 0
    while number <= ENTRIES:
        assert told < 500, "it never goes on"
        try:
            if store is None or random.random() < 0.1:
                if store is not None:
                    closed, store = store, None
                    closed.close()
                store = open_store(place)
                store.database.reading(lambda run: run("PRAGMA wal_autocheckpoint = 5"))
            if not number:
                begin(store)
            else:
                request, body = Request("1", str(number), "d"), {"n": number, "text": "x" * random.randrange(4_000)}
                answer(store, number, request, body)
            number += 1
        except StoreFault as fault:
            assert "\n" not in str(fault) and "SQLITE" not in str(fault), fault
            told += 1
    assert store is not None
    store.close()
    store = open_store(place)
    assert store.check() == ENTRIES
    assert [entry.body["n"] for entry in store.entries("t")] == list(range(1, ENTRIES + 1))
    store.close()
    return told


def begin(store: Store) -> None:
    try:
        store.create(table("t", store.keep_rules(RULES)))
    except NameTaken:  # it was made after all
        assert store.table("t") is not None


def answer(store: Store, number: int, request: Request, body: dict[str, object]) -> None:
    """Once it is acknowledged it is there."""
    try:
        store.append("t", number, [("answer", body)], request, {"n": number})
    except Repeated as again:  # it was written after all
        assert again.answer == {"n": number}
    assert len(store.entries("t")) == number


if __name__ == "__main__":
    print(stubborn(str(Path(sys.argv[1]) / "all.sqlite"), Random(int(sys.argv[2]))))
