"""Processes that race for every number of a table: python -m tests.table.store.racing WHERE PROCESSES NUMBERS SEED"""

from __future__ import annotations

import json
import os
import sys

from ichiba.table.store.store import Repeated, Request, Taken, open_store
from tests.table.store.conftest import RULES, table


def play(where: str, name: str, who: int, numbers: int) -> dict[str, list[int]]:
    """Which numbers it has won, and how often it has tried. One that it has won it asks for once more."""
    store, won, tries = open_store(where), [], 0
    for number in range(1, numbers + 1):
        request, tries = Request(str(who), str(number), "d"), tries + 1
        try:
            store.append(name, number, [("answer", {"who": who})], request, {"who": who, "n": number})
        except Taken:
            continue
        won.append(number)
        if number % 5 == 0:
            try:
                store.append(name, number + 1, [("answer", {"who": -1})], request, {})
                raise AssertionError("answered twice")
            except Repeated as told:
                assert told.answer == {"who": who, "n": number}
    store.close()
    return {"won": won, "tries": [tries]}


def main(where: str, processes: int, numbers: int, seed: int) -> int:
    name = f"by_processes{seed}"
    store = open_store(where)
    store.create(table(name, store.keep_rules(RULES)))
    store.close()
    pipes = []
    for who in range(processes):
        hears, tells = os.pipe()
        if not os.fork():
            try:
                with os.fdopen(tells, "w") as told:
                    json.dump(play(where, name, who, numbers), told)
                os._exit(0)
            finally:
                os._exit(1)
        os.close(tells)
        pipes.append(hears)
    said = []
    for hears in pipes:
        with os.fdopen(hears) as heard:
            said.append(json.load(heard))
    store = open_store(where)
    written = {entry.number: entry.body["who"] for entry in store.entries(name)}
    assert written == {number: who for who, one in enumerate(said) for number in one["won"]}
    assert sum(len(one["won"]) for one in said) == numbers == len(written), "two have won the same"
    store.check()
    return sum(one["tries"][0] for one in said)


if __name__ == "__main__":
    print(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
