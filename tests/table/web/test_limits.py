"""How often and how much: who asks too often is told when to come again, and nobody else notices."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from time import sleep

import pytest
from websockets.exceptions import ConnectionClosed

from ichiba.table.web.hub import MOST_OF_A_PLACE
from ichiba.table.web.server import A_PLACE, OPENED
from tests.table.web.harness import served

ALL = dict.fromkeys("123", "person")


def test_who_asks_too_often_waits_and_the_others_do_not(tmp_path: Path) -> None:
    now = [0.0]
    with served(tmp_path, clock=lambda: now[0]) as web:
        opened = web.open("no_thanks", seats=3, sitting=ALL)
        anna, eve = web.sit(opened, "1"), web.sit(opened, "2")
        assert {anna.get("save").status for _ in range(A_PLACE.burst)} == {409}
        said = anna.get("save")
        assert (said.status, said.error, said.header("retry-after")) == (
            429,
            "too many requests; try again after 1 s",
            "1",
        )
        assert eve.get("save").status == 409
        now[0] += 1
        assert anna.get("save").status == 409


def test_one_address_does_not_open_tables_without_end(tmp_path: Path) -> None:
    with served(tmp_path, clock=lambda: 0.0) as web:
        said = [web.ask("POST", "/tables", {"game": "x"}) for _ in range(OPENED.burst + 1)]
        assert [one.status for one in said] == [404] * OPENED.burst + [429]
        assert said[-1].header("retry-after") == "5"


def test_there_are_no_more_tables_than_are_allowed(tmp_path: Path) -> None:
    with served(tmp_path, most_tables=1) as web:
        web.open("no_thanks", seats=3)
        said = web.ask("POST", "/tables", {"game": "no_thanks"})
        assert said.status == 503 and said.error.startswith("there are 1 tables already")


def test_a_place_is_open_in_a_few_windows_at_most(tmp_path: Path) -> None:
    with served(tmp_path) as web:
        anna = web.sit(web.open("no_thanks", seats=3, sitting=ALL), "1")
        with ExitStack() as open_ones:
            for _ in range(MOST_OF_A_PLACE):
                open_ones.enter_context(anna.listen()).read()
            with pytest.raises(ConnectionClosed, match="4429"), anna.listen() as one_too_many:
                one_too_many.read()
        while web.server.hub.listeners:  # the server hears of it a moment later
            sleep(0.01)
        with anna.listen() as window:
            window.read()


def test_whoever_says_anything_to_a_window_is_shown_out(tmp_path: Path) -> None:
    with served(tmp_path) as web, web.sit(web.open("no_thanks", seats=3), "1").web_socket() as socket:
        socket.send("x")
        with pytest.raises(ConnectionClosed, match="1008"):
            while True:
                socket.recv(timeout=100)


def test_a_name_stands_in_the_page_as_it_was_written(tmp_path: Path) -> None:
    with served(tmp_path) as web:
        opened = web.open("no_thanks", seats=3, sitting=ALL)
        anna, eve = web.sit(opened, "1"), web.sit(opened, "2")
        assert anna.post("name", request="n", seat=1, name="<b>\"'&amp;</b>").status == 200
        with eve.listen() as window:
            window.until(lambda parts: "&lt;b&gt;" in parts["thing-seat-1"])
            assert not any("<b>" in part for part in window.parts.values())
