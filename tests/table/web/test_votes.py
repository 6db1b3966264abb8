"""Claims about a wish to take back: it waits for people, whatever bots do meanwhile."""

from __future__ import annotations

from pathlib import Path

from ichiba.table.sitting.house import House
from ichiba.table.sitting.live import LiveTable
from ichiba.table.sitting.questions import name_of
from ichiba.table.sitting.setup import Setup
from ichiba.table.store.store import Request, open_store


def answered(live: LiveTable, key: str, request: str) -> int:
    """Whoever is asked says so, person or bot; the seat."""
    [asked] = live.course.table.pending
    name = name_of(live.name, live.course, asked)
    if asked.seat in live.course.bots:
        assert live.answer_of_bot(asked.seat, name, key)
    else:
        live.answer(live.places[str(asked.seat)], Request(str(asked.seat), request, request), name, key)
    return asked.seat


def test_a_bot_that_plays_on_ends_no_vote_but_a_person_does(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "tables.sqlite"))
    live, _ = House(store, tmp_path / "rules").open(Setup("no_thanks", 3, 1, bots=((3, "sensible"),)), [(1,), (2,)])
    pass_on = next(option.key for option in live.course.table.pending[0].options if "take" not in option.key)
    while [one.seat for one in live.course.table.pending] != [3] or not {1, 2} <= {one.seat for one in live.course.given}:
        answered(live, pass_on, f"r{len(live.course.given)}")
    live.undo(live.places["1"], Request("1", "wish", "wish"), ask=True)
    assert answered(live, pass_on, "bot") == 3
    assert live.may_vote(live.places["2"]) is not None
    live.vote(live.places["2"], Request("2", "yes", "yes"), agrees=True)
    assert [one.seat for one in live.course.table.pending] == [1] and live.course.wish is None
    answered(live, pass_on, "again")
    live.undo(live.places["1"], Request("1", "free", "free"), ask=False)
    answered(live, pass_on, "and on")
    answered(live, pass_on, "and on, seat 2")
    live.undo(live.places["1"], Request("1", "second wish", "wish"), ask=True)
    answered(live, pass_on, "bot again")
    answered(live, pass_on, "person")
    assert live.course.wish is None
    store.close()
