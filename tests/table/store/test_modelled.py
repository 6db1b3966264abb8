"""Claims about whatever is done with a store, in whatever order: it says what a model of dicts and lists says."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from ichiba.table.store import sqlite
from ichiba.table.store.store import (
    Entry,
    NameTaken,
    NewTable,
    NoSuchTable,
    Place,
    Repeated,
    Request,
    Reused,
    Store,
    StoreFault,
    Taken,
    open_store,
)
from tests.table.store.conftest import Clock, secret
from tests.table.store.server import Server

NAMES = st.sampled_from(["a", "a", "a", "b", "c"])
PLACES = st.sampled_from(["1", "2", "here"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
BODIES = st.dictionaries(st.text(max_size=3), JSON, max_size=3)
RULES = st.dictionaries(st.sampled_from(["game.yaml", "boards/a.yaml", "boards/b.yaml"]), st.binary(max_size=6), min_size=1)
SECRETS = st.sampled_from([secret("x"), secret("y")])
REQUESTS = st.builds(Request, PLACES, st.sampled_from(["r1", "r2"]), st.sampled_from(["d1", "d2"]))


@dataclass
class Table:
    """What should be known of one."""

    new: NewTable
    places: dict[str, Place]
    made: int
    touched: int
    entries: list[Entry] = field(default_factory=list)
    answers: dict[tuple[str, str], tuple[str, Any]] = field(default_factory=dict)


class Keeping(RuleBasedStateMachine):
    """Every rule does something to both, and compares what they say."""

    server: Server | None = None
    kept = Bundle("kept")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        if self.server:
            self.server.empty()
        self.where = self.server.url() if self.server else f"{self.folder}/all.sqlite"
        self.clock = Clock()
        self.store: Store = open_store(self.where, self.clock)
        self.tables: dict[str, Table] = {}
        self.kept_rules: dict[str, tuple[dict[str, bytes], int]] = {}

    def teardown(self) -> None:
        self.store.close()
        shutil.rmtree(self.folder)

    @property
    def now(self) -> int:
        return int(self.clock())

    @initialize(target=kept)
    def begin(self) -> str:
        """Most of what can be done needs a table."""
        hash = self.keep({"game.yaml": b""})
        self.make("a", {}, hash, {"1"}, secret("x"))
        return hash

    @rule(bodies=st.lists(BODIES, min_size=1, max_size=3))
    def play_on(self, bodies: list[dict[str, Any]]) -> None:
        self.append("a", 0, bodies, None, {})

    @rule(request=REQUESTS, answer=BODIES, bodies=st.lists(BODIES, max_size=2))
    def answer(self, request: Request, answer: dict[str, Any], bodies: list[dict[str, Any]]) -> None:
        self.append("a", 0, bodies, request, answer)

    @rule(target=kept, files=RULES)
    def keep_rules(self, files: dict[str, bytes]) -> str:
        return self.keep(files)

    def keep(self, files: dict[str, bytes]) -> str:
        hash = self.store.keep_rules(files)
        assert self.kept_rules.get(hash, (files, 0))[0] == files
        self.kept_rules[hash] = files, self.now
        return hash

    @rule(name=NAMES, setup=BODIES, rules=kept, names=st.sets(PLACES), secret=SECRETS)
    def create(self, name: str, setup: dict[str, Any], rules: str, names: set[str], secret: bytes) -> None:
        self.make(name, setup, rules, names, secret)

    def make(self, name: str, setup: dict[str, Any], rules: str, names: set[str], secret: bytes) -> None:
        new = NewTable(name, setup, rules, "1", tuple(Place(place, (1,), secret) for place in sorted(names)))
        try:
            self.store.create(new)
            assert name not in self.tables and rules in self.kept_rules
            self.tables[name] = Table(new, {place.name: place for place in new.places}, self.now, self.now)
        except NameTaken:
            assert name in self.tables
        except StoreFault as fault:
            assert name not in self.tables and rules not in self.kept_rules, fault

    @rule(
        name=NAMES, ahead=st.sampled_from([0, 0, 0, 0, -1, -2, 1]), bodies=st.lists(BODIES, max_size=3),
        request=st.none() | REQUESTS, answer=BODIES,
    )  # fmt: skip
    def append_anywhere(self, name: str, ahead: int, bodies: list[dict[str, Any]], request: Request | None, answer: dict[str, Any]) -> None:
        self.append(name, ahead, bodies, request, answer)

    def append(self, name: str, ahead: int, bodies: list[dict[str, Any]], request: Request | None, answer: dict[str, Any]) -> None:
        table = self.tables.get(name)
        next_one = len(table.entries) + 1 if table else 1
        number = max(1, next_one + ahead)
        bodies = bodies or [] if request else bodies or [{}]
        first = table.answers.get((request.place, request.name)) if table and request else None
        try:
            self.store.append(name, number, [("answer", body) for body in bodies], request, answer if request else None)
        except NoSuchTable:
            assert table is None
        except Repeated as told:
            assert request and first == (request.digest, told.answer)
        except Reused:
            assert request and first and first[0] != request.digest
        except Taken as taken:
            assert first is None and taken.number == number < next_one
        except StoreFault:
            assert first is None and number > next_one
        else:
            assert table and first is None and number == next_one
            table.entries += [Entry(at, "answer", body) for at, body in enumerate(bodies, number)]
            table.touched = self.now if bodies else table.touched
            if request:
                table.answers[request.place, request.name] = request.digest, answer

    @rule(name=NAMES, place=PLACES, secret=SECRETS)
    def add_place(self, name: str, place: str, secret: bytes) -> None:
        table, new = self.tables.get(name), Place(place, (), secret)
        try:
            self.store.add_place(name, new)
            assert table and table.places.get(place, new) == new
            table.touched = self.now if place not in table.places else table.touched
            table.places[place] = new
        except NoSuchTable:
            assert table is None
        except NameTaken:
            assert table and table.places[place] != new

    @rule(name=NAMES, place=PLACES, secret=SECRETS)
    def change_place_secret(self, name: str, place: str, secret: bytes) -> None:
        table = self.tables.get(name)
        try:
            self.store.change_place_secret(name, place, secret)
            assert table
            table.places[place] = replace(table.places[place], secret=secret)
            table.touched = self.now
        except NoSuchTable:
            assert table is None or place not in table.places

    @rule(days=st.integers(1, 4))
    def days_pass(self, days: int) -> None:
        self.clock.days_pass(days)

    @rule(days=st.integers(1, 6))
    def forget(self, days: int) -> None:
        before = self.now - days * 86_400
        old = [name for name, table in self.tables.items() if table.touched < before]
        assert self.store.recent(days) == sorted(set(self.tables) - set(old))
        assert self.store.forget(days) == len(old)
        for name in old:
            del self.tables[name]
        needed = {table.new.rules for table in self.tables.values()}
        self.kept_rules = {hash: one for hash, one in self.kept_rules.items() if hash in needed or one[1] >= before}

    @rule()
    def open_again(self) -> None:
        self.store.close()
        self.store = open_store(self.where, self.clock)

    @rule(name=NAMES, request=REQUESTS)
    def ask(self, name: str, request: Request) -> None:
        first = self.tables[name].answers.get((request.place, request.name)) if name in self.tables else None
        try:
            assert self.store.asked_before(name, request) == (first and first[1])
            assert first is None or first[0] == request.digest
        except Reused:
            assert first and first[0] != request.digest

    @rule(name=NAMES, since=st.integers(0, 9))
    def look(self, name: str, since: int) -> None:
        there, table = self.store.table(name), self.tables.get(name)
        assert self.store.entries(name, since) == (table.entries[since:] if table else [])
        assert (there is None) == (table is None)
        if there and table:
            places = tuple(table.places[place] for place in sorted(table.places))
            assert (there.setup, there.rules, there.places, there.made) == (table.new.setup, table.new.rules, places, table.made)

    @invariant()
    def all_of_it_is_sound(self) -> None:
        assert self.store.check() == sum(len(table.entries) for table in self.tables.values())
        assert self.store.count() == len(self.tables)
        for hash, (files, _) in self.kept_rules.items():
            assert self.store.rules(hash) == files


def modelled(server: Server | None, examples: int, steps: int) -> None:
    machine = type("Machine", (Keeping,), {"server": server})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, database=None, derandomize=examples < 100,
            suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip


@pytest.fixture(autouse=True)
def no_disk_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing hangs on that here."""
    monkeypatch.setattr(sqlite, "SETTINGS", ("synchronous = OFF", *sqlite.SETTINGS[1:]))


def test_a_store_in_a_file_says_what_the_model_says() -> None:
    modelled(None, 40, 30)


def test_one_in_postgres_too(postgres: Server) -> None:
    modelled(postgres, 10, 20)


@pytest.mark.soak
def test_so_it_is_in_a_thousand_courses() -> None:
    modelled(None, 1_000, 100)


@pytest.mark.soak
def test_in_postgres_so_it_is_in_two_hundred(postgres: Server) -> None:
    modelled(postgres, 200, 60)
