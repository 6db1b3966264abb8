"""A real server on a free port, and friends who sit down at its tables: requests by hand, sockets as a browser has them.

with served(tmp_path) as web:
    opened = web.open("goofspiel", seats=2, sitting={"1": "person", "2": "person"})
    anna = web.sit(opened, "1")
    with anna.listen() as window:
        window.until(lambda parts: "data-decision" in parts["ask"])
        anna.answer(window.decision, window.keys[0])
"""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any

import uvicorn
from websockets.sync.client import ClientConnection, connect

from ichiba.table.commands.serve import LOCAL, listening_at, settings
from ichiba.table.sitting.house import House
from ichiba.table.sitting.live import LiveTable
from ichiba.table.store.store import open_store
from ichiba.table.web.guard import COOKIE
from ichiba.table.web.server import Server

LAST_RESORT = 100.0  # seconds: what has not come by then never comes
REQUESTS = count(1)


@dataclass(frozen=True)
class Said:
    """What a server has said to one request."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for known, value in self.headers if known.lower() == name), None)

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        return str(self.json["error"])


@dataclass(frozen=True)
class Opened:
    """A table: its name, the place of whoever has opened it, and the secret of each place."""

    table: str
    host: str
    places: dict[str, str]


@dataclass
class Web:
    """A running server. `server` and `house` are there to be looked into; what a friend does goes by HTTP."""

    server: Server
    port: int

    @property
    def house(self) -> House:
        return self.server.house

    @property
    def called(self) -> str:
        return f"127.0.0.1:{self.port}"

    def live(self, opened: Opened) -> LiveTable:
        return self.house.table(opened.table)

    def ask(
        self, method: str, path: str, body: object = None, cookie: str | None = None, headers: Mapping[str, str | None] | None = None
    ) -> Said:  # fmt: skip
        """One request as our own page would send it. `body`: bytes as they are, all else as JSON. A header that is None is left out."""
        given: dict[str, str | None] = {"host": self.called}
        if method == "POST":
            given |= {"origin": f"http://{self.called}", "content-type": "application/json"}
        if cookie is not None:
            given["cookie"] = f"{COOKIE}={cookie}"
        given |= headers or {}
        sent = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LAST_RESORT)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            length = {"content-length": str(len(sent))} if sent is not None and "transfer-encoding" not in given else {}
            for name, value in {**length, **given}.items():
                if value is not None:
                    connection.putheader(name, value.encode("latin-1", "replace"))
            connection.endheaders(sent)
            answer = connection.getresponse()
            return Said(answer.status, answer.getheaders(), answer.read())
        finally:
            connection.close()

    def open(self, game: str, **chosen: object) -> Opened:
        """A table, as the form opens it."""
        said = self.ask("POST", "/tables", {"game": game, **chosen})
        assert said.status == 200, said.body
        return Opened(said.json["table"], said.json["host"], said.json["places"])

    def sit(self, opened: Opened, place: str) -> Friend:
        """As the script does with a link: the secret is given once for a cookie."""
        friend = Friend(self, opened.table, place, opened.places[place])
        said = friend.post("sit", cookie=None, secret=friend.secret)
        assert said.status == 200, said.body
        cookie = said.header("set-cookie") or ""
        friend.secret = cookie.partition("=")[2].partition(";")[0]
        return friend


@dataclass
class Friend:
    """Somebody who has a place at a table."""

    web: Web
    table: str
    place: str
    secret: str

    @property
    def at(self) -> str:
        return f"/t/{self.table}/{self.place}"

    def get(self, path: str, **headers: str) -> Said:
        """`get("past/1/3")`"""
        return self.web.ask("GET", f"{self.at}/{path}", cookie=self.secret, headers=headers)

    def post(self, path: str, cookie: str | None = "", **body: object) -> Said:
        """`post("undo", request="a", ask=True)`. `cookie`: another one, or None for none."""
        return self.web.ask("POST", f"{self.at}/{path}", body, cookie=self.secret if cookie == "" else cookie)

    def answer(self, decision: str, key: str, request: str | None = None) -> Said:
        return self.post("answer", request=request or f"r{next(REQUESTS)}", decision=decision, answer=key)

    @contextmanager
    def listen(self, seat: int | None = None) -> Iterator[Window]:
        query = f"?seat={seat}" if seat is not None else ""
        with self.web_socket(query) as opened:
            yield Window(opened)

    def web_socket(self, query: str = "", **headers: str | None) -> ClientConnection:
        """As a browser opens it. A header that is None is left out."""
        given: dict[str, str | None] = {
            "host": self.web.called,
            "origin": f"http://{self.web.called}",
            "cookie": f"{COOKIE}={self.secret}",
            **headers,
        }
        host = given.pop("host")
        return connect(
            f"ws://{host}{self.at}/socket{query}", open_timeout=LAST_RESORT, close_timeout=LAST_RESORT, compression=None, max_size=None,
            sock=socket.create_connection(("127.0.0.1", self.web.port)), proxy=None,
            additional_headers={name: value for name, value in given.items() if value is not None},
        )  # fmt: skip


@dataclass
class Window:
    """What a browser shows of a table: the newest of each part; `messages`: everything that was sent, as it came."""

    socket: ClientConnection
    parts: dict[str, str] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)

    def read(self) -> dict[str, str]:
        """The next message."""
        text = self.socket.recv(timeout=LAST_RESORT)
        assert isinstance(text, str)
        self.messages.append(text)
        new: dict[str, str] = json.loads(text)
        self.parts.update(new)
        return new

    def until(self, holds: Callable[[dict[str, str]], bool]) -> dict[str, str]:
        """Reads until the parts are so."""
        while not (self.parts and holds(self.parts)):
            self.read()
        return self.parts

    def until_asked(self, but: str | None = None) -> str:
        """Until there is a question (another one than `but`), or the game is over; its name, or nothing."""
        self.until(lambda parts: parts["end"] != "" or self.decision not in (None, but))
        return self.decision or ""

    @property
    def decision(self) -> str | None:
        found = re.search(r'data-decision="([^"]*)"', self.parts.get("ask", ""))
        return found[1] if found else None

    @property
    def keys(self) -> list[str]:
        """What can be chosen with one click, in order, then every number of each range."""
        ask = self.parts.get("ask", "")
        ranges = re.findall(
            r'class="range" data-stem="([^"]*)"|<input type="range" min="(\d+)" max="(\d+)" step="(\d+)"', ask
        )
        stems = [unescape(stem) for stem, low, _, _ in ranges if not low]
        rows = [range(int(low), int(high) + 1, int(step)) for _, low, high, step in ranges if low]
        told = [
            f"{stem}/{number}" if stem else f"{number}" for stem, row in zip(stems, rows, strict=True) for number in row
        ]
        return [unescape(key) for key in re.findall(r'data-key="([^"]*)"', ask)] + told


class Running:
    """A server in a thread of its own, with the settings that `ichiba serve` has."""

    def __init__(self, server: Server):
        self.server, self.listening = server, listening_at("127.0.0.1", 0)
        self.uvicorn = uvicorn.Server(settings(server))
        self.thread = threading.Thread(target=self.uvicorn.run, kwargs={"sockets": [self.listening]}, daemon=True)

    def __enter__(self) -> Web:
        begun, said = threading.Event(), self.uvicorn.startup

        async def startup(sockets: Any = None) -> None:
            await said(sockets)
            begun.set()

        self.uvicorn.startup = startup  # type: ignore[method-assign]
        self.thread.start()
        assert begun.wait(LAST_RESORT)
        return Web(self.server, self.listening.getsockname()[1])

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, where: TracebackType | None
    ) -> None:
        self.uvicorn.should_exit = True
        self.thread.join(LAST_RESORT)
        self.listening.close()
        assert not self.thread.is_alive()


@contextmanager
def served(folder: Path, most_tables: int = 1_000, **given: Any) -> Iterator[Web]:
    """A server whose store lies in this folder: what was kept there before is there again. `given`: for `Server`."""
    store = open_store(str(folder / "tables.sqlite"))
    try:
        server = Server(House(store, folder / "rules", most_tables), given.pop("hosts", LOCAL), **given)
        with Running(server) as web:
            yield web
    finally:
        store.close()


__all__ = ["Friend", "Opened", "Said", "Web", "Window", "served"]
