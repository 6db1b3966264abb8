"""A store that is empty, in each database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ichiba.table.store.store import NewTable, Place, Store, open_store

RULES = {"game.yaml": b"name: orchard\n", "boards/stall.yaml": b"kind: stall\n"}


class Clock:
    """Time passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000_000_000.0

    def __call__(self) -> float:
        return self.now

    def days_pass(self, days: float) -> None:
        self.now += days * 86_400


Opened = Callable[[], Store]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite"])
def where(tmp_path: Path) -> str:
    """Where an empty store will be."""
    return str(tmp_path / "tables" / "all.sqlite")


@pytest.fixture
def opened(where: str, clock: Clock) -> Iterator[Opened]:
    """Opens the store, as often as it is called; in the end all are closed."""
    stores: list[Store] = []

    def again() -> Store:
        stores.append(open_store(where, clock))
        return stores[-1]

    yield again
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Opened) -> Store:
    return opened()


def secret(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def table(name: str, rules: str, *places: Place) -> NewTable:
    return NewTable(name, {"game": "orchard", "seats": 2}, rules, "1.0", places or (Place("1", (1,), secret("one")),))


def begun(store: Store, name: str = "t") -> Store:
    """With a table of that name."""
    store.create(table(name, store.keep_rules(RULES)))
    return store
