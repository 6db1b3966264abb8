"""Claims about what is in sight: a finger that misses a station means it, the next question is brought into view, and so is what is new.

Needs Chromium, Playwright and axe: `make browser` fetches the last two."""

from __future__ import annotations

from collections.abc import Callable

from tests.table.web.browsers import DESK, PHONE, Window, until_asked
from tests.table.web.harness import Web

ABLE = "main .map .able"


def test_a_finger_beside_a_station_means_it_and_the_next_question_comes_into_sight(web: Web, window: Callable[..., Window]) -> None:
    opened = web.open("shinjuku", seats=2, sitting={"1": "person", "2": "person"})
    first = web.live(opened).course.table.pending[0].seat
    one = window(PHONE, reduced_motion="reduce")
    one.sit(f"http://{web.called}", opened, str(first))
    one.page.click("[data-key=open]")
    one.page.wait_for_selector(ABLE)
    station = one.page.locator(ABLE).first
    station.scroll_into_view_if_needed()
    where = station.bounding_box()
    assert where is not None
    one.page.mouse.click(where["x"] + where["width"] / 2 + 14, where["y"] + where["height"] / 2 + 12)
    one.page.wait_for_selector("#near button")
    decision = one.decision
    one.page.locator("#near button").first.click()
    one.until_answered(decision)
    one.page.wait_for_selector(".question h2")
    at = one.page.locator(".question h2").bounding_box()
    assert at is not None and at["y"] >= 0 and at["y"] + at["height"] <= PHONE["height"]
    assert one.wrong == []


def test_the_story_shows_what_is_new_however_much_room_the_question_takes(web: Web, window: Callable[..., Window]) -> None:
    one = window(DESK)
    one.sit(f"http://{web.called}", web.open("tsukiji", seats=3), "1")
    for _ in range(10):
        assert until_asked([one]) is one
        one.answer()
    until_asked([one])
    newest = """(() => {
      const story = document.getElementById("part-story"), fresh = story.querySelector(".fresh"), most = story.scrollHeight - story.clientHeight;
      return most > 0 && Math.abs(story.scrollTop - Math.min(most, fresh ? fresh.offsetTop - story.offsetTop : most)) < 2;
    })()"""
    one.until(newest)
