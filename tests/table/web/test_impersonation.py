"""Who may do what: every route with every wrong secret, from every wrong place. A route without a row fails."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from ichiba.table.sitting.secrets import new_name, new_secret, sealed
from ichiba.table.web.routes import ROUTES, Route, Who
from tests.table.web.harness import Friend, Opened, Web, served

# owner: with the secret of seat 1, at its place. none, bad: without, and with what cannot be one. seat, table, watch: the secret of
# another seat, of seat 1 at another table, of whoever looks on. old: what was the secret before there was a new link. looks: whoever
# looks on, at that place. origin, site, host: the owner, from a page of somebody else's, or by another name of ours.
ROWS = """
                            owner none  bad  seat table watch  old looks origin site  host
GET    /                      200  200  200   200   200   200  200   200    200  200   403
GET    /new/{game}            200  200  200   200   200   200  200   200    200  200   403
GET    /static/{file}         200  200  200   200   200   200  200   200    200  200   403
POST   /tables                200  200  200   200   200   200  200   200    403  403   403
POST   sit                    200  400  401   404   404   404  401   200    403  403   403
GET    .                      200  401  401   404   404   404  401   200    200  200   403
SOCKET socket                 101  403  403   403   403   403  403   101    403  403   403
GET    past/{seat}/{step}     200  401  401   404   404   404  401   403    200  200   403
GET    story/{seat}/{before}  200  401  401   404   404   404  401   403    200  200   403
GET    why/{seat}             200  401  401   404   404   404  401   403    200  200   403
GET    rules                  200  401  401   404   404   404  401   200    200  200   403
GET    course                 409  401  401   404   404   404  401   409    409  409   403
GET    save                   409  401  401   404   404   404  401   409    409  409   403
POST   answer                 409  401  401   404   404   404  401   403    403  403   403
POST   undo                   409  401  401   404   404   404  401   403    403  403   403
POST   vote                   409  401  401   404   404   404  401   403    403  403   403
POST   bot                    200  401  401   404   404   404  401   403    403  403   403
POST   name                   200  401  401   404   404   404  401   403    403  403   403
POST   fork                   409  401  401   404   404   404  401   403    403  403   403
POST   link                   200  401  401   404   404   404  401   403    403  403   403
"""
BODIES: Mapping[str, dict[str, object]] = {
    "open": {"game": "no_thanks"},
    "answer": {"request": "r", "decision": "0" * 32, "answer": "take"},
    "undo": {"request": "r"},
    "vote": {"request": "r", "agrees": True},
    "bot": {"request": "r", "seat": 1, "policy": "random"},
    "name": {"request": "r", "seat": 1, "name": "Anna"},
    "fork": {"step": 0},
    "link": {"place": "1"},
}
SEATS_OF_OTHERS = {  # a seat that is said, and is not the place's; by route, what is said to that
    "past": ("past/2/0", None, 403),
    "story": ("story/2/0", None, 403),
    "why": ("why/2?key=take", None, 403),
    "bot": ("bot", {"request": "s", "seat": 2}, 403),
    "name": ("name", {"request": "s", "seat": 2, "name": "Eve"}, 403),
    "answer": ("answer", {"request": "s", "decision": "0" * 32, "answer": "take", "seat": 2}, 400),
    "undo": ("undo", {"request": "s", "seat": 2}, 400),
    "vote": ("vote", {"request": "s", "agrees": True, "seat": 2}, 400),
    "fork": ("fork", {"step": 0, "seat": 2}, 400),
    "link": ("link", {"place": "1", "seat": 2}, 400),
}
AT = "/t/{table}/{place}/"


def rows() -> dict[str, dict[str, int]]:
    head, *lines = (line.split() for line in ROWS.strip().splitlines())
    return {f"{method} {path}": dict(zip(head, map(int, told))) for method, path, *told in lines}


def row_of(route: Route) -> str:
    path = route.path
    if path.startswith(AT):
        path = path.removeprefix(AT) or "."
    return f"{route.method} {path}"


def people(web: Web) -> Opened:
    return web.open("goofspiel", seats=3, sitting=dict.fromkeys("123", "person"))  # where all are asked at once


def asked(
    web: Web, route: Route, table: str, place: str, secret: str | None, headers: Mapping[str, str | None] | None = None
) -> int:
    """The status that this way in has for somebody."""
    if route.method == "SOCKET":
        friend = Friend(web, table, place, secret or "")
        said: dict[str, Any] = {**(headers or {}), **({"cookie": None} if secret is None else {})}
        try:
            with friend.web_socket(**said):
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code
    path = route.path.format(table=table, place=place, game="no_thanks", file="table.js", seat=1, step=0, before=0) + (
        "?key=take" if route.does == "why" else ""
    )
    body: object = BODIES.get(route.does) if route.method == "POST" else None
    if route.does == "sit":
        body = {} if secret is None else {"secret": secret}
    return web.ask(route.method, path, body, secret, headers).status


def test_every_route_has_its_row() -> None:
    assert sorted(rows()) == sorted(map(row_of, ROUTES))
    known = {route.does for route in ROUTES if route.who is Who.SEATED or "{seat}" in route.path}
    assert set(SEATS_OF_OTHERS) == known


@pytest.mark.parametrize("route", ROUTES, ids=row_of)
def test_nobody_comes_in_with_anything_but_their_own_secret(route: Route, web: Web) -> None:
    first, second = people(web), people(web)
    anna, own = web.sit(first, "1"), first.places["1"]
    old = new_secret()
    new = anna.post("link", place="1").json["places"]["1"]
    old, own = own, new
    written = len(web.house.store.entries(first.table, 0))
    elsewhere = f"http://localhost:{web.port + 1}"
    said = {
        "none": asked(web, route, first.table, "1", None),
        "bad": asked(web, route, first.table, "1", "../x"),
        "seat": asked(web, route, first.table, "1", first.places["2"]),
        "table": asked(web, route, first.table, "1", second.places["1"]),
        "watch": asked(web, route, first.table, "1", first.places["watch"]),
        "old": asked(web, route, first.table, "1", old),
        "looks": asked(web, route, first.table, "watch", first.places["watch"]),
        "origin": asked(web, route, first.table, "1", own, {"origin": elsewhere}),
        "site": asked(web, route, first.table, "1", own, {"sec-fetch-site": "same-site"}),
        "host": asked(web, route, first.table, "1", own, {"host": "evil.example", "origin": "http://evil.example"}),
    }
    assert len(web.house.store.entries(first.table, 0)) == written, "something was done"
    said["owner"] = asked(web, route, first.table, "1", own)
    assert said == rows()[row_of(route)]


@pytest.mark.parametrize("does", SEATS_OF_OTHERS)
def test_a_seat_that_is_said_and_not_the_places_is_refused(does: str, web: Web) -> None:
    opened = people(web)
    anna = web.sit(opened, "1")
    path, body, status = SEATS_OF_OTHERS[does]
    said = anna.get(path) if body is None else web.ask("POST", f"{anna.at}/{path}", body, anna.secret)
    assert said.status == status, said.body
    assert not web.house.store.entries(opened.table, 0)


@pytest.mark.parametrize("origin", [None, "null", "", "http://[", "http://evil.example", "://", "file://"])
def test_what_is_no_page_of_ours_changes_nothing(origin: str | None, web: Web) -> None:
    anna = web.sit(people(web), "1")
    said = web.ask("POST", f"{anna.at}/name", BODIES["name"], anna.secret, {"origin": origin})
    assert (said.status, said.error) == (403, "this was asked from another site's page")
    with pytest.raises(InvalidStatus, match="403"):
        anna.web_socket(origin=origin)


@pytest.mark.parametrize(
    "route", [one for one in ROUTES if one.who is not Who.ANYBODY or one.does == "sit"], ids=row_of
)
def test_an_unknown_table_and_somebody_elses_look_the_same(route: Route, web: Web) -> None:
    opened = people(web)
    names = [opened.table, new_name(), "x", "x" * 64, "x" * 65, "%2e%2e", "%00"]
    if route.method == "SOCKET":
        assert {asked(web, route, name, "1", new_secret()) for name in names} == {403}
        return
    told = []
    for table in names:
        for place in ("1", "9", "watch"):
            for accept in ("text/html", "*/*"):
                path = route.path.format(table=table, place=place, seat=1, step=0, before=0)
                body = {"secret": new_secret()} if route.does == "sit" else BODIES.get(route.does)
                said = web.ask(
                    route.method, path, body if route.method == "POST" else None, new_secret(), {"accept": accept}
                )
                headers = sorted((name, value) for name, value in said.headers if name.lower() != "date")
                told.append((accept, said.status, headers, said.body))
    assert {status for _, status, _, _ in told} == {404}
    for accept in ("text/html", "*/*"):
        assert len({str(one) for one in told if one[0] == accept}) == 1


def test_whoever_has_the_old_link_is_out_at_once(web: Web) -> None:
    opened = people(web)
    anna, eve = web.sit(opened, "1"), web.sit(opened, "2")
    with eve.listen() as window:
        window.read()
        assert anna.post("link", place="2").status == 200
        with pytest.raises(Exception, match="4401"):
            window.until(lambda parts: False)


def test_others_cannot_be_sent_away_by_whoever_has_not_set_up_the_table(web: Web) -> None:
    said = web.sit(people(web), "2").post("link", place="1")
    assert (said.status, said.error) == (403, "only whoever has set up the table gives others a new link")


def test_a_table_where_a_bot_sits_for_somebody_is_not_opened_again_before_the_end(web: Web) -> None:
    """Whoever opens it would have the links to all places, and look at the hand of somebody who is away."""
    opened = web.open("goofspiel", seats=2, sitting={"1": "person", "2": "person"})
    anna = web.sit(opened, "1")
    assert anna.post("bot", request="a", seat=2, policy="random").status == 200
    said = anna.post("fork", step=0)
    assert (said.status, said.error) == (
        409,
        "others sit here: from an earlier moment one plays on when the game is over",
    )


def test_secrets_stand_nowhere(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Not in the log, not in the store, in no answer but the one to whoever has opened the table."""
    caplog.set_level("INFO")
    with served(tmp_path) as web:
        opened = people(web)
        found = list(opened.places.values())
        anna = web.sit(opened, "1")
        heard = [anna.get(path) for path in ("", "rules", "past/1/0", "why/1?key=take", "save")]
        heard += [anna.post("undo", request="u"), anna.post("name", request="n", seat=1, name="Anna")]
        with anna.listen() as window:
            window.read()
        new = anna.post("link", place="2").json["places"]["2"]
        web.ask("GET", f"/t/{opened.table}/1/", cookie=found[0], headers={"host": "evil"})
    told = [one.body.decode() + str(one.headers) for one in heard] + window.messages + [caplog.text]
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    for secret in (*found, new):
        assert not any(secret in one for one in told)
        assert not any(secret.encode() in one for one in kept)


def test_secrets_are_compared_in_constant_time(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []
    kept = hmac.compare_digest

    def compare(one: bytes, other: bytes) -> bool:
        compared.append(one)
        return bool(kept(one, other))

    monkeypatch.setattr(hmac, "compare_digest", compare)
    opened = people(web)
    tried = ((opened.table, new_secret()), (opened.table, opened.places["1"]), (new_name(), new_secret()))
    for table, secret in tried:
        web.ask("GET", f"/t/{table}/1/", cookie=secret)
    assert {sealed(secret) for _, secret in tried} <= set(compared)
    assert all(len(json.dumps(one)) >= 2 + 22 for one in opened.places.values())  # 128 bits at least
