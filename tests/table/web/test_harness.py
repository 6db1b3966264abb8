"""Two friends at one table: what the other tests lean on."""

from __future__ import annotations

import pytest
from websockets.exceptions import ConnectionClosed

from tests.table.web.harness import Web


def test_two_friends_play_a_game_to_its_end(web: Web) -> None:
    opened = web.open("goofspiel", seats=2, sitting={"1": "person", "2": "person"})
    assert sorted(opened.places) == ["1", "2", "watch"]
    friends = [web.sit(opened, place) for place in "12"]
    with friends[0].listen() as first, friends[1].listen() as second:
        windows, answered = (first, second), [""] * 2
        while not web.live(opened).course.table.over:
            for at, (friend, window) in enumerate(zip(friends, windows)):
                decision = window.until_asked(answered[at])
                if decision:
                    said = friend.answer(decision, window.keys[0])
                    assert said.status == 200 and said.json == {"answered": window.keys[0]}
                    answered[at] = decision
        for window in windows:
            window.until(lambda parts: parts["end"] != "")
    assert friends[0].get("save").status == 200


def test_who_comes_later_sees_the_same(web: Web) -> None:
    opened = web.open("no_thanks", seats=3)
    anna, guest = web.sit(opened, "1"), web.sit(opened, "watch")
    with anna.listen() as window, guest.listen() as looking:
        decision = window.until_asked()
        assert anna.answer(decision, window.keys[0]).status == 200
        window.until_asked(decision)
        looking.until(lambda parts: "part-ask" not in parts["ask"])
        with anna.listen() as other:
            assert other.until_asked() == window.decision
            assert other.parts["scene"] == window.parts["scene"]


def test_who_has_an_old_link_is_out_also_where_a_window_was_open(web: Web) -> None:
    opened = web.open("goofspiel", seats=2, sitting={"1": "person", "2": "person"})
    anna, ben = web.sit(opened, "1"), web.sit(opened, "2")
    with ben.listen() as window:
        window.until_asked()
        said = anna.post("link", place="2")
        assert said.status == 200
        with pytest.raises(ConnectionClosed, match="4401"):
            window.until(lambda parts: False)
    assert ben.get("").status == 401
    ben.secret = said.json["places"]["2"]
    assert ben.get("").status == 200
