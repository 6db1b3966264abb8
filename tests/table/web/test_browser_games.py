"""Claims about whole games of two people and two bots in two windows: nothing that happens on the way costs an answer.

Needs Chromium, Playwright and axe: `make browser` fetches the last two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.table.web.browsers import DESK, PHONE, Killable, Window, until_asked
from tests.table.web.harness import Opened

WHOLE, SOME = 10_000, 32


class Evening:
    """A game in which things happen; `seen` says which have."""

    def __init__(self, server: Killable, windows: list[Window]):
        self.server, self.windows, self.seen = server, windows, set[str]()
        self.totals: list[list[str]] = []  # as each window shows them at the end

    def play(self, answers: int) -> int:
        given = 0
        while given < answers and (asked := until_asked(self.windows)) is not None:
            self._happening(given, asked)
            if (now := until_asked(self.windows)) is None:
                break
            now.answer()
            given += 1
            self._taken_back(now, given)
            assert now.fits()
        return given

    def _happening(self, given: int, asked: Window) -> None:
        match given:
            case 3:
                self._reload(asked)
            case 6:
                self._clicked_twice(asked)
            case 9:
                self._offline(asked)
            case 12:
                self._killed()

    def _reload(self, asked: Window) -> None:
        before = asked.decision
        asked.page.reload()
        asked.page.wait_for_selector(".question")
        assert asked.decision == before
        self.seen.add("reload")

    def _clicked_twice(self, asked: Window) -> None:
        before, sent = asked.decision, asked.answers_sent()
        asked.button().dblclick()
        asked.until_answered(before)
        assert asked.answers_sent() == sent + 1
        self.seen.add("double click")

    def _offline(self, asked: Window) -> None:
        """An answer that is given while there is no connection arrives when there is one again."""
        before = asked.decision
        asked.context.set_offline(True)
        asked.button().click()
        asked.page.wait_for_selector(".question[data-sent]")
        asked.context.set_offline(False)
        asked.until_answered(before)
        self.seen.add("offline")

    def _killed(self) -> None:
        before = [one.decision for one in self.windows]
        self.server.kill()
        for one in self.windows:
            one.page.wait_for_selector("#lost:not([hidden])")
        self.server.start()
        for one in self.windows:
            one.page.wait_for_selector("#lost", state="hidden")
        for one, decision in zip(self.windows, before, strict=True):
            if decision is not None:
                assert one.decision == decision
        self.seen.add("kill -9")

    def _taken_back(self, window: Window, given: int) -> None:
        """Once for free, once with the consent of the other, who is asked."""
        page = window.page
        if given < 15 or window.over:
            return
        undo = page.evaluate("document.querySelector('[data-undo]')?.dataset.undo ?? null")
        if undo == "free" and "undo" not in self.seen:
            before = window.decision
            page.click("[data-undo=free]")
            window.until("name => { const one = document.querySelector('.question'); return one && one.dataset.decision !== name; }", before)
            self.seen.add("undo")
        elif undo == "ask" and "vote" not in self.seen:
            other = next(one for one in self.windows if one is not window)
            page.click("[data-undo=ask]")
            other.page.wait_for_selector("[data-vote]")
            page.wait_for_selector(".vote.asked")
            other.page.click("[data-vote=yes]")
            page.wait_for_selector(".vote.asked", state="detached")
            page.wait_for_selector(".question")
            self.seen.add("vote")


def evening(browser: Any, folder: Path, game: str, answers: int, **chosen: Any) -> tuple[Evening, int]:
    server = Killable(folder)
    opened: Opened = server.open(game, [1, 2], "an evening", **chosen)
    address = server.start()
    windows = [Window(browser, PHONE, "anna", reduced_motion="reduce"), Window(browser, DESK, "ben")]
    try:
        for window, place in zip(windows, ("1", "2"), strict=True):
            window.sit(address, opened, place)
        played = Evening(server, windows)
        given = played.play(answers)
        for window in windows:
            assert window.wrong == []
            assert {url.split("/")[2] for _, url in window.asked} == {f"127.0.0.1:{server.port}"}
            if window.over:
                if window.page.locator("[data-next=all]").count():
                    window.page.click("[data-next=all]")
                window.page.wait_for_selector(".went svg")
                played.totals.append(window.page.locator(".total td").all_inner_texts())
                assert window.serious() == []
        return played, given
    finally:
        server.kill()
        for window in windows:
            window.context.close()


HAPPENED = {"reload", "double click", "offline", "kill -9"}


def test_two_people_and_two_bots_play_a_whole_tsukiji_in_two_windows(browser: Any, tmp_path: Path) -> None:
    played, _ = evening(browser, tmp_path, "tsukiji", WHOLE, seats=4)
    assert played.seen >= {*HAPPENED, "vote"}
    first, second = played.totals
    assert first == second and len(first) == 4


@pytest.mark.parametrize("game", ["tokyo_tsukiji_market", "shinjuku"])
def test_two_people_and_two_bots_play_on_whatever_happens(game: str, browser: Any, tmp_path: Path) -> None:
    played, given = evening(browser, tmp_path, game, SOME, seats=4)
    assert given == SOME and played.seen >= {*HAPPENED, "undo"}


@pytest.mark.soak
@pytest.mark.parametrize("game", ["tokyo_tsukiji_market", "shinjuku"])
def test_whole_games_are_played_in_two_windows(game: str, browser: Any, tmp_path: Path) -> None:
    played, _ = evening(browser, tmp_path, game, WHOLE, seats=4)
    assert len(played.totals) == 2 and played.seen >= {*HAPPENED, "undo"}
