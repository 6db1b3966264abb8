"""Real browsers at a real table: windows that say what they show, and click; a server that can be killed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ichiba.table.sitting.house import House
from ichiba.table.sitting.setup import Setup
from ichiba.table.store.store import open_store
from tests.house.test_rooms import ROOT
from tests.table.web.harness import Opened

AXE = ROOT / ".venv" / "axe" / "axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NO_BROWSER = "there is no browser to open pages in (make browser)"
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
LAST_RESORT = 600_000  # milliseconds: what has not come by then never comes
EXPECTED = re.compile(r"401 \(Unauthorized\)|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INTERNET_DISCONNECTED|ERR_EMPTY_RESPONSE|WebSocket")
QUESTION = ".question:not([data-sent])"


def started(playwright: Any) -> Any:
    return playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


class Window:
    """One person's window. It notes whatever goes wrong in it."""

    def __init__(self, browser: Any, size: dict[str, int], seed: object = 1, **chosen: Any):
        self.context = browser.new_context(viewport=size, **chosen)
        self.page = self.context.new_page()
        self.page.set_default_timeout(LAST_RESORT)
        self.wide, self.random = size["width"], Random(f"{seed}")
        self.wrong, self.asked = list[str](), list[tuple[str, str]]()
        self.page.on("console", lambda said: self.wrong.append(said.text) if not EXPECTED.search(said.text) else None)
        self.page.on("pageerror", lambda fault: self.wrong.append(str(fault)))
        self.page.on("request", lambda request: self.asked.append((request.method, request.url)))

    def go(self, url: str) -> None:
        self.page.goto(url)

    def sit(self, address: str, opened: Opened, place: str) -> None:
        self.go(f"{address}/t/{opened.table}/{place}/#{opened.places[place]}")
        self.page.wait_for_selector("#part-turn p, .cover")

    # ------------------------------------------------------------------------------------------ what it shows

    @property
    def over(self) -> bool:
        return bool(self.page.locator(".scores").count())

    @property
    def decision(self) -> str | None:
        """The question that can be answered now."""
        found: str | None = self.page.evaluate(f"document.querySelector('{QUESTION}')?.dataset.decision ?? null")
        return found

    def fits(self) -> bool:
        """Nothing is wider than the window."""
        wide: int = self.page.evaluate("document.documentElement.scrollWidth")
        return wide <= self.wide

    def serious(self) -> list[str]:
        """What axe finds that keeps somebody out."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate("axe.run()")["violations"]
        return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in ("serious", "critical")]

    def answers_sent(self) -> int:
        return sum(method == "POST" and url.endswith("/answer") for method, url in self.asked)

    def until(self, holds: str, given: object = None) -> None:
        self.page.wait_for_function(holds, arg=given)

    # ------------------------------------------------------------------------------------------ what one does in it

    def button(self) -> Any:
        """Any of those that answer."""
        choices = self.page.locator(f"{QUESTION} .choices button")
        return choices.nth(self.random.randrange(many)) if (many := choices.count()) else self.page.locator(f"{QUESTION} .strong").first

    def until_answered(self, decision: str | None) -> None:
        self.until("name => { const one = document.querySelector('.question'); return !one || one.dataset.decision !== name; }", decision)

    def answer(self) -> None:
        decision = self.decision
        self.button().click()
        self.until_answered(decision)


def until_asked(windows: Sequence[Window]) -> Window | None:
    """The window in which something is asked; none when the game is over."""
    for _ in range(LAST_RESORT // 20):
        if all(one.over for one in windows):
            return None
        asked = next((one for one in windows if one.decision is not None), None)
        if asked is not None:
            return asked
        windows[0].page.wait_for_timeout(20)
    raise AssertionError("nobody is asked anything")


class Killable:
    """`ichiba serve` as a process of its own, always at the same port."""

    def __init__(self, folder: Path):
        self.folder, self.store, self.port = folder, folder / "tables.sqlite", 0

    def open(self, game: str, people: Sequence[int], seed: int | str, **chosen: Any) -> Opened:
        """A table with a known seed, set up before the server is there; bots sit where no people do."""
        store = open_store(str(self.store))
        seats = chosen.pop("seats")
        bots = tuple((seat, "sensible") for seat in range(1, seats + 1) if seat not in people)
        live, secrets = House(store, self.folder / "rules").open(Setup(game, seats, seed, bots=bots, **chosen), [(seat,) for seat in people])
        store.close()
        return Opened(live.name, live.setup.host, secrets)

    def start(self) -> str:
        words = ["serve", "--port", str(self.port), "--store", str(self.store), "--no-browser"]
        env = {**os.environ, "HOME": str(self.folder), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ichiba.table", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env, text=True, cwd=self.folder
        )
        assert self.process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self.process.stdout.readline())
        assert found is not None
        self.port = int(found[1])
        return found[0]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def browser_or_skip() -> Any:
    """Playwright, or a word for whoever wonders why nothing was tried."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip(NO_BROWSER)
    if CHROMIUM is None or not AXE.is_file():
        pytest.skip(NO_BROWSER)
    return sync_playwright()


__all__ = ["DESK", "LAST_RESORT", "PHONE", "Killable", "Window", "browser_or_skip", "started", "until_asked"]
