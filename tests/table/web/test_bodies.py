"""What is sent to the server and cannot be read: each has its status and its words, and nothing has changed."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from random import Random

import pytest
from websockets.exceptions import InvalidStatus

from ichiba.table.web.routes import ROUTES, Route
from tests.conftest import Tally
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


VALUES: list[object] = [
    None, True, -1, 2, 10**18, "", "1", "take", "²", "\u202e", "<b>", [], {}, [[]], {"1": 2}, "x" * 1_900,
]  # fmt: skip
WORDS = ["1", "0", "²", "..", "%2e%2e", "%00", "x", "-1", "9" * 30, "watch", "no_thanks", "table.js"]
METHODS = ["GET", "POST", "PUT", "HEAD", "OPTIONS", "DELETE"]


class Fuzz:
    """Requests that nobody would send, and some that somebody might; how often each way in was asked, and what it said."""

    def __init__(self, web: Web, seed: int):
        """All are asked at once: so somebody is, whatever has been done."""
        opened = web.open("goofspiel", seats=3, sitting=dict.fromkeys("123", "person"))
        self.anna, *self.others = (web.sit(opened, place) for place in "123")
        self.random, self.said = Random(seed), Counter[tuple[str, int]]()

    def run(self, many: int) -> None:
        for number in range(many):
            route = ROUTES[number % len(ROUTES)]
            if number % 97 == 0:
                self._go_on()
            if route.method == "SOCKET" and self.random.random() < 0.2:
                self._socket()
            else:
                self._request(route)

    def _asked(self, friend: Friend) -> tuple[str, list[str]]:
        """The name of the question that somebody is asked, and its answers; nothing where nobody asks."""
        live = self.anna.web.house.table(self.anna.table)
        question = live.look(int(friend.place)).question
        keys = next((one.keys() for one in live.course.table.pending if one.seat == int(friend.place)), [])
        return (question.name, keys) if question is not None else ("0" * 32, ["take"])

    def _go_on(self) -> None:
        """What the others do meanwhile."""
        for friend in self.others:
            name, keys = self._asked(friend)
            friend.answer(name, keys[0])

    def _request(self, route: Route) -> None:
        random, anna = self.random, self.anna
        method = random.choice([route.method] * 6 + METHODS).replace("SOCKET", "GET")
        body, headers, path = self._body(route), self._headers(), self._path(route)
        secret = None if route.does in ("link", "bot") else anna.secret
        said = anna.web.ask(method, path, body if method == "POST" else None, secret, headers)
        assert said.status < 500, (method, path, body, headers, said.body)
        assert b"Traceback" not in said.body
        self.said[route.does, said.status] += 1

    def _path(self, route: Route) -> str:
        random = self.random
        path = route.path.replace("{table}", random.choice([self.anna.table] * 8 + WORDS[:8]))
        path = path.replace("{place}", random.choice(["1"] * 8 + WORDS))
        for name in ("{seat}", "{step}", "{before}", "{game}", "{file}"):
            path = path.replace(name, random.choice(WORDS))
        query = random.choice(["", "", "?key=take", "?key=", "?seat=1", "?key=%00", "?" + "&".join(["key=x"] * 90)])
        return "".join(sign if sign.isascii() else "%C2%B2" for sign in path + query)

    def _body(self, route: Route) -> object:
        random = self.random
        if random.random() < 0.15:
            return random.choice([b"{", b"\x00", b'{"a":' * 5, b"\xff" * 100, "x", 3, None, b'"' * 999, b"x" * 20_000])
        known = [*route.fields, *route.optional, "seat"]
        body = {name: random.choice(VALUES) for name in known if random.random() < 0.9}
        if random.random() < 0.5:  # as one that could be meant
            body = {name: self._meant(name) for name in route.fields}
        return body

    def _meant(self, name: str) -> object:
        random = self.random
        decision, keys = self._asked(self.anna)
        return {
            "request": f"f{random.randrange(10**6)}", "decision": decision if random.random() < 0.7 else "0" * 32,
            "answer": random.choice(["take", "card/1", "²", keys[-1]]), "agrees": random.random() < 0.5, "seat": 1, "step": random.randrange(3),
            "name": "Anna", "place": "1", "game": "nowhere", "secret": self.anna.secret,
        }[name]  # fmt: skip

    def _headers(self) -> dict[str, str | None]:
        random = self.random
        headers: dict[str, str | None] = {"accept-language": random.choice(["", "xx", "ja;q=0.1,,", "\u00ff" * 9, ",", "es"])}
        if random.random() < 0.2:
            name = random.choice(["origin", "host", "content-type", "accept", "cookie", "x-forwarded-for", "content-length"])
            headers[name] = random.choice(["", "null", "[", "\u00ff", "=;="]) if name != "content-length" else "0"
        return headers

    def _socket(self) -> None:
        """Opened and left at once."""
        query = self.random.choice(["", "?seat=1", "?seat=2", "?seat=%C2%B2", "?seat=" + "9" * 500])
        with suppress(InvalidStatus), self.anna.web_socket(query, cookie=self.random.choice([f"ichiba={self.anna.secret}", "ichiba=x", None])):
            self.said["socket", 101] += 1


def check_fuzzed(web: Web, seed: int, many: int, caplog: pytest.LogCaptureFixture) -> Counter[tuple[str, int]]:
    fuzz = Fuzz(web, seed)
    fuzz.run(many)
    assert not [record for record in caplog.records if record.exc_info], caplog.text
    asked = Counter(does for does, _ in fuzz.said.elements())
    assert all(asked[route.does] >= many // len(ROUTES) // 8 for route in ROUTES)
    with fuzz.anna.listen() as window:
        window.read()
        assert window.parts["scene"]
    return fuzz.said


IN_CI = 48_000  # requests: about a minute of the processor's


@pytest.mark.parametrize("seed", range(6))
def test_no_request_breaks_the_server(seed: int, web: Web, caplog: pytest.LogCaptureFixture, tally: Tally) -> None:
    said = check_fuzzed(web, seed, IN_CI // 6, caplog)
    tally(requests=sum(said.values()), ways_in=len({does for does, _ in said}))
    assert {status for _, status in said} >= {200, 400, 401, 403, 404, 409, 413, 415, 422}


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6, 16))
def test_no_request_of_many_breaks_the_server(seed: int, web: Web, caplog: pytest.LogCaptureFixture) -> None:
    check_fuzzed(web, seed, 30_000, caplog)
