"""README and docs show boards as they are: the file as it stands in the ruleset, the picture as it is drawn.

`make pictures` writes both anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from ichiba.table.markup.writing import svg
from ichiba.table.svg.drawing import picture
from tests.house.test_rooms import ROOT
from tests.pictures.pinned import gallery, game
from tests.table.door import RENEW

SHOWN = re.compile(r"<!-- board: (rulesets/(\w+)/\S+/(\w+)\.yaml) -->\n(.*?)<!-- end -->", re.DOTALL)
PAGES = [path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if SHOWN.search(path.read_text(encoding="utf-8"))]


def side_by_side(page: Path, file: str, name: str) -> str:
    """The file, and beside it the picture."""
    place = os.path.relpath(ROOT / "docs" / "pictures" / f"{name}.svg", page.parent)
    text = (ROOT / file).read_text(encoding="utf-8").rstrip()
    head = '<table><tr><td valign="top">\n\n```yaml\n'
    return f'{head}{text}\n```\n\n</td><td valign="top">\n\n<img src="{place}" width="358" alt="the board {name}, drawn">\n\n</td></tr></table>\n'


def drawn(ruleset: str, name: str) -> str:
    found = next(one for one in gallery(game(ruleset, None, (), ())).printed() if one.name == name)
    return svg(picture(found.panel, found.title))


def test_readme_and_docs_show_a_board() -> None:
    assert {page.name for page in PAGES} == {"README.md", "pictures.md"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_board_is_shown_as_it_is(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    [(file, ruleset, name, told)] = SHOWN.findall(text)
    path, content = ROOT / "docs" / "pictures" / f"{name}.svg", drawn(ruleset, name)
    if os.environ.get(RENEW):
        path.write_text(content, encoding="utf-8")
        page.write_text(text.replace(f"-->\n{told}<!-- end", f"-->\n{side_by_side(page, file, name)}<!-- end"), encoding="utf-8")
        told = side_by_side(page, file, name)
    assert told == side_by_side(page, file, name), f"{page.name} shows {file} otherwise: make pictures"
    assert path.read_text(encoding="utf-8") == content, f"{path.name} is drawn otherwise: make pictures"
