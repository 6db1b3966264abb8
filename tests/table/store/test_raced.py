"""Claims about many who write the same number: one has written it, all others are told so, and who asks again gets the first
answer."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random

import pytest

from ichiba.table.store.store import NameTaken, Repeated, Request, Reused, Store, Taken
from tests.conftest import Tally
from tests.table.store.conftest import RULES, Opened, begun, table
from tests.table.store.recorded import ROOT


def all_at_once(works: list[Callable[[], object]]) -> list[object]:
    """Each by a thread of its own; what each gives or raises."""
    line = threading.Barrier(len(works))

    def one(work: Callable[[], object]) -> object:
        line.wait()
        try:
            return work()
        except (Taken, Repeated, Reused, NameTaken) as told:
            return told

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(one, works))


def kinds(found: list[object]) -> Counter[str]:
    return Counter(type(one).__name__ for one in found)


def test_of_sixteen_who_write_one_number_one_has_written_it(opened: Opened) -> None:
    stores = [begun(opened()), *(opened() for _ in range(3))]

    def works(number: int) -> list[Callable[[], object]]:
        return [
            partial(stores[who % 4].append, "t", number, [("answer", {"who": who})], Request("1", f"{number}-{who}", "d"), {})
            for who in range(16)
        ]

    for number in range(1, 6):
        found = all_at_once(works(number))
        assert kinds(found) == {"NoneType": 1, "Taken": 15}
        assert stores[1].entries("t")[-1].body == {"who": found.index(None)}


def test_one_request_that_comes_sixteen_times_at_once_is_answered_once(opened: Opened) -> None:
    stores = [begun(opened()), opened()]
    asked = Request("1", "first", "d")
    found = all_at_once([partial(stores[who % 2].append, "t", 1, [("answer", {})], asked, {"who": who}) for who in range(16)])
    assert kinds(found) == {"NoneType": 1, "Repeated": 15}
    assert {one.answer["who"] for one in found if isinstance(one, Repeated)} == {found.index(None)}
    assert len(stores[0].entries("t")) == 1


def test_a_table_is_made_once_by_however_many(opened: Opened) -> None:
    stores = [opened() for _ in range(4)]
    rules = stores[0].keep_rules(RULES)
    found = all_at_once([partial(store.create, table("t", rules)) for store in stores * 2])
    assert kinds(found) == {"NoneType": 1, "NameTaken": 7}


def test_rules_are_kept_once_by_however_many(opened: Opened) -> None:
    stores = [opened() for _ in range(4)]
    assert len(set(map(str, all_at_once([partial(store.keep_rules, RULES) for store in stores * 2])))) == 1


def test_a_store_is_made_once_by_however_many_open_it(opened: Opened) -> None:
    for store in all_at_once([opened for _ in range(6)]):
        assert isinstance(store, Store)
        store.check()


def raced(stores: list[Store], numbers: int, seed: int) -> int:
    """Each thread tries to write every number of a table, and asks again what it is not sure of. How many tries there were."""
    name = f"raced{seed}"
    begun(stores[0], name)
    won: list[list[int]] = [[] for _ in stores]
    tries = [0] * len(stores)

    def play(who: int) -> None:
        random, store, number = Random(f"{seed} {who}"), stores[who], 1
        while number <= numbers:
            request = Request(str(who), str(number), "d")
            tries[who] += 1
            try:
                store.append(name, number, [("answer", {"who": who})], request, {"who": who, "n": number})
                won[who].append(number)
            except Taken:
                assert store.asked_before(name, request) is None, "it lost, so it was not answered"
                number += 1
                continue
            if random.random() < 0.2:
                for at in (number, number + 1):
                    with pytest.raises(Repeated) as told:
                        store.append(name, at, [("answer", {"who": -1})], request, {})
                    assert told.value.answer == {"who": who, "n": number}
            number += 1

    threads = [threading.Thread(target=play, args=(who,)) for who in range(len(stores))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    written = {entry.number: entry.body["who"] for entry in stores[0].entries(name)}
    assert sorted(written) == list(range(1, numbers + 1))
    assert written == {number: who for who, numbers_won in enumerate(won) for number in numbers_won}
    assert sum(map(len, won)) == numbers, "two have won the same"
    return sum(tries)


def test_each_number_of_a_table_is_won_once(opened: Opened, tally: Tally) -> None:
    tries = raced([opened()] * 3 + [opened(), opened()], 60, 1)
    tally(races=60, tries=tries)


def raced_by_processes(where: str, numbers: int, seed: int) -> int:
    done = subprocess.run(
        [sys.executable, "-m", "tests.table.store.racing", where, "4", str(numbers), str(seed)],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def test_among_processes_too(where: str, tally: Tally) -> None:
    tally(races=60, tries=raced_by_processes(where, 60, 1))


@pytest.mark.soak
def test_among_processes_in_twenty_thousand(where: str, tally: Tally) -> None:
    for seed in range(20):
        tally(races=1_000, tries=raced_by_processes(where, 1_000, seed))


@pytest.mark.soak
def test_so_it_is_in_a_hundred_thousand_races(opened: Opened, tally: Tally, where: str) -> None:
    rounds = 10 if where.startswith("postgres") else 100
    for seed in range(rounds):
        tally(races=1_000, tries=raced([opened()] * 2 + [opened(), opened()], 1_000, 100 + seed))
