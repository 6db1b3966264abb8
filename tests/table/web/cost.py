"""What an answer costs the server, in one process and without a network: `python -m tests.table.web.cost --tables 4 --answers 400`.

Two people with two windows each sit at every table, bots at the other seats. After each answer, of a person or a bot, every window is
printed and sent what is new. Told are the processor's time of each part of that, messages, bytes, and the memory that an answer leaves."""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from starlette.websockets import WebSocket

from ichiba.table.sitting.house import House
from ichiba.table.sitting.live import LiveTable
from ichiba.table.sitting.setup import Setup
from ichiba.table.store.store import Request, open_store
from ichiba.table.web.hub import Listener
from ichiba.table.web.server import Server


class Wire:
    """A socket that only counts."""

    def __init__(self) -> None:
        self.messages, self.bytes = 0, 0

    async def send_text(self, text: str) -> None:
        self.messages += 1
        self.bytes += len(text.encode())


@dataclass(slots=True)
class Cost:
    """Seconds of the processor by what they were spent on, and what came of it."""

    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    answers: int = 0
    bots: int = 0
    messages: int = 0
    bytes: int = 0
    over: int = 0

    def told(self) -> str:
        each = ", ".join(f"{what} {1000 * spent / self.answers:.2f}" for what, spent in self.seconds.items())
        whole = 1000 * sum(self.seconds.values()) / self.answers
        return (
            f"{self.answers} answers of people, {self.bots} of bots, {self.over} games over; ms an answer: {whole:.2f} ({each}); "
            f"{self.messages / self.answers:.1f} messages, {self.bytes / self.answers / 1024:.1f} KB an answer"
        )


class Played:
    """Tables that are played by chance."""

    def __init__(self, folder: Path, game: str, tables: int, seats: int, windows: int = 2):
        self.server = Server(House(open_store(str(folder / "tables.sqlite")), folder / "rules"), ["localhost"])
        self.server.bots.wake = lambda live: None  # type: ignore[method-assign]  # they answer when they are told to
        bots = tuple((seat, "sensible") for seat in range(3, seats + 1))
        self.dice, self.cost = random.Random(7), Cost()
        self.tables: list[tuple[LiveTable, list[Listener], list[Wire]]] = []
        for number in range(tables):
            live, _ = self.server.house.open(Setup(game, seats, number, bots=bots), [(1,), (2,)])
            wires = [Wire() for _ in range(2 * windows)]
            windowed = [
                Listener(cast(WebSocket, cast(Any, wire)), live, live.places[place], int(place))
                for place, wire in zip(("1", "2") * windows, wires, strict=True)
            ]
            for one in windowed:
                self.server.hub.come(one)
            self.tables.append((live, windowed, wires))

    def close(self) -> None:
        self.server.bots.close()
        self.server.house.store.close()

    async def play(self, answers: int) -> None:
        for number in range(answers):
            live, windows, wires = self.tables[number % len(self.tables)]
            await self._bots(live, windows)
            if live.course.table.over:
                self.cost.over += 1
                continue
            asked = next(one for one in live.course.table.pending if one.seat in (1, 2))
            question = live.look(asked.seat).question
            assert question is not None
            key = self.dice.choice([one.key for one in asked.options])
            with self._spent("answering"):
                live.answer(live.places[str(asked.seat)], Request(str(asked.seat), f"r{number}", str(number)), question.name, key)
            self.cost.answers += 1
            await self._shown(windows)
            await self._bots(live, windows)
        self.cost.messages = sum(wire.messages for _, _, wires in self.tables for wire in wires)
        self.cost.bytes = sum(wire.bytes for _, _, wires in self.tables for wire in wires)

    async def _bots(self, live: LiveTable, windows: list[Listener]) -> None:
        while True:
            with self._spent("bots"):
                answered = self.server.bots._answer(live)
            if not answered:
                return
            self.cost.bots += 1
            await self._shown(windows)

    async def _shown(self, windows: list[Listener]) -> None:
        for one in windows:
            with self._spent("printing"):
                parts = self.server._parts(one)
            with self._spent("sending"):
                await one.send(parts)

    def _spent(self, what: str) -> Spent:
        return Spent(self.cost, what)


@dataclass(slots=True)
class Spent:
    cost: Cost
    what: str
    began: float = 0.0

    def __enter__(self) -> None:
        self.began = time.process_time()

    def __exit__(self, *given: object) -> None:
        self.cost.seconds[self.what] += time.process_time() - self.began


def resident() -> int:
    """What this process has in memory, in kB."""
    gc.collect()
    return next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="tokyo_tsukiji_market")
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--answers", type=int, default=400)
    parser.add_argument("--seats", type=int, default=4)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        played = Played(Path(folder), given.game, given.tables, given.seats)
        asyncio.run(played.play(given.tables))
        before, known = resident(), played.cost.answers + played.cost.bots
        asyncio.run(played.play(given.answers))
        done = played.cost.answers + played.cost.bots - known
        print(played.cost.told())
        print(f"memory {before:,} -> {resident():,} kB: {(resident() - before) / done:.2f} kB for each answer of anybody")
        played.close()


if __name__ == "__main__":
    main()
