"""A store that is empty, in each database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ichiba.table.store.store import NewTable, Place, Store, open_store
from tests.table.store.server import Server, running

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


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One for all tests of a process."""
    with running() as server:
        yield server


@pytest.fixture
def postgres(server: Server) -> Server:
    """With an empty store in it, or none."""
    server.empty()
    return server


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty store will be."""
    if request.param == "sqlite":
        return str(tmp_path / "tables" / "all.sqlite")
    found: Server = request.getfixturevalue("postgres")
    return found.url()


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


@pytest.fixture
def in_a_file(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    """For what does not hang on the database."""
    store = open_store(str(tmp_path / "all.sqlite"), clock)
    yield store
    store.close()


def secret(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def table(name: str, rules: str, *places: Place) -> NewTable:
    return NewTable(name, {"game": "orchard", "seats": 2}, rules, "1.0", places or (Place("1", (1,), secret("one")),))


def begun(store: Store, name: str = "t") -> Store:
    """With a table of that name."""
    store.create(table(name, store.keep_rules(RULES)))
    return store
