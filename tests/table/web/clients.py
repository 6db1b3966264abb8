"""Whoever plays over HTTP, and whoever watches a table in its store and knows what is asked there."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from socket import socket
from threading import Thread
from typing import Any

from ichiba.table.sitting.course import Course
from ichiba.table.sitting.house import House
from ichiba.table.sitting.questions import name_of
from ichiba.table.sitting.setup import Setup
from ichiba.table.store.store import Store, open_store

LOST = (ConnectionError, http.client.HTTPException, TimeoutError)
HERE = "127.0.0.1"
Said = tuple[int, Any]


@dataclass
class Client:
    """Somebody who holds a place, with a connection of their own."""

    port: int
    table: str
    place: str
    secret: str
    connection: http.client.HTTPConnection | None = field(default=None, repr=False)

    def answer(self, request: str, decision: str, key: str) -> Said:
        return self.post(
            f"/t/{self.table}/{self.place}/answer", {"request": request, "decision": decision, "answer": key}
        )

    def post(self, path: str, body: dict[str, Any]) -> Said:
        """The status and what was said; raises one of `LOST`."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection(HERE, self.port, timeout=60)
        headers = {
            "Content-Type": "application/json",
            "Origin": f"http://{HERE}:{self.port}",
            "Cookie": f"ichiba={self.secret}",
        }
        try:
            self.connection.request("POST", path, json.dumps(body), headers)
            answer = self.connection.getresponse()
            return answer.status, json.loads(answer.read())
        except LOST:
            self.close()
            raise

    def look(self) -> int:
        """The page of this place is asked for; the status."""
        connection = http.client.HTTPConnection(HERE, self.port, timeout=60)
        try:
            connection.request("GET", f"/t/{self.table}/{self.place}/", headers={"Cookie": f"ichiba={self.secret}"})
            return connection.getresponse().status
        finally:
            connection.close()

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


class Watcher:
    """Plays the entries of a table as its server does: so it knows what is asked, and under which name."""

    def __init__(self, store: Store, table: str):
        stored = store.table(table)
        assert stored is not None
        setup = Setup.of_json(stored.setup)
        self.store, self.table = store, table
        self.course = Course(setup.load(), setup)

    def catch_up(self) -> Course:
        for entry in self.store.entries(self.table, self.course.number):
            self.course.apply(entry.kind, entry.body)
        return self.course

    def asked(self) -> dict[int, tuple[str, list[str]]]:
        """By seat: the name of its decision, and the keys that it may answer."""
        course = self.catch_up()
        return {one.seat: (name_of(self.table, course, one), one.keys()) for one in course.table.pending}


def opened(
    store: Store, folder: Path, game: str, people: list[int], seats: int, bot: str = "random"
) -> tuple[str, dict[str, str]]:
    """A new table; its name, and the secret of each place."""
    bots = tuple((seat, bot) for seat in range(1, seats + 1) if seat not in people)
    live, secrets = House(store, folder / "rules").open(Setup(game, seats, 7, bots=bots), [(seat,) for seat in people])
    return live.name, secrets


@contextmanager
def serving(where: str, folder: Path) -> Iterator[int]:
    """A server in this process, on a port of its own; it does not count requests."""
    import uvicorn

    from ichiba.table.web.server import Server

    store, ticks = open_store(where), count(0, 60)
    listening = socket()
    listening.bind((HERE, 0))
    app = Server(House(store, folder / "rules"), [HERE], clock=lambda: float(next(ticks))).app()
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="on"))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield int(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
        store.close()
