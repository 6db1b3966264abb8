"""The README shows the table as a browser shows it. `make pictures` takes the picture anew; fonts differ from machine to machine, so that no
two pictures are compared."""

from __future__ import annotations

import os
import struct
from pathlib import Path

from tests.house.test_rooms import ROOT
from tests.table.door import RENEW
from tests.table.web.browsers import Killable, Window, browser_or_skip, started, until_asked

PICTURE = ROOT / "docs" / "pictures" / "table.png"
SIZE = {"width": 1280, "height": 800}
ANSWERS, LARGEST = 14, 300_000  # bytes


def test_the_readme_shows_a_table_of_modest_size(tmp_path: Path) -> None:
    if os.environ.get(RENEW):
        take(tmp_path)
    content = PICTURE.read_bytes()
    assert content.startswith(b"\x89PNG") and len(content) < LARGEST
    assert struct.unpack(">II", content[16:24]) == (SIZE["width"], SIZE["height"])
    assert "docs/pictures/table.png" in (ROOT / "README.md").read_text(encoding="utf-8")


def take(folder: Path) -> None:
    """A picture of a table after some answers."""
    with browser_or_skip() as playwright:
        chromium, server = started(playwright), Killable(folder)
        opened = server.open("tokyo_tsukiji_market", [1], 2, seats=4, names=((1, "Anna"),))
        window = Window(chromium, SIZE, 3, reduced_motion="reduce")
        window.sit(server.start(), opened, "1")
        for _ in range(ANSWERS):
            if until_asked([window]) is not None:
                window.answer()
        until_asked([window])
        window.page.screenshot(path=PICTURE)
        server.kill()
        chromium.close()
