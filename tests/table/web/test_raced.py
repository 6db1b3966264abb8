"""Claims about many who answer at the same moment over HTTP: for each decision one wins, all others are told so; whoever asks
again gets the first answer; and who bids in secret is in nobody's way. With one server, and with two on one store."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from ichiba.table.store.store import Store
from tests.conftest import Tally
from tests.table.web.clients import Client, Said, Watcher, opened, serving

Asking = tuple[Client, str, str, str]  # request, decision, answer


def at_once(asked: list[Asking]) -> list[Said]:
    """Each by a thread of its own."""
    line = threading.Barrier(len(asked))

    def one(asking: Asking) -> Said:
        client, *words = asking
        line.wait()
        try:
            return client.answer(*words)
        finally:
            client.close()

    with ThreadPoolExecutor(len(asked)) as threads:
        return list(threads.map(one, asked))


def statuses(said: list[Said]) -> Counter[int]:
    return Counter(status for status, _ in said)


@pytest.fixture(params=[1, 2], ids=["one server", "two servers"])
def ports(request: pytest.FixtureRequest, where: str, tmp_path: Path) -> Iterator[list[int]]:
    with ExitStack() as stack:
        yield [stack.enter_context(serving(where, tmp_path)) for _ in range(request.param)]


def raced(store: Store, ports: list[int], folder: Path, clients: int, rounds: int, random: Random) -> int:
    """A game in which at each decision all clients answer at once, and then all of them once more. How many races."""
    table, secrets = opened(store, folder, "no_thanks", [1, 2, 3], 3)
    watcher = Watcher(store, table)
    for race in range(rounds):
        asked = watcher.asked()
        if not asked:
            return race + raced(store, ports, folder, clients, rounds - race, random)
        [(seat, (decision, keys))] = asked.items()
        before = watcher.course.number
        asking: list[Asking] = [
            (
                Client(ports[who % len(ports)], table, str(seat), secrets[str(seat)]),
                f"r{race}-{who}",
                decision,
                random.choice(keys),
            )
            for who in range(clients)
        ]
        said = at_once(asking)
        assert statuses(said) == {200: 1, 409: clients - 1}, said
        winner = [status for status, _ in said].index(200)
        [entry] = store.entries(table, before)
        assert entry.body == {"seat": seat, "key": asking[winner][3]}
        again = at_once(asking)
        assert again[winner] == said[winner] and statuses(again) == statuses(said)
        assert len(store.entries(table, before)) == 1
    return rounds


def test_of_sixteen_who_answer_one_decision_one_wins_also_when_all_ask_again(
    store: Store, ports: list[int], tmp_path: Path, tally: Tally
) -> None:
    tally(races=raced(store, ports, tmp_path, 16, 3, Random(1)))


@pytest.mark.soak
def test_so_it_is_in_a_thousand_races(store: Store, ports: list[int], tmp_path: Path, tally: Tally) -> None:
    tally(races=raced(store, ports, tmp_path, 16, 1_000, Random(2)))


def test_one_request_that_comes_sixteen_times_at_once_is_answered_once(
    store: Store, ports: list[int], tmp_path: Path
) -> None:
    table, secrets = opened(store, tmp_path, "no_thanks", [1, 2, 3], 3)
    watcher = Watcher(store, table)
    for race in range(5):
        [(seat, (decision, keys))] = watcher.asked().items()
        clients = [Client(ports[who % len(ports)], table, str(seat), secrets[str(seat)]) for who in range(16)]
        said = at_once([(client, f"r{race}", decision, keys[0]) for client in clients])
        assert said == [(200, {"answered": keys[0]})] * 16
        assert len(store.entries(table)) == race + 1


def sealed(store: Store, ports: list[int], folder: Path, random: Random) -> int:
    """A game of secret bids in which all bid at the same moment, each seat from several windows. How many bids that were."""
    table, secrets = opened(store, folder, "goofspiel", [1, 2, 3], 3)
    watcher, bids = Watcher(store, table), 0
    while asked := watcher.asked():
        asking: list[Asking] = [
            (
                Client(ports[(who + seat) % len(ports)], table, str(seat), secrets[str(seat)]),
                f"b{bids}-{who}",
                decision,
                key,
            )
            for seat, (decision, keys) in asked.items()
            for who, key in enumerate(random.sample(keys, min(3, len(keys))))
        ]
        random.shuffle(asking)
        said = at_once(asking)
        won = Counter(client.place for (client, *_), (status, _) in zip(asking, said) if status == 200)
        assert won == {str(seat): 1 for seat in asked}, said
        assert set(statuses(said)) <= {200, 409}
        bids += len(asked)
        assert len(store.entries(table)) == bids
    return bids


def test_secret_bids_of_different_seats_all_succeed_at_the_same_moment(
    store: Store, ports: list[int], tmp_path: Path, tally: Tally
) -> None:
    tally(bids=sealed(store, ports, tmp_path, Random(1)))


def test_a_request_that_asks_for_something_else_is_refused(store: Store, ports: list[int], tmp_path: Path) -> None:
    table, secrets = opened(store, tmp_path, "no_thanks", [1, 2, 3], 3)
    [(seat, (decision, keys))] = Watcher(store, table).asked().items()
    clients = [Client(ports[who % len(ports)], table, str(seat), secrets[str(seat)]) for who in range(8)]
    said = at_once([(client, "r", decision, keys[who % 4 // 2]) for who, client in enumerate(clients)])
    assert statuses(said) == {200: 4, 422: 4}
    assert len(store.entries(table)) == 1
