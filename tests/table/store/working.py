"""A process that works with a store and tells what it has been told: run as `python -m tests.table.store.working FOLDER SEED`."""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path
from random import Random

from ichiba.table.store import sqlite
from ichiba.table.store.store import Place, Request, Store, open_store
from tests.table.store.conftest import RULES, secret, table
from tests.table.store.recorded import ACKNOWLEDGED

NAME = "all.sqlite"
NAMES = ("a", "b", "c")


def whole(store: Store) -> str:
    """All that can be read of it, as a digest."""
    entries = store.check()
    tables = [store.table(name) for name in NAMES]
    rules = [sorted(store.rules(one.rules)) for one in tables if one]
    asked = [[store.asked_before(name, Request("1", str(number), "d")) for number in range(60)] for name in NAMES]
    content = (entries, [(one.setup, one.places) for one in tables if one], rules, [store.entries(name) for name in NAMES], asked)
    return sha256(repr(content).encode()).hexdigest()[:16]


def step(store: Store, random: Random) -> None:
    """One thing that changes it."""
    name = random.choice(NAMES)
    there = store.table(name)
    if there is None:
        seats = {"seats": random.randrange(9)}
        new = table(name, store.keep_rules(RULES if random.random() < 0.5 else RULES | {name: b"x" * random.randrange(9_000)}))
        new.setup.update(seats)
        store.create(new)
    elif random.random() < 0.08:
        store.change_place_secret(name, "1", secret(str(random.random())))
    elif random.random() < 0.05 and len(there.places) < 5:
        store.add_place(name, Place(f"more{len(there.places)}", (), secret("more")))
    elif random.random() < 0.04:
        store.clock = lambda: 10**10
        store.forget(1)
        store.clock = lambda: 10**9
    else:
        number = len(store.entries(name)) + 1
        size = random.choice((3, 30, 3_000, 30_000))
        entries = [("answer", {"n": number + n, "text": "x" * random.randrange(size)}) for n in range(random.choice((1, 1, 1, 4)))]
        store.append(name, number, entries, Request("1", str(number), "d"), {"n": number})


def work(folder: Path, seed: int, times: int) -> None:
    random = Random(seed)
    told = os.open(folder / ACKNOWLEDGED, os.O_WRONLY | os.O_CREAT)
    store = None
    for _ in range(times):
        if store is None or random.random() < 0.08:
            if store is not None:
                store.close()
            store = open_store(str(folder / NAME), lambda: 10**9)
            store.database.reading(lambda run: run("PRAGMA wal_autocheckpoint = 12"))
            os.write(told, f"{whole(store)}\n".encode())
        step(store, random)
        os.write(told, f"{whole(store)}\n".encode())
    if store is not None:
        store.close()
        os.write(told, b"closed\n")


if __name__ == "__main__":
    if "careless" in sys.argv:  # to see that the tests would see it
        sqlite.SETTINGS = tuple(one.replace("synchronous = FULL", "synchronous = NORMAL") for one in sqlite.SETTINGS)
    work(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
