"""Who stays away does not hold up the others for ever, where the server was told so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from ichiba.table.sitting.house import House
from ichiba.table.sitting.setup import Setup
from ichiba.table.store.store import open_store
from ichiba.table.web.hub import Listener
from ichiba.table.web.server import Server


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(tmp_path: Path, clock: Clock) -> Iterator[Server]:
    store = open_store(str(tmp_path / "tables.sqlite"))
    made = Server(House(store, tmp_path / "rules"), ["localhost"], patience=60, clock=clock)
    yield made
    made.bots.close()
    store.close()


def come(server: Server, table: str, place: str) -> Listener:
    live = server.house.table(table)
    one = Listener(cast(Any, None), live, live.places[place], live.places[place].seats[0])
    server.hub.listeners[table].append(one)
    return one


def opened(server: Server) -> str:
    return server.house.open(Setup("goofspiel", 2, 7), [(1,), (2,)])[0].name


def test_a_bot_takes_the_seat_of_who_is_waited_for_and_not_there(server: Server, clock: Clock) -> None:
    table = opened(server)
    come(server, table, "1")
    server.look_round()
    clock.now = 59
    server.look_round()
    assert server.house.table(table).course.bots == {}
    clock.now = 60
    server.look_round()
    assert list(server.house.table(table).course.bots) == [2]  # seat 1 is waited for as well, and there


def test_who_comes_back_in_time_keeps_the_seat(server: Server, clock: Clock) -> None:
    table = opened(server)
    come(server, table, "1")
    server.look_round()
    clock.now = 50
    back = come(server, table, "2")
    server.look_round()
    server.hub.listeners[table].remove(back)
    clock.now = 70
    server.look_round()
    assert server.house.table(table).course.bots == {}


def test_where_nobody_is_nothing_goes_on(server: Server, clock: Clock) -> None:
    table = opened(server)
    server.look_round()
    clock.now = 1_000
    server.look_round()
    assert server.house.table(table).course.bots == {}
