"""What goes wrong at a table, and what is answered: each with its status and words, and nothing has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from ichiba.table.web.server import A_PLACE
from tests.table.orchard import write
from tests.table.web.harness import Friend, Opened, Web, served


@dataclass
class Table:
    """A market with secret bids, and two people at it."""

    web: Web
    opened: Opened
    anna: Friend
    ben: Friend

    def decision(self, seat: int) -> str:
        question = self.web.live(self.opened).look(seat).question
        return question.name if question is not None else "none"

    def bid(self) -> None:
        assert self.anna.answer(self.decision(1), "bid/15").status == 200
        assert self.ben.answer(self.decision(2), "bid/2").status == 200

    def answers(self) -> list[str]:
        return [one.key for one in self.web.live(self.opened).course.given]


HOURS = [0.0]  # as the server's clock has it: one is between two tests


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("web")
    poor = write(folder / "poor", orchard_rules=ORCHARD.replace("cash: coin start first_money", "cash: coin start $4"))
    with served(folder, named={"orchard": poor}, clock=lambda: 3_600 * HOURS[0]) as one:
        yield one


@pytest.fixture
def table(web: Web) -> Table:
    HOURS[0] += 1
    opened = web.open("orchard", seats=2, sitting={"1": "person", "2": "person"})
    return Table(web, opened, web.sit(opened, "1"), web.sit(opened, "2"))


def _orchard() -> str:
    from tests.table.orchard import FILES

    return FILES["orchard.rules"]


ORCHARD = _orchard()


def no_token(table: Table) -> Any:
    return table.anna.post("answer", cookie=None, request="x", decision="x", answer="home")


def malformed(table: Table) -> Any:
    return table.anna.post("answer", cookie="no", request="x", decision="x", answer="home")


def of_another_seat(table: Table) -> Any:
    return table.ben.answer(table.decision(1), "bid/3")


def looking_on(table: Table) -> Any:
    return table.web.sit(table.opened, "watch").answer(table.decision(1), "bid/3")


def unknown_table(table: Table) -> Any:
    return Friend(table.web, "nowhere", "1", table.anna.secret).answer("x", "home")


def too_late(table: Table) -> Any:
    seen = table.decision(2)
    table.bid()
    table.anna.answer(table.decision(1), "home")
    return table.ben.answer(seen, "bid/3")


def used_before(table: Table) -> Any:
    table.anna.answer(table.decision(1), "bid/3", "once")
    return table.anna.answer("another", "home", "once")


def not_ones_turn(table: Table) -> Any:
    table.bid()
    return table.ben.answer("x", "home")


def of_another_question(table: Table) -> Any:
    return table.anna.answer(table.decision(1), "home")


def too_dear(table: Table) -> Any:
    table.bid()
    return table.anna.answer(table.decision(1), "buy/2")


def no_such_stall(table: Table) -> Any:
    table.bid()
    table.anna.answer(table.decision(1), "buy/1")
    return table.ben.answer(table.decision(2), "buy/1")


def out_of_range(table: Table) -> Any:
    return table.anna.answer(table.decision(1), "bid/16")


def extra_field(table: Table) -> Any:
    return table.anna.post("answer", request="x", decision=table.decision(1), answer="bid/3", seat=2)


def after_a_reveal(table: Table) -> Any:
    table.bid()
    return table.ben.post("undo", request="back")


def when_it_is_over(table: Table) -> Any:
    while not table.web.live(table.opened).course.table.over:
        for friend, seat in ((table.anna, 1), (table.ben, 2)):
            question = table.web.live(table.opened).look(seat).question
            if question is not None:
                friend.answer(question.name, "home" if any(one.key == "home" for one in question.choices) else "bid/0")
    return table.anna.answer("x", "home")


def again_the_same(table: Table) -> Any:
    decision = table.decision(1)
    table.anna.answer(decision, "bid/3", "same")
    return table.anna.answer(decision, "bid/3", "same")


def no_number(table: Table) -> Any:
    return posted(table, b'{"request": "x", "decision": NaN, "answer": "bid/3"}')


def twice_in_a_map(table: Table) -> Any:
    return posted(table, b'{"request": "x", "request": "y", "decision": "x", "answer": "bid/3"}')


def of_another_kind(table: Table) -> Any:
    return table.anna.post("answer", request="x", decision=table.decision(1), answer=3)


def too_large(table: Table) -> Any:
    return posted(table, b" " * 16_385)


def too_deep(table: Table) -> Any:
    return posted(table, b"[" * 7 + b"]" * 7)


def from_another_page(table: Table) -> Any:
    body = {"request": "x", "decision": table.decision(1), "answer": "bid/3"}
    return table.web.ask("POST", f"{table.anna.at}/answer", body, table.anna.secret, {"origin": "http://elsewhere.example"})


def too_often(table: Table) -> Any:
    said = [table.anna.answer("x", "home") for _ in range(A_PLACE.burst * 3)]
    return next(one for one in said if one.status == 429)


def posted(table: Table, body: bytes) -> Any:
    return table.web.ask("POST", f"{table.anna.at}/answer", body, table.anna.secret)


CASES: dict[Callable[[Table], Any], tuple[int, str]] = {
    no_token: (401, "this seat has to be signed in to: open the link you were given"),
    malformed: (401, "this seat has to be signed in to: open the link you were given"),
    of_another_seat: (409, "something has happened since: this is no longer what is asked"),
    looking_on: (403, "you look on: only who has a seat can do that"),
    unknown_table: (404, "there is nothing here"),
    too_late: (409, "something has happened since: this is no longer what is asked"),
    used_before: (422, "this request was used for something else; give each a name of its own"),
    not_ones_turn: (409, "it is not your turn: the table waits for seat 1"),
    of_another_question: (422, "home: `home` is no answer to this question"),
    too_dear: (422, "buy/2: this costs $5; you have $4"),
    no_such_stall: (422, "buy/1: "),
    out_of_range: (422, "bid/16: "),
    extra_field: (400, "unknown field `seat`; known are request, decision, answer"),
    after_a_reveal: (409, "something was drawn or shown since; the others can be asked"),
    when_it_is_over: (409, "the game is over"),
    no_number: (400, "this is no JSON as we read it: NaN is no whole number"),
    twice_in_a_map: (400, "this is no JSON as we read it: a key stands twice in a map"),
    of_another_kind: (400, "field `answer` is a text of at most 2,000 characters"),
    too_large: (413, "a request has at most 16,384 bytes"),
    too_deep: (400, "lists and maps lie at most 6 deep in each other"),
    from_another_page: (403, "this was asked from another site's page"),
    too_often: (429, "too many requests; try again after 1 s"),
}


@pytest.mark.parametrize("case", CASES, ids=[case.__name__ for case in CASES])
def test_what_goes_wrong_is_told_in_words_and_changes_nothing(case: Callable[[Table], Any], table: Table) -> None:
    said = case(table)
    status, words = CASES[case]
    assert (said.status, said.error[: len(words)]) == (status, words), said.error
    kept = [entry.body["key"] for entry in table.web.house.store.entries(table.opened.table)]
    assert kept == table.answers() and "another" not in kept  # what was kept are the answers that stand; of what was refused nothing was


def test_a_request_that_comes_again_gets_its_first_answer(table: Table) -> None:
    again = again_the_same(table)
    assert (again.status, again.json) == (200, {"answered": "bid/3"})
    assert table.answers() == ["bid/3"]
