"""What a long game, and many tables, leave in memory: equal answers are one object, tables at which nobody is go, games are shared."""

from __future__ import annotations

import gc
from pathlib import Path
from weakref import ref

from pytest import MonkeyPatch

from ichiba.table.sitting import house as houses
from ichiba.table.sitting.house import House
from ichiba.table.sitting.setup import Setup
from ichiba.table.store.store import open_store
from tests.table.sitting.conftest import sit


def test_equal_answers_of_all_tables_are_one_object(house: House, orchard: Path) -> None:
    one, other = (sit(house, orchard, (1,), (2,)) for _ in range(2))
    for table in (one, other):
        table.answer("1", "bid/3")
        table.answer("2", "bid/2")
    again = one.again()
    for course in (other.live.course, again.course):
        assert [id(given) for given in course.given] == [id(given) for given in one.live.course.given]
        assert [id(answer) for answer in course.table.history] == [id(answer) for answer in one.live.course.table.history]


def test_a_table_at_which_nobody_is_goes_out_of_memory_and_comes_back_as_it_was(tmp_path: Path, orchard: Path) -> None:
    now, there = [0.0], set[str]()
    store = open_store(str(tmp_path / "tables.sqlite"))
    house = House(store, tmp_path / "rules", clock=lambda: now[0])
    house.in_use = lambda name: name in there
    table = sit(house, orchard, (1,), (2,))
    table.answer("1", "bid/3")
    name, stood, live = table.live.name, table.live.course.table.key(), ref(table.live)
    del table
    there.add(name)
    now[0] = 10 * houses.LONGEST_IDLE  # somebody looks at it
    house.let_go_of_idle()
    assert name in house.live
    there.clear()
    now[0] += houses.LONGEST_IDLE - 1
    house.let_go_of_idle()
    assert name in house.live
    now[0] += 1
    house.let_go_of_idle()
    gc.collect()
    assert name not in house.live and house.used == {} and live() is None
    assert house.table(name).course.table.key() == stood
    store.close()


def test_a_table_where_a_bot_is_asked_does_not_go(tmp_path: Path, orchard: Path) -> None:
    now = [0.0]
    store = open_store(str(tmp_path / "tables.sqlite"))
    house = House(store, tmp_path / "rules", clock=lambda: now[0])
    asked, _ = house.open(Setup(str(orchard), 2, 1, bots=((2, "random"),)), [(1,)])
    now[0] = 2 * houses.LONGEST_IDLE
    house.let_go_of_idle()
    assert asked.name in house.live
    store.close()


def test_tables_that_are_set_up_alike_share_their_game_however_many_others_there_are(
    house: House, orchard: Path, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr(houses, "MOST_BOXES", 1)
    first = sit(house, orchard, (1,), (2,))
    other, _ = house.open(Setup("no_thanks", 3, 1), [(1,), (2,), (3,)])
    assert len(house.boxes) == 1
    assert sit(house, orchard, (1,), (2,)).live.game is first.live.game is not other.game
