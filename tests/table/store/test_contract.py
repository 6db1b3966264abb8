"""Claims about the store that hold for each database: what was written is there, in order, once; and how it says no."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ichiba.table.store.records import LARGEST_BODY, LARGEST_SETUP, MOST_AT_ONCE, MOST_ENTRIES
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
    StoredTable,
    StoreFault,
    Taken,
    Unfit,
)
from tests.table.store.conftest import RULES, Clock, Opened, begun, secret, table

ASKED = Request("1", "first", "digest")
DEEP: Any = {"a": [[[{}]]]}
ODD = {"text": "\x00\ud800 魚\n", "whole": 2**200, "part": 0.1, "none": None, "yes": True, "": [], "b": {"z": 1, "a": 2}}


# --- tables


def test_a_table_is_as_it_was_set_up_also_for_who_comes_later(opened: Opened, clock: Clock) -> None:
    places = (Place("1", (1,), secret("a")), Place("here", (2, 3), secret("b")), Place("watch", (), secret("c")))
    store = opened()
    rules = store.keep_rules(RULES)
    store.create(NewTable("x-_9", ODD, rules, "0.1.0", places))
    for one in (store, opened()):
        assert one.table("x-_9") == StoredTable("x-_9", ODD, rules, "0.1.0", places, int(clock.now))
        assert one.find_place("x-_9", "here") == places[1]
        assert one.entries("x-_9") == []
        assert one.count() == 1


def test_the_order_in_which_a_setup_was_written_is_kept(store: Store) -> None:
    store.create(NewTable("t", {"b": 1, "a": {"d": 2, "c": 3}}, store.keep_rules(RULES), "1", ()))
    found = store.table("t")
    assert found is not None and list(found.setup) == ["b", "a"] and list(found.setup["a"]) == ["d", "c"]


def test_a_name_is_taken_once(store: Store) -> None:
    begun(store)
    with pytest.raises(NameTaken):
        store.create(table("t", store.keep_rules(RULES), Place("other", (2,), secret("other"))))
    assert store.find_place("t", "other") is None and store.count() == 1


def test_a_table_whose_rules_are_not_there_is_not_made(store: Store) -> None:
    with pytest.raises(StoreFault, match="^the rules 000000000000 are not in the store$"):
        store.create(table("t", "0" * 64))
    assert store.table("t") is None and store.count() == 0


@pytest.mark.parametrize("name", ["none", "", "\x00", "\ud800", "é", "a b", "x" * 101, "' OR 1=1 --"])
def test_of_what_is_not_there_nothing_is_known(name: str, store: Store) -> None:
    begun(store)
    assert store.table(name) is None
    assert store.find_place(name, "1") is None and store.find_place("t", name) is None
    assert store.entries(name) == [] and store.asked_before(name, ASKED) is None
    works: list[Callable[[], None]] = [
        lambda: store.append(name, 1, [("answer", {})]),
        lambda: store.add_place(name, Place("2", (2,), secret("two"))),
        lambda: store.change_place_secret(name, "1", secret("two")),
        lambda: store.change_place_secret("t", name, secret("two")),
    ]
    for work in works:
        with pytest.raises(NoSuchTable):
            work()
    with pytest.raises(StoreFault):
        store.rules(name)


# --- entries


def test_entries_are_read_in_order_from_wherever_one_was(opened: Opened) -> None:
    store = begun(opened())
    begun(store, "other").append("other", 1, [("vote", {"of": "other"})])
    store.append("t", 1, [("answer", ODD), ("bot", {"n": 2})])
    store.append("t", 3, [("undo", DEEP)])
    all_of_them = [Entry(1, "answer", ODD), Entry(2, "bot", {"n": 2}), Entry(3, "undo", DEEP)]
    for one in (store, opened()):
        assert [one.entries("t", since) for since in range(5)] == [all_of_them[since:] for since in range(5)]
        assert one.entries("other") == [Entry(1, "vote", {"of": "other"})]


def test_a_number_is_written_once(store: Store) -> None:
    begun(store).append("t", 1, [("answer", {"n": 1}), ("answer", {"n": 2})])
    for number in (1, 2):
        with pytest.raises(Taken) as told:
            store.append("t", number, [("answer", {"n": 9}), ("answer", {"n": 9}), ("answer", {"n": 9})])
        assert told.value.number == number
    assert [entry.body["n"] for entry in store.entries("t")] == [1, 2]


def test_there_are_no_gaps(store: Store) -> None:
    begun(store).append("t", 1, [("answer", {})])
    with pytest.raises(StoreFault, match="^entry 3 cannot be written: there are 1, fewer than were read before$"):
        store.append("t", 3, [("answer", {})])
    assert len(store.entries("t")) == 1


def test_of_several_entries_all_are_written_or_none(store: Store) -> None:
    with pytest.raises(Unfit):
        begun(store).append("t", 1, [("answer", {}), ("answer", {"text": "x" * LARGEST_BODY})])
    assert store.entries("t") == []


# --- requests


def test_a_request_that_comes_again_gets_its_first_answer_and_writes_nothing(opened: Opened) -> None:
    store = begun(opened())
    store.append("t", 1, [("answer", {})], ASKED, ODD)
    for number in (1, 2, 7):
        with pytest.raises(Repeated) as told:
            opened().append("t", number, [("answer", {})], ASKED, {"second": True})
        assert told.value.answer == ODD
    assert store.asked_before("t", ASKED) == ODD and len(store.entries("t")) == 1


def test_another_question_under_the_same_name_is_refused(store: Store) -> None:
    begun(store).append("t", 1, [("answer", {})], ASKED, {})
    other = Request("1", "first", "other digest")
    with pytest.raises(Reused):
        store.append("t", 2, [("answer", {})], other, {})
    with pytest.raises(Reused):
        store.asked_before("t", other)
    assert len(store.entries("t")) == 1


def test_names_of_requests_count_by_place_and_by_table(store: Store) -> None:
    begun(begun(store), "other")
    store.append("t", 1, [("answer", {})], ASKED, {"n": 1})
    store.append("t", 2, [("answer", {})], Request("2", "first", "x"), {"n": 2})
    store.append("other", 1, [("answer", {})], Request("1", "first", "y"), {"n": 3})
    assert store.asked_before("t", ASKED) == {"n": 1}
    assert store.asked_before("t", Request("2", "first", "x")) == {"n": 2}
    assert store.asked_before("other", Request("1", "first", "y")) == {"n": 3}
    assert store.asked_before("other", Request("2", "first", "y")) is None


def test_a_request_whose_number_was_taken_was_not_answered(store: Store) -> None:
    begun(store).append("t", 1, [("answer", {})])
    with pytest.raises(Taken):
        store.append("t", 1, [("answer", {})], ASKED, {})
    assert store.asked_before("t", ASKED) is None


def test_a_request_may_be_answered_without_an_entry(store: Store) -> None:
    begun(store).append("t", 1, [], ASKED, {"said": "no"})
    assert store.entries("t") == [] and store.asked_before("t", ASKED) == {"said": "no"}


# --- places


def test_a_new_link_makes_the_old_one_worthless(opened: Opened) -> None:
    store = begun(opened())
    store.change_place_secret("t", "1", secret("new"))
    for one in (store, opened()):
        assert one.find_place("t", "1") == Place("1", (1,), secret("new"))


def test_a_place_is_added_once(store: Store) -> None:
    place = Place("watch", (), secret("watch"))
    begun(store).add_place("t", place)
    assert store.find_place("t", "watch") == place
    with pytest.raises(NameTaken):
        store.add_place("t", Place("watch", (1,), secret("other")))
    assert store.find_place("t", "watch") == place


# --- rules


def test_the_same_rules_are_kept_once_whatever_their_order(opened: Opened) -> None:
    store = opened()
    hash = store.keep_rules(RULES)
    assert opened().keep_rules(dict(reversed(RULES.items()))) == hash
    assert store.rules(hash) == opened().rules(hash) == RULES
    other = store.keep_rules(RULES | {"game.yaml": b"name: orchard \n"})
    assert other != hash and store.rules(hash) == RULES


def test_where_a_path_ends_and_its_file_begins_is_part_of_the_hash(store: Store) -> None:
    assert len({store.keep_rules(one) for one in ({"ab": b"c"}, {"a": b"bc"}, {"a": b"b", "c": b""}, {"abc": b""})}) == 4


@pytest.mark.parametrize(
    "path",
    ["", "/etc/passwd", "..", "../x", "a/../b", "a/./b", "./a", "a//b", "a/", "a\\b", "c:x", "a\x00b", "a\nb", "\ud800", "x" * 201],
)
def test_a_path_that_leads_out_of_a_folder_is_not_kept(path: str, in_a_file: Store) -> None:
    with pytest.raises(Unfit):
        in_a_file.keep_rules({"game.yaml": b"", path: b""})


def test_a_file_is_no_folder_as_well(in_a_file: Store) -> None:
    with pytest.raises(Unfit, match="^a/b is a file and a folder$"):
        in_a_file.keep_rules({"a/b": b"", "a/b/c": b""})


# --- what can never be kept


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else []


@pytest.mark.parametrize(
    "body",
    [
        {"a": (1, 2)}, {1: 2}, {"a": {None: 1}}, {"a": float("nan")}, {"a": float("inf")}, {"a": b""}, {"a": 2**256}, {"a": {1}},
        {"a": nested(40)}, {"a": nested(500)}, [], "text", 7, {"a": "x" * LARGEST_SETUP},
    ],
    ids=range(14),
)  # fmt: skip
def test_what_is_no_json_or_too_large_is_refused_wherever_it_would_stand(body: Any, in_a_file: Store) -> None:
    begun(in_a_file)
    works: list[Callable[[], None]] = [
        lambda: in_a_file.append("t", 1, [("answer", body)]),
        lambda: in_a_file.append("t", 1, [], ASKED, body),
        lambda: in_a_file.create(NewTable("u", body, in_a_file.keep_rules(RULES), "1", ())),
    ]
    for work in works:
        with pytest.raises(Unfit):
            work()
    assert in_a_file.entries("t") == [] and in_a_file.count() == 1 and in_a_file.asked_before("t", ASKED) is None


WRONG: list[Callable[[Store], object]] = [
    lambda store: store.append("t", 0, [("answer", {})]),
    lambda store: store.append("t", -1, [("answer", {})]),
    lambda store: store.append("t", MOST_ENTRIES + 1, [("answer", {})]),
    lambda store: store.append("t", 1, [("answer", {})] * (MOST_AT_ONCE + 1)),
    lambda store: store.append("t", 1, []),
    lambda store: store.append("t", 1, [("", {})]),
    lambda store: store.append("t", 1, [("a\nb", {})]),
    lambda store: store.append("t", 1, [("answer", {})], ASKED),
    lambda store: store.append("t", 1, [("answer", {})], None, {}),
    lambda store: Request("1", "", "d"),
    lambda store: Request("1", "x" * 201, "d"),
    lambda store: Request("1", "a\x00", "d"),
    lambda store: Place("a b", (1,), secret("x")),
    lambda store: Place("1", (0,), secret("x")),
    lambda store: Place("1", (1, 1), secret("x")),
    lambda store: Place("1", (True,), secret("x")),
    lambda store: Place("1", (1,), b"the secret itself"),
    lambda store: store.change_place_secret("t", "1", b"the secret itself"),
    lambda store: NewTable("", {}, "0" * 64, "1", ()),
    lambda store: NewTable("t", {}, "../rules", "1", ()),
    lambda store: NewTable("t", {}, "0" * 64, "", ()),
    lambda store: NewTable("t", {}, "0" * 64, "1", (Place("1", (1,), secret("x")), Place("1", (2,), secret("y")))),
    lambda store: store.keep_rules({}),
    lambda store: store.keep_rules({"a": bytes(2**20 + 1)}),
    lambda store: store.keep_rules({f"{n}": bytes(2**20) for n in range(17)}),
    lambda store: store.keep_rules({f"{n}": b"" for n in range(2_001)}),
]  # fmt: skip


@pytest.mark.parametrize("work", WRONG, ids=range(len(WRONG)))
def test_what_breaks_a_limit_is_refused_before_anything_is_written(work: Callable[[Store], object], in_a_file: Store) -> None:
    begun(in_a_file)
    with pytest.raises(Unfit):
        work(in_a_file)
    assert in_a_file.entries("t") == [] and in_a_file.find_place("t", "1") == Place("1", (1,), secret("one"))


# --- keeping house


def test_tables_that_nobody_has_touched_are_forgotten_whole_and_no_others(store: Store, clock: Clock) -> None:
    for name in ("played", "looked_at", "given_a_new_link", "left_alone"):
        begun(store, name).append(name, 1, [("answer", {})], ASKED, {})
    clock.days_pass(10)
    begun(store, "new")
    store.append("played", 2, [("answer", {})])
    store.change_place_secret("given_a_new_link", "1", secret("new"))
    assert store.entries("looked_at")
    assert store.recent(5) == ["given_a_new_link", "new", "played"]
    assert store.forget(11) == 0 and store.count() == 5
    assert store.forget(5) == 2 and store.count() == 3
    for gone in ("looked_at", "left_alone"):
        assert store.table(gone) is None and store.entries(gone) == [] and store.asked_before(gone, ASKED) is None
        assert store.find_place(gone, "1") is None
    assert len(store.entries("played")) == 2


def test_many_tables_are_forgotten_in_several_steps(store: Store, clock: Clock) -> None:
    for number in range(120):
        begun(store, str(number))
    clock.days_pass(2)
    assert store.forget(1) == 120 and store.count() == 0


def test_rules_are_forgotten_when_no_table_needs_them_and_nobody_has_kept_them_of_late(store: Store, clock: Clock) -> None:
    begun(store)
    used, old, again = (store.keep_rules(files) for files in (RULES, {"old": b""}, {"again": b""}))
    clock.days_pass(10)
    store.append("t", 1, [("answer", {})])
    assert store.keep_rules({"again": b""}) == again
    assert store.forget(5) == 0
    assert store.rules(used) == RULES and store.rules(again) == {"again": b""}
    with pytest.raises(StoreFault, match="are not in the store"):
        store.rules(old)
    clock.days_pass(10)
    assert store.forget(5) == 1
    with pytest.raises(StoreFault, match="are not in the store"):
        store.rules(used)


def test_a_forgotten_name_may_begin_anew_and_knows_nothing_of_before(store: Store, clock: Clock) -> None:
    begun(store).append("t", 1, [("answer", {"old": 1})], ASKED, {"old": 1})
    clock.days_pass(2)
    store.forget(1)
    begun(store).append("t", 1, [("answer", {"new": 1})], ASKED, {"new": 1})
    assert store.entries("t") == [Entry(1, "answer", {"new": 1})]


def test_who_has_closed_it_is_told_so(store: Store) -> None:
    begun(store).close()
    store.close()
    with pytest.raises(StoreFault, match="^the store is closed$"):
        store.entries("t")
