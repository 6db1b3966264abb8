"""Claims about what one does at a table besides choosing one thing: several at once, a device that goes from hand to hand, looking back and
playing on from there, and the scores in the end, row by row.

Needs Chromium, Playwright and axe: `make browser` fetches the last two."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest

from ichiba.interpreter.run.decisions import Decision
from ichiba.table.sitting.course import Course
from ichiba.table.sitting.live import LiveTable
from ichiba.table.sitting.questions import name_of, question_of
from ichiba.table.sitting.setup import Setup
from tests.table.web.browsers import DESK, PHONE, Window, until_asked
from tests.table.web.harness import Opened, Web
from tests.table.web.test_browser import good

SIZES = [pytest.param(PHONE, id="phone"), pytest.param(DESK, id="desk")]


def driven(live: LiveTable, until: Callable[[Decision], bool], seed: int = 0) -> None:
    """All seats answer by chance, until somebody is asked what is looked for, or the game is over."""
    random = Random(seed)
    while not live.course.table.over:
        pending = live.course.table.pending
        if any(until(one) for one in pending):
            break
        one = random.choice(pending)
        with live.lock:
            live._write([("answer", {"seat": one.seat, "key": random.choice(one.keys())})], None, None)


def all_people(web: Web, game: str, seats: int) -> tuple[Opened, LiveTable]:
    opened = web.open(game, seats=seats, sitting={str(seat): "person" for seat in range(1, seats + 1)})
    return opened, web.live(opened)


def two_sorts(decision: Decision) -> str:
    """A lot of two sorts that can be given now, in one answer."""
    asked = question_of("t", Course(decision.table.game, Setup(decision.table.game.name, decision.table.game.seats, 0)), decision)
    sorts = [key for key, _ in asked.lot.sorts] if asked.lot is not None else []
    lots = (f"{asked.lot.name}/1 {one}+1 {other}" for one, other in combinations(sorts, 2) if asked.lot is not None)
    return next((lot for lot in lots if decision.table.why_not(lot, decision.seat) is None), "")


@pytest.mark.parametrize("size", SIZES)
def test_several_things_are_given_in_one_answer(size: dict[str, int], web: Web, window: Callable[..., Window]) -> None:
    while True:  # how a game goes is not ours to say
        opened, live = all_people(web, "caravan_yard", 3)
        driven(live, lambda one: bool(two_sorts(one)))
        if not live.course.table.over:
            break
    asked = next(one for one in live.course.table.pending if two_sorts(one))
    chosen = two_sorts(asked)
    one = window(size)
    one.sit(f"http://{web.called}", opened, str(asked.seat))
    one.page.wait_for_selector(".question .lot")
    good(one)
    for part in chosen.partition("/")[2].split("+"):
        number, _, sort = part.partition(" ")
        one.page.fill(f".lot [data-sort='{sort}']", number)
    before, name = len(live.course.given), name_of(live.name, live.course, asked)
    one.page.click(".lot button")
    one.until_answered(name)
    assert live.course.given[before].seat == asked.seat and live.course.given[before].key == chosen


@pytest.mark.parametrize("size", SIZES)
def test_scores_are_read_out_row_by_row_and_the_places_come_last(size: dict[str, int], web: Web, window: Callable[..., Window]) -> None:
    opened, live = all_people(web, "tsukiji", 3)
    driven(live, lambda one: False)
    one = window(size)
    one.sit(f"http://{web.called}", opened, "1")
    rows = one.page.locator("tr.score, tr.total")
    many = rows.count()

    def shown() -> int:
        return sum(rows.nth(at).is_visible() for at in range(many))

    assert many > 4 and shown() == 1 and not one.page.locator(".places").is_visible()
    good(one)
    for at in range(2, many):
        one.page.click("[data-next=one]")
        assert shown() == at
    assert one.page.locator(".went svg").count() == 0
    one.page.click("[data-next=one]")
    one.page.wait_for_selector(".went svg")
    assert shown() == many and one.page.locator("[data-next]").count() == 0
    totals = [int(text.replace(",", "")) for text in one.page.locator("tr.total td").all_inner_texts()]
    assert totals == [live.course.table.scores[seat] for seat in (1, 2, 3)]
    assert one.page.locator(".places li").first.inner_text().endswith(str(max(totals)))
    assert one.page.evaluate("document.activeElement.closest('#part-end') !== null")
    good(one)
    quick = window(size, reduced_motion="reduce")
    quick.sit(f"http://{web.called}", opened, "2")
    quick.page.wait_for_selector(".went svg")
    assert quick.page.locator("[data-next]").count() == 0


def test_a_device_that_goes_round_shows_each_their_own_and_nobody_anothers(web: Web, window: Callable[..., Window]) -> None:
    opened = web.open("shinjuku", seats=2, sitting={"1": "person", "2": "here"})
    live, one, covered = web.live(opened), window(), 0
    one.sit(f"http://{web.called}", opened, opened.host)
    for _ in range(60):
        one.page.wait_for_selector(".cover, .question:not([data-sent])")
        if not one.page.locator(".cover").count():
            one.answer()
            continue
        covered += 1
        asked = live.course.table.pending[0].seat
        assert one.page.locator("#part-scene section, #part-own *, #part-story *, .question").count() == 0
        held = one.page.evaluate("Array.from(parts).filter(([name, text]) => text).map(([name]) => name)")
        assert set(held) <= {"turn", "cover", "tab", "shown", "sheet"}
        assert one.page.locator(".cover h2").inner_text() == f"Seat {asked}, it is your turn"
        if covered == 3:
            break
        one.page.click("[data-show]")
        one.page.wait_for_selector(".question")
        head = one.page.locator("#part-own h3").inner_text()
        assert head.lower().startswith(f"seat {asked}")
    assert covered == 3


@pytest.mark.parametrize("size", SIZES)
def test_one_moves_through_a_game_and_plays_on_from_an_earlier_moment(size: dict[str, int], web: Web, window: Callable[..., Window]) -> None:
    opened = web.open("tokyo_tsukiji_market", seats=2)
    one = window(size)
    one.sit(f"http://{web.called}", opened, "1")
    for _ in range(4):
        until_asked([one])
        one.answer()
    until_asked([one])
    one.page.click("#looking-back > summary")
    told = one.page.locator("#moment-told")
    many = int(one.page.locator("#moment").get_attribute("max") or 0)
    assert many >= 4 and told.inner_text() == f"After answer {many} of {many}"
    for at in (1, 2):
        one.page.click("[data-step='-1']")
        one.until("words => document.getElementById('moment-told').textContent === words", f"After answer {many - at} of {many}")
    one.page.wait_for_selector("#part-scene.past")
    good(one)
    one.page.click("[data-step='1']")
    one.until("words => document.getElementById('moment-told').textContent === words", f"After answer {many - 1} of {many}")
    one.page.click("[data-fork]")
    one.page.wait_for_url(lambda url: opened.table not in url)
    one.page.wait_for_selector("#part-turn p")
    table = one.page.url.split("/t/")[1].split("/")[0]
    assert table != opened.table
    kept, new = web.live(opened).course.given, web.house.table(table).course.given
    assert [(given.seat, given.key) for given in new][: many - 1] == [(given.seat, given.key) for given in kept][: many - 1]


def test_a_vote_that_all_agree_to_takes_the_answer_back(web: Web, window: Callable[..., Window]) -> None:
    opened, live = all_people(web, "no_thanks", 3)
    given = live.course.given
    driven(live, lambda one: len(given) > 2 and given[-1].seat != given[-2].seat)
    asks, before = given[-2].seat, len(given)
    windows = {seat: window() for seat in (1, 2, 3)}
    for seat, one in windows.items():
        one.sit(f"http://{web.called}", opened, str(seat))
    windows[asks].page.click("[data-undo=ask]")
    others = [one for seat, one in windows.items() if seat != asks]
    others[0].page.click("[data-vote=yes]")
    others[0].page.wait_for_selector("[data-vote]", state="detached")
    assert len(given) == before
    others[1].page.click("[data-vote=yes]")
    windows[asks].page.wait_for_selector(".vote.asked", state="detached")
    windows[asks].page.wait_for_selector(".question")
    assert len(given) == before - 2
    assert not windows[asks].page.locator("#said").is_visible()  # what is said of a wish that was not granted
