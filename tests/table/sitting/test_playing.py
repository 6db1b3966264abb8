"""A table of the web without the web: answers, going back, votes, bots, and a server that is started again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ichiba.table.sitting.bots import asked_bot
from ichiba.table.sitting.house import House
from ichiba.table.sitting.refused import Refused
from ichiba.table.store.store import Request
from tests.table.sitting.conftest import Sitting, sit


@pytest.fixture
def two(house: House, orchard: Path) -> Sitting:
    return sit(house, orchard, (1,), (2,))


def bid(table: Sitting, first: int = 3, second: int = 2) -> None:
    """The first seat buys first, if it bids more."""
    table.answer("1", f"bid/{first}")
    table.answer("2", f"bid/{second}")


def refused(why: str, status: int) -> pytest.RaisesExc[Refused]:
    return pytest.raises(Refused, match=why, check=lambda fault: fault.status == status)


def test_an_answer_stands_and_a_server_that_is_started_again_has_it(two: Sitting) -> None:
    bid(two)
    two.answer("1", "home")
    again = two.again()
    assert again is not two.live and again.course.table.key() == two.live.course.table.key()
    assert [one.key for one in again.course.given] == ["bid/3", "bid/2", "home"]


def test_sealed_bids_of_different_seats_do_not_disturb_each_other(two: Sitting) -> None:
    first, second = (two.live.look(seat).question for seat in (1, 2))
    assert first is not None and second is not None and first.name != second.name
    two.live.answer(two.place("2"), two.request("2"), second.name, "bid/2")
    now = two.live.look(1).question
    assert now is not None and now.name == first.name  # another's answer changes nothing of it
    two.live.answer(two.place("1"), two.request("1"), first.name, "bid/3")


def test_a_request_that_is_sent_twice_is_answered_twice_and_counts_once(two: Sitting) -> None:
    assert two.answer("1", "bid/3", "same") == two.answer("1", "bid/3", "same") == {"answered": "bid/3"}
    assert len(two.live.course.given) == 1


def test_a_request_that_another_server_answers_in_this_moment_gets_the_first_answer(two: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes to two servers at once; the other one writes between any two steps of this one."""
    bid(two)
    question = two.live.look(1).question
    assert question is not None
    other, looked_for = House(two.house.store, two.house.rules).table(two.live.name), two.house.store.asked_before
    given: list[dict[str, Any]] = []

    def looked_for_too_early(name: str, request: Request) -> dict[str, Any] | None:
        found = looked_for(name, request)
        if not given:
            given.append({})
            given[0] = other.answer(other.places["1"], request, question.name, "home")
        return found

    monkeypatch.setattr(two.house.store, "asked_before", looked_for_too_early)
    assert two.live.answer(two.place("1"), two.request("1", "same"), question.name, "home") == given[0] == {"answered": "home"}
    assert len(two.live.course.given) == 3


def test_what_comes_too_late_is_told_so_and_changes_nothing(two: Sitting) -> None:
    bid(two)
    question = two.live.look(1).question
    assert question is not None
    two.answer("1", "home")
    with refused("not your turn: the table waits for seat 2", 409):
        two.live.answer(two.place("1"), two.request("1"), question.name, "home")
    with refused("no longer what is asked", 409):
        two.live.answer(two.place("2"), two.request("2"), question.name, "home")
    assert len(two.live.course.given) == 3


def test_what_the_rules_do_not_allow_is_refused_with_the_reason(two: Sitting) -> None:
    with refused("bid/16", 422):
        two.answer("1", "bid/16")
    assert two.live.course.given == []


def test_who_looks_on_only_looks_on(two: Sitting) -> None:
    with refused("look on", 403):
        two.live.answer(two.place("watch"), two.request("watch"), "any", "home")
    assert two.live.look(None).question is None


def test_taking_back_is_free_as_long_as_nothing_was_seen_and_nobody_has_answered(two: Sitting) -> None:
    bid(two)
    two.answer("1", "buy/1")
    with refused("somebody else|nothing", 409):
        two.undo("2")  # its last answer is its bid, behind which others lie
    assert two.live.undo_of(two.place("1")) == "free"
    two.undo("1")
    assert [one.key for one in two.live.course.given] == ["bid/3", "bid/2"]
    assert two.again().course.table.key() == two.live.course.table.key()


def test_beyond_what_was_revealed_the_others_have_to_agree(two: Sitting) -> None:
    bid(two)  # which reveals the bids
    assert two.live.undo_of(two.place("2")) == "ask"
    with refused("drawn or shown since; the others can be asked", 409):
        two.undo("2")
    assert two.undo("2", ask=True) == {"asked": True}
    assert two.live.may_vote(two.place("1")) is not None and two.live.may_vote(two.place("2")) is None
    two.vote("1", False)
    assert len(two.live.course.given) == 2 and two.live.course.wish is None
    two.undo("2", ask=True)
    two.vote("1", True)
    assert [one.key for one in two.live.course.given] == ["bid/3"]
    assert two.again().course.table.key() == two.live.course.table.key()


def test_a_wish_ends_when_somebody_answers(two: Sitting) -> None:
    bid(two)
    two.undo("2", ask=True)
    two.answer("1", "home")
    with refused("nobody asks for that any more", 409):
        two.vote("1", True)


def test_what_is_sealed_stays_sealed_until_all_have_answered(two: Sitting) -> None:
    """Whether it could be taken back would tell whether another has begun to answer."""
    two.answer("1", "bid/3")
    with refused("stays so until all have answered", 409):
        two.undo("1")


def test_with_bots_alone_nobody_has_to_be_asked(house: House, orchard: Path) -> None:
    table = sit(house, orchard, (1,), bots={2: "thrifty"})
    table.answer("1", "bid/3")
    assert table.live.answer_of_bot(2, named(table, 2), "bid/2")
    assert table.live.undo_of(table.place("1")) == "free"
    table.undo("1")
    assert table.live.course.given == []


def named(table: Sitting, seat: int) -> str:
    question = table.live.look(seat).question
    assert question is not None
    return question.name


def test_a_bot_plays_for_who_is_away_and_hands_the_seat_back(two: Sitting) -> None:
    with refused("is there", 403):
        two.bot("1", 2, "thrifty")
    two.bot("1", 2, "thrifty", away=True)
    asked = asked_bot(two.live)
    assert asked is not None and asked.seat == 2
    with refused("a bot plays for seat 2", 409):
        two.answer("2", "bid/1")
    with refused("not yours", 403):
        two.bot("1", 2, None)
    two.bot("2", 2, None)
    two.answer("2", "bid/1")
    assert asked_bot(two.live) is None


def test_a_bot_whose_seat_was_handed_back_meanwhile_answers_nothing(two: Sitting) -> None:
    two.bot("1", 2, "thrifty", away=True)
    name = named(two, 2)
    two.bot("2", 2, None)
    assert not two.live.answer_of_bot(2, name, "bid/1")


def test_a_bot_nobody_knows_cannot_be_seated(two: Sitting) -> None:
    with refused("no policy `thrift`; did you mean `thrifty`", 422):
        two.bot("1", 1, "thrift")


def test_two_seats_at_one_device_are_asked_one_after_the_other(house: House, orchard: Path) -> None:
    table = sit(house, orchard, (1, 2))
    held = table.place("1-2")
    assert table.live.next_seat(held, 1) == 1
    table.answer("1-2", "bid/3")
    assert table.live.next_seat(held, 1) == 2
    table.answer("1-2", "bid/2")
    assert table.live.next_seat(held, 2) == 1


def test_a_table_that_another_server_goes_on_with_is_read_before_anything_is_written(house: House, orchard: Path, tmp_path: Path) -> None:
    table = sit(house, orchard, (1,), (2,))
    other = Sitting(house, House(house.store, tmp_path / "others").table(table.live.name), 100)
    table.answer("1", "bid/3")
    other.answer("2", "bid/2")  # it had not seen the first
    told: list[str] = []
    table.live.changed.append(lambda: told.append("changed"))
    table.live.catch_up()
    table.live.catch_up()
    assert told == ["changed"]
    assert [one.key for one in other.live.course.given] == ["bid/3", "bid/2"]
    table.answer("1", "home")
    assert [entry.kind for entry in house.store.entries(table.live.name)] == ["answer"] * 3


def test_the_same_answers_are_the_same_game_whoever_asks_for_sights_meanwhile(house: House, orchard: Path) -> None:
    """Looking changes nothing; what is told as new is what came since one's last answer, also after a restart."""
    table = sit(house, orchard, (1,), (2,))
    bid(table)
    table.answer("1", "buy/1")
    table.answer("2", "home")
    kept = [(one.words, one.fresh) for one in table.live.look(1).story]
    marked = [(str(entity.thing), value.label, value.change) for entity, value in table.live.look(1).scene.changed()]
    again = table.again()
    assert [(one.words, one.fresh) for one in again.look(1).story] == kept and any(fresh for _, fresh in kept)
    assert [(str(entity.thing), value.label, value.change) for entity, value in again.look(1).scene.changed()] == marked != []


def test_who_looks_back_sees_what_that_seat_saw_then(two: Sitting) -> None:
    bid(two)
    two.answer("1", "buy/1")
    steps = two.live.look(2).steps
    assert steps == (2, 3)  # the other's bid was sealed: not even its number is told
    assert two.live.look(1).steps == (1, 3)
    scene, story, earlier = two.live.eyes.look_back(2, 2)
    assert [section.name for section in scene.sections] and story and earlier == 0


def test_a_new_link_is_given_by_whoever_has_set_up_the_table_and_by_everybody_to_themselves(two: Sitting) -> None:
    with refused("only whoever has set up", 403):
        two.live.new_secret(two.place("2"), "1", bytes(32))
    before = two.place("2").secret
    two.live.new_secret(two.place("1"), "2", bytes(32))
    assert two.place("2").secret == bytes(32) and two.again().places["2"].secret == bytes(32)
    assert two.again().course.worthless == {"2": {before.hex()}}
