"""The same games on a Dask cluster: batches are handed out there, and come back in their order.

A worker of the cluster loads the game by its name, so it must have Ichiba and the ruleset as they are here; that is looked at
before the first game. Whoever dies there is no loss: the batch is played again elsewhere, and it is the same. When the
cluster itself goes away, what has come back is kept, and the same command goes on, with or without it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from ichiba.interpreter.run.cache import engine
from ichiba.interpreter.saves.records import ruleset_hash
from ichiba.table.refusal import FAULT, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from ichiba.interpreter.run.game import Game
    from ichiba.table.simulation.batch import Run
    from ichiba.table.simulation.games import Games

INSTALL = "ichiba simulate: --on needs Dask: pip install 'ichiba[cluster]'"
ITS_LOGS = ("distributed", "tornado", "asyncio")  # of the library, and what it leans on
AHEAD = 3  # batches for each thread of the cluster, so that none waits for its next one
ANSWERS, JOINS = 15, 30  # seconds that a cluster may take to answer, and to have a worker
LOOKS = 2.0  # seconds between two looks whether it is still there


class Cluster:
    """One that answers, with somebody who works there."""

    def __init__(self, client: Any, address: str):
        self.client, self.address = client, address
        self.threads = sum(client.nthreads().values())

    def in_order(self, work: Callable[..., Games], run: Run, game: Game, batches: list[range], native: bool) -> Iterator[Games]:
        """The games of each batch. Raises `Refusal` when the cluster goes away."""
        rules, rest = (engine(), ruleset_hash(game)), iter(batches)
        run = replace(run, setting=replace(run.setting, configuration=None))
        waiting: deque[Any] = deque()
        while True:
            for numbers in rest:
                waiting.append(self._handed_out(work, run, rules, numbers, native))
                if len(waiting) >= AHEAD * self.threads:
                    break
            if not waiting:
                return
            yield self._come_back(waiting.popleft())

    def _handed_out(self, *given: Any) -> Any:
        try:
            return self.client.submit(there, *given, pure=False, retries=2)
        except Exception as fault:  # of whatever kind its library has for it
            raise self._gone(fault) from None

    def _come_back(self, future: Any) -> Games:
        alone_since: float | None = None
        while True:
            try:
                found: Games = future.result(timeout=LOOKS)
                return found
            except Refusal:
                raise
            except TimeoutError as fault:
                if self.client.status != "running":
                    raise self._gone(fault) from None
                now = time.monotonic()
                alone_since = None if self._workers() else alone_since or now
                if alone_since is not None and now - alone_since > JOINS:
                    raise self._gone("nobody works there any more") from None
            except Exception as fault:
                raise self._gone(fault) from None

    def _workers(self) -> bool:
        try:
            return bool(self.client.nthreads())
        except Exception:  # who does not answer has none
            return False

    def _gone(self, why: object) -> Refusal:
        words = f"{type(why).__name__}: {why}" if isinstance(why, BaseException) else str(why)
        return Refusal(
            f"ichiba simulate: the cluster at {self.address} has gone away ({' '.join(words.split())[:200]}); every game that has come back "
            "is counted once, and the same command goes on (without --on: here)", FAULT,
        )  # fmt: skip


@contextmanager
def _without_its_logs() -> Iterator[None]:
    """What goes wrong is told in our own words, and not in tracebacks of the library besides."""
    its_own = [logging.getLogger(name) for name in [*logging.root.manager.loggerDict] if name.partition(".")[0] in ITS_LOGS]
    before = [one.disabled for one in its_own]
    for one in its_own:
        one.disabled = True
    try:
        yield
    finally:
        for one, was in zip(its_own, before, strict=True):
            one.disabled = was


@contextmanager
def cluster_at(address: str) -> Iterator[Cluster]:
    """Raises `Refusal` where nobody answers."""
    try:
        from distributed import Client
    except ImportError:
        raise Refusal(INSTALL) from None
    with _without_its_logs():
        try:
            client = Client(address, timeout=ANSWERS, set_as_default=False, name="ichiba")
        except (OSError, TimeoutError, ValueError) as fault:
            raise Refusal(f"ichiba simulate: no Dask cluster answers at {address} ({' '.join(str(fault).split())[:200]})") from None
        try:
            try:
                client.wait_for_workers(1, timeout=JOINS)
            except TimeoutError:
                raise Refusal(f"ichiba simulate: nobody works for the cluster at {address}: `dask worker {address}` does") from None
            yield Cluster(client, address)
        finally:
            try:
                client.close(timeout=LOOKS)
            except Exception:  # it is gone already
                client.status = "closed"


# ------------------------------------------------------------------------------------------- on its workers

_LOADED: dict[str, Game] = {}
_LOADING = threading.Lock()


def there(work: Callable[..., Games], run: Run, rules: tuple[str, str], numbers: range, native: bool) -> Games:
    """What a worker of the cluster does."""
    with _LOADING:
        key = repr(asdict(run.setting))
        if key not in _LOADED:
            _LOADED[key] = run.setting.load()
        game = _LOADED[key]
    if (engine(), ruleset_hash(game)) != rules:
        what = "Ichiba" if engine() != rules[0] else f"rules of `{game.name}`"
        raise Refusal(f"ichiba simulate: a worker of the cluster has other {what} than there are here: its games would be others")
    return work(game, run, numbers, native)


__all__ = ["Cluster", "cluster_at"]
