"""Pages open offline in a real browser: on a phone and on a desk, by day and by night, with no request to anywhere, and for everybody.

Needs Chromium, Playwright and axe: `make browser` fetches the last two."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.house.test_rooms import ROOT
from tests.table.door import ichiba

AXE = ROOT / ".venv" / "axe" / "axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WIDTHS = (390, 1440)
OPENED = "document.querySelectorAll('details').forEach(one => one.open = true)"  # what can be opened is looked at, too


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip("there is no browser to open pages in (make browser)")
    if CHROMIUM is None or not AXE.is_file():
        pytest.skip("there is no browser to open pages in (make browser)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One page of each sort that we write."""
    home = tmp_path_factory.mktemp("pages")
    market = ("tokyo_tsukiji_market", "--with", "expansion", "--seats", "4")
    assert ichiba("rulebook", *market, "--out", home / "market.html").code == 0
    assert ichiba("rulebook", "shinjuku", "--out", home / "map.html").code == 0
    assert ichiba("draw", "tsukiji", "--paper", "--out", home).code == 0
    assert ichiba("draw", *market, "table", "all_boards", "--width", "390", "--out", home).code == 0
    run = ("--config", "first_game", "--games", "3", "--seed", "1", "--jobs", "1", "--python", "--out", home / "run")
    assert ichiba("simulate", "tokyo_tsukiji_market", *run).code == 0
    assert ichiba("report", home / "run", "--beside", home / "run", "--out", home / "report.html").code == 0
    return {path.name: path for path in home.iterdir() if path.is_file()}


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("name", ["market.html", "map.html", "paper.html", "report.html", "table.svg", "all_boards.svg"])
def test_a_page_opens_offline_fits_and_can_be_used_by_everybody(name: str, wide: int, browser: Any, pages: dict[str, Path]) -> None:
    context = browser.new_context(viewport={"width": wide, "height": 900}, offline=True, bypass_csp=False)
    page = context.new_page()
    asked, said = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(pages[name].as_uri())
    assert [url for url in asked if url != pages[name].as_uri()] == [] and said == []
    if name.endswith(".html"):
        page.evaluate(OPENED)
        assert page.evaluate("document.documentElement.scrollWidth") <= wide
        assert page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") != ""  # its style sheet is let in by its policy
        assert page.evaluate("getComputedStyle(document.body).marginTop") == "0px"
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["market.html", "map.html", "paper.html", "report.html"])
def test_axe_finds_nothing_serious_and_in_a_report_nothing(name: str, scheme: str, browser: Any, pages: dict[str, Path]) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 900}, color_scheme=scheme, offline=True, bypass_csp=True)
    page = context.new_page()
    page.goto(pages[name].as_uri())
    page.evaluate(OPENED)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    looked_at = (one for one in found if one["impact"] in ("serious", "critical") or name == "report.html")
    assert [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in looked_at] == []
    context.close()
