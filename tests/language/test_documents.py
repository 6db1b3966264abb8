"""Claims about the pages in docs/: what they show is written in the language."""

import re
from pathlib import Path

import pytest

from ichiba.dsl.faults import Faults, render_all
from ichiba.dsl.parse import parse_items
from ichiba.dsl.source import Embedded, Source
from ichiba.dsl.yamlread import read_yaml

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"^```(yaml)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(found[1], found[2]) for found in BLOCK.finditer((DOCS / "modules.md").read_text(encoding="utf-8"))]


@pytest.mark.parametrize("rules", [text for form, text in BLOCKS if not form and not text.startswith("modules/")])
def test_the_rules_on_the_page_about_modules_are_rules(rules: str) -> None:
    faults = Faults()
    items = parse_items(Embedded.whole(Source("modules.md", rules)), faults)
    assert items and not faults.all, render_all(faults.all)


@pytest.mark.parametrize("text", [text for form, text in BLOCKS if form])
def test_the_yaml_on_the_page_about_modules_is_yaml(text: str) -> None:
    faults = Faults()
    assert read_yaml(Source("modules.md", text), faults) is not None
    assert not faults.all, render_all(faults.all)


def test_the_page_about_modules_shows_something() -> None:
    assert len(BLOCKS) >= 8
