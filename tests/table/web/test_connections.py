"""Claims about connections as they should not be: who reads slowly, who sends drop by drop, who says they come from elsewhere; and about a
server that is started again."""

from __future__ import annotations

import asyncio
import json
import logging
import platform
import socket
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import Any, cast

import pytest
from starlette.websockets import WebSocketState

from ichiba.table.commands.serve import settings
from ichiba.table.web import hub as hubs
from ichiba.table.web import server as servers
from ichiba.table.web.hub import Hub, Listener
from tests.house.test_rooms import ROOT
from tests.table.web.harness import LAST_RESORT, Web, served


class Socket:
    """As the server has it; one that is `stuck` never takes what it is sent."""

    application_state = WebSocketState.CONNECTED

    def __init__(self, stuck: bool = False):
        self.stuck, self.texts = stuck, list[str]()

    async def send_text(self, text: str) -> None:
        if self.stuck:
            await asyncio.Event().wait()
        self.texts.append(text)


class Place:
    name, secret = "1", b""


class Live:
    name = "table"

    class course:
        worthless: dict[str, set[str]] = {}


def test_a_window_that_reads_slowly_keeps_nobody_waiting_and_is_shown_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "SLOWEST", 0.2)
    monkeypatch.setattr(hubs, "SETTLING", 0.0)

    async def evening() -> tuple[list[str], bool, int]:
        count = iter(range(10**6))
        hub = Hub(lambda one: {"n": str(next(count))})
        hub.loop = asyncio.get_running_loop()
        windows = [Listener(cast(Any, Socket(stuck)), cast(Any, Live), cast(Any, Place), 1) for stuck in (True, False)]
        slow, quick = windows
        for one in windows:
            hub.come(one)
        for told in range(1, 6):
            hub.happened("table")
            while len(cast(Socket, quick.socket).texts) < told:
                await asyncio.sleep(0.001)
        await asyncio.wait_for(slow.out.wait(), LAST_RESORT)
        return cast(Socket, quick.socket).texts, slow in hub.listeners["table"], len(hub.tasks)

    texts, there, _ = asyncio.run(evening())
    assert len(texts) >= 5 and not there


def test_a_slow_reader_that_was_shown_out_has_its_connection_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser then comes again and is shown everything; a connection that stays open would be told nothing any more."""
    with served(tmp_path) as web:
        anna = web.sit(web.open("no_thanks", seats=3), "1")
        with anna.listen() as window:
            window.read()
            [one] = web.server.hub.listeners[anna.table]

            async def slow(text: str) -> None:
                raise TimeoutError

            monkeypatch.setattr(one.socket, "send_text", slow)
            one.sent.clear()
            web.server.hub.happened(anna.table)
            with pytest.raises(Exception, match="1000|1011|1005|1006|no close frame"):
                while True:
                    window.read()
        with anna.listen() as again:
            assert again.read()["scene"]


def head(web: Web, path: str, length: int, **more: str) -> bytes:
    lines = {"Host": web.called, "Origin": f"http://{web.called}", "Content-Type": "application/json", "Content-Length": str(length), **more}
    return f"POST {path} HTTP/1.1\r\n{''.join(f'{name}: {value}' + chr(13) + chr(10) for name, value in lines.items())}\r\n".encode()


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc can be told")
def test_the_c_library_is_told_to_keep_few_heaps() -> None:
    told = subprocess.run([sys.executable, "-c", "from ichiba.table.commands.serve import few_heaps; print(few_heaps())"], cwd=ROOT,
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert told.stdout == f"{platform.libc_ver()[0] == 'glibc'}\n"


def test_a_body_that_comes_drop_by_drop_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "SLOWEST_BODY", 0.3)
    with served(tmp_path) as web, socket.create_connection(("127.0.0.1", web.port), LAST_RESORT) as connection:
        connection.sendall(head(web, "/tables", 500) + b'{"game":')
        heard = b""
        while b"\r\n\r\n" not in heard or b"}" not in heard:
            heard += connection.recv(4096)
    assert heard.startswith(b"HTTP/1.1 408 ") and json.loads(heard.partition(b"\r\n\r\n")[2]) == {"error": "what was sent did not arrive in time"}


def test_whoever_says_they_come_from_elsewhere_is_believed_only_where_there_is_a_proxy(tmp_path: Path) -> None:
    """Else everybody could open tables without end, each time from another address."""
    asked = {"x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https"}
    with served(tmp_path) as web:
        assert not settings(web.server).proxy_headers and settings(web.server, proxy=True).proxy_headers
        web.ask("POST", "/tables", {"game": "x"}, headers=asked)
        assert [who for what, who in web.server.rates.left if what == "open"] == ["127.0.0.1"]
        opened = web.open("no_thanks", seats=3)
        said = web.ask("POST", f"/t/{opened.table}/1/sit", {"secret": opened.places["1"]}, headers=asked)
        assert "secure" not in (said.header("set-cookie") or "").lower()


def test_after_a_restart_bots_go_on_before_anybody_has_come(tmp_path: Path) -> None:
    with served(tmp_path) as web:
        web.server.bots.wake = lambda live: None  # type: ignore[method-assign]  # it is stopped before they answer
        opened = web.open("no_thanks", seats=3, sitting=dict.fromkeys("123", "sensible"))
        assert web.house.store.entries(opened.table) == []
    with served(tmp_path) as web:
        until = monotonic() + LAST_RESORT
        while not web.house.store.entries(opened.table) and monotonic() < until:
            sleep(0.02)
        assert web.house.store.entries(opened.table)


def test_a_table_that_cannot_be_set_up_any_more_hinders_no_start(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with served(tmp_path) as web:
        opened = web.open("no_thanks", seats=3, sitting=dict.fromkeys("123", "person"))
        web.house.store.append(opened.table, 1, [("a kind of later", {})])
        other = web.open("goofspiel", seats=2)
    with caplog.at_level(logging.ERROR), served(tmp_path) as web:
        assert web.sit(other, "1").get("").status == 200
        until = monotonic() + LAST_RESORT
        while other.table not in web.house.live or "cannot be set up" not in caplog.text:
            assert monotonic() < until
            sleep(0.02)
