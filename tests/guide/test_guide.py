"""Claims about docs/guide: whoever does what a page says, block by block, sees what it shows; and every page is led to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.guide.pages import GUIDE, Reader, blocks, empty_folder

PAGES = sorted(GUIDE.glob("*.md"))
DOCS = GUIDE.parent
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_whoever_follows_a_page_sees_what_it_shows(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ICHIBA_TRUST", "1")  # one's own folder, read as one's own
    monkeypatch.setenv("ICHIBA_SAVES", str(tmp_path / "saves"))
    reader = Reader()
    with empty_folder():
        for block in blocks(page):
            assert [str(wrong) for wrong in reader.follow(block)] == [], str(block)


def test_pages_that_show_nothing_are_few() -> None:
    assert sum(bool(blocks(page)) for page in PAGES) >= len(PAGES) - 1


@pytest.mark.parametrize("page", [*PAGES, *DOCS.glob("*.md"), *DOCS.glob("shelf/*.md"), DOCS.parent / "README.md"], ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [(found[1], found[2]) for found in LINK.finditer(text) if "://" not in found[1]]
    assert [link for link, _ in links if not (page.parent / link).exists()] == []
    for link, part in links:
        if part:
            headings = re.findall(r"^#+ (.*)$", (page.parent / link).read_text(encoding="utf-8"), re.MULTILINE)
            assert part[1:] in {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def test_the_index_leads_to_every_page() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    led = {(DOCS / found[1]).resolve() for found in LINK.finditer(index)}
    pages = {page.resolve() for page in (*PAGES, *DOCS.glob("*.md"))} - {(DOCS / "README.md").resolve()}
    assert sorted(str(page) for page in pages - led) == []
