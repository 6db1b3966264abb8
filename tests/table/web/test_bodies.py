"""What is sent to the server and cannot be read: each has its status and its words, and nothing has changed."""

from __future__ import annotations

import json
from random import Random

import pytest

from ichiba.table.web.routes import ROUTES
from tests.table.web.harness import Friend, Web


@pytest.fixture(scope="module")
def anna(web: Web) -> Friend:
    return web.sit(web.open("no_thanks", seats=3, sitting=dict.fromkeys("123", "person")), "1")


GOOD = {"request": "r", "seat": 1, "name": "Anna"}
BODIES: list[tuple[object, int, str]] = [
    (b"", 400, "this is no JSON as we read it"),
    (b"\xff\xfe", 400, "this is no JSON as we read it"),
    (b"[]", 400, "a request is a map of fields"),
    (b"NaN", 400, "NaN is no whole number"),
    (b'{"request": "r", "seat": NaN, "name": "x"}', 400, "NaN is no whole number"),
    (b'{"request": "r", "seat": 1.0, "name": "x"}', 400, "1.0 is no whole number"),
    (b'{"request": "r", "seat": 1, "seat": 2, "name": "x"}', 400, "a key stands twice in a map"),
    (b'{"request": "r", "seat": ' + b"9" * 5000 + b', "name": "x"}', 400, "this is no JSON as we read it"),
    (b"[" * 7 + b"]" * 7, 400, "lists and maps lie at most 6 deep in each other"),
    (b"[" * 10_000, 400, "lists and maps lie at most 6 deep in each other"),
    (b" " * 16_385, 413, "a request has at most 16,384 bytes"),
    ({**GOOD, "seat": True}, 400, "field `seat` is a whole number"),
    ({**GOOD, "seat": "1"}, 400, "field `seat` is a whole number"),
    ({**GOOD, "name": None}, 400, "field `name` is a text of at most 2,000 characters"),
    ({**GOOD, "name": "x" * 2_001}, 400, "field `name` is a text of at most 2,000 characters"),
    ({**GOOD, "name": "\ud800"}, 400, "this is no JSON as we read it: half of a character"),
    ({**GOOD, "request": ""}, 400, "field `request` is 1 to 64 letters, digits, - and _"),
    ({**GOOD, "request": "a b"}, 400, "field `request` is 1 to 64 letters, digits, - and _"),
    ({"request": "r", "seat": 1}, 400, "field `name` is missing"),
    ({**GOOD, "seed": 1}, 400, "unknown field `seed`; known are request, seat, name"),
    ({**GOOD, "state": {}}, 400, "unknown field `state`; known are request, seat, name"),
    ({**GOOD, "name": "a\u202eb"}, 422, "a name has at most 24 characters that can be printed"),
    ({**GOOD, "name": "a\x00b"}, 422, "a name has at most 24 characters that can be printed"),
    ({**GOOD, "name": "x" * 25}, 422, "a name has at most 24 characters that can be printed"),
    ({**GOOD, "seat": 10**30}, 403, "is not yours"),
]


@pytest.mark.parametrize("body, status, words", BODIES, ids=lambda one: str(one)[:40])
def test_what_cannot_be_read_is_refused_and_changes_nothing(
    body: object, status: int, words: str, anna: Friend
) -> None:
    said = anna.web.ask("POST", f"{anna.at}/name", body, anna.secret)
    assert said.status == status and words in said.error
    assert not anna.web.house.store.entries(anna.table, 0)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", None])
def test_only_json_is_read(kind: str | None, anna: Friend) -> None:
    said = anna.web.ask("POST", f"{anna.at}/name", GOOD, anna.secret, {"content-type": kind})
    assert (said.status, said.error) == (415, "what is sent is JSON")


@pytest.mark.parametrize(
    "chosen, status",
    [
        ({"sitting": {"²": "person"}}, 422), ({"sitting": {"9" * 5000: "person"}}, 422), ({"sitting": {"9": "person"}}, 422),
        ({"names": {"²": "x"}}, 422), ({"seats": 0}, 422), ({"seats": -1}, 422), ({"seats": 10**40}, 422), ({"seats": 99}, 422),
        ({"modules": ["../x"]}, 422), ({"preset": "../x"}, 422), ({"variants": [[]]}, 422), ({"options": {"\x00": 1}}, 422),
        ({"sitting": {"2": "nobody"}}, 422), ({"game": "../no_thanks"}, 404), ({"game": ""}, 404),
    ],
    ids=lambda one: str(one)[:40],
)  # fmt: skip
def test_a_table_that_cannot_be_is_not_opened(chosen: dict[str, object], status: int, anna: Friend) -> None:
    before = anna.web.house.store.count()
    said = anna.web.ask("POST", "/tables", {"game": "no_thanks", **chosen})
    assert said.status == status, said.body
    assert anna.web.house.store.count() == before


@pytest.mark.parametrize("seat", ["²", "9" * 5000, "-1", "1e3", "%00", "2"])
def test_a_window_that_asks_for_no_seat_of_its_place_is_shown_its_own(seat: str, anna: Friend) -> None:
    with anna.web_socket(f"?seat={seat}" if seat.isascii() else "?seat=%C2%B2") as socket:
        assert json.loads(socket.recv(timeout=100))["shown"] == "1"


def fuzzed(anna: Friend, random: Random, many: int) -> None:
    """Requests that nobody would send."""
    values: list[object] = [
        None,
        True,
        -1,
        2,
        10**18,
        "",
        "1",
        "take",
        "²",
        "\u202e",
        "<b>",
        [],
        {},
        [[]],
        {"1": 2},
        "x" * 1_900,
    ]
    words = ["1", "0", "²", "..", "%2e%2e", "%00", "x", "-1", "9" * 30, "watch", "no_thanks", "table.js", anna.table]
    for _ in range(many):
        route = random.choice(ROUTES)
        path = route.path.replace("{table}", random.choice([anna.table] * 4 + words[:8])).replace(
            "{place}", random.choice(["1"] * 4 + words)
        )
        for name in ("{seat}", "{step}", "{before}", "{game}", "{file}"):
            path = path.replace(name, random.choice(words))
        path = "".join(sign if sign.isascii() else "%C2%B2" for sign in path)
        method = random.choice([route.method] * 4 + ["GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE"]).replace(
            "SOCKET", "GET"
        )
        known = [*route.fields, *route.optional, "seat"]
        body: object = {name: random.choice(values) for name in known if random.random() < 0.8}
        if random.random() < 0.2:
            body = random.choice([b"{", b"\x00", b'{"a":' * 5, b"\xff" * 100, "x", 3, None, b'"' * 999])
        headers = {"accept-language": random.choice(["", "xx", "ja;q=0.1,,", "\u00ff" * 9, ","])}
        if random.random() < 0.2:
            headers[random.choice(["origin", "host", "content-type", "accept", "cookie"])] = random.choice(
                ["", "null", "[", "\u00ff", "=;="]
            )
        secret = None if route.does in ("link", "bot") else anna.secret
        said = anna.web.ask(method, path, body if method == "POST" else None, secret, headers)
        assert said.status < 500, (method, path, body, headers, said.body)
        assert b"Traceback" not in said.body


def check_fuzzed(anna: Friend, seed: int, many: int, caplog: pytest.LogCaptureFixture) -> None:
    fuzzed(anna, Random(seed), many)
    assert not [record for record in caplog.records if record.exc_info], caplog.text
    with anna.listen() as window:
        window.read()
        assert window.parts["scene"]


def test_no_request_breaks_the_server(anna: Friend, caplog: pytest.LogCaptureFixture) -> None:
    check_fuzzed(anna, 1, 250, caplog)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
def test_no_request_of_many_breaks_the_server(seed: int, anna: Friend, caplog: pytest.LogCaptureFixture) -> None:
    check_fuzzed(anna, seed, 3_000, caplog)
