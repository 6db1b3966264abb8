"""All tables of one server: those that are being played are in memory, all of them in the store."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from ichiba.dsl.faults.fault import RulesetFaults
from ichiba.interpreter.api import UnknownRuleset, folder_of
from ichiba.lab.policies import UnknownPolicy, policy
from ichiba.table.sitting.bots import asked_bot
from ichiba.table.sitting.live import Box, LiveTable
from ichiba.table.sitting.refused import Refused, said
from ichiba.table.sitting.rules import laid_out, rules_in
from ichiba.table.sitting.secrets import new_name, new_secret, sealed
from ichiba.table.sitting.setup import Setup, folders_of
from ichiba.table.store.sealing import hash_of
from ichiba.table.store.store import NewTable, Place

if TYPE_CHECKING:
    from ichiba.interpreter.run.game import Game
    from ichiba.table.store.store import Store, StoredTable

MOST_TABLES = 1_000  # in the store
MOST_LIVE = 200  # in memory; others are set up again when somebody comes
MOST_BOXES = 8  # games in memory besides those that are being played
LONGEST_IDLE = 600.0  # seconds; then a table at which nobody is goes out of memory
WATCH = "watch"  # the place of whoever looks on

log = logging.getLogger("ichiba.table")


class House:
    """Opens tables and finds them. `rules`: the folder in which the rules of old games are laid out."""

    def __init__(self, store: Store, rules: Path, most_tables: int = MOST_TABLES, clock: Callable[[], float] = time.monotonic):
        self.store, self.rules, self.most_tables, self.clock = store, rules, most_tables, clock
        self.live: OrderedDict[str, LiveTable] = OrderedDict()
        self.used: dict[str, float] = {}  # when somebody has last asked for one of them
        self.boxes: OrderedDict[tuple[str, object], Box] = OrderedDict()  # the last ones
        self.played: WeakValueDictionary[tuple[str, object], Box] = WeakValueDictionary()  # and those that somebody has
        self.lock, self.setting_up = RLock(), [Lock() for _ in range(16)]
        self.in_use: Callable[[str], bool] = lambda name: False  # whether somebody is there
        self.woken: Callable[[LiveTable], None] = lambda live: None  # told of each table that is set up

    # ------------------------------------------------------------------------------------------------ opening

    def open(
        self, setup: Setup, places: Sequence[tuple[int, ...]], watched: bool = True
    ) -> tuple[LiveTable, dict[str, str]]:
        """A new table, and the secret of each place by its name. `places`: the seats of each, the first is whose table it is."""
        if self.store.count() >= self.most_tables:
            raise Refused(
                503,
                said("there are {tables} tables already; old ones are forgotten with `ichiba serve --forget DAYS`", tables=f"{self.most_tables:,}"),
            )
        setup = replace(setup, host=_name(places[0]) if places else WATCH)
        box, held = self._chosen(setup)
        for _, name in setup.bots:
            self._known(box.game, name)
        given: dict[str, tuple[int, ...]] = {_name(seats): seats for seats in places} | ({WATCH: ()} if watched else {})
        words = {name: new_secret() for name in given}
        self.store.keep_rules(held)
        sitting = tuple(Place(name, seats, sealed(words[name])) for name, seats in given.items())
        new = NewTable(new_name(), setup.as_json(), hash_of(held), engine_version(), sitting)
        self.store.create(new)
        log.info("table %s… of %s for %d seats", new.name[:6], box.game.name, setup.seats)
        return self.table(new.name), words

    def fork(self, live: LiveTable, answers: int) -> tuple[LiveTable, dict[str, str]]:
        """A new table that stands where another stood after so many answers."""
        places = [
            place.seats
            for name, place in sorted(live.places.items(), key=lambda one: one[0] != live.setup.host)
            if place.seats
        ]
        setup = replace(
            live.setup, bots=tuple(sorted(live.course.bots.items())), names=tuple(sorted(live.course.names.items()))
        )
        new, words = self.open(setup, places)
        with live.lock, new.lock:
            entries = [
                ("answer", {"seat": one.seat, "key": one.key, "by": one.by}) for one in live.course.given[:answers]
            ]
            for at in range(0, len(entries), 500):
                self.store.append(new.name, at + 1, entries[at : at + 500])
            new.read_anew()
        return new, words

    def _chosen(self, setup: Setup) -> tuple[Box, dict[str, bytes]]:
        """The game as it is installed now, and the files of its rules."""
        try:
            files = rules_in(folder_of(setup.game), setup.modules)
            return self._box(setup, hash_of(files), setup.load), files
        except UnknownRuleset as unknown:
            raise Refused(404, str(unknown)) from None
        except RulesetFaults as faults:
            raise Refused(422, "; ".join(dict.fromkeys(fault.message for fault in faults.faults))[:500]) from None

    def _known(self, game: Game, name: str) -> None:
        try:
            policy(game, name, "")
        except UnknownPolicy as unknown:
            raise Refused(422, str(unknown)) from None

    # ------------------------------------------------------------------------------------------------ finding

    def table(self, name: str) -> LiveTable:
        """The table of that name, set up again if need be. Raises `Refused`."""
        with self.lock:
            found = self.live.get(name)
            if found is not None:
                self.used[name] = self.clock()
                self.live.move_to_end(name)
                return found
        with self.setting_up[hash(name) % len(self.setting_up)]:  # once, whoever asks at the same time
            with self.lock:
                if name in self.live:
                    return self.live[name]
            stored = self.store.table(name)
            if stored is None:
                raise Refused(404, "there is no such table")
            live = self._set_up(stored)
            with self.lock:
                self.live[name], self.used[name] = live, self.clock()
                self._make_room()
            self.woken(live)
        return live

    def _make_room(self) -> None:
        """Tables at which nobody is are let go; they are in the store."""
        for name in list(self.live):
            if len(self.live) <= MOST_LIVE:
                return
            if not self.in_use(name):
                self._let_go(name)

    def _let_go(self, name: str) -> None:
        del self.live[name]
        del self.used[name]

    def let_go_of_idle(self) -> None:
        """Tables at which nobody has been for long, and where no bot has to go on."""
        now = self.clock()
        with self.lock:
            self.used |= {name: now for name in self.live if self.in_use(name)}
            idle = [(name, live) for name, live in self.live.items() if now - self.used[name] >= LONGEST_IDLE]
        for name, live in idle:
            with live.lock:
                if asked_bot(live) is None:
                    with self.lock:
                        if self.live.get(name) is live and self.used[name] <= now - LONGEST_IDLE:
                            self._let_go(name)

    def _set_up(self, stored: StoredTable) -> LiveTable:
        setup = Setup.of_json(stored.setup)
        return LiveTable(self.store, stored, setup, self._box(setup, stored.rules, lambda: self._as_it_began(stored, setup)))

    def _box(self, setup: Setup, rules: str, load: Callable[[], Game]) -> Box:
        """Tables that are set up alike by the same rules share one game, which never changes."""
        key = rules, setup.choices()
        with self.lock:
            if (found := self.played.get(key)) is not None:
                return self._kept(key, found)
        made = Box.of(load())
        with self.lock:
            return self._kept(key, self.played.setdefault(key, made))

    def _kept(self, key: tuple[str, object], box: Box) -> Box:
        self.boxes[key] = box
        self.boxes.move_to_end(key)
        while len(self.boxes) > MOST_BOXES:
            self.boxes.popitem(last=False)
        return box

    def _as_it_began(self, stored: StoredTable, setup: Setup) -> Game:
        """By the installed rules where these are still the same; else by those that are kept."""
        try:
            if hash_of(rules_in(folder_of(setup.game), setup.modules)) == stored.rules:
                return setup.load()
        except (RulesetFaults, UnknownRuleset, OSError):
            pass  # they are gone, or broken
        home = laid_out(self.store.rules(stored.rules), self.rules / stored.rules[:32])
        kept = {str(path): home / name for name, path in folders_of(setup.game, setup.modules).items()}
        log.info("table %s… goes on with the rules it began with", stored.name[:6])
        return setup.load_from(str(kept[str(Path(setup.game))]), tuple(str(kept.get(one, one)) for one in setup.modules))


def _name(seats: tuple[int, ...]) -> str:
    """`2`, or `1-3` for a hot seat."""
    return "-".join(map(str, seats))


def engine_version() -> str:
    try:
        return version("ichiba")
    except PackageNotFoundError:
        return "unknown"
