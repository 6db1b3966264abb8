"""Bots at tables. They think on copies and in threads of their own, so that nobody has to wait for them."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING

from ichiba.interpreter.run.race import is_race
from ichiba.lab.players.players import within
from ichiba.lab.policies import RANDOM, policy
from ichiba.table.sitting.questions import name_of
from ichiba.table.sitting.refused import Refused

if TYPE_CHECKING:
    from ichiba.interpreter.run.decisions import Decision
    from ichiba.interpreter.run.table import Table
    from ichiba.table.sitting.live import LiveTable

THINKING = 0.8  # seconds of the processor that a searcher has for an answer, unless it says otherwise
WORKERS = 2

log = logging.getLogger("ichiba.table")


class Bots:
    """The bots of all tables. Each table has one turn after the other: no table waits for another's long game."""

    def __init__(self, workers: int = WORKERS):
        self.pool = ThreadPoolExecutor(workers, thread_name_prefix="bots")
        self.lock, self.busy, self.again = Lock(), set[str](), set[str]()

    def close(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)

    def wake(self, live: LiveTable) -> None:
        """Something has happened at this table: perhaps it is a bot's turn."""
        with self.lock:
            if live.name in self.busy:
                self.again.add(live.name)
                return
            self.busy.add(live.name)
        self._soon(live)

    def _soon(self, live: LiveTable) -> None:
        try:
            self.pool.submit(self._once, live)
        except RuntimeError:  # the server is being stopped
            with self.lock:
                self.busy.discard(live.name)

    def _once(self, live: LiveTable) -> None:
        answered = False
        try:
            answered = self._answer(live)
        except Refused as refused:
            log.warning("a bot at table %s… could not answer: %s", live.name[:6], refused.words)
        except Exception:
            log.exception("a bot at table %s… has failed", live.name[:6])
        with self.lock:
            if not answered and live.name not in self.again:
                self.busy.discard(live.name)
                return
            self.again.discard(live.name)
        self._soon(live)

    def _answer(self, live: LiveTable) -> bool:
        """One answer of one bot; False if none is asked."""
        with live.lock:
            asked = asked_bot(live)
            if asked is None:
                return False
            name, player = name_of(live.name, live.course, asked), live.course.bots[asked.seat]
            given = sum(one.seat == asked.seat for one in live.course.given)
            thinking = live.course.table.copy()
        decision = next(one for one in thinking.pending if one.seat == asked.seat)
        key = chosen(thinking, decision, player, f"{thinking.seed}/{decision.seat}/{given}")
        return live.answer_of_bot(decision.seat, name, key)


def asked_bot(live: LiveTable) -> Decision | None:
    """The decision that a bot has to answer now. In a race whoever was drawn comes first, so that people have their time."""
    table = live.course.table
    if table.over or table.fault is not None:
        return None
    pending = table.pending
    if is_race(table.site):
        pending = pending[:1]
    return next((one for one in pending if one.seat in live.course.bots), None)


def chosen(table: Table, decision: Decision, player: str, dice: str) -> str:
    """What a bot answers. One that cannot think any more answers by chance: a table does not stop for that."""
    try:
        bot = policy(table.game, within(player, THINKING), "")
        bot.rng.seed(dice)
        index = bot.index(decision)
    except Exception:
        log.exception("the bot `%s` has failed and answers by chance", player)
        bot = policy(table.game, RANDOM, dice)
        index = bot.index(decision)
    return decision.options[index].key


__all__ = ["Bots", "asked_bot", "chosen"]
