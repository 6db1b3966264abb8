"""A process that begins others, each of which works with a store until it is killed: python -m tests.table.store.killing WHERE TIMES SEED

It has imported all that they need, so that one more costs a fork. After each kill it looks what is there, and what was told."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from pathlib import Path
from random import Random

from ichiba.table.store.store import Repeated, Request, Store, Taken, open_store
from tests.table.store.conftest import RULES, table

FILES = 25  # kills after which another table is played, and in a file another file is made


def play(store: Store, name: str, random: Random, told: int) -> None:
    """Goes on where the table is, and tells each number when it is acknowledged; now and then a request goes out twice."""
    if store.table(name) is None:
        store.create(table(name, store.keep_rules(RULES)))
    number = len(store.entries(name)) + 1
    while True:
        many = random.choice((1, 1, 1, 3))
        entries = [("answer", {"n": number + at, "text": "x" * random.randrange(3_000)}) for at in range(many)]
        request = Request("1", str(number), "d")
        store.append(name, number, entries, request, {"n": number})
        os.write(told, f"{number} {many}\n".encode())
        if random.random() < 0.1:
            try:
                store.append(name, number + many, entries, request, {"n": -1})
            except Repeated as again:
                assert again.answer == {"n": number}
        number += many


def killed(where: str, name: str, random: Random) -> list[tuple[int, int]]:
    """Somebody plays and is killed at some moment; what was told until then, as (number, how many)."""
    hears, told = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(hears)
            play(open_store(where), name, random, told)
        finally:
            os._exit(1)
    os.close(told)
    heard = b""
    if random.random() < 0.8:  # else perhaps while it is opened
        for _ in range(random.randrange(1, 6)):
            heard += os.read(hears, 4096)
    time.sleep(random.random() * 0.004)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    while select.select([hears], [], [], 0)[0] and (more := os.read(hears, 4096)):
        heard += more
    os.close(hears)
    assert os.WIFSIGNALED(status), "it has ended by itself"
    lines = [line.split() for line in heard.decode().splitlines(keepends=True) if line.endswith("\n")]
    return [(int(number), int(many)) for number, many in lines]


def looked_at(store: Store, name: str, before: int, told: list[tuple[int, int]]) -> int:
    """What was told is there, once and with its answer; of what was not, at most one piece of work, whole. How many entries."""
    # A server may still be at the last thing that somebody asked who is dead now: that is waited for.
    store.database.writing(lambda run: run(f"SELECT 1 FROM tables WHERE name = ?{store.database.locking}", name))
    entries = store.entries(name)
    assert [entry.body["n"] for entry in entries] == list(range(1, len(entries) + 1)), "lost or doubled"
    at = before + 1
    for number, many in told:
        assert number == at, "told twice, or not what was next"
        assert store.asked_before(name, Request("1", str(number), "d")) == {"n": number}, "its answer is lost"
        try:
            store.append(name, len(entries) + 1, [("answer", {})], Request("1", str(number), "d"), {"n": -1})
            raise AssertionError("answered twice")
        except Repeated:
            pass
        at += many
    more = len(entries) - (at - 1)
    assert more in (0, 1, 3), f"{more} entries more than were told"
    if more:
        assert store.asked_before(name, Request("1", str(at), "d")) == {"n": at}, "entries without their answer"
        try:
            store.append(name, at, [("answer", {})])
            raise AssertionError("written twice")
        except Taken:
            pass
    return len(entries)


def main(where: str, times: int, seed: int) -> int:
    """How many entries were told."""
    random, there, all_told = Random(seed), 0, 0
    for kill in range(times):
        name, round = f"t{seed}-{kill // FILES}", where
        if not where.startswith("postgres"):
            round = str(Path(where) / f"{kill // FILES}.sqlite")
        if not kill % FILES:
            there = 0
        told = killed(round, name, random)
        store = open_store(round)
        there = looked_at(store, name, there, told)
        if not kill % FILES:
            store.check()
        store.close()
        all_told += len(told)
    return all_told


if __name__ == "__main__":
    print(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
