"""Many tables at once, in real sockets: `python -m tests.table.web.load --tables 100 --rate 25 --seconds 600`.

Each table has two people, each in two windows, and bots in the other seats. People answer at random, so many answers a second over all
tables. Told are: how long until an answer was acknowledged and until it was shown, errors, the server's memory, and how busy the machine was.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from ichiba.table.sitting.house import House
from ichiba.table.sitting.setup import Setup
from ichiba.table.store.store import open_store

DECISION = re.compile(r'data-decision="([0-9a-f]+)"')
KEY = re.compile(r'data-key="([^"]+)"')
RANGE = re.compile(r'class="range" data-stem="([^"]*)".*?type="number" min="(-?\d+)" max="(-?\d+)" step="(\d+)"', re.DOTALL)


@dataclass(slots=True)
class Seen:
    """What happened while it ran."""

    acknowledged: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    messages: int = 0
    bytes: int = 0
    over: int = 0
    memory: list[int] = field(default_factory=list)  # of the server, in kB, from time to time


@dataclass(slots=True)
class Person:
    """One place, in two windows; the first of them is the one that answers."""

    port: int
    table: str
    place: str
    secret: str
    seen: Seen
    ready: deque[Person]
    ask: str = ""
    sent_at: float = 0.0
    asked: int = 0

    async def sit(self, first: bool, stop: asyncio.Event) -> None:
        where = f"ws://127.0.0.1:{self.port}/t/{self.table}/{self.place}/socket"
        head = {"Cookie": f"ichiba={self.secret}", "Origin": f"http://127.0.0.1:{self.port}"}
        async with connect(where, additional_headers=head, max_size=2**24, ping_interval=None) as socket:
            while not stop.is_set():
                try:
                    text = await asyncio.wait_for(socket.recv(), 1)
                except TimeoutError:
                    continue
                self.seen.messages += 1
                self.seen.bytes += len(text)
                parts = json.loads(text)
                if first and self.sent_at:
                    self.seen.shown.append(time.monotonic() - self.sent_at)
                    self.sent_at = 0.0
                if first and "ask" in parts:
                    self.ask = parts["ask"]
                    if self.ask:
                        self.ready.append(self)
                if first and parts.get("end"):
                    self.seen.over += 1

    def answer(self, dice: random.Random) -> dict[str, str] | None:
        decision = DECISION.search(self.ask)
        keys = [key.replace("&#39;", "'").replace("&amp;", "&") for key in KEY.findall(self.ask)]
        for stem, low, high, step in RANGE.findall(self.ask):
            keys.append(f"{stem}/{dice.randrange(int(low), int(high) + 1, int(step))}")
        if decision is None or not keys:
            return None
        self.asked += 1
        return {"request": f"r{self.asked}", "decision": decision[1], "answer": dice.choice(keys)}

    async def post(self, body: dict[str, str]) -> None:
        """A connection of its own: as bad as it can be."""
        content = json.dumps(body).encode()
        head = (
            f"POST /t/{self.table}/{self.place}/answer HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nOrigin: http://127.0.0.1:{self.port}\r\n"
            f"Cookie: ichiba={self.secret}\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n"
        )
        began = self.sent_at = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(head.encode() + content)
        said = await reader.read()
        writer.close()
        self.seen.acknowledged.append(time.monotonic() - began)
        status = int(said.split(b" ", 2)[1]) if said else 0
        if status not in (200, 409):
            self.seen.errors.append(f"{status} {said[-200:]!r}")


async def run(people: list[Person], seen: Seen, ready: deque[Person], rate: float, seconds: float, server: int, every: float) -> None:
    """First all windows are opened; answers, and what is told, begin when each has been shown its table."""
    stop, dice = asyncio.Event(), random.Random(7)
    windows = [asyncio.create_task(one.sit(first, stop)) for one in people for first in (True, False)]
    opening = time.monotonic()
    while seen.messages < len(windows) and not any(one.done() for one in windows):
        await asyncio.sleep(0.1)
    print(f"{len(windows)} windows opened in {time.monotonic() - opening:.0f} s, server {memory(server):,} kB", flush=True)
    began = time.monotonic()
    told, due, posting = began + every, began, set[asyncio.Task[None]]()
    while time.monotonic() - began < seconds:
        due += 1 / rate
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        while ready:
            one = ready.popleft()
            body = one.answer(dice)
            if body is not None:
                one.ask = ""
                task = asyncio.create_task(one.post(body))
                posting.add(task)
                task.add_done_callback(posting.discard)
                break
        if time.monotonic() >= told:
            told += every
            seen.memory.append(memory(server))
            print(f"{time.monotonic() - began:6.0f} s  {summary(seen)}  server {seen.memory[-1]:,} kB  load {os.getloadavg()[0]:.1f}", flush=True)
    stop.set()
    found = await asyncio.gather(*windows, *posting, return_exceptions=True)
    seen.errors += [repr(one)[:200] for one in found if isinstance(one, Exception)]


def summary(seen: Seen) -> str:
    def ms(times: list[float], part: float) -> str:
        return f"{sorted(times)[min(len(times) - 1, int(len(times) * part))] * 1000:.0f}" if times else "-"

    return (
        f"{len(seen.acknowledged)} answers, acknowledged {ms(seen.acknowledged, 0.5)} / p99 {ms(seen.acknowledged, 0.99)} ms, "
        f"shown {ms(seen.shown, 0.5)} / p99 {ms(seen.shown, 0.99)} ms, {seen.messages} messages, {len(seen.errors)} errors, {seen.over} games over"
    )


def memory(pid: int) -> int:
    """What a process has in memory, in kB."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])  # type: ignore[index]


def opened(store: str, game: str, tables: int, seats: int) -> list[tuple[str, dict[str, str]]]:
    house = House(open_store(store), Path(store).parent / "rules", most_tables=tables)
    bots = tuple((seat, "sensible") for seat in range(3, seats + 1))
    found = []
    for number in range(tables):
        live, secrets = house.open(Setup(game, seats, number, bots=bots), [(1,), (2,)])
        found.append((live.name, secrets))
        house.live.clear()
    house.store.close()
    return found


def serving(store: str) -> tuple[subprocess.Popen[str], int]:
    command = [sys.executable, "-m", "ichiba.table", "serve", "--no-browser", "--port", "0", "--store", store]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert server.stdout is not None
    found = re.search(r":(\d+)/", server.stdout.readline())
    assert found is not None
    return server, int(found[1])


def loaded(game: str, tables: int, rate: float, seconds: float, seats: int = 4, every: float = 30) -> Seen:
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder, "tables.sqlite"))
        held = opened(store, game, tables, seats)
        server, port = serving(store)
        seen, ready = Seen(), deque[Any]()
        try:
            people = [Person(port, name, place, secrets[place], seen, ready) for name, secrets in held for place in ("1", "2")]
            asyncio.run(run(people, seen, ready, rate, seconds, server.pid, every))
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate()
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="tokyo_tsukiji_market")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rate", type=float, default=25)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--every", type=float, default=30)
    given = parser.parse_args()
    seen = loaded(given.game, given.tables, given.rate, given.seconds, every=given.every)
    print(summary(seen))
    for error in seen.errors[:10]:
        print(error)


if __name__ == "__main__":
    main()
