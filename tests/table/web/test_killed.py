"""Claims about a server that is killed in the middle of games, with `kill -9`, and started again: no move that somebody was told of
is lost, none is there twice, and the games go on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from ichiba.table.store.store import Store, open_store
from tests.conftest import Tally
from tests.table.store.recorded import ROOT
from tests.table.web.clients import LOST, Client, Watcher, opened

BOT = 3


@dataclass
class Person:
    """Answers whatever is asked of a seat; what they are not sure of they ask again, under the same name."""

    client: Client
    store: Store
    random: Random
    told: list[str] = field(default_factory=list)  # the keys of answers that were acknowledged
    asking: bool = False  # and not yet answered
    over: bool = False
    lost: int = 0  # how often nothing was said
    wrong: list[object] = field(default_factory=list)

    def play(self) -> None:
        try:
            watcher, waited = Watcher(self.store, self.client.table), 0
            while not watcher.catch_up().table.over:
                asked = watcher.asked().get(int(self.client.place))
                if asked is None:
                    waited += 1
                    if waited % 25 == 0:
                        self.look_in()
                    assert waited < 5_000, "nobody goes on"
                    time.sleep(0.005)
                    continue
                waited = 0
                key = self.random.choice(asked[1])
                status, said = self.insistent(f"r{len(self.told)}", asked[0], key)
                if (status, said) != (200, {"answered": key}):
                    self.wrong.append((status, said))
                    return
                self.told.append(key)
        except Exception as fault:
            self.wrong.append(fault)
        finally:
            self.over = True

    def look_in(self) -> None:
        """As a window does whose server was away: only then it sets up the table again, and bots go on."""
        try:
            self.client.look()
        except LOST:
            self.lost += 1

    def insistent(self, request: str, decision: str, key: str) -> tuple[int, object]:
        while True:
            self.asking = True
            try:
                return self.client.answer(request, decision, key)
            except LOST:
                self.lost += 1
            finally:
                self.asking = False
            time.sleep(0.005)


def games(store: Store, folder: Path, port: int, seed: int, number: int) -> list[Person]:
    """People at tables of two games: two persons and a bot, and three who bid in secret."""
    found = []
    for at in range(number):
        game, people = ("no_thanks", [1, 2]) if at % 2 else ("goofspiel", [1, 2, 3])
        table, secrets = opened(store, folder, game, people, 3)
        found += [
            Person(Client(port, table, str(seat), secrets[str(seat)]), store, Random(f"{seed} {at} {seat}")) for seat in people
        ]
    return found


def compared(store: Store, people: list[Person]) -> int:
    """Each table is over, and has of each person what they were told, in this order. How many answers that were."""
    for one in people:
        assert one.wrong == [], one
    for one in people:
        course = Watcher(store, one.client.table).catch_up()
        assert course.table.over
        mine = [entry for entry in store.entries(one.client.table) if entry.body.get("seat") == int(one.client.place)]
        assert [(entry.kind, entry.body["key"]) for entry in mine] == [("answer", key) for key in one.told]
    store.check()
    return sum(len(one.told) for one in people)


# --- many kills, by a process that has everything ready


@contextmanager
def beginner(where: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.table.web.beginning", where, str(folder)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def begin(process: subprocess.Popen[str]) -> int:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return int(process.stdout.readline())


def wait_for_a_request(people: list[Person], answers: int) -> bool:
    """Until so many answers were acknowledged, and somebody asks for the next; False if nobody does any more."""
    before = sum(len(one.told) for one in people)
    for _ in range(20_000):
        if any(one.asking for one in people) and sum(len(one.told) for one in people) >= before + answers:
            return True
        if all(one.over for one in people):
            return False
        time.sleep(0.0005)
    return False


def killed(where: str, folder: Path, kills: int, seed: int) -> tuple[int, int]:
    """So many kills while games are played. How many answers were acknowledged, and how many were lost on the way."""
    random, told, lost, done = Random(seed), 0, 0, 0
    store = open_store(where)
    with beginner(where, folder) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        server = begin(process)
        while done < kills:
            people = games(store, folder, port, seed + done, 4)
            threads = [threading.Thread(target=one.play) for one in people]
            for thread in threads:
                thread.start()
            while any(thread.is_alive() for thread in threads):
                time.sleep(0.02)
                if done < kills and wait_for_a_request(people, random.randrange(1, 5)):
                    time.sleep(random.random() * 0.006)
                    os.kill(server, signal.SIGKILL)
                    server, done = begin(process), done + 1
            for thread in threads:
                thread.join()
            for one in people:
                one.client.close()
            told += compared(store, people)
            lost += sum(one.lost for one in people)
    store.close()
    return told, lost


def test_of_games_whose_server_is_killed_nothing_that_was_told_is_lost_or_doubled(where: str, tmp_path: Path, tally: Tally) -> None:
    told, lost = killed(where, tmp_path, 4, 1)
    tally(kills=4, acknowledged=told, lost_on_the_way=lost)
    assert told and lost


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_so_it_is_a_thousand_times(seed: int, where: str, tmp_path: Path, tally: Tally) -> None:
    told, lost = killed(where, tmp_path, 250, 100 * seed)
    tally(kills=250, acknowledged=told, lost_on_the_way=lost)


# --- the command itself


@contextmanager
def command(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """`ichiba serve`, and the port that it has told."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ichiba.table", "serve", "--port", "0", "--no-browser", "--store", str(folder / "all.sqlite")],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "ICHIBA_SAVES": str(folder / "saves")},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        heard = re.search(r":(\d+)/", process.stdout.readline())
        assert heard is not None
        yield process, int(heard[1])
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def test_a_table_opened_at_ichiba_serve_goes_on_after_each_kill(tmp_path: Path) -> None:
    """Each time it has another port; the links, but for that, stay."""
    with command(tmp_path) as (_, port):
        guest = Client(port, "", "", "")
        status, table = guest.post("/tables", {"game": "no_thanks", "seats": 3, "sitting": {"1": "person", "2": "person", "3": "person"}})
        assert status == 200, table
        guest.close()
    store = open_store(str(tmp_path / "all.sqlite"))
    watcher, random, told = Watcher(store, table["table"]), Random(1), 0
    last: tuple[str, str, str, str] | None = None  # the place, and what it asked: whether that was heard nobody knows after a kill
    for _ in range(2):
        with command(tmp_path) as (_, port):
            for again in (True, False, False, False):
                if again and last is None:
                    continue
                if not again:
                    [(seat, (decision, keys))] = watcher.asked().items()
                    last, told = (str(seat), f"r{told}", decision, random.choice(keys)), told + 1
                assert last is not None
                client = Client(port, table["table"], last[0], table["places"][last[0]])
                assert client.answer(*last[1:]) == (200, {"answered": last[3]})
                assert len(store.entries(table["table"])) == told
                client.close()
    store.close()
