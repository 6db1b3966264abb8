"""Claims about every screen of the web table in a real browser: it fits a phone and a desk, by day and by night, axe finds nothing serious,
the keyboard is enough, and who does not see it hears what happens.

Needs Chromium, Playwright and axe: `make browser` fetches the last two."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ichiba.table.sitting.questions import name_of
from tests.table.web.browsers import DESK, PHONE, Window, until_asked
from tests.table.web.harness import Web

SIZES = [pytest.param(PHONE, "light", id="phone by day"), pytest.param(DESK, "dark", id="desk by night")]
PEOPLE = {"1": "person", "2": "person"}
ZOOMED = {"width": 640, "height": 450}  # a desk of 1,280 at 200%


def good(window: Window) -> None:
    assert window.fits()
    assert window.serious() == []


@pytest.mark.parametrize(("size", "scheme"), SIZES)
def test_before_a_game_every_screen_is_for_everybody(size: dict[str, int], scheme: str, web: Web, window: Callable[..., Window]) -> None:
    one = window(size, color_scheme=scheme)
    address = f"http://{web.called}"
    one.go(f"{address}/")
    good(one)
    one.page.click("a[href='/new/tokyo_tsukiji_market']")
    one.page.wait_for_selector("#seat-2")
    for details in one.page.locator("details").all():
        details.evaluate("one => one.open = true")
    good(one)
    one.page.check("input[value=four_who_know_it]")
    assert one.page.locator("#seats").input_value() == "4"
    assert one.page.locator("input[value=crashing_markets]").is_checked() and one.page.locator("input[value=expansion]").is_disabled()
    one.page.select_option("#seat-2", "person")
    one.page.click("button[type=submit]")
    one.page.wait_for_selector("#opened:not([hidden])")
    assert one.page.locator("#links li").count() == 2
    good(one)
    one.page.click("#play")
    one.page.wait_for_selector("#part-turn p")
    one.go(f"{address}/")
    assert one.page.locator("#mine li").count() == 1
    assert one.wrong == []
    one.go(f"{address}/t/{'x' * 22}/1/")
    good(one)
    one.go(f"{address}/nowhere")
    good(one)
    assert all("404" in said for said in one.wrong)
    one.wrong.clear()


TABLES = [
    pytest.param("tokyo_tsukiji_market", PHONE, "light", id="boards on a phone by day"),
    pytest.param("tokyo_tsukiji_market", DESK, "dark", id="boards on a desk by night"),
    pytest.param("tsukiji", DESK, "dark", id="lots on a desk by night"),
    pytest.param("shinjuku", PHONE, "dark", id="a map on a phone by night"),
    pytest.param("shinjuku", DESK, "light", id="a map on a desk by day"),
]


@pytest.mark.parametrize(("game", "size", "scheme"), TABLES)
def test_a_table_is_for_everybody(game: str, size: dict[str, int], scheme: str, web: Web, window: Callable[..., Window]) -> None:
    one = window(size, color_scheme=scheme, reduced_motion="reduce")
    modules = ["kaiju", "hachiko"] if game == "shinjuku" else []
    one.sit(f"http://{web.called}", web.open(game, seats=3, modules=modules), "1")
    for _ in range(4):
        asked = until_asked([one])
        assert asked is one
        one.answer()
    until_asked([one])
    for details in one.page.locator("details").all():
        details.evaluate("one => one.open = true")
    good(one)
    assert one.page.locator("#part-own").inner_text() != ""
    assert one.page.title().startswith("● Your turn") and one.page.locator("link[rel=icon]").get_attribute("href") == "/static/turn.svg"


def test_one_can_read_at_200_percent(web: Web, window: Callable[..., Window]) -> None:
    one = window(ZOOMED)
    one.sit(f"http://{web.called}", web.open("shinjuku", seats=2), "1")
    until_asked([one])
    assert one.fits()


@pytest.mark.parametrize("game", ["goofspiel", "no_thanks"])
def test_a_whole_game_is_played_with_the_keyboard_alone(game: str, web: Web, window: Callable[..., Window]) -> None:
    one = window(DESK)
    one.sit(f"http://{web.called}", web.open(game), "1")
    for _ in range(100):
        if until_asked([one]) is None:
            break
        decision = one.decision
        if not one.page.evaluate("document.querySelector('.question').contains(document.activeElement)"):
            one.page.keyboard.press("1")
        one.page.keyboard.press("Enter")
        one.until_answered(decision)
    assert one.over
    one.page.keyboard.press("Escape")


def test_the_question_keeps_the_keyboard_when_others_have_answered(web: Web, window: Callable[..., Window]) -> None:
    one = window(DESK)
    one.sit(f"http://{web.called}", web.open("no_thanks"), "1")
    until_asked([one])
    one.page.keyboard.press("1")
    before = one.decision
    one.page.keyboard.press("Enter")
    one.until_answered(before)
    if until_asked([one]) is one and not one.over:
        one.until("() => document.querySelector('.question')?.contains(document.activeElement)")


def test_what_happens_is_heard_once_with_whose_turn_it_is(web: Web, window: Callable[..., Window]) -> None:
    opened = web.open("tsukiji", seats=3, sitting={**PEOPLE, "3": "person"})
    one = window()
    one.sit(f"http://{web.called}", opened, "1")
    one.until("() => document.getElementById('heard').textContent.includes('Your turn')")
    first = one.decision
    one.answer()
    one.until("() => /seat 1|lot 2/.test(document.getElementById('heard').textContent)")
    assert one.decision != first
    assert one.page.locator("[aria-live], [role=status]").count() == 2  # of which one is for new links


def test_a_vote_stands_above_all_and_no_is_told(web: Web, window: Callable[..., Window]) -> None:
    opened = web.open("no_thanks", seats=3, sitting={**PEOPLE, "3": "person"}, names={"1": "Anna", "2": "Ben", "3": "Eve"})
    three = [window() for _ in range(3)]
    for one, place in zip(three, ("1", "2", "3"), strict=True):
        one.sit(f"http://{web.called}", opened, place)
    first = until_asked(three)
    assert first is not None
    first.answer()
    while (second := until_asked(three)) is first:
        first.answer()
    assert second is not None
    second.answer()
    first.page.click("[data-undo=ask]")
    others = [one for one in three if one is not first]
    for one in others:
        one.page.wait_for_selector("[data-vote=yes]")
    good(others[0])
    assert "would like to take back" in others[0].page.inner_text("#part-vote")
    assert "Still to say" in first.page.inner_text("#part-vote")
    others[0].page.click("[data-vote=no]")
    first.page.wait_for_selector("#said:not([hidden])")
    assert first.page.inner_text("#said") == "The others would rather go on."


def test_people_have_names_new_links_and_bots_at_the_table(web: Web, window: Callable[..., Window]) -> None:
    address, opened = f"http://{web.called}", web.open("tokyo_tsukiji_market", seats=3, sitting={**PEOPLE, "3": "sensible"})
    host, ben = window(DESK), window()
    host.sit(address, opened, "1")
    ben.sit(address, opened, "2")
    host.page.click("#people > summary")
    host.page.fill("#name-1", "Anna")
    host.page.click("[data-name='1']")
    ben.page.wait_for_selector("h3:has-text('Anna')")
    ben.page.click("#people > summary")
    assert ben.page.locator("[data-link]").count() == 0
    host.page.click("[data-link='2']")
    host.page.wait_for_selector("#new-link:not([hidden])")
    link = host.page.inner_text("#new-link code")
    assert link.startswith(f"{address}/t/{opened.table}/2/#") and link.partition("#")[2] != opened.places["2"]
    again = window()
    again.go(link)
    again.page.wait_for_selector("#part-turn p")
    again.page.click("#people > summary")
    policies = again.page.locator("#bot-of-2 option").all_inner_texts()
    again.page.select_option("#bot-of-2", policies[-1])
    again.page.click("[data-bot='2']")
    again.page.wait_for_selector(f"h3:has-text('bot: {policies[-1]}')")
    again.page.click(".vote [data-bot='2']")
    again.page.wait_for_selector(".vote", state="detached")


@pytest.mark.parametrize(("size", "scheme"), SIZES)
def test_one_device_goes_from_hand_to_hand_with_a_cover(size: dict[str, int], scheme: str, web: Web, window: Callable[..., Window]) -> None:
    opened = web.open("tsukiji", seats=2, sitting={"1": "person", "2": "here"})
    one = window(size, color_scheme=scheme)
    one.sit(f"http://{web.called}", opened, opened.host)
    for _ in range(40):
        one.page.wait_for_selector(".cover, .question:not([data-sent])")
        if one.page.locator(".cover").count():
            break
        one.answer()
    good(one)
    assert one.page.inner_text("#part-own") == "" and one.page.inner_text("#part-story") == ""
    one.page.click("[data-show]")
    one.page.wait_for_selector(".question")


def test_earlier_lines_of_the_story_are_fetched_and_stay(web: Web, window: Callable[..., Window]) -> None:
    one = window(PHONE)
    opened = web.open("tsukiji", seats=4)
    live = web.live(opened)
    while live.course.number < 130:  # a game that is well on its way
        decision = live.course.table.pending[0]
        live.course.bots[decision.seat] = "sensible"
        live.answer_of_bot(decision.seat, name_of(live.name, live.course, decision), decision.keys()[0])
    live.course.bots.pop(1, None)
    one.sit(f"http://{web.called}", opened, "1")
    one.page.wait_for_selector("#part-story [data-earlier]")
    until_asked([one])
    one.page.click("#part-own", position={"x": 3, "y": 3})  # which is nothing to click
    whole = live.eyes.ears.lines(1)
    told = [line.words for line in live.eyes.ears.earlier(1, whole.gone)[1]]
    assert one.page.locator("#part-story li").count() == len(whole.lines)
    while one.page.locator("#part-story [data-earlier]").count():
        before = one.page.locator("#part-story li").count()
        one.page.click("#part-story [data-earlier]")
        one.until("many => document.querySelectorAll('#part-story li').length > many", before)
    lines = one.page.evaluate("Array.from(document.querySelectorAll('#part-story li'), (one) => one.firstChild.textContent)")
    assert len(lines) == whole.gone + len(whole.lines) and lines[whole.gone - len(told) : whole.gone] == told
    one.answer()
    until_asked([one])
    now = one.page.evaluate("Array.from(document.querySelectorAll('#part-story li'), (one) => one.firstChild.textContent)")
    assert now[: whole.gone] == lines[: whole.gone]
    good(one)


def test_one_looks_back_and_comes_back(web: Web, window: Callable[..., Window]) -> None:
    one = window(DESK)
    one.sit(f"http://{web.called}", web.open("salt_flats", seats=2), "1")
    for _ in range(3):
        until_asked([one])
        one.answer()
    until_asked([one])
    now = one.page.inner_text("#part-scene")
    one.page.click("#looking-back > summary")
    one.page.locator("#moment").focus()
    one.page.keyboard.press("Home")
    one.page.wait_for_selector("#part-scene.past")
    one.until("now => document.getElementById('part-scene').innerText !== now", now)
    one.page.click("[data-now]")
    one.until("now => document.getElementById('part-scene').innerText === now", now)


@pytest.mark.parametrize("lang", ["es", "ja", "nl"])
def test_the_page_speaks_the_browsers_language(lang: str, web: Web, window: Callable[..., Window]) -> None:
    one = window(locale=lang)
    one.go(f"http://{web.called}/")
    assert one.page.locator("html").get_attribute("lang") == lang
    assert one.fits()
